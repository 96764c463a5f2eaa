# SPDX-License-Identifier: BSD-3-Clause
"""Every number of `hypermon study monhole`, with its status."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product

from hypermon.report.calibration import PREDICTED
from hypermon_studies.cells import DERIVED, Cell, Cells
from hypermon_studies.monhole.runs import (
    DEPTHS,
    ENTRY_BYTES,
    FILL_DRAIN,
    FILL_READ,
    JITTERED,
    NEVER,
    RATIOS,
    REGULAR,
    REPLACE_DRAIN,
    REPLACE_READ,
    SINKS,
    SOURCES,
    TRAFFICS,
    Case,
    Traffic,
    best,
    expected,
    least_depth,
    most_bytes,
    outcome,
    policy_name,
)

CLAIMS, BEST, DEPTH, LOSSES, MEMORY, SLOW = "paper", "best", "K", "losses", "memory", "slow sinks"
LOST, REPEATED, AGE, PEAK, BOUND = "lost", "repeated", "age", "peak", "bound"
LEAST_K = "least K without a loss"
FOLLOWS = "closed form"
SHOWN = (*((policy, 0) for policy in (REPLACE_READ, REPLACE_DRAIN, FILL_DRAIN)), *((FILL_READ, k) for k in DEPTHS))
"""Policies with their K that are shown at every ratio."""
SHOWN_SINKS = (1, 4)
WAYS = ("every period", "every 8 periods", "never")
"""The intervals at which three sinks read at once."""
SLOWER = (1, 8, NEVER)
AWAY = (50, 70)
"""Periods between which the only sink of a case reads nothing."""
MEMORY_RATIOS = (Fraction(1, 4), Fraction(1), Fraction(4), Fraction(16))
LIMIT = 100 * SOURCES * ENTRY_BYTES
"""Memory of one case, as a number of entries of every rank."""
READS_ON, STAYS_AWAY, STAYS_LIMITED = "reads on", "stays away for 20 periods", "never reads, limited memory"


def point(traffic: Traffic, ratio: Fraction, sinks: int) -> str:
    """A cell's case."""
    return f"{traffic.name}, {ratio} writes a read, {sinks} sink{'s' * (sinks > 1)}"


def all_cells(progress: Callable[[int], None] | None = None) -> Cells:
    """Makes all runs and returns their cells. `progress` is called with the number of finished TABLES."""
    found: list[Cell] = []
    for done, table in enumerate(TABLES, 1):
        found += table()
        if progress is not None:
            progress(done)
    return Cells(found)


def _claims() -> Iterator[Cell]:
    """The paper's claims about its policies (sec. 3.3), each tested by a run."""
    often, seldom = Fraction(1, 4), Fraction(4)

    def replaced(ratio: Fraction, sinks: int = 1, slower: tuple[int, ...] = ()) -> Case:
        return Case(REPLACE_READ, ratio, sinks, traffic=JITTERED, slower=slower)

    one_entry = SOURCES * ENTRY_BYTES
    together = outcome(replaced(often, 8))
    outcomes: Mapping[str, tuple[str, bool]] = {
        "slow sinks cause no large buffers": (
            REPLACE_READ,
            outcome(replaced(seldom, 2, slower=(8, NEVER))).peak_bytes <= one_entry,
        ),
        "several sinks do not race": (REPLACE_READ, together.worst_lost == 0),
        "data are lost when sinks read more seldom than sources write": (
            REPLACE_READ,
            outcome(replaced(seldom)).worst_lost > 0,
        ),
        "the same data are read again when sinks read too often": (REPLACE_READ, outcome(replaced(often)).repeated > 0),
        "keeping a few entries (a small K) alleviates the losses": (
            policy_name(FILL_READ),
            outcome(Case(FILL_READ, seldom, 1, 4, JITTERED)).worst_lost < outcome(replaced(seldom)).worst_lost / 2,
        ),
        "nothing is read again with a single client": (
            REPLACE_DRAIN,
            outcome(Case(REPLACE_DRAIN, often, traffic=JITTERED)).repeated == 0,
        ),
    }
    for claim, (policy, holds) in outcomes.items():
        yield Cell(CLAIMS, claim, policy_name(policy), "", holds, PREDICTED, True)


