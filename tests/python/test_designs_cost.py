# SPDX-License-Identifier: BSD-3-Clause
"""The cost of a design of a sweep does not grow with the number of parameters: unchanged settings are resolved once.
The tests count reads and calls; they measure no time.
"""

from __future__ import annotations

import cProfile
import json
import pstats
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hypermon import UserError
from hypermon._engine import replaying, sweeping
from hypermon._engine.sweeping import Prepared
from hypermon._inputs.scenario import find_one
from hypermon._model import worker
from hypermon._model.native import _core
from hypermon._model.spec import Spec
from tests.python.drawing import draw, some

pytestmark = [pytest.mark.worker, pytest.mark.usefixtures("worker", "simple")]

SCENARIO = "simple.yaml"
TICKS = "node.tick_ms"


@pytest.fixture
def simple(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / SCENARIO).write_text("question: Does it run?\nset: {nodes: 2, server.count: 2}\n")


def planned(out: Path, designs: int) -> Prepared:
    vary = {TICKS: [20 + i / 8 for i in range(designs)]}
    request = sweeping.make_request(
        SCENARIO,
        vary=vary,
        zips=(),
        conditions=(f"{TICKS} > 0",),
        repeats=None,
        metrics=(),
        settings={},
        presets=(),
        where="here",
    )
    prepared = Prepared(request, out)
    assert len(prepared.points) == designs
    return prepared


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The texts of the specifications that are read."""
    found: list[str] = []
    read = _core.Specification

    def reading(text: str) -> Any:
        found.append(text)
        return read(text)

    monkeypatch.setattr(_core, "Specification", reading)
    return found


def test_a_sweep_reads_as_many_texts_whatever_its_designs(tmp_path: Path, reads: list[str]) -> None:
    planned(tmp_path / "few", 2)
    few = len(reads)
    assert few > 0
    reads.clear()
    planned(tmp_path / "many", 50)
    assert len(reads) == few
    assert len(set(reads)) == few  # and none is read twice


def test_a_design_takes_fewer_calls_to_plan_than_there_are_parameters(tmp_path: Path) -> None:
    def calls(designs: int) -> int:
        profile = cProfile.Profile()
        profile.runcall(planned, tmp_path / str(designs), designs)
        return int(pstats.Stats(profile).total_calls)  # type: ignore[attr-defined]

    calls(2)  # the first call imports modules and fills caches
    of_one = (calls(102) - calls(2)) / 100
    assert 0 < of_one < len(worker.schema().parameters)


def outcome(make: Callable[[], Spec]) -> tuple[Spec, str, str] | str:
    """The specification, its group and the nodes' events; or the error."""
    try:
        spec = make()
        worker.check(spec)
    except UserError as error:
        return str(error)
    assert spec.simulated_text == json.dumps(spec.simulated, sort_keys=True)
    return spec, spec.to_json(), _core.emission_parameters(spec.native)


def test_a_changed_specification_is_that_which_is_resolved_with_the_changes() -> None:
    rng = random.Random(21)
    schema = worker.schema()
    emissions = replaying.Emissions(schema)
    base = find_one(SCENARIO).resolve(schema)
    numbers = [p for p in schema.parameters.values() if p.type in ("int", "float", "bool")]
    good = 0
    seen: dict[str, str] = {}
    for _ in range(150):
        changes = {**some(rng, rng.sample(numbers, 3), 0.7), TICKS: draw(rng, schema.parameters[TICKS])}
        found = outcome(lambda changes=changes: base.changed(changes))  # type: ignore[misc]
        assert found == outcome(lambda changes=changes: Spec(base.scenario, {**base.values, **changes}))  # type: ignore[misc]
        if isinstance(found, str):
            continue
        good += 1
        spec, _, written = found
        text = emissions.text(spec)
        assert text == written
        assert emissions.text(Spec(spec.scenario, spec.values)) == text
        seen[text] = written
    assert 50 < good < 150
    assert len(seen) > 20


def test_designs_that_differ_in_a_single_one_of_several_are_told_apart() -> None:
    """disk[0].seek_ms is not in the list of all parameters, but the nodes' events may depend on it."""
    schema = worker.schema()
    emissions = replaying.Emissions(schema)
    compared = 0
    for one in schema.parameters.values():
        if not one.several or one.behind_ports or one.type not in ("int", "float"):
            continue
        group, _, name = one.path.partition(".")
        path = f"{group}[0].{name}"
        try:
            specs = [find_one(SCENARIO).resolve(schema, {path: value}) for value in (one.min, one.max)]
        except UserError:
            continue  # the value contradicts the other settings
        texts = [emissions.text(spec) for spec in specs]
        assert texts == [_core.emission_parameters(spec.native) for spec in specs], path
        compared += texts[0] != texts[1]
    assert compared > 2
