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
            f"`{ROWS}` and `{NAMES}` in the directory of a run under TAU whose profiles leave while the program runs: a"
            " row for each routine of each profile that arrived, in the order of their arrival."
            " `hypermon.monitors.tau.profiles.read(RUN)` has them as a data frame. The processes' last profiles are"
            " files of TAU's own format in `profiles/` ([TAU](../design/tau.md#the-format)); `hypermon tau pprof RUN`"
            " shows them.",
            table(("column", "unit", "description"), rows),
        )
    }
