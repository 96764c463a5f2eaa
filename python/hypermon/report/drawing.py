# SPDX-License-Identifier: BSD-3-Clause
"""Drawing of a machine's parts in panels, as inline SVG. The page's style defines the colours."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from itertools import pairwise

GAP, MARGIN, PANEL_HEAD, PANEL_FOOT, INSET = 40, 20, 30, 14, 12
LINE, HEAD = 17, 30
LETTER, BOLD = 6.7, 7.7  # approximate width of a letter


@dataclass(frozen=True)
class Line:
    """A line in a part with a parameter's value, which is emphasised if it differs from the prototype's.

    `single`: the value differs between components; an asterisk marks it.
    """

    text: str
    changed: bool = False
    title: str = ""
    single: bool = False


@dataclass(frozen=True)
class Part:
    name: str
    lines: Sequence[Line]
    lost: str = ""  # losses in this part
    filled: float | None = None  # peak occupancy of its memory, 0 to 1
    is_fed: bool = True  # receives data from the previous part

    @property
    def height(self) -> float:
        return HEAD + LINE * len(self.lines) + 22 * bool(self.lost) + 14 * (self.filled is not None) + 6


@dataclass(frozen=True)
class Panel:
    """A group of parts. `kind` determines the colour; `copies` are drawn as a stack."""

    title: str
    kind: str
    parts: Sequence[Part]
    copies: int = 1

    @property
    def lines(self) -> list[Line]:
        return [line for part in self.parts for line in part.lines]


@dataclass(frozen=True)
class Box:
    """The position of a panel."""

    x: float
    y: float
    width: float
    height: float


def wide(panels: Sequence[Panel], name: str, most: int = 5) -> str:
    """Draws panels in rows of about equal length along the data flow. Every second row goes from right to left."""
    cells = [(panel, part) for panel in panels for part in panel.parts]
    rows = max(1, math.ceil(len(cells) / most))
    columns = max(1, math.ceil(len(cells) / rows))
    width, y = 212.0, 8.0
    outlines: list[tuple[Panel, Box]] = []
    boxes: list[tuple[Part, Box]] = []
    for r, first in enumerate(range(0, len(cells), columns)):
        row = cells[first : first + columns]
        height = max(part.height for _, part in row)
        for c, (panel, part) in enumerate(row):
            x = MARGIN + (columns - 1 - c if r % 2 else c) * (width + GAP)
            boxes.append((part, Box(x, y + PANEL_HEAD, width, height)))
            frame = Box(x - INSET, y, width + 2 * INSET, PANEL_HEAD + height + PANEL_FOOT)
            if outlines and outlines[-1] == (panel, last := outlines[-1][1]) and last.y == y:
                left, right = min(last.x, frame.x), max(last.x + last.width, frame.x + frame.width)
                outlines[-1] = (panel, Box(left, y, right - left, frame.height))
            else:
                outlines.append((panel, frame))
        y += PANEL_HEAD + height + 2 * PANEL_FOOT
    return _svg(f"wide {name}", 2 * MARGIN + columns * (width + GAP) - GAP + 4, y, outlines, boxes)


def narrow(panels: Sequence[Panel], name: str) -> str:
    """Draws the panels one below the other."""
    width, y = 300.0, 8.0
    outlines: list[tuple[Panel, Box]] = []
    boxes: list[tuple[Part, Box]] = []
    for panel in panels:
        top = y
        y += PANEL_HEAD
        for part in panel.parts:
            boxes.append((part, Box(MARGIN, y, width, part.height)))
            y += part.height + 20
        y += PANEL_FOOT - 20
        outlines.append((panel, Box(MARGIN - INSET, top, width + 2 * INSET, y - top)))
        y += PANEL_FOOT
    return _svg(f"narrow {name}", 2 * MARGIN + width + 4, y, outlines, boxes)


def _svg(
    kind: str, width: float, height: float, outlines: Sequence[tuple[Panel, Box]], boxes: Sequence[tuple[Part, Box]]
) -> str:
    id_of = kind.replace(" ", "-")
    parts = {panel.title: ", ".join(part.name for part in panel.parts) for panel, _ in outlines}
    title = "The machine: " + "; ".join(f"{panel}: {names}" for panel, names in parts.items())
    flows = [_flow(a, b) for (_, a), (part, b) in pairwise(boxes) if part.is_fed]
    shapes = [
        f'<svg class="machine {kind}" viewBox="0 0 {width:g} {height:g}" width="{width:g}" ',
        f'role="img" aria-labelledby="{id_of}-title">',
        f'<title id="{id_of}-title">{escape(title)}</title>',
        f'<defs><marker id="{id_of}-tip" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="7" markerHeight="7" ',
        'orient="auto"><path class="tip" d="M0 0 10 5 0 10z"/></marker></defs>',
        *(_frame(panel, box) for panel, box in outlines),
        *(_part(part, box) for part, box in boxes),
        *(f'<path class="flow" d="{flow}" marker-end="url(#{id_of}-tip)"/>' for flow in flows),
        # Titles are drawn over the flows, which may cross them.
        *(_panel_title(panel, box) for panel, box in outlines),
        "</svg>",
    ]
    return "".join(shapes)


def _panel_title(panel: Panel, box: Box) -> str:
    """Draws a title. A title that is wider than its panel is cut at its comma, or at the panel's width."""
    text, most = panel.title, int((box.width - 2 * INSET) / LETTER)
    if len(text) > most:
        text = text.partition(",")[0]
    if len(text) > most:
        text = f"{text[: most - 1].rstrip()}…"
    return _text(
        f"panel-title on-{panel.kind}", box.x + 12, box.y + 20, text, panel.title if text != panel.title else ""
    )


