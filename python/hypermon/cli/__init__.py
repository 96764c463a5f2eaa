# SPDX-License-Identifier: BSD-3-Clause
"""The command line `hypermon`."""

from hypermon.cli.start import main

__all__ = ["main"]
