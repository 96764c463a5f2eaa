# SPDX-License-Identifier: BSD-3-Clause
"""The interactive page of time lines: a self-contained file with reproducible content."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from hypermon._files import files
from hypermon._model.words import count, plural
from hypermon._printing import ERRORS
from hypermon._version import __version__
from hypermon.report import timeline_data
from hypermon.report.rendering import environment, json_in_html, place_of, policy, text_of
from hypermon.timelines import thinning

if TYPE_CHECKING:
    from hypermon.timelines.tracks import TimeLine

FOLDER = "timeline"  # folder of the templates
MOST_STATES = 2_000_000
"""(chosen) Most states of a page. They take about 200 MB in a browser."""
SCRIPTS = ("data", "curves", "lines", "draw", "axis", "view", "relations", "tree", "panel", "search", "pointer", "main")
"""The scripts, each after those that it needs."""


def html(lines: Mapping[str, TimeLine], title: str, *, align: bool = True) -> str:
    """Returns the page of one or several time lines.

    Args:
        lines: Time lines by name. A single one has the name "".
        title: Title of the page.
        align: Whether several time lines begin together when the page is opened.
    """
    return "".join(_texts(lines, title, align, None))


def _texts(
    lines: Mapping[str, TimeLine], title: str, align: bool, progress: Callable[[int], None] | None
) -> Iterator[str]:
    """Yields the page in pieces."""
    shown = thinning.thinned(lines, MOST_STATES)
    head, picture, details = timeline_data.packed(shown.lines, title, progress)
    head["align"] = align and len(lines) > 1
    script = text_of(*(f"{FOLDER}/{name}.js" for name in SCRIPTS))
    variables = {
        "title": title,
        "policy": policy(script),
        "about": about(lines),
        "thinned": _thinned(shown),
        "several": len(lines) > 1,
        "version": __version__,
        "style": text_of("style.css").split("\n* {")[0] + "\n" + text_of(f"{FOLDER}/style.css"),
        "script": script,
        "head": json_in_html(head),
        "picture": picture.text(),
        "details": details.text(),
    }
    return environment().get_template("timeline.html").generate(variables)


def _thinned(shown: thinning.Thinned) -> str:
    """Returns a sentence about states that are drawn as one. Empty: there are none."""
    if shown.step_ps is None:
        return ""
    left = sum(len(one.begin_ps) for line in shown.lines.values() for one in line.states)
    step = f"{shown.step_ps / 1e6:g} µs"
    return (
        f"{count(left)} states are drawn: neighbours shorter than {step} are drawn as one. --window shows each state."
    )


def about(lines: Mapping[str, TimeLine]) -> str:
    """Describes the size of the time lines in words."""
    tracks = sum(len(line.states) for line in lines.values())
    states = sum(len(one.begin_ps) for line in lines.values() for one in line.states)
    statistics = sum(len(line.statistics) for line in lines.values())
    several = f"{len(lines)} runs: " if len(lines) > 1 else ""
    return f"{several}{count(states)} states on {plural(tracks, 'track')}, {plural(statistics, 'statistic')}"


def write(
    lines: Mapping[str, TimeLine],
    title: str,
    out: Path,
    *,
    align: bool = True,
    progress: Callable[[int], None] | None = None,
) -> None:
    """Writes the page atomically. Memory does not grow with the time lines.

    Args:
        progress: Called with the number of each track and statistic that is packed.
    """
    with files.writing(place_of(out)) as partial, partial.open("w", encoding="utf-8", errors=ERRORS) as file:
        file.writelines(_texts(lines, title, align, progress))
