# SPDX-License-Identifier: BSD-3-Clause
"""The monhole's buffer at different rates: losses and repetitions of each policy, from runs of its core, and
closed-form bounds.

The model is one mon with the ranks of a node. Time is counted in periods of a sink, so that a ratio is the number of
writes of a rank for each read of a sink.
"""

from __future__ import annotations

import json
import math
import random
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np

from hypermon._model.native import _core

REPLACE_READ, FILL_DRAIN, REPLACE_DRAIN, FILL_READ = "replace_read", "fill_drain", "replace_drain", "fill_k_read"
DRAINS = (FILL_DRAIN, REPLACE_DRAIN)
SOURCES = 8  # ranks of a node of Atlas
ENTRY_BYTES = 6000  # size of a profile as an s-expression: 4 to 8 KB (docs/design/supermon.md)
RATIOS = tuple(Fraction(2) ** power for power in range(-4, 5))
SINKS = (1, 2, 4, 8)
DEPTHS = (4, 16)
"""Some values of K, besides the smallest one without losses."""
DEEPEST = 256
"""K that is tried at most."""
READS = 200
"""Least number of reads of each sink."""
WRITES = 60
"""Least number of writes of each rank."""
PERIOD = 10**12  # a sink's, in picoseconds
NEVER = 0
LOST = ("overwritten", "drained", "refused", "died")


@dataclass(frozen=True)
class Traffic:
    """Regularity of the ranks' writes and the sinks' reads."""

    name: str
    jitter: Fraction
    """Gaps are between 1 - jitter and 1 + jitter of their mean."""

    def dates(self, period: Fraction, end: Fraction, seed: str) -> list[int]:
        """Times of one rank or sink in picoseconds, from a random phase on."""
        rng = random.Random(f"{self.name} {seed}")
        gap, jitter = float(period) * PERIOD, float(self.jitter)
        at, last = gap * rng.random(), float(end) * PERIOD
        found = []
        while at < last:
            found.append(round(at))
            at += gap * (1 + jitter * (2 * rng.random() - 1))
        return found

    def most(self, ratio: Fraction, away: int = 0) -> int:
        """Largest number of a rank's writes between two reads of a sink: the longest gap with the shortest intervals.

        Args:
            away: Number of periods for which the sink may be absent, in addition to the preceding gap.
        """
        return math.ceil(ratio * (1 + self.jitter + away) / (1 - self.jitter))


REGULAR, JITTERED = Traffic("regular", Fraction(0)), Traffic("jittered", Fraction(1, 2))
TRAFFICS = (REGULAR, JITTERED)


@dataclass(frozen=True)
class Case:
    """One run."""

    policy: str
    ratio: Fraction
    """Writes of a rank for each read of a sink."""
    sinks: int = 1
    depth: int = 0
    """K."""
    traffic: Traffic = REGULAR
    slower: tuple[int, ...] = ()
    """Factors by which the first sinks read more rarely, or NEVER; all other sinks read at the normal rate."""
    away: tuple[int, int] | None = None
    """The periods between which no sink reads."""
    memory: int = 0
    """Bytes that mon may take; 0: any number."""


@cache
def _dates(
    ratio: Fraction, sinks: int, traffic: Traffic, slower: tuple[int, ...], away: tuple[int, int] | None
) -> Mapping[str, Any]:
    """Times of all writes and reads, which are equal for all policies."""
    end = max(Fraction(READS), WRITES / ratio)
    writes = [(at, rank) for rank in range(SOURCES) for at in traffic.dates(1 / ratio, end, f"write {ratio} {rank}")]
    gone = range(0) if away is None else range(away[0] * PERIOD, away[1] * PERIOD)
    reads = []
    for sink in range(sinks):
        times = slower[sink] if sink < len(slower) else 1
        if times != NEVER:
            reads += [(at, sink) for at in traffic.dates(Fraction(times), end, f"read {sink}") if at not in gone]
    (write_ps, source), (read_ps, sink_of) = _columns(writes), _columns(reads)
    return {"write_ps": write_ps, "source": source, "read_ps": read_ps, "sink": sink_of}


def _columns(rows: list[tuple[int, int]]) -> tuple[Any, Any]:
    rows.sort()
    return np.array([at for at, _ in rows], dtype=np.int64), np.array([who for _, who in rows], dtype=np.uint32)


