"""HDTrace: MPI calls, layers of the file system, utilisation and power, in HDTrace's own files."""

from hypermon.monitors import Monitor

MONITOR = Monitor("hdtrace", unit="bytes", order=6)
