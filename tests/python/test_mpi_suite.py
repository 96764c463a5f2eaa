# SPDX-License-Identifier: BSD-3-Clause
"""The tool that runs an MPI test suite, on a small suite of the same layout."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.mpi_suite.outcomes import judged
from tests.mpi_suite.suite import Entry, entries, root_of

RUN = Path(__file__).parents[1] / "mpi_suite" / "run"
GOOD = '#include "mpitest.h"\nint main(int c, char** v) { MTest_Init(&c, &v); MTest_Finalize(0); return 0; }\n'
BAD = GOOD.replace("MTest_Finalize(0)", "MTest_Finalize(MPI_VERSION > 0)")
LINES = {"pt2pt": "good 2\nbad 2\n# good 3\ngood 2 env=ANY=1\ntwice 3 arg=-n=5 arg=x\nmissing 2\nhuge 4000\n"}


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    """Programs whose helpers print the same lines as MPICH's."""
    root = tmp_path / "suite"
    for folder in ("util", "include", "pt2pt"):
        (root / folder).mkdir(parents=True)
    (root / "include" / "mpitest.h").write_text(
        '#include "mpitestconf.h"\n#include "mtest_mpix.h"\n#include <mpi.h>\n#include <stdio.h>\n'
        "void MTest_Init(int*, char***);\nvoid MTest_Finalize(int);\n"
    )
    (root / "util" / "mtest.c").write_text(
        '#include "mpitest.h"\nvoid MTest_Init(int* c, char*** v) { MPI_Init(c, v); }\n'
        "void MTest_Finalize(int errors) {\n  int rank;\n  MPI_Comm_rank(MPI_COMM_WORLD, &rank);\n"
        '  if (rank == 0) puts(errors ? "Found an error" : " No Errors");\n  MPI_Finalize();\n}\n'
    )
    for name in ("mtest_common", "mtest_single", "dtypes"):
        (root / "util" / f"{name}.c").write_text("")
    (root / "pt2pt" / "testlist").write_text(LINES["pt2pt"])
    (root / "pt2pt" / "good.c").write_text(GOOD)
    (root / "pt2pt" / "bad.c").write_text(BAD)
    (root / "pt2pt" / "Makefile.am").write_text("twice_SOURCES = good.c\ntwice_CPPFLAGS = \\\n -DTWICE $(CPPFLAGS)\n")
    return root


def test_a_list_is_read_with_the_programs_that_its_makefile_makes(suite: Path) -> None:
    (suite / "pt2pt" / "huge.c").write_text(GOOD)
    assert [entry.name for entry in entries(suite)] == ["pt2pt/good 2", "pt2pt/bad 2", "pt2pt/twice 3 -n=5 x"]
    assert root_of(suite) == suite
    assert root_of(suite.parent) is None


@pytest.mark.parametrize(
    ("status", "out", "stderr", "how"),
    [
        (0, " No Errors\n", "", ""),
        (0, " No Errors\nsurprise\n", "", "it prints: surprise"),
        (
            3,
            "",
            "error: the program deadlocked at 1 s:\n  rank 0 waits",
            "the program deadlocked at 1 s:  rank 0 waits",
        ),
        (-11, "", "", "ended by SIGSEGV"),
        (0, "", "", "it prints nothing"),
    ],
)
def test_a_program_passes_if_it_says_so_and_nothing_else(status: int, out: str, stderr: str, how: str) -> None:
    entry = Entry("pt2pt/any", 2, (), expects_failure=False)
    outcome = judged(entry, status, out, stderr)
    assert outcome.how == how
    assert outcome.passes == (how == "")


def needs_mpich() -> None:
    if shutil.which("mpirun.mpich") is None or shutil.which("mpicc.mpich") is None:
        assert not os.environ.get("CI"), "mpich is not installed (Debian's packages mpich, libmpich-dev)"
        pytest.skip("mpich is not installed")


