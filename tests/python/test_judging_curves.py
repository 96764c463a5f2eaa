# SPDX-License-Identifier: BSD-3-Clause
"""Curves of computing and their distances, compared with a model that steps through time.

HYPERMON_TEST_CASES   number of random cases instead of CI's
"""

from __future__ import annotations

import os
import random
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from hypermon.judging.curves import (
    Curve,
    curve_from_levels,
    curve_from_pieces,
    curve_from_slopes,
    distance,
    limited_by,
    on_grid,
    slower,
)
from hypermon.judging.live import ages, with_actual_latencies, with_latency
from hypermon.judging.picture import NEVER, NodePicture, Picture, sort_arrivals
from tests.python import naive_judging as naive

CASES = int(os.environ.get("HYPERMON_TEST_CASES", "3000"))


@pytest.mark.parametrize("batch", range(4))
def test_distances_are_those_of_stepping_through_time(batch: int) -> None:
    for seed in range(batch, CASES, 4):
        rng = random.Random(seed)
        ranks, end = rng.choice((1, 1, 2, 7)), rng.randrange(1, 60)
        true = naive.drawn(rng, ranks, end, ranks)
        seen = naive.drawn(rng, ranks, end + rng.choice((0, 0, 9)), ranks + rng.choice((0, 2)))
        inside = {t: min(rng.randrange(true.get(t, 0), ranks + 1), ranks) for t in range(end)}
        section = curve_from_slopes(range(end + 1), list(inside.values()))
        found = distance(naive.curve(true, rng), naive.curve(seen, rng), section)
        assert found.shares_ps == naive.shares_apart(true, seen, inside, 0, end), seed
        assert found.levels == pytest.approx(float(naive.levels_apart(true, seen, 0, end)), rel=1e-12), seed


