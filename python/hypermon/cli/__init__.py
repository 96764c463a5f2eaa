"""The command line `hypermon`."""

from hypermon.cli.start import main

__all__ = ["main"]
