# SPDX-License-Identifier: BSD-3-Clause
"""`hypermon size`: finds the least depth, width or speed that meets targets."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from hypermon._printing import say
from hypermon.cli import complete
from hypermon.cli.common import JobsOption, NamedMetricOption, ParameterOptions, command, named_metrics

if TYPE_CHECKING:
    from hypermon._engine.load import Load
    from hypermon._engine.recording import Recording
    from hypermon._engine.sizing import Design, Size

MOST_CHOICES = 25  # (chosen) most choices of other parameters that are shown
SourceArgument = Annotated[
    str,
    typer.Argument(
        metavar="SCENARIO|RECORDING",
        help="Name of a scenario, YAML file, or a run directory of `hypermon record`.",
        autocompletion=complete.scenario_or_recording,
    ),
]


def add(app: typer.Typer) -> None:
    app.command()(size)


@dataclass(frozen=True)
class TargetOptions:
    """The options for targets."""

    target_loss: Annotated[
        str | None,
        typer.Option(
            metavar="SHARE",
            help="Largest share of data and of events that may be lost: 0.1% or 0.001. "
            "[default: 0, unless a target names a loss]",
            show_default=False,
        ),
    ] = None
    target: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=LIMIT",
            help="Upper limit of a quantity: events_lost=0, events_lost=0.1%, data_lost, latency_p99=1ms, "
            "timestamp_error=2us, causality_violations=0, or a number of the result. Repeatable.",
        ),
    ] = None
    metric: NamedMetricOption = None


@dataclass(frozen=True)
class RepeatOptions:
    """The options for several seeds."""

    repeats: Annotated[int, typer.Option(min=1, help="Number of runs with different seeds.")] = 1
    confidence: Annotated[str, typer.Option(metavar="SHARE", help="Confidence of the answer with --repeats.")] = "95%"
    quantile: Annotated[
        str, typer.Option(metavar="SHARE", help="Share of all runs for which the answer suffices, with --repeats.")
    ] = "50%"


@command
def size(
    source: SourceArgument,
    targets: TargetOptions,
    parameters: ParameterOptions,
    repeated: RepeatOptions,
    vary: Annotated[
        list[str] | None,
        typer.Option(
            metavar="PATH[=VALUES]",
            help="Parameter to size, optionally with its values: 64,256 or 64:65536:log2. Repeatable: the "
            "first is sized for each choice of the others. [default: the one by which the scenario's "
            "monitor is sized]",
        ),
    ] = None,
    cost: Annotated[
        str | None,
        typer.Option(
            metavar="EXPRESSION",
            help="Quantity to minimise: a cost of the monitor (cost.memory_bits), or arithmetic over costs "
            "and parameters.",
        ),
    ] = None,
    jobs: JobsOption = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print everything as JSON.")] = False,
) -> None:
    """Find the least value of a parameter that meets all targets, and the margin. Exit status 1 if none is found."""
    from hypermon._engine import progress, sizing

    loss = targets.target_loss
    with progress.search(source) as report:
        answer = sizing.size(
            source_of(source),
            _share("--target-loss", loss) if loss is not None else None,
            _vary(vary) if vary else None,
            targets=targets.target or (),
            metrics=named_metrics(targets.metric),
            settings=parameters.values,
            presets=parameters.presets,
            platform=parameters.platform,
            repeats=repeated.repeats,
            confidence=_share("--confidence", repeated.confidence),
            quantile=_share("--quantile", repeated.quantile),
            cost=cost,
            jobs=jobs,
            progress=report,
        )
    if as_json:
        say(json.dumps(answer.to_dict(), indent=1))
    else:
        _show(answer)
    raise typer.Exit(0 if answer.reached else 1)


def source_of(name: str) -> str | Recording:
    """Returns the recording of that name, or else the name of a scenario.

    Raises a UserError if there is neither, or a run without a recording.
    """
    from hypermon._engine import recording
    from hypermon._inputs import scenario
    from hypermon._model.result import RESULT
    from hypermon.errors import UserError

    path = Path(name)
    if recording.is_recording(path):
        return recording.Recording(path)
    if (path / RESULT).is_file():
        raise UserError(f"{name}: is a run without a recording; hypermon record makes a run with one")
    try:
        scenario.find(name)
    except UserError as error:
        if path.exists():
            raise
        raise UserError(f"{error}; nor is there a run or a recording of that name") from None
    return name


def _vary(given: list[str]) -> dict[str, object]:
    pairs = [text.partition("=") for text in given]
    return {path.strip(): values if equals else None for path, equals, values in pairs}


def _share(option: str, text: str) -> float:
    from hypermon.errors import UserError

    number, percent, rest = text.strip().partition("%")
    try:
        return float(number) / (100 if percent else 1) if not rest else float(text)
    except ValueError:
        raise UserError(f"{option} {text}: must be a share, such as 0.1% or 0.001") from None


def _show(answer: Size) -> None:
    from hypermon._model.result import show
    from hypermon.cli import render

    parts: list[Any] = [str(answer)]
    seeds = answer.per_seed
    if len(answer.frontier) > 1:
        others = [path for path in answer.frontier[0].settings if path != answer.parameter]
        shown = _near(answer)
        if len(shown) < len(answer.frontier):
            parts += [
                "",
                f"The {len(shown)} choices nearest to the answer, of {len(answer.frontier)} that were tried:",
            ]
        rows = [
            (
                *(show(d.settings[path]) for path in others),
                show(d.settings.get(answer.parameter)),
                show(d.cost),
                *([_long_run(d.load)] if answer.load is not None else []),
            )
            for d in shown
        ]
        columns = (*others, answer.parameter, "cost", *(["load"] if answer.load is not None else []))
        parts += ["", render.table(columns, rows, range(len(columns)))]
    if len(seeds) > 1:
        parts += ["", render.table(("seed", answer.parameter), [(s, show(v)) for s, v in seeds.items()], (0, 1))]
    parts += ["", _margins(answer), "", _evidence(answer), "", _search(answer)]
    render.show_all(*parts)


def _search(answer: Size) -> str:
    """Describes the search and the load."""
    from hypermon._model.result import show

    designs = {tuple(probe.settings.items()) for probe in answer.probes}
    values = [probe.settings[answer.parameter] for probe in answer.probes]
    ends = f"from {show(min(values))} to {show(max(values))}"
    seeds = f" with {len(answer.per_seed)} seeds each" if len(answer.per_seed) > 1 else ""
    description = (
        f"How it searched: {len(designs)} designs{seeds}, with {answer.parameter} {ends}. The range was narrowed down"
        " step by step; neighbours of the answer and values beyond it were tried as well."
    )
    if any(probe.load is not None for probe in answer.probes):
        description += " load: the long-term arrival rate, as a share of the rate that the hardware can sustain."
    return description


def _near(answer: Size) -> list[Design]:
    """Returns the choices of other parameters to show: all if there are few, else those near the answer."""
    frontier = list(answer.frontier)
    if len(frontier) <= MOST_CHOICES:
        return frontier
    cost = [d.cost if d.cost is not None else math.inf for d in frontier]
    best = next((i for i, d in enumerate(frontier) if d.settings == answer.settings), cost.index(min(cost)))
    first = min(max(0, best - MOST_CHOICES // 2), len(frontier) - MOST_CHOICES)
    return frontier[first : first + MOST_CHOICES]


def _long_run(load: Load | None) -> str:
    if load is None:
        return ""
    return f"{100 * load.share:.4g} %" + ("" if load.lasts else ", no depth is enough")


def _margins(answer: Size) -> Any:
    """Makes a table of the targets with the answer's number, its margin, and the number of the next cheaper value."""
    from hypermon._engine.sizing.answer import number_of
    from hypermon.cli import render

    worst = "found" if len(answer.per_seed) == 1 or not answer.reached else "worst found"
    cheaper = f"at {number_of(answer.next_cheaper)}" if answer.next_cheaper is not None else ""
    rows = []
    for margin in answer.margins:
        show, left = margin.target.show, margin.left
        at_next = f"{show(margin.next_value)}{', too much' if margin.binds else ''}" if cheaper else ""
        row = (margin.target.name, show(margin.target.limit), show(margin.value), "" if left is None else show(left))
        rows.append((*row, at_next) if cheaper else row)
    columns = ("target", "at most", worst, "margin", *([cheaper] if cheaper else []))
    return render.table(columns, rows, range(1, len(columns)))


def _evidence(answer: Size) -> Any:
    """Makes a table of the designs nearest to the answer, each with the worst seed."""
    from hypermon._model.result import show
    from hypermon.cli import render

    at_most = "" if len(answer.per_seed) == 1 else " at most"
    near: dict[tuple[str, ...], list[Any]] = {}
    for probe in answer.near():
        near.setdefault(tuple(show(value) for value in probe.settings.values()), []).append(probe)
    loads = any(probe.load is not None for probes in near.values() for probe in probes)
    columns = (*answer.probes[0].settings, *(t.name + at_most for t in answer.targets), *(["load"] if loads else []))
    evidence = []
    for values, probes in near.items():
        numbers = [
            t.show(None if None in (found := [p.numbers.get(t.name) for p in probes]) else max(found))
            for t in answer.targets
        ]
        load = max((p.load for p in probes if p.load is not None), key=lambda load: load.share, default=None)
        evidence.append((*values, *numbers, *([_long_run(load)] if loads else [])))
    return render.table(columns, evidence, range(len(columns)))
