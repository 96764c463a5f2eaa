# SPDX-License-Identifier: BSD-3-Clause
"""Labels of axes: words and units of the shown parameters and results, or else their paths."""

from __future__ import annotations

from hypermon._model import vocabulary

_LABELS = {
    "nodes": "nodes",
    "ledger.lost_total.events": "events lost",
    "elapsed_s": "time of the program, s",
}


def label(path: str) -> str:
    own = (one.labels[path] for one in vocabulary.every() if path in one.labels)
    return _LABELS.get(path) or next(own, path)
