# SPDX-License-Identifier: BSD-3-Clause
"""HPVM's monitor: a node that polls performance objects, and a global clock in software."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hypermon.monitors import Monitor

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    import numpy as np
    import pandas as pd
    from numpy.typing import NDArray

    from hypermon._model.result import Result
    from hypermon.monitors import Setup
    from hypermon.report.view import View


class _Hpvm(Monitor):
    name = "hpvm"
    unit = "samples"
    order = 3
    tells = ("time series",)

    def report(self) -> View:
        from hypermon.monitors.hpvm.report import VIEW

        return VIEW

    def verdict(self) -> Callable[[Mapping[str, Any]], Sequence[str]]:
        from hypermon.monitors.hpvm.verdict import verdict

        return verdict

    def times(self) -> Callable[[Result, pd.DataFrame], NDArray[np.int64]]:
        from hypermon.monitors.hpvm.clock import of_samples

        return of_samples

    def knob(self) -> Sequence[Setup]:
        from hypermon.monitors.hpvm.knob import SETUPS

        return SETUPS


MONITOR = _Hpvm()
