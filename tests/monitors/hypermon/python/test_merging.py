# SPDX-License-Identifier: BSD-3-Clause
"""The study of merging: the paper's break-even point, from the counts of both boards."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from pathlib import Path

import pytest

from hypermon._files import results
from hypermon_studies import merging
from hypermon_studies.merging import Point
from tests.conftest import Hypermon

DOCS = Path(__file__).parents[4] / "docs"
EVERY_WINDOW, _, _, PROTOTYPE, _, IN_STEP = merging.LEVELS


@pytest.fixture(scope="module")
def points() -> Sequence[Point]:
    return merging.measure(duration_us=20_000)


def at(points: Sequence[Point], level: merging.Level) -> list[Point]:
    return [p for p in points if p.level == level]


def test_where_every_node_has_a_datum_in_every_window_four_nodes_pay(points: Sequence[Point]) -> None:
    assert 3 * 40 < 128 < 4 * 40  # the paper's argument
    for level in (EVERY_WINDOW, IN_STEP):
        assert merging.pays_from(points, level, lambda p: p.packed) == 4
        # Two data and two words of 32 bits in each frame are equally many bits.
        assert merging.pays_from(points, level, lambda p: p.words) == 3


def test_nodes_in_step_share_every_frame_at_any_rate(points: Sequence[Point]) -> None:
    for p in at(points, IN_STEP):
        assert p.data_per_frame == pytest.approx(p.active)


def test_nodes_with_random_phases_share_frames_as_chance_has_it(points: Sequence[Point]) -> None:
    for p in points:
        if not p.level.in_step:
            # Each of `active` nodes leaves a window without a datum with probability 1 - activity.
            occupied = 1 - (1 - p.activity) ** p.active
            assert p.data_per_frame == pytest.approx(p.active * p.activity / occupied, rel=0.03)


def test_at_the_rate_of_the_prototypes_nodes_merging_pays_for_no_number_of_nodes(points: Sequence[Point]) -> None:
    assert merging.pays_from(points, PROTOTYPE, lambda p: p.packed) is None
    assert max(p.data_per_frame for p in at(points, PROTOTYPE)) < 128 / 40


def test_a_funnel_moves_the_same_bits_for_each_datum(points: Sequence[Point]) -> None:
    for p in points:
        assert p.packed.bits_per_datum == 4 + 4 + 32
        assert p.words.bits_per_datum == 2 * 32
        assert p.words.bus_share == pytest.approx(p.packed.bus_share * 64 / 40)


def test_only_who_wants_more_than_the_bus_has_loses_data(points: Sequence[Point]) -> None:
    lossy = 0
    for p in points:
        for board in (p.frames, p.packed, p.words):
            assert board.lost == 0 or board.bus_share > 1
            lossy += board.lost > 0
            if board.bus_share > 1.5:  # the FIFO is full long before the end
                assert 0 < board.lost < 1 - 1 / board.bus_share + 1e-3
    assert lossy > 0


def test_the_least_activity_breaks_even_by_the_formula() -> None:
    assert [n for n in merging.ACTIVE if merging.least_activity(n) is None] == [1, 2, 3]
    for active in range(4, 17):
        activity = merging.least_activity(active)
        assert activity is not None
        assert merging.expected_data_per_frame(active, activity) == pytest.approx(128 / 40)


def test_the_command_writes_the_page_and_data_of_docs(
    hypermon: Hypermon, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = hypermon("study", "merging", "--out", "studies")
    assert done.returncode == 0, done.stderr
    files = sorted(path for path in Path("studies").rglob("*") if path.is_file() and path.name != results.LIST)
    assert [f.name for f in files] == ["cells.csv", "merging.csv", "merging.svg", "merging.md"]
    assert [f.name for f in files if f.read_bytes() != (DOCS / f).read_bytes()] == []
    rows = list(csv.DictReader(Path("studies/merging/merging.csv").read_text().splitlines()))
    assert len(rows) == len(merging.TRAFFIC)
    assert "from 4 active nodes on" in done.stdout
    page = Path("studies/merging.md").read_text()
    for level in merging.LEVELS:
        assert f"| {level.name} |" in page
