# SPDX-License-Identifier: BSD-3-Clause
"""Time lines, independent of their source: a tree of tracks with states and statistics on a common time axis.

They are made from HDTrace projects, monitors' recordings and simulated servers. They are drawn on the page of a run,
and written to Perfetto and OTF2 files.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray


WORLD = "MPI_COMM_WORLD"


@dataclass(frozen=True, eq=False)
class Texts:
    """A column of texts with few distinct values. `numpy.asarray` makes an array of it.

    Attributes:
        texts: The distinct texts.
        number: Index of each row's text. Shape (n,), int32.
    """

    texts: tuple[str, ...]
    number: NDArray[np.int32]

    def __len__(self) -> int:
        return len(self.number)

    def __getitem__(self, which: Any) -> Any:
        """Returns one text, or the texts of a slice, of indices or of a mask."""
        found = self.number[which]
        return Texts(self.texts, found) if isinstance(found, np.ndarray) else np.str_(self.texts[found])

    def __eq__(self, other: object) -> Any:
        """Compares element by element, as arrays do."""
        return np.asarray(self) == (np.asarray(other) if isinstance(other, Texts) else other)

    __hash__ = None  # type: ignore[assignment]

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        del copy  # ignored: the result is always a copy
        found = np.array(self.texts or ("",), str)[self.number]
        return found if dtype is None else found.astype(dtype)

    def tolist(self) -> list[str]:
        """Returns the texts as a list."""
        return [self.texts[number] for number in self.number.tolist()]


@dataclass(frozen=True)
class Communicator:
    """An MPI communicator. `members`: their ranks in MPI_COMM_WORLD, by rank in the communicator."""

    name: str
    members: tuple[int, ...]


@dataclass(frozen=True)
class Process:
    """An MPI process.

    Attributes:
        rank: Its rank in MPI_COMM_WORLD.
        communicators: Its communicators, by the numbers that its states have for them.
    """

    rank: int
    communicators: Mapping[int, Communicator]


@dataclass(frozen=True)
class States:
    """The states of one track. Arrays of a long time line are in files and read-only.

    Attributes:
        path: Path from the root: ("run", "node00", "rank 0") or ("run", "server0", "TROVE").
        begin_ps, end_ps: True or recorded times, sorted by begin. Shape (n,), int64. States may overlap (operations of
            a server) or be nested (messages in an MPI call).
        names: The distinct names of states.
        name: Index of each state's name in `names`. Shape (n,), int32.
        id: Number of each state's operation. Shape (n,), uint64. 0: none.
        cause: Number of the operation that caused it, on any track. Shape (n,), uint64. 0: none.
        details: Further columns of shape (n,), arrays or `Texts`, by name: bytes, offset, file, peer, ...
        lost: Whether the states are data that the monitor lost. They are drawn in red.
        process: The MPI process whose calls the states are. None: they are not the calls of a known process.
    """

    path: tuple[str, ...]
    begin_ps: NDArray[np.int64]
    end_ps: NDArray[np.int64]
    names: tuple[str, ...]
    name: NDArray[np.int32]
    id: NDArray[np.uint64]
    cause: NDArray[np.uint64]
    details: Mapping[str, Any] = field(default_factory=dict)
    lost: bool = False
    process: Process | None = None

    def arrays(self) -> tuple[NDArray[Any], ...]:
        """Returns all columns as arrays of shape (n,). For `Texts`, these are the indices of their texts."""
        details = (one.number if isinstance(one, Texts) else one for one in self.details.values())
        return self.begin_ps, self.end_ps, self.name, self.id, self.cause, *details


@dataclass(frozen=True)
class Statistic:
    """A number over time.

    Attributes:
        path: Path from the root, as for states. The last element is the statistic's name.
        unit: "W", "B/s", "%", "" for a count.
        times_ps: Shape (n,), int64, ascending.
        values: Shape (n,), float64.
        exact: Whether each value is valid from its time until the next one (a count that is recorded at every change).
            Otherwise it is the mean over the time since the previous one (a sampled value).
        limit: Largest possible value, such as the depth of a FIFO. None: it has no limit.
        lost: Whether it counts what the monitor lost. It is drawn in red.
    """

    path: tuple[str, ...]
    unit: str
    times_ps: NDArray[np.int64]
    values: NDArray[np.float64]
    exact: bool
    limit: float | None = None
    lost: bool = False


@dataclass(frozen=True)
class TimeLine:
    """The time line of a run, or of several runs. With several runs each path begins with the name of its run."""

    states: tuple[States, ...]
    statistics: tuple[Statistic, ...]
    begin_ps: int
    end_ps: int
