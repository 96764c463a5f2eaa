# SPDX-License-Identifier: BSD-3-Clause
"""Files for others do not contain the user's name: files in the home folder are named from `~` on."""

from __future__ import annotations

import hashlib
import json
import shutil
from pathlib import Path

import pytest

from hypermon._files import files
from hypermon.errors import UserError
from tests.conftest import Hypermon

MPI = "#include <mpi.h>\nint main(int c, char** v) { MPI_Init(&c, &v); MPI_Barrier(MPI_COMM_WORLD); return MPI_Finalize(); }\n"


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "home" / "walburga"
    folder.mkdir(parents=True)
    monkeypatch.setenv("HOME", str(folder))
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    return folder


def test_a_file_in_the_home_folder_is_named_from_it_and_found_again(home: Path) -> None:
    file = home / "my data.txt"
    file.write_text("x")
    digest = hashlib.sha256(b"x").hexdigest()
    resolved = files.resolve("p", str(file), "here")
    assert resolved == f"~/my data.txt@sha256:{digest}"
    assert files.path_of(resolved) == file
    assert files.paths(f"{resolved} /etc/x@sha256:{digest}") == [file, Path("/etc/x")]
    assert files.resolve("p", resolved, "here") == resolved
    assert files.resolve("p", "~/my data.txt", "here") == resolved
    file.write_text("y")
    with pytest.raises(UserError, match="its content has changed"):
        files.resolve("p", resolved, "here")


@pytest.mark.parametrize("name", ["", "/", "relative"])
def test_a_home_that_is_no_folder_of_its_own_shortens_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setenv("HOME", name)
    assert files.from_home(tmp_path / "a") == str(tmp_path / "a")


def test_a_home_that_is_a_link_is_known_by_both_names(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    link = home.parent / "link"
    link.symlink_to(home)
    monkeypatch.setenv("HOME", str(link))
    assert files.from_home(home / "a") == files.from_home(link / "a") == "~/a"
    assert files.from_home(f"{home}more/a") == f"{home}more/a"
    assert files.without_home(f"no {link}/a, {link}/b") == "no ~/a, ~/b"


@pytest.mark.worker
@pytest.mark.usefixtures("worker")
@pytest.mark.skipif(shutil.which("smpicc") is None, reason="smpicc is not installed")
def test_a_run_of_a_program_at_home_leaves_nothing_that_tells_whose_it_is(
    home: Path, hypermon: Hypermon, monkeypatch: pytest.MonkeyPatch
) -> None:
    work = home / "work"
    work.mkdir()
    monkeypatch.chdir(work)
    (work / "mine.c").write_text(MPI)
    scenario = work / "mine.yaml"
    scenario.write_text("question: Mine?\nset: {workload: program, program.file: mine.c, nodes: 2, monitor: none}\n")
    for command in (
        ("run", str(scenario), "--out", "run"),
        ("run", "--program", str(work / "mine.c"), "--np", "2", "--set", "monitor=none", "--out", "program"),
        ("sweep", str(scenario), "--vary", "seed=1,2", "--metric", "elapsed_s", "--out", "sweep", "--yes"),
        ("report", "run", "--out", "run.html"),
        ("report", "sweep", "--out", "sweep.html"),
        ("check", str(scenario), "--junit", "junit.xml"),
        ("compare", "run", "program", "--out", "compare.html"),
    ):
        done = hypermon(*command)
        assert done.returncode == 0, done.stderr
    spec = json.loads((work / "run" / "spec.json").read_text())
    assert spec["program"]["file"].startswith("~/.cache/hypermon/programs/")
    told = [path for path in work.rglob("*") if path.is_file() and b"walburga" in path.read_bytes()]
    assert told == []
    again = hypermon("run", str(scenario), "--out", "again", "--json")  # the file that the specification names is found
    assert json.loads(again.stdout) == json.loads((work / "run" / "result.json").read_text())
