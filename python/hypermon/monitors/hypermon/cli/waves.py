# SPDX-License-Identifier: BSD-3-Clause
"""`hypermon waves`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hypermon._printing import say
from hypermon.cli.common import HardwareOptions, RecordingArgument, command, output_plain_file

if TYPE_CHECKING:
    from hypermon.monitors.hypermon.waves import Waves

OPENS_S = 0.7  # (chosen) time after which a running viewer counts as opened


@dataclass(frozen=True)
class WindowOptions:
    """The options that choose the time of the waves."""

    at: Annotated[
        str | None,
        typer.Option(
            metavar="WHEN",
            help="Trigger of the waves: first-loss, loss:CAUSE, occupancy>FRAMES, rankN.send (or another "
            "event), difference (of your own board, with ecb.lockstep) or a time (1.2s) [default: first-loss].",
        ),
    ] = None
    pre: Annotated[
        str | None,
        typer.Option(
            metavar="TIME",
            help="Time before the trigger from which waves are written [default: since the frame FIFO was empty, "
            "at most 50ms].",
        ),
    ] = None
    post: Annotated[
        str | None,
        typer.Option(metavar="TIME", help="Time after the trigger until which waves are written [default: 1ms]."),
    ] = None
    window: Annotated[
        str | None,
        typer.Option(
            metavar="BEGIN..END", help="Interval of the waves instead of --at: 1.2s..1.25s, 1.2s.. or ..50ms."
        ),
    ] = None

    def check(self) -> None:
        """Raises a UserError for options that exclude each other."""
        from hypermon.errors import UserError

        around = {"--at": self.at, "--pre": self.pre, "--post": self.post}
        if self.window is not None and any(around.values()):
            also = next(option for option, value in around.items() if value)
            raise UserError(f"--window and {also}: only one of them")


@dataclass(frozen=True)
class FileOptions:
    """The options that choose what is written, and where."""

    signals: Annotated[
        list[str] | None,
        typer.Option(
            metavar="GLOB",
            help="Write only these signals: 'board0.ecb.frame_fifo', '*.level' [default: all]. Repeatable.",
        ),
    ] = None
    out: Annotated[
        Path | None,
        output_plain_file("--out", "-o", help="File to write, .vcd or .fst [default: waves.vcd beside the recording]."),
    ] = None
    view: Annotated[
        str | None,
        typer.Option(
            metavar="NAME|YAML",
            help="View that GTKWave shows, from waves/views [default: overview].",
            show_default=False,
        ),
    ] = None
    force: Annotated[bool, typer.Option("--force", "-f", help="Replace existing waves.")] = False


@command
def waves(
    recording: RecordingArgument,
    hardware: HardwareOptions,
    when: WindowOptions,
    files: FileOptions,
    show: Annotated[bool, typer.Option("--open", help="Show the waves in GTKWave.")] = False,
) -> None:
    """Write waves of the monitor hardware for GTKWave.

    The waves show a recorded run around a loss, edge by edge.

    Exit status 0: waves were written, or a loss was requested and nothing is lost. 1: the trigger never happens.
    """
    from hypermon.monitors.hypermon import waves as wave_files

    when.check()
    viewer = _viewer() if show else None
    try:
        written = wave_files.write(
            recording,
            files.out,
            hardware.values,
            presets=hardware.presets,
            at=when.at or "first-loss",
            pre=when.pre,
            post=when.post or "1ms",
            between=when.window,
            only=files.signals or (),
            view=files.view or "overview",
            force=files.force,
            print_line=say,
        )
    except wave_files.NothingLostError as good:
        say(str(good))
        return
    show_written(written, hint=viewer is None)
    if viewer is None:
        return
    _open(viewer, written)


def _viewer() -> str:
    """Returns GTKWave's path. Raises a UserError without a display, where GTKWave prints its help and succeeds."""
    import os
    import sys

    from hypermon._engine.wave_files import tool
    from hypermon.errors import UserError

    if sys.platform.startswith("linux") and not os.environ.get("DISPLAY") and not os.environ.get("WAYLAND_DISPLAY"):
        raise UserError("--open: GTKWave needs a display, and DISPLAY is not set; write the waves without --open")
    return tool("gtkwave", "--open needs")


def _open(viewer: str, written: Waves) -> None:
    """Leaves the viewer running; one that ends at once did not open."""
    import os
    import subprocess

    from hypermon.errors import UserError

    files = [str(written.path.absolute()), str(written.view.absolute())]  # a name that begins with `-` is no option
    nothing = subprocess.DEVNULL
    opened = subprocess.Popen([viewer, *files], stdin=nothing, stdout=nothing, stderr=nothing, start_new_session=True)
    try:
        status = opened.wait(OPENS_S)
    except subprocess.TimeoutExpired:
        return
    display = os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY") or "not set"
    raise UserError(f"--open: {viewer} ended at once, with status {status}; DISPLAY is {display}")


def show_written(written: Waves, hint: bool = True) -> None:
    """Prints the names of the written files. `hint`: also prints how to view them."""
    from hypermon._engine.wave_files import viewer_command

    say(f"from {_seconds(written.from_ps)} to {_seconds(written.to_ps)}")
    if written.marker_ps is not None:
        say(f"marker at {_seconds(written.marker_ps)}")
    size = written.path.stat().st_size
    say(f"waves {written.path}: {sum(written.transitions.values())} transitions, {size / 1e6:.1f} MB")
    if hint:
        say(viewer_command(written.path, written.view))


def _seconds(ps: int) -> str:
    """Formats a time in s with all its digits."""
    digits = f"{ps % 10**12:012d}".rstrip("0")
    return f"{ps // 10**12}.{digits or '0'} s"


def add(app: typer.Typer) -> None:
    app.command()(waves)
