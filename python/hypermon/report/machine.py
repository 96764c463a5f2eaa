"""The machine of a run: its parts with their parameters, and where data were lost."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from hypermon._model.schema import Schema, Value
from hypermon.report import topology
from hypermon.report.drawing import Line, Panel, Part
from hypermon.report.facts import Run
from hypermon.report.words import SPACE, count, data, figure, nanoseconds, percent, plural, three


@dataclass(frozen=True)
class Values:
    """Parameters of a run beside their defaults."""

    run: Run
    schema: Schema
    values: Mapping[str, Value] = field(default_factory=dict)

    def line(self, path: str, text: str = "{}") -> Line:
        """`text` with the value in place of {}."""
        value = self.values[path]
        known = self.schema.parameters.get(path)
        default = known.default if known else value
        single = any(
            own.split("].")[-1] == path.partition(".")[2] and own.startswith(path.partition(".")[0] + "[")
            for own in self.run.boards_own()
        )
        unit = f" {known.unit}" if known and known.unit else ""
        title = f"{path} = {_value(value)}{unit}" + (f", default {_value(default)}{unit}" if value != default else "")
        shown = text.format(_value(value)) + (" *" if single else "")
        return Line(shown, value != default or single, title)

    def __getitem__(self, path: str) -> Value:
        return self.values[path]


def _value(value: Value) -> str:
    return value.replace("_", " ") if isinstance(value, str) else figure(value)


def panels(values: Values) -> list[Panel]:
    """What there is of the machine under this run's monitor."""
    run = values.run
    nodes = run.spec["nodes"]
    program = Part("MPI program", [values.line("workload"), Line(f"seed {run.spec['seed']}")])
    title = ", ".join(filter(None, (plural(nodes, "compute node"), topology.name(run.spec))))
    if run.kind == "none":
        return [
            Panel(
                title,
                "nodes",
                [program, Part("no monitor", [Line("nothing is emitted,"), Line("nothing is recorded")])],
            )
        ]
    events = Part(
        "instrumentation",
        [
            Line(plural(run.result["events"], "event")),
            Line(f"{data(run.result['event_bytes'])} of data"),
            values.line("node.tick_ms", f"a tick every {{}}{SPACE}ms"),
        ],
    )
    if run.kind == "software":
        size = run.spec["software"]["buffer_bytes"]
        buffers = run.monitor["buffer_bytes"]
        memory = Part(
            "node memory",
            [
                values.line("software.buffer_bytes", f"{{}}{SPACE}B on each node"),
                values.line("software.us_per_byte", f"{{}}{SPACE}µs a byte to write"),
                Line(f"fullest {percent(max(buffers, default=0) / size)}"),
            ],
            _lost(run, "node_memory"),
            max(buffers, default=0) / size,
        )
        clock = Part(
            "node clocks",
            [
                values.line("node.clock_resolution_ns", f"resolution {{}}{SPACE}ns"),
                values.line("node.clock_offset_us", f"start ±{{}}{SPACE}µs apart"),
                values.line("node.clock_drift_ppm", f"drift within {{}}{SPACE}ppm"),
            ],
        )
        return [Panel(title, "nodes", [program, events, clock, memory])]
    return [
        Panel(title, "nodes", [program, events, _port(values)]),
        Panel("cabinet", "board", [_backplane(values)]),
        Panel(_boards_title(run), "board", _board(values), len(run.boards)),
        Panel(f"{plural(len(run.boards), 'I/O node')}", "io", _io_node(values), len(run.boards)),
    ]


def _lost(run: Run, *stages: str) -> str:
    entries = [entry for entry in run.result["ledger"]["lost"] if entry["stage"] in stages]
    units = sum(entry[run.unit] for entry in entries)
    if units:
        return f"{count(units)} {run.unit} lost"
    events = sum(entry["events"] for entry in entries)
    return f"{plural(events, 'event')} lost" if events else ""


def _port(values: Values) -> Part:
    return Part(
        "performance port",
        [
            values.line("port.width_bits", "strobe + {} data bits"),
            values.line("port.delay", f"{nanoseconds(values.run.pitch_ns)} a datum (delay {{}})"),
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
        _lost(values.run, "erb"),
    )


def _boards_title(run: Run) -> str:
    one = f"{len(run.boards)} event capture boards of" if len(run.boards) > 1 else "event capture board (ECB),"
    return f"{one} {run.spec['ecb']['inputs']} inputs, 20{SPACE}MHz"


def _board(values: Values) -> list[Part]:
    run = values.run
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
            _lost(run, "strobe_input", "node_fifo", "accumulator"),
        ),
        Part(
            "sampler, vector FIFO",
            [
                values.line("ecb.window_ns", f"windows of {{}}{SPACE}ns"),
                values.line("ecb.vector_fifo_entries", "{} vectors"),
                values.line("ecb.timestamp_bits", "timestamps of {} bits"),
                Line(every, stamp.changed, stamp.title),
            ],
            _lost(run, "strobe_vector_fifo"),
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
            _lost(run, "frame_fifo", "board"),
            min(1.0, frames["peak_occupancy"] / run.depth),
        ),
    ]


def _io_node(values: Values) -> list[Part]:
    run = values.run
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
                values.line("pbx.word_ns", f"{{}}{SPACE}ns a word, {three(4e3 / spec['pbx']['word_ns'])}{SPACE}MB/s"),
                Line(f"{nanoseconds(run.read_ns)} a frame"),
                Line(f"{data(drain['bytes_read'])} read"),
            ],
            _lost(run, "pbx"),
        ),
        Part("reader", reader),
        Part("reduction", reduction),
        Part(
            {"discard": "decoder", "memory": "memory", "cfs": "CFS disks", "host": "host"}[
                str(spec["drain"]["destination"])
            ],
            [values.line("drain.destination", "to: {}"), *destination],
            _lost(run, "io_node", "decoder"),
        ),
    ]
