# SPDX-License-Identifier: BSD-3-Clause
"""HDTrace: MPI calls, layers of the file system, utilisation and power, in HDTrace's own files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hypermon.monitors import Monitor

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    import typer

    from hypermon._model.activity import Activity
    from hypermon._model.result import Result
    from hypermon._model.vocabulary import Vocabulary
    from hypermon.judging.picture import Picture
    from hypermon.monitors import Setup
    from hypermon.report.view import View
    from hypermon.timelines.tracks import TimeLine


def _add_hdtrace(app: typer.Typer) -> None:
    from hypermon.monitors.hdtrace import command

    command.add(app)


class _HDTrace(Monitor):
    name = "hdtrace"
    unit = "bytes"
    own = True
    order = 6
    tells = ("events", "time series", "relations")

    def vocabulary(self) -> Vocabulary:
        from hypermon.monitors.hdtrace.vocabulary import VOCABULARY

        return VOCABULARY

    def report(self) -> View:
        from hypermon.monitors.hdtrace.report import VIEW

        return VIEW

    def verdict(self) -> Callable[[Mapping[str, Any]], Sequence[str]]:
        from hypermon.monitors.hdtrace.verdict import verdict

        return verdict

    def timeline(self) -> Callable[[Result], TimeLine | None]:
        from hypermon.monitors.hdtrace.timeline import timeline

        return timeline

    def picture(self) -> Callable[[Result, Activity], Picture | None]:
        from hypermon.monitors.hdtrace.picture import picture

        return picture

    def knob(self) -> Sequence[Setup]:
        from hypermon.monitors.hdtrace.knob import SETUPS

        return SETUPS

    def commands(self) -> Mapping[str, Callable[[typer.Typer], None]]:
        return {"hdtrace": _add_hdtrace}


MONITOR = _HDTrace()
