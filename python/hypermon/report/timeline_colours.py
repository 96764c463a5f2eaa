# SPDX-License-Identifier: BSD-3-Clause
"""Colours of states in a time line: only losses are red, and neighbours differ for every colour vision."""

from __future__ import annotations

import zlib
from collections.abc import Collection, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from hypermon._files.scratch import let_go, pieces

if TYPE_CHECKING:
    from numpy.typing import NDArray

LOSS = "#d7191c"
KNOWN = {"computing": "#b9c2cc", "program": "#e1e6eb", "idle": "#e8ebef", "waiting": "#59636e", "blocked": "#59636e"}
PALETTE = (
    *("#0072b2", "#e69f00", "#009e73", "#56b4e9", "#f0e442", "#561363", "#3619a4", "#8e6ffb"),
    *("#9afcaf", "#9f8dad", "#b2ed6d", "#21483c", "#483854", "#735c41", "#83c1a0", "#7d40c8"),
    *("#7d98f5", "#8a3d85", "#5e9352", "#f0c7f9", "#1b4b9b", "#728431", "#52f184", "#798abd"),
)
"""Five colours of Okabe and Ito, then in turn the colour (except red and pink) with the largest least difference."""
LEAST = 16.0
"""(chosen) Difference of neighbours that suffices. Differences of about 2 can just be seen on large areas."""

VISIONS = {
    "normal": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "tritanopia": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
}
"""Matrices for linear RGB, severity 1.0: Machado, Oliveira and Fernandes, "A Physiologically-based Model for Simulation
of Color Vision Deficiency", IEEE Transactions on Visualization and Computer Graphics 15(6), 2009."""
_XYZ = ((0.4124564, 0.3575761, 0.1804375), (0.2126729, 0.7151522, 0.0721750), (0.0193339, 0.1191920, 0.9503041))
_WHITE = (0.95047, 1.0, 1.08883)  # D65


@cache
def difference(a: str, b: str) -> float:
    """Returns the least difference of two colours (#rrggbb) over all visions: the distance in CIELAB (CIE 1976)."""
    return float(np.linalg.norm(_seen(a) - _seen(b), axis=-1).min())


@cache
def _seen(colour: str) -> NDArray[np.float64]:
    """Returns the colour in CIELAB as each vision sees it."""
    part = np.array([int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)])
    linear = np.where(part <= 0.04045, part / 12.92, ((part + 0.055) / 1.055) ** 2.4)
    shown = np.clip(np.array(list(VISIONS.values())) @ linear, 0, 1)
    x, y, z = (shown @ np.array(_XYZ).T / _WHITE).T
    f = [np.where(one > 216 / 24389, np.cbrt(one), (24389 / 27 * one + 16) / 116) for one in (x, y, z)]
    return np.stack([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])], axis=-1)


class Neighbours:
    """Collects the pairs of names whose states follow each other, or begin one within the other."""

    def __init__(self, names: Sequence[str]) -> None:
        self._names = names
        self.pairs: dict[str, set[str]] = {}

    def add(self, name: NDArray[Any], number: NDArray[np.int64]) -> None:
        """Adds a track. `name`: indices of its states' names in `number`, which has their places in all names."""
        found: set[int] = set()
        for part in pieces(len(name)):
            one = number[name[max(0, part.start - 1) : part.stop]]
            found.update(np.unique(one[:-1] * len(self._names) + one[1:]).tolist())
            let_go(name)
        for pair in found:
            a, b = (self._names[place] for place in divmod(pair, len(self._names)))
            if a != b:
                self.pairs.setdefault(a, set()).add(b)
                self.pairs.setdefault(b, set()).add(a)


def colours(
    names: Sequence[str], neighbours: dict[str, set[str]] | None = None, lost: Collection[str] = ()
) -> list[str]:
    """Returns a colour for each name, as #rrggbb.

    A colour follows from the name, unless another name has the colour already, or a neighbour has a similar one. If
    there are more names than colours, some share a colour, but no neighbours do if other colours are left.
    """
    chosen = dict.fromkeys(lost, LOSS) | {name: KNOWN[name] for name in names if name in KNOWN}
    times_used = dict.fromkeys(PALETTE, 0)
    for name in sorted(set(names) - set(chosen)):
        beside = [chosen[other] for other in sorted((neighbours or {}).get(name, ())) if other in chosen]
        first = zlib.crc32(name.encode()) % len(PALETTE)
        in_turn = [*PALETTE[first:], *PALETTE[:first]]

        def fitness(colour: str, beside: Sequence[str] = beside) -> tuple[float, int]:
            least = min((difference(colour, other) for other in beside), default=LEAST)
            return min(least, LEAST), -times_used[colour]

        free = [colour for colour in in_turn if not times_used[colour]]
        chosen[name] = max(free or in_turn, key=fitness)  # the first one of equals
        times_used[chosen[name]] += 1
    return [chosen[name] for name in names]
