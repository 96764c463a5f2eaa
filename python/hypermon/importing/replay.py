# SPDX-License-Identifier: BSD-3-Clause
"""Runs of program scripts."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from hypermon._files import files, places
from hypermon._inputs import scenario as scenarios
from hypermon._inputs.scenario import Scenario
from hypermon._model import worker
from hypermon._model.schema import Schema, common_path, flat
from hypermon._model.spec import Spec
from hypermon.errors import UserError, cut
from hypermon.importing.script import Script


def specify(
    trace: str | os.PathLike[str],
    scenario: Scenario | None = None,
    settings: Mapping[str, object] | None = None,
    presets: Sequence[str] = (),
    where: str = "--set",
    platform: str | os.PathLike[str] | None = None,
) -> Spec:
    """Returns the specification of the script's run: on the scenario's machine, else on that of the recording, else on
    the default one.

    It has as many nodes as the script has ranks, unless `settings` change that. A UserError describes any mistake.
    """
    script = Script.open(trace)
    schema = worker.schema()
    source = script.metadata["source"]
    recorded = flat(source.get("spec", {}))
    chosen = {"workload": "trace", "nodes": script.nodes, "trace.file": os.fspath(trace)}
    if script.has_files:  # the data of these files have no content
        chosen["mpiio.contents"] = "sizes"
        if source.get("files"):
            chosen["mpiio.sizes"] = " ".join(f"{name}={size}" for name, size in source["files"].items())
    chosen.update(settings or {})
    if scenario is not None:
        return _with_files(scenario.on(platform).resolve(schema, chosen, presets, where=where), script, schema, where)
    if platform is not None or not recorded:
        own = Scenario("trace", places.scenarios(), "", (), ())
        return _with_files(own.on(platform).resolve(schema, chosen, presets, where=where), script, schema, where)
    defaults = {path: parameter.default for path, parameter in schema.parameters.items()}
    recorded = _without_code(recorded, schema, chosen, str(trace))
    known = {path: schema.parameter(path, str(trace)).parse(value, str(trace)) for path, value in recorded.items()}
    return scenarios.override(Spec("trace", defaults | known), schema, chosen, presets, where)


def _without_code(
    recorded: Mapping[str, object], schema: Schema, chosen: Mapping[str, object], where: str
) -> dict[str, object]:
    """Returns the settings in a script that describe its machine, without the recorded program, which does not run
    again.

    Raises a UserError if the script sets another parameter that makes hypermon run code: a script is data.
    """
    kept: dict[str, object] = {}
    own = f"{recorded.get('workload')}."
    for path, value in recorded.items():
        known = schema.parameters.get(common_path(path))
        if known is None or not known.runs:
            kept[path] = value
        elif not path.startswith(own) and value != known.default and path not in chosen:
            raise UserError(
                f"{path} = {cut(value)}: runs code, which a program script may not set; give it with --set {path}=...",
                where,
            )
    return kept


def _with_files(spec: Spec, script: Script, schema: Schema, where: str) -> Spec:
    """Selects the file system for a program on another machine: its parallel file system if it has one, else an ideal
    one.
    """
    if not script.has_files or spec.values["mpiio.file_system"] != "smpi" or spec.values["machine.topology"] == "xml":
        return spec
    system = "pvfs" if int(spec.values["pfs.servers"]) else "ideal"
    return scenarios.override(spec, schema, {"mpiio.file_system": system}, (), where)


def script_of(spec: Spec) -> Script:
    """The script that the run replays."""
    return Script.open(files.path_of(str(spec.values["trace.file"])) or Path())
