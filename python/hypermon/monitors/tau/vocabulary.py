# SPDX-License-Identifier: BSD-3-Clause
"""Words of the general parts for the monitor's parameters and results."""

from hypermon._model.vocabulary import Vocabulary

VOCABULARY = Vocabulary(
    labels={
        "monitor.open_loop_dilation": "timers alone, by what else a process took",
        "monitor.measuring_s": "CPU time of timers (s)",
    },
)
