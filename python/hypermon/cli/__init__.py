"""The command line `hypermon`."""

from hypermon.cli.app import main

__all__ = ["main"]
