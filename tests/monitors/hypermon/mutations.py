# SPDX-License-Identifier: BSD-3-Clause
"""Mutations of the HYPERMON monitor, by group."""

from tests.monitors.hypermon.mutated import core, python, simulation

CORE = core.MUTATIONS
SIMULATION = simulation.MUTATIONS
PYTHON = python.MUTATIONS
