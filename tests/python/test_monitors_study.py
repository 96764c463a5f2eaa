# SPDX-License-Identifier: BSD-3-Clause
"""`hypermon study monitors`: its numbers, the best monitors under limits, the needs that each meets; and the command."""

from __future__ import annotations

import csv
import itertools
import json
import os
import random
import shlex
import statistics
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from hypermon._model import monitors, setups, worker
from hypermon._model.cost import HasCosts
from hypermon._model.setups import Setup
from hypermon.errors import UserError
from hypermon.report.timeline_colours import LEAST, difference
from hypermon_studies.monitors import columns, fronts, looks, picture, tables
from hypermon_studies.monitors import plan as plans
from hypermon_studies.monitors.columns import AFTER, ERROR, LATENCY, LOST, MEMORY, NOTHING, SLOWDOWN, WHILE, Observed
from hypermon_studies.monitors.decisions import CHIP, CLUSTER, NEEDS, Need, decide
from hypermon_studies.monitors.found import HOST
from hypermon_studies.monitors.plan import DEFAULT, KNOBS, Candidate
from hypermon_studies.monitors.runs import Row
from tests.registered import made

CASES = int(os.environ.get("HYPERMON_TEST_CASES", "2000"))
HYPERMON = [str(Path(sys.executable).with_name("hypermon"))]
EVENTS = Candidate(made("tracer", "bytes", ("events",)), Setup())
SAMPLES = Candidate(made("sampler", "samples", ("time series",)), Setup("fast"))


def result(elapsed_s: float, **more: Any) -> dict[str, Any]:
    return {"elapsed_s": elapsed_s, "causality_violations": 3, "logged_bytes": 640} | more


def ledger(unit: str, generated: int, delivered: int, *lost: tuple[str, str, int]) -> Mapping[str, Any]:
    return {
        "unit": unit,
        "generated": {unit: generated, "events": generated},
        "delivered": {unit: delivered, "events": delivered},
        "lost_total": {unit: sum(amount for *_, amount in lost), "events": 0},
        "lost": [{"stage": stage, "cause": cause, unit: amount, "events": 0} for stage, cause, amount in lost],
    }


def footprint(cpu_s: float, stored: int, **networks: int) -> Mapping[str, Any]:
    nodes = {"cpu_s": cpu_s, "busiest_cpu_s": cpu_s, "memory_bytes": 900, "fullest_memory_bytes": 300}
    carried = [{"network": name, "bytes": amount, "packets": 1} for name, amount in networks.items()]
    return {"nodes": nodes, "others": {"cpu_s": 0.25}, "stored_bytes": stored, "networks": carried}


VALUES: Mapping[str, int | float | bool | str] = {"nodes": 4, "network.name": "cube"}


def test_what_stays_in_nodes_is_as_old_as_what_is_left_of_the_run() -> None:
    run = Observed(
        EVENTS.monitor,
        VALUES,
        result(
            2.5,
            ledger=ledger("bytes", 100, 80, ("memory", "buffer_full", 20), ("memory", "never", 0)),
            latency_us=None,
            timestamp_error_us={"min": -7, "mean": 1, "max": 4},
        ),
        result(2.0),
    )
    found = columns.numbers(run)
    assert columns.reaches(run) == AFTER
    assert found[SLOWDOWN] == pytest.approx(25)
    assert (found[LATENCY], found["latency_p99_ms"], found["latency_max_ms"]) == (1250, 2475, 2500)
    assert found[LOST] == 20
    assert columns.losses(run) == {"memory: buffer full": 20}
    assert (found["stamp_error_us"], found["disorder"]) == (7, 3)
    assert (found[MEMORY], found["cpu_percent"], found["stored_bytes"], found["program_network_bytes"]) == (0, 0, 0, 0)
    assert found[ERROR] is None


