# SPDX-License-Identifier: BSD-3-Clause
"""Counters over time, from the samples of a run: as values or rates, by node or summed, on a choice of clocks."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from hypermon._model import argument_checks, monitors
from hypermon._model.result import too_few_samples
from hypermon.errors import UserError, suggestion

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd
    from numpy.typing import NDArray

    from hypermon._model.result import Result

CLOCKS = ("stamped", "global", "true")
GROWING = ("rate", "timer", "percentage", "distribution")
"""Kinds of counters of which the rate of growth is shown instead of the value."""
PS_PER_S = 1e12


class Series(NamedTuple):
    """A counter of one node, or the sum over several nodes, over time.

    Attributes:
        counter: Name of the counter, with `:item` for a single item.
        unit: Unit of `value`. That of a rate ends with "/s"; that of a share is empty.
        node: Number of the node. None: the sum over several nodes.
        time_s: Times of the samples, s. For a rate, ends of the intervals.
        value: Values of the counter, or its growth per second.
    """

    counter: str
    unit: str
    node: int | None
    time_s: NDArray[np.float64]
    value: NDArray[np.float64]


def kinds(result: Result) -> dict[str, Mapping[str, Any]]:
    """Returns unit, kind and description of the sampled counters, by name."""
    metadata = result.samples.to_arrow().schema.metadata
    return {one["name"]: one for one in json.loads(metadata[b"counters"])}


class HasTimes(Protocol):
    def times(self) -> Callable[[Result, pd.DataFrame], NDArray[np.int64]] | None: ...


def best_clock(result: Result) -> str:
    """Returns the monitor's global clock if it has one, else that of its timestamps."""
    return "stamped" if _own_times(result) is None else "global"


def _own_times(result: Result) -> Callable[[Result, pd.DataFrame], NDArray[np.int64]] | None:
    return monitors.part(monitors.find(result["spec"]["monitor"]), HasTimes.times)


def timed(result: Result, counters: Iterable[str] | None = None, clock: str | None = None) -> pd.DataFrame:
    """Returns samples with a column `time_s`, sorted by it.

    Args:
        result: The result of a run with a run directory.
        counters: Names of counters, without items. By default all.
        clock: One of CLOCKS: the monitor's timestamps, its global clock, or true time. By default the monitor's best.

    Raises:
        UserError: The run has no samples, or its monitor has no such clock.
    """
    import numpy as np
    import pyarrow as pa
    import pyarrow.compute as pc

    table = result.samples.to_arrow()
    if counters is not None:
        of = pa.array(sorted(set(counters)), pa.string())
        table = table.filter(pc.is_in(table["counter"].cast(pa.string()), of))
    frame: pd.DataFrame = table.to_pandas()
    clock = argument_checks.choice("clock", clock or best_clock(result), CLOCKS)
    if clock == "global":
        own = _own_times(result)
        if own is None:
            monitor = result["spec"]["monitor"]
            raise UserError(f"the run's monitor is {monitor}, which has no global clock: stamped or true")
        times = own(result, frame)
    else:
        times = frame[f"{clock}_ps"].to_numpy()
    frame["time_s"] = np.asarray(times) / PS_PER_S
    return frame.sort_values("time_s", kind="stable", ignore_index=True)


def of_run(
    result: Result,
    counters: Sequence[str],
    *,
    nodes: Sequence[int] | None = None,
    clock: str | None = None,
    together: bool = False,
) -> list[Series]:
    """Returns series of the counters, for each node or summed over the nodes.

    Args:
        result: The result of a run with a run directory.
        counters: Names of counters, or `name:item` for a single item of a counter.
        nodes: Numbers of nodes. By default all that were sampled.
        clock: See `timed`.
        together: Sums over the nodes. Growing counters are interpolated to the times of the first node.

    Raises:
        UserError: A counter, an item or a node was not sampled, or too seldom.
    """
    known = kinds(result)
    counters = argument_checks.texts("counters", counters)
    wanted = [(name, *_named(name, known)) for name in counters]
    frame = timed(result, [of for _, of, _ in wanted], clock)
    found: list[Series] = []
    for name, of, item in wanted:
        own = _of_counter(result, frame, name, of, item)
        there = sorted({int(node) for node in own["node"].unique()})
        chosen = there if nodes is None else list(nodes)
        if missing := [node for node in chosen if node not in there]:
            raise UserError(f"node {missing[0]}: {name} was not sampled there: {_nodes_text(there)}")
        levels = [_levels(own[own["node"] == node]) for node in chosen]
        unit, grows = str(known[of]["unit"]), known[of]["kind"] in GROWING
        if together:
            levels = [_sum(levels, grows)]
        for node, (times, values) in zip([None] if together else chosen, levels, strict=True):
            found.append(_series(name, unit, grows, node, times, values, too_few_samples(result)))
    return found


