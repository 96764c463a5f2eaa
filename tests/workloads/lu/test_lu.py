# SPDX-License-Identifier: BSD-3-Clause
"""LU against a serial solver in NumPy, and its calls against NPB's, which are counted here independently."""

from __future__ import annotations

import functools
import math
import os
import shutil
import subprocess
from collections import Counter
from collections.abc import Callable
from itertools import pairwise, product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.workloads.conftest import ROOT, Simulate

Array = np.ndarray[Any, np.dtype[Any]]
HERE = Path(__file__).parent
TIME_STEP, OMEGA, FOURTH = 2.0, 1.2, 1 / 32

# What is solved -------------------------------------------------------------------------------------------------------


def solution(n: int) -> Array:
    """[z, y, x, variable]: 1 + 0.2 m + x y (1 + m z) + z z / 2."""
    z, y, x = np.meshgrid(*[np.linspace(0, 1, n)] * 3, indexing="ij")
    return np.stack([1 + 0.2 * m + x * y * (1 + m * z) + 0.5 * z * z for m in range(5)], axis=-1)


def coupling(direction: int) -> Array:
    """V of a direction."""
    return np.array([[0.04 * ((m + 2 * k + 3 * direction) % 5) - 0.08 for k in range(5)] for m in range(5)])


REACTION = 0.5 * np.eye(5) + np.array([[0.02 * ((3 * m + n) % 5) for n in range(5)] for m in range(5)])


def speed(n: int, p: tuple[int, ...]) -> float:
    return 1 + 0.25 * sum(p) / (n - 1)


def left_side(u: Array) -> Array:
    """Left side of the equations at inner points; 0 on the boundary."""
    n = u.shape[0]
    result = np.zeros_like(u)
    for p in product(range(1, n - 1), repeat=3):  # z, y, x
        here = u[p]
        total = REACTION @ here
        for axis in range(3):
            line = u[tuple(slice(None) if a == axis else p[a] for a in range(3))]
            i = p[axis]
            stencil = {-2: 1, -1: -4, 0: 6, 1: -4, 2: 1}
            if i == 1:
                stencil = {0: 5, 1: -4, 2: 1}
            if i == 2:
                stencil = {-1: -4, 0: 6, 1: -4, 2: 1}
            if i == n - 2:
                stencil = {-2: 1, -1: -4, 0: 5}
            if i == n - 3:
                stencil = {-2: 1, -1: -4, 0: 6, 1: -4}
            total = total + FOURTH * sum(factor * line[i + step] for step, factor in stencil.items())
            total = total - (line[i - 1] - 2 * here + line[i + 1])
            total = total + 0.5 * speed(n, p) * coupling(2 - axis) @ (line[i + 1] - line[i - 1])
        result[p] = total
    return result


def relaxed(n: int, iterations: int) -> tuple[Array, list[Array]]:
    """u after SSOR point by point, and the norms of the residual before each iteration and at the end."""
    u = solution(n)
    right = left_side(u)
    u[1:-1, 1:-1, 1:-1] = 0
    diagonal = np.eye(5) * (1 + 6 * TIME_STEP) + TIME_STEP * REACTION
    points = list(product(range(1, n - 1), repeat=3))
    norms = []

    def neighbours(v: Array, p: tuple[int, ...], side: int) -> Array:
        total = np.zeros(5)
        for axis in range(3):
            q = tuple(p[a] + side * (a == axis) for a in range(3))
            total += TIME_STEP * (0.5 * side * speed(n, p) * coupling(2 - axis) - np.eye(5)) @ v[q]
        return total

    for _ in range(iterations):
        rest = right - left_side(u)
        norms.append(np.sqrt((rest**2).sum(axis=(0, 1, 2)) / (n - 2) ** 3))
        v = TIME_STEP * rest
        for p in points:
            v[p] = np.linalg.solve(diagonal, v[p] - OMEGA * neighbours(v, p, -1))
        for p in reversed(points):
            v[p] -= np.linalg.solve(diagonal, OMEGA * neighbours(v, p, 1))
        u += v / (OMEGA * (2 - OMEGA))
    rest = right - left_side(u)
    return u, [*norms, np.sqrt((rest**2).sum(axis=(0, 1, 2)) / (n - 2) ** 3)]


