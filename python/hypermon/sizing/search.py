"""The first of many values, from the cheapest to the dearest, whose loss is low enough.

A search asks for losses in batches and is sent them, so that many searches (of other seeds, of other values of a
second parameter) share each evaluation: what a batch has in common is computed once.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Sequence
from dataclasses import dataclass

from hypermon.schema import Value

SCAN = 256  # (chosen) values looked at when the loss turns out not to fall all the way
Search = Generator[list[int], list[float], "Found"]
Asking = Generator[list[int], list[float], None]


@dataclass(frozen=True)
class Found:
    """Where a search ended. Indices count from the cheapest value."""

    index: int | None  # None: no value that was looked at meets the target
    monotone: bool  # no value that was looked at fails although a cheaper one does not
    losses: dict[int, float]


def first_meeting(values: Sequence[Value], target: float, width: int) -> Search:
    """The first value from which on the loss is at most `target`.

    Assumes that dearer values lose less, narrows down by `width` values at a time, and looks at the answer's
    neighbours and beyond: where one of them contradicts, it scans (all values, or SCAN of them), and the answer is
    where the last run of values that meet the target begins.
    """
    losses: dict[int, float] = {}
    last = len(values) - 1
    yield from _ask(losses, [0, *_spaced(values, 0, last, width), last])
    scanned = False
    while True:
        met = [i for i, loss in sorted(losses.items()) if loss <= target]
        failed = [i for i, loss in sorted(losses.items()) if loss > target]
        if not met:
            return Found(None, monotone=True, losses=losses)
        if not scanned and failed and failed[-1] > met[0]:
            scanned = True
            yield from _ask(losses, _spaced(values, 0, last, SCAN))
            continue
        low = max((i for i in failed if i < met[-1]), default=-1)
        high = next(i for i in met if i > low)
        if high - low > 1:
            yield from _ask(losses, _spaced(values, low + 1, high - 1, width))
            continue
        beyond = [i for i in _around(high, last, width) if i not in losses]
        if not beyond:
            return Found(high, monotone=not scanned, losses=losses)
        yield from _ask(losses, beyond)


def together(searches: Sequence[Search], probe: Callable[[list[tuple[int, int]]], list[float]]) -> list[Found]:
    """Runs all searches in step; `probe` gets (search, index) of everything asked for and returns the losses."""
    found: dict[int, Found] = {}
    asked: dict[int, list[int]] = {}
    answers: dict[int, list[float]] = {}
    while len(found) < len(searches):
        for number, search in enumerate(searches):
            if number not in found:
                try:
                    asked[number] = search.send(answers[number]) if number in answers else next(search)
                except StopIteration as end:
                    found[number] = end.value
                    asked.pop(number, None)
        pairs = [(number, index) for number, indices in sorted(asked.items()) for index in indices]
        losses = iter(probe(pairs) if pairs else ())
        answers = {number: [next(losses) for _ in indices] for number, indices in sorted(asked.items())}
    return [found[number] for number in range(len(searches))]


def _ask(losses: dict[int, float], indices: Iterable[int]) -> Asking:
    new = sorted(set(indices) - set(losses))
    if new:
        losses.update(zip(new, (yield new), strict=True))


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
