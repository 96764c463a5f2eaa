# SPDX-License-Identifier: BSD-3-Clause
"""Phases against the same method in NumPy, against conserved quantities, and against the standing wave in the body."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.workloads.conftest import Launch, Run, Simulate

Array = np.ndarray[Any, np.dtype[np.float64]]
LAMBDA, MU, MASS, HEAT_SHARE = 0.4, 0.3, 0.25, 0.1  # constants of phases.cpp
X, Y, VX, VY, SXX, SYY, SXY, TEMPERATURE = range(8)
SMALL: dict[str, Any] = {"columns": 12, "rows": 3, "represents": 1, "access": "none"}
IDEAL = {
    "monitor": "none",
    "machine": {"topology": "star"},
    "node": {"clock_drift_ppm": 0, "start_spread_us": 0, "tick_ms": 1e6},
}


def at_first(columns: int, rows: int, drift: float, wave: float) -> Array:
    number = np.arange(columns * rows * 4)
    cell, quarter = number // 4, number % 4
    x = cell // rows + 0.25 + 0.5 * (quarter // 2)
    phase = 2 * np.pi * x / columns
    body = np.zeros((len(number), 8))
    body[:, X], body[:, Y] = x, cell % rows + 0.25 + 0.5 * (quarter % 2)
    body[:, VX] = drift + wave * np.sin(phase)
    body[:, TEMPERATURE] = 300 + 10 * np.cos(phase)
    return body


def moved(columns: int, rows: int, steps: int, drift: float, wave: float, courant: float) -> Array:
    """All particles after `steps` steps, computed in NumPy, whose sums may have another order."""
    body = at_first(columns, rows, drift, wave)
    x, y, vx, vy, sxx, syy, sxy, heat = body.T.copy()
    step = courant / (1 + abs(drift) + abs(wave))
    for _ in range(steps):
        cells = np.floor(x).astype(int), np.floor(y).astype(int)
        fx, fy = x - cells[0], y - cells[1]
        corners = []
        for right in (0, 1):
            for up in (0, 1):
                wx, wy = (fx if right else 1 - fx), (fy if up else 1 - fy)
                node = (cells[0] + right) % columns * rows + (cells[1] + up) % rows
                corners.append((node, wx * wy, (2 * right - 1) * wy, wx * (2 * up - 1)))

        def on_grid(of: list[Array], corners: Any = corners) -> Array:
            total = np.zeros(columns * rows)
            for (node, *_), share in zip(corners, of, strict=True):
                np.add.at(total, node, share)
            return total

        def seen(field: Array, which: int = 1, corners: Any = corners) -> Array:
            return np.asarray(sum(corner[which] * field[corner[0]] for corner in corners))

        mass = on_grid([MASS * w for _, w, _, _ in corners])
        there = np.where(mass > 0, mass, 1)
        velocity = [on_grid([MASS * v * w for _, w, _, _ in corners]) / there for v in (vx, vy)]
        force_x = on_grid([-MASS * (sxx * dx + sxy * dy) for _, _, dx, dy in corners]) / there
        force_y = on_grid([-MASS * (sxy * dx + syy * dy) for _, _, dx, dy in corners]) / there
        vx, vy = vx + step * seen(force_x), vy + step * seen(force_y)
        velocity = [velocity[0] + step * force_x, velocity[1] + step * force_y]
        x, y = (x + step * seen(velocity[0])) % columns, (y + step * seen(velocity[1])) % rows
        xx, yy = seen(velocity[0], 2), seen(velocity[1], 3)
        xy = seen(velocity[0], 3) + seen(velocity[1], 2)
        warm = on_grid([MASS * heat * w for _, w, _, _ in corners]) / there
        heat = heat + HEAT_SHARE * (seen(warm) - heat)
        sxx = sxx + step * (LAMBDA * (xx + yy) + 2 * MU * xx)
        syy = syy + step * (LAMBDA * (xx + yy) + 2 * MU * yy)
        sxy = sxy + step * MU * xy
        step = courant / (1 + max(abs(vx).max(), abs(vy).max()))
    return np.stack([x, y, vx, vy, sxx, syy, sxy, heat], axis=1)


@pytest.mark.parametrize(("ranks", "rows", "drift"), [(1, 3, 0.05), (5, 3, -0.4), (12, 1, 0.9)])
def test_the_particles_are_those_of_the_method(answer: Run, ranks: int, rows: int, drift: float) -> None:
    """With a drift, particles pass from rank to rank around the grid, forwards and backwards."""
    own = SMALL | {"rows": rows, "drift": drift, "wave": 0.05, "courant": 0.4, "iterations": 25}
    expected = moved(12, rows, 25, drift, 0.05, 0.4)
    assert abs(np.floor(expected[:, X]) - np.floor(at_first(12, rows, drift, 0.05)[:, X])).max() >= (abs(drift) > 0.1)
    np.testing.assert_allclose(np.load(answer("phases", ranks, **own)), expected, rtol=1e-11, atol=1e-12)


def test_the_answer_is_the_same_to_the_bit_for_any_number_of_ranks(answer: Run) -> None:
    own = SMALL | {"iterations": 40, "drift": 0.3}
    one = np.load(answer("phases", 1, **own))
    for ranks in (2, 3, 7, 8):
        np.testing.assert_array_equal(np.load(answer("phases", ranks, **own)), one)


def test_mass_momentum_and_heat_are_conserved(answer: Run) -> None:
    """The mass is the number of particles, each of which must exist once: a step moves a particle by less than a cell."""
    own = SMALL | {"iterations": 60, "wave": 0.1, "drift": 0.05}
    first, last = at_first(12, 3, 0.05, 0.1), np.load(answer("phases", 4, **own))
    assert last.shape == first.shape
    for conserved in (VX, VY, TEMPERATURE):
        assert last[:, conserved].mean() == pytest.approx(first[:, conserved].mean(), rel=1e-12, abs=1e-14)
    assert abs(last[:, VX] - first[:, VX]).max() > 0.05  # the wave has gone on
    assert np.ptp(last[:, TEMPERATURE]) < 0.9 * np.ptp(first[:, TEMPERATURE])  # and the heat has spread


def test_the_wave_in_the_body_swings_at_the_speed_of_sound(answer: Run) -> None:
    """The speed of sound is 1, so that a standing wave of wavelength L passes through zero after a time of L / 4."""
    columns, courant, wave = 48, 0.2, 1e-4
    steps = 80
    body = np.load(
        answer("phases", 3, columns=columns, rows=1, represents=1, access="none", wave=wave, drift=0, courant=courant,
               iterations=steps)
    )  # fmt: skip
    time = steps * courant / (1 + wave)
    shape = np.sin(2 * np.pi * at_first(columns, 1, 0, wave)[:, X] / columns)
    amplitude = 2 * float((body[:, VX] * shape).mean()) / wave
    assert amplitude == pytest.approx(np.cos(2 * np.pi * time / columns), abs=0.03)
    assert amplitude < -0.4  # past the zero


def test_more_ranks_than_columns_are_refused(launch: Launch) -> None:
    result = launch("phases", 5, ["--columns=4", "--access=none"])
    assert result.returncode == 2
    assert "--columns=4: fewer than the 5 ranks" in result.stderr


@pytest.mark.worker
@pytest.mark.parametrize("ranks", [1, 6])
def test_all_ranks_together_charge_every_particle_that_is_stood_for(simulate: Simulate, ranks: int) -> None:
    """Each particle is charged in seven tasks on the grid and one of its own. Packing numbers for another rank costs
    both sides.
    """
    particles, represents, steps = 12 * 3 * 4, 50, 2
    costs = {"pack_ns": 0, "grid_ns": 1000, "material_ns": 10_000}
    own = SMALL | {"represents": represents, "iterations": steps, **costs}
    result, _ = simulate("phases", ranks, own, IDEAL)
    charged = particles * represents * steps * (7 * 1e-6 + 1e-5)
    assert sum(rank["compute_s"] for rank in result["ranks"]) == pytest.approx(charged, rel=1e-9)


@pytest.mark.worker
def test_messages_have_the_bytes_of_all_that_is_stood_for(simulate: Simulate) -> None:
    """Each particle whose cells belong to another rank sends 19 numbers of 8 B, in eight transfers. At rest, particles
    are dealt out in turn, so that half of them do so on two ranks. The rest does not grow with the number of
    represented particles.
    """
    times = {}
    for represents in (1, 10_001):
        own = SMALL | {"drift": 0, "wave": 0, "iterations": 1, "represents": represents}
        own |= {"pack_ns": 0, "grid_ns": 0, "material_ns": 0}
        quick = IDEAL | {"network": {"bandwidth_mb_per_s": 10}}
        times[represents] = simulate("phases", 2, own, quick)[0]["elapsed_s"]
    sent_by_a_rank = 12 * 3 * 4 / 4 * 19 * 8 * 10_000
    assert times[10_001] - times[1] == pytest.approx(sent_by_a_rank / 10e6, rel=0.02)


@pytest.mark.worker
@pytest.mark.parametrize("access", ["independent", "collective"])
def test_a_checkpoint_holds_the_particles_and_room_for_those_that_they_stand_for(
    simulate: Simulate, access: str
) -> None:
    ranks, represents, steps = 3, 4, 5
    own = SMALL | {"represents": represents, "iterations": steps, "checkpoint_every": 2, "write_bytes": 100}
    files = {"mpiio": {"file_system": "ideal", "keep": True}}
    result, answer = simulate("phases", ranks, own | {"access": access}, IDEAL | files)
    assert {file["name"] for file in result["mpiio"]["files"]} == {"phases.0.checkpoint", "phases.1.checkpoint"}
    for which, after in enumerate((2, 4)):
        _check_file(answer.parent / "files" / f"phases.{which}.checkpoint", ranks, represents, after)


def _check_file(path: Path, ranks: int, represents: int, steps: int) -> None:
    expected = moved(12, 3, steps, 0.05, 0.01, 0.3)
    # Data are stored before the stresses are computed: place, velocity and temperature are the step's final values.
    stored = expected[:, [X, Y, VX, VY, TEMPERATURE]].astype(np.float32)
    floats = np.fromfile(path, "<f4").reshape(-1, 5)
    assert len(floats) == represents * len(stored)
    begin = 0
    for rank in range(ranks):
        own = stored[rank::ranks]
        np.testing.assert_allclose(floats[begin : begin + len(own)], own, rtol=1e-6, atol=1e-7)
        assert not floats[begin + len(own) : begin + represents * len(own)].any()
        begin += represents * len(own)
