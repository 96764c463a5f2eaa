# SPDX-License-Identifier: BSD-3-Clause
"""The answer of a run in one to three sentences: the same on the terminal and on the page of the run."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from hypermon._model import monitors
from hypermon._model.words import amount, count, percent, seconds, three

Result = Mapping[str, Any]
Own = Callable[[Result], Sequence[str]]
CLEARLY_SLOWER = 1.1
"""(chosen) From this factor on a slowdown is said as a factor, below it in percent."""


class HasVerdict(Protocol):
    def verdict(self) -> Own | None: ...


def of(result: Result, unobserved_s: float | None = None) -> list[str]:
    """Sentences: losses, the monitor's own sentences, the slowdown.

    `unobserved_s`: time of the same run without a monitor. Without it, the share of time spent on emitting events
    stands for the slowdown.
    """
    kind = str(result["spec"]["monitor"])
    if kind == monitors.NOBODY:
        return [f"No monitor observed the run. It took {seconds(float(result['elapsed_s']))}."]
    own = monitors.part(monitors.of(kind), HasVerdict.verdict)
    said = [*losses(result), *(own(result) if own is not None else ()), *slowdown(result, unobserved_s)]
    return said or ["The monitor saw nothing of the run."]


def counted_in(result: Result) -> str:
    """The unit of the data that a person counts: events, or the monitor's own unit (samples) if none are emitted."""
    ledger = result["ledger"]
    unit = str(ledger["unit"])
    generated = ledger["generated"]
    return unit if (generated[unit] or "sampling" in result) and not generated["events"] else "events"


def losses(result: Result) -> list[str]:
    """How much of the data was lost, if there was any."""
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
    """How much longer the program ran, if that is known, or the time that emitting events took."""
    ranks, elapsed_s = result["ranks"], float(result["elapsed_s"])
    if not ranks:
        return []
    if unobserved_s:
        factor = elapsed_s / unobserved_s
        if factor >= CLEARLY_SLOWER:
            return [f"The program ran {three(factor)} times as long as without a monitor."]
        if factor > 1:
            return [f"The program ran {percent(factor - 1)} longer than without a monitor."]
        if factor < 1:
            return [f"The program ran {percent(1 - factor)} shorter than without a monitor."]
        return ["The program ran as long as without a monitor."]
    emitted = max((float(one["monitor_s"]) / float(one["elapsed_s"]) for one in ranks if one["elapsed_s"]), default=0.0)
    return [f"Emitting events took {percent(emitted)} of the busiest node's time."] if emitted else []
