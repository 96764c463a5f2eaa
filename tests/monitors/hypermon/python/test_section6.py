# SPDX-License-Identifier: BSD-3-Clause
"""Section 6 of the contract, end to end with the built worker: formats, faults, boards, and one merged trace."""

from __future__ import annotations

import itertools
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from hypermon._engine import runner
from hypermon._model.result import Result
from hypermon.monitors.hypermon import frames
from tests.conftest import Hypermon

pytestmark = [pytest.mark.worker, pytest.mark.usefixtures("worker")]
WINDOW_US = 0.8


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def place(**settings: Any) -> Result:
    small = {"nodes": 4, "place.accepted": 300, "place.attempts": 1200}
    return runner.run("table2/place", settings=small | {name.replace("__", "."): v for name, v in settings.items()})


def losses(result: Result) -> dict[tuple[str, str], int]:
    """Nibbles by (stage, cause)."""
    return {(loss["stage"], loss["cause"]): loss["nibbles"] for loss in result["ledger"]["lost"] if loss["nibbles"]}


def balanced(result: Result) -> bool:
    ledger = result["ledger"]
    return all(
        ledger["generated"][unit] == sum(ledger[key][unit] for key in ("delivered", "in_flight", "lost_total"))
        for unit in ("nibbles", "events")
    )


FORMATS = [
    (width, accumulate, policy, bits)
    for width, accumulate, policy, bits in itertools.product(
        (4, 8, 16, 32), (0, 32), ("every", "on_request"), (16, 32, 64)
    )
    # 16 bits wrap every 52 ms: the 50 ms tick of each node keeps them unambiguous.
]


@pytest.mark.parametrize(("width", "accumulate", "policy", "bits"), FORMATS)
def test_every_format_delivers_everything(width: int, accumulate: int, policy: str, bits: int) -> None:
    result = place(
        nodes=2, place__accepted=60, place__attempts=240, port__width_bits=width, ecb__accumulate_bits=accumulate,
        ecb__timestamp_policy=policy, ecb__timestamp_bits=bits,
    )  # fmt: skip
    ledger = result["ledger"]
    assert ledger["delivered"] == ledger["generated"]
    assert ledger["generated"]["events"] == result["events"] > 500
    assert losses(result) == {}
    monitor = result["monitor"]
    assert [monitor[key] for key in ("spurious_events", "falsified_events", "ambiguous_silences")] == [0, 0, 0]
    assert result["causality_violations"] == 0 or policy == "on_request"


FAULTS: dict[str, tuple[dict[str, Any], set[tuple[str, str]]]] = {
    "stuck strobe": ({"faults.stuck_at_ms": 5, "faults.stuck_for_ms": 50, "faults.stuck_nodes": 2},
                     {("erb", "stuck_strobe")}),
    "dropped strobe": ({"faults.drop_probability": 0.001}, {("erb", "dropped_strobe")}),
    "short pulse": ({"erb.min_pulse_ns": 300, "erb.narrowing_ns": 150}, {("erb", "short_pulse")}),
    "bus error": ({"faults.pbx_error_probability": 0.001}, {("pbx", "bus_error")}),
    # Words are collected over 200 us: some are incomplete at the reset, and the words do not close later.
    "reset": ({"faults.reset_at_us": 40000.0, "ecb.accumulate_bits": 32},
              {("board", "reset"), ("accumulator", "incomplete_word")}),
}  # fmt: skip


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_that_loses_data_has_a_cause_of_its_own(name: str) -> None:
    settings, causes = FAULTS[name]
    result = place(**settings)
    assert set(losses(result)) == causes
    assert balanced(result)
    ledger = result["ledger"]
    assert 0 < ledger["delivered"]["events"] < ledger["generated"]["events"]


def test_pulses_longer_than_the_pitch_lose_every_second_datum_of_a_record() -> None:
    result = place(erb__pulse_ns=30_000)
    assert set(losses(result)) == {("erb", "overlapping_pulse")}
    assert balanced(result)
    lost = result["monitor"]["erb"]["overlapping_pulses"]
    assert lost == result["ledger"]["lost_total"]["nibbles"]
    assert 0.4 < lost / result["ledger"]["generated"]["nibbles"] <= 0.5
    assert result["ledger"]["delivered"]["events"] == 0


def test_bits_that_settle_too_late_falsify_data_and_lose_no_strobe() -> None:
    result = place(erb__skew_ns=300, erb__setup_ns=200)
    monitor, ledger = result["monitor"], result["ledger"]
    assert monitor["strobes"] == ledger["generated"]["nibbles"]
    assert 0 < monitor["erb"]["unsettled_data"] < monitor["strobes"]
    assert losses(result) == {}
    assert ("erb", "unsettled_data") in {(loss["stage"], loss["cause"]) for loss in ledger["lost"] if loss["events"]}
    assert 0 < ledger["delivered"]["events"] < ledger["generated"]["events"]
    assert balanced(result)


