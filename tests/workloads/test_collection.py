# SPDX-License-Identifier: BSD-3-Clause
"""The programs of the collection against serial solutions in NumPy, also where ranks cannot divide the work evenly."""

from __future__ import annotations

import math
from itertools import product
from typing import Any

import numpy as np
import pytest

from tests.workloads.conftest import Launch, Run, Simulate
from tests.workloads.splitmix import SplitMix64

Array = np.ndarray[Any, np.dtype[Any]]


def stream(seed: int, *shape: int) -> Array:
    random = SplitMix64(seed)
    return np.array([random.uniform() for _ in range(math.prod(shape))]).reshape(shape)


@pytest.mark.parametrize("ranks", [2, 5])
def test_every_ping_comes_back_changed_as_its_partner_changes_it(answer: Run, ranks: int) -> None:
    sizes, seconds, wrong = np.load(answer("pingpong", ranks, least_bytes=3, most_bytes=500, repeats=3)).T
    assert sizes.tolist() == [3, 6, 12, 24, 48, 96, 192, 384]
    assert (wrong == 0).all()
    assert (seconds > 0).all()


@pytest.mark.worker
@pytest.mark.parametrize(("partner", "hops"), [(1, 1), (3, 2)])
def test_a_ping_takes_as_long_as_the_machine_says(simulate: Simulate, partner: int, hops: int) -> None:
    repeats = 2
    result, answer = simulate(
        "pingpong", 4, {"partner": partner, "least_bytes": 25, "most_bytes": 400, "repeats": repeats},
        {"monitor": "none", "node": {"tick_ms": 1e6, "clock_drift_ppm": 0}},
    )  # fmt: skip
    network = result["spec"]["network"]
    for size, seconds, _ in np.load(answer):
        kind = "short" if size <= network["short_limit_bytes"] else "long"
        slope = network["short_us_per_byte"] if kind == "short" else 1 / network["bandwidth_mb_per_s"]
        message = network[f"{kind}_base_us"] + (hops - 1) * network[f"{kind}_hop_us"] + size * slope
        clock = result["spec"]["os"]["syscall_us"] / (2 * repeats)
        assert seconds * 1e6 == pytest.approx(message + clock, abs=1e-5)


@pytest.mark.parametrize(("ranks", "root"), [(1, 0), (4, 0), (5, 3)])
def test_a_broadcast_brings_every_rank_every_byte(answer: Run, ranks: int, root: int) -> None:
    assert np.load(answer("broadcast", ranks, mib=0.01, root=root, repeats=3)).tolist() == [[0]] * ranks


@pytest.mark.parametrize("ranks", [1, 4, 5])
def test_blocks_on_a_ring_have_visited_the_ranks_that_they_passed(answer: Run, ranks: int) -> None:
    numbers, steps = 14, 7  # 112 B: long messages
    rows = np.load(answer("ring", ranks, numbers=numbers, steps=steps)).reshape(ranks, 2, numbers)
    own = np.arange(ranks * numbers).reshape(ranks, numbers)
    for rank, (held, sums) in enumerate(rows):
        np.testing.assert_array_equal(held, own[(rank - steps) % ranks])
        np.testing.assert_array_equal(sums, sum(own[(rank - step) % ranks] for step in range(steps)))


@pytest.mark.parametrize(("ranks", "numbers", "repeats"), [(1, 2, 3), (4, 13, 3), (6, 2, 2)])  # 104 B: long messages
def test_all_to_all_transposes_blocks(answer: Run, ranks: int, numbers: int, repeats: int) -> None:
    blocks = np.arange(ranks * ranks * numbers).reshape(ranks, ranks, numbers)
    for _ in range(repeats):
        blocks = blocks.swapaxes(0, 1) + 1
    found = np.load(answer("alltoall", ranks, numbers=numbers, repeats=repeats))
    np.testing.assert_array_equal(found, blocks.reshape(ranks, -1))


@pytest.mark.parametrize("ranks", [4, 6, 7])
def test_halo_is_jacobis_method(answer: Run, ranks: int) -> None:
    size, sweeps = 15, 9  # edges of 7 and 8 points: short messages; with 7 ranks, of 15: long ones
    u = stream(4, size, size)
    for _ in range(sweeps):
        around = np.pad(u, 1)
        around[0, 1:-1] = 1
        u = (around[:-2, 1:-1] + around[2:, 1:-1] + around[1:-1, :-2] + around[1:-1, 2:]) / 4
    found = np.load(answer("halo", ranks, seed=4, size=size, iterations=sweeps, norm_every=4))
    np.testing.assert_allclose(found, u, rtol=1e-14)


