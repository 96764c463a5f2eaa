# SPDX-License-Identifier: BSD-3-Clause
"""TAU's own page under docs/reference."""

from __future__ import annotations

from hypermon._reference.markdown import page, table
from hypermon.monitors.tau.profiles import COLUMNS, NAMES, ROWS


def pages() -> dict[str, str]:
    rows = ((f"`{name}`", unit, text) for name, (unit, text) in COLUMNS.items())
    return {
        "profiles.md": page(
            "Profiles",
            f"`{ROWS}` and `{NAMES}` are in the directory of a run under TAU whose profiles leave while the program"
            " runs. They have a row for each routine of each profile that arrived, in the order of arrival."
            " `hypermon.monitors.tau.profiles.read(RUN)` returns them as a data frame. The last profile of each process"
            " is a file of TAU's own format in `profiles/` ([TAU](../design/tau.md#the-format)); `hypermon tau pprof"
            " RUN` shows these.",
            table(("column", "unit", "description"), rows),
        )
    }
