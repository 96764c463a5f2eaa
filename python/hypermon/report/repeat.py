# SPDX-License-Identifier: BSD-3-Clause
"""How to get the same result again: a command line, and a scenario file that stands alone."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from hypermon._inputs import scenario as scenarios
from hypermon._inputs.scenario import Scenario
from hypermon._model import catalogues
from hypermon._model.schema import Schema, Value, canonical, common_path, flat
from hypermon._model.spec import Spec
from hypermon._printing import escaped
from hypermon.errors import UserError, cut

_PLAIN = re.compile(r"(?ai)(?!(?:true|false|yes|no|on|off|null|y|n)$)[a-z_/][\w./@-]*(?:\:[\w./@-]+)*")
"""A text that is the same in YAML without quotes."""


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


def in_a_table(setting: Setting) -> Setting:
    """With its value as there is room for it: of a catalogue of events its name."""
    value = setting.value
    return replace(setting, value=cut(catalogues.name_of(value), 80)) if isinstance(value, str) else setting


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
    """`hypermon sweep` with the same base, space and metrics; None if the scenario is not known here, or a value cannot
    be said on a command line."""
    base = _sweep_base(manifest, schema)
    space = manifest["space"]
    if base is None or any(_ambiguous(values) for axis in space["vary"] for values in axis.values()):
        return None
    parts = [base]
    for axis in space["vary"]:
        parts += [f"--vary {shlex.quote(f'{path}={_list(values)}')}" for path, values in axis.items()]
        parts += [f"--zip {shlex.quote(','.join(axis))}"] * (len(axis) > 1)
    parts += [f"--where {shlex.quote(condition)}" for condition in space.get("where") or ()]
    if space.get("repeats") is not None:
        repeats = space["repeats"]
        parts.append(f"--repeats {_seeds(repeats) if isinstance(repeats, list) else repeats}")
    parts += [f"--metric {shlex.quote(metric)}" for metric in manifest["metrics"]]
    return " ".join(parts)


def _sweep_base(manifest: Mapping[str, Any], schema: Schema) -> str | None:
    """What was asked, in the words that it was asked in: a variant of the scenario may set at one point what was set by
    hand for all. A manifest without them has only the values of the base."""
    asked = manifest.get("asked")
    if asked is None:
        found = command(manifest["scenario"], canonical(flat(manifest["base"])), schema)
        return found and found.replace("hypermon run", "hypermon sweep", 1)
    target = str(asked["target"])
    if not target.endswith((".yaml", ".yml")) and find_scenario(target) is None:
        return None
    pairs = [("--set", f"{path}={_text(value)}") for path, value in asked["set"].items()]
    pairs += [("--preset", name) for name in asked["presets"]]
    pairs += [("--platform", asked["platform"])] * bool(asked["platform"])
    return " ".join(["hypermon sweep", shlex.quote(target), *(f"{name} {shlex.quote(v)}" for name, v in pairs)])


def _ambiguous(values: list[Value]) -> bool:
    """Texts that a list of values would be torn at."""
    return any(isinstance(value, str) and ("," in value or value != value.strip()) for value in values)


def _list(values: list[Value]) -> str:
    return ",".join(map(_text, values))


def _seeds(seeds: list[Value]) -> str:
    """One of them alone would be a number of repeats."""
    return _list(seeds) if len(seeds) > 1 else f"{seeds[0]}:{seeds[0]}:1"


def scenario_file(question: str, values: Mapping[str, Value], schema: Schema) -> str:
    """A scenario (YAML) that needs no other file: everything that is not a default."""
    lines = [f"question: {_quoted(question)}", "set:"]
    lines += [f"  {_in_yaml(s.path)}: {_in_yaml(s.value)}" for s in changed(values, schema)]
    if len(lines) == 2:
        lines[1] = "set: {}"
    return "\n".join(lines) + "\n"


def _text(value: Value) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return re.sub(r"\.0$", "", repr(value)) if isinstance(value, float) else str(value)


def _in_yaml(value: Value) -> str:
    """A value that YAML reads as what it is: a text that could be anything else stands between quotes."""
    return _quoted(value) if isinstance(value, str) and not _PLAIN.fullmatch(value) else _text(value)


def _quoted(text: str) -> str:
    return escaped(json.dumps(text, ensure_ascii=False))


def spec_of(result: Mapping[str, Any]) -> Spec:
    return Spec(result["scenario"], values_of(result))
