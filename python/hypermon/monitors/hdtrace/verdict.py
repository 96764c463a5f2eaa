# SPDX-License-Identifier: BSD-3-Clause
"""The verdict on a run under HDTrace."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from hypermon._model.words import SPACE, percent, three_digits

LONG = 0.01  # (chosen) share of the time from which on a phase counts


def verdict(result: Mapping[str, Any]) -> list[str]:
    """Returns the power of the phases that take most and least, and the share of a node's time that tracing took."""
    monitor, elapsed_s = result["monitor"], result["elapsed_s"]
    if not elapsed_s:
        return []
    took_s = monitor["cpu_s"] / result["spec"]["nodes"] + monitor["flushing_s"] / max(len(monitor["processes"]), 1)
    power = extremes(monitor["power"]["phases"])
    return [
        *(_power(*power) if power else ()),
        *_estimate(monitor["power"]),
        f"Tracing took {percent(took_s / elapsed_s)} of a node's time.",
    ]


def _power(least: Mapping[str, Any], most: Mapping[str, Any]) -> list[str]:
    low, high = (f"{three_digits(one['mean_w'])}{SPACE}W" for one in (least, most))
    less = percent(1 - least["mean_w"] / most["mean_w"])
    return [f"A node takes {low} in {least['phase']}, {less} less than the {high} in {most['phase']}."]


def _estimate(power: Mapping[str, Any]) -> list[str]:
    if not power.get("estimated_joules"):
        return []
    off = power["estimated_joules"] / power["sampled_joules"] - 1
    return [f"An estimate from utilisation is {percent(abs(off))} too {'high' if off >= 0 else 'low'}."]


def extremes(phases: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Returns the phases in which a node takes least and most power. Empty: fewer than two phases are long enough."""
    busy = [one for one in phases if one["phase"] != "idle"]
    long = [one for one in busy if one["time_s"] > LONG * sum(each["time_s"] for each in busy)]
    if len(long) < 2:
        return []
    return [min(long, key=lambda one: one["mean_w"]), max(long, key=lambda one: one["mean_w"])]
