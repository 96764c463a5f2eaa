# SPDX-License-Identifier: BSD-3-Clause
"""No monitor: the program alone, which slowdowns are measured against."""

from hypermon.monitors import Monitor

MONITOR = Monitor("none", order=0, report="hypermon.monitors.none.report:VIEW")
