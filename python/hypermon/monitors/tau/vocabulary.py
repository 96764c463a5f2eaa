# SPDX-License-Identifier: BSD-3-Clause
"""What the general parts say of the monitor's parameters and results."""

from hypermon._model.vocabulary import Vocabulary

VOCABULARY = Vocabulary(
    labels={
        "monitor.open_loop_dilation": "timers alone, by what else a process took",
        "monitor.measuring_s": "CPU time of timers (s)",
    },
    types={
        "monitor.transport": "str",
        "monitor.profiles": "str",
        "monitor.unstopped[].routine": "str",
        "monitor.control.is_obeyed": "bool",
        "monitor.control.out_of_reach": "bool",
        "monitor.control.off[].routine": "str",
        "monitor.open_loop_dilation": "float",
        "monitor.ranks[].open_loop_dilation": "float",
        "monitor.system_calls[].call": "str",
    },
)
