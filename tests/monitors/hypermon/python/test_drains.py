# SPDX-License-Identifier: BSD-3-Clause
"""Kernels of hypermon._core that count many designs in one recording must agree with full replays."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from hypermon._engine.recorder import record
from hypermon._engine.recording import Recording
from hypermon._model.native import _core
from hypermon._model.spec import Spec
from hypermon.monitors.hypermon import replaying
from tests.monitors.hypermon.python.test_replay import BASE, EXAMPLES
from tests.python.little_place import SCENARIO

NIBBLES_PER_DATUM = 1  # nibbles of a datum at the prototype's port
NOT_APART = {
    "ecb.timestamp_policy",
    *(f"erb.{name}" for name in ("skew_ns", "setup_ns", "min_pulse_ns", "narrowing_ns", "pulse_ns", "seed")),
    "pbx.register_write_ns",
}
"""Parameters whose example needs a full replay, besides those of faults and of the drain program."""


def feed(kernel: Any, recording: Recording) -> Any:
    kernel.program_ends(recording.program_end_ps)
    for b in recording.batches():
        kernel.add(node=b.node, first_ps=b.first_ps, spacing_ps=b.spacing_ps, offsets=b.offsets, data=b.data)
    return kernel.finish()


@pytest.fixture(scope="module")
def recording(tmp_path_factory: pytest.TempPathFactory) -> Recording:
    return record(SCENARIO, settings=BASE, out=tmp_path_factory.mktemp("recording") / "run")


def examples(recording: Recording) -> dict[str, Spec]:
    specs = {path: replaying.resolve(recording, beside | {path: value}) for path, (value, beside) in EXAMPLES.items()}
    own = {"ecb[1].window_ns": 1600, "ecb[1].frame_fifo_frames": 3, "ecb.reset_skew_ns": 3000}
    return {"as recorded": recording.spec, "a board of its own": replaying.resolve(recording, own), **specs}


@pytest.mark.worker
def test_the_counts_are_those_of_full_replays_for_every_parameter_that_they_cover(recording: Recording) -> None:
    specs = examples(recording)
    apart = {path: spec for path, spec in specs.items() if _core.counts_apart(spec.native)}
    left_out = {path for path in specs if path not in apart and path.split(".")[0] not in {"faults", "drain"}}
    assert left_out == NOT_APART
    counts = feed(_core.CountReplay([spec.native for spec in apart.values()]), recording)
    outcomes = set()
    for number, (path, spec) in enumerate(apart.items()):
        rows = counts["design"] == number
        assert list(counts["board"][rows]) == list(range(-(-4 // int(spec.values["ecb.inputs"])))), path

        def total(name: str, rows: np.ndarray[Any, Any] = rows) -> int:
            return int(counts[name][rows].sum())

        result = replaying.replay_spec(recording, spec).to_dict()
        monitor = result["monitor"]
        overruns = counts["first_overrun_ps"][rows & (counts["first_overrun_ps"] >= 0)]
        assert monitor["frames"] == {
            "built": total("frames_built"),
            "lost": total("frames_lost"),
            "merged": total("merged"),
            "drained": total("drained"),
            "peak_occupancy": int(counts["peak_frame_fifo"][rows].max()),
        }, path
        assert {name: monitor[name] for name in ("strobes", "aliasing", "node_overruns", "windows_lost")} == {
            name: total(name) for name in ("strobes", "aliasing", "node_overruns", "windows_lost")
        }, path
        assert monitor["discarded"] == total("discarded"), path
        assert monitor["first_overrun_s"] == (int(overruns.min()) * 1e-12 if len(overruns) else None), path
        assert monitor["end_s"] == int(counts["end_ps"][rows].max()) * 1e-12, path
        lost = sum(total(name) for name in counts if name.startswith("lost_"))
        assert result["ledger"]["lost_total"]["nibbles"] == lost * NIBBLES_PER_DATUM, path
        read = (counts["drained"][rows].astype(int) * counts["frame_words"][rows] * 4).sum()
        assert monitor["drain"]["bytes_read"] == read, path
        outcomes.add((total("frames_lost"), total("windows_lost"), total("aliasing"), total("frames_built")))
    assert len(outcomes) > len(apart) / 3  # the examples differ, so that their agreement is meaningful


@pytest.mark.worker
def test_the_frontier_s_depth_loses_nothing_and_one_less_does(recording: Recording) -> None:
    board = 1
    frontier = feed(_core.Frontier(recording.spec.to_json(), [222, 800, 1500, 4000], board), recording)
    assert (frontier["depth_bound"] >= frontier["least_depth"]).all()
    assert (frontier["bytes_per_second"] == 4e9 / frontier["word_ns"]).all()
    for word, depth in zip(frontier["word_ns"], frontier["least_depth"], strict=True):
        specs = [
            replaying.resolve(recording, {"pbx.word_ns": int(word), "ecb.frame_fifo_frames": int(frames)}).native
            for frames in (depth, depth - 1)
            if frames > 0
        ]
        counts = feed(_core.CountReplay(specs), recording)
        lost = counts["frames_lost"][counts["board"] == board]
        assert lost[0] == 0
        assert (lost[1:] > 0).all()


@pytest.mark.worker
def test_the_time_line_adds_up_to_the_counts(recording: Recording) -> None:
    spec = replaying.resolve(recording, {"ecb.frame_fifo_frames": 2, "pbx.word_ns": 4000})
    counts = feed(_core.CountReplay([spec.native]), recording)
    assert counts["frames_lost"][0] > 0
    line = feed(_core.TimeLine(spec.to_json(), 10_000_000, 0), recording)
    assert line["frames_built"].sum() == counts["frames_built"][0]
    assert line["frames_lost"].sum() == counts["frames_lost"][0]
    assert line["lost"].sum() == counts["lost_frame_lost"][0]
    assert line["most"].max() == counts["peak_frame_fifo"][0] == len(line["histogram_ns"]) - 1
    assert line["histogram_ns"].sum() * 1000 == counts["end_ps"][0]
    assert len(line["most"]) == -(-counts["end_ps"][0] // (line["interval_ns"] * 1000))


DEFAULTS = _core.Specification("{}")


def columns(**changed: Any) -> dict[str, Any]:
    """Three bursts of two data each."""
    return {
        "node": np.array([0, 1, 0], np.uint16),
        "first_ps": np.array([10, 20, 9_000_000], np.int64),
        "spacing_ps": np.array([1_000_000] * 3, np.int64),
        "offsets": np.array([0, 2, 4, 6], np.int32),
        "data": np.zeros(6, np.uint8),
    } | changed


def test_read_only_columns_are_taken() -> None:
    given = columns()
    for column in given.values():
        column.flags.writeable = False
    kernel = _core.CountReplay([DEFAULTS])
    kernel.add(**given)
    assert kernel.finish()["strobes"].tolist() == [6]


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"first_ps": np.array([20, 10, 30], np.int64)}, "begins before"),
        ({"spacing_ps": np.array([-1, 0, 0], np.int64)}, "impossible times"),
        ({"spacing_ps": np.array([2**62, 0, 0], np.int64)}, "impossible times"),
        ({"offsets": np.array([0, 2, 4, 7], np.int32)}, "out of bounds"),
        ({"offsets": np.array([0, 2, 1, 6], np.int32)}, "out of bounds"),
        ({"offsets": np.array([-1, 2, 4, 6], np.int32)}, "out of bounds"),
        ({"first_ps": np.array([-1, 2, 4], np.int64)}, "begins before"),
        ({"node": np.array([1], np.uint16)}, "unequal length"),
    ],
)
def test_rows_that_cannot_be_a_recording_are_refused(changed: dict[str, Any], reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        _core.CountReplay([DEFAULTS]).add(**columns(**changed))


def test_a_design_that_needs_a_full_replay_is_refused() -> None:
    stalls = _core.Specification('{"ecb": {"frame_fifo_full": "stall"}}')
    assert not _core.counts_apart(stalls)
    with pytest.raises(ValueError, match="design 1 needs a full replay"):
        _core.CountReplay([DEFAULTS, stalls])
