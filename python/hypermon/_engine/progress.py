# SPDX-License-Identifier: BSD-3-Clause
"""The terminal, if there is one, and progress on it."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from hypermon._engine.workers import Progress as Report

if TYPE_CHECKING:
    from rich.console import Console

_ASK_RICH = {"FORCE_COLOR", "TTY_COMPATIBLE"}  # whether something is a terminal that does not look like one


def terminal(stderr: bool = False) -> Console | None:
    """To print on, if the output is a terminal. Rich is imported for one only."""
    stream = sys.stderr if stderr else sys.stdout
    if not _ASK_RICH & os.environ.keys() and not stream.isatty():
        return None
    from rich.console import Console

    screen = Console(stderr=stderr, highlight=False, emoji=False)
    return screen if screen.is_terminal else None


@contextlib.contextmanager
def simulated_time(name: str) -> Iterator[Report | None]:
    """A line that follows one simulation."""
    screen = terminal(stderr=True)
    if screen is None:
        yield None
        return
    with screen.status(name) as status:

        def report(simulated_s: float, events: int) -> None:
            counted = f", {events} events" if events else ""
            status.update(f"{name}: {simulated_s:.1f} s simulated{counted}")

        yield report


@contextlib.contextmanager
def bar(name: str, total: int) -> Iterator[Callable[[int], None] | None]:
    """A bar over a known number of runs."""
    screen = terminal(stderr=True)
    if screen is None:
        yield None
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=screen, transient=True) as progress:
        task = progress.add_task(name, total=total)
        yield lambda _index: progress.advance(task)


@contextlib.contextmanager
def points(name: str, total: int) -> Iterator[Callable[[int, int], None] | None]:
    """A bar over the points of a sweep, with rate, remaining time and failures."""
    screen = terminal(stderr=True)
    if screen is None or not total:
        yield None
        return
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    shown = (TextColumn(text) for text in ("{task.description}", "{task.fields[rate]}", "{task.fields[failures]}"))
    described, rate, failures = shown
    columns = (described, BarColumn(), MofNCompleteColumn(), rate, TimeElapsedColumn(), TimeRemainingColumn(), failures)
    with Progress(*columns, console=screen, transient=True) as progress:
        task = progress.add_task(name, total=total, rate="", failures="")
        failed_so_far = 0

        def report(finished: int, failed: int) -> None:
            nonlocal failed_so_far
            failed_so_far += failed
            progress.advance(task, finished)
            elapsed = progress.tasks[0].elapsed or 0
            said = f"{progress.tasks[0].completed / elapsed:.3g}/s" if elapsed else ""
            progress.update(task, rate=said, failures=f"{failed_so_far} failed" if failed_so_far else "")

        yield report
