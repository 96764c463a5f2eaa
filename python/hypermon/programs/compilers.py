"""SimGrid's compilers: which there are, and how they are asked. The dynamic linker and SMPI are their business."""

from __future__ import annotations

import functools
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from hypermon.errors import UserError

C = {".c"}
CXX = {".cpp", ".cc", ".cxx", ".c++", ".C"}
# As sw/workloads/CMakeLists.txt builds ours. One copy of the object is loaded per rank; unique symbols of C++ would be
# shared between the copies.
OPTIONS = ("-O2", "-g1")
CXX_OPTIONS = ("-fno-gnu-unique",)


def run(command: Sequence[str], folder: Path) -> None:
    """In that folder. A UserError shows what the compiler said."""
    if shutil.which(command[0]) is None:
        raise UserError(f"{command[0]} is not installed: it comes with SimGrid (Debian: libsimgrid-dev)")
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, errors="replace", check=False)
    if done.returncode:
        from hypermon import mpi_functions

        absent = mpi_functions.absent(done.stderr)
        why = f"program.file: {absent}" if absent else f"{command[0]} does not compile the program"
        raise UserError(f"{why}:\n{done.stderr.rstrip()}")
    sys.stderr.write(done.stderr)  # warnings


@functools.cache
def version() -> str:
    """Of SimGrid and of the compilers behind its own."""
    said = [
        subprocess.run([command, *options], capture_output=True, text=True, check=False).stdout
        for command in ("smpicc", "smpicxx")
        if shutil.which(command)
        for options in (["-version"], ["-compiler-version", "-c"])  # -c: it would link nothing otherwise
    ]
    return "".join(said)


def include() -> Path:
    """The folder of hypermon.h: of the source tree, else of the installed package."""
    package = Path(__file__).resolve().parents[1]
    tree = package.parents[1] / "sw" / "include"
    return tree if tree.is_dir() else package / "include"
