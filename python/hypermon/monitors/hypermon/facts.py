# SPDX-License-Identifier: BSD-3-Clause
"""A run with the HYPERMON monitor, and quantities of boards, buses and readers that follow from its result alone."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from hypermon._model.words import per
from hypermon.monitors.hypermon.recorded import Recorded
from hypermon.report.facts import Run

EDGE_NS = 50  # the ECB's clock, contract section 1


@dataclass(frozen=True)
class BoardRun(Run):
    """`recorded`: of its recording, if it has one."""

    recorded: Recorded | None = None

    @classmethod
    def from_run(cls, run: Run) -> BoardRun:
        return cls(run.result, run.recorded, run.baseline)

    @cached_property
    def boards(self) -> list[dict[str, Any]]:
        """The parameters of each event capture board."""
        number = math.ceil(self.spec["nodes"] / self.spec["ecb"]["inputs"])
        return [{**self.spec["ecb"], **self.spec.get(f"ecb[{board}]", {})} for board in range(number)]

    @property
    def pitch_ns(self) -> float:
        """Time of writing one datum to the port (contract section 5)."""
        port = self.spec["port"]
        return float(port["nibble_cost_ns"] + port["delay"] * port["delay_iteration_ns"])

    # The boards and their readers: means over all boards.

    @property
    def built_per_s(self) -> float:
        """Frames built on a board."""
        return float(self.monitor["frames"]["built"]) / self.elapsed_s / len(self.boards) if self.elapsed_s else 0.0

    @property
    def fullest_per_s(self) -> float:
        """Frames captured on a board, and not lost, in the busiest hundredth of the run."""
        rates = self.result.get("rates")
        if not rates or not rates["frames"]:
            return self.built_per_s
        return per(float(max(rates["frames"])), float(rates["interval_s"])) / len(self.boards)

    @property
    def most_per_s(self) -> float:
        """Upper bound of the frames per second of a board: one for each window, and one for each datum of its nodes."""
        windows = 1e9 / min(int(board["window_ns"]) for board in self.boards)
        nodes = min(int(self.spec["nodes"]), int(self.spec["ecb"]["inputs"]))
        return min(windows, nodes * 1e9 / self.pitch_ns)

    @property
    def words_per_frame(self) -> float:
        drained = self.monitor["frames"]["drained"]
        return float(self.monitor["drain"]["bytes_read"]) / 4 / drained if drained else 0.0

    @property
    def read_ns(self) -> float:
        """Time of one frame on the PBX: its words, up to the next edge of the clock (contract section 6)."""
        words = self.words_per_frame * float(self.spec["pbx"]["word_ns"])
        return math.ceil((words + (self._burst_start_ns if words else 0)) / EDGE_NS - 1e-9) * float(EDGE_NS)

    @property
    def _burst_start_ns(self) -> float:
        """Time before the first word of a frame. Results from before this parameter have none."""
        return float(self.spec["pbx"].get("burst_start_ns", 0))

    @property
    def end_s(self) -> float:
        """Time at which the program has ended and the last frame has been read."""
        return max(self.elapsed_s, float(self.monitor["end_s"]))

    @property
    def bus_busy(self) -> float:
        """Share of the time until `end_s` in which words were read; at most 1."""
        words = float(self.monitor["drain"]["bytes_read"]) / 4
        busy_ns = words * float(self.spec["pbx"]["word_ns"]) + self.monitor["frames"]["drained"] * self._burst_start_ns
        return busy_ns * 1e-9 / len(self.boards) / self.end_s if self.end_s else 0.0

    def bus_asked(self, frames_per_s: float) -> float:
        """Share of the bus's time that reading `frames_per_s` takes. Above 1 the bus cannot keep up."""
        return frames_per_s * self.read_ns * 1e-9

    @property
    def builder_busy(self) -> float:
        """Share of the time in which frames were built; at most 1, and less on boards with faster builders."""
        built = float(self.monitor["frames"]["built"])
        return min(1.0, built * self.builder_ns * 1e-9 / len(self.boards) / self.end_s) if self.end_s else 0.0

    @property
    def service_ns(self) -> float:
        """Mean time for one frame while frames always wait: reading, stalls of the reader and processing of the data.

        A group's own cost is left out: groups are long then.
        """
        reader, drain = self.spec["reader"], self.monitor["drain"]
        time = float(self.read_ns)
        if self.monitor["frames"]["drained"]:
            time += 1e9 * float(drain["reducing_s"] + drain["waiting_s"]) / self.monitor["frames"]["drained"]
        if reader["kind"] == "group":
            time += float(reader["frame_ns"])
            if reader["stall_every_frames"]:
                time += float(reader["stall_ns"]) / reader["stall_every_frames"]
        return time

    @property
    def builder_ns(self) -> int:
        """Time of the slowest board's frame builder."""
        return max(int(board["builder_cycles"]) for board in self.boards) * EDGE_NS

    @property
    def depth(self) -> int:
        """Depth of the shallowest frame FIFO."""
        return min(int(board["frame_fifo_frames"]) for board in self.boards)
