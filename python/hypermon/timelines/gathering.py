# SPDX-License-Identifier: BSD-3-Clause
"""Collects the states of a track from unsorted pieces, and sorts them by begin. Their number may exceed the memory."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

import numpy as np

from hypermon._files.scratch import Few, Scratch, let_go, merged
from hypermon.timelines.tracks import States, Texts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

NONE = -1  # number of a state's detail that has no value
_COLUMNS = ("begin_ps", "end_ps", "name", "id", "cause")


class Gathering:
    """Collects the states of one track. Their data are kept in `scratch`."""

    def __init__(self, path: tuple[str, ...], scratch: Scratch) -> None:
        self.path, self._scratch = path, scratch
        self._pieces = Few[States]()
        self._texts: dict[str, dict[str, int]] = {}  # for each detail its texts, numbered in order of appearance

    def __len__(self) -> int:
        return sum(len(one.begin_ps) for one in self._pieces)

    def add(self, piece: States) -> None:
        """Adds states, in any order.

        Numbers of names must keep their meaning: each piece's `names` begin with those of the previous piece. A detail
        may be missing in some pieces, and the texts of a detail may differ between pieces.
        """
        at = np.lexsort((-piece.end_ps, piece.begin_ps))  # a containing state precedes the states in it
        begin, end, name, own, cause = (self._scratch.store(getattr(piece, column)[at]) for column in _COLUMNS)
        details = {key: self._scratch.store(self._coded(key, column)[at]) for key, column in piece.details.items()}
        sorted_ = States(self.path, begin, end, piece.names, name, own, cause, details)
        self._pieces.add(sorted_, lambda some: self._joined(some, self._scratch))

    def ids(self) -> set[int]:
        """Returns all ids of the states, without 0."""
        found: set[int] = set()
        for one in self._pieces:
            found.update(one.id.tolist())
            let_go(one.id)
        return found - {0}

    def states(self, scratch: Scratch) -> States:
        """Returns all states, sorted by begin and then by decreasing length. Equal ones keep their order of addition.

        Details are in order of appearance, numbers before texts.
        """
        whole = self._joined(list(self._pieces), scratch)
        return dataclasses.replace(
            whole, details={key: self._worded(key, column) for key, column in whole.details.items()}
        )

    def _joined(self, some: Sequence[States], scratch: Scratch) -> States:
        """Joins pieces. Texts are represented by numbers."""
        came = dict.fromkeys(key for one in some for key in one.details)
        details = sorted(came, key=self._texts.__contains__)
        types = [np.dtype(kind) for kind in (np.int64, np.int64, np.int32, np.uint64, np.uint64)]
        types += [np.result_type(*(one.details[key] for one in some if key in one.details)) for key in details]
        n = sum(len(one.begin_ps) for one in some)
        rooms = [scratch.room(kind, n) for kind in types]
        for columns in merged([self._table(one, details, types) for one in some]):
            at = np.lexsort((-columns[1], columns[0]))
            for room, column in zip(rooms, columns, strict=True):
                room.append(column[at])
        begin, end, name, own, cause, *others = (room.array() for room in rooms)
        names = some[-1].names if some else ()
        return States(self.path, begin, end, names, name, own, cause, dict(zip(details, others, strict=True)))

    def _table(self, one: States, details: list[str], types: list[np.dtype[Any]]) -> tuple[NDArray[Any], ...]:
        n = len(one.begin_ps)
        columns = [getattr(one, column) for column in _COLUMNS]
        for key, kind in zip(details, types[len(_COLUMNS) :], strict=True):
            columns.append(one.details[key] if key in one.details else np.broadcast_to(self._missing(key, kind), n))
        return tuple(columns)

    def _missing(self, key: str, kind: np.dtype[Any]) -> NDArray[Any]:
        value = self._texts[key].setdefault("", len(self._texts[key])) if key in self._texts else NONE
        return np.array(value, kind)

    def _coded(self, key: str, column: NDArray[Any] | Texts) -> NDArray[Any]:
        """Converts texts to numbers."""
        if not isinstance(column, Texts) and column.dtype.kind not in "OUS":
            return column
        known = self._texts.setdefault(key, {})
        return np.array([known.setdefault(text, len(known)) for text in column.tolist()], np.int32)

    def _worded(self, key: str, column: NDArray[Any]) -> NDArray[Any] | Texts:
        return Texts(tuple(self._texts[key]), column) if key in self._texts else column
