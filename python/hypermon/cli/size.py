"""`hypermon size`: how deep, wide or fast?"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from hypermon.cli.common import JobsOption, PlatformOption, PresetOption, SetOption, command, settings_of

if TYPE_CHECKING:
    from hypermon.recording import Recording
    from hypermon.sizing import Size

SourceArgument = Annotated[
    str, typer.Argument(metavar="SCENARIO|RECORDING", help="Name, YAML file, or a run directory of hypermon record.")
]


def add(app: typer.Typer) -> None:
    app.command()(size)


@command
def size(
    source: SourceArgument,
    vary: Annotated[
        list[str] | None,
        typer.Option(
            metavar="PATH[=VALUES]",
            help="Parameter to size, perhaps only over some values: 64,256 or 64:65536:log2. Repeatable: the first is"
            " sized for each choice of the others. [default: ecb.frame_fifo_frames]",
        ),
    ] = None,
    target_loss: Annotated[
        str, typer.Option(metavar="SHARE", help="Share of the data that may be lost: 0.1% or 0.001.")
    ] = "0",
    settings: SetOption = None,
    preset: PresetOption = None,
    platform: PlatformOption = None,
    repeats: Annotated[int, typer.Option(min=1, help="Runs with different seeds.")] = 1,
    confidence: Annotated[str, typer.Option(metavar="SHARE", help="With repeats: how sure the answer is.")] = "95%",
    quantile: Annotated[
        str, typer.Option(metavar="SHARE", help="With repeats: for which share of all runs it is enough.")
    ] = "50%",
    cost: Annotated[
        str | None,
        typer.Option(
            metavar="EXPRESSION",
            help="What to make small: cost.memory_bits, cost.bandwidth_bytes_per_s, arithmetic over these and"
            " parameters.",
        ),
    ] = None,
    jobs: JobsOption = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print everything as JSON.")] = False,
) -> None:
    """The least value of a parameter with which no more than so much is lost. Exit status 1 if none is found."""
    from hypermon import sizing

    answer = sizing.size(
        source_of(source),
        _share("--target-loss", target_loss),
        _vary(vary or ["ecb.frame_fifo_frames"]),
        settings=settings_of(settings),
        presets=preset or (),
        platform=platform,
        repeats=repeats,
        confidence=_share("--confidence", confidence),
        quantile=_share("--quantile", quantile),
        cost=cost,
        jobs=jobs,
    )
    if as_json:
        typer.echo(json.dumps(answer.to_dict(), indent=1))
    else:
        _show(answer)
    raise typer.Exit(0 if answer.reached else 1)


def source_of(name: str) -> str | Recording:
    """A recording if there is one of that name, else the name of a scenario."""
    from hypermon.recording import FILE, Recording

    path = Path(name)
    return Recording(path) if path.suffix == ".arrow" or (path / FILE).is_file() else name


def _vary(given: list[str]) -> dict[str, object]:
    pairs = [text.partition("=") for text in given]
    return {path.strip(): values if equals else None for path, equals, values in pairs}


def _share(option: str, text: str) -> float:
    from hypermon.errors import UserError

    number, percent, rest = text.strip().partition("%")
    try:
        return float(number) / (100 if percent else 1) if not rest else float(text)
    except ValueError:
        raise UserError(f"{option} {text}: must be a share, as 0.1% or 0.001") from None


def _show(answer: Size) -> None:
    from hypermon.checks import show
    from hypermon.cli import render

    parts: list[Any] = [str(answer)]
    seeds = answer.per_seed
    if len(answer.frontier) > 1:
        others = [path for path in answer.frontier[0].settings if path != answer.parameter]
        rows = [
            (*(show(d.settings[path]) for path in others), show(d.settings.get(answer.parameter)), show(d.cost))
            for d in answer.frontier
        ]
        parts += ["", render.table((*others, answer.parameter, "cost"), rows, range(len(others) + 2))]
    if len(seeds) > 1:
        parts += ["", render.table(("seed", answer.parameter), [(s, show(v)) for s, v in seeds.items()], (0, 1))]
    near: dict[tuple[str, ...], list[float]] = {}
    for probe in answer.near():
        near.setdefault(tuple(show(value) for value in probe.settings.values()), []).append(probe.loss)
    columns = (*answer.probes[0].settings, "lost" if len(seeds) == 1 else "lost at most")
    evidence = [(*values, f"{100 * max(losses):.4g} %") for values, losses in near.items()]
    parts += ["", render.table(columns, evidence, range(len(columns)))]
    render.show_all(*parts)
