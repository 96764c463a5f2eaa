# SPDX-License-Identifier: BSD-3-Clause
"""The page on which one looks around in time lines: one file that needs no network, the same bytes every time."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from hypermon._model.words import count, plural
from hypermon._version import __version__
from hypermon.report import timeline_data
from hypermon.report.rendering import environment, json_in_html, text_of, write_text

if TYPE_CHECKING:
    from hypermon.timelines.tracks import TimeLine

FOLDER = "timeline"  # of the templates
SCRIPTS = ("data", "curves", "lines", "draw", "axis", "view", "relations", "tree", "panel", "search", "pointer", "main")
"""In the order in which they need each other."""


def html(lines: Mapping[str, TimeLine], title: str, *, align: bool = True) -> str:
    """The page of time lines beside each other, by name; one alone has none ("").

    Args:
        align: Several begin together when the page is opened.
    """
    from markupsafe import Markup

    head, picture, details = timeline_data.packed(lines, title)
    head["align"] = align and len(lines) > 1
    shown = {
        "title": title,
        "about": about(lines),
        "several": len(lines) > 1,
        "version": __version__,
        "style": text_of("style.css").split("\n* {")[0] + "\n" + text_of(f"{FOLDER}/style.css"),
        "script": text_of(*(f"{FOLDER}/{name}.js" for name in SCRIPTS)),
        "head": json_in_html(head),
        "picture": Markup(picture),
        "details": Markup(details),
    }
    return environment().get_template("timeline.html").render(shown)


def about(lines: Mapping[str, TimeLine]) -> str:
    """How much there is of it, in words."""
    tracks = sum(len(line.states) for line in lines.values())
    states = sum(len(one.begin_ps) for line in lines.values() for one in line.states)
    statistics = sum(len(line.statistics) for line in lines.values())
    several = f"{len(lines)} runs: " if len(lines) > 1 else ""
    return f"{several}{count(states)} states on {plural(tracks, 'track')}, {plural(statistics, 'statistic')}"


def write(lines: Mapping[str, TimeLine], title: str, out: Path, *, align: bool = True) -> None:
    """Writes the page, whole or not at all."""
    write_text(html(lines, title, align=align), out)
