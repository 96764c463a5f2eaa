# SPDX-License-Identifier: BSD-3-Clause
"""Starts commands and determines exit statuses.

0: success; 1: failed expectation; 2: user error; 3: failed simulation; 130: interrupted (Ctrl-C). After SIGTERM and
SIGHUP the process ends by the signal, which a shell shows as 143 and 129.
"""

from __future__ import annotations

import os
import signal
import sys

from hypermon import _interrupts

TYPE_CHECKING = False  # until main() is called a Ctrl-C is Python's: nothing here, and in `hypermon`, takes any time
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from types import FrameType

    import typer

ENDING = (signal.SIGTERM, signal.SIGHUP)
# Commands that only need their own module. Typer builds all options of all given commands, which takes longer than a
# short simulation.
ALONE = {
    "calibrate": "calibrate",
    "check": "check",
    "params": "lists",
    "platforms": "lists",
    "report": "report",
    "run": "run",
    "scenarios": "lists",
    "sweep": "sweep",
}


def application(words: Sequence[str]) -> typer.Typer:
    """Returns the part of the command line that these words need."""
    from hypermon.cli import root

    first = words[0] if words else ""
    add = _of_hypermon(first) or _of_a_monitor(first)
    if first != "--version" and add is None:
        from hypermon.cli.app import app

        return root.listed(app) if first in ("-h", "--help") else app

    alone = root.make_app()
    if add is not None:
        add(alone)
    return alone


def _of_hypermon(word: str) -> Callable[[typer.Typer], None] | None:
    """Returns the function that adds a command of ALONE. None: it is not in ALONE."""
    if word not in ALONE:
        return None
    import importlib

    add: Callable[[typer.Typer], None] = importlib.import_module(f"hypermon.cli.{ALONE[word]}").add
    return add


def _of_a_monitor(word: str) -> Callable[[typer.Typer], None] | None:
    """Returns the function that adds a monitor's own command. None: it is no such command."""
    if not word.isalnum():
        return None
    from hypermon._model import monitors

    return next((own[word] for one in monitors.registered().values() if word in (own := one.commands())), None)


class _Terminated(BaseException):
    """SIGTERM or SIGHUP. It is no Exception, so that no handler below main() catches it."""


def _terminate(number: int, _frame: FrameType | None) -> None:
    for other in ENDING:
        if signal.getsignal(other) is _terminate:
            signal.signal(other, signal.SIG_IGN)  # a second signal must not interrupt the cleanup
    raise _Terminated(number)


def main() -> None:
    """Entry point.

    SIGTERM ends a command like Ctrl-C: workers are killed and partial folders removed. Then the process ends by the
    signal (143 in a shell). The same holds for SIGHUP, which a closed terminal sends, unless it is ignored (nohup).

    The garbage collector runs only while a command is carried out, and ignores imported objects. This saves a tenth of
    a short run's time.
    """
    _interrupts.end_at_once()
    import contextlib
    import gc

    from hypermon import _printing
    from hypermon._files import search_paths

    gc.disable()
    search_paths.clean(os.environ)
    try:
        for number in ENDING:
            if number == signal.SIGTERM or signal.getsignal(number) is signal.SIG_DFL:
                signal.signal(number, _terminate)
        try:
            _printing.install()
            command = application(sys.argv[1:])
            gc.freeze()
            gc.enable()
            command()
        finally:
            _interrupts.ignore()
            gc.freeze()
            for number in ENDING:
                if signal.getsignal(number) is _terminate:
                    signal.signal(number, signal.SIG_DFL)
    except _Terminated as ended:
        number = ended.args[0]
        signal.signal(number, signal.SIG_DFL)
        with contextlib.suppress(OSError):  # the terminal was closed
            _printing.say("terminated", err=True)
        os.kill(os.getpid(), number)
