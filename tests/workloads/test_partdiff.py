# SPDX-License-Identifier: BSD-3-Clause
"""Partdiff against relaxation in NumPy, and against the solution of the discrete equation."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.workloads.conftest import Launch, Run, Simulate

Array = np.ndarray[Any, np.dtype[np.float64]]
METHODS = ("jacobi", "gauss_seidel")
SOURCES = ("zero", "sine")


def mesh(lines: int) -> tuple[Array, Array]:
    """x and y of the points."""
    x, y = np.meshgrid(*(np.linspace(0, 1, lines),) * 2)
    return x, y


def beginning(source: str, lines: int) -> Array:
    x, y = mesh(lines)
    u = 1 - x - y + 2 * x * y if source == "zero" else 0 * x
    u[1:-1, 1:-1] = 0
    return u


def relaxed(method: str, source: str, lines: int, sweeps: int) -> tuple[Array, float]:
    """The matrix after a number of sweeps, and the largest change of the last sweep."""
    u = beginning(source, lines)
    x, y = mesh(lines)
    quarter = 0.25 * (lines - 1.0) ** -2
    right = quarter * 2 * np.pi**2 * np.sin(np.pi * x) * np.sin(np.pi * y) if source == "sine" else 0 * x
    change = 0.0
    for _ in range(sweeps):
        old = u.copy()
        from_ = old if method == "jacobi" else u
        for r in range(1, lines - 1):
            for c in range(1, lines - 1):
                around = from_[r - 1, c] + from_[r, c - 1] + from_[r, c + 1] + from_[r + 1, c]
                u[r, c] = 0.25 * around + right[r, c]
        change = float(abs(u - old).max())
    return u, change


@pytest.mark.parametrize(
    ("method", "source", "interlines", "ranks"),  # 7 and 15 inner rows; rows of 72 and 136 B: short and long messages
    [
        ("jacobi", "zero", 0, 7),
        ("jacobi", "sine", 1, 4),
        ("gauss_seidel", "zero", 1, 4),
        ("gauss_seidel", "sine", 0, 7),
    ],
)
def test_the_matrix_is_that_of_the_method_after_as_many_sweeps(
    answer: Run, method: str, source: str, interlines: int, ranks: int
) -> None:
    parameters = {"interlines": interlines, "method": method, "source": source, "access": "none", "iterations": 6}
    expected, _ = relaxed(method, source, 8 * interlines + 9, 6)
    np.testing.assert_allclose(np.load(answer("partdiff", ranks, **parameters)), expected, rtol=1e-13, atol=1e-15)


@pytest.mark.parametrize("source", SOURCES)
def test_the_matrix_converges_to_what_solves_the_equation(answer: Run, source: str) -> None:
    """1 - x - y + 2 x y also solves the discrete equation; for sin sin a multiple does, as it is an eigenfunction."""
    lines = 17
    x, y = mesh(lines)
    h = np.pi / (lines - 1)
    larger = h * h / (2 - 2 * np.cos(h))
    solution = 1 - x - y + 2 * x * y if source == "zero" else larger * np.sin(np.pi * x) * np.sin(np.pi * y)
    parameters = {"interlines": 1, "method": "gauss_seidel", "source": source, "access": "none", "iterations": 500}
    np.testing.assert_allclose(np.load(answer("partdiff", 3, **parameters)), solution, atol=1e-7)


@pytest.mark.parametrize("method", METHODS)
def test_the_residuum_is_the_largest_change_on_any_rank(launch: Launch, method: str) -> None:
    arguments = ["--interlines=0", f"--method={method}", "--access=none", "--iterations=5", "--residuum_every=5"]
    result = launch("partdiff", 3, arguments)
    assert result.stdout == f"partdiff: residuum {relaxed(method, 'sine', 9, 5)[1]:.6g}\n"


def test_a_matrix_that_is_not_computed_has_no_answer(launch: Launch, tmp_path: Path) -> None:
    output = tmp_path / "answer"
    result = launch("partdiff", 2, ["--interlines=1", "--largest_computed=16", "--access=none", f"--output={output}"])
    assert (result.returncode, result.stdout) == (0, "partdiff: not computed, only charged\n")
    assert not output.exists()


@pytest.mark.parametrize(
    ("ranks", "argument", "complaint"),
    [
        (8, "--interlines=0", "--interlines=0: 7 inner rows, fewer than the 8 ranks"),
        (2, "--hints=cb_nodes", "--hints=cb_nodes: must be words NAME=VALUE"),
        (2, "--hints==2", "--hints==2: must be words NAME=VALUE"),
        (2, "--method=sor", "--method=sor: must be string, one of gauss_seidel, jacobi"),
        (1, "--interlines=-1", "--interlines=-1: must be from"),
    ],
)
def test_what_it_cannot_do_is_refused(launch: Launch, ranks: int, argument: str, complaint: str) -> None:
    result = launch("partdiff", ranks, ["--access=none", argument])
    assert result.returncode == 2
    assert complaint in result.stderr


IDEAL = {"monitor": "none", "machine": {"topology": "star"}, "node": {"clock_drift_ppm": 0, "start_spread_us": 0}}


@pytest.mark.worker
@pytest.mark.parametrize(("method", "ranks"), [("jacobi", 1), ("jacobi", 5), ("gauss_seidel", 5)])
def test_all_ranks_together_charge_every_inner_point_of_every_sweep(
    simulate: Simulate, method: str, ranks: int
) -> None:
    parameters: dict[str, Any] = {"interlines": 2, "method": method, "access": "none", "iterations": 3}
    result, _ = simulate("partdiff", ranks, parameters | {"point_ns": 1000}, IDEAL)
    assert sum(rank["compute_s"] for rank in result["ranks"]) == pytest.approx(3 * 23 * 23 * 1e-6, rel=1e-9)


@pytest.mark.worker
@pytest.mark.parametrize("method", METHODS)
def test_charging_alone_takes_the_time_of_computing(simulate: Simulate, method: str) -> None:
    parameters: dict[str, Any] = {"interlines": 2, "method": method, "access": "none", "residuum_every": 4}
    computed, _ = simulate("partdiff", 4, parameters, IDEAL)
    charged, _ = simulate("partdiff", 4, parameters | {"largest_computed": 24}, IDEAL)
    assert computed["elapsed_s"] == charged["elapsed_s"]


@pytest.mark.worker
@pytest.mark.parametrize("access", ["independent", "collective"])
@pytest.mark.parametrize(("method", "ranks"), [("jacobi", 1), ("gauss_seidel", 4)])
def test_checkpoints_and_diagonals_are_those_of_the_matrix(
    simulate: Simulate, access: str, method: str, ranks: int
) -> None:
    lines, sweeps = 17, 7
    own: dict[str, Any] = {"interlines": 1, "method": method, "access": access, "iterations": sweeps}
    files = {"mpiio": {"file_system": "ideal", "keep": True}}
    result, answer = simulate("partdiff", ranks, own | {"checkpoint_every": 3, "diagonal_every": 2}, IDEAL | files)
    kept = answer.parent / "files"
    for number, after in enumerate((3, 6)):
        matrix = np.fromfile(kept / f"partdiff.{number}.checkpoint").reshape(lines, lines)
        np.testing.assert_allclose(matrix, relaxed(method, "sine", lines, after)[0], rtol=1e-13, atol=1e-15)
    progress = (kept / "partdiff.progress").read_bytes()
    assert np.frombuffer(progress[:8], "<i4").tolist() == [lines, 2]
    assert np.frombuffer(progress[8:40], "<i8").tolist() == [1, METHODS[::-1].index(method), 1, sweeps]
    records = np.frombuffer(progress[40:], [("sweep", "<i4"), ("diagonal", "<f8", lines)])
    assert records["sweep"].tolist() == [2, 4, 6]
    for sweep, diagonal in records:
        expected = relaxed(method, "sine", lines, int(sweep))[0].diagonal()
        np.testing.assert_allclose(diagonal, expected, rtol=1e-13, atol=1e-15)
    writes = result["mpiio"]["functions"]
    collective = "MPI_File_write_at_all" if access == "collective" else "MPI_File_write_at"
    assert writes[collective]["calls"] >= ranks * (3 + 2)
