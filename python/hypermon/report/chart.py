# SPDX-License-Identifier: BSD-3-Clause
"""A chart of a page as Plotly JSON. Colours are names such as $blue, which the page's theme resolves."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Json = dict[str, Any]
TICKS = [base * 10.0**power for power in range(-3, 8) for base in (1, 2, 5)]
LEGEND = {"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0, "traceorder": "normal"}


@dataclass(frozen=True)
class Table:
    """The content of a chart as a table. `right`: the right-aligned columns, which hold numbers."""

    caption: str
    columns: Sequence[str]
    rows: Sequence[Sequence[str]]
    right: Sequence[int] = ()


@dataclass(frozen=True)
class Chart:
    """A chart. `variants`: the views between which the reader can choose, by name, each with `data` and `layout`."""

    id: str
    title: str
    caption: str
    variants: Mapping[str, Json]
    table: Table
    choose: str = ""  # label of the choice, if there is one
    height: int = 340


def plain(data: Sequence[Json], **layout: Any) -> dict[str, Json]:
    """Makes the only variant of a chart. It has a legend if there is more than one trace."""
    legend = {"legend": LEGEND} if len(data) > 1 else {}
    return {"": {"data": data, "layout": {**legend, **layout}}}


def axis(title: str, **more: Any) -> Json:
    return {"title": {"text": title}, **more}


def line(name: str, x: Iterable[Any], y: Iterable[Any], colour: str, hover: str, **more: Any) -> Json:
    """Makes a line. `hover`: tooltip with %{x} and %{y}. Keywords are for the trace, those of `line_` for its line."""
    of_line = {key.removeprefix("line_"): value for key, value in more.items() if key.startswith("line_")}
    of_trace = {key: value for key, value in more.items() if not key.startswith("line_")}
    return {
        "type": "scatter",
        "mode": "lines",
        "name": name,
        "x": list(x),
        "y": list(y),
        "line": {"color": colour, "width": 1.6, **of_line},
        "hovertemplate": f"{hover}<extra></extra>",
        **of_trace,
    }


def bar(name: str, x: Iterable[Any], y: Iterable[Any], colour: str, hover: str, **more: Any) -> Json:
    return {
        "type": "bar",
        "name": name,
        "x": list(x),
        "y": list(y),
        "marker": {"color": colour},
        "hovertemplate": f"{hover}<extra></extra>",
        **more,
    }
