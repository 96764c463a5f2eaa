# SPDX-License-Identifier: BSD-3-Clause
"""`hypermon explore`: a page on this machine for varying a recording's hardware."""

from __future__ import annotations

import os
import shutil
import sys
import threading
from typing import Annotated

import typer

from hypermon._printing import say
from hypermon.cli.common import RecordingArgument, command


def add(app: typer.Typer) -> None:
    app.command()(explore)


@command
def explore(
    recording: RecordingArgument,
    port: Annotated[int, typer.Option(min=0, max=65535, help="TCP port on 127.0.0.1. 0: a free one.")] = 0,
    browser: Annotated[bool, typer.Option("--browser/--no-browser", help="Open the page in the browser.")] = True,
) -> None:
    """Change a recording's hardware with sliders in the browser, and see what it loses."""
    from hypermon import explorer
    from hypermon._engine import recording as recordings

    served = explorer.serve(recordings.Recording(recording), port)
    try:
        say("Ctrl-C ends it.", err=True)
        say(f"explorer at {served.address}")  # last, because a reader of the address may end the command at once
        sys.stdout.flush()
        if browser and _has_browser():
            typer.launch(served.address)
        threading.Event().wait()
    finally:
        served.close()


def _has_browser() -> bool:
    """Is there a desktop with a browser? A browser in the terminal would hide the address."""
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")) and shutil.which("xdg-open") is not None
