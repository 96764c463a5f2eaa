# SPDX-License-Identifier: BSD-3-Clause
"""The nodes' states as an analyst sees them beside the true ones, with one panel per node."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from hypermon.errors import UserError
from hypermon.pictures.style import COLOURS, styled

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hypermon.judging import Curve, Judgement

MOST = 4
"""Number of nodes that are drawn by default: the best, the worst and some between."""
STEPS = 1000
"""(chosen) Steps in a panel; finer details are drawn as their mean."""
HATCH = "////"


def chosen(found: Judgement, nodes: Sequence[int] | None = None) -> list[int]:
    """Returns the nodes to draw, in order.

    Raises:
        UserError: A node does not exist.
    """
    count = len(found.nodes)
    if nodes is not None:
        for node in nodes:
            if not 0 <= node < count:
                raise UserError(f"node {node}: the run has nodes 0 to {count - 1}")
        return list(nodes)
    ranking = sorted(range(count), key=lambda n: found.nodes[n].error_percent)
    places = np.unique(np.linspace(0, count - 1, min(MOST, count)).round().astype(int))
    return sorted(ranking[place] for place in places.tolist())


@styled
def draw(found: Judgement, nodes: Sequence[int] | None = None) -> Any:
    """The Matplotlib figure: shares of the node's ranks that compute, truly and as seen, while one of them is in its
    measured section; holes hatched.
    """
    from hypermon.pictures.picture import Picture

    shown = chosen(found, nodes)
    figure = Picture(figsize=(7.0, 0.7 + 1.5 * len(shown)), layout="constrained")
    panels = figure.subplots(len(shown), 1, squeeze=False, sharex=True, sharey=True)[:, 0]
    edges = np.linspace(found.begin_ps, found.end_ps, STEPS + 1).round().astype(np.int64)
    for axes, node in zip(panels, shown, strict=True):
        truth = _percent(found.truth[node], edges, found.ranks[node])
        axes.stairs(truth, edges * 1e-12, fill=True, color="#cccccc", label="truth")
        seen = found.drawn[node]
        drawn = _percent(seen.curve, edges, found.ranks[node])
        drawn[np.diff(found.sections[node].at(edges)) == 0] = np.nan
        axes.stairs(drawn, edges * 1e-12, baseline=None, color=COLOURS[0], linewidth=0.9, label=found.source)
        for i, (begin, end) in enumerate(np.clip(seen.holes, found.begin_ps, found.end_ps).tolist()):
            label = "hole" if i == 0 else None
            axes.axvspan(
                begin * 1e-12,
                end * 1e-12,
                facecolor="none",
                edgecolor=COLOURS[1],
                hatch=HATCH,
                linewidth=0,
                label=label,
            )
        axes.set(ylabel=f"node {node}\nranks computing, %", ylim=(0, 105), xlim=(edges[0] * 1e-12, edges[-1] * 1e-12))
        axes.set_title(f"{found.nodes[node].error_percent:.3g} % wrong", loc="right", fontsize=8)
    panels[-1].set_xlabel("time, s")
    by_label = {
        label: handle for axes in panels for handle, label in zip(*axes.get_legend_handles_labels(), strict=True)
    }
    figure.legend(by_label.values(), by_label.keys(), loc="outside upper left", ncols=3, fontsize=8)
    return figure


def _percent(curve: Curve, edges: NDArray[np.int64], ranks: int) -> NDArray[np.float64]:
    grown = np.diff(curve.at(edges)) / np.maximum(np.diff(edges), 1)
    return np.asarray(100 * grown.clip(0, ranks) / ranks)