def test_what_arrives_has_its_own_age_and_networks_carry_what_they_do_not_without_the_monitor() -> None:
    run = Observed(
        SAMPLES.monitor,
        VALUES,
        result(
            4.0,
            ledger=ledger("samples", 0, 0),
            latency_us=None,
            timestamp_error_us=None,
            sampling={"age_us": {"p50": 7000, "p99": 8000, "max": 9000}, "timestamp_error_us": {"min": 1, "max": 9}},
            footprint=footprint(0.8, 77, cube=500, ethernet=60),
            picture={
                "error_percent": 12.5,
                "error_s": 0.25,
                "source": "cpu.user",
                "live": {"p50": {"age_s": 2e-3}, "p99": {"age_s": 3e-3}, "actual": {"error_percent": 40.0}},
            },
        ),
        result(4.0, footprint=footprint(0, 0, cube=200)),
    )
    found = columns.numbers(run)
    assert columns.reaches(run) == WHILE
    # latency of the data that the estimate uses; some of them arrive only after the program's end
    assert (found[LATENCY], found["latency_p99_ms"], found["latency_max_ms"]) == (2, 3, 4000)
    assert columns.latency_metric(run) == "1000 * picture.live.p50.age_s"
    assert found[LOST] is None  # nothing was taken
    assert (found["stamp_error_us"], found["disorder"]) == (9, None)
    assert (found["program_network_bytes"], found["other_network_bytes"]) == (300, 60)
    assert found["cpu_percent"] == pytest.approx(100 * 0.8 / (4 * 4.0))
    assert (found[MEMORY], found["stored_bytes"], found["others_cpu_s"]) == (300, 77, 0.25)
    assert (found[ERROR], found["error_s"], found["live_error_percent"]) == (12.5, 0.25, 40)


def test_who_has_no_picture_is_as_old_as_its_samples_or_events() -> None:
    of_events = {"latency_us": {"p50": 20, "p99": 30, "max": 40}}
    of_samples = {"sampling": {"age_us": {"p50": 2000, "p99": 3000, "max": 5000}}, "latency_us": None}
    for more, age, metric in ((of_events, 0.02, "0.001 * latency_us.p50"), (of_samples, 2, "sampling.age_us.p50")):
        seen = result(1.0, ledger=ledger("bytes", 9, 9), timestamp_error_us=None, **more)
        run = Observed(EVENTS.monitor, VALUES, seen, result(1.0))
        assert columns.numbers(run)[LATENCY] == pytest.approx(age)
        assert columns.latency_metric(run).endswith(metric)
        assert columns.reaches(run) == WHILE


def test_who_delivers_nothing_and_has_no_picture_of_its_own_reaches_nobody() -> None:
    for source, reached in (("accounting", NOTHING), ("profiles", AFTER)):
        picture_of = {"error_percent": 40.0, "source": source}
        seen = result(1.0, ledger=ledger("bytes", 0, 0), latency_us=None, timestamp_error_us=None, picture=picture_of)
        assert columns.reaches(Observed(EVENTS.monitor, VALUES, seen, result(1.0))) == reached


def test_hardware_costs_are_the_monitors_own() -> None:
    for one in monitors.registered().values():
        values = worker.schema().parameters
        seen = Observed(one, {path: p.default for path, p in values.items()}, {}, {})
        assert bool(columns.hardware(seen)) == monitors.overrides(one, HasCosts.costs)


@pytest.mark.parametrize("given", ["slowdown_percent", "elapsed_s=3", "memory_bytes=much", "=3"])
def test_a_limit_that_is_none_is_refused(given: str) -> None:
    with pytest.raises(UserError, match=r"^--limit "):
        fronts.limits_of([given])


def test_limits_are_those_of_the_issue_unless_others_are_given() -> None:
    assert fronts.limits_of([]) == {SLOWDOWN: 1, MEMORY: 16e6}
    assert fronts.limits_of(["memory_bytes = 1e6", "stored_bytes=0"]) == {SLOWDOWN: 1, MEMORY: 1e6, "stored_bytes": 0}
    assert fronts.limits_of(["slowdown_percent=none"]) == {MEMORY: 16e6}


