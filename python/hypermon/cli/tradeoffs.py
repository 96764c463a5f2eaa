# SPDX-License-Identifier: BSD-3-Clause
"""`hypermon tradeoffs`: which designs are not beaten, and which parameters decide?"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from hypermon._printing import say
from hypermon.cli import complete
from hypermon.cli.common import JobsOption, NamedMetricOption, ParameterOptions, command, named_metrics, output_file
from hypermon.cli.size import SourceArgument, source_of

if TYPE_CHECKING:
    import pandas as pd

    from hypermon.tradeoffs import Front, Sensitivity
    from hypermon.tradeoffs.front import Direction

SAMPLES = {"morris": 10, "sobol": 64}


class Method(StrEnum):
    morris = "morris"
    sobol = "sobol"


def add(app: typer.Typer) -> None:
    app.command("tradeoffs")(tradeoffs)


@dataclass(frozen=True)
class GoalOptions:
    """The options that say what a good design is."""

    minimize: Annotated[
        list[str] | None,
        typer.Option(
            metavar="EXPR",
            help="Quantity to minimise: a number of the result (see `hypermon params result`), arithmetic "
            "over such numbers, loss, slowdown, or a cost of the monitor (cost.memory_bits). "
            "Repeatable.",
            autocompletion=complete.metric,
        ),
    ] = None
    maximize: Annotated[
        list[str] | None,
        typer.Option(
            metavar="EXPR", help="Quantity to maximise, as for --minimize. Repeatable.", autocompletion=complete.metric
        ),
    ] = None
    limit: Annotated[
        list[str] | None,
        typer.Option(
            metavar="EXPR=NUMBER",
            help="Upper limit of a quantity, as for --minimize. Designs beyond it are excluded from the "
            "front. Repeatable.",
            autocompletion=complete.metric,
        ),
    ] = None
    metric: NamedMetricOption = None


@dataclass(frozen=True)
class SearchOptions:
    """The options that say how designs are chosen."""

    trials: Annotated[
        int, typer.Option(min=1, metavar="N", help="Number of different designs to evaluate for the front.")
    ] = 100
    seed: Annotated[int, typer.Option(min=0, max=2**32 - 1, help="Seed of the search.")] = 1
    sensitivity: Annotated[
        Method | None,
        typer.Option(
            metavar="METHOD",
            help="Rank the parameters by their influence on the named quantities, instead of searching for a front. "
            "morris: elementary effects from few designs. sobol: shares of the variance.",
        ),
    ] = None
    samples: Annotated[
        int | None,
        typer.Option(
            min=2,
            metavar="N",
            help="Number N for --sensitivity: N x (parameters + 1) designs for morris, N x (parameters + 2) "
            f"for sobol [default: {SAMPLES['morris']} for morris, {SAMPLES['sobol']} for sobol].",
            show_default=False,
        ),
    ] = None


@command
def tradeoffs(
    source: SourceArgument,
    goals: GoalOptions,
    search: SearchOptions,
    parameters: ParameterOptions,
    vary: Annotated[
        list[str] | None,
        typer.Option(
            metavar="PATH=VALUES",
            help="Parameter and its range: LOW:HIGH, LOW:HIGH:log (equal ratios) or A,B,C. Repeatable.",
            autocompletion=complete.varied,
        ),
    ] = None,
    plot: Annotated[
        Path | None,
        output_file(
            metavar="FILE",
            help="Also draw a picture: .svg, .pdf or .png. -: SVG on standard output.",
            show_default=False,
        ),
    ] = None,
    jobs: JobsOption = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print everything as JSON, with all designs.")] = False,
) -> None:
    """Find the Pareto-optimal designs, or the parameters that matter most. Needs Optuna and SALib."""
    from hypermon import pictures
    from hypermon.errors import UserError
    from hypermon.pictures import style

    objectives, varied = _objectives(goals.minimize, goals.maximize), _varied(vary)
    if search.samples is not None and search.sensitivity is None:
        raise UserError("--samples: applies only to --sensitivity; a front evaluates --trials designs")
    limits = _limits(goals.limit)
    if limits and search.sensitivity is not None:
        raise UserError("--limit: applies only to a front, not to --sensitivity")
    metrics = named_metrics(goals.metric)
    for name in metrics.keys() - {*objectives, *limits}:
        raise UserError(f"--metric {name}: --minimize, --maximize or --limit must name it")
    if plot is not None:
        style.check(plot)
    chosen = {"settings": parameters.values, "presets": parameters.presets, "platform": parameters.platform}
    asked = _Asked(source, varied, objectives, limits, metrics, search, {"seed": search.seed, "jobs": jobs, **chosen})
    answer = _front(asked) if search.sensitivity is None else _sensitivity(asked, search.sensitivity)
    if plot is not None:
        pictures.save(answer.picture(), plot)
    if as_json:
        say(json.dumps(answer.json, indent=1))
        return
    answer.show()
    if plot is not None:
        say(f"picture {plot}")


@dataclass(frozen=True)
class _Asked:
    source: str
    varied: dict[str, Any]
    objectives: dict[str, Direction]
    limits: dict[str, float]
    metrics: dict[str, str]
    search: SearchOptions
    more: dict[str, Any]


@dataclass(frozen=True)
class _Answer:
    """Result of a search, in each form that the command gives."""

    picture: Callable[[], Any]
    json: Mapping[str, Any]
    show: Callable[[], None]


def _front(asked: _Asked) -> _Answer:
    from hypermon import tradeoffs as studies
    from hypermon._engine import progress
    from hypermon.pictures import designs
    from hypermon.tradeoffs import front

    opened, trials = source_of(asked.source), asked.search.trials
    with progress.points(asked.source, front.most_designs(asked.varied, trials)) as report:
        found = studies.pareto(
            opened,
            asked.varied,
            asked.objectives,
            limits=asked.limits,
            metrics=asked.metrics,
            trials=trials,
            progress=report,
            **asked.more,
        )
    return _Answer(
        lambda: designs.front(found.all(), found.to_pandas(), list(asked.objectives)),
        _front_json(asked.source, trials, asked.search.seed, found),
        lambda: _show_front(found),
    )


def _sensitivity(asked: _Asked, method: Method) -> _Answer:
    from hypermon import tradeoffs as studies
    from hypermon._engine import progress
    from hypermon._model.metrics import Named
    from hypermon.pictures import designs

    opened, count = source_of(asked.source), asked.search.samples or SAMPLES[method]
    numbers = [Named(name, asked.metrics[name]) if name in asked.metrics else name for name in asked.objectives]
    total = count * (len(asked.varied) + (1 if method is Method.morris else 2))
    with progress.points(asked.source, total) as report:
        of: dict[str, Any] = {"progress": report, **asked.more}
        if method is Method.morris:
            decided = studies.morris(opened, asked.varied, numbers, trajectories=count, **of)
        else:
            decided = studies.sobol(opened, asked.varied, numbers, samples=count, **of)
    return _Answer(
        lambda: designs.sensitivity(decided.table),
        _sensitivity_json(asked.source, method, asked.search.seed, decided),
        lambda: _show_sensitivity(decided),
    )


def _objectives(minimize: list[str] | None, maximize: list[str] | None) -> dict[str, Direction]:
    from hypermon.errors import UserError

    found: dict[str, Direction] = {}
    asked: list[tuple[str, Direction]] = [
        *((name.strip(), "minimize") for name in minimize or ()),
        *((name.strip(), "maximize") for name in maximize or ()),
    ]
    for name, direction in asked:
        if not name:
            raise UserError(f"--{direction}: must name a number of the result, such as elapsed_s")
        if name in found:
            raise UserError(f"--{direction} {name}: given twice")
        found[name] = direction
    if not found:
        raise UserError("--minimize or --maximize: must name a number of the result, such as --minimize elapsed_s")
    return found


def _limits(given: list[str] | None) -> dict[str, float]:
    from hypermon.errors import UserError

    found: dict[str, float] = {}
    for text in given or ():
        name, equals, limit = (part.strip() for part in text.rpartition("="))
        try:
            most = float(limit)
        except ValueError:
            most = math.nan
        if not equals or not name or not math.isfinite(most):
            raise UserError(f"--limit {text}: must be EXPR=NUMBER, such as slowdown=1.01")
        if name in found:
            raise UserError(f"--limit {name}: given twice")
        found[name] = most
    return found


def _varied(given: list[str] | None) -> dict[str, Any]:
    """Returns, by path, a range as a tuple or a choice of values as a list. Numbers keep their units."""
    from hypermon.errors import UserError

    found: dict[str, Any] = {}
    for text in given or ():
        path, equals, values = (part.strip() for part in text.partition("="))
        choices, ends = values.split(","), values.split(":")
        is_range = len(choices) == 1 and len(ends) > 1
        chosen = [part.strip() for part in (ends if is_range else choices)]
        if not equals or not path or not all(chosen) or (is_range and len(ends) > 3):
            raise UserError(f"--vary {text}: must be PATH=LOW:HIGH, PATH=LOW:HIGH:log or PATH=A,B,C")
        if path in found:
            raise UserError(f"--vary {path}: given twice")
        found[path] = tuple(chosen) if is_range else chosen
    if not found:
        raise UserError("--vary: must name a parameter, such as --vary nodes=4:16")
    return found


def _show_front(found: Front) -> None:
    from hypermon.cli import render

    render.show_all(
        f"{found.summary()}\n",
        *_tables(found.to_pandas(), len(found.vary)),
        "\nEach of the others is beaten by one of these, or equals it"
        + (", or is beyond a limit." if found.limits else "."),
        *found.failed[:5],
        *([f"designs without all numbers: {len(found.failed)}"] if found.failed else []),
    )


def _show_sensitivity(decided: Sensitivity) -> None:
    from hypermon.cli import render

    render.show_all(
        f"{decided.summary()}\n",
        *_tables(decided.table.reset_index(), 2),
        *(f"\n{note}" for note in decided.notes),
    )


def _tables(frame: pd.DataFrame, keys: int) -> list[Any]:
    from hypermon.cli import render

    rows = [[f"{v:.6g}" if isinstance(v, float) else str(v) for v in row] for row in frame.itertuples(index=False)]
    numbers = [i for i, column in enumerate(frame.columns) if frame[column].dtype.kind in "if"]
    return render.fitting(list(map(str, frame.columns)), rows, numbers, keys)


def _front_json(source: str, trials: int, seed: int, found: Front) -> Mapping[str, Any]:
    return {
        "scenario": source,
        "objectives": dict(found.objectives),
        **({"limits": dict(found.limits)} if found.limits else {}),
        "trials": trials,
        "evaluated": found.evaluated,
        "space": found.space,
        "seed": seed,
        "front": _records(found.to_pandas()),
        "designs": _records(found.all()),
        "failed": list(found.failed),
    }


def _sensitivity_json(source: str, method: str, seed: int, decided: Sensitivity) -> Mapping[str, Any]:
    return {
        "scenario": source,
        "method": str(method),
        "seed": seed,
        "sensitivity": _records(decided.table.reset_index()),
        "samples": _records(decided.samples),
        "notes": list(decided.notes),
    }


def _records(frame: pd.DataFrame) -> Any:
    """The rows as JSON has them, with whole numbers as integers."""
    return json.loads(frame.to_json(orient="records", double_precision=15))
