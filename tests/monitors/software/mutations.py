# SPDX-License-Identifier: BSD-3-Clause
"""The software monitor's mutations."""

from tests.monitors.software.mutated import simulation

SIMULATION = simulation.MUTATIONS
