# SPDX-License-Identifier: BSD-3-Clause
"""What the general parts say of the monitor's parameters and results."""

from hypermon._model.vocabulary import Vocabulary

VOCABULARY = Vocabulary(
    sized="hdtrace.buffer_bytes",
    labels={
        "monitor.power.joules": "energy of all nodes (J)",
        "monitor.power.metered_joules": "energy as metered (J)",
        "monitor.power.estimated_joules": "energy as estimated from utilisation (J)",
    },
    types={
        "monitor.project": "str",
        "monitor.clocks.nodes[].before_us": "float | None",
        "monitor.clocks.nodes[].before_round_trip_us": "float | None",
        "monitor.clocks.nodes[].after_us": "float | None",
        "monitor.clocks.nodes[].after_round_trip_us": "float | None",
        "monitor.power.metered_joules": "float | None",
        "monitor.power.estimated_joules": "float | None",
        "monitor.power.sampled_joules": "float | None",
        "monitor.power.computing_w": "float | None",
        "monitor.power.longest_call": "str | None",
        "monitor.power.longest_call_w": "float | None",
        "monitor.power.phases[].phase": "str",
        "monitor.power.computers[].computer": "str",
        "monitor.power.computers[].metered_joules": "float | None",
        "monitor.power.computers[].estimated_joules": "float | None",
        "monitor.power.computers[].sampled_joules": "float | None",
        "monitor.layers[].layer": "str",
    },
)
