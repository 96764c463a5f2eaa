# SPDX-License-Identifier: BSD-3-Clause
"""SCMS/RMS: a tree of agents, and clients that ask them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypermon.monitors import Monitor

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from hypermon.monitors import Setup
    from hypermon.pictures.plots import Plot
    from hypermon.report.view import View


def _tree() -> Plot:
    from hypermon.monitors.scms.pictures.tree import TREE

    return TREE


def _rmi() -> object:
    from hypermon.monitors.scms.rmi import rmi

    return rmi


def _session() -> object:
    from hypermon.monitors.scms.rmi import Rmi

    return Rmi


class _Scms(Monitor):
    name = "scms"
    unit = "samples"
    order = 4
    tells = ("time series",)

    def report(self) -> View:
        from hypermon.monitors.scms.report import VIEW

        return VIEW

    def knob(self) -> Sequence[Setup]:
        from hypermon.monitors.scms.knob import SETUPS

        return SETUPS

    def pictures(self) -> Mapping[str, Callable[[], Plot]]:
        return {"tree": _tree}

    def names(self) -> Mapping[str, Callable[[], object]]:
        return {"Rmi": _session, "rmi": _rmi}


MONITOR = _Scms()
