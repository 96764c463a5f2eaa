# SPDX-License-Identifier: BSD-3-Clause
"""Life against a sequential Life in NumPy."""

from __future__ import annotations

import math

import numpy as np
import pytest

from tests.workloads.conftest import Run
from tests.workloads.splitmix import SplitMix64

BLOCK = np.array([[1, 1, 0], [1, 1, 0], [0, 0, 0]], dtype=np.uint8)
BLINKER = np.array([[0, 0, 0], [1, 1, 1], [0, 0, 0]], dtype=np.uint8)
GLIDER = np.array([[0, 1, 0], [0, 0, 1], [1, 1, 1]], dtype=np.uint8)


def initial_pattern(
    size: int, seed: int, density: float, peak_density: float, peak_row: float, peak_width: float, gliders: int
) -> np.ndarray:
    random = SplitMix64(seed)
    cells = np.zeros((size, size), dtype=np.uint8)
    tiles = range(1, size - 3, 6)
    for top in tiles:
        limit = density + peak_density * math.exp(-((((top + 1.5) / size - peak_row) / peak_width) ** 2))
        for left in tiles:
            if random.uniform() < limit:
                cells[top : top + 3, left : left + 3] = BLOCK if random.uniform() < 0.5 else BLINKER
    for _ in range(gliders):
        top, left = random.below(size - 3), random.below(size - 3)
        cells[top : top + 3, left : left + 3] = GLIDER
    return cells


def sequential_life(cells: np.ndarray, generations: int) -> np.ndarray:
    size = len(cells)
    for _ in range(generations):
        padded = np.pad(cells, 1)
        shifts = [(i, j) for i in range(3) for j in range(3) if (i, j) != (1, 1)]
        neighbours = sum(padded[i : i + size, j : j + size] for i, j in shifts)
        cells = ((neighbours == 3) | ((cells == 1) & (neighbours == 2))).astype(np.uint8)
    return cells


@pytest.mark.parametrize("nodes", [1, 2, 5, 8])
def test_the_last_generation_is_that_of_a_sequential_life(answer: Run, nodes: int) -> None:
    size, seed, generations = 110, 3, 60  # rows above 100 B: long messages
    pattern = {"density": 0.2, "peak_density": 0.5, "peak_row": 0.4, "peak_width": 0.2}
    first = initial_pattern(size, seed, **pattern, gliders=12)
    last = np.load(answer("life", nodes, size=size, seed=seed, generations=generations, **pattern, gliders=12))
    expected = sequential_life(first, generations)
    assert 0 < expected.sum() < size * size / 2
    changed = expected != first
    assert changed.sum() > 100  # gliders have collided: it is not a still life
    np.testing.assert_array_equal(last, expected)


def test_a_glider_moves_one_cell_diagonally_in_four_generations(answer: Run) -> None:
    alone = {"density": 0, "peak_density": 0, "gliders": 1}
    first = np.load(answer("life", 2, size=64, seed=1, generations=0, **alone))
    later = np.load(answer("life", 2, size=64, seed=1, generations=4, **alone))
    assert first.sum() == GLIDER.sum()
    np.testing.assert_array_equal(later[1:, 1:], first[:-1, :-1])
