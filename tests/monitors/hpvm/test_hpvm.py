# SPDX-License-Identifier: BSD-3-Clause
"""HPVM's monitor: its data and their times against a naive model, its global clock, and the settings that it refuses."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

import hypermon
from hypermon import report
from hypermon._model.words import SPACE
from hypermon.monitors.hpvm.clock import global_times
from tests.monitors.hpvm import invariants
from tests.monitors.hpvm.naive import Design, Naive, Rule, Sweeps
from tests.python import node_clocks
from tests.python.held_runs import held_run

pytestmark = [pytest.mark.worker, pytest.mark.usefixtures("worker")]
MACHINE = {"workload": "idle", "monitor": "hpvm", "machine.topology": "star", "machine.beside": 1, "lan.count": 1}
QUIET = {"node.clock_drift_ppm": 0, "node.clock_offset_us": 0, "node.tick_ms": 1e6, "node.start_spread_us": 0}
NODE_COUNTERS = [
    "cpu.kernel",
    "cpu.busy",
    "os.interrupts",
    "os.context_switches",
    "memory.message_buffers",
    "cpu.emission",
]
OBJECTS = {"cpu": "Processor", "os": "System", "memory": "Memory"}


def run(folder: Path, **settings: Any) -> Any:
    return held_run(folder, {**MACHINE, **settings}, invariants)


def queries_of(counters: list[str], way: str, objects: list[str]) -> list[tuple[int, int]]:
    """Object and number of values of each query. Objects are numbered by their place in the list, which grows."""
    names = [OBJECTS[counter.partition(".")[0]] for counter in counters]
    objects += [name for name in dict.fromkeys(names) if name not in objects]
    if way == "pdh":
        return [(objects.index(name), 1) for name in names]
    return [(objects.index(name), names.count(name)) for name in dict.fromkeys(names)]


def drawn(seed: int, rules: int = 0) -> tuple[Design, dict[str, Any]]:
    """A naive design, and the parameters of the same."""
    rng = random.Random(seed)
    counters = rng.sample(NODE_COUNTERS, rng.randint(1, len(NODE_COUNTERS)))
    way = rng.choice(["registry", "pdh"])
    objects: list[str] = []

    def sweeps(interval: int, counters: list[str]) -> Sweeps:
        queries = queries_of(counters, way, objects)
        judged = None
        if "cpu.kernel" in counters:
            judged = counters.index("cpu.kernel")
            if way == "registry":
                judged = [thing for thing, _ in queries].index(objects.index("Processor"))
        return Sweeps(queries, interval, judged)

    if rules and "cpu.kernel" not in counters:
        counters.append("cpu.kernel")
    pdh = rng.randint(0, 300)
    d = Design(
        nodes=rng.randint(1, 4), base=sweeps(rng.choice([3000, 10_000]), counters), query=rng.randint(0, 500),
        value=rng.randint(0, 50), request=rng.randint(1, 60), reply=rng.randint(0, 100), value_bytes=rng.randint(1, 300),
        flight=rng.randint(20, 200), until=60_000,
    )  # fmt: skip
    d.query += pdh if way == "pdh" else 0
    load = sum(d.query + d.value * values for _, values in d.base.queries) / d.base.interval
    texts = []
    for _ in range(rules):
        own = rng.sample(NODE_COUNTERS, rng.randint(1, 3))
        rule = Rule(sweeps(rng.randint(1500, 9000), own), rng.random() < 0.7, round(load * rng.uniform(0.5, 2), 6))
        d.rules.append(rule)
        interval = f"{rule.sweeps.interval * 1e-6:.6f}"
        texts.append(f"cpu.kernel {'<' if rule.below else '>'} {rule.threshold} {interval} {' '.join(own)}")
    settings = {
        "nodes": d.nodes, "hpvm.counters": " ".join(counters), "hpvm.way": way, "hpvm.pdh_us": pdh,
        "hpvm.interval_s": d.base.interval * 1e-6, "hpvm.query_us": d.query - (pdh if way == "pdh" else 0),
        "hpvm.counter_us": d.value, "hpvm.request_bytes": d.request, "hpvm.reply_bytes": d.reply,
        "hpvm.counter_bytes": d.value_bytes, "hpvm.too_slow": "miss", "hpvm.rules": "; ".join(texts),
        "cristian.probes": 1, "cristian.probe_bytes": 1, "cristian.read_us": 0,
        "lan.latency_us": d.flight, "lan.bandwidth_mb_per_s": 1, "idle.duration_s": d.until * 1e-6, **QUIET,
    }  # fmt: skip
    return d, settings


def compare(naive: Naive, result: Any, off: float) -> None:
    """The same answers at the same times, up to `off` microseconds."""
    frame = result.samples.to_pandas()
    last = naive.d.until - max(thread.sweeps.interval for thread in naive.threads)  # the program's end cuts some off
    one = frame.drop_duplicates(["node", "true_ps", "arrival_ps"])
    found = [(int(r.node), r.true_ps / 1e6, r.arrival_ps / 1e6) for r in one.itertuples() if r.true_ps < last * 1e6]
    expected = dict.fromkeys((a.node, a.taken, a.arrived) for a in naive.answers if a.taken < last)
    assert len(found) >= 3
    assert len(found) == len(expected)
    for (node, taken, arrived), known in zip(sorted(found), sorted(expected), strict=True):
        assert node == known[0]
        assert taken == pytest.approx(known[1], abs=off)  # in the naive model, bytes leave at whole microseconds
        assert arrived == pytest.approx(known[2], abs=off)


@pytest.mark.parametrize("seed", range(8))
def test_what_is_collected_is_what_a_naive_monitor_collects(tmp_path: Path, seed: int) -> None:
    design, settings = drawn(seed)
    naive = Naive(design)
    result = run(tmp_path / "run", **settings)
    compare(naive, result, off=2.5)
    values = sum(count for _, count in design.base.queries)
    assert result["monitor"]["missed_samples"] == result["monitor"]["missed_sweeps"] * values * design.nodes
    assert result["monitor"]["missed_sweeps"] == pytest.approx(naive.missed, abs=1)  # counts the last sweep


def test_requests_to_one_object_are_served_one_at_a_time_and_those_to_others_beside(tmp_path: Path) -> None:
    settings = {**QUIET, "nodes": 1, "hpvm.way": "pdh", "hpvm.query_us": 0, "hpvm.pdh_us": 0, "hpvm.counter_us": 0,
                "hpvm.counter_bytes": 20_000, "hpvm.interval_s": 0.1, "idle.duration_s": 0.15}  # fmt: skip
    answers = []
    for counters in ("cpu.kernel cpu.busy", "cpu.kernel os.interrupts"):
        out = tmp_path / counters.replace(" ", "_")
        frame = run(out, **settings, **{"hpvm.counters": counters}).samples.to_pandas()
        answers.append((frame["true_ps"].max() - frame["true_ps"].min()) / 1e6)
    assert answers[0] == pytest.approx((100 + 20_000) / 12.5, rel=0.01)  # it waits until the first answer has left
    assert answers[1] == pytest.approx(200 / 12.5, rel=0.01)  # the second request is that much later


CLOCKS = {"node.clock_drift_ppm": 100, "node.clock_offset_us": 1e6, "hpvm.counters": "cpu.kernel"}


@pytest.mark.parametrize("seed", range(5))
def test_no_sample_lies_outside_its_bound(tmp_path: Path, seed: int) -> None:
    rng = random.Random(seed)
    settings = {
        **CLOCKS, "seed": seed + 1, "nodes": rng.randint(1, 6), "hpvm.interval_s": rng.choice([0.1, 0.5]),
        "idle.duration_s": rng.choice([2, 20]), "node.clock_resolution_ns": rng.choice([1, 1000, 15_625_000]),
        "cristian.probes": rng.randint(1, 10), "cristian.read_us": rng.choice([0, 2, 500]),
        "cristian.when": rng.choice(["both", "before"]), "cristian.min_us": rng.choice([0, 60]),
        "hpvm.threads": rng.randint(1, 3), "hpvm.monitor_node": rng.choice(["beside", "0"]),
    }  # fmt: skip
    result = run(tmp_path / "run", **settings)
    clocks = result["monitor"]["clock"]
    assert clocks["outside"] == 0
    frame = global_times(result)
    if settings["hpvm.monitor_node"] == "beside":
        away = (frame["global_ps"] - frame["true_ps"]).abs().groupby(frame["node"]).max() / 1e6
        for node in clocks["nodes"]:
            assert away[node["node"]] <= node["bound_us"] + 1e-3
            assert away[node["node"]] <= node["error_us"] + 1e-3  # in-flight samples are not in the file


@pytest.mark.parametrize(
    "broken",
    [
        {"cristian.min_us": 66, "cristian.read_us": 20},  # the fastest probe takes 60 us and has 64 B
        {"cristian.when": "before", "cristian.drift_ppm": 1},
    ],
)
def test_a_broken_assumption_shows(tmp_path: Path, broken: dict[str, Any]) -> None:
    result = run(tmp_path / "run", **CLOCKS, nodes=4, **{"idle.duration_s": 30}, **broken)
    assert result["monitor"]["clock"]["outside"] > 0


def test_interpolation_takes_the_drift_away(tmp_path: Path) -> None:
    result = run(tmp_path / "run", **CLOCKS, nodes=12, **{"idle.duration_s": 831})
    clocks = result["monitor"]["clock"]
    assert clocks["error_us"] <= clocks["start_alone_error_us"] / 100


def test_a_node_that_is_named_twice_is_asked_once(tmp_path: Path) -> None:
    settings = {**QUIET, "nodes": 4, "hpvm.nodes": "0-2,0", "hpvm.counters": "cpu.kernel", "idle.duration_s": 3}
    result = run(tmp_path / "run", **settings)
    assert [node["node"] for node in result["monitor"]["clock"]["nodes"]] == [0, 1, 2]
    frame = result.samples.to_pandas()
    assert frame.groupby(["node", frame["true_ps"] // 10**12]).size().max() == 1


def test_sets_name_counters_and_a_counters_item_is_one_value(tmp_path: Path) -> None:
    settings = {"workload": "ring", "ring.steps": 200, "nodes": 2, "hpvm.interval_s": 0.01}
    words = "queues mpi.time:MPI_Sendrecv, mpi.time:MPI_Sendrecv"
    frame = run(tmp_path / "run", **settings, **{"hpvm.counters": words}).samples.to_pandas()
    assert set(zip(frame["counter"], frame["item"], strict=True)) == {
        ("queue.posted", ""), ("queue.unexpected", ""), ("mpi.time", "MPI_Sendrecv")}  # fmt: skip
    assert frame.groupby(["true_ps", "node", "counter"]).size().max() == 1


def test_what_is_read_and_how_often_changes_when_the_schedule_says(tmp_path: Path) -> None:
    settings = {**QUIET, "nodes": 2, "hpvm.counters": "cpu.kernel", "hpvm.interval_s": 1, "idle.duration_s": 6.5,
                "hpvm.schedule": "2.5 0.25 cpu.kernel os.interrupts; 3.6 0.5 os.interrupts"}  # fmt: skip
    result = run(tmp_path / "run", **settings)
    frame = result.samples.to_pandas()
    dates = {
        "cpu.kernel": [1, 2, 2.5, 2.75, 3, 3.25, 3.5],
        "os.interrupts": [2.5, 2.75, 3, 3.25, 3.5, 3.6, 4.1, 4.6, 5.1, 5.6, 6.1],
    }
    for counter, expected in dates.items():
        own = frame[(frame["counter"] == counter) & (frame["node"] == 0)]
        assert own["true_ps"].to_numpy() / 1e12 == pytest.approx(expected, abs=1e-3)
    assert result["monitor"]["values_a_sweep"] == 2 * 2
    assert result["monitor"]["missed_sweeps"] == 0
    assert result["monitor"]["clock"]["outside"] == 0


def test_queries_take_the_nodes_cpu_time(tmp_path: Path) -> None:
    settings = {**QUIET, "nodes": 2, "hpvm.counters": "cpu.kernel os.interrupts", "hpvm.query_us": 300,
                "hpvm.counter_us": 20, "hpvm.interval_s": 0.1, "idle.duration_s": 1.05, "cristian.read_us": 0}  # fmt: skip
    result = run(tmp_path / "run", **settings)
    assert result["monitor"]["queries"] == 10 * 2 * 2
    assert result["monitor"]["query_cpu_s"] == pytest.approx(40 * 320e-6)
    frame = result.samples.to_pandas()
    worked = frame[frame["counter"] == "cpu.kernel"].groupby("node")["value"].max() / 1e12
    # up to the thread's own last query; another query may not have been served
    assert all(19 * 320e-6 <= w <= 20 * 320e-6 + 1e-9 for w in worked)


REFUSED = [
    ({"hpvm.counters": "hots"}, "hpvm.counters = hots: no such counter or set; did you mean host?"),
    ({"hpvm.counters": "cpu.usr"}, "no such counter or set; did you mean cpu.user?"),
    ({"hpvm.counters": " "}, "must name a counter or a set"),
    ({"hpvm.counters": "mpi.time:MPI_Bcst"}, "mpi.time has no such item; did you mean mpi.time:MPI_Bcast?"),
    ({"hpvm.counters": "cpu.kernel:x"}, "cpu.kernel has no such item"),
    ({"hpvm.interval_s": 1e-4}, "a sweep of 8 nodes takes 0.00"),
    ({"hpvm.schedule": "5 hots"}, "hpvm.schedule = 5 hots: must be like 30 0.2 host mpi_collectives"),
    ({"hpvm.schedule": "5 1 hots"}, "hpvm.schedule = hots: no such counter or set; did you mean host?"),
    ({"hpvm.schedule": "5 1"}, "must be like 30 0.2"),
    ({"hpvm.schedule": "5 0 host"}, "the interval must be from 1e-6"),
    ({"hpvm.schedule": "5 1 host;5 1 host"}, "must begin later than what is before it"),
    ({"hpvm.schedule": "0.5 0.0001 host"}, "hpvm.schedule: 0.0001: a sweep of 8 nodes takes 0.00"),
    ({"hpvm.nodes": "8"}, 'hpvm.nodes = "8": must be all, or numbers of nodes from 0 to 7'),
    ({"hpvm.processes": "1"}, "hpvm.processes"),
    ({"hpvm.monitor_node": "8"}, "hpvm.monitor_node"),
    ({"hpvm.monitor_node": "1-2"}, "or the number of one node"),
    ({"hpvm.network": "myrinet"}, 'hpvm.network = "myrinet": must be a network of the platform: program, ethernet'),
    ({"machine.beside": 0, "hpvm.monitor_node": "beside"}, 'hpvm.monitor_node = "beside": '),
    ({"lan.count": 0, "hpvm.monitor_node": "beside"}, "machine.beside"),
]


@pytest.mark.parametrize(("settings", "message"), REFUSED)
def test_what_cannot_be_is_one_clear_error(tmp_path: Path, settings: dict[str, Any], message: str) -> None:
    with pytest.raises(hypermon.UserError) as caught:
        run(tmp_path / "run", nodes=8, **{"idle.duration_s": 1}, **settings)
    assert message in str(caught.value)
    assert not (tmp_path / "run").exists()


def test_a_sweep_that_takes_longer_than_the_interval_may_miss_others(tmp_path: Path) -> None:
    settings = {**QUIET, "nodes": 4, "hpvm.counters": "cpu.kernel", "hpvm.query_us": 1000, "hpvm.interval_s": 0.003,
                "hpvm.too_slow": "miss", "idle.duration_s": 1}  # fmt: skip
    monitor = run(tmp_path / "run", **settings)["monitor"]
    assert monitor["least_sweep_s"] > 0.003
    # A sweep takes 4 times 1 ms and two messages, 4.6 ms, so that every second sweep is missed.
    assert monitor["missed_sweeps"] == pytest.approx(monitor["sweeps"], abs=2)
    assert monitor["missed_samples"] == 4 * monitor["missed_sweeps"]


def test_without_a_second_network_it_shares_the_programs_and_says_so(tmp_path: Path) -> None:
    settings = {"workload": "ring", "ring.steps": 50, "nodes": 4, "lan.count": 0, "machine.beside": 0,
                "hpvm.interval_s": 0.01}  # fmt: skip
    result = run(tmp_path / "run", **settings)
    assert result["monitor"]["shares_programs_network"]
    assert result["monitor"]["is_compute_node"]
    assert result["monitor"]["network"] == "program"
    assert len(result.samples) > 0
    report.write(tmp_path / "run", tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text()
    assert "The monitor shares the program" in page
    assert "The monitor runs on a node of the program" in page


def test_a_monitor_on_a_compute_node_beside_a_second_network_is_allowed_and_said(tmp_path: Path) -> None:
    settings = {**QUIET, "nodes": 3, "hpvm.monitor_node": "1", "hpvm.interval_s": 0.1, "idle.duration_s": 1,
                "hpvm.counters": "network.bytes_received"}  # fmt: skip
    result = run(tmp_path / "run", **settings)
    assert result["monitor"]["is_compute_node"]
    assert not result["monitor"]["shares_programs_network"]
    frame = result.samples.to_pandas()
    most = frame[frame["part"] == 1].groupby("node")["value"].max()
    assert most[1] > 5 * max(most[0], most[2])  # the others' answers arrive there
    report.write(tmp_path / "run", tmp_path / "page.html")
    assert "The monitor runs on a node of the program" in (tmp_path / "page.html").read_text()


def test_same_inputs_same_bytes(tmp_path: Path) -> None:
    runs = [run(tmp_path / str(i), nodes=3, **CLOCKS, **{"idle.duration_s": 5}) for i in range(2)]
    assert runs[0].text == runs[1].text
    assert len({(tmp_path / str(i) / "samples.arrow").read_bytes() for i in range(2)}) == 1


def test_its_page_names_rules_and_what_they_missed(tmp_path: Path) -> None:
    rule = {"hpvm.rules": "cpu.busy > -1 0.001 cpu.busy", "hpvm.too_slow": "miss", "hpvm.counters": "cpu.busy"}
    run(tmp_path / "run", nodes=4, **QUIET, **rule, **{"idle.duration_s": 3})
    report.write(tmp_path / "run", tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text()
    assert f"4{SPACE}times cpu.busy &gt; -1 0.001 cpu.busy" in page
    assert "of a rule&#39;s sweeps were missed" in page


def test_its_page_says_what_was_asked_and_what_the_clock_promises(tmp_path: Path) -> None:
    out = tmp_path / "run"
    run(out, nodes=2, **CLOCKS, **{"idle.duration_s": 5})
    report.write(out, tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text()
    assert "asks every" in page
    assert "The global clock keeps its promise" in page


def test_only_its_runs_have_a_global_clock(tmp_path: Path) -> None:
    result = run(tmp_path / "run", monitor="none", nodes=2, **{"idle.duration_s": 1})
    with pytest.raises(hypermon.UserError, match="only hpvm has a global clock"):
        global_times(result)


WATCHED = {"nodes": 2, "hpvm.monitor_node": "0", "hpvm.counters": "cpu.kernel", "hpvm.interval_s": 0.5,
           "hpvm.query_us": 0, "hpvm.counter_us": 0}  # fmt: skip


def test_a_monitor_on_a_node_sweeps_when_the_nodes_clock_shows_whole_intervals(tmp_path: Path) -> None:
    first = {}
    for name, clocks in (("right", node_clocks.RIGHT), ("ahead", node_clocks.AHEAD)):
        result = run(tmp_path / name, **WATCHED, **clocks, **{"idle.duration_s": 4.2})
        frame = node_clocks.of_node(result, 0)
        assert (frame["stamped_ps"] % (10**12 // 2)).max() < 10**9  # cost of a query
        assert len(frame) in (8, 9)
        assert result["monitor"]["missed_sweeps"] == 0
        first[name] = frame.iloc[0]
    offset = (first["ahead"]["stamped_ps"] - first["ahead"]["true_ps"]) * 1e-12
    assert abs(offset) > 1e-3  # with this seed
    earlier = (first["right"]["true_ps"] - first["ahead"]["true_ps"]) * 1e-12
    assert (earlier - offset + 0.25) % 0.5 == pytest.approx(0.25, abs=1e-4)  # up to a whole interval


def test_a_monitors_schedule_and_rules_follow_its_clock(tmp_path: Path) -> None:
    settings = {**WATCHED, "hpvm.schedule": "2.25 0.2 cpu.kernel", "hpvm.rules": "cpu.kernel < 0.5 0.1 cpu.busy"}
    result = run(tmp_path / "run", **settings, **node_clocks.AHEAD, **{"idle.duration_s": 3.5})
    frame = result.samples.to_pandas()
    own = frame[frame["node"] == 0]
    swept = own[own["counter"] == "cpu.kernel"]["stamped_ps"].to_numpy() * 1e-12
    swept = swept[swept > 0.4]
    assert swept == pytest.approx([0.5, 1, 1.5, 2, *(2.25 + 0.2 * n for n in range(len(swept) - 4))], abs=1e-3)
    zoomed = own[own["counter"] == "cpu.busy"]["stamped_ps"].to_numpy()
    assert len(zoomed) > 20
    assert (zoomed % 10**11).max() < 10**9


def test_a_monitor_whose_clock_drifts_sweeps_as_much_less_or_more_often(tmp_path: Path) -> None:
    result = run(tmp_path / "run", **WATCHED, **node_clocks.FAST_OR_SLOW, **{"idle.duration_s": 40})
    frame = node_clocks.of_node(result, 0)
    drift = node_clocks.drift(frame)
    assert abs(drift) > 5e-6  # with this seed
    assert node_clocks.intervals_s(frame, "true_ps").mean() == pytest.approx(0.5 * (1 + drift), abs=1e-7)
