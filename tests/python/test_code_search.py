# SPDX-License-Identifier: BSD-3-Clause
"""hypermon never searches the user's current folder for code: no libraries, programs, modules or entry points.

docs/how-to/trust.md promises this to users who work in a folder from somebody else.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from hypermon import UserError
from hypermon._files import places, search_paths
from hypermon._model import entry_points
from hypermon._model import worker as workers
from tests import elf_paths

BUILD = places.TREE / "build/release"
MARKS = '#include <stdio.h>\n__attribute__((constructor)) static void leave(void) {{ fopen("{mark}", "w"); }}\n'


@pytest.fixture
def sent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The user's current folder, which comes from somebody else."""
    folder = tmp_path / "sent"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture
def mark(tmp_path: Path) -> Path:
    """A file that exists after code from that folder has run."""
    return tmp_path / "mark"


def _program(folder: Path, name: str, mark: Path) -> None:
    """Puts a program of that name into the folder. It makes the mark."""
    (folder / name).write_text(f"#!/bin/sh\n: > {mark}\n")
    (folder / name).chmod(0o755)


@pytest.mark.worker
@pytest.mark.usefixtures("worker")
def test_no_binary_has_an_empty_or_relative_element_on_its_library_path() -> None:
    files = elf_paths.binaries(BUILD)
    assert {"hypermon-sim", "libring.so"} <= {file.name for file in files}
    assert any(file.name.startswith("_core.") for file in files)
    assert elf_paths.of_current_folder(files) == {}


@pytest.mark.parametrize(
    ("path", "wrong"), [("/usr/lib:", [""]), (":/usr/lib", [""]), ("lib", ["lib"]), ("$ORIGIN/x:/l", [])]
)
@pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler")
def test_such_an_element_would_be_found(path: str, wrong: list[str], tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text("int a;\n")
    command = ["cc", "-shared", "-fPIC", "a.c", "-o", "liba.so", f"-Wl,-rpath,{path}"]
    subprocess.run(command, cwd=tmp_path, check=True)
    found = elf_paths.of_current_folder(elf_paths.binaries(tmp_path))
    assert found == ({str(tmp_path / "liba.so"): wrong} if wrong else {})


def _needed(binary: Path) -> list[str]:
    output = subprocess.run(
        ["readelf", "--dynamic", "--wide", binary], capture_output=True, text=True, check=True
    ).stdout
    return [line.split("[")[1].rstrip("]") for line in output.splitlines() if "(NEEDED)" in line]


@pytest.mark.worker
@pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler")
def test_libraries_in_the_current_folder_are_not_loaded(sent: Path, mark: Path, worker: Path) -> None:
    """Uses the names of all libraries that the worker and the Python module need."""
    (sent / "own.c").write_text(MARKS.format(mark=mark))
    subprocess.run(["cc", "-shared", "-fPIC", "own.c", "-o", "own.so"], check=True)
    modules = [file for file in elf_paths.binaries(BUILD / "python") if file.name.startswith("_core.")]
    for name in {name for binary in (worker.resolve(), *modules) for name in _needed(binary)}:
        shutil.copy("own.so", name)
    native = [sys.executable, "-c", "import hypermon._core"]
    for command in ([str(worker), "--describe"], native, [sys.executable, "-m", "hypermon", "events"]):
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert (done.returncode, done.stderr) == (0, ""), command
        assert not mark.exists(), command


def test_commands_are_not_looked_for_in_the_current_folder(sent: Path, mark: Path) -> None:
    """Python puts the current folder first in sys.path for `-m` and `-c`. Entry points of packages there must not be
    used.
    """
    (sent / "own-1.dist-info").mkdir()
    (sent / "own-1.dist-info/entry_points.txt").write_text(
        "[hypermon.commands]\nown = own:add\n[hypermon.monitors]\nown = own\n"
    )
    (sent / "own.py").write_text(f"open({str(mark)!r}, 'w')\ndef add(app): pass\n")
    use = "from hypermon._model import monitors; monitors.registered(); from hypermon.cli import app"
    for command in (["-m", "hypermon", "--help"], ["-m", "hypermon", "platforms"], ["-c", use]):
        done = subprocess.run([sys.executable, *command], capture_output=True, text=True, check=False)
        assert (done.returncode, done.stderr) == (0, ""), command
        assert not mark.exists(), command


def test_modules_of_the_current_folder_are_not_imported_by_python_m(sent: Path, mark: Path) -> None:
    for name in ("typer", "yaml", "numpy", "rich", "json"):
        (sent / f"{name}.py").write_text(f"open({str(mark)!r}, 'w')\nraise ImportError\n")
    done = subprocess.run([sys.executable, "-m", "hypermon", "--help"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert not mark.exists()


def test_entry_points_of_other_folders_of_the_path_are_found(sent: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (sent / "own-1.dist-info").mkdir()
    (sent / "own-1.dist-info/entry_points.txt").write_text("[group]\nown = own:add\n")
    monkeypatch.setattr(sys, "path", [""])
    assert entry_points.find_installed("group") == []
    monkeypatch.setattr(sys, "path", [str(sent)])
    assert entry_points.find_installed("group") == [("own", "own:add")]


@pytest.mark.parametrize("path", [":{rest}", "{rest}:", "{rest}::/bin", ".:{rest}", "tools:{rest}"])
def test_elements_of_path_that_mean_the_current_folder_are_left_out(path: str, sent: Path, mark: Path) -> None:
    (sent / "tools").mkdir()
    for folder in (sent, sent / "tools"):
        for name in ("smpicc", "smpicxx", "cc", "make", "git", "addr2line", workers.NAME):
            _program(folder, name, mark)
    (sent / "a.c").write_text(
        "#include <mpi.h>\nint main(int c, char** v) { MPI_Init(&c, &v); return MPI_Finalize(); }\n"
    )
    environment = {
        **os.environ,
        "PATH": path.format(rest="/usr/bin:/bin"),
        "XDG_CACHE_HOME": str(sent.parent / "cache"),
    }
    command = [
        sys.executable,
        "-m",
        "hypermon",
        "run",
        "--program",
        "a.c",
        "--np",
        "2",
        "--out",
        str(sent.parent / "out"),
    ]
    subprocess.run(command, env=environment, capture_output=True, check=False)
    assert not mark.exists()


def test_a_cleaned_path_has_its_absolute_elements_in_their_order() -> None:
    environment = {"PATH": ":/usr/bin::.:bin:/bin:", "LD_LIBRARY_PATH": "/opt/lib:", "OTHER": ":a"}
    search_paths.clean(environment)
    assert environment == {"PATH": "/usr/bin:/bin", "LD_LIBRARY_PATH": "/opt/lib", "OTHER": ":a"}
    environment = {"PATH": ".:", "LD_LIBRARY_PATH": ":"}
    search_paths.clean(environment)
    assert environment == {"PATH": os.defpath, "LD_LIBRARY_PATH": ""}


def test_the_worker_is_not_looked_for_in_the_current_folder(
    sent: Path, mark: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _program(sent, workers.NAME, mark)
    monkeypatch.setenv("HYPERMON_SIM", workers.NAME)
    with pytest.raises(UserError, match="HYPERMON_SIM = hypermon-sim: must be an absolute path"):
        workers.find()
    monkeypatch.delenv("HYPERMON_SIM")
    monkeypatch.setenv("PATH", ".:")
    monkeypatch.setattr(sys, "executable", "/nowhere/python")
    monkeypatch.setattr(places, "worker", lambda: Path("/nowhere/hypermon-sim"))
    with pytest.raises(UserError, match="hypermon-sim is not built"):
        workers.find()
