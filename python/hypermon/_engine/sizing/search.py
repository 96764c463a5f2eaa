# SPDX-License-Identifier: BSD-3-Clause
"""The first of many values, from the cheapest to the dearest, that meets all targets.

A search asks for verdicts in batches and is sent them, so that many searches (of other seeds, of other values of a
second parameter) share each evaluation: what a batch has in common is computed once.

Nothing is known of a target but its verdicts. Dearer values usually lose less (one that falls), but may take longer
(one that rises): a target whose verdict changes once along the values is found exactly, whichever way. One that changes
more often is noticed where values that were looked at say so, and then looked for over the whole range.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from hypermon._model.schema import Value

SCAN = 256  # (chosen) values looked at when a verdict turns out to change more than once
MOST_GAPS = 64  # (chosen) places looked into where a design that meets everything may hide between two that do not
Verdict = Mapping[str, bool]  # by target: is it missed? One that was not judged is not in it
Search = Generator[list[int], list[Verdict], "Found"]
Asking = Generator[list[int], list[Verdict], None]


@dataclass(frozen=True)
class Found:
    """Where a search ended. Indices count from the cheapest value."""

    index: int | None  # None: no value that was looked at meets the targets
    monotone: bool  # no value that was looked at fails although a cheaper one does not
    scanned: bool  # a verdict changed more than once, so that values over the whole range were looked at
    verdicts: Mapping[int, Verdict]
    verified: bool = True  # were values beyond the answer looked at, too?

    @property
    def missed_beyond(self) -> tuple[int, str] | None:
        """The cheapest value that was looked at above the answer and misses a target again, and which."""
        beyond = [
            (i, name)
            for i, verdict in sorted(self.verdicts.items())
            if self.index is not None and i > self.index
            for name in sorted(verdict)
            if verdict[name]
        ]
        return beyond[0] if beyond else None


def first_meeting(
    values: Sequence[Value],
    width: int,
    between: tuple[int, int] | None = None,
    scan: int = SCAN,
    verify: bool = True,
) -> Search:
    """The first value from which on all targets are met.

    Narrows down by `width` values at a time, and looks at the answer's neighbours and beyond. Where a target's verdict
    changes more than once it scans (all values, or `scan` of them), and the answer is where the last run of values that
    meet the targets begins. `between`: the first and the last index that the answer is thought to have. `verify`: looks
    beyond the answer's neighbours, too.
    """
    verdicts: dict[int, Verdict] = {}
    last = len(values) - 1
    low, high = between if between is not None else (0, last)
    high = min(high, last)
    begin = _spaced(values, min(low, high), high, width)
    yield from _ask(verdicts, [0, max(0, low - 1), *begin, high, last])
    scanned, gaps = False, 0
    while True:
        met = [i for i, verdict in sorted(verdicts.items()) if not any(verdict.values())]
        failed = [i for i, verdict in sorted(verdicts.items()) if any(verdict.values())]
        if not met:
            gap = _hiding_place(verdicts) if gaps < MOST_GAPS else None
            if gap is None:
                return Found(None, monotone=True, scanned=scanned, verdicts=verdicts, verified=verify)
            gaps += 1
            yield from _ask(verdicts, _spaced(values, gap[0] + 1, gap[1] - 1, width))
            continue
        if not scanned and _changes_twice(verdicts):
            scanned = True
            yield from _ask(verdicts, _spaced(values, 0, last, scan))
            continue
        low = max((i for i in failed if i < met[-1]), default=-1)
        high = next(i for i in met if i > low)
        if high - low > 1:
            yield from _ask(verdicts, _spaced(values, low + 1, high - 1, width))
            continue
        beyond = [i for i in _around(high, last, width if verify else 1) if i not in verdicts]
        if not beyond:
            monotone = not failed or failed[-1] < met[0]
            return Found(high, monotone=monotone, scanned=scanned, verdicts=verdicts, verified=verify)
        yield from _ask(verdicts, beyond)


def expected(values: Sequence[Value], width: int, between: tuple[int, int] | None = None) -> int:
    """About how many values a search looks at."""
    count = between[1] - between[0] + 1 if between is not None else len(values)
    rounds = math.ceil(math.log(count + 1, width + 1))
    return min(len(values), width * (rounds + 1))


def together(searches: Sequence[Search], probe: Callable[[list[tuple[int, int]]], Sequence[Verdict]]) -> list[Found]:
    """Runs all searches in step; `probe` gets (search, index) of everything asked for and returns the verdicts."""
    found: dict[int, Found] = {}
    asked: dict[int, list[int]] = {}
    answers: dict[int, list[Verdict]] = {}
    while len(found) < len(searches):
        for number, search in enumerate(searches):
            if number not in found:
                try:
                    asked[number] = search.send(answers[number]) if number in answers else next(search)
                except StopIteration as end:
                    found[number] = end.value
                    asked.pop(number, None)
        pairs = [(number, index) for number, indices in sorted(asked.items()) for index in indices]
        verdicts = iter(probe(pairs) if pairs else ())
        answers = {number: [next(verdicts) for _ in indices] for number, indices in sorted(asked.items())}
    return [found[number] for number in range(len(searches))]


def _ask(verdicts: dict[int, Verdict], indices: Iterable[int]) -> Asking:
    new = sorted(set(indices) - set(verdicts))
    if new:
        verdicts.update(zip(new, (yield new), strict=True))


def _changes_twice(verdicts: Mapping[int, Verdict]) -> bool:
    """Does some target's verdict change more than once along the values that were looked at?"""
    ordered = [verdicts[i] for i in sorted(verdicts)]
    for name in {name for verdict in ordered for name in verdict}:
        said = [verdict[name] for verdict in ordered if name in verdict]
        if sum(a != b for a, b in pairwise(said)) > 1:
            return True
    return False


def _hiding_place(verdicts: Mapping[int, Verdict]) -> tuple[int, int] | None:
    """Two values next to each other among those looked at that miss different targets: one between may miss none."""
    missed = {i: {name for name, is_missed in verdicts[i].items() if is_missed} for i in sorted(verdicts)}
    return next(((a, b) for a, b in pairwise(missed) if b - a > 1 and not missed[a] & missed[b]), None)


def _around(index: int, last: int, count: int) -> list[int]:
    """The index, its neighbours, and up to `count` values ever further towards the dear end."""
    steps = [-1, 0, *(1 << bit for bit in range(count))]
    return [index + step for step in steps if 0 <= index + step <= last]


def _spaced(values: Sequence[Value], low: int, high: int, count: int) -> list[int]:
    """Up to `count` indices from `low` to `high`: at equal ratios of the values where those are far apart."""
    if high - low < count:
        return list(range(low, high + 1))
    first, final = float(values[low]), float(values[high])
    found = set()
    for i in range(count):
        share = (i + 0.5) / count
        if isinstance(values, range) and min(first, final) > 0:
            value = first * (final / first) ** share
            index = round((value - values.start) / values.step)
        else:
            index = round(low + share * (high - low))
        found.add(min(max(index, low), high))
    return sorted(found)
