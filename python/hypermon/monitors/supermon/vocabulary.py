# SPDX-License-Identifier: BSD-3-Clause
"""What the general parts say of the monitor's parameters and results."""

from hypermon._model.vocabulary import Vocabulary

VOCABULARY = Vocabulary(
    types={
        "monitor.supermon.root": "str",
        "monitor.monhole.first_refused.node": "int | None",
        "monitor.monhole.first_refused.at_s": "float | None",
        "monitor.supermon.failures[].failure": "str",
        "monitor.supermon.clients[].place": "str",
    },
)
