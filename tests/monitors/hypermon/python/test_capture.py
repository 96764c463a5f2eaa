# SPDX-License-Identifier: BSD-3-Clause
"""The board alone, on arrays: counts and frames computed by hand, bad input, and designs."""

from __future__ import annotations

import pickle
import re
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import hypermon as package
from hypermon.errors import UserError
from hypermon.monitors.hypermon import capturing
from hypermon.monitors.hypermon.capturing import Capture

pytestmark = pytest.mark.usefixtures("fake")

# The contract's constants (secs. 1 to 3), in edges of 50 ns.
EDGE_NS = 50
WINDOW = 800 // EDGE_NS
TO_POP = 1
BUILD = 8
TO_START = 1
READ = 4 * 800 // EDGE_NS


def capture(strobes: list[tuple[int, int, int]], settings: dict[str, Any] | None = None) -> Capture:
    """Strobes (time_ns, node, datum), with frames."""
    times, nodes, data = ([strobe[i] for strobe in strobes] for i in range(3))
    return package.capture(package.design("hypermon", settings), times, nodes, data, frames=True)


def pushed(window: int) -> int:
    """The edge at which the frame of a window reaches the frame FIFO, if the builder is idle."""
    return (window + 1) * WINDOW + TO_POP + BUILD


def test_one_strobe_is_one_frame_read_when_the_contract_says() -> None:
    c = capture([(0, 0, 5)])
    assert c.to_dict() == dict.fromkeys(capturing.COUNTS, 0) | {
        "strobes": 1,
        "frames_built": 1,
        "drained": 1,
        "peak_frame_fifo": 1,
        "first_overrun_ns": None,
        "end_ns": (WINDOW + TO_POP + BUILD + TO_START + READ) * EDGE_NS,
    }


def test_a_strobe_on_the_boundary_belongs_to_the_next_window() -> None:
    last, first = capture([(799, 0, 5)]), capture([(800, 0, 5)])
    assert last.frames is not None
    assert first.frames is not None
    assert last.frames["timestamp"].tolist() == [0]
    assert first.frames["timestamp"].tolist() == [1]
    assert first.end_ns - last.end_ns == WINDOW * EDGE_NS


def test_data_of_one_window_are_one_frame_with_the_words_of_the_bus() -> None:
    c = capture([(0, 15, 0xA), (1, 8, 0xB), (1, 7, 0xC), (799, 0, 0xD)])
    assert (c.frames_built, c.merged) == (1, 3)
    assert c.frames is not None
    assert c.frames.dtype == np.dtype(
        [("data", "<u4", (2,)), ("vector", "<u4"), ("timestamp", "<u4"), ("read_ns", "<i8")]
    )
    (frame,) = c.frames
    assert frame["data"].tolist() == [0xA << 28 | 0xB, 0xC << 28 | 0xD]  # nodes 15 to 8, nodes 7 to 0
    assert frame["vector"] == 1 << 15 | 1 << 8 | 1 << 7 | 1 << 0
    assert frame["read_ns"] == c.end_ns


def test_the_second_datum_of_a_node_in_a_window_is_aliasing_and_the_first_is_kept() -> None:
    c = capture([(0, 3, 1), (10, 3, 6), (800, 3, 2)])
    assert (c.aliasing, c.merged, c.frames_built) == (1, 0, 2)
    assert c.frames is not None
    assert c.frames["data"][:, 1].tolist() == [1 << 12, 2 << 12]


def test_frames_are_lost_while_the_only_place_is_taken() -> None:
    # The first frame leaves at its push + TO_START + READ; a frame that is pushed at that edge still finds it in the
    # FIFO.
    c = capture([(k * 800, 0, k) for k in range(6)], {"ecb.frame_fifo_frames": 1})
    leaves = pushed(0) + TO_START + READ
    lost = [k for k in range(1, 6) if pushed(k) <= leaves]
    assert lost == [1, 2, 3, 4]
    assert (c.frames_built, c.frames_lost, c.drained) == (6, len(lost), 2)
    assert c.first_overrun_ns == pushed(1) * EDGE_NS
    assert c.frames is not None
    assert c.frames["timestamp"].tolist() == [0, 5]
    assert c.end_ns == (pushed(5) + TO_START + READ) * EDGE_NS


