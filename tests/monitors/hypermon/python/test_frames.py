# SPDX-License-Identifier: BSD-3-Clause
"""Frame files, written here from the format's description, without hypermon's own writer."""

from __future__ import annotations

import json
import struct
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hypermon._model import catalogues
from hypermon.errors import UserError
from hypermon.monitors.hypermon import frames
from tests.conftest import Hypermon

INFO: dict[str, Any] = {
    "inputs": 16,
    "width_bits": 4,
    "accumulate_bits": 0,
    "timestamp_bits": 32,
    "on_request": False,
    "wrap_frames": False,
    "window_ns": 800,
    "pitch_ns": 26140.0,
    "clock_resolution_ns": 1000,
    "board": 1,
    "first_node": 16,
}
FIRST_DELTA = 0xFEDC  # delta of a node's first event
NAMES = {event.code: event.name for event in catalogues.events("nx2")}
CODES = {name: code for code, name in NAMES.items()}
Words = tuple[int, ...]


def packed(values: list[int] | Words) -> bytes:
    return struct.pack(f"<{len(values)}I", *values)


def contents(all_frames: list[Words], info: dict[str, Any] = INFO, block: int = 4) -> bytes:
    head = b"hypermon-frames 1 " + json.dumps(info).encode()
    out = head + b" crc32 %08x\n" % zlib.crc32(head)
    for i in range(0, len(all_frames), block):
        words = [word for frame in all_frames[i : i + block] for word in frame]
        counts = packed([len(all_frames[i : i + block]), len(words), zlib.crc32(packed(words))])
        out += counts + packed([zlib.crc32(counts)]) + packed(words)
    end = packed([0, 0, len(all_frames)])
    return out + end + packed([zlib.crc32(end)])


def prototype_frame(nibbles: dict[int, int], window: int) -> Words:
    data = sum(nibble << 4 * node for node, nibble in nibbles.items())
    return data >> 32, data & 0xFFFFFFFF, sum(1 << node for node in nibbles), window % 2**32


def nibbles_of(record: bytes) -> list[int]:
    return [nibble for byte in record for nibble in (byte & 15, byte >> 4)]


TICK = nibbles_of(struct.pack("<BHIIB", CODES["tick"], FIRST_DELTA, 0x01020304, 7, 0))
MARK = nibbles_of(struct.pack("<BHB", CODES["user"], FIRST_DELTA, 99))


def board() -> list[Words]:
    """A tick of input 0 and a mark of input 3 that begins in the same window."""
    windows = [1000 + int(i * 26140 / 800) for i in range(len(TICK))]
    return [
        prototype_frame({0: TICK[i]} | ({3: MARK[i]} if i < len(MARK) else {}), window)
        for i, window in enumerate(windows)
    ]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "board.hmf"
    path.write_bytes(contents(board()))
    return path


def damaged(tmp_path: Path, data: bytes) -> Path:
    path = tmp_path / "damaged.hmf"
    path.write_bytes(data)
    return path


def test_frames_come_as_arrays(file: Path) -> None:
    found = frames.read(file)
    assert dict(found.info) == INFO | {"catalogue": "nx2"}  # the header may omit it
    assert len(found) == len(TICK)
    assert found.vector.tolist() == [9] * len(MARK) + [1] * (len(TICK) - len(MARK))
    assert found.data.shape == (len(TICK), 16)
    assert found.data[:, 0].tolist() == TICK
    assert found.data[: len(MARK), 3].tolist() == MARK
    assert not found.data[:, [1, 2, *range(4, 16)]].any()
    assert found.stamped.dtype == bool
    assert found.stamped.all()
    assert found.time_ns[0] == 1000 * 800


def test_timestamps_are_unwrapped(tmp_path: Path) -> None:
    info = INFO | {"timestamp_bits": 8}
    windows = [3, 250, 260, 515, 771]  # at most 256 windows apart
    path = damaged(tmp_path, contents([prototype_frame({0: 1}, k % 256) for k in windows], info))
    assert frames.read(path).window.tolist() == windows


def test_frames_on_request_may_have_no_timestamp(tmp_path: Path) -> None:
    info = INFO | {"inputs": 8, "on_request": True}
    path = damaged(tmp_path, contents([(5, 1 << 31 | 1, 40), (0x60, 2), (7, 1 << 31 | 1, 50)], info))
    found = frames.read(path)
    assert found.stamped.tolist() == [True, False, True]
    assert found.vector.tolist() == [1, 2, 1]
    assert found.window.tolist() == [40, 41, 50]  # without a timestamp: the earliest possible window


def test_events_come_as_a_structured_array(file: Path) -> None:
    decoded = frames.decode(file)
    assert not len(decoded.damaged)
    mark, tick = decoded.events  # the mark is complete first
    assert (mark["node"], NAMES[int(mark["type"])], mark["args"].tolist()) == (19, "user", [99, 0, 0])
    assert (tick["node"], tick["args"].tolist()) == (16, [0x01020304, 7, 0])
    assert tick["delta_us"] == FIRST_DELTA
    assert tick["window"] == 1000
    assert tick["time_ns"] == 1000 * 800