@dataclass(frozen=True)
class Outcome:
    """Counts of `monitor.monhole` in a result, or of the buffer alone."""

    told: Mapping[str, Any]

    def lost(self, sink: int) -> float:
        """The share of the written entries that this sink will never see."""
        of = self.told["sinks"][sink]
        could = self.told["generated"]["entries"] - of["left_behind"]["entries"]
        return float(sum(of[how]["entries"] for how in LOST) / could) if could else 0.0

    @property
    def worst_lost(self) -> float:
        """Share lost by the sink that loses most."""
        return max(map(self.lost, range(len(self.told["sinks"]))))

    @property
    def repeated(self) -> float:
        """The share of the bytes read that their sink had read before."""
        repeated, seen = (sum(s[how]["bytes"] for s in self.told["sinks"]) for how in ("repeated", "seen"))
        return float(repeated / (seen + repeated)) if seen + repeated else 0.0

    @property
    def age(self) -> float:
        """Mean latency of entries until a sink first reads them, in periods of a sink."""
        ages = [(s["mean_age_s"], s["seen"]["entries"]) for s in self.told["sinks"] if s["mean_age_s"] is not None]
        seen = sum(entries for _, entries in ages)
        return float(sum(age * entries for age, entries in ages) / seen) if seen else 0.0

    @property
    def peak_bytes(self) -> int:
        return int(self.told["peak"]["bytes"])

    @property
    def refused(self) -> float:
        """The share of the written entries that were refused for lack of memory."""
        return float(self.told["refused"]["entries"] / self.told["generated"]["entries"])


@cache
def outcome(case: Case) -> Outcome:
    """Outcome of a run of the buffer alone."""
    dates = _dates(case.ratio, case.sinks, case.traffic, case.slower, case.away)
    told = _core.monhole(
        policy=case.policy,
        entries=case.depth,
        memory=case.memory,
        sinks=case.sinks,
        bytes=np.full(len(dates["source"]), ENTRY_BYTES, dtype=np.int64),
        **dates,
    )
    return Outcome(json.loads(told))


@cache
def least_depth(ratio: Fraction, sinks: int, traffic: Traffic) -> int:
    """Returns the smallest K with which no sink loses anything.

    Raises:
        ValueError: No K up to DEEPEST suffices.
    """

    def is_enough(depth: int) -> bool:
        return outcome(Case(FILL_READ, ratio, sinks, depth, traffic)).worst_lost == 0

    low, high = 1, 1
    while not is_enough(high):
        if high >= DEEPEST:
            raise ValueError(f"{ratio}, {sinks} sinks, {traffic.name}: more than {DEEPEST} entries are needed")
        low, high = high + 1, 2 * high
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if is_enough(middle) else (middle + 1, high)
    return low


def best(ratio: Fraction, sinks: int, traffic: Traffic) -> Case:
    """Returns the policy with the fewest losses; then with the fewest repetitions; then with the least memory; then one
    that drains, with which no more frequent sink causes repetitions.
    """

    def badness(case: Case) -> tuple[float, float, int]:
        found = outcome(case)
        return found.worst_lost, found.repeated, found.peak_bytes

    depth = least_depth(ratio, sinks, traffic)
    of_no_depth = (Case(policy, ratio, sinks, traffic=traffic) for policy in (REPLACE_DRAIN, FILL_DRAIN, REPLACE_READ))
    return min((*of_no_depth, Case(FILL_READ, ratio, sinks, depth, traffic)), key=badness)


def expected(case: Case) -> tuple[float, float]:
    """Returns in closed form, for one sink and regular traffic, the shares of lost entries and of repeated reads."""
    ratio = float(case.ratio)
    if case.policy in DRAINS:
        return (0.0, 0.0) if case.policy == FILL_DRAIN else (max(0.0, 1 - 1 / ratio), 0.0)
    held = case.depth if case.policy == FILL_READ else 1
    return max(0.0, 1 - held / ratio), max(0.0, 1 - ratio / held)


def most_bytes(case: Case) -> int | None:
    """Returns in closed form the largest memory of the mon. None: it is unbounded."""
    if case.policy != FILL_DRAIN:
        bound: int | None = SOURCES * (case.depth if case.policy == FILL_READ else 1) * ENTRY_BYTES
    elif len(case.slower) == case.sinks and not any(case.slower):
        bound = None
    else:
        reads = [times for times in (*case.slower, *[1] * (case.sinks - len(case.slower))) if times != NEVER]
        gap = min(reads)  # between two reads of the fastest: the others only drain more often
        away = case.away[1] - case.away[0] if case.away else 0
        bound = SOURCES * case.traffic.most(case.ratio * gap, math.ceil(away / gap)) * ENTRY_BYTES
    limits = [limit for limit in (bound, case.memory or None) if limit is not None]
    return min(limits, default=None)


def policy_name(policy: str, depth: int = 0) -> str:
    """A policy as the paper writes it."""
    if policy == FILL_READ:
        return f"FILL({depth or 'K'})-READ"
    return policy.upper().replace("_", "-")
