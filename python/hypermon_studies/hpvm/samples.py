# SPDX-License-Identifier: BSD-3-Clause
"""Results that follow from the samples of HPVM's monitor alone, on its global clock."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypermon._model.result import Result
from hypermon.monitors.hpvm.clock import COLUMN, global_times

if TYPE_CHECKING:
    import pandas as pd

_PS = 1e12
Series = list[tuple[float, float]]  # s on the global clock, value


def _of(result: Result, counter: str) -> pd.DataFrame:
    """Returns each node's samples of a counter in order, with all its items added up; `sweep` counts a node's
    samples.
    """
    frame = global_times(result)
    frame = frame[frame["counter"] == counter]
    at_once = frame.groupby(["node", "stamped_ps"], as_index=False, observed=True).agg(
        value=("value", "sum"), at=(COLUMN, "max")
    )
    at_once["sweep"] = at_once.groupby("node").cumcount()
    return at_once


def collective_s(result: Result) -> list[float]:
    """Returns TimeInColl of each node in its last sample."""
    return [float(value) / _PS for value in _of(result, "mpi.time").groupby("node")["value"].last()]


def seen_s(result: Result) -> list[float]:
    """Time of each node's last sample since the start of the run."""
    return [float(at) / _PS for at in _of(result, "mpi.time").groupby("node")["at"].last()]


def cpu_shares(result: Result) -> list[float]:
    """Share of a processor that each node's rank got between its first and its last sample, polling included."""
    by_node = _of(result, "cpu.user").groupby("node")
    grown, passed = ((by_node[column].last() - by_node[column].first()) for column in ("value", "at"))
    return [float(share) for share in grown / passed]


def switches_per_s(result: Result) -> list[float]:
    """Context switches of each node, all of its processors together."""
    by_node = _of(result, "os.context_switches").groupby("node")
    grown, passed = ((by_node[column].last() - by_node[column].first()) for column in ("value", "at"))
    return [float(rate) for rate in grown / passed * _PS]


def sent_mb(result: Result, counter: str) -> Series:
    """Data that all nodes have sent until each sweep, in MB."""
    frame = _of(result, counter)
    whole = frame[frame["sweep"] <= frame.groupby("node")["sweep"].max().min()]
    by_sweep = whole.groupby("sweep")
    return [
        (float(at) / _PS, float(value) / 1e6)
        for at, value in zip(by_sweep["at"].mean(), by_sweep["value"].sum(), strict=True)
    ]
