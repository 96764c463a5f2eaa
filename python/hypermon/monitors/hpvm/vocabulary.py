# SPDX-License-Identifier: BSD-3-Clause
"""What the general parts say of the monitor's parameters and results."""

from hypermon._model.vocabulary import Vocabulary

VOCABULARY = Vocabulary(
    types={
        "monitor.network": "str",
        "monitor.shares_programs_network": "bool",
        "monitor.is_compute_node": "bool",
        "monitor.objects[]": "list[str]",
        "monitor.rules[].rule": "str",
        "monitor.rules[].nodes[]": "list[int]",
        "monitor.clock.nodes[].drift_ppm": "float",
    },
)
