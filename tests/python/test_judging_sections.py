# SPDX-License-Identifier: BSD-3-Clause
"""Each node is compared by the activity of its ranks within their own measured sections.

HYPERMON_TEST_CASES   number of random cases instead of CI's
"""

from __future__ import annotations

import os
import random
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from hypermon._model.result import Result
from hypermon.errors import UserError
from hypermon.judging import Judgement, NodePicture, Picture
from hypermon.judging.curves import curve_from_slopes
from hypermon.judging.judgement import of_picture
from tests.python import naive_judging as naive
from tests.python.made_activity import MadeRank, made

CASES = int(os.environ.get("HYPERMON_TEST_CASES", "3000")) // 10
END = 40


def judged(
    folder: Path, nodes: int, ranks: list[MadeRank], seen: list[NodePicture | None], hindsight: bool
) -> Judgement:
    (folder / "result.json").write_text('{"spec": {"monitor": "none"}}')
    activity = made(folder, nodes, ranks, END)
    return of_picture(Result(folder), activity, Picture("made", seen, in_hindsight=hindsight))


def test_each_rank_is_compared_within_its_own_section(tmp_path: Path) -> None:
    """The view that all ranks always compute: for node 0, 50 of 100 ps are wrong; for node 1, none of 10, whatever
    follows them; for node 2 with two ranks of 100 and 20 ps, 10. Node 3 has no rank, and node 4's rank has no section.
    """
    ranks = [
        MadeRank(0, 0, 100, [(0, 50)]),
        MadeRank(1, 0, 10, [(0, 30)]),
        MadeRank(2, 0, 100, [(0, 100)]),
        MadeRank(2, 20, 40, [(10, 30)]),
        MadeRank(4, 60, 60, [(50, 90)]),
    ]
    always: list[NodePicture | None] = [
        NodePicture(curve_from_slopes([0, 200], [of]), np.array([[5, 30]])) for of in (1, 1, 2, 0, 1)
    ]
    found = judged(tmp_path, 5, ranks, always, hindsight=False)
    node_time = 100 + 10 + (100 + 20) / 2
    assert found.error_percent == pytest.approx(100 * (50 + 0 + 10 / 2) / node_time)
    assert found.computing_percent == pytest.approx(100 * (50 + 10 + (100 + 10) / 2) / node_time)
    assert found.hole_percent == pytest.approx(100 * (25 + 5 + (25 + 10) / 2) / node_time)
    assert [node.section_s for node in found.nodes] == pytest.approx([1e-10, 1e-11, 6e-11, 0, 0])
    assert [node.error_percent for node in found.nodes] == pytest.approx([50, 0, 100 * 10 / 120, 0, 0])
    assert [node.seen_percent for node in found.nodes] == pytest.approx([100, 100, 100, 0, 0])
    assert (found.begin_ps, found.end_ps) == (0, 100)


def test_on_a_grid_a_resolution_is_a_multiple_of_its_step(tmp_path: Path) -> None:
    """On a grid, the computed time is known only at multiples of the step."""
    (tmp_path / "result.json").write_text('{"spec": {"monitor": "none"}}')
    activity = made(tmp_path, 1, [MadeRank(0, 0, 120, [(0, 10), (30, 40)])], 120, step_ps=10)
    picture = Picture("made", [NodePicture(curve_from_slopes([0, 40], [0.5]))], in_hindsight=False)
    for resolution, step, wrong in ((0, 10, 4 * 5), (7, 10, 4 * 5), (11, 20, 0), (25, 30, 5 + 5)):
        found = of_picture(Result(tmp_path), activity, picture, resolution)
        assert found.resolution_s == pytest.approx(step * 1e-12)
        assert found.error_percent == pytest.approx(100 * wrong / 120)


def test_where_no_rank_has_a_section_there_is_nothing_to_compare(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="no program ran"):
        judged(tmp_path, 1, [MadeRank(0, 5, 5, [(0, 9)])], [None], hindsight=False)


@pytest.mark.parametrize("hindsight", [False, True], ids=["states", "means"])
def test_judgements_are_those_of_stepping_through_time(tmp_path: Path, hindsight: bool) -> None:
    for seed in range(CASES):
        rng = random.Random(f"{seed}/{hindsight}")
        ranks = [_rank(rng, node) for node in range(3) for _ in range(rng.choice((0, 1, 1, 2, 3)))]
        if all(rank.begin_ps == rank.end_ps for rank in ranks):
            continue
        counts = [max(1, sum(rank.node == node for rank in ranks)) for node in range(3)]
        shown = [naive.drawn(rng, of, END, of + (2 if hindsight else 0)) for of in counts]
        curves = [naive.curve(shares, rng) for shares in shown]
        found = judged(tmp_path, 3, ranks, [NodePicture(curve) for curve in curves], hindsight)
        expected = _naive(ranks, counts, shown, hindsight)
        assert found.error_percent == pytest.approx(float(expected[0]), rel=1e-9, abs=1e-9), seed
        assert found.computing_percent == pytest.approx(float(expected[1]), rel=1e-9, abs=1e-9), seed
        assert (found.error_s is None) == (expected[2] is None), seed
        if expected[2] is not None:
            assert found.error_s == pytest.approx(float(expected[2]) * 1e-12, rel=1e-9, abs=1e-24), seed


def _rank(rng: random.Random, node: int) -> MadeRank:
    begin = rng.randrange(END)
    computes = naive.drawn(rng, 1, END, 1)
    pieces = [(t, t + 1) for t, share in sorted(computes.items()) if share and t >= 0]
    return MadeRank(node, begin, rng.randrange(begin, END + 1), pieces)


def _naive(
    ranks: list[MadeRank], counts: list[int], shown: list[naive.Shares], hindsight: bool
) -> tuple[Fraction, Fraction, Fraction | None]:
    """Percent wrong, percent computing, and how far a ps of computing is off, ps."""
    wrong = computing = apart = whole = Fraction(0)
    for node, count in enumerate(counts):
        own = [rank for rank in ranks if rank.node == node and rank.begin_ps < rank.end_ps]
        section, true = naive.sections(own), naive.computed(own)
        if not own:
            continue
        begin, end = min(section), max(section) + 1
        held = shown[node] if hindsight else {t: min(s, section.get(t, 0)) for t, s in shown[node].items()}
        wrong += Fraction(naive.shares_apart(true, held, section, begin, end), count)
        apart += naive.levels_apart(true, held, begin, end) / count
        computing += Fraction(sum(true.values()), count)
        whole += Fraction(sum(section.values()), count)
    return 100 * wrong / whole, 100 * computing / whole, apart / computing if computing else None
