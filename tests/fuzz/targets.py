# SPDX-License-Identifier: BSD-3-Clause
"""All inputs that are read from outside: TARGETS has a line for each, with its seeds and its reader.

A new format needs only a line here; a monitor's format needs one in `tests/monitors/<name>/fuzz.py`.
tests/python/test_fuzz.py fails if a module that reads files has no target.
"""

from __future__ import annotations

from tests.fuzz import made, reading, writing
from tests.fuzz.target import SCENARIO_WORDS, TABLE_WORDS, Target
from tests.registered import all_of

EXPRESSION_WORDS = (
    b"events", b"ledger.lost_total.events", b"ranks[0]", b"1", b"0", b"9999999999999", b"1e308", b'"a"', b"'", b"+",
    b"-", b"*", b"/", b"//", b"%", b"**", b"(", b")", b"[", b"]", b".", b",", b"max(", b"sum(", b"abs(", b"lost(",
    b" and ", b" or ", b" not ", b" if ", b" else ", b"<", b"==", b"lambda: ", b"__class__", b"{", b"}", b"for x in ",
    b"busiest(", b"total(", b"\x00", b"\n", b"\\", b"null", b"true",
)  # fmt: skip
EXPECTATION_WORDS = (
    *SCENARIO_WORDS, b"min: ", b"max: ", b"within: ", b"kind: golden", b"source: ", b"because: ", b"0.1 %", b"2 %", b"%", b"- name: ",
    b"fingerprint", b"0123456701234567", b"1e10000000000000", b"cases.a.", b"elapsed_s", b"latency_us.p99", b"null", b"lost(ledger, ",
    b'"\\e[31m"', b'"\\u202e"', b"\x1b[31m",
)  # fmt: skip
OUTPUT_WORDS = (
    b"\x1b[31m", b"\x1b]0;t\x07", b"\x9b31m", b"\xc2\x9b31m", b"\xe2\x80\xae", b"\xe2\x81\xa6", b"\x7f", b"\x00", b"\r", b"\n", b"\t", b"\xff",
    b"\xed\xb3\xbf", b"[bold]", b"[link=http://x]", b"]]>", b"&", b"<", b"=1+1", b"+", b"-", b"@", b"'", b'"', b",", b";", b"-1.5",
    b"\xef\xbc\x9d", b"\xf0\x9f\x98\x80", b"\xef\xbf\xbe", b"a", b" ",
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
HDTRACE_WORDS = (
    b"<Nested>", b"</Nested>", b"<Send ", b" time='1.5'", b" end='0.1'", b" time='-1'", b" time='99999999999999'", b"/>",
    b"<!DOCTYPE a>", b"&lt;", b"<rel t=\"0\" time=\"1\"", b" r=\"a:b:0:1\"", b" p=\"0:0\"", b"<e ", b"<un ", b"00362\n",
    b"timeAdjustment='1e9'", b'type="STRING"', b'<Value name="a" type="INT32"/>', b'<Node name="0"/>', b"\xff", b"\x00",
)  # fmt: skip
TAU_WORDS = (
    b"templated_functions", b"_MULTI_TIME", b"# Name Calls Subrs Excl Incl ProfileCalls", b" SumExclSqr", b"<metadata>",
    b"</metadata>", b'"', b'" 1 0 ', b" 1E+999 ", b" nan ", b"-0 ", b' GROUP="', b"0 aggregates\n", b"1 userevents\n",
    b"# eventname numevents max min mean sumsqr\n", b"999999999 ", b"\n", b"\xff", b"\x00",
)  # fmt: skip
XML_WORDS = (b"<", b"/>", b'"', b"<zone ", b"<host ", b'speed="', b'id="', b"&a;", b"<!ENTITY a 'b'>", b"1e999", b"-1")


GENERAL = (
    Target("expression", ".txt", made.expressions, reading.expression, ("_model.expressions",), words=EXPRESSION_WORDS, examples=400),
    Target("expectations", ".yaml", made.expectations, reading.expectations, ("_inputs.expectations",), words=EXPECTATION_WORDS, examples=150),
    Target("junit", ".yaml", made.expectations, reading.junit, (), words=EXPECTATION_WORDS, examples=100),
    Target("text-output", ".txt", made.outputs, reading.output, (), words=OUTPUT_WORDS, examples=150),
    Target("csv", ".txt", made.outputs, reading.csv_rows, ("_files.csvfile",), words=OUTPUT_WORDS, examples=150),
    Target("scenario", ".yaml", made.scenarios, reading.scenario_, ("_files.yamlreader", "_inputs.scenario"), words=SCENARIO_WORDS, examples=150),
    Target("sweep", ".yaml", made.sweeps, reading.sweep, ("_engine.sweeping.request",), words=SCENARIO_WORDS, examples=100),
    Target("platform", ".yaml", made.platforms, reading.platform, ("_inputs.platforms",), words=SCENARIO_WORDS),
    Target("catalogue", ".yaml", made.catalogues, reading.catalogue, ("_model.catalogues",), words=SCENARIO_WORDS),
    Target("specification", ".json", made.specifications, reading.specification, (), words=JSON_WORDS, examples=150),
    Target("machine", ".xml", made.machines, reading.machine, ("_files.files", "_inputs.simgrid_xml.reading"), words=XML_WORDS, examples=15),
    Target("script", ".script", made.scripts, reading.script_, ("importing.script",), sealed=True, examples=100),
    Target("script-actions", ".bin", made.actions, reading.actions, ("importing.replay",), examples=15),
    Target("trace", ".txt", made.traces, reading.trace, ("importing.ti",), words=TRACE_WORDS, examples=100),
    Target("otf2-anchor", ".otf2", made.anchors, reading.otf2_anchor, ("importing.otf2",), examples=10),
    Target("otf2-definitions", ".def", made.definitions, reading.otf2_definitions, (), examples=10),
    Target("otf2-events", ".evt", made.events, reading.otf2_events, (), examples=10),
    Target("otf2-archive", ".bin", made.archives, reading.otf2_archive, (), examples=15),
    Target("hdtrace-project", ".proj", made.hdtrace_projects, reading.hdtrace_project, (), words=HDTRACE_WORDS),
    Target("hdtrace-trace", ".trc", made.hdtrace_traces, reading.hdtrace_trace, (), words=HDTRACE_WORDS),
    Target("hdtrace-relations", ".rel", made.hdtrace_relations, reading.hdtrace_relations, (), words=HDTRACE_WORDS),
    Target("hdtrace-statistics", ".stat", made.hdtrace_statistics, reading.hdtrace_statistics, (), words=HDTRACE_WORDS),
    Target("tau-profile", ".0", made.tau_profiles, reading.tau_profile, ("_files.tau.profile",), words=TAU_WORDS, examples=150),
    Target("result", ".json", made.results, reading.result, ("_model.result", "report.source", "_files.sums"), sealed=True, words=JSON_WORDS),
    Target("result-of-others", ".json", made.results, reading.foreign_result, (), words=JSON_WORDS, examples=40),
    Target("manifest-of-others", ".json", made.manifests, reading.foreign_manifest, ("_engine.sweeping.dataset",), words=JSON_WORDS, examples=40),
    Target("sweep-table", ".parquet", made.tables, reading.table, (), sealed=True),
    Target("points", ".json", made.points, reading.points, ("_engine.sweeping.store",), sealed=True, words=JSON_WORDS),
    Target("coverage", ".json", made.coverages, reading.coverage, ("_comparing.designs",), sealed=True, words=JSON_WORDS),
    Target("samples", ".arrow", made.sample_files, reading.sample_file, ("_model.samples", "_files.arrow"), sealed=True, examples=50),
    Target("samples-of-others", ".arrow", made.sample_files, reading.foreign_sample_file, (), examples=50),
    Target("activity", ".arrow", made.activity_files, reading.activity_file, ("_model.activity",), sealed=True, examples=30),
    Target("activity-of-others", ".arrow", made.activity_files, reading.foreign_activity_file, ("judging.curves",), examples=50),
    Target("events", ".arrow", made.event_files, reading.event_file, ("judging.from_events",), sealed=True, examples=30),
    Target("events-of-others", ".arrow", made.event_files, reading.foreign_event_file, (), examples=50),
    Target("bursts", ".csv", made.bursts, reading.bursts, ("pictures.runs",), words=TABLE_WORDS),
    Target("calibration", ".json", made.calibrations, reading.calibration, ("_engine.calibrating",), sealed=True, words=JSON_WORDS, examples=10),
    Target("description", ".txt", made.descriptions, reading.description, ("_files.remembered", "_model.schema"), sealed=True, words=JSON_WORDS, examples=20),
    Target("output-files", ".bin", writing.choices, writing.files, (), refuses_seeds=True, examples=25),
    Target("output-folders", ".bin", writing.choices, writing.folders, (), refuses_seeds=True, examples=25),
    Target("result-list", ".json", writing.lists, writing.list_, ("_files.results",), words=JSON_WORDS, examples=100),
)  # fmt: skip
TARGETS = {target.name: target for target in (*GENERAL, *all_of("fuzz", "TARGETS"))}
"""By name."""
