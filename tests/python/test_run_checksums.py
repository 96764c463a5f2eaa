# SPDX-License-Identifier: BSD-3-Clause
"""Checksums cover every file of a run directory that commands read: a changed or missing file is an error."""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import hypermon
from hypermon import Result, judge, timelines
from hypermon._engine.runner import UNSEALED
from hypermon._files import results, sums, tau
from hypermon.errors import DamagedError, UserError
from hypermon.monitors.hdtrace import projects
from hypermon.monitors.software import traces
from hypermon.monitors.tau import profiles
from hypermon.pictures.runs import read_bursts
from hypermon.timelines import hdtrace

pytestmark = [pytest.mark.worker, pytest.mark.usefixtures("worker")]

PROGRAM = """
#include <mpi.h>
#include <stdio.h>
int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  for (int i = 0; i < 20; ++i) MPI_Barrier(MPI_COMM_WORLD);
  puts("done");
  MPI_Finalize();
}
"""
RUNS: dict[str, dict[str, Any]] = {
    "tau": {"monitor": "tau"},
    "tau_nfs": {"monitor": "tau_nfs", "machine.topology": "star", "nfs.place": "node"},
    "hdtrace": {"monitor": "hdtrace"},
    "software": {"monitor": "software", "software.traces": "process", "bursts.keep_series": True},
    "scms": {"monitor": "scms"},
}
READERS: tuple[Callable[[Path], object], ...] = (
    Result,
    lambda run: Result(run).output(),
    lambda run: Result(run).samples,
    lambda run: judge(run),
    lambda run: read_bursts(Result(run)),
    tau.find,
    profiles.read,
    traces.read,
    lambda run: hdtrace.read(projects.find(run)),
    timelines.timeline,
)
NOT_READ = {"spec.json", "answer.txt"}  # for people, like `stderr/`


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    place = tmp_path_factory.mktemp("runs")
    (place / "program.c").write_text(PROGRAM, encoding="utf-8")

    def run(name: str) -> Path:
        if not (place / name).is_dir():
            settings = {"workload": "program", "program.file": str(place / "program.c"), **RUNS[name]}
            hypermon.run(settings=settings, nodes=2, out=place / name, activity=True)
        return place / name

    return run


def damage(run: Path) -> Iterator[str]:
    """Messages of readers that find the run directory damaged."""
    for read in READERS:
        try:
            read(run)
        except DamagedError as error:
            yield str(error)
        except UserError:
            pass  # the monitor writes no such file


@pytest.mark.parametrize("name", RUNS)
def test_a_changed_or_deleted_file_of_a_run_is_an_error(name: str, runs: Callable[[str], Path], tmp_path: Path) -> None:
    run = tmp_path / "run"
    shutil.copytree(runs(name), run)
    assert not list(damage(run))
    files = {str(path.relative_to(run)) for path in run.rglob("*") if path.is_file()} - {sums.FILE, results.LIST}
    assert sums.listed_files(run) == {file for file in files if Path(file).parts[0] not in UNSEALED}
    for file in sorted(sums.listed_files(run) - NOT_READ):
        whole = (run / file).read_bytes()
        for change in (bytes([whole[0] ^ 1]) + whole[1:] if whole else b"1", None):
            (run / file).unlink()
            if change is not None:
                (run / file).write_bytes(change)
            if file == "result.json" and change is None:
                with pytest.raises(UserError):
                    Result(run)
            else:
                assert any(Path(file).name in message for message in damage(run)), (file, change)
        (run / file).write_bytes(whole)
    assert not list(damage(run))


@pytest.mark.parametrize(("name", "file"), [("tau", "profiles/profile.7.0.0"), ("hdtrace", "hdtrace/other.trc")])
def test_a_file_that_the_run_did_not_write_is_not_read_with_it(
    name: str, file: str, runs: Callable[[str], Path], tmp_path: Path
) -> None:
    run = tmp_path / "run"
    shutil.copytree(runs(name), run)
    (run / file).parent.joinpath("notes.txt").write_text("mine", encoding="utf-8")
    assert not list(damage(run))
    (run / file).write_bytes(b"anything")
    assert any(f"{file}: was added later" in message for message in damage(run))


def test_a_run_whose_offsets_were_fixed_is_whole(runs: Callable[[str], Path], tmp_path: Path) -> None:
    run = tmp_path / "run"
    shutil.copytree(runs("hdtrace"), run)
    found = projects.find(run)
    host = hdtrace.read(found).states[0].path[1]
    with contextlib.chdir(run / "hdtrace"):
        changed = projects.fix_offsets(Path(found.name), [f"{host}=0.25"])
    assert changed
    assert not list(damage(run))
