# SPDX-License-Identifier: BSD-3-Clause
"""MPI's constants in Fortran, as SMPI's library uses them.

SMPI 3.32's mpif.h lacks MPI_SEEK_END and the error classes of files and one-sided calls, and gives four error classes
values that the library does not return. Therefore `mpif.h` and the module `mpi` are made from both of SMPI's headers,
and kept in the cache.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

from hypermon._files import files
from hypermon._inputs.programs import cache

MODULE, HEADER = "mpi.mod", "mpif.h"
FORMAT = 1  # version of what is made
_ERROR = re.compile(r"\bERROR\((MPI_\w+)\)")  # smpi.h lists the error classes in the order of their values, from 0 on
_SEEK = re.compile(r"^#define\s+(MPI_SEEK_\w+)\s+(\d+)\s*$", re.MULTILINE)
_KNOWN = re.compile(r"^[ \t]*parameter\s*\(\s*(MPI_\w+)\s*=\s*(-?\d+)\s*\)", re.MULTILINE | re.IGNORECASE)


def include(compiler: Sequence[str]) -> list[str]:
    """Returns the option for gfortran that finds these files. `compiler`: the command, whose -I name SMPI's headers.

    Empty: SMPI has no such headers, or the compiler is not installed or does not compile them.
    """
    folders = (Path(word[2:]) for word in compiler if word.startswith("-I"))
    smpi = next((folder for folder in folders if (folder / HEADER).is_file() and (folder / "smpi.h").is_file()), None)
    if smpi is None or shutil.which(compiler[0]) is None:
        return []
    header = smpi / HEADER
    fortran, c = (path.read_text(encoding="utf-8", errors="surrogateescape") for path in (header, smpi / "smpi.h"))
    key = cache.key(["fortran", FORMAT, fortran, c, list(compiler), _version(compiler)])
    made = cache.kept(key)
    if made is None:
        with cache.work() as work:
            (work / HEADER).write_text(completed(fortran, c), encoding="utf-8", errors="surrogateescape")
            (work / "mpi.f90").write_text(f"module mpi\n  include '{HEADER}'\nend module\n", encoding="utf-8")
            command = [*compiler[:1], "-fsyntax-only", "mpi.f90"]
            if subprocess.run(command, cwd=work, capture_output=True, check=False).returncode:
                return []
            made = cache.keep(key, work, MODULE, {str(header): files.sha256(header)}, {})
    return [f"-I{made.object.parent}"]


def completed(fortran: str, c: str) -> str:
    """Returns Fortran's header with all error classes and MPI_SEEK_* of C's header, whose values SMPI returns."""
    of_c = {name: value for value, name in enumerate(dict.fromkeys(_ERROR.findall(c)))}
    of_c.update((name, int(value)) for name, value in _SEEK.findall(c))
    there = {name.upper() for name, _ in _KNOWN.findall(fortran)}
    corrected = _KNOWN.sub(lambda known: _with_value(known, of_c.get(known[1].upper())), fortran)
    more = (
        f"      integer {name}\n      parameter({name}={value})\n" for name, value in of_c.items() if name not in there
    )
    return "".join((corrected, "\n", *more))


def _with_value(known: re.Match[str], value: int | None) -> str:
    return known[0] if value is None else known[0].replace(f"={known[2]}", f"={value}")


def _version(compiler: Sequence[str]) -> str:
    return subprocess.run([compiler[0], "-dumpfullversion"], capture_output=True, text=True, check=False).stdout
