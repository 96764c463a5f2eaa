# SPDX-License-Identifier: BSD-3-Clause
"""The cheapest design over several parameters equals that of brute force, from few evaluations."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from random import Random

import pytest

from hypermon._engine.sizing import cheapest
from hypermon._engine.sizing.cheapest import Choice, Outcome, Search, has_bounds

NEVER = 100_000


def searched(sizes: Sequence[int], need: Callable[[Choice], int], price: Callable[[Choice, int], float]) -> Outcome:
    def needs(asked: Mapping[Choice, tuple[int, int]]) -> list[int]:
        found = {choice: need(choice) for choice in asked}
        # otherwise the search was misled
        assert all(low <= found[choice] <= high for choice, (low, high) in asked.items())
        return list(found.values())

    return Search(sizes, NEVER, needs, price).run()


def best_of(outcome: Outcome, price: Callable[[Choice, int], float]) -> float | None:
    return min((price(choice, need) for choice, need in outcome.needs.items() if need != NEVER), default=None)


def brute_force(
    sizes: Sequence[int], need: Callable[[Choice], int], price: Callable[[Choice, int], float]
) -> float | None:
    every = itertools.product(*map(range, sizes))
    return min((price(choice, n) for choice in every if (n := need(choice)) != NEVER), default=None)


def rising(random: Random, sizes: Sequence[int]) -> Callable[[Choice], int]:
    """A required size that rises in steps with every index; beyond some choices, no size suffices."""
    steps = [sorted(random.choices(range(60), k=size)) for size in sizes]
    most = random.randint(5, 60 * len(sizes))

    def need(choice: Choice) -> int:
        total = sum(own[index] for own, index in zip(steps, choice, strict=True))
        return total if total <= most else NEVER

    return need


@pytest.mark.parametrize("parameters", [1, 2, 3])
@pytest.mark.parametrize("seed", range(25))
def test_the_cheapest_design_is_that_of_brute_force(parameters: int, seed: int) -> None:
    random = Random(seed)
    sizes = [random.randint(1, 300 if parameters == 1 else 9) for _ in range(parameters)]
    need = rising(random, sizes)
    weights = [random.choice((-3.0, -0.5, 0.0, 0.25, 2.0)) for _ in range(parameters)]

    def price(choice: Choice, needed: int) -> float:
        return needed + sum(w * index for w, index in zip(weights, choice, strict=True))

    assert has_bounds(sizes, 60 * parameters, price)
    outcome = searched(sizes, need, price)
    assert outcome.monotone
    assert best_of(outcome, price) == brute_force(sizes, need, price) == outcome.bound


def test_few_of_many_choices_are_looked_at() -> None:
    """A bus of 3000 speeds: a slow one is cheap and needs a deep FIFO, which becomes far too deep below some speed."""

    def need(choice: Choice) -> int:
        return 2 + choice[0] // 100 if choice[0] < 800 else min(NEVER, 10 + (choice[0] - 800) ** 2)

    def price(choice: Choice, needed: int) -> float:
        return needed + 4000 / (200 + choice[0])

    outcome = searched([3000], need, price)
    assert best_of(outcome, price) == brute_force([3000], need, price)
    assert len(outcome.needs) < 100


def test_of_designs_that_cost_the_same_the_poorest_is_found() -> None:
    outcome = searched([1000], lambda choice: 5 if choice[0] <= 637 else 6, lambda _, needed: needed)
    assert max(choice for choice, need in outcome.needs.items() if need == 5) == (637,)


def test_a_need_that_falls_again_is_noticed() -> None:
    outcome = searched_freely([9], [3, 3, 3, 3, 9, 4, 4, 4, 6], lambda choice, needed: needed - 0.5 * choice[0])
    assert not outcome.monotone


def searched_freely(sizes: Sequence[int], of: Sequence[int], price: Callable[[Choice, int], float]) -> Outcome:
    return Search(sizes, NEVER, lambda asked: [of[choice[0]] for choice in asked], price).run()


def test_a_search_that_ends_early_says_what_no_design_can_undercut(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cheapest, "MOST_CHOICES", 5)
    random = Random(3)
    sizes = [300]
    need = rising(random, sizes)

    def price(choice: Choice, needed: int) -> float:
        return needed - 0.2 * choice[0]

    outcome = searched(sizes, need, price)
    found, true = best_of(outcome, price), brute_force(sizes, need, price)
    assert found is not None
    assert true is not None
    assert outcome.bound is not None
    assert outcome.bound <= true <= found
    assert outcome.bound < found


def test_a_cost_that_turns_cannot_be_bounded() -> None:
    assert has_bounds([50], 100, lambda choice, needed: needed / (1 + choice[0]))
    assert not has_bounds([50], 100, lambda choice, needed: needed + abs(choice[0] - 20))
    assert not has_bounds([50], 100, lambda _, needed: (needed - 30) ** 2)
