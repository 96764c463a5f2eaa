# SPDX-License-Identifier: BSD-3-Clause
"""All readers of files cope with damaged and nonsensical input: the part of tests/fuzz that CI runs."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, given, settings

from tests.fuzz.judge import CORPUS, Judge, judges
from tests.fuzz.mutations import contents
from tests.fuzz.targets import TARGETS
from tests.registered import all_of

SOURCES = Path(__file__).resolve().parents[2] / "python"


@pytest.fixture(scope="module")
def judge(worker: Path) -> Iterator[dict[str, Judge]]:  # noqa: ARG001 (makes the seeds)
    with judges([]) as chosen:
        yield {judge.target.name: judge for judge in chosen}


@pytest.mark.worker
@pytest.mark.parametrize("name", TARGETS)
def test_what_broke_a_reader_once_does_not_again(judge: dict[str, Judge], name: str) -> None:
    for content in judge[name].corpus():
        assert judge[name].fault(content) == ""


@pytest.mark.worker
@pytest.mark.parametrize("name", TARGETS)
def test_a_reader_answers_damaged_and_foreign_files_with_one_error(judge: dict[str, Judge], name: str) -> None:
    @settings(
        max_examples=TARGETS[name].examples,
        derandomize=True,
        database=None,
        deadline=None,
        suppress_health_check=list(HealthCheck),
        phases=(Phase.generate,),
    )
    @given(contents(judge[name].target, judge[name].seeds))
    def bear(content: bytes) -> None:
        fault = judge[name].fault(content)
        assert fault == "", f"{judge[name].keep(content)}: {fault}"

    bear()


def test_the_corpus_is_of_targets() -> None:
    assert {folder.name for folder in CORPUS.glob("*")} <= set(TARGETS)


# First or last words of calls that read a file.
READS = (
    "np.load", ".read_text", ".read_bytes", ".open_file", ".ParquetFile", ".read_table", ".read_schema", ".read_csv",
    ".open_csv", ".ZipFile", ".get_single_node", ".reader.open", ".read_frames", ".decode_frames",
)  # fmt: skip
OTHERS = {
    "_engine.replaying": "what the worker has just written",
    "_engine.calibrating": "what the worker has just written; calibrations are read by the worker (target calibration)",
    "importing.recorded": "what the worker has just written",
    "_engine.sweeping.claims": "what another sweep has just written",
    "_files.tables": "a table that hypermon has written itself, compared with the one in memory",
    "_files.memory": "files of the kernel in /proc and /sys",
    "_inputs.mpi_functions": "data of the package",
    "_inputs.programs.building": "what the folder's own build has just written",
    "_inputs.programs.fortran_constants": "headers of SimGrid",
    "_inputs.programs.rtl": "what Verilator has just written, and headers of the package",
    "_inputs.programs.sources": "what the compiler has just written",
    "_model.arriving": "what the worker has just written",
    "_reference.reference": "pages of this tree",
    "explorer.page": "templates of the package",
    "judging.version": "the source of the package",
    "report.rendering": "templates of the package",
    "timelines.otf2": "what the OTF2 library has just written",
}
"""Modules with such calls for files that do not come from outside; a part lists its own as OTHERS in its fuzz.py."""


def test_every_module_that_reads_files_is_fuzzed() -> None:
    fuzzed = {reader for target in TARGETS.values() for reader in target.readers}
    reading = set()
    for file in SOURCES.glob("hypermon*/**/*.py"):
        calls = (ast.unparse(node.func) for node in ast.walk(ast.parse(file.read_text())) if isinstance(node, ast.Call))
        if any(call.endswith(READS) for call in calls):
            reading.add(".".join(file.relative_to(SOURCES).with_suffix("").parts).removeprefix("hypermon."))
    others = {*OTHERS, *all_of("fuzz", "OTHERS")}
    assert reading - fuzzed - others == set()
    assert others <= reading
