# SPDX-License-Identifier: BSD-3-Clause
"""What the general parts say of the monitor's parameters and results."""

from hypermon._model.vocabulary import Vocabulary

VOCABULARY = Vocabulary(
    types={
        "monitor.client.network": "str",
        "monitor.client.is_compute_node": "bool",
    },
)
