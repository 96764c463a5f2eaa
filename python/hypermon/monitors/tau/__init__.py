# SPDX-License-Identifier: BSD-3-Clause
"""TAU: profiles of routines and MPI calls, written when the program ends."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hypermon.monitors import Monitor

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    import pandas as pd
    import typer

    from hypermon._model.activity import Activity
    from hypermon._model.result import Result
    from hypermon._model.vocabulary import Vocabulary
    from hypermon.judging.picture import Picture
    from hypermon.monitors import Setup
    from hypermon.report.view import View


def _add_tau(app: typer.Typer) -> None:
    from hypermon.monitors.tau import command

    command.add(app)


class _Tau(Monitor):
    name = "tau"
    unit = "bytes"
    own = True
    order = 7
    tells = ("profiles",)

    def vocabulary(self) -> Vocabulary:
        from hypermon.monitors.tau.vocabulary import VOCABULARY

        return VOCABULARY

    def report(self) -> View:
        from hypermon.monitors.tau.report import VIEW

        return VIEW

    def verdict(self) -> Callable[[Mapping[str, Any]], Sequence[str]]:
        from hypermon.monitors.tau.verdict import verdict

        return verdict

    def profiles(self) -> Callable[[Result], pd.DataFrame | None]:
        from hypermon.monitors.tau.profiles import of_routines

        return of_routines

    def picture(self) -> Callable[[Result, Activity], Picture | None]:
        from hypermon.monitors.tau.picture import picture

        return picture

    def knob(self) -> Sequence[Setup]:
        from hypermon.monitors.tau.knob import SETUPS

        return SETUPS

    def commands(self) -> Mapping[str, Callable[[typer.Typer], None]]:
        return {"tau": _add_tau}

    def pages(self) -> Mapping[str, str]:
        from hypermon.monitors.tau.reference import pages

        return pages()


MONITOR = _Tau()
