"""One self-contained HTML file: templates, style, scripts, Plotly and data in one; the same bytes every time."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from hypermon._engine.sweeping.dataset import Sweep
from hypermon._files import files
from hypermon._model import worker
from hypermon._model.result import Result
from hypermon._model.words import figure
from hypermon._version import __version__
from hypermon.errors import UserError
from hypermon.report import run_page, sweep_page, view
from hypermon.report.chart import Chart
from hypermon.report.facts import Run
from hypermon.report.source import open_either, open_run, sensible

TEMPLATES = Path(__file__).with_name("templates")


def write(
    source: str | os.PathLike[str], out: str | os.PathLike[str], baseline: str | os.PathLike[str] | None = None
) -> None:
    """Writes the page of a run or a sweep, whole or not at all; see `html`."""
    _place(out)  # before the work that a page is
    files.keep(Path(out), source, baseline)
    write_text(html(source, baseline), out)


def write_text(text: str, out: str | os.PathLike[str]) -> None:
    """Writes a page, whole or not at all."""
    with files.writing(_place(out)) as partial:
        partial.write_text(text, encoding="utf-8")


def _place(out: str | os.PathLike[str]) -> Path:
    if Path(out).is_dir():
        raise UserError(f"{out}: is a folder; name the page's file (-o)")
    return Path(out)


def html(source: str | os.PathLike[str], baseline: str | os.PathLike[str] | None = None) -> str:
    """The page of the run or sweep in the directory `source`.

    `baseline`: the run of the same program without monitor, for the slowdown of a run. UserError if a directory is
    not what it should be.
    """
    found = open_either(Path(source))
    if isinstance(found, Sweep):
        if baseline is not None:
            raise UserError("--baseline: goes with a run, not with a sweep")
        with sensible(found):
            return _sweep(found)
    other = open_run(Path(baseline)) if baseline is not None else None
    with sensible(found, other):
        return _run(found, other)


def _run(result: Result, baseline: Result | None) -> str:
    if baseline is not None:
        _same_program(result, baseline)
    run = Run(result, view.of(str(result["spec"]["monitor"])).recorded(result), baseline)
    shown = run_page.context(run, result, worker.schema())
    drawn: list[Chart] = [
        c for c in (shown["ledger"], *shown["over_time"], shown["ranks"], shown["latency"]) if c is not None
    ]
    sections = [("question", "Result"), ("limits", "Limits"), ("machine", "Machine")]
    sections += [("ledger", "Ledger")] * bool(shown["ledger"]) + [("time", "Over time")] * bool(shown["over_time"])
    sections += [("slowdown", "Cost")] + [("timing", "Timing")] * bool(shown["timing"])
    sections += [("trust", "Trust"), ("repeat", "Repeat")]
    charts = {chart.id: dict(chart.variants) for chart in drawn}
    return render("run.html", {**shown, "unobserved": not run.is_observed}, sections, charts, ("page.js",))


def _same_program(result: Result, baseline: Result) -> None:
    if baseline["spec"]["monitor"] != "none":
        raise UserError(f"{baseline.path}: is no baseline: its monitor is {baseline['spec']['monitor']}, must be none")
    for key in ("workload", "nodes", "seed", result["spec"]["workload"]):
        if result["spec"][key] != baseline["spec"][key]:
            raise UserError(f"{baseline.path}: is no baseline of {result.path}: {key} differs")


def _sweep(found: Sweep) -> str:
    shown = sweep_page.context(found, worker.schema())
    some = bool(shown["metrics"])
    sections = [("question", "Sweep")] + [("explore", "Explore"), ("tradeoff", "Trade-off")] * some
    sections += [("points", "Points"), ("repeat", "Repeat")]
    return render("sweep.html", shown, sections, {}, ("page.js", "sweep.js"), shown["sweep"])


def render(
    template: str,
    shown: dict[str, Any],
    sections: list[tuple[str, str]],
    charts: dict[str, Any],
    scripts: tuple[str, ...],
    sweep: dict[str, Any] | None = None,
) -> str:
    """A page of a template; `sections`: ids and names for its contents, `charts`: variants by the chart's id."""
    import jinja2
    from markupsafe import Markup
    from plotly.offline import get_plotlyjs

    from hypermon._model.result import show

    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(TEMPLATES), autoescape=True, trim_blocks=True, undefined=jinja2.StrictUndefined
    )
    environment.globals.update(show=show, figure=figure)
    ours = {
        **shown,
        "network": {**shown.get("network", {}), "drawing": Markup(shown.get("network", {}).get("drawing", ""))},
        "unrecorded": Markup(shown.get("unrecorded", "")),  # a monitor's own words
        "machine": [Markup(drawing) for drawing in shown.get("machine", [])],  # escaped where it is drawn
        "sections": sections,
        "version": __version__,
        "style": Markup((TEMPLATES / "style.css").read_text(encoding="utf-8")),
        "script": Markup("\n".join((TEMPLATES / name).read_text(encoding="utf-8") for name in scripts)),
        "plotly": Markup(get_plotlyjs()),
        "charts_json": json_in_html(charts),
        "sweep_json": json_in_html(sweep) if sweep is not None else "",
    }
    return environment.get_template(template).render(ours)


def json_in_html(value: Any) -> Any:
    """JSON that cannot end the script element it stands in."""
    from markupsafe import Markup

    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return Markup(text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029"))