def test_distances_do_not_depend_on_how_curves_are_cut() -> None:
    for seed in range(CASES // 3):
        rng = random.Random(seed)
        true, seen = naive.drawn(rng, 3, 40, 3), naive.drawn(rng, 3, 40, 3)
        again = random.Random(-seed)
        one = distance(naive.curve(true, rng), naive.curve(seen, rng), curve_from_slopes([0, 40], [3]))
        other = distance(naive.curve(true, again), naive.curve(seen, again), curve_from_slopes([0, 9, 40], [3, 3]))
        assert one.shares_ps == other.shares_ps
        assert one.levels == pytest.approx(other.levels, rel=1e-12)


def test_a_curve_is_at_no_distance_from_itself_and_distances_are_symmetric_and_bounded() -> None:
    for seed in range(CASES // 3):
        rng = random.Random(seed)
        ranks = rng.choice((1, 4))
        all_of_them = curve_from_slopes([0, 50], [ranks])
        one, other = (limited_by(naive.curve(naive.drawn(rng, ranks, 50, ranks), rng), all_of_them) for _ in range(2))
        assert distance(one, one, all_of_them) == (0, 0)
        there, back = distance(one, other, all_of_them), distance(other, one, all_of_them)
        assert there == back
        assert 0 <= there.shares_ps <= 50 * ranks


def test_a_shift_of_everything_is_so_far_from_the_truth() -> None:
    """Shifting all computed work by `late` ps, in either direction, must give a time error of `late`, within the
    compared section.
    """
    for seed in range(CASES // 3):
        rng = random.Random(seed)
        shares = {t: share for t, share in naive.drawn(rng, 2, 50, 2).items() if t >= 0} | {7: 1}
        true = naive.curve(shares, rng)
        late = rng.randrange(-30, 30)
        computed = sum(shares.values())
        found = distance(true, Curve(true.times_ps + late, true.levels_ps), curve_from_slopes([-30, 80], [2]))
        assert found.levels == pytest.approx(abs(late) * computed, rel=1e-12)


def test_a_grid_keeps_the_means_of_its_steps() -> None:
    for seed in range(CASES // 3):
        rng = random.Random(seed)
        shares = naive.drawn(rng, 3, 50, 3)
        step, begin = rng.choice((1, 3, 7, 60)), rng.choice((0, 4))
        curve = on_grid(naive.curve(shares, rng), step, begin, 50)
        mean = naive.on_grid(shares, step, begin, 50)
        grown = np.diff(curve.at(np.arange(begin, 51)))
        assert grown.tolist() == pytest.approx([float(mean(t)) for t in range(begin, 50)], abs=1e-12)


def test_who_is_held_grows_no_faster_than_may_be_and_not_before_or_behind() -> None:
    for seed in range(CASES // 3):
        rng = random.Random(seed)
        shares, most = naive.drawn(rng, 3, 50, 3), {t: rng.randrange(4) for t in range(5, 45)}
        curve = limited_by(naive.curve(shares, rng), curve_from_slopes(range(5, 46), list(most.values())))
        grown = np.diff(curve.at(np.arange(-5, 51)))
        assert grown.tolist() == [min(shares.get(t, 0), most.get(t, 0)) for t in range(-5, 50)]
    nothing = curve_from_pieces([], [])
    assert limited_by(curve_from_slopes([0, 9], [1]), nothing) == nothing


def test_pieces_of_several_ranks_add_up() -> None:
    curve = curve_from_pieces([0, 10, 5], [5, 20, 12])
    assert curve.times_ps.tolist() == [0, 5, 10, 12, 20]
    assert curve.slopes().tolist() == [1, 1, 2, 1]
    half = curve_from_pieces([0, 4], [4, 8], [2, 4])
    assert half.levels_ps.tolist() == [0, 2, 6]
    assert len(curve_from_pieces([], []).times_ps) == 0


def test_levels_never_fall_and_the_last_of_one_time_holds() -> None:
    curve = curve_from_levels([10, 20, 20, 30, 40], [100, 105, 107, 103, 120])
    assert curve.times_ps.tolist() == [10, 20, 30, 40]
    assert curve.levels_ps.tolist() == [0, 7, 7, 20]


def test_times_that_do_not_advance_are_left_out() -> None:
    curve = curve_from_slopes([0, 5, 5, 9], [1, 7, 2])
    assert curve.times_ps.tolist() == [0, 5, 9]
    assert curve.levels_ps.tolist() == [0, 5, 13]


def test_who_looks_live_sees_states_late_and_means_when_they_are_over() -> None:
    curve = curve_from_slopes([0, 10, 30, 50], [1, 0, 1])
    (states,) = with_latency([NodePicture(curve)], False, 3, 60)
    assert (states.times_ps.tolist(), states.slopes().tolist()) == ([3, 13, 33, 60], [1, 0, 1])
    (means,) = with_latency([NodePicture(curve)], True, 3, 60)
    assert (means.times_ps.tolist(), means.slopes().tolist()) == ([13, 33, 53, 60], [1, 0, 1])


def test_who_looks_live_knows_the_latest_of_what_has_come() -> None:
    """Records overtake each other, and some never arrive."""
    for seed in range(CASES // 3):
        rng = random.Random(seed)
        shares = [rng.randrange(4) for _ in range(rng.randrange(1, 20))]
        curve = curve_from_slopes(range(0, 2 * len(shares) + 1, 2), shares)
        hindsight = rng.random() < 0.5
        ages = [rng.choice((0, 1, rng.randrange(30), NEVER)) for _ in shares]
        of = [2 * i + 2 * hindsight for i in range(len(shares))]
        (found,) = with_actual_latencies([NodePicture(curve, arrivals=sort_arrivals(of, ages))], hindsight, 0, 60)
        drawn = np.diff(found.at(np.arange(61)))
        for t in range(60):
            known = [i for i in range(len(shares)) if of[i] + ages[i] <= t]
            assert drawn[t] == (shares[max(known)] if known else 0), (seed, t)


def test_ages_are_of_what_was_told_and_empty_where_nothing_came_in_time() -> None:
    result: Any = {"latency_us": {"p50": 1, "p99": 2, "max": 3}}

    def found(ages_ps: list[int]) -> dict[str, int]:
        seen = NodePicture(curve_from_slopes([0, 9], [1]), arrivals=sort_arrivals(range(len(ages_ps)), ages_ps))
        return dict(ages(result, Picture("made", [seen, None], in_hindsight=False), 1000))

    assert found([5, 3, 4]) == {"p50": 4, "p99": 5, "max": 5}
    assert found([*range(1, 200), NEVER]) == {"p50": 100, "p99": 198}
    assert found([*range(1, 4), *[NEVER] * 9]) == {}
    assert found([2000, NEVER]) == {}
    unsaid = Picture("made", [NodePicture(curve_from_slopes([0, 9], [1]))], in_hindsight=False)
    assert ages(result, unsaid, 1000) == {"p50": 10**6, "p99": 2 * 10**6, "max": 3 * 10**6}


def calls(work: Callable[[], object]) -> int:
    """Number of calls of Python and C functions during the work."""
    count = 0

    def seen(_frame: object, event: str, _what: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(seen)
    try:
        work()
    finally:
        sys.setprofile(before)
    return count


@pytest.mark.parametrize("seed", range(3))
def test_a_hundred_thousand_bends_are_as_many_steps_of_python_as_a_hundred(seed: int) -> None:
    """Millions of events are judged, so that all work on single events must happen inside NumPy."""

    def all_of_it(bends: int) -> int:
        rng = np.random.default_rng(seed)
        times = np.cumsum(rng.integers(1, 10**6, bends))
        true = curve_from_pieces(times[0::2], times[1::2])
        seen = NodePicture(
            Curve(true.times_ps + 1000, true.levels_ps), arrivals=sort_arrivals(times, rng.integers(0, 10**7, bends))
        )
        section = curve_from_slopes(times[[0, -1]], [1])

        def work() -> None:
            distance(true, on_grid(slower(limited_by(seen.curve, section), true), 10**7, 0, int(times[-1])), section)
            with_actual_latencies([seen], False, 0, int(times[-1]))

        return calls(work)

    assert all_of_it(100_000) == all_of_it(100)
