# SPDX-License-Identifier: BSD-3-Clause
"""The page of a run under the trace funnel."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from hypermon._engine import load
from hypermon._model.schema import flat
from hypermon._model.words import SPACE, count, data, nanoseconds, percent, plural, rate, seconds, three_digits
from hypermon.monitors.funnel import costs
from hypermon.report import rules
from hypermon.report.drawing import Line, Panel, Part
from hypermon.report.facts import Run
from hypermon.report.parts import Values, lost
from hypermon.report.rules import BUSY, FACT, GOOD, LIMIT, PROBLEM, Finding, sorted_findings
from hypermon.report.view import Tile, View

EXPLAINED = (("source", "fifo_full"), ("sink", "buffer_full"), ("sink", "overwritten"), ("analyst", "no_sync"))
"""Losses that a rule explains."""
CLOCK = "One counter dates all messages: a finer one (funnel_protocol.timestamp_ns)."


class FunnelView(View):
    phrases: ClassVar[Mapping[tuple[str, str], str]] = {
        ("source", "fifo_full"): "that a full source had no room for",
        ("sink", "buffer_full"): "that came when a sink's buffer was full",
        ("sink", "overwritten"): "that younger ones overwrote in a sink's buffer",
    }

    def findings(self, run: Run) -> list[Finding]:
        return sorted_findings(
            [
                rules.unseen(run),
                sources(run),
                sink(run),
                rules.causality(run, CLOCK),
                rules.other_losses(run, EXPLAINED),
                held(run),
                late(run),
                overhead(run),
                margin(run),
                rules.nothing_lost(run),
            ]
        )

    def panels(self, values: Values, title: str, parts: Sequence[Part]) -> list[Panel]:
        chips = _chips(values.run)
        return [
            Panel(title, "nodes", [*parts, _stores(values)]),
            Panel(f"{plural(chips, 'chip')}: sources and funnels", "board", _sources(values), chips),
            Panel(f"{plural(chips, 'chip')}: formatter and sink", "io", _sink(values), chips),
            Panel("host", "io", [_analyst(values.run)]),
        ]

    def tiles(self, run: Run) -> list[Tile]:
        stream, ledger = run.monitor["stream"], run.result["ledger"]
        entered = ledger["generated"]["bytes"] - run.lost("source", "fifo_full")
        tiles = [
            Tile(
                "Fullest source",
                f"{count(_fullest(run)[1])}{SPACE}B",
                f"of {count(_depth(run, _fullest(run)[0]))}{SPACE}B, node {_fullest(run)[0]}",
                level=PROBLEM if run.lost("source", "fifo_full") else "",
            ),
            Tile("Trace stream", data(stream["bytes"]), _of_events(run, entered)),
        ]
        if run.monitor["held_s"]:
            tiles.append(Tile("Nodes held", seconds(run.monitor["held_s"]), "by full sources, all nodes together"))
        return tiles


VIEW = FunnelView()


def _of_events(run: Run, entered: int) -> str:
    """Returns the share of the trace stream that is data of events. Empty: not known, since stores were dropped.

    A store has more bytes than its event's data.
    """
    stream, ledger = run.monitor["stream"], run.result["ledger"]
    if entered < ledger["generated"]["bytes"] or not stream["bytes"]:
        return ""
    return f"{percent(run.result['event_bytes'] / stream['bytes'])} of it data of events"


def sources(run: Run) -> Finding | None:
    dropped = run.lost("source", "fifo_full")
    if not dropped:
        return None
    each = [source["dropped"] for source in run.monitor["sources"]]
    worst = max(range(len(each)), key=lambda node: each[node])
    times = sum(source["overflows"] for source in run.monitor["sources"])
    found = load.compute(run.result)
    change = (
        "A faster sink (funnel_sink.burst_ns): what comes is more than it sends away, no FIFO is deep enough for ever."
        if found is not None and not found.lasts
        else "Deeper FIFOs (funnel_source.fifo_bytes; hypermon size says how deep), a FIFO behind the sources "
        "(funnel_source.link_words), or wider links."
    )
    return Finding(
        PROBLEM,
        "Sources were full",
        f"{data(dropped)} of {plural(sum(each), 'event')} found no room, {plural(times, 'time')}; most at node "
        f"{worst}: {count(each[worst])}. A source that has begun to drop goes on until it has drained.",
        change,
    )


def sink(run: Run) -> Finding | None:
    full, over, unread = (run.lost(*place) for place in EXPLAINED[1:])
    if not full and not over:
        return None
    behind = f" {data(unread)} more arrived behind a gap, before their source's next synchronisation." if unread else ""
    size = run.spec["funnel_sink"]["buffer_bytes"]
    kept = "the first events were kept" if full else "the last events were kept"
    return Finding(
        PROBLEM,
        "A sink's buffer was too small",
        f"{data(full + over)} of the nodes' data were lost in buffers of {data(size)}: {kept}.{behind}",
        f"A larger buffer (funnel_sink.buffer_bytes): {data(run.monitor['stream']['bytes'])} hold the whole stream; or "
        "one that holds the sources back (funnel_sink.full = stall).",
    )


def held(run: Run) -> Finding | None:
    spent = float(run.monitor["held_s"])
    if not spent:
        return None
    each = run.monitor["sources"]
    worst = max(range(len(each)), key=lambda node: float(each[node]["stalled_s"]))
    waited, times = float(each[worst]["stalled_s"]), plural(each[worst]["stalls"], "time")
    share = f" ({percent(waited / run.elapsed_s)} of the run)" if run.elapsed_s else ""
    return Finding(
        LIMIT,
        f"Full sources held the nodes for {seconds(spent)}",
        f"Node {worst} waited {seconds(waited)}{share}, {times}.",
        "Deeper FIFOs or a faster sink; funnel_source.full = drop loses instead.",
    )


def late(run: Run) -> Finding | None:
    events = run.monitor["late_events"]
    if not events or run.spec["funnel_sink"]["reads"] == "at_end":
        return None
    return Finding(
        GOOD,
        f"{plural(events, 'event')} came after the program had ended",
        f"The last burst reached the analyst {seconds(run.monitor['end_s'])} after the run's begin.",
    )


def overhead(run: Run) -> Finding | None:
    """Reports the share of the stream that is no data of the nodes."""
    stream, encoded = run.monitor["stream"], run.monitor["stream"]["encoded_bytes"]
    if not stream["bytes"]:
        return None
    own = run.result["ledger"]["generated"]["bytes"] - run.lost("source", "fifo_full")
    frames = stream["bytes"] - encoded
    return Finding(
        FACT,
        ", ".join(
            filter(
                None,
                (f"The nodes' stores are {percent(own / stream['bytes'])} of the trace stream", _of_events(run, own)),
            )
        ),
        f"Headers, timestamps and synchronisation of messages add {data(encoded - own)}, frames add {data(frames)}.",
        "Funnels that hold an input longer (funnel_link.hold) change the source less often; rarer synchronisation "
        "(funnel_protocol.sync_every, funnel_formatter.sync_frames).",
    )


def margin(run: Run) -> Finding | None:
    """Reports the occupancy of the sources, if none overflowed."""
    node, peak = _fullest(run)
    if run.lost("source", "fifo_full") or not peak:
        return None
    share = peak / _depth(run, node)
    text = f"Node {node}'s held {count(peak)} of {count(_depth(run, node))} B, the most of all ({percent(share)})."
    return Finding(GOOD if share < BUSY else LIMIT, "No source was too full", text)


def _chips(run: Run) -> int:
    return -(-int(run.spec["nodes"]) // int(run.spec["funnel"]["sources"]))


def _fullest(run: Run) -> tuple[int, int]:
    """Returns the node with the largest relative FIFO occupancy, and this occupancy in bytes."""
    peaks = [int(source["peak_fifo_bytes"]) for source in run.monitor["sources"]]
    node = max(range(len(peaks)), key=lambda n: peaks[n] / _depth(run, n))
    return node, peaks[node]


def _depth(run: Run, node: int) -> int:
    own: Any = run.singles().get(f"funnel_source[{node}].fifo_bytes")
    return int(own if own is not None else run.spec["funnel_source"]["fifo_bytes"])


def _stores(values: Values) -> Part:
    return Part(
        "trace port",
        [
            values.line("stimulus.store_ns", f"{{}}{SPACE}ns a store"),
            values.line("stimulus.store_bytes", f"of {{}}{SPACE}B"),
        ],
    )


def _sources(values: Values) -> list[Part]:
    run = values.run
    node, peak = _fullest(run)
    full = values.line("funnel_source.full")
    policy = {"drop": "full: drops till drained", "stall": "full: holds its node"}[str(values["funnel_source.full"])]
    clock = float(values["funnel_link.clock_ns"])
    bandwidth = int(values["funnel_link.width_bits"]) / 8 / clock * 1e9
    return [
        Part(
            "sources",
            [
                values.line("funnel_source.fifo_bytes", f"FIFOs of {{}}{SPACE}B"),
                Line(policy, full.changed, full.title),
                values.line("funnel_protocol.encoding", "messages: {}"),
                values.line("funnel_protocol.timestamp_ns", f"a counter of {{}}{SPACE}ns"),
            ],
            lost(run, "source"),
            min(1.0, peak / _depth(run, node)),
        ),
        Part(
            "links",
            [
                values.line("funnel_link.width_bits", f"{{}}{SPACE}bits, {rate(bandwidth / 1e6, 'MB')}"),
                values.line("funnel_link.clock_ns", f"{nanoseconds(clock)} a clock"),
                values.line("funnel_source.link_words", "{} words behind a source"),
            ],
        ),
        Part(
            "funnels",
            [
                values.line("funnel_link.inputs", "{} inputs each"),
                values.line("funnel_link.grant", "a turn is a {}")
                if str(values["funnel_link.grant"]) == "message"
                else values.line("funnel_link.hold", "a turn is {} words"),
                values.line("funnel_link.fifo_words", "{} words behind each"),
            ],
        ),
    ]


def _sink(values: Values) -> list[Part]:
    run = values.run
    size = int(values["funnel_sink.buffer_bytes"])
    peak = int(run.monitor["sink"]["peak_bytes"])
    full = values.line("funnel_sink.full")
    policy = {"drop": "drops what comes", "drop_oldest": "overwrites the oldest", "stall": "holds back"}
    bandwidth = costs.trace_bytes_per_s(flat(run.spec)) / _chips(run)
    frames = str(values["funnel_formatter.format"]) == "frames"
    return [
        Part(
            "formatter",
            [
                values.line("funnel_formatter.format", "frames of 16 B" if frames else "no frames"),
                *([values.line("funnel_formatter.sync_frames", "in sync every {} frames")] if frames else []),
                Line(f"{data(run.monitor['stream']['bytes'])} in all"),
            ],
        ),
        Part(
            "sink",
            [
                values.line("funnel_sink.buffer_bytes", f"{data(size)} of buffer"),
                Line(f"full: {policy[str(values['funnel_sink.full'])]}", full.changed, full.title),
                values.line("funnel_sink.reads", "read: {}"),
                values.line("funnel_sink.burst_ns", f"{three_digits(bandwidth / 1e6)}{SPACE}MB/s"),
            ],
            lost(run, "sink"),
            min(1.0, peak / size),
        ),
    ]


def _analyst(run: Run) -> Part:
    delivered = Line(f"{plural(run.result['ledger']['delivered']['events'], 'event')} decoded")
    return Part("analyst", [delivered], lost(run, "analyst"))
