# SPDX-License-Identifier: BSD-3-Clause
"""README.md of an RTL project."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from hypermon._model.schema import Value
from hypermon.monitors.hypermon.rtl_project.excerpts import Excerpt
from hypermon.monitors.hypermon.rtl_project.structure import Structure
from hypermon.monitors.hypermon.rtl_project.synthesis import Resources

if TYPE_CHECKING:
    from hypermon._core import Played

_MEANING = {
    "INPUTS": ("ecb.inputs", "inputs of the board"),
    "WIDTH": ("port.width_bits", "data bits of a strobe"),
    "DATA_PER_WORD": ("ecb.accumulate_bits", "strobes whose data form one word"),
    "WINDOW_CYCLES": ("ecb.window_ns", "clock cycles of a window"),
    "NODE_ENTRIES": ("ecb.node_fifo_entries", "words in each node FIFO"),
    "VECTOR_ENTRIES": ("ecb.vector_fifo_entries", "windows in the strobe-vector FIFO"),
    "FRAMES": ("ecb.frame_fifo_frames", "frames in the frame FIFO"),
    "BUILDER_CYCLES": ("ecb.builder_cycles", "clock cycles in which the frame builder makes a frame"),
    "TIMESTAMP_BITS": ("ecb.timestamp_bits", "bits of a timestamp"),
    "STAMP_ON_REQUEST": ("ecb.timestamp_policy", "1: only frames with a flagged datum have a timestamp"),
    "NODE_STALLS": ("ecb.node_fifo_full", "1: a full node FIFO holds the node's write"),
    "VECTOR_DROPS_OLDEST": ("ecb.vector_fifo_full", "1: a full strobe-vector FIFO drops the oldest window"),
    "FRAME_DROPS_OLDEST": ("ecb.frame_fifo_full", "1: a full frame FIFO drops the oldest unread frame"),
    "FRAME_STALLS": ("ecb.frame_fifo_full", "1: a full frame FIFO holds the frame builder"),
}
_EXPECTED = {
    "frames_built": "frames built",
    "drained": "frames read",
    "frames_lost": "frames lost",
    "windows_lost": "windows lost",
    "node_overruns": "words lost at full node FIFOs",
    "aliasing": "words lost because their window already had one of the same input",
}


def text(
    name: str,
    board: int,
    values: Mapping[str, Value],
    structure: Structure,
    excerpt: Excerpt,
    played: Played,
    resources: Resources | None,
) -> str:
    """Returns the page."""
    return "\n".join(
        [
            f"# The capture board of {name} as hardware",
            "",
            f"`hypermon rtl` wrote this folder. It has the Verilog of board {board}, and a test bench that compares it"
            " with hypermon's functional model. `board.v` is the top module.",
            "",
            *_parameters(values, structure),
            *_running(),
            *_checked(values, excerpt, played),
            *_resources(resources),
        ]
    )


def _parameters(values: Mapping[str, Value], structure: Structure) -> list[str]:
    rows = [
        f"| `{name}` | {structure[name]} | `{path}` = {values[path]} | {meaning} |"
        for name, (path, meaning) in _MEANING.items()
    ]
    return [
        "## Parameters",
        "",
        "| parameter of the Verilog | value | parameter of the design | meaning |",
        "| --- | ---: | --- | --- |",
        *rows,
        "",
        "The clock runs at 20 MHz. `design.vh` has these values.",
        "",
    ]


def _running() -> list[str]:
    return [
        "## How to run it",
        "",
        "| command | needs (Debian package) | effect |",
        "| --- | --- | --- |",
        "| `make iverilog` | `iverilog` | runs the test bench under Icarus Verilog |",
        "| `make verilator` | `verilator` (5 or later), `g++` | runs the test bench under Verilator |",
        "| `make yosys` | `yosys` | synthesizes the board for an iCE40 and writes `build/stat.json` |",
        "| `make clean` | | deletes the folder `build` |",
        "",
        "`make iverilog FLAGS=+waves` writes `bench.vcd` for a wave viewer. The bench skips clock cycles in which the"
        " board is idle; `FLAGS=+every_cycle` simulates them all.",
        "",
    ]


def _checked(values: Mapping[str, Value], excerpt: Excerpt, played: Played) -> list[str]:
    counts: Mapping[str, object] = dict(played["counts"])
    reader = "ideal reader" if values["reader.kind"] == "ideal" else "group reader"
    return [
        "## What is checked",
        "",
        f"{excerpt.about} The bench plays {excerpt.strobes} strobes from the begin of a window on. The timestamps"
        " count windows from there.",
        "",
        f"The {reader} of the design reads the frames over the register bus, with {values['pbx.word_ns']} ns a word."
        " The bench compares each word, the clock edge at which each frame has been read, and at the end these counts:",
        "",
        "| count | expected |",
        "| --- | ---: |",
        *(f"| {title} | {counts[name]} |" for name, title in _EXPECTED.items()),
        "",
        "It prints `PASS`, or `FAIL` with the first difference. After `FAIL` the exit status is not 0.",
        "",
        "Faults of the design (`faults.*`) and the time that its drain program takes (`drain.*`) are not part of the"
        " bench.",
        "",
    ]


def _resources(resources: Resources | None) -> list[str]:
    if resources is None:
        return ["## Resources", "", "The board was not synthesized (`hypermon rtl --synthesize`).", ""]
    return [
        "## Resources",
        "",
        f"{resources.tool} synthesizes the board for an iCE40:",
        "",
        "| resource | number |",
        "| --- | ---: |",
        f"| look-up tables with four inputs | {resources.luts} |",
        f"| flip-flops | {resources.flip_flops} |",
        f"| block RAMs of 4096 bits | {resources.memory_blocks} |",
        "",
    ]
