# SPDX-License-Identifier: BSD-3-Clause
"""SCMS/RMS: a tree of agents, and clients that query them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hypermon.monitors import Monitor, PlotEntry

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

    def headline(self) -> Callable[[Mapping[str, Any]], Sequence[str]]:
        from hypermon.monitors.scms.verdict import headline

        return headline

    def verdict(self) -> Callable[[Mapping[str, Any]], Sequence[str]]:
        from hypermon.monitors.scms.verdict import verdict

        return verdict

    def knob(self) -> Sequence[Setup]:
        from hypermon.monitors.scms.knob import SETUPS

        return SETUPS

    def pictures(self) -> Mapping[str, PlotEntry]:
        return {
            "tree": PlotEntry(
                "The tree of agents.",
                _tree,
                by="Quantity that the agents' colours show [default: cpu_share].",
                of="Quantity that the lines' widths show: bytes_per_s or messages_per_s [default: bytes_per_s].",
            )
        }

    def names(self) -> Mapping[str, Callable[[], object]]:
        return {"Rmi": _session, "rmi": _rmi}


MONITOR = _Scms()
