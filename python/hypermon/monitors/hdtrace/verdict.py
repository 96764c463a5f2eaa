# SPDX-License-Identifier: BSD-3-Clause
"""The verdict on a run under HDTrace."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from hypermon._model.words import SPACE, percent, three

LONG = 0.01  # (chosen) share of the time from which on a phase counts


def verdict(result: Mapping[str, Any]) -> list[str]:
    """Returns the power of the phases that take most and least, and the share of a node's time that tracing took."""
    monitor, elapsed_s = result["monitor"], result["elapsed_s"]
    if not elapsed_s:
        return []
    took_s = monitor["cpu_s"] / result["spec"]["nodes"] + monitor["flushing_s"] / max(len(monitor["processes"]), 1)
    power = extremes(monitor["power"]["phases"])
    readings = [" and ".join(f"{three(one['mean_w'])}{SPACE}W in {one['phase']}" for one in power)] if power else []
    return [
        *(f"A node takes {one}." for one in readings),
        f"Tracing took {percent(took_s / elapsed_s)} of a node's time.",
    ]


def extremes(phases: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Returns the phases in which a node takes least and most power. Empty: there are fewer than two that last."""
    busy = [one for one in phases if one["phase"] != "idle"]
    long = [one for one in busy if one["time_s"] > LONG * sum(each["time_s"] for each in busy)]
    if len(long) < 2:
        return []
    return [min(long, key=lambda one: one["mean_w"]), max(long, key=lambda one: one["mean_w"])]
