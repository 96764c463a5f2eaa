# SPDX-License-Identifier: BSD-3-Clause
"""A rank that crashes: its own handlers run as in a process of its own, and the report gives the reason of its end."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.python import both_ways

pytestmark = pytest.mark.worker


@pytest.fixture(scope="module")
def crashes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return both_ways.compiled("crashes.cpp", tmp_path_factory.mktemp("crashes"))


@pytest.mark.parametrize(
    ("how", "message", "printed"),
    [
        ("own exit", "rank 1 called exit(7) before MPI_Finalize", "begin\nown handler of Segmentation fault\n"),
        ("own abort", "rank 1 crashed: SIGABRT (abort)", "begin\nnoted\n"),
        ("terminate", "rank 1 ended with an uncaught exception: no more beans", "begin\n"),
        ("none", "rank 1 crashed: SIGSEGV (invalid memory access) in ", "begin\n"),
    ],
)
def test_a_crash_is_told_after_the_programs_own_handler(
    worker: Path, crashes: Path, tmp_path: Path, how: str, message: str, printed: str
) -> None:
    ended = both_ways.simulated(worker, crashes, 2, "nx2", tmp_path / "run", [f"'{how}'"])
    assert ended.status == 3
    assert message in ended.stderr
    assert ended.out[1] == printed


def test_a_handler_may_jump_back_on_every_rank(worker: Path, crashes: Path, tmp_path: Path) -> None:
    ended = both_ways.simulated(worker, crashes, 2, "nx2", tmp_path / "run", ["'own jump'"])
    assert ended.status == 0, ended.stderr
    assert ended.out == ["begin\nback from 1\n"] * 2


def test_the_reason_of_an_error_is_shown_before_a_long_list_of_calls(
    worker: Path, crashes: Path, tmp_path: Path
) -> None:
    ended = both_ways.simulated(worker, crashes, 2, "nx2", tmp_path / "run", ["list"])
    shown = ended.stderr.split("its last lines on standard error:\n")[1].splitlines()
    assert [line.strip() for line in shown] == [
        "At line 12 of file beans.f90",
        "Fortran runtime error: out of beans",
        *(f"#{i} in some function" for i in range(25, 30)),
    ]