@pytest.mark.parametrize(("nodes", "lost"), [(1, "node_overruns"), (16, "windows_lost")])
def test_at_200_ns_the_builder_falls_behind_and_a_fifo_before_it_is_full(nodes: int, lost: str) -> None:
    # Every window has a strobe. With one node, its FIFO has as many entries as the strobe-vector FIFO and is full
    # first. With sixteen nodes in turn, the strobe-vector FIFO is full first.
    c = capture([(k * 200, k % nodes, 1) for k in range(1000)], {"ecb.window_ns": 200})
    other = {"node_overruns", "windows_lost"} - {lost}
    assert c.to_dict()[lost]
    assert not any(c.to_dict()[name] for name in other)
    assert c.discarded == c.windows_lost
    assert c.strobes == c.frames_built + c.merged + c.node_overruns + c.discarded + c.aliasing == 1000
    assert c.frames_built == c.frames_lost + c.drained
    # The builder is never idle between the first window's end and the last frame built.
    assert c.frames_built <= 1000 * 200 // (BUILD * EDGE_NS) + 64 + 2


def test_no_strobes_are_no_frames() -> None:
    c = capture([])
    assert (c.strobes, c.end_ns, c.peak_frame_fifo) == (0, 0, 0)
    assert c.frames is not None
    assert c.frames.shape == (0,)


def test_frames_come_only_when_asked_for() -> None:
    c = package.capture(package.design(), [0], [0], [0])
    assert c.frames is None
    with pytest.raises(UserError, match="frames: were not requested"):
        c.frames_to_pandas()


def test_counts_and_frames_open_in_pandas() -> None:
    c = capture([(0, 0, 5), (900, 9, 6)])
    assert c.to_pandas()["frames_built"] == 2
    table = c.frames_to_pandas()
    assert list(table.columns) == ["data0", "data1", "vector", "timestamp", "read_ns"]
    assert table["data1"].tolist() == [5, 0]
    assert table["data0"].tolist() == [0, 6 << 4]


def test_arrays_of_other_types_are_the_same_strobes_if_nothing_is_lost() -> None:
    strobes = [(0, 1, 3), (2000, 2, 4)]
    expected = capture(strobes).to_dict()
    times, nodes, data = (np.array(column) for column in zip(*strobes, strict=True))
    design = package.design()
    wide = np.repeat(times, 2)[::2]  # not contiguous
    for given in (
        (times.astype(float), nodes.astype(np.int16), data.astype(np.float32)),
        (times.astype(">i8"), nodes.astype(np.uint64), data.astype(np.int8)),
        (wide, nodes.astype(np.uint8), data.astype(np.uint32)),
        (pd.Series(times), list(nodes), tuple(data)),
    ):
        assert package.capture(design, *given).to_dict() == expected


