# SPDX-License-Identifier: BSD-3-Clause
"""Commands and exit statuses: 0; 1 failed expectation; 2 user error; 3 failed simulation; 130 interrupted (Ctrl-C).

SIGTERM: the process ends by it, which a shell shows as 143.

Ctrl-C (SIGINT) is `interrupted` and 130 at any moment. While modules are loaded nothing is half done, and an exception
could be caught by any of them: the process ends at once. While the command is carried out it is a KeyboardInterrupt,
so that workers are ended and partial folders removed. After that the result is there, and Ctrl-C changes nothing.
"""

from __future__ import annotations

import os
import signal
import sys

TYPE_CHECKING = False  # until main() is called a Ctrl-C is Python's: nothing here, and in `hypermon`, takes any time
if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import FrameType, TracebackType
    from typing import Any

    import typer

INTERRUPTED = 130

# The module of what is answered by one alone. Typer builds every option of every command that it is given, which takes
# longer than a short simulation.
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
    """The command line, as far as these words need it."""
    from hypermon.cli import root

    first = words[0] if words else ""
    module = f"hypermon.cli.{ALONE[first]}" if first in ALONE else _of_a_monitor(first)
    if first != "--version" and not module:
        from hypermon.cli.app import app

        return root.listed(app) if first in ("-h", "--help") else app

    alone = root.made()
    if module:
        import importlib

        importlib.import_module(module).add(alone)
    return alone


def _of_a_monitor(word: str) -> str:
    """The module of a monitor's own command; empty: it is none."""
    if not word.isalnum():
        return ""
    from hypermon._model import monitors

    return next((one.commands[word] for one in monitors.registered().values() if word in one.commands), "")


_seen = False


def _end(_signal: int, _frame: FrameType | None) -> None:
    os.write(2, b"interrupted\n")
    os._exit(INTERRUPTED)


def _interrupt(_signal: int, _frame: FrameType | None) -> None:
    global _seen
    _seen = True
    raise KeyboardInterrupt


def _end_at_once() -> None:
    """From now on Ctrl-C ends the process; not if whoever started it has it ignored, or handles it in this process."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _end)
        sys.unraisablehook = _unraisable


def _ignore() -> None:
    """From now on Ctrl-C changes nothing."""
    if signal.getsignal(signal.SIGINT) in (_end, _interrupt):
        signal.signal(signal.SIGINT, signal.SIG_IGN)


class Interruptible:
    """Around a command: Ctrl-C is a KeyboardInterrupt, whatever a library makes of it; after it Ctrl-C is ignored."""

    def __enter__(self) -> None:
        if signal.getsignal(signal.SIGINT) is _end:
            signal.signal(signal.SIGINT, _interrupt)

    def __exit__(self, kind: type[BaseException] | None, error: object, trace: TracebackType | None) -> None:
        _ignore()
        if _seen and (kind is None or issubclass(kind, Exception)):
            raise KeyboardInterrupt from None


def _unraisable(what: Any) -> None:
    """An exception where none can be raised, as in a destructor: Python would only print it."""
    if issubclass(what.exc_type, Exception):
        sys.__unraisablehook__(what)
    else:
        number = signal.SIGINT if issubclass(what.exc_type, KeyboardInterrupt) else signal.SIGTERM
        os.kill(os.getpid(), number)  # once more


class _Terminated(BaseException):
    """SIGTERM. Nothing between here and main() takes it for one of its own."""


def _terminate(_signal: int, _frame: FrameType | None) -> None:
    raise _Terminated


def main() -> None:
    """Entry point. SIGTERM ends a command as Ctrl-C does, workers killed and no partial folders, but for the status:
    the process ends by the signal (143 in a shell), as it does before and after it has a handler.

    Garbage is looked for while a command is carried out, and not among what was imported for it or what ends with the
    process: a tenth of a short run.
    """
    _end_at_once()
    import gc

    from hypermon import _printing

    gc.disable()
    try:
        signal.signal(signal.SIGTERM, _terminate)
        try:
            _printing.install()
            command = application(sys.argv[1:])
            gc.freeze()
            gc.enable()
            command()
        finally:
            _ignore()
            gc.freeze()
            signal.signal(signal.SIGTERM, signal.SIG_DFL)
    except _Terminated:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        _printing.say("terminated", err=True)
        os.kill(os.getpid(), signal.SIGTERM)
