# SPDX-License-Identifier: BSD-3-Clause
"""SCMS/RMS in runs: pushed and requested values, deaths, and refused settings."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

import hypermon
from hypermon import report
from hypermon._model.schema import flat
from hypermon.errors import UserError
from tests.monitors.scms import invariants
from tests.python import node_clocks
from tests.python.held_runs import held_run

pytestmark = [pytest.mark.worker, pytest.mark.usefixtures("worker")]
MACHINE = {
    "workload": "idle", "monitor": "scms", "nodes": 16, "machine.topology": "star", "machine.messages": "smpi",
    "machine.beside": 1, "machine.beside_on_network": True, "lan.count": 0, "idle.duration_s": 4, "scms.fanout": 4,
}  # fmt: skip


def run(folder: Path, **settings: Any) -> Any:
    return held_run(folder, {**MACHINE, **settings}, invariants)


def test_every_round_of_every_node_reaches_the_root(tmp_path: Path) -> None:
    result = run(tmp_path, **{"scms.push": "hardware.cpu_busy hardware.interrupts 0.5"})
    rounds = 7  # at 0.5, 1, ..., 3.5 s
    monitor = result["monitor"]
    assert monitor["values_read"] == rounds * 16 * 2
    assert monitor["messages"] == {"request": 0, "reply": 0, "push": rounds * (16 + 4), "pull": 0, "control": 0}
    sampling = result["sampling"]
    assert sampling["taken"] == sampling["delivered"] == monitor["values_read"]
    # A node's 2 values arrive after their reading, two messages, and the handling of these.
    spec = flat(result["spec"])
    least = 2 * spec["scms.send_us"] + 2 * spec["scms.receive_us"]
    assert sampling["age_us"]["p50"] > least


def test_what_is_not_merged_passes_message_by_message(tmp_path: Path) -> None:
    settings = {"scms.push": "hardware.cpu_busy 0.5", "scms.merge_replies": False}
    assert run(tmp_path, **settings)["monitor"]["messages"]["push"] == 7 * (16 + 16)


def test_a_filter_sends_no_equal_value_again(tmp_path: Path) -> None:
    """An idle node has no context switches: only the first round has values."""
    settings = {"scms.push": "hardware.context_switches 0.5"}
    plain = run(tmp_path / "plain", **settings)
    result = run(tmp_path / "filtered", **settings, **{"scms.filter_threshold": 0})
    assert result["monitor"]["values_filtered"] == (7 - 1) * 16
    # A value takes 8 bytes, and its time 8 more. A row with an unchanged value takes a byte with a bit instead. There
    # are 16 CMAs and 4 SMAs.
    saved = plain["monitor"]["bytes"]["push"] - result["monitor"]["bytes"]["push"]
    assert saved == (7 - 1) * (16 + 16) * (16 - 1)


def test_pulled_sets_are_as_old_as_the_levels_wait(tmp_path: Path) -> None:
    """Values are read at 0.5 s. SMAs above CMAs fetch them 0.1 s later, the root 0.2 s later."""
    settings = {"scms.push": "hardware.cpu_busy 0.5", "scms.collect": "pull", "scms.pull_offset_ms": 100}
    result = run(tmp_path, **settings)
    assert result["monitor"]["messages"]["pull"] == result["monitor"]["messages"]["push"] == 7 * (16 + 4)
    assert result["sampling"]["delivered"] == 7 * 16
    assert 0.2e6 <= result["sampling"]["age_us"]["p50"] < 0.26e6


@pytest.mark.parametrize(
    ("who", "detected"), [("agent 3", (2.0, 2.01)), ("sma 1", (2.0, 2.01)), ("node 3", (2.4, 2.8))]
)
def test_a_process_is_missed_at_once_and_a_computer_after_its_heartbeats(
    tmp_path: Path, who: str, detected: tuple[float, float]
) -> None:
    heart = {"scms.heartbeat_s": 0.2, "scms.heartbeats_missed": 2}
    result = run(
        tmp_path, **heart, **node_clocks.RIGHT, **{"scms.failures": f"2 {who} 1", "scms.push": "hardware.cpu_busy 0.1"}
    )
    (failure,) = result["monitor"]["failures"]
    assert detected[0] <= failure["detected_s"] <= detected[1]
    assert 3.0 <= failure["back_s"] <= 3.5
    assert result["monitor"]["live_nodes"] == 16


def test_agents_that_cannot_keep_up_skip_rounds_and_say_so_first(tmp_path: Path) -> None:
    """Reading takes 25 ms, and the period is 10 ms: every CMA has rounds at 10, 40, ..., 970 ms, and skips two after
    each.
    """
    slow = {"scms.push": "hardware.cpu_busy 0.01", "scms.value_us": 25_000, "idle.duration_s": 1}
    result = run(tmp_path, **slow, **node_clocks.RIGHT)
    overload = result["monitor"]["overload"]
    assert overload["first_s"] == pytest.approx(0.02)
    assert overload["first_at"].startswith("CMA")
    assert overload["rounds_skipped"] == 33 * 2 * 16


def test_a_full_queue_drops_and_the_ledger_says_so(tmp_path: Path) -> None:
    # SMAs are on the front end, where they delay no CMA.
    settings = {"scms.push": "hardware.cpu_busy 0.01", "scms.receive_us": 20_000, "scms.inner_smas": "root",
                "idle.duration_s": 1}  # fmt: skip
    result = run(tmp_path, **settings, **{"scms.queue_messages": 2})
    assert result["monitor"]["overload"]["dropped_messages"] > 0
    assert result["monitor"]["overload"]["first_at"].startswith("SMA")
    (lost,) = [loss for loss in result["sampling"]["lost"] if loss["cause"] == "dropped"]
    assert lost["samples"] > 0
    # Without a limit messages wait: 20 ms each, behind four of 10 ms each.
    unlimited = run(tmp_path / "unlimited", **settings)["monitor"]["overload"]
    assert unlimited["late_messages"] > 0
    assert unlimited["first_s"] == pytest.approx(0.01 + 0.02, abs=1e-3)
    assert unlimited["dropped_messages"] == 0
    assert unlimited["longest_queue"] > result["monitor"]["overload"]["longest_queue"]


def test_a_node_whose_set_was_dropped_is_asked_again_in_the_next_round(tmp_path: Path) -> None:
    """Sets of 16 nodes arrive together, at 0.6, 1.1, ..., 3.6 s. Handling one takes 20 ms, and two more may wait."""
    settings = {"scms.collect": "pull", "scms.push": "hardware.cpu_busy 0.5", "scms.fanout": 16}
    monitor = run(tmp_path, **settings, **{"scms.queue_messages": 2, "scms.receive_us": 20_000})["monitor"]
    assert monitor["overload"]["dropped_messages"] == 7 * (16 - 3)
    assert monitor["messages"]["pull"] == 7 * 16
    assert monitor["overload"]["rounds_skipped"] == 0


def test_a_page_says_who_died_and_who_could_not_keep_up(tmp_path: Path) -> None:
    settings = {"scms.push": "hardware.cpu_busy 0.01", "scms.value_us": 25_000, "scms.failures": "1 agent 3 1"}
    run(tmp_path / "run", **settings)
    report.write(tmp_path / "run", tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text()
    assert "From 0.02 s on the agents could not keep up" in page
    assert "CMA of node" in page
    assert re.search(r"1\s+death", page)


def test_partitions_follow_switches(tmp_path: Path) -> None:
    settings = {"machine.topology": "fat_tree", "machine.dimensions": "6x3;1x1;1x1", "scms.partitions": "switches",
                "machine.places": "0-15,17"}  # fmt: skip
    smas = run(tmp_path, **settings)["monitor"]["tree"]["smas"]
    assert [sma["nodes"] for sma in smas] == [16, 6, 6, 4]


def test_same_inputs_same_result(tmp_path: Path) -> None:
    settings = {"scms.failures": "2 sma 2 0.5; 2.1 node 4 0.7", "scms.heartbeat_s": 0.2, "scms_client.period_s": 0.3}
    first, second = (run(tmp_path / name, **settings)["monitor"] for name in "ab")
    assert first == second


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"scms.tree": "[[0-7] [9-15]]"}, "node 8 is missing"),
        ({"scms.tree": "[[0-7] [7-15]]"}, "node 7 is there twice"),
        ({"scms.tree": "[[0-7] [8-16]]"}, "there is no node 16"),
        ({"scms.tree": "[0-15] x"}, "must end behind the list"),
        ({"scms.tree": "[0-15 []]"}, "a list is empty"),
        ({"scms.tree": "[[0-15]"}, "a list has no end"),
        ({"scms.tree": "[0-15 x]"}, "character 7 begins no node"),
        ({"scms.tree": "[" * 100 + "0-15" + "]" * 100}, "lists are at most 64 deep"),
        ({"scms.fanout": 16, "scms.largest_partition": 8}, "a partition of 16 agents"),
        ({"scms.partitions": "switches"}, "machine.topology = fat_tree"),
        ({"scms.failures": "1 disk 3 1"}, "must be like 10 agent 3 2"),
        ({"scms.failures": "1 sma 9 1"}, "there are SMAs 0 to 4"),
        ({"scms.failures": "1 node 3 1", "workload": "ring"}, "a node can only die where no program runs"),
        ({"scms.push": "hardware.load"}, "must be like hardware.load 1"),
        ({"scms.push": "hardware.load 0"}, "from 1e-6 to 1000000 s"),
        ({"scms.push": "hardware.lood 1"}, "hardware.load"),
        ({"scms.queue_messages": 4, "scms.filter_threshold": 0}, "must be 0 with scms.filter_threshold"),
        ({"scms.root_node": "99"}, "scms.root_node"),
    ],
)
def test_what_cannot_be_is_refused_in_one_line(tmp_path: Path, settings: dict[str, Any], message: str) -> None:
    with pytest.raises(UserError) as error:
        run(tmp_path / "out", **settings)
    assert message in str(error.value)
    assert "\n" not in str(error.value).strip()
    assert not (tmp_path / "out").exists()


def test_what_only_the_running_monitor_finds_out_has_its_place_too(tmp_path: Path) -> None:
    with pytest.raises(hypermon.UserError, match=r"scms.push = hardware.laod: no plug-in provides .*\(hypermon.run\)"):
        run(tmp_path, **{"scms.push": "hardware.laod 1"})


def test_agents_take_memory_of_their_nodes(tmp_path: Path) -> None:
    """The first node of each partition of four also has an SMA; the root is not on a node."""
    settings = {"memory.node_mb": 128, "scms.memory_mb": 3, "scms.push": "hardware.memory_available 1"}
    frame = run(tmp_path, **settings).samples.to_pandas()
    assert set(frame.groupby("node").value.unique().map(tuple).items()) == {
        (node, (128_000_000 - (6_000_000 if node % 4 == 0 else 3_000_000),)) for node in range(16)
    }


def test_agents_read_when_their_own_clocks_show_whole_periods(tmp_path: Path) -> None:
    settings = {"scms.push": "hardware.cpu_busy 0.5", "nodes": 4, "idle.duration_s": 3}
    found = {}
    for name, clocks in (("right", node_clocks.RIGHT), ("ahead", node_clocks.AHEAD)):
        result = run(tmp_path / name, **settings, **clocks)
        found[name] = [node_clocks.of_node(result, node) for node in range(4)]
        for frame in found[name]:
            assert (frame["stamped_ps"] % (10**12 // 2)).max() < 10**9  # cost of a reading
            assert len(frame) in (5, 6)
    first = {name: [frame["true_ps"].iloc[0] * 1e-12 for frame in frames] for name, frames in found.items()}
    assert max(first["right"]) - min(first["right"]) < 1e-3
    for right, ahead, frame in zip(first["right"], first["ahead"], found["ahead"], strict=True):
        offset = (frame["stamped_ps"].iloc[0] - frame["true_ps"].iloc[0]) * 1e-12
        assert abs(offset) > 1e-3  # with this seed
        assert (right - ahead - offset + 0.25) % 0.5 == pytest.approx(0.25, abs=1e-4)  # up to whole periods


def test_agents_whose_clocks_drift_read_as_much_less_or_more_often(tmp_path: Path) -> None:
    settings = {"scms.push": "hardware.cpu_busy 0.1", "nodes": 4, "idle.duration_s": 20}
    result = run(tmp_path / "run", **settings, **node_clocks.FAST_OR_SLOW)
    for node in range(4):
        frame = node_clocks.of_node(result, node)
        drift = node_clocks.drift(frame)
        assert abs(drift) > 5e-6  # with this seed
        assert node_clocks.intervals_s(frame, "stamped_ps") == pytest.approx(0.1, abs=3e-6)
        assert node_clocks.intervals_s(frame, "true_ps").mean() == pytest.approx(0.1 * (1 + drift), abs=1e-8)


def test_an_sma_pulls_by_its_own_clock(tmp_path: Path) -> None:
    """Two SMAs are on nodes whose clocks are wrong by tens of milliseconds: sets are fetched earlier or later by that
    time.
    """
    settings = {"scms.push": "hardware.cpu_busy 0.5", "scms.collect": "pull", "scms.pull_offset_ms": 150, "nodes": 8}
    ages = {}
    for name, clocks in (("right", node_clocks.RIGHT), ("ahead", node_clocks.AHEAD)):
        frame = run(tmp_path / name, **settings, **clocks).samples.to_pandas()
        ages[name] = ((frame["arrival_ps"] - frame["true_ps"]) * 1e-12).groupby(frame["node"]).median()
    assert ages["right"].max() - ages["right"].min() < 0.01
    assert ages["ahead"].max() - ages["ahead"].min() > 0.02
