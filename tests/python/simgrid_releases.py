# SPDX-License-Identifier: BSD-3-Clause
"""Differences between SimGrid's releases, for tests that use SimGrid itself (docs/design/releases.md)."""

from __future__ import annotations

from hypermon._model import worker


def before_4() -> bool:
    """True if the worker uses SimGrid 3.x, as on Debian 12."""
    return int(worker.schema().versions["simgrid"].partition(".")[0]) < 4


def refused_by_smpi_alone() -> dict[str, str]:
    """Wrong calls of mpi_errors.c that only SMPI refuses, as message carrier: neither SimGrid 3.32 nor NX/2 does."""
    return {} if before_4() else {"Sendrecv same buffer": "MPI_ERR_BUFFER"}


def functions_beyond_mpi_3() -> set[str]:
    """Functions that its mpi.h declares besides MPI-3.1: functions of MPI-4, from 4.0 on."""
    if before_4():
        return set()
    partitioned = {"Psend_init", "Precv_init", "Pready", "Pready_range", "Pready_list", "Parrived"}
    return {f"MPI_{name}" for name in {"Isendrecv", "Isendrecv_replace"} | partitioned}


def without_its_own(output: str) -> str:
    """The output without lines that the worker itself wrote to stderr."""
    return output if before_4() else output.replace(f"{worker.SIMGRID_LEAVES}\n", "")
