# SPDX-License-Identifier: BSD-3-Clause
"""No monitor: the program alone, which slowdowns are measured against."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypermon.monitors import Monitor

if TYPE_CHECKING:
    from hypermon.report.view import View


class _None(Monitor):
    name = "none"
    order = 0

    def report(self) -> View:
        from hypermon.monitors.none.report import VIEW

        return VIEW


MONITOR = _None()
