# SPDX-License-Identifier: BSD-3-Clause
"""SCMS/RMS's clients: their requests and times, the nodes that they choose, the quality of the choices, and refused
settings.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import hypermon
from tests.monitors.scms import invariants
from tests.python import node_clocks
from tests.python.held_runs import held_run

pytestmark = [pytest.mark.worker, pytest.mark.usefixtures("worker")]
MACHINE = {
    "workload": "idle", "monitor": "scms", "machine.topology": "star", "machine.beside": 1, "lan.count": 1, "nodes": 8,
    "node.clock_drift_ppm": 0, "node.clock_offset_us": 0, "node.start_spread_us": 0, "idle.duration_s": 10,
    "scms.push": "",
}  # fmt: skip
CALLER = {"scms_client.period_s": 1, "scms_client.mode": "synchronous"}


def run(folder: Path, **settings: Any) -> Any:
    return held_run(folder, {**MACHINE, **settings}, invariants)


def client(folder: Path, **settings: Any) -> Any:
    return run(folder, **{**CALLER, **settings})["monitor"]["clients"][0]


def test_one_request_for_all_nodes_takes_less_than_one_for_each(tmp_path: Path) -> None:
    together = client(tmp_path / "together")
    one_by_one = client(tmp_path / "one", **{"scms_client.ask": "one_by_one"})
    assert together["calls"] == one_by_one["calls"] == 9
    assert together["requests"] == 9
    assert one_by_one["requests"] == 9 * 8
    assert together["values"] == one_by_one["values"] == 9 * 8
    assert one_by_one["mean_s"] > 3 * together["mean_s"]


def test_pipelined_requests_take_the_time_of_the_slowest_stage(tmp_path: Path) -> None:
    """Each further node costs the root two received and two sent messages: 2 (107 + 214) us."""
    pipelined = {"scms_client.ask": "pipelined", "tcp.nagle": "off"}
    few, many = (client(tmp_path / str(n), nodes=n, **pipelined) for n in (8, 16))
    assert many["requests"] == 9 * 16
    assert many["values"] == 9 * 16
    assert many["mean_s"] - few["mean_s"] == pytest.approx(8 * 2 * 321e-6, rel=0.01)
    one_by_one = client(tmp_path / "one", nodes=16, **{"scms_client.ask": "one_by_one"})
    assert one_by_one["mean_s"] > 2 * many["mean_s"]


def test_parts_of_an_answer_overlap_the_levels_of_the_tree(tmp_path: Path) -> None:
    """Two SMAs have 8 nodes with 11 KB each. An answer that is sent whole is one message."""
    asked = {**CALLER, "nodes": 16, "scms.fanout": 8, "scms_client.kind": "administrator"}
    whole, parts = (run(tmp_path / str(n), **asked, **{"scms.part_bytes": n})["monitor"] for n in (0, 8192))
    calls = whole["clients"][0]["calls"]
    assert whole["messages"]["reply"] == calls * (16 + 2 + 1)
    assert parts["messages"]["reply"] == calls * (16 + 16 + 16)
    assert parts["clients"][0]["values"] == whole["clients"][0]["values"] == calls * 16
    assert parts["clients"][0]["mean_s"] < 0.6 * whole["clients"][0]["mean_s"]
    small = run(tmp_path / "small", **CALLER, **{"scms.part_bytes": 8192})["monitor"]  # 8 values of some bytes
    assert small["messages"]["reply"] == small["clients"][0]["calls"] * (8 + 1)


def test_a_session_takes_its_time_before_the_run_or_at_every_call(tmp_path: Path) -> None:
    plain, once, each = (
        client(tmp_path / name, **settings)
        for name, settings in (
            ("plain", {"scms_client.session_ms": 0}),
            ("once", {"scms_client.session_ms": 20}),
            ("each", {"scms_client.session_ms": 20, "scms_client.session": "every_call"}),
        )
    )
    assert once["first_s"] == plain["first_s"]
    assert once["mean_s"] == plain["mean_s"]
    assert each["mean_s"] == pytest.approx(plain["mean_s"] + 0.02, rel=1e-6)


def test_dates_that_pass_while_a_call_is_made_are_missed(tmp_path: Path) -> None:
    slow = {"scms_client.session_ms": 2500, "scms_client.session": "every_call"}
    found = client(tmp_path / "run", **slow)
    assert found["calls"] == 3  # at 1, 4 and 7 s; the next, at 10 s, would be at the run's end
    assert found["missed_calls"] == 2 * 3


def test_more_calls_may_be_outstanding_than_one(tmp_path: Path) -> None:
    slow = {
        "scms.value_us": 300_000,
        "scms_client.period_s": 0.1,
        "scms_client.calls": 20,
        "scms.merge_requests": False,
    }
    alone = client(tmp_path / "alone", **slow)
    many = client(tmp_path / "many", **slow, **{"scms_client.outstanding": 100})
    assert alone["missed_calls"] > 30
    assert many["missed_calls"] == 0
    assert many["calls"] == 20
    assert many["longest_s"] > 10 * many["first_s"]  # requests wait for each other at the CMAs


def test_random_arrivals_follow_from_the_seed_and_have_the_mean_that_is_asked_for(tmp_path: Path) -> None:
    random = {"scms_client.arrival": "random", "scms_client.period_s": 0.01, "scms_client.outstanding": 1000}
    first, again, other = (client(tmp_path / str(i), seed=seed, **random) for i, seed in enumerate((1, 1, 2)))
    assert first == again
    assert first["latency_us"] != other["latency_us"]
    for found in (first, other):
        assert found["calls"] == pytest.approx(1000, abs=4 * 1000**0.5)


def test_a_client_sees_its_part_of_the_tree_or_with_scope_whole_everything(tmp_path: Path) -> None:
    inner = {"scms.fanout": 4, "scms_client.sma": 1}
    part = client(tmp_path / "part", **inner)
    assert part["values"] == part["missing"] == 9 * 4
    whole = client(tmp_path / "whole", **inner, **{"scms.scope": "whole"})
    assert (whole["values"], whole["missing"]) == (9 * 8, 0)


def test_a_client_asks_for_the_live_nodes_if_it_is_to(tmp_path: Path) -> None:
    dead = {"scms.failures": "2.5 agent 3 3"}
    every = client(tmp_path / "all", **dead)
    live = client(tmp_path / "live", **dead, **{"scms_client.nodes": "live"})
    assert every["missing"] == 3  # at 3, 4 and 5 s
    assert live["missing"] == 0
    assert live["values"] == 9 * 8 - 3


SCHEDULER = {"scms_client.kind": "scheduler", "scms_client.resources": "hardware.cpu_busy"}


def test_a_schedulers_choice_from_the_nodes_themselves_is_right_and_from_old_caches_it_is_not(tmp_path: Path) -> None:
    # Node 7 works for half a second, the others from 5.5 s on: from 6 s on it has worked least.
    kinds = {
        "cpu.policy": "time_slices", "competitor.count": 2, "competitor[0].nodes": "0-6", "competitor[0].begin_s": 5.5,
        "competitor[1].nodes": "7", "competitor[1].end_s": 0.5,
    }  # fmt: skip
    fresh = client(tmp_path / "fresh", **kinds, **SCHEDULER)
    assert fresh["choices"] == fresh["judged"] == 9
    assert fresh["right"] == 9
    assert fresh["mean_regret"] == 0
    # Caches cover 5 s: in that time, node 7 had worked most.
    cached = {"scms.push": "hardware.cpu_busy 5", "scms_client.mode": "asynchronous"}
    stale = client(tmp_path / "stale", **kinds, **SCHEDULER, **cached)
    assert stale["choices"] == 4  # from 6 s on: before 5 s nothing is cached
    assert stale["right"] < stale["choices"]
    assert stale["mean_regret"] > 0
    assert stale["oldest_s"] > 3.9


def test_an_administrator_reads_every_nodes_table(tmp_path: Path) -> None:
    found = run(tmp_path / "run", **CALLER, **{"scms_client.kind": "administrator"})
    bytes_of_replies = found["monitor"]["bytes"]["reply"]
    assert bytes_of_replies > 9 * 8 * 11264 * 2  # from the CMAs, and from the root


def test_kinds_of_clients_go_side_by_side(tmp_path: Path) -> None:
    both = {
        "scms_client.count": 2, "scms_client.clients": 3, "scms_client[1].kind": "administrator",
        "scms_client[1].period_s": 2, "scms_client[1].begin_s": 1, "scms_client[1].calls": 2,
    }  # fmt: skip
    first, second = run(tmp_path / "run", **CALLER, **both)["monitor"]["clients"]
    assert (first["kind"], first["clients"], first["calls"]) == ("reader", 3, 27)
    assert (second["kind"], second["clients"], second["calls"]) == ("administrator", 3, 6)


REFUSED = [
    ({"scms_client.sma": 1}, "scms_client.sma = 1: there are SMAs 0 to 0"),
    ({"scms_client.nodes": "8"}, 'scms_client.nodes = "8": must be all, or live, or numbers of nodes from 0 to 7'),
    ({"scms_client.resources": "hardware.laod"}, "scms_client.resources = hardware.laod: no plug-in provides this resource; "
     "available are hardware.load, hardware.cpu_busy"),
    ({"scms_client.resources": "9:9"}, "scms_client.resources = 9:9: no plug-in provides this resource"),
    ({"scms_client.outstanding": 2, "scms_client.ask": "one_by_one"}, "scms_client.outstanding = 2: must be 1 without"),
    ({"scms_client.outstanding": 2, "scms_client.ask": "pipelined"}, "scms_client.outstanding = 2: must be 1 without"),
    ({"scms_client.end_s": 1, "scms_client.begin_s": 2}, "scms_client.end_s = 1.0: must be later than scms_client.begin_s = 2.0"),
    ({"scms_client.kind": "program"}, "scms_client.program: must be given with scms_client.kind = program"),
    ({"scms_client.place": "beside", "machine.beside": 0}, 'scms_client.place = "beside": '),
    ({"scms_client[3].sma": 0}, "scms_client.count = 1"),
]  # fmt: skip


@pytest.mark.parametrize(("settings", "message"), REFUSED)
def test_what_cannot_be_is_one_clear_error(tmp_path: Path, settings: dict[str, Any], message: str) -> None:
    with pytest.raises(hypermon.UserError) as caught:
        run(tmp_path / "run", **CALLER, **settings)
    assert message in str(caught.value)
    assert not (tmp_path / "run").exists()


def test_a_client_on_a_node_waits_by_the_nodes_clock(tmp_path: Path) -> None:
    settings = {**CALLER, **node_clocks.FAST_OR_SLOW, "scms_client.place": "0", "scms_client.period_s": 0.1,
                "scms_client.resources": "hardware.cpu_busy", "scms_client.nodes": "0", "nodes": 2}  # fmt: skip
    frame = node_clocks.of_node(run(tmp_path / "run", **settings), 0)
    drift = node_clocks.drift(frame)
    assert abs(drift) > 5e-6  # with this seed
    assert len(frame) == 99  # calls at 0.1, 0.2, ...; none is missed
    frame = frame[1:]  # the first call waits for its connection
    assert node_clocks.intervals_s(frame, "stamped_ps") == pytest.approx(0.1, abs=3e-6)
    assert node_clocks.intervals_s(frame, "true_ps").mean() == pytest.approx(0.1 * (1 + drift), abs=1e-8)


def test_the_clock_of_a_computer_beside_the_machine_is_right(tmp_path: Path) -> None:
    settings = {**CALLER, "scms_client.resources": "hardware.cpu_busy", "scms_client.period_s": 0.1, "nodes": 2}
    right, wrong = (
        node_clocks.of_node(run(tmp_path / name, **settings, **clocks), 0)
        for name, clocks in (("right", node_clocks.RIGHT), ("wrong", node_clocks.AHEAD))
    )
    assert right["true_ps"].tolist() == wrong["true_ps"].tolist()
