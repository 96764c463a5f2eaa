# SPDX-License-Identifier: BSD-3-Clause
"""The verdict on a run under SCMS/RMS."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hypermon._model.words import count, data, percent, plural, seconds


def headline(result: Mapping[str, Any]) -> list[str]:
    """When dead agents were noticed, and when they were back. Empty without deaths."""
    failures = result["monitor"]["failures"]
    return [_deaths(failures)] if failures else []


def verdict(result: Mapping[str, Any]) -> list[str]:
    """Whether the agents kept up. Empty if agents died."""
    monitor = result["monitor"]
    over = monitor["overload"]
    if monitor["failures"]:
        return []
    if over["first_s"] is None:
        return [
            *_gathered(result),
            f"The agents kept up: at most {plural(over['longest_queue'], 'message')} waited at one of them.",
        ]
    return [
        f"From {seconds(over['first_s'])} on the agents could not keep up: {count(over['longest_queue'])} messages"
        f" waited at {over['longest_queue_at']}."
    ]


def _gathered(result: Mapping[str, Any]) -> list[str]:
    """The data that agents push to the root, and what the agents take from the busiest node. Empty without pushes."""
    monitor, elapsed = result["monitor"], float(result["elapsed_s"])
    to_root = [one for one in monitor["levels"] if one["level"] == 1]
    if not monitor["messages"]["push"] or not elapsed or not to_root:
        return []
    _, cpu_s = busiest_node(monitor)
    return [
        f"The root of the agents received {data(sum(one['bytes'] for one in to_root) / elapsed)}/s from"
        f" {plural(len({one['node'] for one in monitor['tree']['cmas']}), 'node')}.",
        f"The agents took at most {percent(cpu_s / elapsed)} of a node's time.",
    ]


def busiest_node(monitor: Mapping[str, Any]) -> tuple[str, float]:
    """Returns the node whose agents took most CPU time, and this time. (The root may be outside the nodes.)"""
    cmas = monitor["tree"]["cmas"]
    on_node = dict.fromkeys((f"node {cma['node']}" for cma in cmas), 0.0)
    for cma in cmas:
        on_node[f"node {cma['node']}"] += cma["cpu_s"]
    for sma in monitor["tree"]["smas"]:
        if sma["place"] in on_node:
            on_node[sma["place"]] += sma["cpu_s"]
    most = max(on_node, key=lambda place: on_node[place])
    return most, on_node[most]


def _deaths(failures: list[dict[str, Any]]) -> str:
    noticed = [one["detected_s"] - one["at_s"] for one in failures if one["detected_s"] is not None]
    back = [one["back_s"] - one["at_s"] for one in failures if one["back_s"] is not None]
    many = len(failures) > 1
    if not noticed:
        return "None of the dead agents was noticed." if many else "The dead agent was not noticed."
    after = "after " + (
        f"{seconds(min(noticed))} to {seconds(max(noticed))}" if min(noticed) < max(noticed) else seconds(noticed[0])
    )
    if len(noticed) < len(failures):
        sentence = f"{len(noticed)} of {len(failures)} dead agents were noticed, {after}"
    else:
        sentence = (
            f"All {len(failures)} dead agents were noticed {after}" if many else f"The dead agent was noticed {after}"
        )
    if len(back) < len(failures):
        return f"{sentence}; {len(back) or 'none'} came back."
    return (
        f"{sentence}; all were back after at most {seconds(max(back))}."
        if many
        else f"{sentence} and was back after {seconds(max(back))}."
    )