@pytest.mark.parametrize("fault", [{"skew_ns": 500}, {"bit_error_probability": 0.0005}])
def test_a_fault_that_falsifies_data_loses_no_strobe(fault: dict[str, Any]) -> None:
    result = place(**{f"faults__{key}": value for key, value in fault.items()})
    monitor = result["monitor"]
    ledger = result["ledger"]
    assert monitor["strobes"] == ledger["generated"]["nibbles"]
    assert ledger["delivered"]["events"] < ledger["generated"]["events"]
    cause = "skew" if "skew_ns" in fault else "bit_error"
    assert ("erb", cause) in {(loss["stage"], loss["cause"]) for loss in ledger["lost"] if loss["events"]}
    assert balanced(result)


def test_what_is_lost_while_the_reader_is_away_is_lost_to_that() -> None:
    stop = {"faults__reader_stops_at_ms": 20, "faults__reader_stops_for_ms": 200, "ecb__frame_fifo_frames": 64}
    result = place(**stop)
    assert set(losses(result)) == {("frame_fifo", "reader_stopped")}
    assert result["monitor"]["overrun"]
    first_s = result["monitor"]["first_overrun_s"]
    assert first_s is not None
    assert 20e-3 <= first_s < 220e-3
    assert balanced(result)


def test_garbage_of_power_on_is_nobodys() -> None:
    result = place(faults__garbage_frames=50)
    assert result["monitor"]["garbage_nibbles"] > 0
    assert result["ledger"]["delivered"]["nibbles"] <= result["ledger"]["generated"]["nibbles"]
    assert balanced(result)
    reset = place(faults__garbage_frames=50, faults__reset_at_us=1.0)
    assert reset["monitor"]["garbage_nibbles"] == 0
    assert losses(reset) == {}


def test_garbage_that_a_bus_error_takes_is_not_delivered() -> None:
    whole = place(faults__garbage_frames=50)
    failing = place(faults__garbage_frames=50, faults__pbx_error_probability=0.3)
    assert 0 < failing["monitor"]["garbage_nibbles"] < whole["monitor"]["garbage_nibbles"]
    assert balanced(failing)


def test_memory_that_is_full_is_a_loss_of_its_own() -> None:
    result = place(drain__destination="memory", drain__memory_bytes=16384)
    drain = result["monitor"]["drain"]
    assert set(losses(result)) == {("io_node", "memory_full")}
    assert drain["bytes_kept"] + drain["bytes_lost"] == drain["bytes_read"] == result["logged_bytes"]
    assert drain["peak_buffer_bytes"] == drain["bytes_kept"] == 16384  # whole frames of 16 B
    assert balanced(result)


def test_destinations_of_the_io_node_alone_do_not_change_the_program() -> None:
    fingerprints = {
        place(drain__destination=to)["fingerprint"] for to in ("discard", "memory", "cfs", "host")
    }  # the four nodes do not share the host's channel
    assert len(fingerprints) == 1


@pytest.mark.parametrize("destination", ["discard", "host"])
@pytest.mark.parametrize(("events", "reset_at_us"), [(1, 0), (300, 0), (300, 7000)])
def test_stalling_node_fifos_that_never_fill_end_and_change_nothing(
    destination: str, events: int, reset_at_us: int, tmp_path: Path
) -> None:
    results = []
    for policy in ("stall", "drop"):
        settings = (f"generator.events={events}", f"ecb.node_fifo_full={policy}", f"drain.destination={destination}",
                    f"faults.reset_at_us={reset_at_us}")  # fmt: skip
        command = [sys.executable, "-c", "from hypermon.cli import main; main()", "run", "bandwidth/one_node"]
        command += ["--out", str(tmp_path / policy), *(word for setting in settings for word in ("--set", setting))]
        subprocess.run(command, check=True, timeout=60, capture_output=True)
        results.append(Result(tmp_path / policy).to_dict())
        assert results[-1].pop("spec")["ecb"]["node_fifo_full"] == policy
    assert results[0] == results[1]


def test_a_write_that_only_a_message_to_the_host_makes_room_for_goes_on(hypermon: Hypermon) -> None:
    full = ("ecb.node_fifo_full=stall", "ecb.frame_fifo_full=stall", "ecb.node_fifo_entries=1",
            "ecb.frame_fifo_frames=1", "ecb.vector_fifo_entries=1", "drain.destination=host",
            "drain.host_message_bytes=101", "limits.host_s=60")  # fmt: skip
    little = ("nodes=2", "generator.active=2", "generator.events=20")
    words = [word for setting in (*full, *little) for word in ("--set", setting)]
    assert hypermon("run", "bandwidth/one_node", *words, "--out", "run").returncode == 0
    result = Result(Path("run"))
    assert result["monitor"]["held_s"] > 0
    assert result["monitor"]["drain"]["messages"] > 10
    assert balanced(result)


