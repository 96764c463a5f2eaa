# SPDX-License-Identifier: BSD-3-Clause
"""The vocabulary of the monitor's parameters and results."""

from hypermon._model.vocabulary import Vocabulary

VOCABULARY = Vocabulary(
    sized="hdtrace.buffer_bytes",
    harms={"monitor.flushing_s": "s for which processes waited for the disks that took their buffers"},
    labels={
        "monitor.power.joules": "energy of all nodes (J)",
        "monitor.power.metered_joules": "energy as metered (J)",
        "monitor.power.estimated_joules": "energy as estimated from utilisation (J)",
    },
)
