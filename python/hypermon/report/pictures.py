# SPDX-License-Identifier: BSD-3-Clause
"""A monitor's own pictures on the page of a run."""

from __future__ import annotations

import base64
import io
from dataclasses import dataclass
from typing import Any

from hypermon._model.result import Result
from hypermon.errors import UserError
from hypermon.pictures import over_time, style
from hypermon.report import view
from hypermon.report.view import Picture

COUNTERS = ("cpu.user", "os.runnable", "cpu.busy", "interface.bytes_sent", "messages.bytes_sent", "memory.available")
"""Counters of the picture over time, as far as they were sampled, in this order."""
MOST_COUNTERS = 3  # (chosen) panels of counters over time
NARROW_INCHES = 3.8  # (chosen) about the width of a phone
NARROW_COLUMNS = 2  # (chosen) columns of a narrow picture's legend


@dataclass(frozen=True)
class Embedded:
    """A picture in a page. `source` and `narrow`: addresses, which contain it for a wide window and for a phone."""

    source: str
    narrow: str
    caption: str
    command: str


def of_run(result: Result) -> list[Embedded]:
    """Returns the monitor's pictures of a run. A run that lacks the data of a picture does not have it."""
    if not result.is_saved:
        return []
    found = []
    for one in view.find(str(result["spec"]["monitor"])).pictures(result):
        try:
            figure = one.draw()
        except UserError:
            continue
        found.append(Embedded(_address(figure), _narrow_address(figure), one.caption, one.command))
    return found


def counters(result: Result) -> Picture:
    """Returns the picture of sampled counters over time, at most MOST_COUNTERS of them."""
    from hypermon._model import series

    def draw() -> Any:
        sampled = list(series.kinds(result))
        known = [name for name in COUNTERS if name in sampled]
        chosen = (known or sampled)[:MOST_COUNTERS]
        return over_time.draw(over_time.find_series([result], chosen))

    return Picture("Sampled counters of each node over time.", "hypermon plot counters", draw)


def _narrow_address(figure: Any) -> str:
    """Returns the address of the figure for a phone. A figure of another class stays as it is."""
    from hypermon.pictures.picture import Picture as Drawn

    if isinstance(figure, Drawn):
        figure.narrow(NARROW_INCHES, NARROW_COLUMNS)
    return _address(figure)


def _address(figure: Any) -> str:
    content = io.BytesIO()
    style.write(figure, content, ".svg")
    return "data:image/svg+xml;base64," + base64.b64encode(content.getvalue()).decode()
