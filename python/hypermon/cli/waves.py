"""`hypermon waves`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hypermon.cli import complete
from hypermon.cli.common import PresetOption, SetOption, command, settings_of

if TYPE_CHECKING:
    from hypermon.waves import Waves


@command
def waves(
    recording: Annotated[
        Path,
        typer.Argument(
            help="A run directory made by `hypermon record`, or its recording.", autocompletion=complete.recording
        ),
    ],
    settings: SetOption = None,
    preset: PresetOption = None,
    at: Annotated[
        str | None,
        typer.Option(
            metavar="WHEN",
            help="first-loss, loss:CAUSE, occupancy>FRAMES, rankN.send (or another event) or a time (1.2s) "
            "[default: first-loss].",
        ),
    ] = None,
    pre: Annotated[str | None, typer.Option(metavar="TIME", help="So long before it [default: 5ms].")] = None,
    post: Annotated[str | None, typer.Option(metavar="TIME", help="And so long after it [default: 1ms].")] = None,
    window: Annotated[
        str | None, typer.Option(metavar="BEGIN..END", help="Instead of --at: 1.2s..1.25s, 1.2s.. or ..50ms.")
    ] = None,
    signals: Annotated[
        list[str] | None,
        typer.Option(metavar="GLOB", help="Only these: 'board0.ecb.frame_fifo', '*.level' [default: all]. Repeatable."),
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="A .vcd or .fst [default: waves.vcd beside the recording].")
    ] = None,
    view: Annotated[
        str | None,
        typer.Option(
            metavar="NAME|YAML", help="What GTKWave shows: waves/views [default: overview].", show_default=False
        ),
    ] = None,
    show: Annotated[bool, typer.Option("--open", help="Show them in GTKWave.")] = False,
) -> None:
    """Waves of a recorded run, for GTKWave: the monitor hardware around a loss, edge by edge."""
    from hypermon import waves as wave_files
    from hypermon.errors import UserError
    from hypermon.waves.writing import tool

    around = {"--at": at, "--pre": pre, "--post": post}
    if window is not None and any(around.values()):
        also = next(option for option, value in around.items() if value)
        raise UserError(f"--window and {also}: only one of them")
    viewer = tool("gtkwave", "--open needs") if show else None
    written = wave_files.write(
        recording,
        out,
        settings_of(settings),
        presets=preset or (),
        at=at or "first-loss",
        pre=pre or "5ms",
        post=post or "1ms",
        between=window,
        only=signals or (),
        view=view or "overview",
    )
    show_written(written, hint=viewer is None)
    if viewer is None:
        return
    import subprocess

    subprocess.Popen([viewer, str(written.path), str(written.view)], start_new_session=True)


def show_written(written: Waves, hint: bool = True) -> None:
    """What was written; `hint`: and how to see it."""
    typer.echo(f"from {_seconds(written.from_ps)} to {_seconds(written.to_ps)}")
    if written.marker_ps is not None:
        typer.echo(f"marker at {_seconds(written.marker_ps)}")
    size = written.path.stat().st_size
    typer.echo(f"waves {written.path}: {sum(written.transitions.values())} transitions, {size / 1e6:.1f} MB")
    if hint:
        typer.echo(f"gtkwave {written.path} {written.view}")


def _seconds(ps: int) -> str:
    """All digits."""
    digits = f"{ps % 10**12:012d}".rstrip("0")
    return f"{ps // 10**12}.{digits or '0'} s"


def add(app: typer.Typer) -> None:
    app.command()(waves)
