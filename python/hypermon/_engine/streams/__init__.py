# SPDX-License-Identifier: BSD-3-Clause
"""Runs without a program: streams of events go directly to the monitor's hardware."""
