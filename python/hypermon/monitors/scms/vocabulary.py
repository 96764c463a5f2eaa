# SPDX-License-Identifier: BSD-3-Clause
"""What the general parts say of the monitor's parameters and results."""

from hypermon._model.vocabulary import Vocabulary

VOCABULARY = Vocabulary(
    types={
        "monitor.root": "str",
        "monitor.overload.first_at": "str | None",
        "monitor.overload.longest_queue_s": "float | None",
        "monitor.overload.longest_queue_at": "str | None",
        "monitor.failures[].failure": "str",
        "monitor.levels[].kind": "str",
        "monitor.tree.smas[].place": "str",
        "monitor.tree.smas[].parent": "int | None",
        "monitor.tree.smas[].alive": "bool",
        "monitor.tree.cmas[].alive": "bool",
        "monitor.plugins[].name": "str",
        "monitor.plugins[].error": "str",
        "monitor.plugin_changes[].change": "str",
        "monitor.clients[].kind": "str",
        "monitor.clients[].status": "int | None",
    },
)
