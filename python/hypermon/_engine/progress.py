# SPDX-License-Identifier: BSD-3-Clause
"""Progress displays. They appear only on a terminal."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator

from hypermon._engine.workers import Progress as Report
from hypermon._printing import install_again, one_line, terminal


@contextlib.contextmanager
def simulated_time(name: str) -> Iterator[Report | None]:
    """A line with the progress of one simulation."""
    screen = terminal(stderr=True)
    if screen is None:
        yield None
        return
    from rich.text import Text

    name = one_line(name)
    spinner = "dots" if screen.encoding.startswith("utf") else "line"
    with screen.status(Text(name), spinner=spinner) as status:
        install_again()

        def report(simulated_s: float, events: int) -> None:
            counted = f", {events} events" if events else ""
            status.update(Text(f"{name}: {simulated_s:.1f} s simulated{counted}"))

        yield report


@contextlib.contextmanager
def bar(name: str, total: int) -> Iterator[Callable[[int], None] | None]:
    """A progress bar for a known number of runs."""
    screen = terminal(stderr=True)
    if screen is None:
        yield None
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    described = TextColumn("{task.description}", markup=False)
    columns = (described, BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=screen, transient=True) as progress:
        install_again()
        name = one_line(name)
        task = progress.add_task(name, total=total)
        yield lambda _index: progress.advance(task)


@contextlib.contextmanager
def points(name: str, total: int, waiting: str = "") -> Iterator[Callable[[int, int], None] | None]:
    """A progress bar for the points of a sweep, with rate, remaining time and failures.

    `waiting`: a text that is shown until the first point is finished, while the program is recorded.
    """
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

    texts = ("{task.description}", "{task.fields[rate]}", "{task.fields[failures]}")
    shown = (TextColumn(text, markup=False) for text in texts)
    described, rate, failures = shown
    columns = (described, BarColumn(), MofNCompleteColumn(), rate, TimeElapsedColumn(), TimeRemainingColumn(), failures)
    with Progress(*columns, console=screen, transient=True) as progress:
        install_again()
        task = progress.add_task(one_line(name), total=total, rate=waiting, failures="")
        failed_so_far = 0

        def report(finished: int, failed: int) -> None:
            nonlocal failed_so_far
            failed_so_far += failed
            progress.advance(task, finished)
            elapsed = progress.tasks[0].elapsed or 0
            rate = f"{progress.tasks[0].completed / elapsed:.3g}/s" if elapsed else ""
            progress.update(task, rate=rate, failures=f"{failed_so_far} failed" if failed_so_far else "")

        yield report


@contextlib.contextmanager
def search(name: str) -> Iterator[Callable[[int, int], None] | None]:
    """A progress bar for a search whose length is only estimated."""
    screen = terminal(stderr=True)
    if screen is None:
        yield None
        return
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    column = TextColumn("{task.completed} of about {task.total} designs")
    with Progress(
        TextColumn("{task.description}"), BarColumn(), column, TimeElapsedColumn(), console=screen, transient=True
    ) as progress:
        task = progress.add_task(name, total=1)
        yield lambda looked_at, expected: progress.update(task, completed=looked_at, total=max(1, expected))