def test_a_column_and_the_metric_of_its_limit_say_the_same() -> None:
    seen = result(3.03, ledger=ledger("samples", 0, 0), footprint=footprint(1, 5), latency_us=None)
    found = columns.numbers(Observed(SAMPLES.monitor, VALUES, seen, result(3.0)))
    at = {"": 3.03 / 3.0, "footprint.nodes.fullest_memory_bytes": 300}
    at |= {"logged_bytes": 640, "footprint.stored_bytes": 5}
    assert {key: limit.most(found[key] or 0) for key, limit in fronts.LIMITED.items()} == pytest.approx(
        {key: at[limit.metric] for key, limit in fronts.LIMITED.items()}
    )


KEYS = (*fronts.OBJECTIVES, MEMORY, LOST)


def any_rows(drawn: random.Random, count: int) -> list[Row]:
    """Random rows with only a few values each, so that there are ties; some values are missing."""
    candidates = [EVENTS, SAMPLES, Candidate(made("third", "x", ("events", "profiles")), Setup())]
    rows = []
    for _ in range(count):
        numbers = {key: drawn.choice([None, 0.0, 0.5, 1.0, 2.0, 30.0, 2e7]) for key in KEYS}
        place = drawn.choice(["one", "two"]), drawn.choice(["a", "b", "c"])
        at = drawn.choice([{}, {"x.y": 1}, {"x.y": 2}])
        reaches = drawn.choice([WHILE, AFTER, NOTHING])
        failed = "it failed" if drawn.random() < 0.1 else ""
        rows.append(Row(place, drawn.choice(candidates), KNOBS if at else DEFAULT, at, numbers, reaches, failed=failed))
    return rows


def test_the_best_keeps_all_limits_and_a_limit_is_hit_if_it_alone_keeps_a_better_one_out() -> None:
    for case in range(CASES):
        drawn = random.Random(case)
        rows = any_rows(drawn, drawn.randint(1, 8))
        limits = {key: drawn.choice([0.0, 1.0, 16e6]) for key in drawn.sample([SLOWDOWN, MEMORY, LOST], 2)}
        best, hit = fronts.judge(rows, limits)

        def keeps(row: Row, without: str = "", limits: Mapping[str, float] = limits) -> bool:
            return all((row[key] or 0) <= most for key, most in limits.items() if key != without)

        def cost(row: Row) -> tuple[float, ...]:
            return tuple(1e99 if row[key] is None else row[key] or 0.0 for key in (ERROR, LATENCY, SLOWDOWN))

        allowed = [cost(row) for row in rows if keeps(row)]
        assert (best is None) == (not allowed)
        assert best is None or (keeps(best) and cost(best) == min(allowed))
        for key in limits:
            freed = [cost(row) for row in rows if keeps(row, without=key)]
            assert (key in hit) == (bool(freed) and (not allowed or min(freed) < min(allowed)))


