# SPDX-License-Identifier: BSD-3-Clause
"""PCP: its fetches and their times against a naive client, the costs of the hosts' connections, and refused settings."""

from __future__ import annotations

import random
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

import hypermon
from hypermon import report
from tests.monitors.pcp import invariants
from tests.python import node_clocks
from tests.python.held_runs import held_run

pytestmark = [pytest.mark.worker, pytest.mark.usefixtures("worker")]
MACHINE = {"workload": "idle", "monitor": "pcp", "machine.topology": "star", "machine.beside": 1, "lan.count": 1}
QUIET = {"node.clock_drift_ppm": 0, "node.clock_offset_us": 0, "node.tick_ms": 1e6, "node.start_spread_us": 0}
NODE_COUNTERS = ["cpu.kernel", "os.interrupts", "os.context_switches", "memory.message_buffers", "cpu.emission"]

HEADERS = 78  # bytes of a segment: tcp.header_bytes


def run(folder: Path, **settings: Any) -> Any:
    return held_run(folder, {**MACHINE, **QUIET, **settings}, invariants)


def drawn(seed: int) -> dict[str, Any]:
    rng = random.Random(seed)
    nodes = rng.randint(1, 6)
    return {
        "nodes": nodes, "pcp.counters": " ".join(rng.sample(NODE_COUNTERS, rng.randint(1, 4))),
        "pcp.hosts": ",".join(map(str, rng.sample(range(nodes), rng.randint(1, nodes)))),
        "pcp.block_bytes": rng.choice([0, 700]), "pcp.fetches": rng.choice([0, 3]),
        "pcp.interval_s": rng.choice([0, 0.01, 0.02]), "pcp.open": rng.choice(["at_start", "when_fetched"]),
        "pcp.fetch_us": rng.randint(0, 300), "pcp.open_host_us": rng.randint(0, 80),
        "pcp.open_threshold": rng.randint(0, 3), "pcp.beyond_us": rng.randint(0, 900),
        "pcp.daemon_us": rng.randint(0, 400), "pcp.value_us": rng.randint(0, 30),
        "lan.latency_us": rng.randint(20, 200), "lan.bandwidth_mb_per_s": 1, "idle.duration_s": 0.06,
    }  # fmt: skip


def naive(settings: dict[str, Any]) -> list[tuple[int, float, float]]:
    """Host, the time at which its counters were read, and the time of its result, in microseconds. A byte takes one
    microsecond. Every message fits into a segment, and acknowledges the previous one.
    """
    of = {path.removeprefix("pcp."): value for path, value in settings.items()}
    hosts = [int(host) for host in of["hosts"].split(",")]
    values = len(of["counters"].split())  # values of a node: one of each counter
    flight = of["lan.latency_us"]
    hello = 2 * flight + 2 * (20 + HEADERS + flight)  # behind TCP's handshake
    request = 28 + 4 * values + HEADERS + flight
    result = 32 + (12 + 20) * values + of["block_bytes"] + HEADERS + flight
    opened: set[int] = set()
    now = 0.0
    if of["open"] == "at_start":
        now += hello * len(hosts)
        opened.update(hosts)
    begin, interval, number = now, of["interval_s"] * 1e6, 0
    found: list[tuple[int, float, float]] = []
    while now < of["idle.duration_s"] * 1e6 and (not of["fetches"] or len(found) < of["fetches"] * len(hosts)):
        now = max(now, begin + number * interval)
        for place, host in enumerate(hosts):
            if host not in opened:
                now += hello
                opened.add(host)
            now += request + of["daemon_us"] + of["value_us"] * values
            read = now
            now += result + of["fetch_us"] + of["open_host_us"] * (len(opened) - 1)
            now += of["beyond_us"] if 0 < of["open_threshold"] <= place else 0
            found.append((host, read, now))
        number += 1
        while interval and begin + number * interval < now:
            number += 1
    return found


@pytest.mark.parametrize("seed", range(8))
def test_what_is_fetched_is_what_a_naive_client_fetches(tmp_path: Path, seed: int) -> None:
    settings = drawn(seed)
    frame = run(tmp_path / "run", **settings).samples.to_pandas()
    one = frame.drop_duplicates(["node", "true_ps"])
    found = [(int(row.node), row.true_ps / 1e6, row.arrival_ps / 1e6) for row in one.itertuples()]
    end = settings["idle.duration_s"] * 1e6
    expected = [fetched for fetched in naive(settings) if fetched[2] < end]
    assert found
    assert [host for host, _, _ in found] == [host for host, _, _ in expected]
    for (_, read, there), (_, known_read, known_there) in zip(found, expected, strict=True):
        assert read == pytest.approx(known_read, abs=1e-3)
        assert there == pytest.approx(known_there, abs=1e-3)


def fetch_s(folder: Path, nodes: int, **settings: Any) -> float:
    chosen = {"pcp.block_bytes": 11264, "pcp.fetches": 1, "idle.duration_s": 1, "pcp.open_host_us": 0, **settings}
    return float(run(folder / str(nodes), nodes=nodes, **chosen)["monitor"]["first_fetch_s"])