# Running it -----------------------------------------------------------------------------------------------------------

Launch = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture(scope="module")
def launch(tmp_path_factory: pytest.TempPathFactory) -> Launch:
    """launch(ranks, *arguments, calls=None): runs under smpirun, where charging has no effect. With `calls`, the tool
    writes the calls into that folder.
    """
    if shutil.which("smpicxx") is None or shutil.which("smpirun") is None:
        pytest.skip("SMPI's commands are not installed")
    folder = tmp_path_factory.mktemp("lu")
    (folder / "hosts").write_text("".join(f"node{i}\n" for i in range(16)))
    options = ["-O1", "-std=c++20", f"-I{ROOT}", f"-I{ROOT / 'sw/include'}", str(ROOT / "sw/workloads/lu/lu.cpp")]
    for name, more in (("plain", []), ("tool", [str(HERE / "calls_tool.cpp")])):
        subprocess.run(["smpicxx", *options, *more, "-o", str(folder / name)], check=True)

    def run(ranks: int, *arguments: str, calls: Path | None = None) -> subprocess.CompletedProcess[str]:
        options = ["-platform", str(HERE.parent / "hypercube.xml"), "-hostfile", str(folder / "hosts")]
        options += ["--cfg=smpi/simulate-computation:no", "--cfg=smpi/privatization:dlopen", "--log=root.thres:error"]
        program = folder / ("tool" if calls else "plain")
        command = ["smpirun", "-np", str(ranks), *options, str(program), *arguments]
        environment = {**os.environ, "CALLS": str(calls)}
        return subprocess.run(command, capture_output=True, text=True, timeout=300, env=environment)

    return run


def norms_of(output: str, what: str) -> Array:
    (line,) = (line for line in output.splitlines() if line.startswith(f"lu: {what} "))
    return np.array([float(number) for number in line.split()[-5:]])


@pytest.fixture(scope="module")
def serial() -> tuple[Array, list[Array]]:
    return relaxed(13, 3)


@pytest.mark.parametrize("ranks", [1, 2, 4])  # 13 points: 7 and 6
def test_the_answer_is_that_of_serial_relaxation(
    launch: Launch, serial: tuple[Array, list[Array]], ranks: int, tmp_path: Path
) -> None:
    expected, norms = serial
    done = launch(ranks, "--points=13", "--iterations=3", f"--output={tmp_path / 'u'}")
    assert done.returncode == 0, done.stderr
    np.testing.assert_allclose(np.load(tmp_path / "u").reshape(expected.shape), expected, rtol=1e-12)
    np.testing.assert_allclose(norms_of(done.stdout, "first residuals"), norms[0], rtol=1e-12)
    np.testing.assert_allclose(norms_of(done.stdout, "last residuals"), norms[-1], rtol=1e-9)


def test_what_is_left_falls_and_the_known_solution_is_reached(launch: Launch, tmp_path: Path) -> None:
    left = []
    for iterations in (1, 5, 25, 100):
        done = launch(4, "--problem=S", f"--iterations={iterations}", f"--output={tmp_path / 'u'}")
        left.append(norms_of(done.stdout, "last residuals"))
        assert (left[-1] < norms_of(done.stdout, "first residuals")).all()
    assert all((less < more).all() for more, less in pairwise(left))
    np.testing.assert_allclose(np.load(tmp_path / "u").reshape(12, 12, 12, 5), solution(12), atol=1e-13)


def test_the_answer_is_the_same_bytes_on_every_number_of_ranks(launch: Launch, tmp_path: Path) -> None:
    """35 points are divided into 17 and 18, 8 and 9, or 4 and 5 in a row of 2, 4 or 8."""
    answers = {}
    for ranks in (1, 2, 8, 16, 32):
        done = launch(
            ranks, "--points=35", "--largest_computed=35", "--iterations=2", f"--output={tmp_path / str(ranks)}"
        )
        assert done.returncode == 0, done.stderr
        answers[ranks] = (tmp_path / str(ranks)).read_bytes()
        np.testing.assert_allclose(
            norms_of(done.stdout, "last correction"),
            norms_of(launch(1, "--points=35", "--largest_computed=35", "--iterations=2").stdout, "last correction"),
            rtol=1e-12,
        )
    assert len(answers[1]) > 35**3 * 40
    assert len(set(answers.values())) == 1


