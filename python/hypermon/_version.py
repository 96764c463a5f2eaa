# SPDX-License-Identifier: BSD-3-Clause
"""Which hypermon this is."""

__version__ = "0.9.0"
