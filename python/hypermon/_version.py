# SPDX-License-Identifier: BSD-3-Clause
"""The version of hypermon."""

__version__ = "0.9.0"
