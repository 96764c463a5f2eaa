# SPDX-License-Identifier: BSD-3-Clause
"""Instructions to repeat a result: a command line, and a self-contained scenario file."""

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
"""A text that needs no quotes in YAML."""


@dataclass(frozen=True)
class Setting:
    """A parameter of the run that differs from its default."""

    path: str
    value: Value
    default: Value
    unit: str
    description: str


def values_of(result: Mapping[str, Any]) -> dict[str, Value]:
    return canonical(flat(result["spec"]))


def changed(values: Mapping[str, Value], schema: Schema) -> list[Setting]:
    """Returns the parameters that differ from their defaults, in the schema's order."""
    order = {path: i for i, path in enumerate(schema.parameters)}
    found = []
    for path, value in values.items():
        known = schema.parameters.get(common_path(path))
        default = values[common_path(path)] if common_path(path) != path else known.default if known else value
        if known is not None and value != default:
            found.append(Setting(path, value, default, known.unit, known.description))
    return sorted(found, key=lambda setting: (order[common_path(setting.path)], setting.path))


def shortened(setting: Setting) -> Setting:
    """Shortens the value for a table. A catalogue of events is shown by its name."""
    value = setting.value
    return replace(setting, value=cut(catalogues.name_of(value), 80)) if isinstance(value, str) else setting


def find_scenario(name: str) -> Scenario | None:
    try:
        return scenarios.find_one(name)
    except UserError:
        return None  # a user's file elsewhere


def command(name: str, values: Mapping[str, Value], schema: Schema) -> str | None:
    """Returns the shortest `hypermon run` command for these values. None: the scenario is not known here."""
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
    for path in list(settings):  # a variant of the scenario may already set some
        fewer = {other: value for other, value in settings.items() if other != path}
        if gives(fewer):
            settings = fewer
    pairs = [f"--set {shlex.quote(f'{path}={_text(value)}')}" for path, value in settings.items()]
    return " ".join(["hypermon run", shlex.quote(name), *pairs])


def sweep_command(manifest: Mapping[str, Any], schema: Schema) -> str | None:
    """Returns the `hypermon sweep` command with the same base, space and metrics.

    None: the scenario is not known here, or a value cannot be given on a command line.
    """
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
    """Returns the command for the sweep's base, with the user's original settings if the manifest has them.

    The base's values are not enough, since a variant of the scenario may set a parameter at some points only.
    """
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
    """Do texts contain characters that separate the values of a list?"""
    return any(isinstance(value, str) and ("," in value or value != value.strip()) for value in values)


def _list(values: list[Value]) -> str:
    return ",".join(map(_text, values))


def _seeds(seeds: list[Value]) -> str:
    """Returns the text of the seeds. A single seed needs another form, since it would mean a number of repeats."""
    return _list(seeds) if len(seeds) > 1 else f"{seeds[0]}:{seeds[0]}:1"


def scenario_file(question: str, values: Mapping[str, Value], schema: Schema) -> str:
    """Returns a self-contained scenario (YAML) with all parameters that differ from their defaults."""
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
    """Returns a value in YAML. Texts that YAML could read as another type are quoted."""
    return _quoted(value) if isinstance(value, str) and not _PLAIN.fullmatch(value) else _text(value)


def _quoted(text: str) -> str:
    return escaped(json.dumps(text, ensure_ascii=False))


def spec_of(result: Mapping[str, Any]) -> Spec:
    return Spec(result["scenario"], values_of(result))
