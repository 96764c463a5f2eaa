# SPDX-License-Identifier: BSD-3-Clause
"""The verdict on a run under SCMS/RMS."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hypermon._model.words import count, plural, seconds


def verdict(result: Mapping[str, Any]) -> list[str]:
    """Time at which dead agents were noticed; without deaths, whether the agents kept up."""
    monitor = result["monitor"]
    failures, over = monitor["failures"], monitor["overload"]
    if failures:
        return [_deaths(failures)]
    if over["first_s"] is None:
        return [f"The agents kept up: at most {plural(over['longest_queue'], 'message')} waited at one of them."]
    return [
        f"From {seconds(over['first_s'])} on the agents could not keep up: {count(over['longest_queue'])} messages"
        f" waited at {over['longest_queue_at']}."
    ]


def _deaths(failures: list[dict[str, Any]]) -> str:
    noticed = [one["detected_s"] - one["at_s"] for one in failures if one["detected_s"] is not None]
    back = [one["back_s"] - one["at_s"] for one in failures if one["back_s"] is not None]
    many = len(failures) > 1
    if not noticed:
        return "None of the dead agents was noticed." if many else "The dead agent was not noticed."
    if len(noticed) < len(failures):
        sentence = f"{len(noticed)} of {len(failures)} dead agents were noticed, the last after {seconds(max(noticed))}"
    else:
        sentence = f"{'The last dead agent' if many else 'The dead agent'} was noticed after {seconds(max(noticed))}"
    if len(back) < len(failures):
        return f"{sentence}; {len(back) or 'none'} came back."
    return (
        f"{sentence} and was back after {seconds(max(back))}."
        if not many
        else f"{sentence}; all were back after {seconds(max(back))}."
    )
