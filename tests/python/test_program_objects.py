# SPDX-License-Identifier: BSD-3-Clause
"""A file that cannot be loaded as a program gives an error with the reason and a remedy."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.python import both_ways, simgrid_releases

pytestmark = [pytest.mark.worker, pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler")]
MAIN = "int main(void) { return 0; }\n"
Refused = Callable[[Path], str]


@pytest.fixture
def refused(worker: Path, tmp_path: Path) -> Refused:
    """The worker's error for a file, after `error: program.file = PATH: `. The worker must leave no output."""

    def run(path: Path) -> str:
        out = tmp_path / "out"
        out.mkdir()
        values = {"workload": "program", "nodes": 2, "program": {"file": f"{path}@sha256:{both_ways.digest(path)}"}}
        (tmp_path / "in.json").write_text(json.dumps(values))
        environment = {**os.environ, "LC_ALL": "C"}
        done = subprocess.run(
            [worker, tmp_path / "in.json", "--out", out], capture_output=True, text=True, check=False, env=environment
        )
        assert done.returncode == 2, done.stderr
        assert not (out / "result.json").exists()
        start = f"error: program.file = {path}: "
        message = simgrid_releases.without_its_own(done.stderr)
        assert message.startswith(start)
        assert message.count("\n") == 1
        return message.removeprefix(start).rstrip("\n")

    return run


def cc(target: Path, text: str, *options: str, needs: Path | None = None) -> Path:
    source = target.with_suffix(".c")
    source.write_text(text)
    libraries = [needs] if needs is not None else []
    subprocess.run(["cc", *options, source, *libraries, "-o", target], check=True)
    return target


def test_what_is_no_object(refused: Refused, tmp_path: Path) -> None:
    file = tmp_path / "notes.so"
    file.write_text("%PDF-1.7 no program\n")
    assert refused(file) == "is not a program that can be loaded (ELF, 64 bits); build it by smpicc or smpicxx"


def test_an_object_of_another_processor(refused: Refused, tmp_path: Path) -> None:
    file = cc(tmp_path / "p.so", MAIN, "-shared", "-fPIC")
    content = bytearray(file.read_bytes())
    content[18:20] = (243).to_bytes(2, "little")  # EM_RISCV
    file.write_bytes(content)
    assert refused(file).startswith("is for another processor (RISC-V, this is ")


def test_what_was_not_linked(refused: Refused, tmp_path: Path) -> None:
    file = cc(tmp_path / "p.o", MAIN, "-c")
    assert refused(file) == "is an object file that was not linked; link it by smpicc or smpicxx"


@pytest.mark.parametrize("options", [("-no-pie",), ("-pie", "-fPIE")])
def test_an_executable(refused: Refused, tmp_path: Path, options: tuple[str, ...]) -> None:
    message = refused(cc(tmp_path / "p", MAIN, *options))
    assert message.startswith("is an executable, and must be a shared object, as smpicc makes it; build it by smpicc")


@pytest.mark.parametrize("options", [("-shared", "-fPIC"), ("-pie", "-fPIE")])
def test_a_program_of_another_mpi(refused: Refused, tmp_path: Path, options: tuple[str, ...]) -> None:
    other = cc(tmp_path / "libmpi.so.40", "int MPI_Init(int* a, char*** b) { return 0; }\n", "-shared", "-fPIC",
               "-Wl,-soname,libmpi.so.40")  # fmt: skip
    text = "int MPI_Init(int*, char***);\nint main(int c, char** v) { return MPI_Init(&c, &v); }\n"
    message = refused(cc(tmp_path / "p.so", text, *options, "-Wl,--no-as-needed", needs=other))
    assert message == "was built with another MPI (it needs libmpi.so.40); build it by smpicc or smpicxx"


def test_a_program_of_another_simgrid(refused: Refused, worker: Path, tmp_path: Path) -> None:
    other = cc(tmp_path / "libsimgrid.so.9.9", "int MPI_Init(int* a, char*** b) { return 0; }\n", "-shared", "-fPIC",
               "-Wl,-soname,libsimgrid.so.9.9")  # fmt: skip
    text = "int MPI_Init(int*, char***);\nint main(int c, char** v) { return MPI_Init(&c, &v); }\n"
    message = refused(cc(tmp_path / "p.so", text, "-shared", "-fPIC", "-Wl,--no-as-needed", needs=other))
    described = subprocess.run([worker, "--describe"], capture_output=True, text=True, check=True)
    ours = json.loads(described.stdout)["versions"]["simgrid"]
    assert message == (
        f"was built with another SimGrid (it needs libsimgrid.so.9.9, this is SimGrid {ours}); "
        "build it by smpicc or smpicxx of this one, or give its sources"
    )


def test_an_object_without_main(refused: Refused, tmp_path: Path) -> None:
    assert refused(cc(tmp_path / "p.so", "int f;\n", "-shared", "-fPIC")) == "has no main(): must be a whole program"


def test_an_undefined_symbol(refused: Refused, tmp_path: Path) -> None:
    text = "void solve_it(void);\nint main(void) { solve_it(); return 0; }\n"
    message = refused(cc(tmp_path / "p.so", text, "-shared", "-fPIC"))
    assert message == "cannot be loaded (undefined symbol: solve_it); link what defines it"


def test_a_program_compiled_with_another_mpis_header(refused: Refused, tmp_path: Path) -> None:
    text = "extern int ompi_mpi_comm_world;\nint main(void) { return ompi_mpi_comm_world; }\n"
    message = refused(cc(tmp_path / "p.so", text, "-shared", "-fPIC"))
    assert message.startswith("was compiled with Open MPI's mpi.h (undefined symbol: ompi_mpi_comm_world); build it by")


def test_a_missing_library(refused: Refused, tmp_path: Path) -> None:
    library = cc(tmp_path / "libsolver.so", "void solve_it(void) {}\n", "-shared", "-fPIC", "-Wl,-soname,libsolver.so")
    text = "void solve_it(void);\nint main(void) { solve_it(); return 0; }\n"
    file = cc(tmp_path / "p.so", text, "-shared", "-fPIC", needs=library)
    library.unlink()
    message = refused(file)
    assert message.startswith("cannot be loaded (libsolver.so: cannot open shared object file")
    assert message.endswith("install that library, or say where it is by LD_LIBRARY_PATH")


def test_the_command_says_it_too(
    worker: Path,  # noqa: ARG001 (says that it is built)
    hypermon: Callable[..., subprocess.CompletedProcess[str]],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    file = cc(tmp_path / "p", MAIN)
    done = hypermon("run", "--program", str(file), "--np", "2", "--out", "run")
    assert done.returncode == 2
    assert done.stderr.startswith(f"error: program.file = {file}: is an executable, and must be a shared object")
    assert not Path("run").exists()


def test_a_program_may_include_malloc_h(worker: Path, tmp_path: Path) -> None:
    program = both_ways.compiled("plain.c", tmp_path)
    ended = both_ways.simulated(worker, program, 2, "nx2", tmp_path / "run")
    assert (ended.status, ended.stderr) == (0, "")
