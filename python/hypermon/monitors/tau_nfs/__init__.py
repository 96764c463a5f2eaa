# SPDX-License-Identifier: BSD-3-Clause
"""TAU whose profiles leave as files of a shared file system while the program runs. Their content is that of TAU."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hypermon.monitors import Monitor

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    import pandas as pd

    from hypermon._model.activity import Activity
    from hypermon._model.result import Result
    from hypermon.judging.picture import Picture
    from hypermon.monitors import Setup
    from hypermon.report.view import View


class _TauOverFiles(Monitor):
    name = "tau_nfs"
    unit = "bytes"
    own = True
    order = 8
    tells = ("time series", "profiles")

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
        from hypermon.monitors.tau.knob import OVER_FILES

        return OVER_FILES


MONITOR = _TauOverFiles()
