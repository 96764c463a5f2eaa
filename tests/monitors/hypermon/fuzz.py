# SPDX-License-Identifier: BSD-3-Clause
"""Fuzz targets of HYPERMON's part."""

from tests.fuzz.target import SCENARIO_WORDS, TABLE_WORDS, Target
from tests.monitors.hypermon.fuzzing import made, reading

TARGETS = (
    Target("view", ".yaml", made.views, reading.view, ("monitors.hypermon.waves.views",), words=SCENARIO_WORDS),
    Target("recording", ".arrow", made.recordings, reading.recording_, ("_engine.recording",), sealed=True, examples=200),
    Target("recorded-columns", ".bin", made.columns, reading.columns, ("monitors.hypermon.replaying",), examples=60),
    Target("frames", ".hmf", made.frames, reading.frames, ("monitors.hypermon.frames",), sealed=True, examples=150),
    Target("strobes.csv", ".csv", made.strobes, reading.strobes, ("monitors.hypermon.strobe_files",), words=TABLE_WORDS, examples=80),
    Target("strobes.npy", ".npy", made.strobes_npy, reading.strobes, (), examples=80),
    Target("strobes.parquet", ".parquet", made.strobes_parquet, reading.strobes, ("_files.parquet",), examples=30),
    Target("stream.csv", ".csv", made.streams, reading.stream, ("_engine.streams.event_files", "_engine.streams.run", "_files.columns"), words=TABLE_WORDS),
    Target("stream.npy", ".npy", made.streams_npy, reading.stream, ()),
    Target("stream.parquet", ".parquet", made.streams_parquet, reading.stream, (), examples=30),
)  # fmt: skip
OTHERS = {
    "hypermon_studies.monitors.rows": "what the study has written; tests of the study damage it",
    "hypermon_studies.validation.counts": "what the studies have written; tests of the page damage it",
    "monitors.hypermon.waves.modules": "what the worker has just written",
    "hypermon_studies.table2.curves": "what the worker has just written",
    "hypermon_studies.papers.study": "data of the package, and cells of studies, damaged ones of which test_cells.py reads",
    "hypermon_studies.reference_data": "data of the package",
    "monitors.hypermon.rtl_project.project": "Verilog of the package",
    "monitors.hypermon.rtl_project.sources": "an answer of hypermon size, damaged ones of which test_rtl_project.py reads",
    "monitors.hypermon.rtl_project.synthesis": "what Yosys has just written, and Verilog of the package",
}
"""Modules that read no input from outside."""