def _best() -> Iterator[Cell]:
    """Yields cells whose quantity is the policy, and whose value is the number of entries of each rank between two
    reads of a sink.
    """
    for traffic, ratio, sinks in product(TRAFFICS, RATIOS, SINKS):
        kept = least_depth(ratio, sinks, traffic)
        yield Cell(BEST, policy_name(best(ratio, sinks, traffic).policy), point(traffic, ratio, sinks), "entries", kept)


def _depths() -> Iterator[Cell]:
    most = max(SINKS)
    for traffic, ratio in product(TRAFFICS, RATIOS):
        case = point(traffic, ratio, most)
        yield Cell(DEPTH, LEAST_K, case, "entries", least_depth(ratio, most, traffic))
        yield Cell(DEPTH, BOUND, case, "entries", traffic.most(ratio), DERIVED, assumption=FOLLOWS)


def _losses() -> Iterator[Cell]:
    for traffic, sinks, ratio, (policy, depth) in product(TRAFFICS, SHOWN_SINKS, RATIOS, SHOWN):
        case = Case(policy, ratio, sinks, depth, traffic)
        found, where, who = outcome(case), point(traffic, ratio, sinks), policy_name(policy, depth)
        yield Cell(LOSSES, f"{LOST}, {who}", where, "%", 100 * found.worst_lost)
        yield Cell(LOSSES, f"{REPEATED}, {who}", where, "%", 100 * found.repeated)
        yield Cell(LOSSES, f"{AGE}, {who}", where, "periods", found.age)
        if (traffic, sinks) == (REGULAR, 1):
            for quantity, share in zip((LOST, REPEATED), expected(case), strict=True):
                told = f"{quantity}, {who}, {FOLLOWS}"
                yield Cell(LOSSES, told, where, "%", 100 * share, DERIVED, assumption=FOLLOWS)


def _memory() -> Iterator[Cell]:
    for ratio, (policy, depth) in product(MEMORY_RATIOS, SHOWN):
        case = Case(policy, ratio, 1, depth, JITTERED)
        yield from _kept(READS_ON, case)
        yield from _kept(STAYS_AWAY, Case(policy, ratio, 1, depth, JITTERED, away=AWAY))
        limited = Case(policy, ratio, 1, depth, JITTERED, (NEVER,), memory=LIMIT)
        yield from _kept(STAYS_LIMITED, limited)
        yield Cell(MEMORY, f"refused, {STAYS_LIMITED}", _named(ratio, case), "%", 100 * outcome(limited).refused)


def _named(ratio: Fraction, case: Case) -> str:
    return f"{policy_name(case.policy, case.depth)}, {ratio} writes a read"


def _kept(how: str, case: Case) -> Iterator[Cell]:
    where = _named(case.ratio, case)
    bound = most_bytes(case)
    yield Cell(MEMORY, f"{PEAK}, {how}", where, "kB", outcome(case).peak_bytes / 1000)
    if bound is not None:
        yield Cell(MEMORY, f"{BOUND}, {how}", where, "kB", bound / 1000, DERIVED, assumption=FOLLOWS)


def _slow() -> Iterator[Cell]:
    for ratio, (policy, depth) in product((Fraction(1, 4), Fraction(1), Fraction(4)), SHOWN):
        case = Case(policy, ratio, len(SLOWER), depth, JITTERED, SLOWER)
        found = outcome(case)
        for sink, way in enumerate(WAYS):
            yield Cell(SLOW, f"{LOST}, reads {way}", _named(ratio, case), "%", 100 * found.lost(sink))
        yield Cell(SLOW, PEAK, _named(ratio, case), "kB", found.peak_bytes / 1000)


TABLES: Sequence[Callable[[], Iterator[Cell]]] = (_claims, _best, _depths, _losses, _memory, _slow)
