# SPDX-License-Identifier: BSD-3-Clause
"""Finds the program among the outputs of a build: a shared object with `main` that calls MPI, according to readelf."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from hypermon.errors import UserError

_MAIN = re.compile(r"\s(?:main|user_main_)$", re.MULTILINE)  # user_main_: a Fortran program that smpif90 rewrote
_UNDEFINED_MPI = re.compile(r"\sUND\s+(?:MPI_\w+|mpi_\w+_)", re.MULTILINE)
_OTHER_MPI = re.compile(r"\(NEEDED\).*\[(libmpi[^\]]*|libmpich[^\]]*)\]")


@dataclass(frozen=True)
class Made:
    """Properties of an ELF file."""

    path: Path
    has_main: bool
    calls_mpi: bool
    other: str  # library of another MPI that it needs; empty: none
    runs_alone: bool  # whether it is an executable


def choose(built: Mapping[str, Path], wanted: str, shown: Path, where: str) -> str:
    """Returns the name of the program among the outputs of a build. Raises a UserError if it is not unique."""
    made = {name: one for name, path in built.items() if (one := _read(path)) is not None}
    found = sorted(name for name, one in made.items() if one.has_main and one.calls_mpi and not one.other)
    found = found or sorted(name for name, one in made.items() if one.has_main and not one.other)
    others = sorted(name for name, one in made.items() if one.other or (one.runs_alone and not one.has_main))
    if wanted:
        named = [name for name in found if wanted in (name, f"./{name}")]
        named = named or [name for name in found if Path(name).name == wanted]
        if len(named) == 1:
            return named[0]
        if any(wanted in (name, Path(name).name) for name in others):
            raise UserError(f"program.executable = {wanted}: {_why(made, others)}", where)
        raise UserError(f"program.executable = {wanted}: must be one of {_list(found)}, which {shown} has", where)
    if len(found) == 1:
        return found[0]
    if found:
        raise UserError(
            f"program.file = {shown}: {len(found)} programs were built: {_list(found)}; "
            "say which with program.executable",
            where,
        )
    why = _why(made, others) if others else "what was built has no main()" if made else "its build made no program"
    raise UserError(f"program.file = {shown}: {why}", where)


def _why(made: Mapping[str, Made], names: Sequence[str]) -> str:
    """Returns the reason why none of these files is a usable program."""
    of_other = [f"{name} ({made[name].other})" for name in names if made[name].other]
    if of_other:
        return f"was built with another MPI: {_list(of_other)}; its compiler must be mpicc or $(CC), not a path"
    return f"was not linked by smpicc: {_list(names)}; its compiler must be mpicc or $(CC), not a path"


def _list(names: Iterable[str]) -> str:
    shown = list(names)
    return ", ".join(shown[:10]) + (f" and {len(shown) - 10} more" if len(shown) > 10 else "") if shown else "none"


def _read(path: Path) -> Made | None:
    """Reads the properties of a file. None: it is no ELF program or library."""
    with path.open("rb") as file:
        if file.read(4) != b"\x7fELF":
            return None
    command = ["readelf", "--wide", "--file-header", "--program-headers", "--dynamic", "--dyn-syms", str(path)]
    try:
        done = subprocess.run(
            command, capture_output=True, encoding="utf-8", errors="backslashreplace", check=False, env={"LC_ALL": "C"}
        )
    except OSError:
        raise UserError("readelf is not installed (Debian: binutils)") from None
    output = done.stdout
    if re.search(r"Type:\s+(DYN|EXEC)", output) is None:
        return None
    other = _OTHER_MPI.search(output)
    defined = "\n".join(line for line in output.splitlines() if " UND " not in line)
    alone = re.search(r"^\s+INTERP\s", output, re.MULTILINE) is not None
    return Made(
        path,
        _MAIN.search(defined) is not None and not alone,
        bool(_UNDEFINED_MPI.search(output)),
        other[1] if other else "",
        alone,
    )
