# SPDX-License-Identifier: BSD-3-Clause
"""Distance of two curves, found by stepping through time, for tests of hypermon.judging.

Times are small whole numbers, and curves change only at these. Fractions avoid rounding.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction

import numpy as np

from hypermon.judging import Curve
from hypermon.judging.curves import curve_from_slopes
from tests.python.made_activity import MadeRank

Shares = dict[int, int]
"""Number of ranks that compute, by time, until the next whole number. Missing times: none."""


def drawn(rng: random.Random, ranks: int, last: int, most: int) -> Shares:
    """Some pieces before `last`, also before 0, with up to `most` ranks at once, which may be more than there are."""
    found: Shares = {}
    at = rng.choice((0, 0, rng.randrange(-5, 6)))
    while at < last:
        share, length = rng.choice((0, ranks, rng.randrange(0, most + 1))), rng.choice((1, 2, rng.randrange(1, 12)))
        found |= dict.fromkeys(range(at, min(at + length, last)), share)
        at += length
    return found


def curve(shares: Shares, rng: random.Random) -> Curve:
    """The same shares as a curve, divided at its changes and at random places between them."""
    if not shares:
        return Curve(np.zeros(0, np.int64), np.zeros(0))
    first, last = min(shares), max(shares)
    edges = [t for t in range(first, last + 1) if t == first or shares[t] != shares[t - 1] or rng.random() < 0.2]
    return curve_from_slopes([*edges, last + 1], [shares[t] for t in edges])


def shares_apart(true: Shares, seen: Shares, section: Shares, begin: int, end: int) -> int:
    return sum(abs(true.get(t, 0) - min(seen.get(t, 0), section.get(t, 0))) for t in range(begin, end))


def sections(ranks: Sequence[MadeRank]) -> Shares:
    """Number of ranks that are in their measured sections."""
    return Counter(t for rank in ranks for t in range(rank.begin_ps, rank.end_ps))


def computed(ranks: Sequence[MadeRank]) -> Shares:
    """Number of ranks that compute there."""
    pieces = ((rank, t) for rank in ranks for begin, end in rank.computes for t in range(begin, end))
    return Counter(t for rank, t in pieces if rank.begin_ps <= t < rank.end_ps)


def levels_apart(true: Shares, seen: Shares, begin: int, end: int) -> Fraction:
    """Mean distance of the computed work of both since the begin."""
    area, apart = Fraction(0), 0
    for t in range(begin, end):
        after = apart + true.get(t, 0) - seen.get(t, 0)
        if apart * after < 0:  # where they cross
            at = Fraction(apart, apart - after)
            area += abs(apart) * at / 2 + abs(after) * (1 - at) / 2
        else:
            area += Fraction(abs(apart + after), 2)
        apart = after
    return area


def on_grid(shares: Shares, step: int, begin: int, end: int) -> Callable[[int], Fraction]:
    """Mean of the step that contains a time. Steps begin at multiples of `step`, and at `begin`."""

    def share(t: int) -> Fraction:
        first, last = max(t // step * step, begin), min((t // step + 1) * step, end)
        return Fraction(sum(shares.get(i, 0) for i in range(first, last)), last - first)

    return share