def test_messages_to_the_host_end_with_wrap_frames() -> None:
    result = place(drain__destination="host", ecb__wrap_frames=True, ecb__timestamp_bits=12)
    assert result["monitor"]["drain"]["messages"] > 0
    assert balanced(result)


def test_a_board_may_differ_from_the_others() -> None:
    slow = {"ecb.inputs": 2, "reader.kind": "group", "reader.group_ns": 5000}
    result = place(**slow, **{"ecb[1].frame_fifo_frames": 1, "ecb[1].window_ns": 400})
    alike = place(**slow)
    assert losses(alike) == {}
    assert set(losses(result)) == {("frame_fifo", "overrun")}
    assert result["fingerprint"] == alike["fingerprint"]


def merged(result: Result) -> frames.Decoded:
    return frames.merge(sorted(Path(result.path).glob("board*.hmf")))


def test_all_boards_give_one_trace_in_one_order(hypermon: Hypermon) -> None:
    result = place(**{"ecb.inputs": 2, "drain.keep_frames": True})
    files = sorted(str(p) for p in Path(result.path).glob("board*.hmf"))
    assert [Path(f).name for f in files] == ["board0.hmf", "board1.hmf"]
    one = frames.merge(files)
    assert len(one.events) == result["events"]
    keys = [(int(e["time_ns"]), int(e["node"])) for e in one.events]
    assert keys == sorted(keys)
    assert {node for _, node in keys} == {0, 1, 2, 3}
    assert len({time for time, _ in keys}) < len(keys)  # there are ties
    assert (frames.merge(files[::-1]).events == one.events).all()  # in any order of the files
    for file in files:  # a board's own events are complete and in the order in which they began
        alone = frames.decode(file).events
        nodes = set(alone["node"].tolist())
        own = [e for e in one.events if int(e["node"]) in nodes]
        for node in nodes:
            assert [e["args"].tolist() for e in own if e["node"] == node] == [
                e["args"].tolist() for e in alone if e["node"] == node
            ]
    listed = json.loads(hypermon("frames", *files, "--events", "--json").stdout)
    assert [(e["time_ns"], e["node"]) for e in listed] == keys
    summaries = json.loads(hypermon("frames", *files, "--json").stdout)
    assert [s["format"]["board"] for s in summaries] == [0, 1]


def test_a_damaged_board_does_not_hide_the_others(hypermon: Hypermon) -> None:
    result = place(**{"ecb.inputs": 2, "drain.keep_frames": True})
    files = sorted(Path(result.path).glob("board*.hmf"))
    whole = frames.merge(files)
    files[0].write_bytes(files[0].read_bytes()[:2000])
    with pytest.raises(frames.FrameFileError, match=r"board0\.hmf: frame \d+: the file is truncated") as caught:
        frames.merge(files)
    before: frames.Decoded = caught.value.before
    of_board_1 = [int(e["node"]) >= 2 for e in whole.events]
    assert sum(int(e["node"]) >= 2 for e in before.events) == sum(of_board_1)
    assert len(before.events) < len(whole.events)
    assert hypermon("frames", *map(str, files), "--events").returncode == 1


def test_reset_skew_is_what_timestamps_are_wrong_by() -> None:
    skew_us = 400.0
    same = place(**{"ecb.inputs": 2, "drain.keep_frames": True})
    apart = place(**{"ecb.inputs": 2, "drain.keep_frames": True, "ecb.reset_skew_ns": int(skew_us * 1e3)})
    assert apart["fingerprint"] == same["fingerprint"]  # the nodes do not notice it
    error = same["timestamp_error_us"]["max"]
    skewed = apart["timestamp_error_us"]["max"]
    assert error <= WINDOW_US
    assert 2 * WINDOW_US < skewed <= skew_us + WINDOW_US
    # In the trace, board 1's events are late by its skew; board 0's are unchanged.
    shifts: dict[int, set[int]] = {}
    for node in range(4):
        times = [merged(r).events for r in (same, apart)]
        before, after = ([int(e["time_ns"]) for e in t if e["node"] == node] for t in times)
        shifts.setdefault(node // 2, set()).update(b - a for a, b in zip(before, after, strict=True))
    assert shifts[0] == {0}
    assert max(shifts[1]) - min(shifts[1]) <= WINDOW_US * 1e3
    assert abs(max(shifts[1]) - skewed * 1e3) <= 2 * WINDOW_US * 1e3


@pytest.mark.parametrize("seed", [1, 2])
def test_a_trace_is_the_same_for_the_same_specification(seed: int) -> None:
    settings = {"ecb.inputs": 2, "drain.keep_frames": True, "ecb.reset_skew_ns": 5000, "seed": seed}
    first = place(**settings)
    traces = [merged(first).events.tobytes()]
    again = runner.run("table2/place", out="again", settings={"nodes": 4, "place.accepted": 300, "place.attempts": 1200}
                       | settings)  # fmt: skip
    traces.append(merged(again).events.tobytes())
    assert traces[0] == traces[1]
