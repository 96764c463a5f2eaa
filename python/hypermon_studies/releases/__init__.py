# SPDX-License-Identifier: BSD-3-Clause
"""Differences between results of different releases (`hypermon study releases`)."""
