# SPDX-License-Identifier: BSD-3-Clause
"""Ranges of a sweep have their documented meaning, and mistakes are reported before anything runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import hypermon
from hypermon import UserError
from hypermon._engine import sweeping
from hypermon._engine.sweeping.request import Request
from hypermon._model import worker

pytestmark = pytest.mark.usefixtures("simple")

DEPTH = "ecb.frame_fifo_frames"
WORD = "pbx.word_ns"


@pytest.fixture
def simple(scenarios: Path) -> None:
    (scenarios / "simple.yaml").write_text("question: Does it run?\nset: {workload: place, monitor: software}\n")


def ask(
    vary: Mapping[str, object] | None = None,
    target: str = "simple",
    *,
    zips: Sequence[object] = (),
    conditions: Sequence[str] = (),
    repeats: object = None,
    metrics: Sequence[str] = (),
    settings: Mapping[str, object] | None = None,
) -> Request:
    return sweeping.make_request(
        target,
        vary=vary or {},
        zips=zips,
        conditions=conditions,
        repeats=repeats,
        metrics=metrics,
        settings=settings or {},
        presets=(),
        where="here",
    )


def values(path: str, given: object) -> list[Any]:
    return [step[0] for step in ask({path: given}).space.axes[0].steps]


def complaint(**asked: Any) -> str:
    with pytest.raises(UserError) as error:
        ask(**asked)
    return str(error.value)


@pytest.mark.parametrize(
    ("path", "given", "expected"),
    [
        (WORD, "222,500,800", [222, 500, 800]),
        (WORD, "500", [500]),
        (WORD, 500, [500]),
        (WORD, [0.5e3, "0.8 us"], [500, 800]),
        (WORD, "0.4us,0.8us", [400, 800]),
        (WORD, "100:400:100", [100, 200, 300, 400]),
        (WORD, "100:399:100", [100, 200, 300]),
        (WORD, "400:100:-150", [400, 250, 100]),
        (WORD, "0.1us:0.4us:0.1us", [100, 200, 300, 400]),
        (DEPTH, "64:1024:log2", [64, 128, 256, 512, 1024]),
        (DEPTH, "64:1023:log2", [64, 128, 256, 512]),
        (DEPTH, "1:1000:log4", [1, 10, 100, 1000]),
        (DEPTH, "1:4:log9", [1, 2, 3, 4]),  # rounded to whole frames, without repeats
        ("ecb.window_ns", "100:1000:log3", [100, 300, 1000]),  # sqrt(10) * 100 ns, rounded to a multiple of 50 ns
        ("ecb.window_ns", "100 ns, 1000:2000:500", [100, 1000, 1500, 2000]),
        ("node.tick_ms", "0.1:0.5:0.1", [0.1, 0.2, 0.3, 0.4, 0.5]),
        (WORD, np.array([100, 200]), [100, 200]),
        (WORD, range(100, 301, 100), [100, 200, 300]),
        ("monitor", "none,software", ["none", "software"]),
        ("fake.verbose", "no,yes", [False, True]),
    ],
)
def test_values_may_be_listed_or_ranged_with_units(path: str, given: object, expected: list[Any]) -> None:
    assert values(path, given) == expected


def test_ranges_in_python_are_lists_of_numbers() -> None:
    assert hypermon.log2_range(64, 512) == [64, 128, 256, 512]
    assert hypermon.linear_range(0.1, 0.3, 0.1) == [0.1, 0.2, 0.3]
    assert hypermon.log_range(1, 1000, 4) == [1, 10, 100, 1000]
    assert hypermon.log_range(0.5, 2.0, 3) == [0.5, 1.0, 2.0]


@pytest.mark.parametrize(
    ("path", "given", "message"),
    [
        ("ecb.frame_fifo_frame", "1,2", "ecb.frame_fifo_frame: no such parameter; did you mean ecb.frame_fifo_frames? (here)"),
        (WORD, "0,1", "pbx.word_ns = 0: must be an integer from 1 to 1000000 ns (here)"),
        (WORD, "100,100", "pbx.word_ns: 100 is given twice (here)"),
        (WORD, [], "pbx.word_ns: no values to vary it over (here)"),
        (WORD, "1:2", "pbx.word_ns = 1:2: must be START:STOP:STEP, START:STOP:log2 or START:STOP:logN for N values (here)"),
        (WORD, "1:9:often", "pbx.word_ns = 1:9:often: must be START:STOP:STEP, START:STOP:log2 or START:STOP:logN for N values (here)"),
        (WORD, "1:9:log", "pbx.word_ns = 1:9:log: must be START:STOP:STEP, START:STOP:log2 or START:STOP:logN for N values (here)"),
        (WORD, "1:9:log1", "pbx.word_ns = 1:9:log1: must have from 2 to 1000000 values (here)"),
        (WORD, "1:9:0", "pbx.word_ns = 1:9:0: steps of that size do not lead from the one end to the other (here)"),
        (WORD, "9:1:1", "pbx.word_ns = 9:1:1: steps of that size do not lead from the one end to the other (here)"),
        (WORD, "9:1:log2", "pbx.word_ns = 9:1:log2: must start above 0 and not end below its start (here)"),
        ("fake.events", "0:1e9:1", "fake.events = 0:1e9:1: has 1000000001 values: must be at most 1000000 (here)"),
    ],
)  # fmt: skip
def test_a_mistake_in_the_values_is_named(path: str, given: object, message: str) -> None:
    assert complaint(vary={path: given}) == message


def test_the_product_goes_through_the_last_parameter_fastest_and_repeats_a_point_with_the_next_seeds() -> None:
    _, points = ask({WORD: [400, 800], DEPTH: [1, 2]}, repeats=2).points()
    seen = [(p.varied[WORD], p.varied[DEPTH], p.repeat, p.spec.values["seed"]) for p in points]
    assert seen == [(w, d, r, 1 + r) for w in (400, 800) for d in (1, 2) for r in (0, 1)]
    assert [p.index for p in points] == list(range(8))


def test_a_zip_takes_the_values_together() -> None:
    _, points = ask({"nodes": [2, 4], WORD: [400], "place.attempts": [10, 20]}, zips=["nodes,place.attempts"]).points()
    assert [(p.spec.values["nodes"], p.spec.values["place.attempts"]) for p in points] == [(2, 10), (4, 20)]


@pytest.mark.parametrize(
    ("zips", "message"),
    [
        (["nodes,seed"], "zip: seed is not varied; there are nodes, pbx.word_ns (here)"),
        ([("nodes", "pbx.word")], "zip: pbx.word is not varied; did you mean pbx.word_ns? (here)"),
        (["nodes"], "zip: nodes: needs two paths or more (here)"),
        (["nodes,nodes"], "zip: nodes is given twice (here)"),
        (["nodes,pbx.word_ns"], "zip: needs as many values of each: nodes has 2, pbx.word_ns has 3 (here)"),
    ],
)
def test_a_mistake_in_a_zip_is_named(zips: list[object], message: str) -> None:
    assert complaint(vary={"nodes": [2, 4], WORD: [1, 2, 3]}, zips=zips) == message


def test_conditions_choose_points_by_any_parameter() -> None:
    depths, words = [64, 128, 256], [400, 800]
    _, points = ask(
        {DEPTH: depths, WORD: words}, conditions=[f"{DEPTH} * {WORD} <= 102400", f"{WORD} < nodes * 100"]
    ).points()
    expected = [(d, w) for d in depths for w in words if d * w <= 102400 and w < 8 * 100]
    assert [(p.varied[DEPTH], p.varied[WORD]) for p in points] == expected == [(64, 400), (128, 400), (256, 400)]
    assert [p.index for p in points] == [0, 1, 2]


@pytest.mark.parametrize(
    ("condition", "message"),
    [
        ("pbx.word < 3", "pbx.word: no such parameter; did you mean pbx.word_ns? (here)"),
        ("pbx.word_ns <", "where: `pbx.word_ns <` is not an expression (invalid syntax) (here)"),
        ("open('x')", "where: no function open; there are abs, autocorrelation, busiest, ceil, floor, len, log2, lost, max, min, part, rhythm, total, variation (here)"),
    ],
)  # fmt: skip
def test_a_mistake_in_a_condition_is_named(condition: str, message: str) -> None:
    assert complaint(vary={WORD: [1, 2]}, conditions=[condition]) == message


def test_conditions_that_nothing_meets_or_that_have_no_value_are_refused() -> None:
    with pytest.raises(UserError, match=r"^where: no point meets it"):
        ask({WORD: [1, 2]}, conditions=["pbx.word_ns > 2"]).points()
    with pytest.raises(UserError, match=r"^where: .*division by zero"):
        ask({WORD: [1, 2]}, conditions=["1 / (pbx.word_ns - 1) > 2"]).points()


def test_repeats_are_a_number_or_the_seeds() -> None:
    def seeds(repeats: object) -> list[object]:
        return [p.spec.values["seed"] for p in ask({}, repeats=repeats).points()[1]]

    assert seeds(3) == seeds("3") == [1, 2, 3]
    assert seeds([7, 5]) == seeds("7,5") == [7, 5]
    assert [p.spec.values["seed"] for p in ask({}, repeats=3, settings={"seed": 7}).points()[1]] == [7, 8, 9]
    how = "must be how many, an integer of at least 1, or the seeds: 1,5,9 or 1:5:1 (here)"
    # \u0663: the digit 3 of another script
    for wrong in (0, 3.0, "3.0", "0", "-2", "1e3", "\u0663", "", "three", True):
        assert complaint(repeats=wrong) == f"repeats = {wrong}: {how}"
    assert complaint(repeats="-1,2").startswith("seed = -1: must be an integer from 0")
    assert complaint(vary={"seed": [1, 2]}, repeats=2) == "repeats: seed is varied already (here)"


def test_a_sweep_of_nothing_or_of_too_much_is_refused() -> None:
    assert complaint() == "nothing to vary: give --vary PATH=VALUES or --repeats N"
    huge = {WORD: "1:2000:1", DEPTH: "1:2000:1"}
    assert complaint(vary=huge) == "the sweep has 4000000 points: must be at most 1000000"


@pytest.mark.parametrize(
    ("metric", "message"),
    [
        ("monitor.frames.build", "monitor.frames.build: the result has no such number; did you mean monitor.frames.built? (here)"),
        ("monitor.frames", "monitor.frames: is not one number; there are monitor.frames.built (here)"),
        ("1 + 2", "metric `1 + 2`: names nothing of the result (here)"),
        ("elapsed_s /", "metric `elapsed_s /` is not an expression (invalid syntax) (here)"),
        ("spec.pbx.word", "pbx.word: no such parameter; did you mean pbx.word_ns? (here)"),
    ],
)  # fmt: skip
def test_a_mistake_in_a_metric_is_named(metric: str, message: str) -> None:
    assert complaint(vary={WORD: [1, 2]}, metrics=[metric]) == message


def test_metrics_may_be_arithmetic_over_members_and_parameters() -> None:
    asked = (
        "ranks[0].events / elapsed_s",
        "ledger.lost_total.events",
        'lost(ledger, "a", "b").events',
        "spec.nodes + events",
    )
    assert ask({WORD: [1, 2]}, metrics=asked).metrics == asked


def test_the_first_point_that_cannot_be_is_named_before_anything_runs() -> None:
    vary = {"fake.events": [10, 2], "fake.lost": [1, 3]}
    with pytest.raises(UserError) as error:
        hypermon.sweep("simple", vary=vary)
    message = "point 3 (fake.events = 2, fake.lost = 3): fake.lost = 3: must be at most fake.events = 2"
    assert str(error.value) == message
    assert not Path("runs").exists()


def test_variants_of_a_scenario_follow_what_is_varied(scenarios: Path) -> None:
    text = "question: q\nset: {monitor: software}\nvariants: [{when: {nodes: 4}, set: {place.attempts: 44}}]\n"
    (scenarios / "variants.yaml").write_text(text)
    _, points = ask({"nodes": [2, 4]}, "variants").points()
    default = worker.schema().parameters["place.attempts"].default
    assert [p.spec.values["place.attempts"] for p in points] == [default, 44]


def test_a_yaml_file_says_the_same_as_python() -> None:
    text = """
