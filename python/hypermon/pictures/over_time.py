# SPDX-License-Identifier: BSD-3-Clause
"""Counters over time, from a run's samples: a panel for each counter, a line for each node; two runs on top of each
other.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from hypermon._model import argument_checks, series
from hypermon._model.result import Result
from hypermon._model.series import Series
from hypermon.pictures.runs import names_of
from hypermon.pictures.style import COLOURS, styled

if TYPE_CHECKING:
    import pandas as pd

COLUMNS = ("run", "counter", "node", "time_s", "value", "unit")
# number of lines that a legend can distinguish; more lines are drawn in one style, from the first node to the last
MOST_NAMED = len(COLOURS)
LARGE = 1e4  # values from here on are written as 10k, 2M
ALL = "all nodes together"


def counters(
    results: Sequence[Result],
    names: Sequence[str] = (),
    *,
    nodes: Sequence[int] | None = None,
    clock: str | None = None,
    together: bool = False,
) -> Any:
    """Draws counters over time. A growing counter is shown as its growth per second, a time as its share of the time.

    Args:
        results: Runs with samples. The lines of the second and further ones are dashed.
        names: Counters (`hypermon counters`) or `counter:item`. By default all that were sampled.
        nodes: Numbers of the nodes. By default all that were sampled.
        clock: "stamped" (the monitor's timestamps), "global" (the monitor's own clock, if it has one) or "true". By
            default the best one of the monitor.
        together: Whether to draw the sum over the nodes.

    Returns:
        A Matplotlib figure.

    Raises:
        UserError: A run has no samples, or none of that counter, item or node.

    Example:
        >>> figure = hypermon.pictures.counters([hypermon.run("hpvm/monitor", monitor="hpvm")], ["cpu.user"])
    """
    return draw(find_series(results, names, nodes=nodes, clock=clock, together=together))


def find_series(
    results: Sequence[Result],
    names: Sequence[str] = (),
    *,
    nodes: Sequence[int] | None = None,
    clock: str | None = None,
    together: bool = False,
) -> list[tuple[str, list[Series]]]:
    """Returns the numbers of the chart: the name and the series of each run."""
    chosen = argument_checks.texts("names", names) or list(series.kinds(results[0]))
    of = [series.of_run(result, chosen, nodes=nodes, clock=clock, together=together) for result in results]
    return list(zip(_names(results), of, strict=True))


def table(runs: Iterable[tuple[str, Iterable[Series]]]) -> pd.DataFrame:
    """Rows of the figure's numbers: run, node (empty: the sum over all nodes), counter, time in s and value."""
    import pandas as pd

    rows = [
        (run, one.counter, "" if one.node is None else one.node, time, value, one.unit)
        for run, of in runs
        for one in of
        for time, value in zip(one.time_s.tolist(), one.value.tolist(), strict=True)
    ]
    return pd.DataFrame(rows, columns=list(COLUMNS))


@styled
def draw(runs: Sequence[tuple[str, Sequence[Series]]]) -> Any:
    """Returns the figure of the numbers that `found` returns."""
    from matplotlib.ticker import EngFormatter

    from hypermon.pictures.picture import Picture

    shown = list(dict.fromkeys(one.counter for one in runs[0][1]))
    figure = Picture(figsize=(7.0, 0.6 + 2.1 * len(shown)), layout="constrained")
    panels = figure.subplots(len(shown), 1, squeeze=False, sharex=True)[:, 0]
    several = len(runs) > 1
    for axes, counter in zip(panels, shown, strict=True):
        for i, (run, of) in enumerate(runs):
            own = [one for one in of if one.counter == counter]
            _lines(axes, own, run if several else "", i)
        unit = own[0].unit
        axes.set(ylabel=f"{counter}\n{unit or 'share of the time'}", ylim=(0, None), xlim=(0, None))
        axes.yaxis.label.set_size(8)
        if not any((one.value != 0).any() for _, of in runs for one in of if one.counter == counter):
            axes.annotate("zero in every sample", (0.5, 0.5), xycoords="axes fraction", ha="center", color="#555555")
        if axes.get_ylim()[1] >= LARGE:
            axes.yaxis.set_major_formatter(EngFormatter(sep=""))
    panels[-1].set_xlabel("time, s")
    handles, labels = panels[0].get_legend_handles_labels()
    by_label = dict(zip(labels, handles, strict=True))
    figure.legend(by_label.values(), by_label.keys(), loc="outside upper left", ncols=4, fontsize=8)
    return figure


def _lines(axes: Any, own: Sequence[Series], run: str, which: int) -> None:
    """Draws the lines of one run. Those of a second run are dashed; if each run has only one line, it also has its own
    colour.
    """
    few = len(own) <= MOST_NAMED
    for i, one in enumerate(own):
        colour = _colour(i + which if len(own) == 1 else i, len(own), few)
        where = ALL if one.node is None else f"node {one.node}"
        named = few or i in (0, len(own) - 1)
        label = ": ".join(filter(None, (run, where))) if named else None
        axes.plot(
            one.time_s,
            one.value,
            color=colour,
            linestyle="--" if which else "-",
            linewidth=0.9,
            label=label,
            clip_on=False,
        )


def _colour(i: int, count: int, few: bool) -> Any:
    if few:
        return COLOURS[i % len(COLOURS)]
    import matplotlib as mpl

    return mpl.colormaps["viridis"](0.9 * i / (count - 1))


def _names(results: Sequence[Result]) -> list[str]:
    """Names of the runs: the folders' own names where several runs have these, because the user chose them."""
    folders = [result.path.name for result in results if result.is_saved]
    return folders if len(set(folders)) == len(results) > 1 else names_of(results)
