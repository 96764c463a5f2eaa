# SPDX-License-Identifier: BSD-3-Clause
"""The open requests of a rank, by numbers that are used again."""

from __future__ import annotations

from collections.abc import Hashable


class Requests:
    """`start` gives a number; `find`, `finish` name the oldest request of a key."""

    def __init__(self) -> None:
        self._open: dict[int, Hashable] = {}  # in the order of their starts
        self._free: list[int] = []
        self._next = 0

    def start(self, key: Hashable) -> int:
        if self._free:
            number = self._free.pop()
        else:
            number = self._next
            self._next += 1
        self._open[number] = key
        return number

    def find(self, key: Hashable) -> int | None:
        return next((number for number, its in self._open.items() if its == key), None)

    def finish(self, number: int) -> None:
        del self._open[number]
        self._free.append(number)

    def open(self) -> list[int]:
        return list(self._open)