def test_a_decision_is_met_under_nearly_as_many_programs_as_any_and_costs_least_of_these() -> None:
    decided = 0
    for case in range(CASES // 4):
        drawn = random.Random(case)
        rows = list({(r.place, r.candidate.name, str(r.at)): r for r in any_rows(drawn, drawn.randint(1, 30))}.values())
        for one in decide(rows):
            here = [row for row in rows if row.place[0] == one.machine]
            ways: dict[tuple[str, str], list[float]] = {}
            for row in here:
                if one.need.is_met(row):
                    way = row.candidate.name, tables.what_is_set(row.at)
                    ways.setdefault(way, []).append(one.need.cost_of(row) or 0)
            assert set(one.programs) == {row.place[1] for row in here}
            if one.take is None:
                assert not ways
                continue
            decided += 1
            mine = ways[one.take.name, one.at]
            assert one.worst is not None
            assert sorted(one.costs.values()) == sorted(mine)
            assert one.need.cost_of(one.worst) == max(mine)
            enough = [c for c in ways.values() if len(c) * 10 >= 9 * max(map(len, ways.values()))]
            assert (statistics.median(mine), -len(mine)) == min((statistics.median(c), -len(c)) for c in enough)
    assert decided > 100


def test_a_need_is_not_met_by_who_lacks_the_number_or_reaches_nobody() -> None:
    need = Need(CHIP, "x", "events", at_once=True, most={LOST: 0}, least=SLOWDOWN)
    good = {LOST: 0.0, SLOWDOWN: 1.0}
    assert need.is_met(Row(("m", "p"), EVENTS, DEFAULT, {}, good, WHILE))
    for numbers, reaches in (
        ({SLOWDOWN: 1.0}, WHILE),
        ({LOST: 0.0}, WHILE),
        ({LOST: 0.1, SLOWDOWN: 1.0}, WHILE),
        (good, AFTER),
    ):
        assert not need.is_met(Row(("m", "p"), EVENTS, DEFAULT, {}, numbers, reaches))
    assert not need.is_met(Row(("m", "p"), SAMPLES, DEFAULT, {}, good, WHILE))
    assert not Need(CHIP, "y", least=LOST).is_met(Row(("m", "p"), EVENTS, DEFAULT, {}, good, NOTHING))
    assert len({(one.builds, one.text) for one in NEEDS}) == len(NEEDS)


def test_who_builds_a_cluster_has_no_hardware_in_its_nodes() -> None:
    numbers = {SLOWDOWN: 1.0}
    for hardware, builds, met in (({"a": (7.0, "bits")}, CLUSTER, False), ({}, CLUSTER, True), ({}, CHIP, True)):
        row = Row(("m", "p"), EVENTS, DEFAULT, {}, numbers, WHILE, hardware=hardware)
        assert Need(builds, "x").is_met(row) == met


def test_fewest_bits_are_counted_of_those_who_have_some() -> None:
    need = Need(CHIP, "x", bits=True)
    with_bits = Row(
        ("m", "p"), EVENTS, DEFAULT, {}, {}, WHILE, hardware={"a": (7, "bits"), "b": (2, "bits"), "c": (1, "B/s")}
    )
    assert need.cost_of(with_bits) == 9
    assert not need.is_met(Row(("m", "p"), EVENTS, DEFAULT, {}, {}, WHILE, hardware={"c": (1, "B/s")}))


def test_axes_contain_all_marks_and_no_slowdown_has_a_place_of_its_own() -> None:
    rows = [
        Row(("m", "p"), EVENTS, KNOBS, {"x": i}, {LATENCY: 1.0, SLOWDOWN: slower, ERROR: error}, WHILE)
        for i, (error, slower) in enumerate([(0.5, -0.2), (20.0, 7.0), (0.0, 1e-6)])
    ]
    found = picture.curves(rows, ())
    (curve,) = found["m", "p"]
    assert [row.at["x"] for row in curve.steps] == [0, 1, 2]
    assert picture.spans(found) == ((picture.LEAST_ERROR, 100.0), (picture.NO_SLOWDOWN, 10.0))
    assert [picture.place_of(row)[1] for row in rows] == [picture.NO_SLOWDOWN, 7.0, picture.LEAST_SLOWDOWN]
    assert picture.slowdown_ticks(10.0) == {
        picture.NO_SLOWDOWN: "0", 0.001: "0.001", 0.01: "0.01", 0.1: "0.1", 1.0: "1", 10.0: "10"
    }  # fmt: skip


def test_a_monitor_has_the_same_colour_and_mark_in_every_study() -> None:
    names = [one.name for one in plans.candidates()]
    assert picture.numbers_of(names[::-1]) == {name: i for i, name in enumerate(names)}
    assert picture.numbers_of([names[-1]]) == {names[-1]: len(names) - 1}
    assert picture.numbers_of(["somebody's"]) == {"somebody's": len(names)}


def test_no_two_monitors_have_a_similar_colour_for_any_colour_vision() -> None:
    names = [one.name for one in plans.candidates()]
    assert len(names) <= len(looks.COLOURS), "a monitor has another one's colour: search for more colours"
    for a, b in itertools.combinations(map(looks.look_of, range(len(looks.COLOURS))), 2):
        apart = difference(a.colour, b.colour)
        assert apart > LEAST, (a, b)
        assert apart > 2 * LEAST or a.mark != b.mark, (a, b)
    for colour in looks.COLOURS:
        for ground in ("#ffffff", "#171c23"):  # --surface of style.css
            assert contrast(colour, ground) > 2.5, (colour, ground)


def test_monitors_beyond_the_colours_have_other_marks() -> None:
    every = [looks.look_of(i) for i in range(len(looks.COLOURS) * len(looks.MARKS))]
    assert len(set(every)) == len(every)
    assert len({look.symbol for look in every}) == len({look.mark for look in every}) == len(looks.MARKS)


def contrast(a: str, b: str) -> float:
    """Contrast of two colours (WCAG 2)."""
    light, dark = sorted((luminance(a), luminance(b)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def luminance(colour: str) -> float:
    parts = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    linear = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def test_a_row_that_lacks_a_number_is_not_drawn() -> None:
    row = Row(("m", "p"), EVENTS, DEFAULT, {}, {LATENCY: 1.0, SLOWDOWN: None, ERROR: 5.0}, WHILE)
    assert [bool(curve) for curve in picture.curves([row], ())["m", "p"]] == [False]


def test_every_knob_is_of_parameters_that_there_are_and_changes_something_at_each_step() -> None:
    schema = worker.schema()
    for one in monitors.registered().values():
        found = setups.find(one)
        assert len({setup.name for setup in found}) == len(found)
        for setup in found:
            for path, values in {**{p: [v] for p, v in setup.settings.items()}, **setup.turned}.items():
                known = schema.parameter(path, "")
                parsed = [known.parse(value, "") for value in values]
                assert path in setup.settings or len(set(parsed)) >= 2
            steps = setup.steps()
            assert all(len(values) == len(steps) for values in setup.turned.values())
            assert all(a != b for a, b in itertools.pairwise(steps))


def hypermon(*words: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*HYPERMON, *words], capture_output=True, text=True, check=False, cwd=cwd)


@pytest.fixture(scope="module")
def asked() -> tuple[list[str], str]:
    """A short program and a monitor that sees something, if there is one."""
    program = plans.programs(worker.schema())[-1]
    seeing = [name for name, one in monitors.registered().items() if one.unit]
    if not seeing:
        pytest.skip("no monitor sees anything")
    return [program], seeing[0]


def test_the_same_command_leaves_the_same_bytes_and_runs_nothing_twice(
    asked: tuple[list[str], str], tmp_path: Path
) -> None:
    programs, monitor = asked
    words = ["study", "monitors", *programs, "--nodes", "2", "--monitor", monitor]
    first = hypermon(*words, "--out", "one", cwd=tmp_path)
    assert first.returncode == 0, first.stderr
    kept = list((tmp_path / "runs/evaluations/points").glob("*.json"))
    second = hypermon(*words, "--out", "two", cwd=tmp_path)
    assert second.returncode == 0, second.stderr
    assert list((tmp_path / "runs/evaluations/points").glob("*.json")) == kept
    names = sorted(str(file.relative_to(tmp_path / "one")) for file in (tmp_path / "one").rglob("*") if file.is_file())
    assert {HOST, "monitors.html", "monitors.md", "monitors/runs.csv", "monitors/defaults-ipsc2.svg"} <= set(names)
    again = hypermon("study", "monitors-pages", "--pages", "one", "--out", "three", cwd=tmp_path)
    assert again.returncode == 0, again.stderr
    for name in set(names) - {HOST, "monitors.html"}:  # made from the files of the first, which have ten digits
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "three" / name).read_bytes(), name
    for name in names:  # host times are those of the original computation
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes(), name
    host = json.loads((tmp_path / "one" / HOST).read_text())
    assert host["alone"]["runs"] == 1
    assert host["alone"]["host_s"] > 0
    with (tmp_path / "one/monitors/runs.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert next(row["monitor"] for row in rows) == monitor
    assert all(float(row["slowdown_percent"]) > -50 for row in rows if not row["failed"])


def test_json_has_every_column_and_what_cannot_be_had_is_there_with_the_reason(
    asked: tuple[list[str], str], tmp_path: Path
) -> None:
    programs, _ = asked
    done = hypermon("study", "monitors", *programs, "--nodes", "2", "--json", "--out", "page", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    known = {one.name: one for one in plans.candidates()}
    there = {run["monitor"] for run in told["runs"]} | {one["monitor"] for one in told["refused"]}
    assert there == set(known)
    for run in told["runs"]:
        assert set(columns.BY_KEY) <= set(run)
        assert run["failed"] or run["slowdown_percent"] is not None
    assert all(one["reason"] for one in told["refused"])


def test_the_command_beside_a_decision_shows_its_run(asked: tuple[list[str], str], tmp_path: Path) -> None:
    programs, monitor = asked
    words = ["study", "monitors", *programs, "--nodes", "2", "--monitor", monitor, "--knobs", "--json"]
    told = json.loads(hypermon(*words, "--out", "page", cwd=tmp_path).stdout)
    decision = next(one for one in told["tuned"] if one["take"] and one["with"] != "default")
    _, *command = shlex.split(decision["shown_by"])
    shown = json.loads(hypermon(*command, "--json", "--out", "shown", cwd=tmp_path).stdout)
    numbers = [{key: run[key] for key in columns.BY_KEY} for run in shown["runs"] if run["monitor"] == decision["take"]]
    mine = [run for run in told["runs"] if run["monitor"] == decision["take"]]
    (same,) = [run for run in mine if tables.what_is_set(run["set"]) == decision["with"]]
    assert numbers == [{key: same[key] for key in columns.BY_KEY}]


def test_knobs_are_turned_where_they_are_to_be_and_what_is_given_goes_over_how_one_is_set_up() -> None:
    schema = worker.schema()
    candidate = next(one for one in plans.candidates() if one.setup.turned)
    path, (first, *_) = next(iter(candidate.setup.turned.items()))
    names = tuple(plans.programs(schema)[:2])
    machines = ("ipsc2", "ethernet")
    asked = plans.Request(names, machines, 2, {path: first}, tuned=names[1:], tuned_on=machines[:1])
    plan = plans.make(asked, schema, [candidate], [KNOBS])
    turned = [point for point in plan.points if point.part == KNOBS]
    assert {point.place for point in turned} == {(machines[0], names[1])}
    assert [point.at for point in turned] == candidate.setup.steps()
    assert all(point.spec.values[path] == point.at[path] for point in turned)
    assert len(plan.points) - len(turned) == len(names) * len(machines)
    expected = schema.parameter(path, "").parse(first, "")
    assert all(point.spec.values[path] == expected for point in plan.points if point.part == DEFAULT)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["nothing"], "nothing: no such scenario"),
        (["--tune", "nothing"], "--tune nothing: must be one of those that are compared: "),
        (["--tune-on", "nothing"], "--tune-on nothing: must be one of those that are compared: ipsc2"),
        (["--monitor", "nothing"], "--monitor nothing: must be one of "),
        (["--platform", "nothing"], "platform: nothing: no such platform"),
        (["--fronts", "--limit", "age=3"], "--limit age=3: must be KEY=NUMBER"),
    ],
)
def test_a_mistake_is_one_line_and_nothing_is_written(words: list[str], message: str, tmp_path: Path) -> None:
    done = hypermon("study", "monitors", *words, "--out", "page", cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr.startswith(f"error: {message}")
    assert done.stderr.count("\n") == 1
    assert not list(tmp_path.iterdir())
