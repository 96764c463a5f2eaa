# SPDX-License-Identifier: BSD-3-Clause
"""PCP: a client that fetches counters from host after host."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hypermon.monitors import Monitor

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from hypermon.monitors import Setup
    from hypermon.report.view import View


class _Pcp(Monitor):
    name = "pcp"
    unit = "samples"
    order = 5
    tells = ("time series",)

    def report(self) -> View:
        from hypermon.monitors.pcp.report import VIEW

        return VIEW

    def verdict(self) -> Callable[[Mapping[str, Any]], Sequence[str]]:
        from hypermon.monitors.pcp.verdict import verdict

        return verdict

    def knob(self) -> Sequence[Setup]:
        from hypermon.monitors.pcp.knob import SETUPS

        return SETUPS


MONITOR = _Pcp()