@pytest.mark.parametrize(("width", "accumulate"), [(8, 0), (16, 0), (32, 0), (4, 32), (8, 32)])
def test_wider_words_give_the_same_event(tmp_path: Path, width: int, accumulate: int) -> None:
    info = INFO | {"inputs": 1, "width_bits": width, "accumulate_bits": accumulate, "first_node": 0}
    bits = max(width, accumulate)
    record = sum(nibble << 4 * i for i, nibble in enumerate(TICK))
    pitch_ns = 26140 * bits // width
    words: list[Words] = [
        (record >> bits * i & (1 << bits) - 1, 1, 500 + i * pitch_ns // 800) for i in range(len(TICK) * 4 // bits)
    ]
    decoded = frames.decode(damaged(tmp_path, contents(words, info)))
    assert decoded.events["args"].tolist() == [[0x01020304, 7, 0]]
    assert decoded.events["window"].tolist() == [500]


class TestDamage:
    def test_a_truncated_file_gives_all_frames_before_the_cut(self, tmp_path: Path) -> None:
        whole = contents(board())
        header = whole.index(b"\n") + 1
        first_blocks = header + 2 * (16 + 4 * 16)  # four frames of four words a block
        path = damaged(tmp_path, whole[: first_blocks + 16 + 2 * 16 + 5])  # in the third block's third frame
        with pytest.raises(frames.FrameFileError, match=r"damaged\.hmf: frame 10: the file is truncated") as caught:
            frames.read(path)
        error: frames.FrameFileError[frames.FrameFile] = caught.value
        assert (error.frame, error.reason) == (10, "the file is truncated")
        assert error.before.data[:, 0].tolist() == TICK[:10]

    def test_a_flipped_bit_costs_its_block_and_what_follows(self, tmp_path: Path) -> None:
        data = bytearray(contents(board()))
        data[data.index(b"\n") + 1 + 16 + 64 + 16 + 20] ^= 4  # in the second block
        with pytest.raises(frames.FrameFileError, match="frame 4: wrong checksum of the block of 4 frames") as caught:
            frames.decode(damaged(tmp_path, bytes(data)))
        before: frames.Decoded = caught.value.before
        assert not len(before.events)
        assert before.damaged["nibbles"].sum() == 2 * 4  # four frames of two nodes

    def test_another_file_is_none(self, tmp_path: Path) -> None:
        with pytest.raises(UserError, match="not a frame file"):
            frames.read(damaged(tmp_path, b"\x7fELF and so on"))
        with pytest.raises(UserError, match="cannot be read"):
            frames.read(tmp_path / "none.hmf")


class TestCommand:
    def test_summary(self, hypermon: Hypermon, file: Path) -> None:
        done = hypermon("frames", str(file))
        assert (done.returncode, done.stderr) == (0, "")
        assert "board 1: 16 inputs from node 16 on, 4-bit ports, 32-bit timestamps in every frame" in done.stdout
        # Of 24 + 8 nibbles the 8 of the mark came in frames that another node's nibble had made.
        assert "merged  25.00 % of the data" in done.stdout
        assert [line.split() for line in done.stdout.splitlines()[-3:]] == [["tick", "1"], ["user", "1"], ["all", "2"]]

    def test_json(self, hypermon: Hypermon, file: Path) -> None:
        summary = json.loads(hypermon("frames", str(file), "--json").stdout)
        assert summary["format"] == INFO | {"catalogue": "nx2"}
        assert (summary["frames"], summary["merged_share"]) == (24, 0.25)
        assert summary["events"] == {"tick": 1, "user": 1}
        events = json.loads(hypermon("frames", str(file), "--events", "--json").stdout)
        assert [(e["node"], e["type"], e["arg0"]) for e in events] == [(16, "tick", 0x01020304), (19, "user", 99)]

    def test_events_and_csv(self, hypermon: Hypermon, file: Path) -> None:
        listed = hypermon("frames", str(file), "--events").stdout.splitlines()
        assert listed[0].split() == list(frames.COLUMNS)
        assert listed[2].split()[:4] == ["800000", "19", "user", "99"]  # two events at one time are ordered by node
        table = hypermon("frames", str(file), "--csv").stdout.splitlines()
        assert table[0] == ",".join(frames.COLUMNS)
        assert table[2] == f"800000,19,user,99,0,0,{FIRST_DELTA},1000"

    def test_a_damaged_file_prints_what_is_intact_and_exits_with_1(self, hypermon: Hypermon, tmp_path: Path) -> None:
        path = damaged(tmp_path, contents(board())[:-30])
        done = hypermon("frames", str(path), "--json")
        assert done.returncode == 1
        # 30 bytes: the end block's 16, and a frame's last 14.
        assert json.loads(done.stdout)["frames"] == 23
        assert done.stderr == f"error: {path}: frame 23: the file is truncated\n"

    def test_no_frame_file_exits_with_2(self, hypermon: Hypermon, tmp_path: Path) -> None:
        done = hypermon("frames", str(damaged(tmp_path, b"text")))
        assert (done.returncode, done.stdout) == (2, "")
        assert "not a frame file" in done.stderr


def test_arrays_are_as_the_stubs_say(file: Path) -> None:
    found = frames.read(file)
    assert [a.dtype for a in (found.vector, found.window, found.data)] == [np.dtype(t) for t in ("u4", "u8", "u4")]
