# SPDX-License-Identifier: BSD-3-Clause
"""Nesting and lanes of a track's states, on which all charts and exports of it rely."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from hypermon.timelines.rows import placed
from hypermon.timelines.slices import edges, lanes
from hypermon.timelines.tracks import States, TimeLine

Row = tuple[int, int] | tuple[int, int, int, int]


def track(*rows: Row) -> States:
    """A track of rows (begin, end) or (begin, end, id, cause)."""
    full = [(*row, 0, 0)[:4] for row in sorted(rows, key=lambda row: row[0])]
    begin, end, own, cause = (np.array([row[i] for row in full], np.int64) for i in range(4))
    names = np.zeros(len(full), np.int32)
    return States(("t",), begin, end, ("x",), names, own.astype(np.uint64), cause.astype(np.uint64))


def places(*rows: Row) -> list[tuple[int, int]]:
    """Lane and depth of each state, by begin."""
    found = placed(track(*rows))
    return list(zip(found.lane.tolist(), found.depth.tolist(), strict=True))


def test_states_one_after_the_other_share_a_lane() -> None:
    assert places((0, 5), (5, 9), (9, 9), (9, 12)) == [(0, 0)] * 4


def test_a_state_within_another_one_that_nothing_else_caused_is_nested() -> None:
    assert places((0, 10), (2, 8), (3, 4), (5, 8), (9, 10)) == [(0, 0), (0, 1), (0, 2), (0, 2), (0, 1)]


def test_what_begins_together_is_nested_longest_first() -> None:
    assert places((0, 4), (0, 9), (0, 6)) == [(0, 2), (0, 0), (0, 1)]


def test_messages_during_a_call_are_nested_and_what_overlaps_one_is_beside() -> None:
    call, own, others, during = (0, 10, 7, 0), (1, 5, 8, 7), (6, 9, 9, 3), (7, 8, 10, 4)
    assert places(call, own, others, during) == [(0, 0), (0, 1), (0, 1), (1, 0)]


def test_what_is_no_operation_is_around_operations_and_within_them() -> None:
    program, received, blocked = (0, 10), (2, 8, 5, 99), (3, 4)
    assert places(program, received, blocked) == [(0, 0), (0, 1), (0, 2)]
    assert places((0, 10, 7, 1), (2, 8, 0, 99)) == [(0, 0), (1, 0)]  # a state of another operation


def test_operations_of_a_server_stand_beside_each_other_even_if_one_is_over_before_the_other() -> None:
    assert places((0, 10, 1, 100), (2, 4, 2, 200), (5, 6, 3, 300)) == [(0, 0), (1, 0), (1, 0)]
    assert places((0, 10, 1, 0), (2, 4, 2, 0)) == [(0, 0), (1, 0)]  # nothing records their causes


def test_a_lane_that_is_free_again_is_used_again_the_lowest_first() -> None:
    assert places((0, 4), (1, 6), (2, 8), (4, 9), (6, 10)) == [(0, 0), (1, 0), (2, 0), (0, 0), (1, 0)]


@pytest.mark.parametrize("related", [False, True])
def test_lanes_of_random_states_hold_what_nests_and_are_no_more_than_needed(related: bool) -> None:
    random = np.random.default_rng(3)
    for _ in range(60):
        n = int(random.integers(1, 40))
        begin = np.sort(random.integers(0, 60, n))
        rows: Sequence[Row] = [
            (int(b), int(b + random.integers(0, 15)), k + 1, 1000 + k if related else int(random.integers(0, n + 1)))
            for k, b in enumerate(begin)
        ]
        states = track(*rows)
        found = placed(states)
        for lane in range(found.lanes):
            mine = np.flatnonzero(found.lane == lane)
            for a in mine:
                around = [
                    b for b in mine
                    if found.depth[b] < found.depth[a]
                    and states.begin_ps[b] <= states.begin_ps[a] and states.end_ps[a] <= states.end_ps[b]
                ]  # fmt: skip
                assert len({int(found.depth[b]) for b in around}) == found.depth[a]
                same = [b for b in mine if b != a and found.depth[b] == found.depth[a]]
                assert all(
                    states.end_ps[a] <= states.begin_ps[b] or states.end_ps[b] <= states.begin_ps[a] for b in same
                )
        if related:  # none is nested: as many lanes as are open at once
            open_ = [int(((states.begin_ps <= t) & (states.end_ps > t)).sum()) for t in states.begin_ps]
            instants = int((states.begin_ps == states.end_ps).any())
            assert max(open_) <= found.lanes <= max(open_) + instants * n
            assert not found.depth.any()


def test_edges_of_a_lane_are_properly_nested_and_none_is_left_out() -> None:
    states = track((0, 10), (2, 8), (3, 3), (4, 12), (8, 9))
    for lane in lanes(TimeLine((states,), (), 0, 12)):
        open_: list[int] = []
        closed = []
        last = 0
        for ps, begun in edges(lane):
            assert ps >= last
            last = ps
            if begun is not None:
                assert states.begin_ps[begun.state] == ps
                open_.append(begun.state)
            else:
                closed.append(open_.pop())
                assert states.end_ps[closed[-1]] == ps
        assert not open_
        assert sorted(closed) == np.flatnonzero(lane.rows.lane == lane.number).tolist()


def test_tracks_of_one_path_are_told_apart() -> None:
    one = track((0, 4), (1, 6))
    found = [lane.path for lane in lanes(TimeLine((one, one), (), 0, 6))]
    assert found == [("t", "t, 1 of 2"), ("t", "t, 2 of 2"), ("t (2)", "t (2), 1 of 2"), ("t (2)", "t (2), 2 of 2")]
