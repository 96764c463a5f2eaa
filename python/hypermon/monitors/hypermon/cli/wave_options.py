# SPDX-License-Identifier: BSD-3-Clause
"""Options of `hypermon run` that record waves of the HYPERMON monitor's hardware (`hypermon._engine.extras.Extras`)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from hypermon._printing import say
from hypermon.cli.common import output_plain_file

if TYPE_CHECKING:
    from hypermon._engine.workers import Progress
    from hypermon._model.result import Result
    from hypermon._model.spec import Spec

WHAT = "waves"
OPTIONS: Mapping[str, Any] = {
    "wave_trigger": Annotated[
        str | None,
        typer.Option(
            metavar="WHEN",
            help="Also write waves of the monitor hardware around a trigger: first-loss, loss:CAUSE, "
            "occupancy>FRAMES, rankN.send (or another event), difference (of your own board, with ecb.lockstep) or a "
            "time (1.2s).",
        ),
    ],
    "pre": Annotated[
        str | None,
        typer.Option(metavar="TIME", help="Time before the trigger from which waves are written [default: 5ms]."),
    ],
    "post": Annotated[
        str | None,
        typer.Option(metavar="TIME", help="Time after the trigger until which waves are written [default: 1ms]."),
    ],
    "wave_window": Annotated[
        str | None,
        typer.Option(metavar="BEGIN..END", help="Interval of the waves, like 1.2s..1.25s, instead of a trigger."),
    ],
    "wave_signals": Annotated[
        list[str] | None, typer.Option(metavar="GLOB", help="Write only these signals [default: all]. Repeatable.")
    ],
    "wave_view": Annotated[
        str | None,
        typer.Option(
            metavar="NAME|YAML",
            help="View that GTKWave shows, from waves/views [default: overview].",
            show_default=False,
        ),
    ],
    "wave_file": Annotated[
        Path | None,
        output_plain_file(
            help="File to write, .vcd or .fst [default: waves.vcd in the run directory].", show_default=False
        ),
    ],
}


def wanted(
    wave_trigger: str | None,
    pre: str | None,
    post: str | None,
    wave_window: str | None,
    wave_signals: list[str] | None,
    wave_view: str | None,
    wave_file: Path | None,
) -> dict[str, Any] | None:
    """The waves that the options request; None if they request none."""
    from hypermon.errors import UserError

    around = {"--wave-trigger": wave_trigger, "--pre": pre, "--post": post}
    if wave_trigger is None and wave_window is None:
        also = {
            "--pre": pre, "--post": post, "--wave-signals": wave_signals, "--wave-view": wave_view,
            "--wave-file": wave_file,
        }  # fmt: skip
        for option in (option for option, value in also.items() if value):
            raise UserError(f"{option}: describes waves; request them with --wave-trigger or --wave-window")
        return None
    if wave_window is not None and any(around.values()):
        also_given = next(option for option, value in around.items() if value)
        raise UserError(f"--wave-window and {also_given}: only one of them")
    return {
        "at": wave_trigger or "first-loss",
        "pre": pre or "5ms",
        "post": post or "1ms",
        "between": wave_window,
        "only": tuple(wave_signals or ()),
        "view": wave_view or "overview",
        "path": wave_file,
    }


def run(
    spec: Spec, out: Path, progress: Progress | None, wanted: Mapping[str, Any], force: bool
) -> tuple[Result, Callable[[], None]]:
    """Runs with waves. Returns the result and a function that prints a message about the waves."""
    from hypermon._files import files
    from hypermon._model.result import Result
    from hypermon.monitors.hypermon.cli.waves import show_written
    from hypermon.monitors.hypermon.waves import NothingLostError, Wanted, simulate

    for target in filter(None, (out, wanted["path"])):
        files.keep(target, wanted["view"])
    try:
        result, written = simulate(spec, out, Wanted(**wanted), progress, force, print_line=say)
    except NothingLostError as error:
        message = str(error)
        return Result(out), lambda: say(message)
    return result, lambda: show_written(written)
