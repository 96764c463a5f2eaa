# SPDX-License-Identifier: BSD-3-Clause
"""Every event of a recording is compared with the monitor's version of it."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import numpy as np
import pandas as pd
import pytest

from hypermon import timelines
from hypermon._engine import recorder
from hypermon._engine.recording import Recording
from hypermon.errors import UserError
from hypermon.timelines import Truth, Window, from_truth
from hypermon.timelines.rows import placed
from tests.conftest import Hypermon
from tests.python.little_place import LITTLE

pytestmark = pytest.mark.worker

# A small Place, with clocks so far apart that the software monitor's timestamps reverse the order of messages.
BASE: dict[str, Any] = {
    **LITTLE,
    "node.clock_offset_us": 20_000,
}
SLOW_BUS = {"pbx.word_ns": 4000, "ecb.frame_fifo_frames": 8}
# Boards that count their windows from different times: the monitor's order of events is wrong, too.
SKEWED = {"ecb.inputs": 2, "ecb.reset_skew_ns": 5_000_000}
FALSIFIED = {"faults.bit_error_probability": 0.02, "faults.seed": 3}


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Recording:
    return recorder.record("table2/place", settings=BASE, out=tmp_path_factory.mktemp("recording") / "run")


@pytest.fixture(scope="module")
def lossy(recorded: Recording) -> Truth:
    return timelines.truth(recorded, SLOW_BUS)


@pytest.mark.parametrize("settings", [{}, SLOW_BUS, SKEWED, FALSIFIED])
def test_the_table_adds_up_to_the_result_exactly(recorded: Recording, settings: dict[str, Any]) -> None:
    truth = timelines.truth(recorded, settings)
    everything = truth.summary().loc["all"]
    errors = {which: everything[f"monitor_{which}_us"] for which in ("min", "mean", "max")}
    assert errors == truth.result["timestamp_error_us"]
    assert everything["monitor_violations"] == truth.result["causality_violations"]
    assert everything["delivered"] == truth.result["ledger"]["delivered"]["events"]
    assert everything["events"] == truth.result["ledger"]["generated"]["events"]
    monitor = truth.result["monitor"]
    assert len(truth.spurious) == monitor["spurious_events"] + monitor["falsified_events"]


def test_the_cases_are_what_they_are_meant_for(recorded: Recording, lossy: Truth) -> None:
    assert lossy.result["ledger"]["lost_total"]["events"] > 100
    assert timelines.truth(recorded, SKEWED).result["causality_violations"] > 0
    assert len(timelines.truth(recorded, FALSIFIED).spurious) > 0


def test_every_lost_event_has_the_stage_and_cause_that_the_ledger_charges(lossy: Truth) -> None:
    lost = lossy.events[lossy.events["lost_cause"].notna()]
    charged = Counter(zip(lost["lost_stage"], lost["lost_cause"], strict=True))
    ledger = {(line["stage"], line["cause"]): line["events"] for line in lossy.result["ledger"]["lost"]}
    assert charged == {place: events for place, events in ledger.items() if events}
    delivered = lossy.events["lost_cause"].isna()
    for column in ("monitor_ps", "error_ps", "delivered_ps"):
        assert (lossy.events[column].notna() == delivered).all()


def test_a_row_is_a_burst_of_the_recording(recorded: Recording, lossy: Truth) -> None:
    bursts = recorded.to_pandas()
    for column, of_burst in (("true_ps", "first_ps"), ("node", "node"), ("message", "message")):
        assert (lossy.events[column].to_numpy() == bursts[of_burst].to_numpy()).all()
    counts = {name: n for name, n in lossy.events["type"].value_counts().items() if n}
    assert sum(counts.values()) == len(bursts)
    assert counts["process_start"] == counts["process_end"] == recorded.nodes
    assert counts["syscall_entry"] == counts["syscall_exit"]


def test_the_monitor_is_compared_with_the_first_strobe_and_software_with_the_emissions_start(lossy: Truth) -> None:
    seen = lossy.events[lossy.events["monitor_ps"].notna()]
    assert (seen["error_ps"] == seen["monitor_ps"] - seen["true_ps"]).all()
    assert (lossy.events["software_error_ps"] == lossy.events["software_ps"] - lossy.events["emitted_ps"]).all()


def test_a_node_emits_one_event_after_the_other(lossy: Truth) -> None:
    for _, of_node in lossy.events.groupby("node"):
        assert (of_node["emitted_ps"].to_numpy()[1:] >= of_node["done_ps"].to_numpy()[:-1]).all()
        assert (of_node["emitted_ps"] < of_node["true_ps"]).all()
        assert (of_node["true_ps"] < of_node["done_ps"]).all()


def test_software_timestamps_are_those_of_the_nodes_clocks(recorded: Recording, lossy: Truth) -> None:
    events = lossy.events
    node = recorded.result["spec"]["node"]
    resolution_ps = node["clock_resolution_ns"] * 1000
    assert (events["software_ps"] % resolution_ps == 0).all()
    for _, of_node in events[events["software_ps"] > 0].groupby("node"):
        x = of_node["emitted_ps"].to_numpy(np.float64)
        y = of_node["software_ps"].to_numpy(np.float64)
        slope, offset = np.polyfit(x, y, 1)
        assert abs(offset) <= node["clock_offset_us"] * 1e6
        assert abs(slope - 1) <= node["clock_drift_ppm"] * 1e-6
        assert np.abs(y - (slope * x + offset)).max() <= resolution_ps


def test_software_timestamps_advance_by_what_the_nodes_wrote(recorded: Recording, lossy: Truth) -> None:
    # Nibbles 2 to 5 of a record: microseconds of the node's clock since its event before, modulo 2^16.
    written = recorded.to_pandas()["data"].map(lambda data: sum(data[2 + i] << 4 * i for i in range(4)))
    for node, of_node in lossy.events.groupby("node"):
        advance_us = of_node["software_ps"].diff().dropna() / 1e6
        assert (advance_us % 2**16 == written[of_node.index[1:]]).all(), node


def test_order_violations_are_the_messages_received_before_they_were_sent(recorded: Recording) -> None:
    truth = timelines.truth(recorded, SKEWED)
    violations = truth.violations()
    assert (violations["flight_ps"] > 0).all()  # by true time there are no violations
    ends = truth.events[truth.events["side"] != "none"]
    stamps = {(row["message"], row["side"]): row for row in ends.to_dict("records")}
    by_monitor = by_software = 0
    for message in truth.messages["message"]:
        send, receive = stamps[message, "send"], stamps[message, "receive"]
        seen = pd.notna(send["monitor_ps"]) and pd.notna(receive["monitor_ps"])
        wrong = (
            seen and receive["monitor_ps"] < send["monitor_ps"],
            receive["software_ps"] < send["software_ps"],
        )
        assert any(wrong) == (message in set(violations["message"]))
        by_monitor += wrong[0]
        by_software += wrong[1]
    everything = truth.summary().loc["all"]
    assert everything["monitor_violations"] == by_monitor
    assert everything["software_violations"] == by_software > 0


def test_the_command_prints_the_tables(recorded: Recording, lossy: Truth, hypermon: Hypermon) -> None:
    run = str(recorded.path.parent)
    settings = [part for path, value in SLOW_BUS.items() for part in ("--set", f"{path}={value}")]
    as_text = hypermon("truth", run, *settings)
    assert as_text.returncode == 0, as_text.stderr
    lost = lossy.result["ledger"]["lost_total"]["events"]
    assert as_text.stdout.startswith(f"{len(lossy.events)} events, {len(lossy.events) - lost} delivered, {lost} lost")
    summary = json.loads(hypermon("truth", run, *settings, "--json").stdout)
    assert summary == lossy.summary().reset_index().to_dict("records")
    violations = hypermon("truth", run, *settings, "--table", "violations", "--csv").stdout
    assert len(violations.splitlines()) == 1 + len(lossy.violations())


def test_a_window_of_time() -> None:
    assert Window.parse("1.2s..1.25s") == Window(1_200_000_000_000, 1_250_000_000_000)
    assert Window.parse("5ms..1") == Window(5_000_000_000, 1_000_000_000_000)
    assert Window.parse("..1s") == Window(0, 10**12)
    assert Window.parse("2s..").begin_ps == 2 * 10**12
    assert Window.parse("2s..").end_ps > 10**18  # ten days at least
    for text in ("1s", "2s..1s", "1s..1s", "..", "..0s", "1kg..2kg", "-1..2"):
        with pytest.raises(UserError, match=r"--window"):
            Window.parse(text)


def test_a_recording_s_time_line_has_its_states_events_losses_messages_and_levels(lossy: Truth) -> None:
    line = from_truth.tracks(lossy)
    by_path = {one.path: one for one in line.states}
    for node in range(lossy.recording.nodes):
        own = lossy.events[lossy.events["node"] == node]
        events = by_path[(f"rank {node} on node {node}", "events")]
        assert events.begin_ps.tolist() == own["emitted_ps"].tolist()
        assert events.end_ps.tolist() == own["done_ps"].tolist()
        assert [events.names[number] for number in events.name] == own["type"].tolist()
        lost = own[own["lost_cause"].notna()]
        assert len(lost) > 0
        losses = by_path[(f"rank {node} on node {node}", "losses")]
        assert sorted(losses.begin_ps.tolist()) == sorted(lost["true_ps"].tolist())
        program = by_path[(f"rank {node} on node {node}", "program")]
        assert "computing" in program.names
        assert not placed(program).lane.any()  # nested, none beside another
    sent, taken = (np.concatenate([getattr(one, column) for one in line.states]) for column in ("id", "cause"))
    assert sorted(sent[sent > 0]) == sorted(taken[taken > 0]) == sorted(lossy.messages["message"])
    levels = {one.path[-1]: one for one in line.statistics}
    assert levels["frames lost"].values[-1] == lossy.result["monitor"]["frames"]["lost"] > 0
