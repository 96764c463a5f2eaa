# SPDX-License-Identifier: BSD-3-Clause
"""The board alone must agree with whole runs, also for frame formats, with the built worker's parameters."""

from __future__ import annotations

import threading
import time
from pathlib import Path

import numpy as np
import pytest

import hypermon as package
from hypermon.errors import UserError
from hypermon.monitors.hypermon import capturing
from hypermon.monitors.hypermon.capturing import Capture, Design

pytestmark = [pytest.mark.worker, pytest.mark.usefixtures("worker")]


def test_strobes_of_a_recorded_run_are_counted_as_in_the_run(tmp_path: Path) -> None:
    small = {"nodes": 8, "place.accepted": 300, "place.attempts": 1200}
    recording = package.record("table2/place", settings=small, out=tmp_path / "run")
    times, nodes, data = [], [], []
    for bursts in recording.batches():
        for i in range(len(bursts)):
            strobes = np.arange(bursts.offsets[i + 1] - bursts.offsets[i])
            # Whole nanoseconds suffice: edges and windows are at multiples of 50.
            times.append((bursts.first_ps[i] + strobes * bursts.spacing_ps[i]) // 1000)
            nodes.append(np.full(len(strobes), bursts.node[i], np.uint8))
            data.append(bursts.data[bursts.offsets[i] : bursts.offsets[i + 1]])
    order = np.argsort(np.concatenate(times), kind="stable")
    captured = package.capture(
        package.design(),
        np.concatenate(times)[order],
        np.concatenate(nodes)[order],
        np.concatenate(data)[order].astype(np.uint32) & 15,
    )
    frames = recording.result["monitor"]["frames"]
    assert captured.merged
    assert captured.frames_built == frames["built"]
    assert captured.merged == frames["merged"]
    assert captured.frames_lost == frames["lost"]
    assert captured.drained == frames["drained"]
    assert captured.peak_frame_fifo == frames["peak_occupancy"]


def captured(settings: dict[str, object]) -> Capture:
    """One datum of node 2 in window 5."""
    return package.capture(package.design("hypermon", settings), [5 * 800], [2], [7], frames=True)


@pytest.mark.parametrize(("bits", "stamp", "type_"), [(2, 1, "<u4"), (32, 5, "<u4"), (40, 5, "<u8")])
def test_the_timestamp_is_the_window_modulo_its_bits(bits: int, stamp: int, type_: str) -> None:
    frames = captured({"ecb.timestamp_bits": bits}).frames
    assert frames is not None
    assert frames["timestamp"].dtype == np.dtype(type_)
    assert frames["timestamp"].tolist() == [stamp]


@pytest.mark.parametrize(("inputs", "width"), [(4, 4), (16, 4), (16, 16), (32, 32), (3, 8)])
def test_a_frame_has_as_many_data_words_as_its_inputs_need(inputs: int, width: int) -> None:
    frames = captured({"ecb.inputs": inputs, "port.width_bits": width}).frames
    assert frames is not None
    words = -(-inputs * width // 32)
    assert frames["data"].shape == (1, words)
    expected = [0] * words
    expected[words - 1 - 2 * width // 32] = 7 << 2 * width % 32  # the highest input first
    assert frames["data"][0].tolist() == expected


def test_without_a_flagged_datum_a_frame_on_request_has_no_timestamp() -> None:
    frames = captured({"ecb.timestamp_policy": "on_request"}).frames
    assert frames is not None
    assert (frames["vector"].tolist(), frames["timestamp"].tolist()) == ([1 << 2], [0])


def test_words_that_collect_data_wait_for_the_last() -> None:
    design = package.design("hypermon", {"ecb.accumulate_bits": 32})
    c = package.capture(design, np.arange(20) * 1000, np.zeros(20, np.uint8), np.full(20, 3, np.uint32))
    assert (c.strobes, c.frames_built, c.accumulating) == (20, 20 // 8, 20 % 8)


def test_every_parameter_of_the_board_is_one_of_a_design() -> None:
    assert {path.partition(".")[0] for path in package.design()} == {"port", "ecb", "pbx", "reader"}
    assert "ecb.reset_skew_ns" not in package.design()
    assert "port.width_bits" in package.design()
    for path, default in package.design().items():
        assert capturing.design("hypermon", {path: default}) == package.design()


@pytest.fixture
def followed() -> Design:
    """A design whose reader has costs: there is no closed form, so that strobes are simulated one by one."""
    return package.design("hypermon", {"reader.kind": "group", "reader.group_ns": 1})


def test_what_has_no_closed_form_refuses_the_same_strobes(followed: Design) -> None:
    for design in (followed, package.design()):
        with pytest.raises(UserError, match=r"^datum\[5000\] = 16: must be 0 to 15"):
            package.capture(
                design, np.arange(9000), np.zeros(9000, np.uint8), (np.arange(9000) == 5000) * np.uint32(16)
            )


def test_other_threads_go_on_meanwhile(followed: Design) -> None:
    # A reader with costs has no closed form, so that this takes some tenths of a second. If the lock were held, no tick
    # would happen in that time.
    n = 3_000_000
    times, nodes, data = np.arange(n) * 1000, np.zeros(n, np.uint8), np.zeros(n, np.uint32)

    def goes_on() -> bool:
        span: list[float] = []

        def work() -> None:
            span.append(time.perf_counter())
            package.capture(followed, times, nodes, data)
            span.append(time.perf_counter())

        thread = threading.Thread(target=work)
        ticks = []
        thread.start()
        while thread.is_alive():
            ticks.append(time.perf_counter())
        thread.join()
        quarter = (span[1] - span[0]) / 4
        return any(span[0] + quarter < tick < span[1] - quarter for tick in ticks)

    assert any(goes_on() for _ in range(5))  # a busy machine may pause a thread for that long, but not each time
