# SPDX-License-Identifier: BSD-3-Clause
"""The search for the cheapest value that meets a loss limit is exact where the loss decreases, and says where it may
not be.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any

import pytest

from hypermon._engine.sizing.confidence import bound_rank, repeats_needed
from hypermon._engine.sizing.search import SCAN, Found, first_meeting, search_in_step

DEPTHS = range(1, (1 << 24) + 1)  # depths of the frame FIFO


def find(values: Sequence[int], loss: Callable[[int], float], width: int = 15) -> Found:
    return find_all(values, {"loss": loss}, width)


def find_all(values: Sequence[int], losses: Mapping[str, Callable[[int], float]], width: int, **more: Any) -> Found:
    """Searches for the value at which each function is 0."""

    def judge(asked: list[tuple[int, int]]) -> list[dict[str, bool]]:
        return [{name: loss(values[i]) > 0 for name, loss in losses.items()} for _, i in asked]

    return search_in_step([first_meeting(values, width, **more)], judge)[0]


@pytest.mark.parametrize("width", [1, 2, 15])
@pytest.mark.parametrize("least", [1, 2, 1340, 1 << 23, (1 << 24) - 1, 1 << 24])
def test_the_least_value_is_found_and_the_one_below_it_was_looked_at(least: int, width: int) -> None:
    found = find(DEPTHS, lambda depth: max(0, least - depth) / least, width=width)
    assert found.index is not None
    assert DEPTHS[found.index] == least
    assert found.monotone
    assert least == 1 or found.verdicts[found.index - 1]["loss"]


@pytest.mark.parametrize("slowest", [1, 222, 9999])
def test_from_a_cheap_end_of_large_values_the_largest_is_found(slowest: int) -> None:
    words = range(1, 10_000)[::-1]  # a slow bus is cheap
    found = find(words, lambda word: max(0, word - slowest))
    assert found.index is not None
    assert words[found.index] == slowest


def test_values_that_are_listed_are_enough() -> None:
    assert find([100, 400, 1600], lambda depth: depth < 300).index == 1


def test_an_unreachable_target_is_said_after_one_round() -> None:
    found = find(DEPTHS, lambda depth: 1 / depth)
    assert found.index is None
    assert len(found.verdicts) <= 15 + 2


def test_a_search_by_fifteen_takes_far_fewer_rounds_than_bisection() -> None:
    rounds = 0

    def probe(asked: list[tuple[int, int]]) -> list[dict[str, bool]]:
        nonlocal rounds
        rounds += 1
        return [{"loss": DEPTHS[i] < 1340} for _, i in asked]

    search_in_step([first_meeting(DEPTHS, 15)], probe)
    # each round equals log2(16) bisections; the first round and the check of the neighbours are extra
    assert rounds <= 24 / 4 + 2


def test_a_loss_that_rises_again_is_noticed_and_scanned() -> None:
    bad = range(1000, 1100)  # these depths lose data although 500 suffices
    found = find(range(1, 20_000), lambda depth: depth < 500 or depth in bad)
    assert not found.monotone
    assert found.index == range(1, 20_000).index(1100)  # begin of the last run of good values
    assert found.scanned
    assert len(found.verdicts) > SCAN / 2  # at equal ratios; where that is closer than one, each value once


def test_a_target_that_is_met_at_both_ends_and_missed_between_is_scanned() -> None:
    found = find(range(1, 20_000), lambda depth: 10 < depth < 500)
    assert (found.index, found.scanned, found.monotone) == (range(1, 20_000).index(500), True, False)


def test_a_short_range_is_scanned_whole() -> None:
    found = find(range(1, 41), lambda depth: depth < 10 or depth == 12)
    assert (found.index, found.scanned, len(found.verdicts)) == (range(1, 41).index(13), True, 40)


def test_a_loss_that_rises_all_the_way_is_met_at_the_cheap_end() -> None:
    found = find(range(1, 10_000), lambda window: window > 700)
    assert (found.index, found.monotone, found.scanned) == (0, False, False)
    assert found.missed_beyond is not None
    assert range(1, 10_000)[found.missed_beyond[0]] > 700


@pytest.mark.parametrize("width", [1, 4, 15])
@pytest.mark.parametrize(
    ("least", "most"), [(1, 1), (700, 700), (5000, 5003), (1, 90), (1 << 23, (1 << 23) + 1), (1 << 24, 1 << 24)]
)
def test_a_window_between_two_targets_is_found_however_narrow(least: int, most: int, width: int) -> None:
    """The first target is met from `least` on, and the second up to `most`."""
    found = find_all(DEPTHS, {"loss": lambda d: d < least, "latency": lambda d: d > most}, width)
    assert found.index is not None
    assert DEPTHS[found.index] == least
    assert not found.scanned
    crossed = find_all(DEPTHS, {"loss": lambda d: d <= most, "latency": lambda d: d > most}, width)
    assert crossed.index is None


@pytest.mark.parametrize("seed", range(40))
def test_the_answer_is_that_of_brute_force_for_any_targets_that_change_once(seed: int) -> None:
    random = Random(seed)
    values = range(1, random.choice((2, 9, 300, 40_000)))
    bounds = {str(n): (random.randint(0, values[-1] + 1), random.choice((True, False))) for n in range(4)}

    def misses(name: str) -> Callable[[int], float]:
        bound, falls = bounds[name]
        return lambda value: value < bound if falls else value > bound

    losses = {name: misses(name) for name in bounds}
    guess = tuple(sorted(random.randrange(len(values)) for _ in range(2)))
    more = random.choice(({}, {"between": guess}, {"between": guess, "verify": False}))
    found = find_all(values, losses, random.choice((1, 3, 15)), **more)
    meeting = [i for i, value in enumerate(values) if not any(loss(value) for loss in losses.values())]
    assert found.index == (meeting[0] if meeting else None)


def test_searches_in_step_share_each_evaluation() -> None:
    least = [7, 1340, 99_999, 3]
    calls: list[set[int]] = []

    def probe(asked: list[tuple[int, int]]) -> list[dict[str, bool]]:
        calls.append({number for number, _ in asked})
        return [{"loss": DEPTHS[i] < least[number]} for number, i in asked]

    found = search_in_step([first_meeting(DEPTHS, 15) for _ in least], probe)
    assert [DEPTHS[f.index or 0] for f in found] == least
    assert calls[0] == {0, 1, 2, 3}
    assert len(calls) <= 24 / 4 + 2


def test_the_order_statistic_is_the_one_that_the_binomial_distribution_names() -> None:
    # The median: all five are below it with probability 1/32, so that the largest bounds it with probability 31/32.
    assert bound_rank(5, 0.5, 31 / 32) == 5
    assert bound_rank(5, 0.5, 0.969) is None
    # The 9th of ten is wrong if 9 or 10 are below, with probability 11/1024.
    assert bound_rank(10, 0.5, 1 - 11 / 1024 - 1e-12) == 9
    # The 0.9 quantile with 95 %: 0.9^28 = 0.0523, 0.9^29 = 0.0471.
    assert (bound_rank(28, 0.9, 0.95), bound_rank(29, 0.9, 0.95)) == (None, 29)


@pytest.mark.parametrize(("quantile", "confidence"), [(0.5, 0.95), (0.9, 0.95), (0.99, 0.9), (0.5, 0.5), (0.01, 0.3)])
def test_the_repeats_needed_are_the_fewest_that_do(quantile: float, confidence: float) -> None:
    needed = repeats_needed(quantile, confidence)
    assert bound_rank(needed, quantile, confidence) is not None
    assert needed == 1 or bound_rank(needed - 1, quantile, confidence) is None
