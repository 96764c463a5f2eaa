# SPDX-License-Identifier: BSD-3-Clause
"""Ctrl-C (SIGINT) at any time during a command gives `interrupted`, status 130 and no traceback.

While modules are loaded there is no work to undo, and any module could catch an exception: the process ends at once.
During the command, Ctrl-C is a KeyboardInterrupt, so that workers are ended and partial folders removed. Afterwards the
result exists, and Ctrl-C has no effect.
"""

from __future__ import annotations

import os
import signal
import sys

TYPE_CHECKING = False  # `typing` takes longer to load than this whole module
if TYPE_CHECKING:
    from types import FrameType, TracebackType
    from typing import Any

STATUS = 130
_seen = False


def _end(_signal: int, _frame: FrameType | None) -> None:
    os.write(2, b"interrupted\n")
    os._exit(STATUS)


def _interrupt(_signal: int, _frame: FrameType | None) -> None:
    global _seen
    _seen = True
    raise KeyboardInterrupt


def end_at_once() -> None:
    """Lets Ctrl-C end the process at once, unless its parent ignores Ctrl-C or this process already handles it."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _end)
        sys.unraisablehook = _unraisable


def ignore() -> None:
    """Makes Ctrl-C have no effect from now on."""
    if signal.getsignal(signal.SIGINT) in (_end, _interrupt):
        signal.signal(signal.SIGINT, signal.SIG_IGN)


class Interruptible:
    """Context of a command: Ctrl-C is a KeyboardInterrupt, whatever a library does with it. Afterwards Ctrl-C is
    ignored.
    """

    def __enter__(self) -> None:
        if signal.getsignal(signal.SIGINT) is _end:
            signal.signal(signal.SIGINT, _interrupt)

    def __exit__(self, kind: type[BaseException] | None, error: object, trace: TracebackType | None) -> None:
        ignore()
        if _seen and (kind is None or issubclass(kind, Exception)):
            raise KeyboardInterrupt from None


def _unraisable(what: Any) -> None:
    """Handles an interrupt where no exception can be raised, as in a destructor: Python would only print it. It is sent
    again.
    """
    if issubclass(what.exc_type, Exception):
        sys.__unraisablehook__(what)
    else:
        import _thread  # its threads need not have begun when this function returns
        import time

        def again() -> None:
            time.sleep(0.1)
            os.kill(os.getpid(), signal.SIGINT if issubclass(what.exc_type, KeyboardInterrupt) else signal.SIGTERM)

        _thread.start_new_thread(again, ())
