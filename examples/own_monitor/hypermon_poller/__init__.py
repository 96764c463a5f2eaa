# SPDX-License-Identifier: BSD-3-Clause
"""A monitor of one's own: daemons that poll counters."""

from pathlib import Path

from hypermon.monitors import Monitor

MONITOR = Monitor(
    "poller",
    unit="samples",
    plugin=Path(__file__).with_name("poller.so"),
    vocabulary="hypermon_poller.vocabulary:VOCABULARY",
    report="hypermon_poller.report:VIEW",
    tells=("time series",),
)
