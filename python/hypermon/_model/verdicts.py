# SPDX-License-Identifier: BSD-3-Clause
"""The main findings of a run in one to three sentences, for the terminal and the page of the run."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from hypermon._model import monitors
from hypermon._model.words import amount, count, percent, seconds, three_digits

Result = Mapping[str, Any]
Own = Callable[[Result], Sequence[str]]
CLEARLY_SLOWER = 1.1
"""(chosen) Slowdowns from this factor on are given as a factor, smaller ones in percent."""


class HasVerdict(Protocol):
    def verdict(self) -> Own | None: ...
    def headline(self) -> Own | None: ...


def sentences(result: Result, unobserved_s: float | None = None) -> list[str]:
    """Returns sentences about the losses, the monitor's own findings, and the slowdown.

    `unobserved_s`: time of the same run without a monitor. If it is not given, the share of time spent on emitting
    events is reported instead of the slowdown.
    """
    kind = str(result["spec"]["monitor"])
    if kind == monitors.NOBODY:
        return [f"No monitor observed the run. It took {seconds(float(result['elapsed_s']))}."]
    monitor = monitors.find(kind)
    first, own = monitors.part(monitor, HasVerdict.headline), monitors.part(monitor, HasVerdict.verdict)
    found = [
        *(first(result) if first is not None else ()),
        *losses(result),
        *(own(result) if own is not None else ()),
        *slowdown(result, unobserved_s),
    ]
    return found or ["The monitor saw nothing of the run."]


def counted_in(result: Result) -> str:
    """Returns the unit in which data are counted: events, or the monitor's unit (samples) if no events are emitted."""
    ledger = result["ledger"]
    unit = str(ledger["unit"])
    generated = ledger["generated"]
    return unit if (generated[unit] or "sampling" in result) and not generated["events"] else "events"


def losses(result: Result) -> list[str]:
    """Returns a sentence about the share of lost data. Empty if there were no data."""
    ledger, unit = result["ledger"], counted_in(result)
    generated, lost, own = ledger["generated"][unit], ledger["lost_total"], str(ledger["unit"])
    one = unit.removesuffix("s")
    if lost[unit]:
        share = percent(lost[unit] / generated)
        return [f"{count(lost[unit])} of {amount(generated, unit)} ({share}) were lost."]
    if lost[own]:
        return [f"No {one} was lost, but {amount(lost[own], own)} {'was' if lost[own] == 1 else 'were'}."]
    return [f"No {one} was lost."] if generated else []


def slowdown(result: Result, unobserved_s: float | None) -> list[str]:
    """Returns a sentence about the slowdown if it is known, else about the time spent on emitting events."""
    ranks, elapsed_s = result["ranks"], float(result["elapsed_s"])
    if not ranks:
        return []
    if unobserved_s:
        factor = elapsed_s / unobserved_s
        if factor >= CLEARLY_SLOWER:
            return [f"The program ran {three_digits(factor)} times as long as without a monitor."]
        if factor > 1:
            return [f"The program ran {percent(factor - 1)} longer than without a monitor."]
        if factor < 1:
            return [f"The program ran {percent(1 - factor)} shorter than without a monitor."]
        return ["The program ran as long as without a monitor."]
    emitted = max((float(one["monitor_s"]) / float(one["elapsed_s"]) for one in ranks if one["elapsed_s"]), default=0.0)
    return [f"Emitting events took {percent(emitted)} of the busiest node's time."] if emitted else []
