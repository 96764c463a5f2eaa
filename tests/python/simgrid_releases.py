# SPDX-License-Identifier: BSD-3-Clause
"""What SimGrid does otherwise from a release on, where tests look at SimGrid itself (docs/design/releases.md)."""

from __future__ import annotations

from hypermon._model import worker


def before_4() -> bool:
    """Whether the worker's SimGrid is 3.x: Debian 12's."""
    return int(worker.schema().versions["simgrid"].partition(".")[0]) < 4


def refused_by_smpi_alone() -> dict[str, str]:
    """Wrong calls of mpi_errors.c that SMPI refuses where it carries the messages: neither 3.32 does so, nor NX/2."""
    return {} if before_4() else {"Sendrecv same buffer": "MPI_ERR_BUFFER"}


def functions_beyond_mpi_3() -> set[str]:
    """What its mpi.h declares beside MPI-3.1: functions of MPI-4, from 4.0 on."""
    if before_4():
        return set()
    partitioned = {"Psend_init", "Precv_init", "Pready", "Pready_range", "Pready_list", "Parrived"}
    return {f"MPI_{name}" for name in {"Isendrecv", "Isendrecv_replace"} | partitioned}


def without_its_own(output: str) -> str:
    """What the worker itself wrote to stderr."""
    return output if before_4() else output.replace(f"{worker.SIMGRID_LEAVES}\n", "")
