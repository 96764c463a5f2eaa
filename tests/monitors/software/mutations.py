"""The software monitor's mutations."""

from tests.monitors.software.mutated import simulation

SIMULATION = simulation.MUTATIONS
