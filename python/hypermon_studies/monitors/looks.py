# SPDX-License-Identifier: BSD-3-Clause
"""The colour and the mark of each monitor, which are the same in all pictures of `hypermon study monitors`."""

from __future__ import annotations

from typing import NamedTuple

COLOURS = (
    *("#7722ff", "#ff00aa", "#bb4400", "#9988ee", "#9911cc", "#3377ff", "#ff1166", "#bb9900"),
    *("#885533", "#666688", "#dd8899", "#338866", "#ff7755", "#aa11aa", "#22aacc"),
)
"""Colours for light and dark pages: the contrast with both is at least 2.6. They were searched for the largest least
difference of two colours over all colour visions (`timeline_colours.difference`). Their order gives similar colours
different marks."""
MARKS = (
    *(("o", "circle"), ("s", "square"), ("^", "triangle-up"), ("D", "diamond"), ("v", "triangle-down")),
    *(("P", "cross"), ("X", "x")),
)
"""Marks: their names in Matplotlib and in Plotly."""


class Look(NamedTuple):
    """A monitor's colour, and its mark in Matplotlib and in Plotly."""

    colour: str
    mark: str
    symbol: str


def look_of(number: int) -> Look:
    """Returns the look of the candidate with that number. Candidates beyond the colours share one, not the mark."""
    mark, symbol = MARKS[(number + number // len(COLOURS)) % len(MARKS)]
    return Look(COLOURS[number % len(COLOURS)], mark, symbol)
