# SPDX-License-Identifier: BSD-3-Clause
"""Support of the MPI-3.1 functions (docs/reference/mpi-functions.md), and messages about functions that are missing."""

from __future__ import annotations

import functools
import json
import re
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hypermon._model import worker
from hypermon.errors import SimulationError

PAGE = "docs/reference/mpi-functions.md"
# Messages of linkers, gcc and clang about an unknown name.
_UNKNOWN = re.compile(r"undefined reference to [`'](\w+)'|[‘'](\w+)[’'] was not declared|undeclared identifier '(\w+)'")


@dataclass(frozen=True)
class Support:
    """The worker's support of a function."""

    smpi: str
    """State in SMPI: there, absent, stub (ends the program when it is called) or empty (does nothing)."""
    told: bool
    """Whether monitors can observe calls, so that event catalogues have points for them."""
    own: bool
    """Whether the simulator implements it under both message models, such as MPI_Init."""
    nx2: bool
    """Whether NX/2 implements it. Otherwise SMPI does."""
    script: str
    """Form of a call in program scripts: yes, left out, as ...; empty if a replay does not need the call."""


@functools.cache
def _data() -> Mapping[str, Mapping[str, str]]:
    import yaml

    text = Path(__file__).with_name("mpi-3.1.yaml").read_text(encoding="utf-8")
    data: Mapping[str, Mapping[str, str]] = yaml.safe_load(text)
    return data


def chapters() -> dict[str, list[str]]:
    """Returns the functions of the standard's C bindings, by chapter."""
    return {chapter: [f"MPI_{name}" for name in names.split()] for chapter, names in _data()["chapters"].items()}


def fortran_files() -> list[str]:
    """Returns the symbols of Fortran's MPI_File_*, which the worker defines (sw/mpiio/fortran_calls.cpp)."""
    of_c_only = {"MPI_File_c2f", "MPI_File_f2c"}
    names = {name for chapter in chapters().values() for name in chapter if name.startswith("MPI_File_")}
    return [f"{name.lower()}_" for name in sorted(names - of_c_only)]


def under_nx2() -> dict[str, str]:
    """Returns the NX/2 implementation of each function that NX/2 implements."""
    return {f"MPI_{name}": what for what, names in _data()["nx2"].items() for name in names.split()}


def support(names: Sequence[str]) -> dict[str, Support]:
    """Returns the support of each function, which the worker determines."""
    command = [str(worker.find()), "--mpi-functions"]
    done = subprocess.run(
        command, input="\n".join(names), capture_output=True, encoding="utf-8", errors="backslashreplace", check=False
    )
    if done.returncode:
        raise SimulationError(f"{' '.join(command)} failed: {done.stderr.strip()}")
    found: Mapping[str, Any] = json.loads(done.stdout)
    return {name: Support(**found[name]) for name in names}


def absent(output: str) -> str:
    """Returns a message about MPI functions that a compiler or linker did not find. Empty: there are none.

    `output`: the output of the compiler or linker.
    """
    of_fortran = {f"{name.lower()}_": name for names in chapters().values() for name in names}
    named = (of_fortran.get(name, name) for match in _UNKNOWN.findall(output) for name in match)
    found = {name for name in named if re.match("P?MPI_", name)}
    if not found:
        return ""
    *first, last = sorted(found)
    names = f"{', '.join(first)} and {last}" if first else last
    return f"calls {names}, which SMPI {worker.schema().versions['simgrid']} does not have ({PAGE})"