@pytest.mark.worker
def test_the_answer_is_the_same_bytes_in_the_simulator(launch: Launch, simulate: Simulate, tmp_path: Path) -> None:
    launch(8, "--points=17", "--iterations=2", f"--output={tmp_path / 'smpirun'}")
    for messages in ("nx2", "smpi"):
        _, answer = simulate("lu", 8, {"points": 17, "iterations": 2}, {"machine": {"messages": messages}})
        assert answer.read_bytes() == (tmp_path / "smpirun").read_bytes()


# Its calls ------------------------------------------------------------------------------------------------------------

Call = tuple[str, int, int, int]


def calls_of(folder: Path, rank: int) -> list[Call]:
    lines = (folder / f"calls.{rank}").read_text().splitlines()
    return [(words[0], *map(int, words[1:])) for words in map(str.split, lines)]  # type: ignore[misc]


def expected_calls(points: int, ranks: int, rank: int, iterations: int) -> list[Call]:
    """Calls according to NPB's source: proc_grid, subdomain, neighbors, ssor, exchange_1, exchange_3."""
    across = 2 ** math.ceil(math.log2(ranks) / 2)
    row, column, down = rank % across, rank // across, ranks // across

    def split(parts: int, part: int) -> int:
        return points // parts + (part < points % parts)

    nx, ny = split(across, row), split(down, column)
    inner_x = nx - (row == 0) - (row == across - 1)
    inner_y = ny - (column == 0) - (column == down - 1)
    neighbour = {"north": rank - 1 if row > 0 else -1, "south": rank + 1 if row < across - 1 else -1}
    neighbour |= {"west": rank - across if column > 0 else -1, "east": rank + across if column < down - 1 else -1}
    from_side = {"north": 1, "south": 2, "west": 3, "east": 4}
    opposite = {"north": "south", "south": "north", "west": "east", "east": "west"}
    line = {"north": 5 * inner_y, "south": 5 * inner_y, "west": 5 * inner_x, "east": 5 * inner_x}
    layers = {"north": 10 * ny * points, "west": 10 * nx * points}
    calls: list[Call] = []

    def routine(name: str, *body: Callable[[], None]) -> None:
        calls.append((name, 1, -1, -1))
        for part in body:
            part()
        calls.append((name, -1, -1, -1))

    def mpi(name: str, count: int = 0, peer: int = -1, tag: int = -1) -> None:
        calls.append((f"MPI_{name}", count, peer, tag))

    def receive(*sides: str) -> None:
        for side in sides:
            if neighbour[side] >= 0:
                mpi("Recv", line[side], neighbour[side], from_side[side])

    def send(*sides: str) -> None:
        for side in sides:
            if neighbour[side] >= 0:
                mpi("Send", line[side], neighbour[side], from_side[opposite[side]])

    def shift(low: str) -> None:
        for source in (low, opposite[low]):
            target = opposite[source]
            if neighbour[source] >= 0:
                mpi("Irecv", layers[low], neighbour[source], from_side[source])
            if neighbour[target] >= 0:
                mpi("Send", layers[low], neighbour[target], from_side[source])
            if neighbour[source] >= 0:
                mpi("Wait")

    def rhs() -> None:
        both = [functools.partial(routine, "exchange_3", functools.partial(shift, low)) for low in ("north", "west")]
        routine("rhs", *both)

    def norm() -> None:
        routine("l2norm", lambda: mpi("Allreduce", 5))

    def plane(jacobian: str, solver: str, before: tuple[str, str], after: tuple[str, str]) -> None:
        routine(jacobian)
        routine(
            solver,
            lambda: routine("exchange_1", lambda: receive(*before)),
            lambda: routine("exchange_1", lambda: send(*after)),
        )

    rhs()
    norm()
    mpi("Barrier")
    for iteration in range(iterations):
        for _ in range(points - 2):
            plane("jacld", "blts", ("north", "west"), ("south", "east"))
        for _ in range(points - 2):
            plane("jacu", "buts", ("south", "east"), ("north", "west"))
        if iteration == iterations - 1:
            norm()
        rhs()
        if iteration == iterations - 1:
            norm()
        calls.append(("dump", 0, -1, -1))
    mpi("Allreduce", 1)
    return [("applu", 1, -1, -1), ("ssor", 1, -1, -1), *calls, ("ssor", -1, -1, -1), ("applu", -1, -1, -1)]