scenario: simple
question: How deep?
set: {place.attempts: 7}
vary:
  ecb: {frame_fifo_frames: 64:256:log2}
  pbx.word_ns: [400, 0.8 us]
  nodes: 1:50:49
zip: [[pbx.word_ns, nodes]]
where: ecb.frame_fifo_frames < 256
repeats: [3, 4]
metrics: [elapsed_s, events]
"""
    Path("depth.yaml").write_text(text.replace("1:50:49", "[2, 4]"))
    read = ask(target="depth.yaml")
    same = ask(
        {DEPTH: [64, 128, 256], WORD: [400, 800], "nodes": [2, 4]},
        zips=[(WORD, "nodes")],
        conditions=["ecb.frame_fifo_frames < 256"],
        repeats=[3, 4],
        metrics=["elapsed_s", "events"],
    )
    assert (read.space.to_json(), read.metrics) == (same.space.to_json(), same.metrics)
    assert read.points()[0].values["place.attempts"] == 7
    assert read.scenario.question == "How deep?"
    Path("depth.yaml").write_text(text)  # a number of base 60 to YAML
    assert complaint(target="depth.yaml") == "nodes = 50: must be a power of two from 1 to 128 (depth.yaml, line 8)"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("vary: {pbx.word: [1]}", "pbx.word: no such parameter; did you mean pbx.word_ns? (bad.yaml, line 2)"),
        ("vary: {pbx.word_ns: [1,\n 0]}", "pbx.word_ns = 0: must be an integer from 1 to 1000000 ns (bad.yaml, line 3)"),
        ("varry: {}", "sweep: no key `varry`; did you mean vary? (bad.yaml, line 2)"),
        ("vary: {nodes: [2]}\nmetrics: [events,\n evens]", "evens: the result has no such number; did you mean events? (bad.yaml, line 4)"),
        ("vary: {nodes: [2]}\nset: {place.attempt: 1}", "place.attempt: no such parameter; did you mean place.attempts? (bad.yaml, line 3)"),
        ("vary: {nodes: [2]}\nwhere: 3", "where: must be text, not `3` (bad.yaml, line 3)"),
    ],
)  # fmt: skip
def test_a_mistake_in_a_yaml_file_has_its_line(line: str, message: str) -> None:
    Path("bad.yaml").write_text(f"scenario: simple\n{line}\n")
    with pytest.raises(UserError) as error:
        ask(target="bad.yaml").points()
    assert str(error.value) == message


def test_a_yaml_file_of_no_scenario_says_so() -> None:
    Path("bad.yaml").write_text("scenario: simpel\nvary: {nodes: [2]}\n")
    assert complaint(target="bad.yaml") == "scenario: simpel: no such scenario; did you mean simple? (bad.yaml, line 1)"


def test_a_scenario_may_say_itself_what_to_sweep(scenarios: Path) -> None:
    text = "question: q\nset: {monitor: software}\nsweep: {vary: {nodes: [2, 4]}, metrics: [events]}\n"
    (scenarios / "own.yaml").write_text(text)
    own = ask(target="own")
    assert (own.space.paths, own.metrics) == (("nodes",), ("events",))
    other = ask({WORD: [1, 2]}, "own")  # arguments override the scenario
    assert (other.space.paths, other.metrics) == ((WORD,), ("events",))
    (scenarios / "own.yaml").write_text(text.replace("nodes:", "nods:"))
    assert complaint(target="own") == "nods: no such parameter; did you mean nodes? (scenarios/own.yaml, line 3)"
