# SPDX-License-Identifier: BSD-3-Clause
"""Time lines that are too long for a page: short states are drawn together, and nothing else changes."""

from __future__ import annotations

import re
from collections import Counter, defaultdict

import numpy as np
import pytest

from hypermon.report import timeline_page
from hypermon.timelines import States, TimeLine, thinning
from hypermon.timelines.thinning import thinned
from tests.python.pvfs_like import made
from tests.python.test_timeline_in_pieces import any_line, cut_anyhow

Row = tuple[object, ...]


def expected(states: States, step_ps: int, at_once: int) -> Counter[Row]:
    """Computed state by state: the kept states, and for the others how many are drawn together, from when to when, by
    which name.
    """
    n = len(states.begin_ps)
    begin, end, name = states.begin_ps.tolist(), states.end_ps.tolist(), states.name.tolist()
    kept = [i for i in range(n) if end[i] - begin[i] >= step_ps]
    groups: defaultdict[Row, list[int]] = defaultdict(list)
    for i in set(range(n)).difference(kept):
        known = [k for k in kept if k < (i // at_once + 1) * at_once]
        begun = sum(begin[k] <= begin[i] for k in known)
        ended = sum(end[k] <= begin[i] for k in known)
        groups[(i // at_once, begin[i] // step_ps, begun, ended)].append(i)
    rows: Counter[Row] = Counter()
    for some in [*([i] for i in kept), *groups.values()]:
        if len(some) == 1:
            (i,) = some
            details = tuple((key, str(column[i])) for key, column in sorted(states.details.items()))
            rows[(begin[i], end[i], states.names[name[i]], int(states.id[i]), int(states.cause[i]), 1, details)] += 1
            continue
        time: Counter[int] = Counter()
        for i in some:
            time[name[i]] += end[i] - begin[i]
        number = Counter(name[i] for i in some)
        best = min(time, key=lambda one: (-time[one], -number[one], one))
        whole = (min(begin[i] for i in some), max(end[i] for i in some))
        rows[(*whole, states.names[best], 0, 0, len(some), None)] += 1
    return rows


def found(states: States) -> Counter[Row]:
    rows: Counter[Row] = Counter()
    together = states.details.get(thinning.STATES)
    for i in range(len(states.begin_ps)):
        size = 1 if together is None or together[i] < 0 else int(together[i])
        own = ((key, column) for key, column in sorted(states.details.items()) if key != thinning.STATES)
        details = tuple((key, str(column[i])) for key, column in own) if size == 1 else None
        of = (states.begin_ps[i], states.end_ps[i], states.names[states.name[i]], states.id[i], states.cause[i])
        rows[(int(of[0]), int(of[1]), of[2], int(of[3]), int(of[4]), size, details)] += 1
    return rows


def test_neighbours_that_are_short_are_one_and_all_others_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    random = np.random.default_rng(31)
    several = 0
    for case in range(120):
        lines = {f"run {k}": any_line(random) for k in range(int(random.integers(1, 3)))}
        most = int(random.choice([1, 5, 20, 60]))
        at_once = int(random.choice([1, 4, 25, 1 << 16]))
        cut_anyhow(random, monkeypatch)
        monkeypatch.setattr(thinning, "AT_ONCE", at_once)
        shown = thinned(lines, most)
        n = sum(len(one.begin_ps) for line in lines.values() for one in line.states)
        if n <= most:
            assert shown.step_ps is None
            assert shown.lines is lines
            continue
        assert shown.step_ps is not None
        left = 0
        for name, line in lines.items():
            assert (shown.lines[name].begin_ps, shown.lines[name].end_ps) == (line.begin_ps, line.end_ps)
            assert shown.lines[name].statistics == line.statistics
            for one, other in zip(line.states, shown.lines[name].states, strict=True):
                assert found(other) == expected(one, shown.step_ps, at_once), case
                assert (np.diff(other.begin_ps) >= 0).all()
                left += len(other.begin_ps)
        longest = max(line.end_ps - line.begin_ps for line in lines.values())
        assert left <= most or shown.step_ps > longest
        several += left < n
        shorter = {1: 5, 2: 1, 5: 2}[int(str(shown.step_ps)[0])] * 10 ** (len(str(shown.step_ps)) - 1)
        shorter //= 10 if str(shown.step_ps)[0] == "1" else 1
        if shorter >= max(1, longest // most):
            tracks = [one for line in lines.values() for one in line.states]
            # this is the shortest step
            assert sum(sum(expected(one, shorter, at_once).values()) for one in tracks) > most
    assert several > 40


def test_a_page_says_what_is_drawn_together_and_has_no_more_states(monkeypatch: pytest.MonkeyPatch) -> None:
    line = made(2000)
    whole = timeline_page.html({"": line}, "t")
    assert "drawn" not in timeline_page.about({"": line})
    monkeypatch.setattr(timeline_page, "MOST_STATES", 500)
    page = timeline_page.html({"": line}, "t")
    assert len(page) < len(whole)
    assert re.search(r'id="thinned">[^<]* states are drawn: neighbours shorter than [^<]*<', page)
    assert 'id="thinned"' not in whole
    assert timeline_page.about({"": line}) in page  # the total number of its states


def test_a_line_without_states_is_as_it_was() -> None:
    empty = TimeLine((), (), 0, 10)
    assert thinned({"": empty}, 1).lines[""] is empty
