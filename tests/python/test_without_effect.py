# SPDX-License-Identifier: BSD-3-Clause
"""A set parameter without effect in the run is reported, and truly has none."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import hypermon
from hypermon._inputs import scenario
from hypermon._model import worker
from hypermon._model.schema import Value
from hypermon.cli.app import app
from hypermon.errors import UserError
from tests.python.drawing import draw

pytestmark = [pytest.mark.worker, pytest.mark.usefixtures("worker")]

RING = {"workload": "ring", "nodes": 4, "ring.steps": 4, "ring.numbers": 4000}
PACKETS = {"packets.network": "packets", "machine.messages": "packets"}
RUNS: dict[str, dict[str, Any]] = {
    "nx2": {},
    "smpi": {"machine.messages": "smpi", "machine.topology": "star"},
    "ideal": {"machine.messages": "packets", "packets.network": "ideal"},
    "star": {**PACKETS, "machine.topology": "star"},
    "switches": {**PACKETS, "machine.topology": "star", "packets.fan_out": 2},
    "hypercube": PACKETS,
    "torus": {**PACKETS, "machine.topology": "torus", "machine.dimensions": "2x2"},
    "fat_tree": {**PACKETS, "machine.topology": "fat_tree", "machine.dimensions": "2x2"},
    "graph": {**PACKETS, "packets.topology": "graph"},
}


def of_run(name: str, tmp_path: Path) -> dict[str, Any]:
    settings = RING | RUNS[name]
    if name == "graph":
        (tmp_path / "net.txt").write_text("node0 s\nnode1 s\nnode2 node1\nnode3 t\ns t\n")
        settings["packets.graph"] = str(tmp_path / "net.txt")
    return settings


def outcome(folder: Path, settings: dict[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """The result, and the names of the files that the run leaves."""
    found = dict(hypermon.run("collection/ring", settings=settings, out=folder))
    left = sorted(str(path.relative_to(folder)) for path in folder.rglob("*"))
    return {key: value for key, value in found.items() if key not in ("spec", "provenance", "host")}, left


@pytest.mark.parametrize("name", RUNS)
def test_what_is_said_to_have_no_effect_has_none(name: str, tmp_path: Path) -> None:
    """All these parameters get random values at once, as far as they are allowed together."""
    settings = of_run(name, tmp_path)
    schema = worker.schema()
    ring = scenario.built_in("collection/ring")
    idle = [path for path, _ in worker.without_effect(ring.resolve(schema, settings), schema.parameters)]
    assert idle
    rng = random.Random(1)
    drawn: dict[str, Value] = {}
    for path in idle:
        parameter = schema.parameters[path]
        changed = drawn | {path: not parameter.default if parameter.type == "bool" else draw(rng, parameter)}
        try:
            ring.resolve(schema, settings | changed)
        except UserError:
            continue
        drawn = changed
    still = [path for path, _ in worker.without_effect(ring.resolve(schema, settings | drawn), idle)]
    assert still == idle
    assert len(drawn) >= 0.7 * len(idle), sorted(set(idle) - set(drawn))
    assert outcome(tmp_path / "changed", settings | drawn) == outcome(tmp_path / "as_it_is", settings)


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({"collectives.bcast": "mpich"}, "collectives.bcast has no effect with machine.messages = nx2 (--set)"),
        ({"smpi.clock_cost": "1e-6"}, "smpi.clock_cost has no effect with machine.messages = nx2 (--set)"),
        ({"packets.fan_out": 2}, "packets.fan_out has no effect with packets.network = off (--set)"),
        ({**PACKETS, "packets.fan_out": 2}, "packets.fan_out has no effect with machine.topology = hypercube (--set)"),
        (
            {**PACKETS, "packets.interfaces": "rank", "packets.topology": "star"},
            "packets.interfaces has no effect with cpu.ranks_per_node = 1 (--set)",
        ),
        ({"competitor.threads": 2}, "competitor.threads has no effect with competitor.count = 0 (--set)"),
        (PACKETS, ""),
    ],
)
def test_a_setting_without_effect_is_named(settings: dict[str, Any], says: str, tmp_path: Path) -> None:
    words = [word for path, value in (RING | settings).items() for word in ("--set", f"{path}={value}")]
    for command in ("run", "record"):
        done = CliRunner().invoke(app, [command, "collection/ring", *words, "--out", str(tmp_path / command)])
        assert done.exit_code == 0
        warnings = [line for line in done.stderr.splitlines() if "has no effect" in line]
        assert warnings == ([f"warning: {says}"] if says else [])
