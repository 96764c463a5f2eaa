# SPDX-License-Identifier: BSD-3-Clause
"""The verdict on a run under PCP."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hypermon._model.words import count, plural, seconds


def verdict(result: Mapping[str, Any]) -> list[str]:
    """Whether each fetch of all hosts ended within its interval."""
    monitor = result["monitor"]
    made, missed = monitor["fetches"], monitor["missed_fetches"]
    if not made:
        return ["The client fetched nothing."]
    longest, interval = seconds(monitor["longest_fetch_s"]), seconds(result["spec"]["pcp"]["interval_s"])
    if not result["spec"]["pcp"]["interval_s"]:
        return [f"A fetch from {_hosts(monitor['hosts'])} took at most {longest}."]
    if missed:
        return [
            f"{count(missed)} of {count(made + missed)} fetches were missed: the longest took {longest}, the"
            f" interval is {interval}."
        ]
    return [f"The longest fetch took {longest} of its interval of {interval}."]


def _hosts(number: int) -> str:
    return "one host" if number == 1 else f"all {plural(number, 'host')}"
