# SPDX-License-Identifier: BSD-3-Clause
"""What stands on a time line, whoever recorded it: a tree of tracks with states and statistics on one axis.

The page of a run draws it, Perfetto and OTF2 files carry it; HDTrace projects, a monitor's recordings and simulated
servers are read into it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class Texts:
    """Texts of which there are few different ones, as a column: `numpy.asarray` makes an array of it.

    Attributes:
        texts: What the numbers stand for.
        number: Shape (n,), int32.
    """

    texts: tuple[str, ...]
    number: NDArray[np.int32]

    def __len__(self) -> int:
        return len(self.number)

    def __getitem__(self, which: Any) -> Any:
        """One text, or those of a slice, of places or of a mask."""
        found = self.number[which]
        return Texts(self.texts, found) if isinstance(found, np.ndarray) else np.str_(self.texts[found])

    def __eq__(self, other: object) -> Any:
        """Of each, as arrays do."""
        return np.asarray(self) == (np.asarray(other) if isinstance(other, Texts) else other)

    __hash__ = None  # type: ignore[assignment]

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        del copy  # it is always one
        found = np.array(self.texts or ("",), str)[self.number]
        return found if dtype is None else found.astype(dtype)

    def tolist(self) -> list[str]:
        """As a list."""
        return [self.texts[number] for number in self.number.tolist()]


@dataclass(frozen=True)
class States:
    """What goes on in one line of the tree. Arrays of a long time line lie in files and are read only.

    Attributes:
        path: From the root: ("run", "node00", "process 0") or ("run", "server0", "TROVE").
        begin_ps, end_ps: Shape (n,), int64, of true or recorded time; sorted by begin. States may overlap (a server's
            operations) or be nested (an MPI call's messages).
        names: What the numbers in `name` stand for.
        name: Shape (n,), int32.
        id: Shape (n,), uint64: the operation's number, 0: none.
        cause: Shape (n,), uint64: of the operation that caused it, here or on another track, 0: none.
        details: Further columns of shape (n,), arrays or `Texts`, by name: bytes, offset, file, peer, ...
    """

    path: tuple[str, ...]
    begin_ps: NDArray[np.int64]
    end_ps: NDArray[np.int64]
    names: tuple[str, ...]
    name: NDArray[np.int32]
    id: NDArray[np.uint64]
    cause: NDArray[np.uint64]
    details: Mapping[str, Any] = field(default_factory=dict)

    def arrays(self) -> tuple[NDArray[Any], ...]:
        """All columns as arrays of shape (n,); `Texts` as the numbers of their texts."""
        details = (one.number if isinstance(one, Texts) else one for one in self.details.values())
        return self.begin_ps, self.end_ps, self.name, self.id, self.cause, *details


@dataclass(frozen=True)
class Statistic:
    """A number over time.

    Attributes:
        path: As of states; its last element is the statistic's name.
        unit: "W", "B/s", "%", "" for a count.
        times_ps: Shape (n,), int64, ascending.
        values: Shape (n,), float64.
        exact: Each value holds from its time to the next one's (a count that is told at every change); otherwise it is
            the mean over the time since the one before (a sampler's).
    """

    path: tuple[str, ...]
    unit: str
    times_ps: NDArray[np.int64]
    values: NDArray[np.float64]
    exact: bool


@dataclass(frozen=True)
class TimeLine:
    """All of a run, or of several beside each other (each a first element of the paths)."""

    states: tuple[States, ...]
    statistics: tuple[Statistic, ...]
    begin_ps: int
    end_ps: int