def test_what_a_fetch_takes_grows_with_the_square_of_hosts_if_each_open_one_costs(tmp_path: Path) -> None:
    times = [fetch_s(tmp_path, n, **{"pcp.open_host_us": 117}) for n in (4, 8, 12, 16)]
    per_host = [time / n for time, n in zip(times, (4, 8, 12, 16), strict=True)]
    for less, more in pairwise(per_host):
        assert more - less == pytest.approx(4 * 117e-6, rel=1e-3)


def test_hosts_beyond_a_threshold_cost_so_much_more_each(tmp_path: Path) -> None:
    beyond = {"pcp.open_threshold": 6, "pcp.beyond_us": 2000}
    alone = fetch_s(tmp_path / "alone", 8)
    assert fetch_s(tmp_path / "beyond", 8, **beyond) - alone == pytest.approx(2 * 2000e-6, rel=1e-6)
    assert fetch_s(tmp_path / "below", 6, **beyond) == pytest.approx(6 / 8 * alone, rel=1e-6)


def test_a_date_that_passes_while_a_fetch_is_made_is_missed(tmp_path: Path) -> None:
    settings = {"nodes": 2, "pcp.fetch_us": 7500, "pcp.interval_s": 0.01, "idle.duration_s": 1}
    monitor = run(tmp_path / "run", **settings)["monitor"]
    assert 0.015 < monitor["first_fetch_s"] < 0.02  # every second fetch is missed
    assert monitor["missed_fetches"] == pytest.approx(monitor["fetches"], abs=1)


def test_daemons_take_the_programs_cpu_time(tmp_path: Path) -> None:
    settings = {"workload": "ring", "ring.steps": 2000, "nodes": 2, "pcp.interval_s": 0, "pcp.daemon_us": 300}
    alone = hypermon.run("collection/ring", out=tmp_path / "alone",
                         settings={**MACHINE, **QUIET, **settings, "monitor": "none"})  # fmt: skip
    watched = run(tmp_path / "watched", **settings)
    assert watched["monitor"]["daemons_cpu_s"] > 0
    assert watched.elapsed_s > alone.elapsed_s + watched["monitor"]["daemons_cpu_s"] / 4


REFUSED = [
    ({"pcp.counters": "cpu.usr"}, "pcp.counters"),
    ({"pcp.counters": " "}, 'pcp.counters = " ": must name a counter, or pcp.block_bytes be more than 0'),
    ({"pcp.hosts": "8"}, 'pcp.hosts = "8": must be all, or numbers of nodes from 0 to 7'),
    ({"pcp.client_node": "1-2"}, "or the number of one node"),
    ({"pcp.network": "myrinet"}, 'pcp.network = "myrinet": must be a network of the platform'),
    ({"machine.beside": 0, "pcp.client_node": "beside"}, 'pcp.client_node = "beside": '),
]


@pytest.mark.parametrize(("settings", "message"), REFUSED)
def test_what_cannot_be_is_one_clear_error(tmp_path: Path, settings: dict[str, Any], message: str) -> None:
    with pytest.raises(hypermon.UserError) as caught:
        run(tmp_path / "run", nodes=8, **{"idle.duration_s": 1}, **settings)
    assert message in str(caught.value)
    assert not (tmp_path / "run").exists()


def test_its_page_says_what_a_fetch_takes_and_where_the_client_runs(tmp_path: Path) -> None:
    run(tmp_path / "run", nodes=2, **{"idle.duration_s": 1, "pcp.client_node": "0", "pcp.interval_s": 0.1})
    report.write(tmp_path / "run", tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text()
    assert "No fetch was missed" in page
    assert "The client runs on a node of the program" in page


def test_a_client_on_a_node_waits_by_the_nodes_clock(tmp_path: Path) -> None:
    settings = {"nodes": 2, "pcp.client_node": "0", "pcp.interval_s": 0.1, "idle.duration_s": 10}
    frame = node_clocks.of_node(run(tmp_path / "run", **settings, **node_clocks.FAST_OR_SLOW), 0)
    drift = node_clocks.drift(frame)
    assert abs(drift) > 5e-6  # with this seed
    assert node_clocks.intervals_s(frame, "stamped_ps") == pytest.approx(0.1, abs=3e-6)
    assert node_clocks.intervals_s(frame, "true_ps").mean() == pytest.approx(0.1 * (1 + drift), abs=1e-8)


def test_an_interval_does_not_depend_on_the_time_that_the_clock_shows(tmp_path: Path) -> None:
    settings = {"nodes": 2, "pcp.client_node": "0", "pcp.interval_s": 0.1, "idle.duration_s": 1}
    right, wrong = (
        node_clocks.of_node(run(tmp_path / name, **settings, **clocks), 0)
        for name, clocks in (("right", node_clocks.RIGHT), ("wrong", node_clocks.AHEAD))
    )
    assert right["true_ps"].tolist() == wrong["true_ps"].tolist()
    assert right["stamped_ps"].tolist() != wrong["stamped_ps"].tolist()