def _named(name: str, known: Mapping[str, Any]) -> tuple[str, str]:
    of, _, item = name.partition(":")
    if of not in known:
        raise UserError(f"counter {of}: the run has no samples of it: {', '.join(known)}{suggestion(of, known)}")
    return of, item


def _of_counter(result: Result, frame: pd.DataFrame, name: str, of: str, item: str) -> pd.DataFrame:
    own = frame[frame["counter"] == of]
    if item:
        items = sorted(set(own["item"]))
        own = own[own["item"] == item]
        if own.empty:
            raise UserError(f"counter {name}: {of} has no such item: {', '.join(items)}{suggestion(item, items)}")
    if own.empty:
        raise UserError(f"counter {name}: no sample of it reached the analyst of {result.path}")
    return own


def _levels(own: pd.DataFrame) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Returns the sum over all parts and items of a node, by time. All values of one query have the same time."""
    levels = own.groupby("time_s", sort=True)["value"].sum()
    return levels.index.to_numpy(float), levels.to_numpy(float)


def _sum(
    levels: Sequence[tuple[NDArray[np.float64], NDArray[np.float64]]], grows: bool
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Sums over the nodes at the times of the first one.

    Growing counters are interpolated linearly between samples. Other counters keep their value until the next sample.
    """
    import numpy as np

    grid = levels[0][0]
    if grows:
        grid = grid[(grid >= max(t[0] for t, _ in levels)) & (grid <= min(t[-1] for t, _ in levels))]
        return grid, np.sum([np.interp(grid, t, v) for t, v in levels], axis=0)
    places = [np.clip(np.searchsorted(t, grid, side="right") - 1, 0, None) for t, _ in levels]
    return grid, np.sum([v[place] for (_, v), place in zip(levels, places, strict=True)], axis=0)


def _series(
    name: str,
    unit: str,
    grows: bool,
    node: int | None,
    times: NDArray[np.float64],
    values: NDArray[np.float64],
    why_few: str = "",
) -> Series:
    import numpy as np

    if not grows:
        return Series(name, unit, node, times, values)
    if len(times) < 2:
        where = "of all nodes" if node is None else f"on node {node}"
        why = f" ({why_few})" if why_few else ""
        raise UserError(f"counter {name}: two samples or more {where} make a rate; there are {len(times)}{why}")
    kept = _apart(times)
    times, values = times[kept], values[kept]
    rate = np.diff(values) / np.diff(times)
    if unit == "ps":
        return Series(name, "", node, times[1:], rate / PS_PER_S)
    return Series(name, f"{unit}/s" if unit else "1/s", node, times[1:], rate)


def _apart(times: NDArray[np.float64]) -> list[int]:
    """Selects the samples for rates.

    A counter that is sampled at two intervals has pairs of samples that are almost simultaneous, between which a rate
    is meaningless. Selected samples are therefore at least half of the shortest usual gap apart.
    """
    import numpy as np

    gaps = np.diff(times)
    usual = np.quantile(gaps[gaps > np.median(gaps) / 2], 0.1)
    kept = [0]
    for place in range(1, len(times)):
        if times[place] - times[kept[-1]] >= usual / 2:
            kept.append(place)
    return kept


def _nodes_text(nodes: Sequence[int]) -> str:
    return f"nodes {nodes[0]} to {nodes[-1]} were" if len(nodes) > 1 else f"node {nodes[0]} was"
