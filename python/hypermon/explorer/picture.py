# SPDX-License-Identifier: BSD-3-Clause
"""The explorer's chart: the monitor's buffer over time. Colours are names such as $blue, which the page resolves."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from hypermon._model.words import count, plural
from hypermon.explorer.answers import Buffer
from hypermon.explorer.controls import Controls
from hypermon.report.chart import LEGEND, Json, axis, bar, line

EMPTY = 0.5  # place of zero on the logarithmic axis
SMALLEST = 3  # (chosen) decades of that axis at least, so that it stays while a slider moves
LOST = " lost"  # end of the name of the counts that are lost
EDGE: Json = {"type": "line", "xref": "paper", "x0": 0, "x1": 1, "line": {"color": "$ink", "dash": "dash", "width": 1}}


def figure(controls: Controls, buffer: Buffer, reference: Buffer | None) -> Json | None:
    """Returns the chart, with the reference design's peaks beside it. None: there is no chart for this design."""
    found, how = buffer.timeline, controls.how
    if found is None:
        return None
    begins = [float(begin) for begin in found["begin_s"]]
    edges = [*begins, begins[-1] + float(found[how.INTERVAL])]
    data = []
    for i, (name, column) in enumerate(sorted(how.LEVELS.items(), key=lambda level: sum(found[level[1]]))):
        more: Json = {"fill": "tonexty", "fillcolor": "$blue-faint"} if i else {"line_width": 0.5}
        data.append(_level(name, edges, found[column], "$blue", **more))
    other = reference.timeline if reference is not None else None
    if other is not None and reference is not buffer:
        name, column = max(how.LEVELS.items(), key=lambda level: sum(other[level[1]]))
        data.append(_level(f"the {how.REFERENCE[0]}: {name}", edges, other[column], "$grey", line_dash="dot"))
    name = next(name for name in how.COUNTS if name.endswith(LOST))
    most = max(float(value) for one in data for value in one["customdata"])
    layout = _layout(name.removesuffix(LOST), most, buffer.depth, edges[-1])
    lost = [int(number) for number in found[how.COUNTS[name]]]
    if sum(lost):
        data.append(bar(name, begins, lost, "$red", f"%{{x:.3f}} s: %{{y:,}} {name}", yaxis="y2"))
        layout["xaxis"]["anchor"] = "y2"
        layout["yaxis"]["domain"] = [0.42, 1]
        layout |= {"yaxis2": axis(name, domain=[0, 0.3], rangemode="tozero"), "bargap": 0}
    return {"data": data, "layout": layout}


def _layout(unit: str, most: float, depth: float | None, end: float) -> Json:
    """Returns axes on which both the usual level and the depth are seen."""
    top = max(most, depth or 0, 10**SMALLEST)
    powers = range(int(math.log10(top)) + 1)
    ticks = {"tickvals": [EMPTY, *(10**p for p in powers)], "ticktext": ["0", *(count(10**p) for p in powers)]}
    layout: Json = {
        "legend": LEGEND,
        "xaxis": axis("time, s", range=[0, end]),
        "yaxis": axis(unit, type="log", range=[-0.35, math.log10(2 * top)], **ticks),
        "uirevision": "buffer",
    }
    if depth is not None:
        layout["shapes"] = [{**EDGE, "y0": depth, "y1": depth}]
        place = {"xref": "paper", "x": 1, "y": math.log10(depth), "xanchor": "right", "yanchor": "bottom"}
        layout["annotations"] = [{**place, "text": f"depth {count(depth)}", "showarrow": False}]
    return layout


def _level(name: str, edges: Sequence[float], levels: Sequence[Any], colour: str, **more: Any) -> Json:
    values = [int(value) for value in levels][: len(edges) - 1]
    values += values[-1:] * (len(edges) - len(values))
    hover = f"%{{x:.6g}} s: {name} %{{customdata:,}}"
    places = [value or EMPTY for value in values]
    return line(name, edges, places, colour, hover, line_shape="hv", customdata=values, **more)


def note(buffer: Buffer) -> str:
    """Returns the sentence below the chart."""
    if buffer.error:
        return "This design cannot be replayed."
    if buffer.timeline is None:
        return "The buffer over time is not known for this design."
    intervals = plural(len(buffer.timeline["begin_s"]), "interval")
    return f"Shows the lowest and the highest level in each of {intervals}. Dashed: the depth."
