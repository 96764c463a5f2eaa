# SPDX-License-Identifier: BSD-3-Clause
"""Wrappers by which the build of a folder finds SimGrid's compilers under the names of MPI's compilers.

They come first in PATH. They add the options for programs whose ranks share a process, the path of hypermon.h, and a
mapping of the private build folder to the user's folder for paths in the program.
"""

from __future__ import annotations

import os
import shlex
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path

from hypermon._inputs.programs import compilers, versions

C = ("smpicc", "mpicc", "mpicc.mpich", "mpicc.openmpi", "mpiicc", "mpigcc")
CXX = ("smpicxx", "mpicxx", "mpic++", "mpiCC", "mpig++", "mpicxx.mpich", "mpicxx.openmpi", "mpiicpc")
FORTRAN = ("smpif90", "smpiff", "mpif90", "mpif77", "mpifort", "mpiifort", "mpif90.mpich", "mpif90.openmpi")
# Variables for compilers in makefiles and configure.
VARIABLES = {
    **dict.fromkeys(("CC", "MPICC"), "smpicc"),
    **dict.fromkeys(("CXX", "MPICXX"), "smpicxx"),
    **dict.fromkeys(("FC", "F77", "F90", "MPIFC", "MPIF77", "MPIF90"), "smpif90"),
}
KEPT = ("PATH", "HOME", "TMPDIR", "LD_LIBRARY_PATH")  # variables that are kept; others could influence the build


def write(folder: Path, mapped: Mapping[Path, Path], options: Sequence[str]) -> None:
    """Writes the wrappers. `mapped`: the user's folder for each build folder. `options`: those of program.cflags."""
    folder.mkdir()
    # -u main: the linker of a shared object would not take main() out of an archive, unlike that of a program.
    first = ["-g1", "-Wl,-u,main", *(f"-ffile-prefix-map={built}={users}" for built, users in mapped.items())]
    last = shlex.join(options)
    for names, command, own in ((C, "smpicc", ()), (CXX, "smpicxx", compilers.CXX_OPTIONS)):
        real = shlex.quote(versions.find(command) or command)
        _write(folder, names, f'exec {real} {shlex.join([*own, *first, *compilers.headers(command)])} "$@" {last}\n')
    _write(folder, FORTRAN, _fortran(shlex.join([*first, *compilers.headers("smpif90")]), last))


def environment(folder: Path) -> dict[str, str]:
    """Returns the environment of a build that finds the wrappers, without variables that could influence the build."""
    kept = {name: os.environ[name] for name in KEPT if name in os.environ}
    made = {"SOURCE_DATE_EPOCH": "0", "TZ": "UTC0"}  # makes __DATE__ independent of the host's clock
    return {**kept, **made, **VARIABLES, "PATH": f"{folder}:{os.environ.get('PATH', os.defpath)}"}


def _fortran(first: str, last: str) -> str:
    """Returns the wrapper for Fortran. It does not call smpif90 (see compilers)."""
    if versions.find("smpif90") is None:
        return 'echo "$0: this SimGrid was built without Fortran" >&2\nexit 127\n'
    compiler, libraries = compilers.fortran()
    if shutil.which(compiler[0]) is None:
        return 'echo "$0: gfortran is not installed (Debian: gfortran)" >&2\nexit 127\n'
    return f"""link="{" ".join([*libraries, *compilers.shared()])}"
test -z "$SMPI_PRETEND_CC" || link="{" ".join(libraries)}"
for word; do
  case $word in
    -c | -E | -S | -M* | -fsyntax-only | --version) link= ;;
    -show | -compile-info | -link-info) echo "{" ".join([*compiler, *libraries])}"; exit ;;
  esac
done
exec {" ".join(compiler)} {first} "$@" {last} $link
"""


def _write(folder: Path, names: Sequence[str], text: str) -> None:
    for name in names:
        (folder / name).write_text(f"#!/bin/sh\n{text}", encoding="utf-8")
        (folder / name).chmod(0o755)
