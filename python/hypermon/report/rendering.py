# SPDX-License-Identifier: BSD-3-Clause
"""Renders self-contained HTML files with style, scripts, Plotly and data. The same input gives the same bytes."""

from __future__ import annotations

import base64
import functools
import hashlib
import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hypermon._files import files, outputs
from hypermon._model.words import figure
from hypermon._printing import ERRORS
from hypermon._version import __version__

if TYPE_CHECKING:
    import jinja2
    from markupsafe import Markup

TEMPLATES = Path(__file__).with_name("templates")


def write_text(text: str, out: str | os.PathLike[str]) -> None:
    """Writes a page atomically."""
    with files.writing(place_of(out)) as partial:
        partial.write_text(text, encoding="utf-8", errors=ERRORS)


def place_of(out: str | os.PathLike[str]) -> Path:
    """Returns the path of a page. Raises a UserError if it cannot be written."""
    outputs.require(Path(out))
    return Path(out)


@functools.cache  # keeps the compiled templates, which halves the time of further pages
def environment(*further: Path) -> jinja2.Environment:
    """Returns the environment of the templates in this package and in further folders."""
    import jinja2

    from hypermon._model.result import show

    made = jinja2.Environment(
        loader=jinja2.FileSystemLoader([TEMPLATES, *further]),
        autoescape=True,
        trim_blocks=True,
        undefined=jinja2.StrictUndefined,
    )
    made.globals.update(show=show, figure=figure)
    return made


def text_of(*names: str) -> Markup:
    """Returns the concatenated text of files beside the templates."""
    from markupsafe import Markup

    return Markup("\n".join((TEMPLATES / name).read_text(encoding="utf-8") for name in names))


def render(
    template: str,
    shown: dict[str, Any],
    sections: list[tuple[str, str]],
    charts: dict[str, Any],
    scripts: tuple[str, ...],
    sweep: dict[str, Any] | None = None,
    further: Sequence[Path] = (),
) -> str:
    """Renders a page from a template.

    `sections`: ids and names for the table of contents. `charts`: variants by the chart's id. `further`: additional
    folders with templates.
    """
    from markupsafe import Markup
    from plotly.offline import get_plotlyjs

    plotly, script = Markup(one_newline(get_plotlyjs())), text_of(*scripts)
    ours = {
        **shown,
        "network": {**shown.get("network", {}), "drawing": Markup(shown.get("network", {}).get("drawing", ""))},
        "unrecorded": Markup(shown.get("unrecorded", "")),  # trusted text of the monitor
        "machine": [Markup(drawing) for drawing in shown.get("machine", [])],  # escaped when it was drawn
        "sections": sections,
        "version": __version__,
        "style": text_of("style.css"),
        "policy": policy(plotly, script),
        "script": script,
        "plotly": plotly,
        "charts_json": json_in_html(charts),
        "sweep_json": json_in_html(sweep) if sweep is not None else "",
    }
    return environment(*further).get_template(template).render(ours)


def policy(*scripts: str) -> Markup:
    """Returns a content security policy. Only these scripts run and nothing is loaded, whatever a run's data are."""
    from markupsafe import Markup

    hashes = " ".join(f"'sha256-{_hash(script)}'" for script in scripts)
    own = f"script-src {hashes}; style-src 'unsafe-inline'; img-src data: blob:"
    return Markup(f"default-src 'none'; {own}; form-action 'none'; base-uri 'none'")


@functools.lru_cache(maxsize=16)
def _hash(script: str) -> str:
    return base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()


def one_newline(text: str) -> str:
    """Normalises line breaks as a browser does before it computes a script's hash."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def json_in_html(value: Any) -> Any:
    """Returns JSON that cannot end the script element that contains it."""
    from markupsafe import Markup

    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return Markup(text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029"))