@pytest.mark.parametrize(
    ("points", "ranks", "iterations"), [(9, 1, 2), (13, 2, 2), (17, 8, 1), (19, 16, 2), (35, 32, 1), (162, 128, 1)]
)
def test_calls_their_order_and_sizes_are_npbs(
    launch: Launch, points: int, ranks: int, iterations: int, tmp_path: Path
) -> None:
    """Leaves out the set-up routines of a computed problem, whose order no source gives."""
    done = launch(ranks, f"--points={points}", f"--iterations={iterations}", "--largest_computed=0", calls=tmp_path)
    assert done.returncode == 0, done.stderr
    for rank in range(ranks):
        assert calls_of(tmp_path, rank) == expected_calls(points, ranks, rank, iterations), rank


def test_what_is_only_charged_sends_what_is_computed(launch: Launch, tmp_path: Path) -> None:
    for points, ranks in ((9, 2), (17, 8), (22, 16)):
        seen = []
        for largest in (0, points):
            folder = tmp_path / f"{points}-{largest}"
            folder.mkdir()
            launch(ranks, f"--points={points}", f"--largest_computed={largest}", "--iterations=2", calls=folder)
            setting_up = ("setbv", "erhs")
            seen.append([[c for c in calls_of(folder, r) if c[0] not in setting_up] for r in range(ranks)])
        assert seen[0] == seen[1]


def test_an_interior_rank_has_npbs_numbers_of_messages_and_timers(launch: Launch, tmp_path: Path) -> None:
    """Class C: 160 planes, on any grid that has an interior. There are 4 messages a plane and 4 of halos; timers are of
    kernels, exchanges, MPI, and 15 others.
    """
    counts = []
    for iterations in (1, 2):
        folder = tmp_path / str(iterations)
        folder.mkdir()
        launch(16, f"--iterations={iterations}", calls=folder)
        counts.append(Counter(name for name, start, _, _ in calls_of(folder, 4 + 1) if start >= 0))
    each = counts[1] - counts[0]
    assert each.pop("dump") == 1
    mpi = {name: number for name, number in each.items() if name.startswith("MPI_")}
    assert mpi["MPI_Send"] == mpi["MPI_Recv"] + mpi["MPI_Irecv"] == 644
    assert {name: each[name] for name in ("jacld", "blts", "jacu", "buts", "exchange_1")} == {
        **dict.fromkeys(("jacld", "blts", "jacu", "buts"), 160), "exchange_1": 640,
    }  # fmt: skip
    assert mpi["MPI_Recv"] + mpi["MPI_Send"] - 4 == 1280
    assert each.total() == 2575


def test_routines_may_be_left_alone(launch: Launch, tmp_path: Path) -> None:
    launch(2, "--problem=S", "--iterations=1", "--timers=false", calls=tmp_path)
    names = {name for name, *_ in calls_of(tmp_path, 0)}
    assert {name for name in names if not name.startswith("MPI_")} == {"dump"}


# What it charges ------------------------------------------------------------------------------------------------------


