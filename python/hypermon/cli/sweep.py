# SPDX-License-Identifier: BSD-3-Clause
"""`hypermon sweep`."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from hypermon._printing import say, terminal
from hypermon.cli import complete
from hypermon.cli.common import JobsOption, ParameterOptions, command, metrics_of, output_folder

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from hypermon._engine.sweeping import Entry, Part, Plan, Prepared, Sweep

ROWS = 30  # most rows of the printed table; the data set has all
LONG_S = 600  # (chosen) expected time of a sweep above which the user has to confirm
MANY = 50  # (chosen) number of co-simulations of unknown length above which the user has to confirm


def add(app: typer.Typer) -> None:
    app.command("sweep")(sweep)


@dataclass(frozen=True)
class SpaceOptions:
    """The options that choose the points and the metrics of a sweep."""

    vary: Annotated[
        list[str] | None,
        typer.Option(
            "--vary",
            metavar="PATH=VALUES",
            help="Parameter and its values: A,B,C; START:STOP:STEP; START:STOP:log2 (doubling); "
            "START:STOP:logN (N values). Repeatable: all combinations.",
            autocompletion=complete.varied,
        ),
    ] = None
    zips: Annotated[
        list[str] | None,
        typer.Option(
            "--zip",
            metavar="PATH,PATH",
            help="Varied parameters that take their values together instead of in all combinations.",
            autocompletion=complete.parameter,
        ),
    ] = None
    where: Annotated[
        list[str] | None,
        typer.Option(metavar="EXPR", help="Condition on parameters that a point must meet. Repeatable: all must hold."),
    ] = None
    repeats: Annotated[
        str | None,
        typer.Option(metavar="N", help="Number of repeats with consecutive seeds, or the seeds themselves: 1,5,9."),
    ] = None
    metric: Annotated[
        list[str] | None,
        typer.Option(
            metavar="[NAME=]EXPR",
            help="Quantity to collect: a number of the result (see `hypermon params result`), or arithmetic over such "
            "numbers, with a name for its column: rate='events / elapsed_s'. Repeatable.",
            autocompletion=complete.metric,
        ),
    ] = None


@dataclass(frozen=True)
class WorkOptions:
    """The options for the computation and the folder of a sweep."""

    jobs: JobsOption = None
    out: Annotated[
        Path | None,
        output_folder(
            "--out", "-o", help="Folder of the sweep [default: runs/sweep-<scenario>-<hash>].", show_default=False
        ),
    ] = None
    force: Annotated[
        bool,
        typer.Option(
            "--force",
            help="Use a folder that contains other files. They stay, except those with names that the sweep "
            "needs, which are deleted and listed.",
        ),
    ] = False
    part: Annotated[
        str | None,
        typer.Option(
            metavar="K/N",
            help="Compute only part K of N into the common folder. A sweep without --part writes the "
            "results afterwards.",
        ),
    ] = None
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask before a long sweep.")] = False


@dataclass(frozen=True)
class PrintOptions:
    """The options that choose what a sweep prints."""

    plan_only: Annotated[bool, typer.Option("--plan", help="Print the runs and their cost without running them.")] = (
        False
    )
    as_json: Annotated[bool, typer.Option("--json", help="Print all rows (or the plan) as JSON.")] = False
    as_csv: Annotated[bool, typer.Option("--csv", help="Print all rows as CSV.")] = False


@command
def sweep(
    target: Annotated[
        str,
        typer.Argument(
            metavar="SCENARIO|RECORDING|FILE",
            help="Scenario, run directory of `hypermon record` (every point is then a replay), or YAML file "
            "of a sweep.",
            show_default=False,
            autocompletion=complete.scenario_or_recording,
        ),
    ],
    space: SpaceOptions,
    parameters: ParameterOptions,
    work: WorkOptions,
    printed: PrintOptions,
) -> None:
    """Run a scenario, or replay a recording, over ranges of parameters. Exit status 3 if points failed."""
    from hypermon._engine import sweeping
    from hypermon._engine.sweeping import describing

    share = _part(work, printed)
    request = sweeping.make_request(
        target,
        vary=_varied(space.vary),
        zips=space.zips or (),
        conditions=space.where or (),
        repeats=space.repeats,
        metrics=metrics_of(space.metric),
        settings=parameters.values,
        presets=parameters.presets,
        platform=parameters.platform,
        where="command line",
    )
    prepared = sweeping.Prepared(request, work.out, work.jobs, build=not printed.plan_only, force=work.force)
    if printed.plan_only and printed.as_json:
        import json

        say(json.dumps(prepared.plan.to_json(), indent=1))
        return
    say(describing.describe(prepared), err=not printed.plan_only)
    if printed.plan_only:
        return
    if not work.yes and sys.stdin.isatty() and sys.stderr.isatty() and _is_long(prepared.plan):
        typer.confirm("start?", abort=True, err=True)
    _run(prepared, share, printed)


def _part(work: WorkOptions, printed: PrintOptions) -> Part | None:
    """Returns the requested part of the sweep. Raises a UserError for options that exclude each other."""
    from hypermon._engine import sweeping
    from hypermon.errors import UserError

    if printed.as_csv and (printed.as_json or printed.plan_only):
        raise UserError("--csv: cannot be combined with --json or --plan")
    share = None if work.part is None else sweeping.Part.read(work.part)
    if share is not None and (printed.as_json or printed.as_csv or printed.plan_only):
        raise UserError("--part: writes no rows, so it cannot be combined with --json, --csv or --plan")
    return share


def _run(prepared: Prepared, share: Part | None, printed: PrintOptions) -> None:
    """Computes the sweep or one part of it, and prints the outcome."""
    from hypermon._engine import progress
    from hypermon._engine.sweeping import describing

    left = (prepared.plan if share is None else prepared.plan.part(share)).to_do()
    waiting = describing.expected(prepared.plan)
    with progress.points(prepared.request.scenario.name, len(left.cosims) + left.replays, waiting) as report:
        if share is not None:
            _end_of_part(share, prepared, prepared.run_part(share, report))
            return
        done = prepared.run(progress=report)
    _show(done, printed.as_json, printed.as_csv)
    failed = done.manifest["failed"]
    if failed:
        say(f"{failed} of {len(done)} points failed; the same command tries them again", err=True)
        raise typer.Exit(3)


def _end_of_part(part: Part, prepared: Prepared, outcome: Mapping[str, Entry]) -> None:
    errors = [entry.error for entry in outcome.values() if entry.error]
    say(f"part {part}: {len(outcome) - len(errors)} points computed, {len(errors)} failed ({prepared.folder})")
    say("after all parts, the same command without --part computes the missing points and writes the results")
    for error in errors[:5]:
        say(f"failed: {error}", err=True)
    if errors:
        raise typer.Exit(3)


def _varied(given: list[str] | None) -> dict[str, object]:
    from hypermon.errors import UserError

    varied: dict[str, object] = {}
    for text in given or ():
        path, equals, values = (part.strip() for part in text.partition("="))
        if not equals or not path or not values:
            raise UserError(f"--vary {text}: must be PATH=VALUES")
        if path in varied:
            raise UserError(f"--vary {path}: given twice")
        varied[path] = values
    return varied


def _is_long(plan: Plan) -> bool:
    left, total = plan.to_do(), plan.cost.total_s
    return len(left.cosims) + len(left.recordings) > MANY if total is None else total > LONG_S


def _show(done: Sweep, as_json: bool, as_csv: bool) -> None:
    frame = done.to_arrow()
    if as_json:
        import json

        say(json.dumps(frame.to_pylist(), indent=1))
        return
    if as_csv:
        from hypermon._files import csvfile

        csvfile.write_frame(done.to_pandas(), sys.stdout)
        return
    if done.manifest["space"]["repeats"] is not None and len(done.manifest["seeds"]) > 1:
        _show_parts(done, [*_together(done), "±: half of the mean's 95 % confidence interval; --csv has every repeat"])
        return
    names = [*done.varied, *(["seed"] if done.manifest["space"]["repeats"] is not None else []), "how", *done.metrics]
    names = list(dict.fromkeys(names))
    shown = frame.slice(0, ROWS).to_pylist()
    same = _same(names, shown, done)
    names = [name for name in names if name not in same]
    rows = [[_cell(row[name], row) for name in names] for row in shown]
    numbers = [i for i, name in enumerate(names) if name != "how"]
    more = [f"... {len(done) - ROWS} more points; --csv and --json print all"] if len(done) > ROWS else []
    keys = len([name for name in names if name not in done.metrics])
    alike = ", ".join(f"{name} = {value}" for name, value in same.items())
    every = [f"the same in all rows: {alike}"] if same else []
    _show_parts(done, [*_one_table(names, rows, numbers, keys), *every, *more])


def _one_table(names: list[str], rows: list[list[str]], numbers: Iterable[int], keys: int) -> list[Any]:
    """Makes a table of the columns that fit the terminal. The others are named below it."""
    from hypermon.cli import render

    first, *others = render.fitting(names, rows, numbers, keys)
    left = [column.replace(".\n", ".") for one in others for column in one.columns[keys:]]
    return [first, *([f"columns without room here: {', '.join(left)}; --csv and --json print them"] if left else [])]


def _same(names: list[str], shown: list[dict[str, Any]], done: Sweep) -> dict[str, str]:
    """Returns, on a terminal, the columns with a constant value, which need no column in the table."""
    if terminal() is None or len(shown) < 2 or any(row["status"] == "failed" for row in shown):
        return {}
    single = {name: {_cell(row[name], row) for row in shown} for name in names if name not in done.varied}
    return {name: values.pop() for name, values in single.items() if len(values) == 1}


def _show_parts(done: Sweep, parts: list[Any]) -> None:
    from hypermon._engine.sweeping.conclusion import conclude
    from hypermon._model.schema import flat
    from hypermon.cli import render

    rows = done.to_arrow().to_pylist()
    failed = [row for row in rows if row["status"] == "failed"]
    lines = [f"point {row['point']} failed: {row['error']}" for row in failed[:5]]
    monitor = None if "monitor" in done.varied else str(flat(done.manifest["base"])["monitor"])
    conclusion = conclude(rows, list(done.varied), list(done.metrics), monitor)
    render.show_all(*parts, *lines, *(["", " ".join(conclusion)] if conclusion else []), f"results {done.path}")


def _together(done: Sweep) -> list[Any]:
    """Makes a table with a row for every point, with its repeats combined."""
    found = done.over_repeats()
    metrics = [metric for metric in done.metrics if metric in found]
    names = [*done.varied, "repeats", *metrics]
    rows = [
        [_cell(row[name], {}) if name not in metrics else _mean(row, name) for name in names]
        for row in found.head(ROWS).to_dict("records")
    ]
    return _one_table(names, rows, range(len(names)), len(names) - len(metrics))


def _mean(row: dict[Any, Any], metric: str) -> str:
    """Formats a mean as `12.5 ±0.3`, or without an interval if there is none."""
    mean, half = row[metric], row.get(f"{metric} ±")
    if mean != mean:
        return "-"
    return f"{mean:.6g}" if half is None or half != half else f"{mean:.6g} ±{half:.2g}"


def _cell(value: object, row: dict[str, Any]) -> str:
    if value is None:
        return "failed" if row["status"] == "failed" else "-"
    if isinstance(value, bool):
        return str(value).lower()
    return f"{value:.6g}" if isinstance(value, float) else str(value)
