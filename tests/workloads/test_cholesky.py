# SPDX-License-Identifier: BSD-3-Clause
"""Cholesky against NumPy's, and its charged time against the operations of the factorization."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from tests.workloads.conftest import Launch, Run, Simulate
from tests.workloads.splitmix import SplitMix64

Array = np.ndarray[Any, np.dtype[Any]]


def matrix(size: int, seed: int, diagonal: float = 1) -> Array:
    stream = SplitMix64(seed)
    lower = np.tril(np.array([stream.uniform() for _ in range(size * size)]).reshape(size, size))
    return lower + np.tril(lower, -1).T + diagonal * size * np.eye(size)


def tall_and_flat(cases: int) -> list[tuple[int, int, int]]:
    """Random sizes, blocks and ranks: blocks that do not divide the size, single columns, the whole matrix; more ranks
    than panels.
    """
    chance = random.Random(15)
    drawn = [(chance.randint(1, 40), chance.randint(1, 12), chance.randint(1, 9)) for _ in range(cases)]
    return [*drawn, (1, 1, 3), (17, 40, 4), (24, 8, 3)]


@pytest.mark.parametrize(("size", "block", "ranks"), tall_and_flat(8))
def test_the_factor_is_that_of_numpy(answer: Run, size: int, block: int, ranks: int) -> None:
    found = np.load(answer("cholesky", ranks, seed=4, size=size, block=block))
    np.testing.assert_allclose(found, np.linalg.cholesky(matrix(size, 4)), rtol=1e-12, atol=1e-13)


def test_the_factor_does_not_depend_on_the_number_of_ranks(answer: Run) -> None:
    files = {answer("cholesky", ranks, size=30, block=4).read_bytes() for ranks in (1, 3, 8)}
    assert len(files) == 1


@pytest.mark.parametrize("ranks", [1, 3])
@pytest.mark.parametrize(("size", "block"), [(12, 12), (12, 1), (12, 5)])  # found inside the panel, or after it
def test_a_matrix_without_a_factor_is_refused_by_all(launch: Launch, ranks: int, size: int, block: int) -> None:
    assert np.linalg.eigvalsh(matrix(size, 1, 0)).min() < 0
    result = launch("cholesky", ranks, [f"--size={size}", f"--block={block}", "--diagonal=0"])
    assert result.returncode == 1
    assert result.stderr.count("not positive definite") == 1


def test_a_matrix_that_is_not_computed_has_no_answer(launch: Launch, tmp_path: Any) -> None:
    output = tmp_path / "answer"
    result = launch("cholesky", 2, ["--size=20", "--largest_computed=19", f"--output={output}"])
    assert (result.returncode, result.stdout) == (0, "cholesky: not computed, only charged\n")
    assert not output.exists()


@pytest.mark.parametrize("argument", ["--size=0", "--size=32769", "--block=0", "--block=1025", "--cache_gain=1.5"])
def test_sizes_that_make_no_sense_are_refused(launch: Launch, argument: str) -> None:
    result = launch("cholesky", 2, [argument])
    assert result.returncode == 2
    assert f"{argument}: must be from" in result.stderr


IDEAL = {"monitor": "none", "machine": {"topology": "star"}, "node": {"clock_drift_ppm": 0, "start_spread_us": 0}}


@pytest.mark.worker
@pytest.mark.parametrize(("size", "block", "ranks"), [(37, 5, 1), (37, 5, 4), (40, 8, 3), (9, 20, 2)])
def test_all_ranks_together_charge_the_work_of_the_whole(simulate: Simulate, size: int, block: int, ranks: int) -> None:
    parameters: dict[str, float] = {"size": size, "block": block, "multiply_add_ns": 1000, "cache_kb": 0}
    result, _ = simulate("cholesky", ranks, parameters, IDEAL)
    numbers = size * (size + 1) * (size + 2) / 6  # number (i, j): j multiply-adds and a division
    assert sum(rank["compute_s"] for rank in result["ranks"]) == pytest.approx(1e-6 * numbers, rel=1e-9)


@pytest.mark.worker
@pytest.mark.parametrize("gain", [0.0, 0.25, 1.0])
def test_what_the_cache_holds_saves_its_share(simulate: Simulate, gain: float) -> None:
    size, block, cache = 40, 4, 2000
    parameters = {"size": size, "block": block, "multiply_add_ns": 1000, "cache_kb": cache / 1000, "cache_gain": gain}
    result, _ = simulate("cholesky", 1, parameters, IDEAL)
    expected = 0.0
    for first in range(0, size, block):
        below = [range(c, size) for c in range(first, first + block)]
        behind = sum(size - c for c in range(first + block, size))
        works = [(sum((i + 1) * len(rows) for i, rows in enumerate(below)), sum(map(len, below))),
                 (behind * block, behind)]  # fmt: skip
        for multiply_adds, numbers in works:
            held = min(1, cache / (8 * numbers)) if numbers else 1
            expected += 1e-6 * multiply_adds * (1 - gain * held)
    assert sum(rank["compute_s"] for rank in result["ranks"]) == pytest.approx(expected, rel=1e-9)


@pytest.mark.worker
@pytest.mark.parametrize("ranks", [1, 5])
def test_charging_alone_takes_the_time_of_computing(simulate: Simulate, ranks: int) -> None:
    spec = IDEAL | {"machine": {"topology": "star", "messages": "smpi"}}
    computed, _ = simulate("cholesky", ranks, {"size": 60, "block": 7}, spec)
    charged, _ = simulate("cholesky", ranks, {"size": 60, "block": 7, "largest_computed": 59}, spec)
    assert computed["elapsed_s"] == charged["elapsed_s"]
