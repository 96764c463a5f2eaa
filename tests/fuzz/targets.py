"""Everything that is read from outside: one line of TARGETS each, with seeds, a reader, and what it must not do.

A new format needs nothing but its line here; tests/python/test_fuzz.py fails if a module that reads files has none.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tests.fuzz import made, reading

SCENARIO_WORDS = (
    b"question: ", b"base: ", b"set:\n", b"  ", b"\n", b"- ", b"cases:\n", b"expect:\n", b"of: ", b"is: ", b"{", b"}",
    b"[", b"]", b"&a ", b"*a", b"<<: ", b"? ", b"!!python/object:os.system ", b"!!binary ", b"0x7", b"1e999", b".nan",
    b"ecb.window_ns: ", b"nodes: ", b"variants:\n", b"when: ", b"presets: ", b"platform: ", b"sweep:\n", b"vary:\n",
    b"1:1000000000:1", b"1:9:log2", b"null", b"\x00", b"\xff", b"'", b'"', b"|\n", b": ", b"../", b"\t",
)  # fmt: skip
EXPRESSION_WORDS = (
    b"events", b"ledger.lost_total.events", b"ranks[0]", b"1", b"0", b"9999999999999", b"1e308", b'"a"', b"'", b"+",
    b"-", b"*", b"/", b"//", b"%", b"**", b"(", b")", b"[", b"]", b".", b",", b"max(", b"sum(", b"abs(", b"lost(",
    b" and ", b" or ", b" not ", b" if ", b" else ", b"<", b"==", b"lambda: ", b"__class__", b"{", b"}", b"for x in ",
    b"busiest(", b"total(", b"\x00", b"\n", b"\\", b"null", b"true",
)  # fmt: skip
JSON_WORDS = (
    b"{", b"}", b"[", b"]", b",", b":", b'"', b"null", b"true", b"-1", b"1e999", b"NaN", b"18446744073709551616",
    b'"nodes"', b'"ecb"', b'"\\u0000"', b"\\ud800", b"0.5", b'""',
)  # fmt: skip
TRACE_WORDS = (
    b"0 ", b"1 ", b"\n", b"send ", b"recv ", b"wait ", b"-1 ", b"1e30 ", b"nan ", b"alltoallv ", b"-555 ", b"waitall\n",
    b"sendRecv ", b"test ", b"isend ", b"gatherv ", b"reducescatter ", b"sleep ", b"compute ", b"location ", b"2147483648 ",
    b"18446744073709551616 ", b"-444 ", b"-666 ", b"inf ", b"1_0 ", b"# ", b"\t", b"waitAny ", b"0x10 ",
)  # fmt: skip
XML_WORDS = (b"<", b"/>", b'"', b"<zone ", b"<host ", b'speed="', b'id="', b"&a;", b"<!ENTITY a 'b'>", b"1e999", b"-1")
TABLE_WORDS = (b",", b"\n", b'"', b"-1", b"1e30", b"0x", b"nan", b"9223372036854775808", b"\x00", b"\xff", b";", b"\r")


@dataclass(frozen=True)
class Target:
    """Something that is read."""

    name: str
    suffix: str
    """Of the file."""
    seeds: Callable[[Path], list[bytes]]
    """Files that are as they should be; made in a folder."""
    read: Callable[[Path], str]
    """Reads a file and says what it got of it. A HypermonError is an answer."""
    readers: tuple[str, ...]
    """The modules below python/hypermon whose reading this is."""
    sealed: bool = False
    """The file has a checksum: it is taken with the same result, or refused."""
    refuses_seeds: bool = False
    """Its seeds are as good as the others of that format, but of another program."""
    words: tuple[bytes, ...] = ()
    """Of its language, for nonsense that a parser goes along with for a while."""
    examples: int = 60
    """In CI."""


TARGETS = {
    target.name: target
    for target in (
        Target("expression", ".txt", made.expressions, reading.expression, ("_model.expressions",), words=EXPRESSION_WORDS, examples=400),
        Target("scenario", ".yaml", made.scenarios, reading.scenario_, ("_files.yamlreader", "_inputs.scenario"), words=SCENARIO_WORDS, examples=150),
        Target("sweep", ".yaml", made.sweeps, reading.sweep, ("_engine.sweeping.request",), words=SCENARIO_WORDS, examples=100),
        Target("platform", ".yaml", made.platforms, reading.platform, ("_inputs.platforms",), words=SCENARIO_WORDS),
        Target("catalogue", ".yaml", made.catalogues, reading.catalogue, ("_model.catalogues",), words=SCENARIO_WORDS),
        Target("view", ".yaml", made.views, reading.view, ("monitors.hypermon.waves.views",), words=SCENARIO_WORDS),
        Target("specification", ".json", made.specifications, reading.specification, (), words=JSON_WORDS, examples=150),
        Target("machine", ".xml", made.machines, reading.machine, (), words=XML_WORDS, examples=15),
        Target("recording", ".arrow", made.recordings, reading.recording_, ("monitors.hypermon.recording",), sealed=True, examples=200),
        Target("recorded-columns", ".bin", made.columns, reading.columns, ("monitors.hypermon.replaying",), examples=60),
        Target("frames", ".hmf", made.frames, reading.frames, ("monitors.hypermon.frames",), sealed=True, examples=150),
        Target("script", ".script", made.scripts, reading.script_, ("importing.script",), sealed=True, examples=100),
        Target("script-actions", ".bin", made.actions, reading.actions, ("importing.replay",), examples=15),
        Target("strobes.csv", ".csv", made.strobes, reading.strobes, ("monitors.hypermon.strobe_files",), words=TABLE_WORDS, examples=80),
        Target("strobes.npy", ".npy", made.strobes_npy, reading.strobes, (), examples=80),
        Target("strobes.parquet", ".parquet", made.strobes_parquet, reading.strobes, (), examples=80),
        Target("stream.csv", ".csv", made.streams, reading.stream, ("monitors.hypermon.streams.event_files", "monitors.hypermon.streams.run"), words=TABLE_WORDS),
        Target("stream.npy", ".npy", made.streams_npy, reading.stream, ()),
        Target("stream.parquet", ".parquet", made.streams_parquet, reading.stream, ()),
        Target("trace", ".txt", made.traces, reading.trace, ("importing.ti",), words=TRACE_WORDS, examples=100),
        Target("otf2-anchor", ".otf2", made.anchors, reading.otf2_anchor, ("importing.otf2",), examples=15),
        Target("otf2-definitions", ".def", made.definitions, reading.otf2_definitions, (), examples=15),
        Target("otf2-events", ".evt", made.events, reading.otf2_events, (), examples=15),
        Target("result", ".json", made.results, reading.result, ("_model.result", "report.source", "_files.sums"), sealed=True, words=JSON_WORDS),
        Target("result-of-others", ".json", made.results, reading.foreign_result, (), words=JSON_WORDS, examples=40),
        Target("manifest-of-others", ".json", made.manifests, reading.foreign_manifest, ("_engine.sweeping.dataset",), words=JSON_WORDS, examples=40),
        Target("sweep-table", ".parquet", made.tables, reading.table, (), sealed=True),
        Target("points", ".json", made.points, reading.points, ("_engine.sweeping.store",), sealed=True, words=JSON_WORDS),
        Target("coverage", ".json", made.coverages, reading.coverage, ("_comparing.designs",), sealed=True, words=JSON_WORDS),
        Target("bursts", ".csv", made.bursts, reading.bursts, ("pictures.runs",), words=TABLE_WORDS),
        Target("calibration", ".json", made.calibrations, reading.calibration, ("_engine.calibrating",), sealed=True, words=JSON_WORDS, examples=10),
        Target("description", ".txt", made.descriptions, reading.description, ("_files.remembered", "_model.schema"), sealed=True, words=JSON_WORDS, examples=20),
    )
}  # fmt: skip
"""By name."""