@pytest.mark.parametrize("ranks", [2, 5])
def test_every_task_is_worked_on_once_and_all_together_are_pi(answer: Run, ranks: int) -> None:
    tasks, points, seed = 40, 30, 6
    times, workers, values = np.load(answer("workers", ranks, tasks=tasks, points=points, seed=seed)).T
    assert (times == 1).all()
    assert set(workers) == set(range(1, ranks))
    for task, (value, uniform) in enumerate(zip(values, stream(seed, tasks), strict=True)):
        number = 1 + int(-math.log1p(-uniform) * points)
        x = (task + (np.arange(number) + 0.5) / number) / tasks
        assert value == pytest.approx((4 / (1 + x**2)).mean() / tasks, rel=1e-13)
    assert values.sum() == pytest.approx(math.pi, abs=1 / (6 * tasks**2))  # the midpoint rule with a point a task


@pytest.mark.parametrize("ranks", [4, 6])
def test_the_wavefront_is_serial_over_relaxation(answer: Run, ranks: int) -> None:
    planes, size, sweeps, omega = 3, 7, 2, 1.3
    f, u = stream(2, planes, size, size), np.zeros((planes + 2, size + 2, size + 2))
    points = list(product(range(planes), range(size), range(size)))
    for order in (points, points[::-1]) * sweeps:
        for k, r, c in order:
            around = u[k : k + 3, r + 1, c + 1], u[k + 1, r : r + 3, c + 1], u[k + 1, r + 1, c : c + 3]
            old = u[k + 1, r + 1, c + 1]
            u[k + 1, r + 1, c + 1] += omega * ((f[k, r, c] + sum(a[0] + a[2] for a in around)) / 6 - old)
    parameters = {"planes": planes, "size": size, "iterations": sweeps, "omega": omega}
    found = np.load(answer("wavefront", ranks, seed=2, **parameters))
    np.testing.assert_allclose(found.reshape(planes, size, size), u[1:-1, 1:-1, 1:-1], rtol=1e-13)


@pytest.mark.parametrize("ranks", [1, 4, 5])
def test_conjugate_gradients_solve_poissons_equation(answer: Run, ranks: int) -> None:
    size = 13  # rows of 104 B: long messages
    line = 2 * np.eye(size) - np.eye(size, k=1) - np.eye(size, k=-1)
    matrix = np.kron(line, np.eye(size)) + np.kron(np.eye(size), line)
    expected = np.linalg.solve(matrix, stream(3, size * size))
    found = np.load(answer("cg", ranks, seed=3, size=size, iterations=200, tolerance=1e-12))
    np.testing.assert_allclose(found.ravel(), expected, rtol=1e-9)


@pytest.mark.parametrize("ranks", [4, 6])
def test_the_transform_is_that_of_numpy(answer: Run, ranks: int) -> None:
    size, repeats = 16, 3
    parts = stream(5, size, size, 2) - 0.5
    expected = parts[..., 0] + 1j * parts[..., 1]
    for _ in range(repeats):
        expected = np.fft.fft2(expected, norm="ortho")
    found = np.load(answer("fft", ranks, seed=5, size=size, repeats=repeats))
    np.testing.assert_allclose(found, expected, atol=1e-13)


@pytest.mark.parametrize(
    ("name", "ranks", "argument", "complaint"),
    [
        ("pingpong", 1, "--repeats=1", "pingpong: needs two ranks"),
        ("pingpong", 2, "--partner=2", "--partner=2: there is no such rank"),
        ("broadcast", 2, "--root=2", "--root=2: there is no such rank"),
        ("workers", 1, "--tasks=1", "workers: needs a rank besides the master"),
        ("halo", 6, "--size=2", "--size=2: must be at least 3"),
        ("wavefront", 6, "--size=2", "--size=2: must be at least 3"),
        ("cg", 3, "--size=2", "--size=2: must be at least 3"),
        ("fft", 3, "--size=2", "--size=2: must be at least 3"),
        ("fft", 1, "--size=12", "--size=12: must be a power of two"),
    ],
)
def test_what_a_program_cannot_do_is_refused(
    launch: Launch, name: str, ranks: int, argument: str, complaint: str
) -> None:
    result = launch(name, ranks, [argument])
    assert result.returncode == 2
    assert complaint in result.stderr
