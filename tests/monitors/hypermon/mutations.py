# SPDX-License-Identifier: BSD-3-Clause
"""HYPERMON's mutations, by the group that they belong to."""

from tests.monitors.hypermon.mutated import core, python, simulation

CORE = core.MUTATIONS
SIMULATION = simulation.MUTATIONS
PYTHON = python.MUTATIONS
