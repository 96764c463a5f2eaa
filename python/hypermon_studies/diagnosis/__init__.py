# SPDX-License-Identifier: BSD-3-Clause
"""Runs with known causes, and what `hypermon diagnose` finds (`hypermon study diagnosis`)."""