def _rect(kind: str, box: Box, radius: float) -> str:
    where = f'x="{box.x:g}" y="{box.y:g}" width="{box.width:g}" height="{box.height:g}"'
    return f'<rect class="{kind}" {where} rx="{radius:g}"/>'


def _text(kind: str, x: float, y: float, text: str, title: str = "") -> str:
    hint = f"<title>{escape(title)}</title>" if title else ""
    return f'<text class="{kind}" x="{x:g}" y="{y:g}">{hint}{escape(text)}</text>'


def _frame(panel: Panel, box: Box) -> str:
    stack = (4, 2, 0) if panel.copies > 1 else (0,)
    behind = (Box(box.x + shift, box.y + shift, box.width, box.height) for shift in stack)
    return "".join(_rect(f"panel {panel.kind}", each, 10) for each in behind)


def _part(part: Part, box: Box) -> str:
    middle, at = box.x + box.width / 2, box.y + 21
    shapes = [_rect("part hurt" if part.lost else "part", box, 6), _text("name", middle, at, part.name)]
    for line in part.lines:
        at += LINE
        text = _fitting(line, box.width - INSET)
        shapes.append(_text("value changed" if line.changed else "value", middle, at, text, line.title or line.text))
    if part.filled is not None:
        gauge = Box(box.x + 16, at + 10, box.width - 32, 6)
        full = Box(gauge.x, gauge.y, max(3.0, round(gauge.width * part.filled, 1)), 6)
        shapes += [_rect("gauge", gauge, 3), _rect("gauge-fill over" if part.filled > 0.8 else "gauge-fill", full, 3)]
    if part.lost:
        bottom = box.y + box.height
        shapes.append(_rect("lost-back", Box(box.x + 8, bottom - 25, box.width - 16, 20), 4))
        shapes.append(_text("lost", middle, bottom - 11, part.lost))
    return "".join(shapes)


def _fitting(line: Line, width: float) -> str:
    """Returns the part of the line's text that fits."""
    most = int(width / (BOLD if line.changed else LETTER))
    return line.text if len(line.text) <= most else f"{line.text[: most - 1].rstrip()}…"


def _flow(source: Box, target: Box) -> str:
    if source.y == target.y:
        y = source.y + 30
        rightwards = target.x > source.x
        start = source.x + source.width if rightwards else source.x
        end = target.x - 2 if rightwards else target.x + target.width + 2
        return f"M{start:g} {y:g}H{end:g}"
    return f"M{source.x + source.width / 2:g} {source.y + source.height:g}V{target.y - 2:g}"
