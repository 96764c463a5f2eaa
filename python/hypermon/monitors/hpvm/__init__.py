"""HPVM's monitor: a node that polls performance objects, and a global clock in software."""

from hypermon.monitors import Monitor

MONITOR = Monitor("hpvm", unit="samples", order=3, report="hypermon.monitors.hpvm.report:VIEW")
