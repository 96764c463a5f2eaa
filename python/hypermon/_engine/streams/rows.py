# SPDX-License-Identifier: BSD-3-Clause
"""Bursts as arrays that can be reordered, before they are written to a recording."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Rows:
    """n bursts."""

    time_ps: NDArray[np.int64]
    """[n] Time at which each burst begins, ps."""
    node: NDArray[np.uint16]
    """[n] Node of each burst."""
    count: NDArray[np.int64]
    """[n] Number of bytes of each burst, at least one."""
    data: NDArray[np.uint8]
    """The bytes of all bursts in sequence."""

    def __len__(self) -> int:
        return len(self.node)

    @property
    def offsets(self) -> NDArray[np.int64]:
        """[n + 1] Burst i consists of data[offsets[i] : offsets[i + 1]]."""
        return np.concatenate([np.zeros(1, np.int64), np.cumsum(self.count)])

    def take(self, order: NDArray[np.int64]) -> Rows:
        """Returns the rows with these indices, in this order."""
        count = self.count[order]
        if len(count) and (self.count == count[0]).all():
            data = self.data.reshape(-1, count[0])[order].reshape(-1)
        else:
            data = self.data[positions_in_groups(count) + np.repeat(self.offsets[:-1][order], count)]
        return Rows(self.time_ps[order], self.node[order], count, data)

    def split(self, row: int) -> tuple[Rows, Rows]:
        """Returns the rows before `row`, and the remaining ones."""
        byte = int(self.count[:row].sum())
        return (
            Rows(self.time_ps[:row], self.node[:row], self.count[:row], self.data[:byte]),
            Rows(self.time_ps[row:], self.node[row:], self.count[row:], self.data[byte:]),
        )

    def at(self, time_ps: NDArray[np.int64]) -> Rows:
        """Returns the same rows with other times."""
        return Rows(time_ps, self.node, self.count, self.data)


def joined(parts: Sequence[Rows]) -> Rows:
    """Concatenates rows."""
    if len(parts) == 1:
        return parts[0]
    return Rows(
        np.concatenate([rows.time_ps for rows in parts]),
        np.concatenate([rows.node for rows in parts]),
        np.concatenate([rows.count for rows in parts]),
        np.concatenate([rows.data for rows in parts]),
    )


def positions_in_groups(count: NDArray[np.int64]) -> NDArray[np.int64]:
    """Returns 0, 1, ..., count - 1 for each of the counts, concatenated."""
    return np.arange(count.sum()) - np.repeat(np.cumsum(count) - count, count)
