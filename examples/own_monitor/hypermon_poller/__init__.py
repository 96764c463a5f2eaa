# SPDX-License-Identifier: BSD-3-Clause
"""A monitor of one's own: daemons that poll counters."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from hypermon.monitors import Monitor

if TYPE_CHECKING:
    from hypermon._model.vocabulary import Vocabulary
    from hypermon.report.view import View


class Poller(Monitor):
    name = "poller"
    unit = "samples"
    plugin = Path(__file__).with_name("poller.so")
    tells = ("time series",)

    def vocabulary(self) -> Vocabulary:
        from hypermon_poller.vocabulary import VOCABULARY

        return VOCABULARY

    def report(self) -> View:
        from hypermon_poller.report import VIEW

        return VIEW


MONITOR = Poller()
