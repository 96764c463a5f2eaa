"""Software: a trace buffer in each node's memory."""

from hypermon.monitors import Monitor

MONITOR = Monitor("software", unit="bytes", order=1, report="hypermon.monitors.software.report:VIEW")
