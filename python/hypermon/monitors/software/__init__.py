# SPDX-License-Identifier: BSD-3-Clause
"""Software: a trace buffer in each node's memory."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hypermon.monitors import Monitor

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from hypermon._model.activity import Activity
    from hypermon._model.catalogues import Event
    from hypermon._model.result import Result
    from hypermon._model.schema import Value
    from hypermon._model.vocabulary import Vocabulary
    from hypermon.judging.picture import Picture
    from hypermon.monitors import Setup
    from hypermon.report.view import View


class _Software(Monitor):
    name = "software"
    unit = "bytes"
    order = 1
    tells = ("events",)

    def vocabulary(self) -> Vocabulary:
        from hypermon.monitors.software.vocabulary import VOCABULARY

        return VOCABULARY

    def report(self) -> View:
        from hypermon.monitors.software.report import VIEW

        return VIEW

    def verdict(self) -> Callable[[Mapping[str, Any]], Sequence[str]]:
        from hypermon.monitors.software.verdict import verdict

        return verdict

    def picture(self) -> Callable[[Result, Activity], Picture | None]:
        from hypermon.monitors.software.picture import picture

        return picture

    def emission(self) -> Callable[[Mapping[str, Value], Event], tuple[float, float]]:
        from hypermon.monitors.software.emission import emission

        return emission

    def knob(self) -> Sequence[Setup]:
        from hypermon.monitors.software.knob import SETUPS

        return SETUPS


MONITOR = _Software()
