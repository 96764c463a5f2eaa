# SPDX-License-Identifier: BSD-3-Clause
"""Limits of a design: each rule's sentence contains the numbers that follow from the result."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from hypermon._model import worker as workers
from hypermon._model.result import Result
from hypermon._model.words import SPACE, count, nanoseconds, percent, plural, seconds, three_digits
from hypermon.monitors.hypermon.facts import BoardRun
from hypermon.monitors.hypermon.recorded import Recorded
from hypermon.monitors.hypermon.report import rules_of_buffers as buffers
from hypermon.monitors.hypermon.report import rules_of_nodes as nodes
from hypermon.monitors.hypermon.report import rules_of_time as time
from hypermon.monitors.software import report as software_page
from hypermon.report import charts, rules, view
from hypermon.report.facts import Run
from tests.python import report_data
from tests.python.report_data import ELAPSED_S, FRAMES, NIBBLES, WORDS, lose, result

READ_NS = WORDS * 800
FRONTIER: dict[str, list[float]] = {
    "word_ns": [400, 800],
    "least_depth": [1000, 3000],
    "bandwidth_bytes_per_s": [1e7, 5e6],
    "bound": [1500, 4000],
}
RECORDED = Recorded({}, {}, FRONTIER)


def findings(run: Run) -> list[rules.Finding]:
    return view.find(run.kind).findings(run)


def titles(made: dict[str, Any], **more: Any) -> list[str]:
    return [finding.title for finding in findings(Run(made, **more))]


def overrun(**changes: Any) -> dict[str, Any]:
    """A result in which a tenth of the frames found the frame FIFO full."""
    made = lose(result(**changes), "frame_fifo", "overrun", NIBBLES // 10, 5)
    made["monitor"]["frames"] |= {"lost": FRAMES // 10, "peak_occupancy": 1024}
    made["monitor"]["first_overrun_s"] = 0.5
    return made


def change(made: dict[str, Any], **more: Any) -> str:
    found = buffers.frame_fifo_overrun(BoardRun(made, **more))
    assert found is not None
    assert found.level == rules.PROBLEM
    return found.change.replace(SPACE, " ")


def test_a_run_without_loss_says_so_and_by_how_much_the_frame_fifo_was_too_deep() -> None:
    assert "Nothing was lost" in titles(result())
    found = buffers.frame_fifo_margin(BoardRun(result()))
    assert found is not None
    assert f"{three_digits(1024 / 100)} times" in found.title
    assert "a depth of 101 would have lost nothing" in found.text


def test_a_frame_fifo_that_was_nearly_full_is_a_limit() -> None:
    found = buffers.frame_fifo_margin(BoardRun(result(**{"monitor.frames.peak_occupancy": 1000})))
    assert found is not None
    assert found.level == rules.LIMIT
    assert percent(1000 / 1024) in found.text


def test_an_overrun_says_how_much_was_lost_and_when_first() -> None:
    found = buffers.frame_fifo_overrun(BoardRun(overrun()))
    assert found is not None
    assert f"{count(FRAMES // 10)} of {plural(FRAMES, 'frame')} ({percent(0.1)})" in found.text
    assert f"first after {seconds(0.5)}" in found.text
    assert "Nothing was lost" not in titles(overrun())
    assert buffers.frame_fifo_overrun(BoardRun(result())) is None


def test_no_depth_is_advised_where_more_comes_than_can_ever_be_read() -> None:
    word_ns = 2 * 1e9 * ELAPSED_S / FRAMES / WORDS  # reading a frame takes twice the interval between frames
    advice = change(overrun(**{"spec.pbx.word_ns": word_ns}))
    assert "No depth is enough in the long run" in advice
    assert f"less than {seconds(word_ns * 1e-9 / 2).replace(SPACE, ' ')} instead of" in advice


def test_the_depth_and_the_word_time_that_would_have_sufficed_come_from_the_recording() -> None:
    advice = change(overrun(), recorded=RECORDED)
    assert "a depth of 3 000 frames" in advice
    assert "words of 400 ns at this depth" in advice


def test_the_frontier_of_an_ideal_reader_is_not_claimed_for_a_reader_that_stays_away() -> None:
    stalls = {"spec.reader.kind": "group", "spec.reader.stall_ns": 20_000_000, "spec.reader.stall_every_frames": 10_000}
    advice = change(overrun(**stalls), recorded=RECORDED)
    most_per_s = 8 / (8850 + 20 * 864.5) * 1e9  # every node writes all the time
    assert "3 000" not in advice
    assert f"At most {count(most_per_s * 0.02)} frames can arrive".replace(SPACE, " ") in advice
    assert f"{count(FRAMES / ELAPSED_S * 0.02)} do in the busiest hundredth".replace(SPACE, " ") in advice
    assert 4096 < most_per_s * 0.02 <= 8192
    assert "A depth of about 8 192" in advice
    assert f"pauses well under {seconds(1024 / most_per_s)}".replace(SPACE, " ") in advice


def test_no_more_frames_can_come_than_windows() -> None:
    assert BoardRun(result(**{"spec.port.delay": 0, "spec.port.nibble_cost_ns": 750.0})).most_per_s == 1e9 / 800


def test_a_reader_of_its_own_time_gets_the_depth_that_it_would_have_needed() -> None:
    stalls = {"spec.reader.kind": "group", "spec.reader.stall_ns": 20_000_000, "spec.reader.stall_every_frames": 10_000}
    assert "A depth of 1 533 would have lost nothing (exact" in change(
        overrun(**stalls), recorded=Recorded(enough=1533)
    )
    assert "a depth of 1 533 frames" in change(overrun(**{"spec.reader.kind": "group"}), recorded=Recorded(enough=1533))


def test_without_recording_an_overrun_of_bursts_is_told_from_a_lack_of_bandwidth() -> None:
    capacity = 1e9 / READ_NS
    assert f"{three_digits(capacity / (FRAMES / ELAPSED_S))} times what comes on average" in change(overrun())


def test_the_bus_is_busy_for_the_words_read_times_the_time_of_a_word() -> None:
    found = nodes.bus(BoardRun(result()))
    assert found is not None
    assert found.level == rules.GOOD
    assert percent(FRAMES * READ_NS * 1e-9 / ELAPSED_S) in found.text


def test_a_bus_that_is_read_on_after_the_programs_end_was_busy_all_the_time_and_not_more() -> None:
    word_ns = 3200  # a frame every 10 us, which takes 12.8 us to read
    read_s = FRAMES * WORDS * word_ns * 1e-9
    run = BoardRun(result(**{"spec.pbx.word_ns": word_ns, "monitor.end_s": read_s}))
    assert run.bus_busy == pytest.approx(1)
    assert run.built_per_s * run.read_ns * 1e-9 == pytest.approx(1.28)  # not a share of time, so that it may exceed 1
    found = nodes.bus(run)
    assert found is not None
    assert found.level == rules.LIMIT
    assert f"busy {percent(1)} of the {seconds(read_s)}" in found.text
    assert f"at most {nanoseconds(word_ns * rules.BUSY / 1.28)} instead" in found.change


@pytest.mark.worker
def test_no_part_of_a_real_run_is_busy_more_than_all_the_time(tmp_path: Path, worker: Path) -> None:  # noqa: ARG001
    made = report_data.run(tmp_path / "run", **{"pbx.word_ns": 40_000, "ecb.frame_fifo_frames": 1 << 20})
    run = BoardRun(Result(made))
    assert run.built_per_s * run.read_ns * 1e-9 > 1  # more frames arrived than the bus can carry
    assert 0.9 < run.bus_busy <= 1
    assert run.builder_busy <= 1


def everything_that_goes_wrong() -> list[Run]:
    """Runs to which each of the rules applies."""
    made = [
        overrun(),
        overrun(**{"spec.pbx.word_ns": 4000}),
        overrun(**{"spec.reader": {"kind": "group", "frame_ns": 0, "stall_ns": 6_000_000, "stall_every_frames": 8500}}),
        result(**{"monitor.frames.peak_occupancy": 1000}),
        result(**{"rates.frames": [0] * 99 + [FRAMES]}),
        result(**{"spec.ecb.builder_cycles": 17}),
        result(**{"monitor.node_overruns": 3}),
        result(**{"monitor.windows_lost": 3, "spec.ecb.frame_fifo_full": "stall"}),
        result(**{"monitor.aliasing": 4}),
        result(**{"monitor.aliasing": 4, "spec.port.delay": 0, "spec.port.nibble_cost_ns": 100}),
        result(**{"monitor.ambiguous_silences": 2}),
        result(**{"spec.ecb.timestamp_bits": 8}),
        result(**{"spec.port.delay": 0, "spec.port.width_bits": 32}),
        result(**{"monitor.drain.bytes_lost": 100}),
        result(**{"monitor.held_s": 1.0}),
        result(**{"causality_violations": 1}),
        result(**{"causality_violations": 1, "spec.monitor": "software", "monitor.buffer_bytes": [900]}),
    ]
    return [Run(one) for one in made] + [Run(overrun(), recorded=RECORDED)]


@pytest.mark.worker
def test_what_to_change_names_a_parameter_that_there_is(worker: Path) -> None:  # noqa: ARG001
    schema = workers.schema()
    seen = set()
    for run in everything_that_goes_wrong():
        for finding in findings(run):
            if finding.change:
                seen.add(finding.title)
                paths = re.findall(r"[a-z_]+\.[a-z_]+", finding.change)
                assert paths, finding
                assert all(path in schema.parameters for path in paths), finding
            elif finding.level == rules.PROBLEM:
                assert finding.title == "Losses elsewhere"
    assert len(seen) >= 12


def test_a_bus_that_is_full_in_one_hundredth_is_the_bottleneck() -> None:
    frames = [0] * 99 + [int(0.9 * 0.1e9 / READ_NS)]
    found = nodes.bus(BoardRun(result(**{"rates.frames": frames})))
    assert found is not None
    assert found.level == rules.LIMIT
    assert percent(frames[-1] / 0.1 * READ_NS * 1e-9) in found.text


def test_a_word_that_ends_between_two_edges_of_the_clock_takes_the_next() -> None:
    assert BoardRun(result(**{"spec.pbx.word_ns": 222})).read_ns == 900  # 4 x 222 = 888


def test_loads_are_means_over_the_boards() -> None:
    assert BoardRun(result(**{"spec.nodes": 64})).built_per_s == FRAMES / ELAPSED_S / 4


def test_a_builder_slower_than_the_windows_is_a_limit_and_one_as_fast_is_none() -> None:
    slow = buffers.builder(BoardRun(result(**{"spec.ecb.window_ns": 350})))
    fast = buffers.builder(BoardRun(result(**{"spec.ecb.window_ns": 400})))
    assert slow is not None
    assert fast is not None
    assert (slow.level, fast.level) == (rules.LIMIT, rules.GOOD)
    assert "at most 7 cycles" in slow.change


def test_the_board_with_the_shortest_windows_counts() -> None:
    found = buffers.builder(BoardRun(result(**{"spec.nodes": 32, "spec.ecb[1]": {"window_ns": 200}})))
    assert found is not None
    assert found.level == rules.LIMIT


def test_losses_before_the_builder_are_told_with_their_numbers() -> None:
    made = result(**{"monitor.node_overruns": 7, "monitor.windows_lost": 3, "monitor.discarded": 5})
    found = buffers.builder_overrun(BoardRun(made))
    assert found is not None
    assert all(part in found.text.replace(SPACE, " ") for part in ("7 data", "3 windows", "5 nibbles"))
    assert buffers.builder_overrun(BoardRun(result())) is None


def test_aliasing_means_that_the_pitch_is_shorter_than_the_window() -> None:
    changes = {"monitor.aliasing": 9, "spec.port.delay": 0, "spec.port.nibble_cost_ns": 770.0}
    found = time.aliasing(BoardRun(lose(result(**changes), "strobe_input", "aliasing", 9, 1)))
    assert found is not None
    assert "every 770 ns" in found.text.replace(SPACE, " ")
    assert "at most 750 ns" in found.change.replace(SPACE, " ")
    assert time.aliasing(BoardRun(result())) is None


def test_aliasing_of_nodes_that_are_slow_enough_is_put_down_to_faults() -> None:
    found = time.aliasing(BoardRun(result(**{"monitor.aliasing": 9})))
    assert found is not None
    assert "faults" in found.change


@pytest.mark.parametrize(("bits", "wraps"), [(24, 0), (23, 1), (20, 11)])
def test_timestamps_wrap_as_often_as_their_period_fits_into_the_run(bits: int, wraps: int) -> None:
    assert wraps == int(ELAPSED_S // (2**bits * 800e-9))
    found = time.timestamps_wrap(BoardRun(result(**{"spec.ecb.timestamp_bits": bits})))
    assert (found is None) == (wraps == 0)
    assert found is None or plural(wraps, "time") in found.title


def test_silences_that_cannot_be_unwrapped_are_a_problem_even_without_loss() -> None:
    found = time.timestamps_wrap(BoardRun(result(**{"monitor.ambiguous_silences": 2})))
    assert found is not None
    assert found.level == rules.PROBLEM


def test_the_writes_to_the_port_are_split_into_delay_and_cost() -> None:
    found = nodes.emission(BoardRun(result()))
    assert found is not None
    pitch = 8850 + 20 * 864.5
    assert percent(2 / ELAPSED_S) in found.text
    assert percent(20 * 864.5 / pitch) in found.change
    assert "8 bits" in found.change


def test_faults_are_named_and_their_settings_alone_are_none() -> None:
    assert "Faults were injected" not in titles(result())
    found = nodes.injected_faults(BoardRun(result(**{"spec.faults.skew_ns": 400})))
    assert found is not None
    assert "faults.skew_ns = 400" in found.text


def test_losses_that_no_rule_explains_are_named_by_stage_and_cause() -> None:
    found = rules.other_losses(BoardRun(lose(result(), "erb", "skew", 12, 3)))
    assert found is not None
    assert "the ERB (skew)" in found.text
    found = rules.other_losses(BoardRun(lose(result(), "decoder", "resync", 0, 3)))
    assert found is not None
    assert "events whose data all arrived" in found.text
    assert "Losses elsewhere" not in titles(overrun())


def sampled(lost: int) -> Run:
    """A run under a monitor that takes samples and emits nothing."""
    ledger = {key: {"samples": 0, "events": 0} for key in ("generated", "delivered", "in_flight", "lost_total")}
    ledger["generated"]["samples"] = 2000
    ledger["lost_total"]["samples"] = lost
    ledger["delivered"]["samples"] = 2000 - lost
    places = [{"stage": "network", "cause": "dropped", "samples": lost, "events": 0}] if lost else []
    made = result(**{"spec.monitor": "none", "events": 0})
    return Run(made | {"ledger": {"unit": "samples", **ledger, "lost": places}, "sampling": {}})


def test_a_monitor_that_samples_is_judged_in_samples() -> None:
    run = sampled(0)
    found = rules.nothing_lost(run)
    assert found is not None
    assert found.text.replace(SPACE, " ") == "All 2 000 samples arrived."
    run = sampled(1)
    found = rules.other_losses(run)
    assert found is not None
    assert found.text.replace(SPACE, " ") == "Lost: 1 sample at the network (dropped)."
    ledger = charts.ledger(run)
    assert ledger is not None
    assert ledger.table is not None
    assert ledger.table.columns == ("", "samples", "of samples")
    assert list(ledger.variants) == ["samples"]


def test_memory_that_was_full_tells_what_would_hold_it_all() -> None:
    made = result(**{"monitor.drain.bytes_lost": 3000, "monitor.drain.bytes_kept": 1000})
    found = buffers.memory_full(BoardRun(made))
    assert found is not None
    assert "4 KB an I/O node" in found.change.replace(SPACE, " ")


def software(fullest: int, lost: int = 0) -> dict[str, Any]:
    made = result(**{"spec.monitor": "software", "monitor": {"buffer_bytes": [fullest, fullest // 2]}})
    made["ledger"] = {
        "unit": "bytes",
        "generated": {"bytes": 2000, "events": 100},
        "delivered": {"bytes": 2000 - lost, "events": 100},
        "in_flight": {"bytes": 0, "events": 0},
        "lost_total": {"bytes": lost, "events": 0},
        "lost": [{"stage": "node_memory", "cause": "buffer_full", "bytes": lost, "events": 0}],
    }
    return made


def test_a_trace_buffer_lasts_as_much_longer_as_it_is_emptier() -> None:
    found = software_page.buffer(Run(software(500)))
    assert found is not None
    assert found.level == rules.GOOD
    assert seconds(ELAPSED_S * 1000 / 500) in found.title


def test_full_trace_buffers_are_a_problem() -> None:
    found = software_page.buffer(Run(software(1000, lost=600)))
    assert found is not None
    assert found.level == rules.PROBLEM
    assert "1.6 KB a node" in found.change.replace(SPACE, " ")


def test_clocks_that_contradict_causality_are_a_problem() -> None:
    found = rules.causality(BoardRun(result(causality_violations=3)))
    assert found is not None
    assert plural(3, "message") in found.text
    assert rules.causality(BoardRun(result())) is None


def test_problems_come_before_limits_and_limits_before_what_is_good() -> None:
    levels = [finding.level for finding in findings(Run(overrun()))]
    assert levels == sorted(levels, key=(rules.PROBLEM, rules.LIMIT, rules.GOOD).index)
    assert set(levels) == {rules.PROBLEM, rules.LIMIT, rules.GOOD}


@pytest.mark.parametrize(
    ("share", "text"),
    [
        (0.0171, "1.71 %"),
        (1.0, "100 %"),
        (0.0, "0 %"),
        (0.99999, "99.999 %"),
        (0.9996, "99.96 %"),
        (1e-9, "less than 0.0001 %"),
    ],
)
def test_a_share_that_is_not_quite_everything_does_not_read_as_100_percent(share: float, text: str) -> None:
    assert percent(share).replace(SPACE, " ") == text


def test_timestamps_near_true_time_have_a_readable_unit() -> None:
    found = time.one_clock(BoardRun(result(**{"timestamp_error_us.max": -8.2e-5})))
    assert found is not None
    assert "\u2212800\u202fns to \u22120.082\u202fns: a window is 800\u202fns" in found.text