def missing(data: float, rule: str, kib: int, ways: int) -> float:
    """Share of the data that is no longer in the cache when a sweep returns to it."""
    if rule == "none":
        return 1.0
    cache = kib * 1024
    if rule == "lru":
        others = max(math.ceil(data / 4096) - 1, 0)
        colour = 4096 * ways / cache
        if colour >= 1:
            return 0.0 if (others + 1) * 4096 <= cache else 1.0
        stays = (math.comb(others, k) * colour**k * (1 - colour) ** (others - k) for k in range(min(ways, others + 1)))
        return 1 - math.fsum(stays)
    if data <= cache:
        return 0.0
    misses = 1.0
    for _ in range(1000):
        misses = 1 - math.exp(-misses * data / cache)
    return misses


@pytest.mark.worker
@pytest.mark.parametrize("rule", ["none", "lru", "random"])
@pytest.mark.parametrize(
    ("points", "kib", "ways"), [(33, 512, 8), (40, 512, 16), (24, 256, 4), (16, 64, 16), (20, 64, 1), (14, 64, 64)]
)
def test_every_inner_point_is_charged_its_operations_and_the_bytes_that_miss(
    simulate: Simulate, rule: str, points: int, kib: int, ways: int
) -> None:
    ideal = {"machine": {"messages": "smpi"}, "node": {"clock_drift_ppm": 0}, "monitor": "none"}
    parameters: dict[str, Any] = {"points": points, "iterations": 3, "flop_ns": 2, "byte_ns": 3, "largest_computed": 0}
    result, _ = simulate("lu", 4, parameters | {"cache": rule, "cache_kib": kib, "cache_ways": ways}, ideal)
    rhs, norm, iteration = (452, 1160), (10, 40), (1984.77, 1600)
    halves = {0: points - points // 2, 1: points // 2}
    for rank, of_rank in enumerate(result["ranks"]):
        nx, ny = halves[rank % 2], halves[rank // 2]
        misses = missing(120 * nx * ny * points, rule, kib, ways)
        of_point = [(flops * 2 + size * 3 * misses) * 1e-9 for flops, size in (rhs, norm, iteration)]
        inner = (nx - 1) * (ny - 1) * (points - 2)  # each has two sides of the boundary
        expected = inner * (of_point[0] + 3 * of_point[1] + 3 * of_point[2])
        assert of_rank["compute_s"] == pytest.approx(expected, rel=1e-8)


def test_operations_are_npbs_but_for_its_lower_terms() -> None:
    """NPB gives 1984.77 n^3 - 10923.3 n^2 + 27770.9 n - 144010 operations for an iteration; 2.039e12 for class C."""
    n = 162
    npb = 250 * (1984.77 * n**3 - 10923.3 * n**2 + 27770.9 * n - 144010)
    assert npb == pytest.approx(2.039e12, rel=1e-3)
    assert 250 * 1984.77 * (n - 2) ** 3 == pytest.approx(npb, rel=4e-3)


@pytest.mark.parametrize(
    ("ranks", "argument", "complaint"),
    [
        (3, "--problem=W", "lu: runs on a power of two of ranks, not on 3"),
        (16, "--problem=S", "--points=12: must be at least 16, four for each of 4 ranks in a row"),
        (8, "--points=15", "--points=15: must be at least 16, four for each of 4 ranks in a row"),
        (1, "--points=3", "--points=3: must be at least 4"),
        (1, "--problem=E", "--problem=E: must be string, one of S, W, A, B, C, D"),
        (1, "--cache_ways=0", "--cache_ways=0: must be from"),
    ],
)
def test_what_it_cannot_do_is_refused(launch: Launch, ranks: int, argument: str, complaint: str) -> None:
    result = launch(ranks, argument)
    assert result.returncode == 2
    assert complaint in result.stderr


def test_classes_have_npbs_sizes(launch: Launch) -> None:
    sizes = {"S": (12, 50), "W": (33, 300), "A": (64, 250), "B": (102, 250), "C": (162, 250), "D": (408, 300)}
    for problem, (points, iterations) in sizes.items():
        given = ["--largest_computed=0"] + ([] if problem in "SW" else ["--iterations=1"])
        told = launch(1, f"--problem={problem}", *given).stdout.splitlines()[0]
        assert told.startswith(f"lu: {points} points, {iterations if problem in 'SW' else 1} iterations: ")
