# SPDX-License-Identifier: BSD-3-Clause
"""SimGrid's compilers and their options. They know how to link for SMPI.

SimGrid's Fortran compiler is only used to query its options. It would compile a rewritten copy of the source, in which
the program is a subroutine; the copy has a random name, which debugging information and messages would show. This is
not necessary, since gfortran's own `main` works like that of a C program.
"""

from __future__ import annotations

import functools
import os
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

from hypermon._files import places
from hypermon._inputs.programs import fortran_constants, versions
from hypermon._printing import say
from hypermon.errors import UserError

C = {".c"}
CXX = {".cpp", ".cc", ".cxx", ".c++", ".C"}
FORTRAN = {".f90", ".F90", ".f95", ".F95", ".f03", ".F03", ".f08", ".F08", ".f", ".F", ".for"}
SUFFIXES = C | CXX | FORTRAN
# The same options as in sw/workloads/CMakeLists.txt. A copy of the object is loaded for each rank, and unique symbols
# of C++ would be shared by the copies.
OPTIONS = ("-O2", "-g1")
CXX_OPTIONS = ("-fno-gnu-unique",)
PRETENDS = {"SMPI_PRETEND_CC": "1"}  # makes SimGrid's compilers behave like ordinary ones


def choose(source: Path) -> str:
    """Returns the compiler for a source."""
    return "smpif90" if source.suffix in FORTRAN else "smpicxx" if source.suffix in CXX else "smpicc"


def require(sources: Sequence[Path]) -> None:
    """Raises a UserError if a compiler for these sources is not installed. The message names its package."""
    for compiler in sorted({choose(source) for source in sources}):
        found = versions.find(compiler)
        if found is None and compiler == "smpif90" and versions.find("smpicc") is not None:
            raise UserError(f"{compiler} is not installed: this SimGrid was built without Fortran")
        if found is None:
            raise UserError(f"{compiler} is not installed: it comes with SimGrid (Debian: libsimgrid-dev)")
        if compiler == "smpif90" and shutil.which(fortran()[0][0]) is None:
            raise UserError("gfortran is not installed: smpif90 compiles Fortran by it (Debian: gfortran)")
        if versions.compiler_behind(found) is None:
            raise UserError(f"{compiler} runs a compiler that is not installed (Debian: g++)")


@functools.cache
def fortran() -> tuple[list[str], list[str]]:
    """Returns the command of smpif90 (gfortran with options), and its libraries without those of `shared()`."""
    command = [versions.find("smpif90") or "smpif90", "-show", "x.o", "-o", "x"]
    environment = os.environ | PRETENDS
    output = subprocess.run(
        command, env=environment, capture_output=True, encoding="utf-8", errors="backslashreplace", check=False
    ).stdout
    words = output.splitlines()[-1].split() if output else ["gfortran"]
    libraries = [word for word in words if word.startswith(("-l", "-L"))]
    compiler = [word for word in words if word not in ("x.o", "-ox", *libraries)]
    return [*compiler[:1], *fortran_constants.include(compiler), *compiler[1:]], libraries


@functools.cache
def shared() -> tuple[str, ...]:
    """Returns the options for linking Fortran programs, which SimGrid's other compilers add themselves.

    The linker accepts functions that SMPI lacks and the worker defines.
    """
    from hypermon._inputs import mpi_functions

    of_worker = (f"-Wl,--ignore-unresolved-symbol={name}" for name in mpi_functions.fortran_files())
    return ("-shared", "-Wl,-z,defs", *of_worker)


def run(command: Sequence[str], folder: Path) -> None:
    """Runs a compiler in the folder. Raises a UserError with the compiler's messages."""
    words = [versions.find(command[0]) or command[0], *command[1:]]
    if command[0] == "smpif90":
        compiler, libraries = fortran()
        words = [*compiler, *words[1:], *([] if "-c" in words else [*libraries, *shared()])]
    done = subprocess.run(
        words, cwd=folder, capture_output=True, encoding="utf-8", errors="backslashreplace", check=False
    )
    if done.returncode:
        from hypermon._inputs import mpi_functions

        absent = mpi_functions.absent(done.stderr)
        why = f"program.file: {absent}" if absent else f"{command[0]} does not compile the program"
        raise UserError(f"{why}:\n{done.stderr.rstrip()}")
    say(done.stderr, err=True, end="")  # warnings


def version(and_fortran: bool = False) -> str:
    """Returns the versions of SimGrid and of the compilers that it calls. `and_fortran`: also that of gfortran."""
    output = "".join(versions.query(command) for command in ("smpicc", "smpicxx"))
    if and_fortran and shutil.which("gfortran"):
        output += subprocess.run(
            ["gfortran", "--version"], capture_output=True, encoding="utf-8", errors="backslashreplace", check=False
        ).stdout
    return output


def headers(compiler: str) -> list[str]:
    """Returns the options for hypermon.h, and for a header that corrects SMPI's headers."""
    folder = places.headers()
    mended = [] if compiler == "smpif90" else ["-include", str(folder / "hypermon_smpi.h")]
    return [f"-I{folder}", *mended]
