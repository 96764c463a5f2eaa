# SPDX-License-Identifier: BSD-3-Clause
"""The boards, their buses and readers, in the order of the data flow."""

from __future__ import annotations

from collections.abc import Sequence

from hypermon._model.words import SPACE, count, data, nanoseconds, plural, three_digits
from hypermon.monitors.hypermon.facts import BoardRun
from hypermon.report.drawing import Line, Panel, Part
from hypermon.report.parts import Values, lost


def panels(values: Values, title: str, parts: Sequence[Part]) -> list[Panel]:
    """The parts of the machine under the HYPERMON monitor."""
    run = BoardRun.from_run(values.run)
    return [
        Panel(title, "nodes", [*parts, _port(values)]),
        Panel("cabinet", "board", [_backplane(values)]),
        Panel(_boards_title(run), "board", _board(values), len(run.boards)),
        Panel(f"{plural(len(run.boards), 'I/O node')}", "io", _io_node(values), len(run.boards)),
    ]


def _port(values: Values) -> Part:
    return Part(
        "performance port",
        [
            values.line("port.width_bits", "strobe + {} data bits"),
            values.line("port.delay", f"{nanoseconds(BoardRun.from_run(values.run).pitch_ns)} a datum (delay {{}})"),
            values.line("port.nibble_cost_ns", f"{{}}{SPACE}ns without delay"),
        ],
    )


def _backplane(values: Values) -> Part:
    return Part(
        "backplane, ERB",
        [
            values.line("erb.propagation_ns", f"delay {{}}{SPACE}ns"),
            Line(f"{plural(values.run.monitor['strobes'], 'strobe')}"),
        ],
        lost(values.run, "erb"),
    )


def _boards_title(run: BoardRun) -> str:
    one = f"{len(run.boards)} event capture boards of" if len(run.boards) > 1 else "event capture board (ECB),"
    return f"{one} {run.spec['ecb']['inputs']} inputs, 20{SPACE}MHz"


def _board(values: Values) -> list[Part]:
    run = BoardRun.from_run(values.run)
    frames = run.monitor["frames"]
    full = {"drop": "drops the newest", "drop_oldest": "drops the oldest", "stall": "stalls"}

    def policy(path: str) -> Line:
        line = values.line(path)
        return Line(f"full: {full[str(values[path])]}", line.changed, line.title)

    accumulate = (
        [values.line("ecb.accumulate_bits", "collects words of {} bits")] if values["ecb.accumulate_bits"] else []
    )
    stamp = values.line("ecb.timestamp_policy")
    every = {"every": "in every frame", "on_request": "in flagged frames"}[str(values["ecb.timestamp_policy"])]
    return [
        Part(
            "node FIFOs",
            [*accumulate, values.line("ecb.node_fifo_entries", "{} entries each"), policy("ecb.node_fifo_full")],
            lost(run, "strobe_input", "node_fifo", "accumulator"),
        ),
        Part(
            "sampler, vector FIFO",
            [
                values.line("ecb.window_ns", f"windows of {{}}{SPACE}ns"),
                values.line("ecb.vector_fifo_entries", "{} vectors"),
                values.line("ecb.timestamp_bits", "timestamps of {} bits"),
                Line(every, stamp.changed, stamp.title),
            ],
            lost(run, "strobe_vector_fifo"),
        ),
        Part(
            "frame builder",
            [
                values.line("ecb.builder_cycles", f"{{}} cycles, {nanoseconds(run.builder_ns)} a frame"),
                Line(f"{count(frames['built'])} built"),
                Line(f"{count(frames['merged'])} data merged"),
            ],
        ),
        Part(
            "frame FIFO",
            [
                values.line("ecb.frame_fifo_frames", "{} frames"),
                policy("ecb.frame_fifo_full"),
                Line(f"peak {count(frames['peak_occupancy'])}"),
            ],
            lost(run, "frame_fifo", "board"),
            min(1.0, frames["peak_occupancy"] / run.depth),
        ),
    ]


def _io_node(values: Values) -> list[Part]:
    run = BoardRun.from_run(values.run)
    spec, drain = run.spec, run.monitor["drain"]
    stall = spec["reader"]["stall_ns"]
    reader = [values.line("reader.kind")]
    if spec["reader"]["kind"] == "group":
        reader = [
            values.line("reader.kind", "in groups"),
            values.line("reader.group_ns", f"{{}}{SPACE}ns a group"),
            values.line("reader.frame_ns", f"{{}}{SPACE}ns a frame"),
        ]
        if spec["reader"]["stall_every_frames"]:
            reader.append(
                values.line(
                    "reader.stall_ns",
                    f"away {nanoseconds(stall)} every {count(spec['reader']['stall_every_frames'])}",
                )
            )
    reduction = [values.line("drain.reduction")]
    if spec["drain"]["reduction"] != "none":
        reduction.append(Line(f"{drain['reducing_s']:.3g}{SPACE}s of CPU"))
    kept = Line(f"{data(drain['bytes_kept'])} kept")
    destination = {
        "discard": [Line("decoded, overwritten")],
        "memory": [values.line("drain.memory_bytes", f"{{}}{SPACE}B"), kept],
        "cfs": [
            values.line("drain.cfs_disk_mb_per_s", f"{{}}{SPACE}MB/s a disk"),
            values.line("drain.cfs_disks", "{} disks"),
            kept,
        ],
        "host": [values.line("drain.host_message_bytes", f"messages of {{}}{SPACE}B"), kept],
    }[str(spec["drain"]["destination"])]
    return [
        Part(
            "PBX bus",
            [
                values.line(
                    "pbx.word_ns", f"{{}}{SPACE}ns a word, {three_digits(4e3 / spec['pbx']['word_ns'])}{SPACE}MB/s"
                ),
                Line(f"{nanoseconds(run.read_ns)} a frame"),
                Line(f"{data(drain['bytes_read'])} read"),
            ],
            lost(run, "pbx"),
        ),
        Part("reader", reader),
        Part("reduction", reduction),
        Part(
            {"discard": "decoder", "memory": "memory", "cfs": "CFS disks", "host": "host"}[
                str(spec["drain"]["destination"])
            ],
            [values.line("drain.destination", "to: {}"), *destination],
            lost(run, "io_node", "decoder"),
        ),
    ]
