"""The page on which one looks around in time lines: one file that needs no network, the same bytes every time."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from hypermon._model.words import count, plural
from hypermon._version import __version__
from hypermon.report import page, timeline_data

if TYPE_CHECKING:
    from hypermon.timelines.tracks import TimeLine

SCRIPTS = ("data", "curves", "lines", "draw", "axis", "view", "relations", "tree", "panel", "search", "pointer", "main")
"""In the order in which they need each other."""


def html(lines: Mapping[str, TimeLine], title: str) -> str:
    """The page of time lines beside each other, by name; one alone has none ("")."""
    import jinja2
    from markupsafe import Markup

    head, picture, details = timeline_data.packed(lines, title)
    own = page.TEMPLATES / "timeline"
    colours = (page.TEMPLATES / "style.css").read_text(encoding="utf-8").split("\n* {")[0]  # those of all pages
    script = "\n".join((own / f"{name}.js").read_text(encoding="utf-8") for name in SCRIPTS)
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(page.TEMPLATES),
        autoescape=True,
        trim_blocks=True,
        undefined=jinja2.StrictUndefined,
    )
    shown = {
        "title": title,
        "about": about(lines),
        "several": len(lines) > 1,
        "version": __version__,
        "style": Markup(colours + "\n" + (own / "style.css").read_text(encoding="utf-8")),
        "script": Markup(script),
        "head": page.json_in_html(head),
        "picture": Markup(picture),
        "details": Markup(details),
    }
    return environment.get_template("timeline.html").render(shown)


def about(lines: Mapping[str, TimeLine]) -> str:
    """How much there is of it, in words."""
    tracks = sum(len(line.states) for line in lines.values())
    states = sum(len(one.begin_ps) for line in lines.values() for one in line.states)
    statistics = sum(len(line.statistics) for line in lines.values())
    several = f"{len(lines)} runs: " if len(lines) > 1 else ""
    return f"{several}{count(states)} states on {plural(tracks, 'track')}, {plural(statistics, 'statistic')}"


def write(lines: Mapping[str, TimeLine], title: str, out: Path) -> None:
    """Writes the page, whole or not at all."""
    page.write_text(html(lines, title), out)
