# SPDX-License-Identifier: BSD-3-Clause
"""Supermon: a tree of daemons that pass data of nodes, as s-expressions, to clients with different sampling rates."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hypermon.monitors import Monitor

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from hypermon.monitors import Setup
    from hypermon.report.view import View


class _Supermon(Monitor):
    name = "supermon"
    unit = "samples"
    order = 6
    tells = ("time series",)

    def report(self) -> View:
        from hypermon.monitors.supermon.report import VIEW

        return VIEW

    def verdict(self) -> Callable[[Mapping[str, Any]], Sequence[str]]:
        from hypermon.monitors.supermon.verdict import verdict

        return verdict

    def knob(self) -> Sequence[Setup]:
        from hypermon.monitors.supermon.knob import SETUPS

        return SETUPS


MONITOR = _Supermon()
