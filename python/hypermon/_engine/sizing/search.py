# SPDX-License-Identifier: BSD-3-Clause
"""Searches for the cheapest of many values that meets all targets.

A search is a generator that yields batches of values and receives their verdicts. Many searches, for several seeds or
several values of a second parameter, run in step and share each evaluation: common work of a batch is done once.

Only the verdicts of a target are known. More expensive values usually lose less, but may have a larger latency. The
search is exact for targets whose verdict changes once along the values, in either direction. If the evaluated values
show more than one change, the search scans the whole range.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from hypermon._model.schema import Value

SCAN = 256  # (chosen) values of a scan, which follows when a verdict changes more than once
MOST_GAPS = 64  # (chosen) gaps searched for a design that meets all targets between two designs that do not
Verdict = Mapping[str, bool]  # whether each target is missed; lacks targets that were not judged
Search = Generator[list[int], list[Verdict], "Found"]
Asking = Generator[list[int], list[Verdict], None]


@dataclass(frozen=True)
class Found:
    """The outcome of a search. Indices count from the cheapest value."""

    index: int | None  # None: no evaluated value meets the targets
    monotone: bool  # no evaluated value misses a target although a cheaper one meets all
    scanned: bool  # a verdict changed more than once, so that the whole range was scanned
    verdicts: Mapping[int, Verdict]
    verified: bool = True  # whether values beyond the answer were evaluated

    @property
    def missed_beyond(self) -> tuple[int, str] | None:
        """The index of the cheapest evaluated value above the answer that misses a target, and that target."""
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
    """Finds the first value from which on all targets are met.

    Narrows the interval with `width` values at a time, and evaluates the answer's neighbours. If a target's verdict
    changes more than once, scans all values, or `scan` of them; the answer is then the beginning of the last run of
    values that meet the targets. `between`: the expected first and last index of the answer. `verify`: also evaluates
    values beyond the answer's neighbours.
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
            gap = _gap_of_misses(verdicts) if gaps < MOST_GAPS else None
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
    """Estimates the number of values that a search evaluates."""
    count = between[1] - between[0] + 1 if between is not None else len(values)
    rounds = math.ceil(math.log(count + 1, width + 1))
    return min(len(values), width * (rounds + 1))


def search_in_step(
    searches: Sequence[Search], probe: Callable[[list[tuple[int, int]]], Sequence[Verdict]]
) -> list[Found]:
    """Runs all searches in step. `probe` receives the requested pairs (search, index) and returns their verdicts."""
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
    """Does any target's verdict change more than once along the evaluated values?"""
    ordered = [verdicts[i] for i in sorted(verdicts)]
    for name in {name for verdict in ordered for name in verdict}:
        history = [verdict[name] for verdict in ordered if name in verdict]
        if sum(a != b for a, b in pairwise(history)) > 1:
            return True
    return False


def _gap_of_misses(verdicts: Mapping[int, Verdict]) -> tuple[int, int] | None:
    """Returns two neighbouring evaluated values that miss different targets: one between them may meet all."""
    missed = {i: {name for name, is_missed in verdicts[i].items() if is_missed} for i in sorted(verdicts)}
    return next(((a, b) for a, b in pairwise(missed) if b - a > 1 and not missed[a] & missed[b]), None)


def _around(index: int, last: int, count: int) -> list[int]:
    """Returns the index, its neighbours, and up to `count` values at growing distances towards the expensive end."""
    steps = [-1, 0, *(1 << bit for bit in range(count))]
    return [index + step for step in steps if 0 <= index + step <= last]


def _spaced(values: Sequence[Value], low: int, high: int, count: int) -> list[int]:
    """Returns up to `count` indices from `low` to `high`, at equal ratios of the values where those are far apart."""
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
