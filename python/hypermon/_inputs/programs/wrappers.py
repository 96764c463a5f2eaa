# SPDX-License-Identifier: BSD-3-Clause
"""The compilers that the build of a folder finds: SimGrid's, under the names that MPI's are called by.

They come first in PATH. What they add is what a program needs whose ranks share a process, hypermon.h, and the user's
folder in the place of the private one that is built in, wherever a path gets into the program.
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
# What makefiles and configure call compilers by.
VARIABLES = {
    **dict.fromkeys(("CC", "MPICC"), "smpicc"),
    **dict.fromkeys(("CXX", "MPICXX"), "smpicxx"),
    **dict.fromkeys(("FC", "F77", "F90", "MPIFC", "MPIF77", "MPIF90"), "smpif90"),
}
KEPT = ("PATH", "HOME", "TMPDIR", "LD_LIBRARY_PATH")  # of the user's environment; what else could change a build is not


def write(folder: Path, mapped: Mapping[Path, Path], options: Sequence[str]) -> None:
    """`mapped`: folders of the build to the user's. `options`: of program.cflags, after those of the folder."""
    folder.mkdir()
    # A program links main(), from an archive too; an object that is shared need not.
    first = ["-g1", "-Wl,-u,main", *(f"-ffile-prefix-map={built}={users}" for built, users in mapped.items())]
    last = shlex.join(options)
    for names, command, own in ((C, "smpicc", ()), (CXX, "smpicxx", compilers.CXX_OPTIONS)):
        real = shlex.quote(versions.find(command) or command)
        _write(folder, names, f'exec {real} {shlex.join([*own, *first, *compilers.headers(command)])} "$@" {last}\n')
    _write(folder, FORTRAN, _fortran(shlex.join([*first, *compilers.headers("smpif90")]), last))


def environment(folder: Path) -> dict[str, str]:
    """Of a build that finds them: nothing of the user's that could change it."""
    kept = {name: os.environ[name] for name in KEPT if name in os.environ}
    made = {"SOURCE_DATE_EPOCH": "0", "TZ": "UTC0"}  # __DATE__ is no date of the host's
    return {**kept, **made, **VARIABLES, "PATH": f"{folder}:{os.environ.get('PATH', os.defpath)}"}


def _fortran(first: str, last: str) -> str:
    """Not by smpif90 itself (compilers)."""
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
