"""How to get the same result again: a command line, and a scenario file that stands alone."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from hypermon import scenario as scenarios
from hypermon.errors import UserError
from hypermon.scenario import Scenario, Spec
from hypermon.schema import Schema, Value, canonical, common_path, flat


@dataclass(frozen=True)
class Setting:
    """A parameter of the run that is not its default."""

    path: str
    value: Value
    default: Value
    unit: str
    description: str


def values_of(result: Mapping[str, Any]) -> dict[str, Value]:
    return canonical(flat(result["spec"]))


def changed(values: Mapping[str, Value], schema: Schema) -> list[Setting]:
    """What differs from the defaults, in the schema's order."""
    order = {path: i for i, path in enumerate(schema.parameters)}
    found = []
    for path, value in values.items():
        known = schema.parameters.get(common_path(path))
        default = values[common_path(path)] if common_path(path) != path else known.default if known else value
        if known is not None and value != default:
            found.append(Setting(path, value, default, known.unit, known.description))
    return sorted(found, key=lambda setting: (order[common_path(setting.path)], setting.path))


def find_scenario(name: str) -> Scenario | None:
    try:
        return scenarios.find_one(name)
    except UserError:
        return None  # a file of the user's, elsewhere


def command(name: str, values: Mapping[str, Value], schema: Schema) -> str | None:
    """The shortest `hypermon run` that gives these values; None if the scenario is not known here."""
    found = find_scenario(name)
    if found is None:
        return None
    wanted = dict(values)

    def gives(settings: Mapping[str, Value]) -> bool:
        try:
            return dict(found.resolve(schema, settings, build=False).values) == wanted
        except UserError:
            return False

    plain = found.resolve(schema, build=False).values
    settings = {path: value for path, value in wanted.items() if plain.get(path, plain.get(common_path(path))) != value}
    if not gives(settings):
        return None
    for path in list(settings):  # a variant of the scenario may set some by itself
        fewer = {other: value for other, value in settings.items() if other != path}
        if gives(fewer):
            settings = fewer
    pairs = [f"--set {shlex.quote(f'{path}={_text(value)}')}" for path, value in settings.items()]
    return " ".join(["hypermon run", shlex.quote(name), *pairs])


def sweep_command(manifest: Mapping[str, Any], schema: Schema) -> str | None:
    """`hypermon sweep` with the same base and space; None if the scenario is not known here."""
    base = command(manifest["scenario"], canonical(flat(manifest["base"])), schema)
    if base is None:
        return None
    space = manifest["space"]
    parts = [base.replace("hypermon run", "hypermon sweep", 1)]
    for axis in space["vary"]:
        parts += [f"--vary {shlex.quote(f'{path}={_list(values)}')}" for path, values in axis.items()]
        parts += [f"--zip {shlex.quote(','.join(axis))}"] * (len(axis) > 1)
    parts += [f"--where {shlex.quote(condition)}" for condition in space.get("where") or ()]
    if space.get("repeats") is not None:
        repeats = space["repeats"]
        parts.append(f"--repeats {_list(repeats) if isinstance(repeats, list) else repeats}")
    return " ".join(parts)


def _list(values: list[Value]) -> str:
    return ",".join(map(_text, values))


def scenario_file(question: str, values: Mapping[str, Value], schema: Schema) -> str:
    """A scenario (YAML) that needs no other file: everything that is not a default."""
    lines = [f"question: {json.dumps(question, ensure_ascii=False)}", "set:"]
    lines += [f"  {json.dumps(s.path) if '[' in s.path else s.path}: {_text(s.value)}" for s in changed(values, schema)]
    if len(lines) == 2:
        lines[1] = "set: {}"
    return "\n".join(lines) + "\n"


def _text(value: Value) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return re.sub(r"\.0$", "", repr(value)) if isinstance(value, float) else str(value)


def spec_of(result: Mapping[str, Any]) -> Spec:
    return Spec(result["scenario"], values_of(result))