GOOD: dict[str, Any] = {"time_ns": [0, 10, 20], "node": [0, 1, 2], "datum": [1, 2, 3]}


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        ({"time_ns": [0, 10, 9]}, "time_ns[2] = 9: must not be before time_ns[1] = 10"),
        ({"time_ns": [-1, 10, 20]}, "time_ns[0] = -1: must be 0 to 4000000000000000"),
        ({"time_ns": [0, 10, 2**62]}, f"time_ns[2] = {2**62}: must be 0 to 4000000000000000"),
        ({"time_ns": np.array([0, 10, 2**63], np.uint64)}, f"time_ns[2] = {2**63}: must be a whole number from 0 to"),
        ({"time_ns": [0, 10, 20.5]}, "time_ns[2] = 20.5: must be a whole number from 0 to"),
        ({"time_ns": [0, 10, np.nan]}, "time_ns[2] = nan: must be a whole number from 0 to"),
        ({"node": [0, 16, 2]}, "node[1] = 16: must be 0 to 15, the board has ecb.inputs = 16"),
        ({"node": np.array([0, 16, 2], np.uint8)}, "node[1] = 16: must be 0 to 15, the board has ecb.inputs = 16"),
        ({"node": [0, 300, 2]}, "node[1] = 300: must be a whole number from 0 to 15"),
        ({"node": [0, 1, -1]}, "node[2] = -1: must be a whole number from 0 to 15"),
        ({"datum": [1, 16, 3]}, "datum[1] = 16: must be 0 to 15, data have port.width_bits = 4"),
        ({"datum": [1, 2**32, 3]}, f"datum[1] = {2**32}: must be a whole number from 0 to 15"),
        ({"datum": [1, 2]}, "time_ns, node, datum: must be of equal length, not 3, 3 and 2"),
        ({"node": [[0, 1, 2]]}, "node: must be an array of one dimension, not of 2"),
        ({"node": 3}, "node: must be an array of one dimension, not of 0"),
        ({"node": ["0", "1", "2"]}, "node: must be numbers (uint8), not <U1"),
        ({"datum": [1, None, 3]}, "datum: must be numbers (uint32), not object"),
    ],
)
def test_strobes_that_cannot_be_are_named(bad: dict[str, Any], message: str) -> None:
    with pytest.raises(UserError) as caught:
        package.capture(package.design(), **(GOOD | bad))
    assert str(caught.value).startswith(message)


# --- designs ---


def test_a_design_is_the_prototype_with_what_was_said_over_it() -> None:
    design = package.design("hypermon", {"ecb.window_ns": "0.4 us", "pbx": {"word_ns": 500}})
    assert (design["ecb.window_ns"], design["pbx.word_ns"], design["ecb.frame_fifo_frames"]) == (400, 500, 1024)
    assert repr(design) == "hypermon.design('hypermon', {'ecb.window_ns': 400, 'pbx.word_ns': 500})"
    assert repr(package.design()) == "hypermon.design('hypermon')"


def test_a_design_is_a_value() -> None:
    one = package.design("hypermon", {"ecb.window_ns": 400})
    same = package.design().with_({"ecb.window_ns": 400})
    assert one == same
    assert len({one, same, package.design()}) == 2
    assert pickle.loads(pickle.dumps(one)) == one
    assert one != package.design()
    assert package.design()["ecb.window_ns"] == 800


def test_presets_are_laid_over_each_other(scenarios: Path) -> None:
    (scenarios / "presets").mkdir()
    (scenarios / "presets" / "half.yaml").write_text("description: d\nset: {ecb.window_ns: 400}\n")
    (scenarios / "presets" / "loop.yaml").write_text("description: d\nset: {port.delay: 3}\n")
    assert package.design("half") == package.design("hypermon", {"ecb.window_ns": 400})
    assert package.design(["half", "hypermon"]) == package.design()
    with pytest.raises(UserError, match=r"hypermno: no such preset; did you mean hypermon\? \(hypermon.design\)"):
        package.design("hypermno")
    with pytest.raises(
        UserError, match=r"port.delay: is not of the board alone \(scenarios/presets/loop.yaml, line 2\)"
    ):
        package.design("loop")


@pytest.mark.parametrize(
    ("overrides", "message"),
    [
        ({"ecb.windw_ns": 400}, "ecb.windw_ns: no such parameter; did you mean ecb.window_ns?"),
        ({"ecb.window_ns": 30}, "ecb.window_ns = 30: must be a multiple of 50"),
        ({"ecb[0].window_ns": 400}, "ecb[0].window_ns: there is one board here, set ecb.window_ns"),
        ({"port.delay": 3}, "port.delay: is not of the board alone"),
        ({"ecb": 3}, "ecb: is a group of parameters"),
    ],
)
def test_an_override_that_cannot_be_is_named(overrides: dict[str, Any], message: str) -> None:
    for make, where in (
        (lambda o: package.design("hypermon", o), "hypermon.design"),
        (package.design().with_, "with_"),
    ):
        with pytest.raises(UserError, match=re.escape(message)) as caught:
            make(overrides)
        assert str(caught.value).endswith(f"{where})")
