# SPDX-License-Identifier: BSD-3-Clause
"""Colours of states can be told apart with every colour vision, above all those of neighbours; red is for losses only."""

from __future__ import annotations

import colorsys
import itertools

import numpy as np

from hypermon.report.timeline_colours import KNOWN, LOSS, PALETTE, VISIONS, Neighbours, colours, difference

JUST_SEEN = 2.3  # smallest difference in CIELAB that an observer sees


def is_red(colour: str) -> bool:
    hue, _, saturation = colorsys.rgb_to_hls(*(int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)))
    return saturation > 0.2 and (hue < 20 / 360 or hue > 340 / 360)


def test_all_colours_differ_for_every_colour_vision() -> None:
    assert set(VISIONS) == {"normal", "protanopia", "deuteranopia", "tritanopia"}
    for matrix in VISIONS.values():
        assert np.sum(matrix, axis=1).round(5).tolist() == [1, 1, 1]  # white stays white
    assert difference("#ff6b6b", "#009e73") < 5 < 80 < np.hypot(60, 60)  # to some people, red and green look the same
    for a, b in itertools.combinations(PALETTE, 2):
        assert difference(a, b) > 5 * JUST_SEEN, (a, b)
    for other in (*PALETTE, *KNOWN.values()):
        assert difference(LOSS, other) > 5 * JUST_SEEN, other


def test_losses_are_red_and_nothing_else_is() -> None:
    assert is_red(LOSS)
    assert not [one for one in (*PALETTE, *KNOWN.values()) if is_red(one)]
    names = ["blocked", "computing", "frame_fifo: overrun", "send"]
    assert [is_red(one) for one in colours(names, lost={"frame_fifo: overrun"})] == [False, False, True, False]


def test_neighbours_have_colours_that_differ_for_every_colour_vision() -> None:
    random = np.random.default_rng(5)
    names = [f"name {number}" for number in range(60)]  # more names than there are colours
    neighbours = Neighbours(names)
    for _ in range(20):  # tracks with a few names each
        own = random.choice(60, 6, replace=False)
        neighbours.add(random.integers(0, 6, 200), own)
    shown = dict(zip(names, colours(names, neighbours.pairs), strict=True))
    pairs = [(a, b) for a, beside in neighbours.pairs.items() for b in beside]
    assert len(pairs) > 400
    assert min(difference(shown[a], shown[b]) for a, b in pairs) > 5 * JUST_SEEN
    alone = dict(zip(names, colours(names), strict=True))
    # chosen by names alone, neighbours would have the same colour
    assert min(difference(alone[a], alone[b]) for a, b in pairs) < 1


def test_names_follow_each_other_in_a_track() -> None:
    neighbours = Neighbours(["a", "b", "c", "d"])
    neighbours.add(np.array([0, 0, 1, 1, 0]), np.array([2, 0]))
    assert neighbours.pairs == {"a": {"c"}, "c": {"a"}}
