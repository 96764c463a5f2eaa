# SPDX-License-Identifier: BSD-3-Clause
"""Layouts of datatypes, as in program scripts (docs/reference/scripts.md), from the data types in traces."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

Run = tuple[int, int, int, int]  # offset, bytes, stride, count
MOST_RUNS = 100_000  # (chosen) of one datatype


class UnknownError(Exception):
    """A datatype that is not understood."""


@dataclass(frozen=True)
class Layout:
    """Positions of a datatype's bytes, in the order of its data."""

    runs: tuple[Run, ...]
    extent: int

    @staticmethod
    def of_bytes(count: int) -> Layout:
        return Layout(((0, count, count, 1),) if count else (), count)

    @property
    def size(self) -> int:
        return sum(each * count for _, each, _, count in self.runs)

    @property
    def is_whole(self) -> bool:
        return self.runs == ((0, self.extent, self.extent, 1),)

    def repeated(self, count: int, stride: int, times: int = 1) -> Layout:
        """`count` blocks of `times` of it, which begin at multiples of `stride`."""
        block = self if times == 1 else self.repeated(times, self.extent)
        extent = max(0, (count - 1) * stride + block.extent)
        if len(block.runs) == 1 and block.runs[0][3] == 1:
            offset, each, _, _ = block.runs[0]
            if each == stride or count == 1:
                return Layout(((offset, each * count, each * count, 1),), extent)
            return Layout(((offset, each, stride, count),), extent)
        if count * len(block.runs) > MOST_RUNS:
            raise UnknownError(f"of more than {MOST_RUNS} runs")
        return Layout(tuple((o + k * stride, b, s, n) for k in range(count) for o, b, s, n in block.runs), extent)

    def below(self, offset: int) -> int:
        """Number of data bytes before that offset, if consecutive items of this layout follow each other."""
        whole, rest = divmod(offset, self.extent) if self.extent else (0, 0)
        bytes_ = whole * self.size
        for begin, each, stride, count in self.runs:
            blocks = min(count, max(0, rest - begin) // stride) if count > 1 else 0
            bytes_ += blocks * each
            if blocks < count:
                bytes_ += min(each, max(0, rest - begin - blocks * stride))
        return bytes_

    def numbers(self) -> list[int]:
        """The numbers of a script's list, in which the lowest byte is at 0."""
        lowest = min((offset + min(0, (n - 1) * stride) for offset, _, stride, n in self.runs), default=0)
        return [0, self.extent, *(x for offset, *rest in self.runs for x in (offset - lowest, *rest))]


def joined(parts: Sequence[tuple[int, Layout]]) -> Layout:
    """Joins layouts, each at its offset."""
    runs = tuple((at + o, b, s, n) for at, layout in parts for o, b, s, n in layout.runs)
    return Layout(runs, max((at + layout.extent for at, layout in parts), default=0))


_WORD = re.compile(r"\s*(?:(\d+)|(x|B|every|at|more)\b|([(),]))")


class _Text:
    """Parser of the texts of the monitor `hdtrace`: "8009 x (8 B every 64080 B)", "(8 B at 0, 4 B at 16)"."""

    def __init__(self, text: str) -> None:
        self._words: list[str] = []
        at = 0
        while text[at:].strip():
            found = _WORD.match(text, at)
            if found is None:
                raise UnknownError(text)
            self._words.append(next(filter(None, found.groups())))
            at = found.end()

    def take(self, expected: str = "") -> str:
        if not self._words or (expected and self._words[0] != expected):
            raise UnknownError(f"not {expected}")
        return self._words.pop(0)

    def number(self) -> int:
        word = self.take()
        if not word.isdigit() or len(word) > 18:
            raise UnknownError(word)
        return int(word)

    def has(self, word: str) -> bool:
        return bool(self._words) and self._words[0] == word

    def layout(self) -> Layout:
        if self.has("("):
            self.take()
            parts = []
            while True:
                layout = self.layout()
                self.take("at")
                parts.append((self.number(), layout))
                if not self.has(","):
                    break
                self.take()
            self.take(")")
            return joined(parts)
        count = self.number()
        if self.has("B"):
            self.take()
            return Layout.of_bytes(count)
        self.take("x")
        self.take("(")
        inner = self.layout()
        self.take("every")
        stride = self.number()
        self.take("B")
        self.take(")")
        return inner.repeated(count, stride)

    def end(self) -> None:
        if self._words:
            raise UnknownError(self._words[0])


def of_text(text: str, extent: int | None = None) -> Layout:
    """Raises UnknownError."""
    words = _Text(text)
    found = words.layout()
    words.end()
    return found if extent is None else Layout(found.runs, extent)
