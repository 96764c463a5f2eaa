# SPDX-License-Identifier: BSD-3-Clause
"""The verdict on a run under Supermon."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hypermon._model.words import count, plural, seconds


def verdict(result: Mapping[str, Any]) -> list[str]:
    """Whether each query was answered in time, and the gaps that dead daemons left."""
    own = result["monitor"]["supermon"]
    clients = own["clients"]
    made, missed = (sum(client[key] for client in clients) for key in ("queries", "missed_queries"))
    longest = seconds(max((client["longest_s"] or 0 for client in clients), default=0))
    sentences = []
    if missed:
        sentences.append(f"{count(missed)} of {count(made + missed)} queries were missed: the longest took {longest}.")
    elif made:
        sentences.append(f"All {count(made)} queries were answered, the slowest after {longest}.")
    gaps = [one for one in own["failures"] if one["gaps"]]
    if gaps:
        ended = [one["longest_gap_s"] for one in gaps if one["longest_gap_s"] is not None]
        length = f", the longest of {seconds(max(ended))}" if ended else ", and none has ended"
        sentences.append(f"Failures left {plural(sum(one['gaps'] for one in gaps), 'gap')} in the samples{length}.")
    elif own["failures"]:
        sentences.append("The failures left no gap in the samples.")
    return sentences