@pytest.mark.worker
def test_a_program_that_reaches_the_limit_is_reported_apart_and_runs_again_with_a_larger_one(
    suite: Path, worker: Path, tmp_path: Path
) -> None:
    needs_mpich()
    (suite / "pt2pt" / "good.c").write_text(GOOD.replace("MTest_F", "while (MPI_VERSION < 4) {} MTest_F"))
    state = tmp_path / "state"
    command = [RUN, suite, "--state", state, "--worker", worker, "--modes", "smpi", "--only", "pt2pt/good"]
    for limit in (1, 1, 2):
        done = subprocess.run(
            [*map(str, command), "--cpu", str(limit)], capture_output=True, text=True, check=False, cwd=suite
        )
        assert done.returncode == 1, done.stderr
        assert f"NOT ENDED pt2pt/good 2: after {limit} s of CPU time" in done.stdout
        assert "FAILS" not in done.stdout
    kept = [json.loads(line) for line in (state / "results.jsonl").read_text().splitlines()]
    assert [one["cpu_limit_s"] for one in kept if one["mode"] == "smpi"] == [1, 2]


@pytest.mark.worker
def test_programs_get_no_more_memory_than_the_limit(suite: Path, worker: Path, tmp_path: Path) -> None:
    needs_mpich()
    (suite / "pt2pt" / "testlist").write_text("good 2 mem=1.5\nbad 2 mem=0.5\n")
    # The reference's version of MPI asks for no memory, so the program fails only under hypermon.
    wants = "MPI_VERSION < 4 && (data = malloc(1536L << 20)) == NULL"
    (suite / "pt2pt" / "bad.c").write_text(
        "#include <stdlib.h>\nvoid* volatile data;\n" + BAD.replace("MPI_VERSION > 0", wants)
    )
    command = [RUN, suite, "--state", tmp_path / "state", "--worker", worker, "--modes", "smpi"]

    def output(memory: str) -> str:
        words = [*map(str, command), "--memory", memory]
        return subprocess.run(words, capture_output=True, text=True, check=False, cwd=suite).stdout

    limited = output("1")
    assert "NOT RUN pt2pt/good 2: needs 1.5 GB" in limited
    assert "FAILS pt2pt/bad 2: " in limited
    shutil.rmtree(tmp_path / "state")
    assert output("4") == "smpi: 2 of 2 runs that pass under the reference pass\n"


@pytest.mark.worker
def test_only_failures_that_are_not_known_count(suite: Path, worker: Path, tmp_path: Path) -> None:
    needs_mpich()
    # A program that fails under the reference is not hypermon's fault: here SMPI's version of MPI makes the difference.
    (suite / "pt2pt" / "bad.c").write_text(BAD.replace("MPI_VERSION > 0", "MPI_VERSION < 4"))
    known = tmp_path / "known.yaml"
    known.write_text("[]\n")
    command = [RUN, suite, "--state", tmp_path / "state", "--worker", worker, "--known", known, "--modes", "smpi,nx2",
               "--json", tmp_path / "out.json"]  # fmt: skip

    def ended() -> tuple[int, str]:
        done = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False, cwd=suite)
        return done.returncode, done.stdout + done.stderr

    status, output = ended()
    assert status == 1, output
    assert "FAILS pt2pt/bad 2: it prints: Found an error" in output
    assert "nx2: 2 of 3 runs that pass under the reference pass" in output
    known.write_text("- reason: this SMPI has MPI 3\n  programs: [pt2pt/bad]\n")
    kept = (tmp_path / "state" / "results.jsonl").read_text()
    status, output = ended()
    assert status == 0, output
    assert (tmp_path / "state" / "results.jsonl").read_text() == kept  # nothing ran again
    report = json.loads((tmp_path / "out.json").read_text())["modes"]["smpi"]
    assert report["known_failures"] == {"this SMPI has MPI 3": 1}
    assert report["unknown_failures"] == {}


def test_what_is_no_suite_is_refused(tmp_path: Path) -> None:
    done = subprocess.run([RUN, tmp_path], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "not a checkout of an MPI test suite" in done.stderr
    assert "Traceback" not in done.stderr
