# SPDX-License-Identifier: BSD-3-Clause
"""Rules that find the limits of a design and possible changes. Each rule checks one part of the machine.

A rule returns None without a finding. This module has the rules for all monitors' reports. Monitors add their own rules
(`hypermon.report.view.View`).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Protocol

from hypermon._model import monitors
from hypermon._model.words import amount, count, plural, seconds
from hypermon.report.facts import Run

PROBLEM, LIMIT, FACT, GOOD = "problem", "limit", "fact", "good"
ORDER = (PROBLEM, LIMIT, FACT, GOOD)
CATALOGUE = "instrumentation.catalogue"  # first word of a warning about the catalogue
BUSY = 0.8  # (chosen) utilisation above which a part counts as near its limit


@dataclass(frozen=True)
class Finding:
    """A finding.

    `level`: problem (a loss or an error), limit (a loss is likely with more load), fact (neither), or good.
    """

    level: str
    title: str
    text: str
    change: str = ""  # possible change of the design


Rule = Callable[[Run], Finding | None]


def sorted_findings(found: Iterable[Finding | None]) -> list[Finding]:
    """Returns the findings, problems first."""
    return sorted((one for one in found if one is not None), key=lambda one: ORDER.index(one.level))


def worst(findings: Collection[Finding]) -> str:
    """Returns the level of the worst finding. Facts are not judged."""
    return next((level for level in (PROBLEM, LIMIT) if any(one.level == level for one in findings)), GOOD)


def nothing_lost(run: Run) -> Finding | None:
    ledger, unit = run.result["ledger"], run.counted_in
    if run.anything_lost or not ledger["generated"][unit]:
        return None
    under_way = ledger["in_flight"][unit]
    text = f"All {amount(ledger['generated'][unit], unit)} arrived"
    if under_way:
        text = f"{amount(ledger['delivered'][unit], unit)} arrived, {count(under_way)} were under way at the end"
    return Finding(GOOD, "Nothing was lost", f"{text}.")


def unseen(run: Run) -> Finding | None:
    """Finds a catalogue that does not cover communication. Its few events could be mistaken for a cheap monitor."""
    found = [one for one in _warnings(run) if one.startswith(CATALOGUE)]
    if not found:
        return None
    return Finding(
        PROBLEM,
        "Nothing of the program's communication is seen",
        f"{'; '.join(found)}. What the monitor costs and loses here is that of the other events alone.",
        "instrumentation.catalogue = mpi, the default without machine.messages = nx2, or a catalogue of your own with "
        "points of MPI calls.",
    )


def warned(run: Run) -> list[Finding]:
    """Returns the other warnings of the result. The words before the first colon become the title."""
    return [_of_warning(one) for one in _warnings(run) if not one.startswith(CATALOGUE)]


def _warnings(run: Run) -> Sequence[str]:
    found: Sequence[str] = run.result.get("warnings", ())
    return found


def _of_warning(warning: str) -> Finding:
    title, _, text = warning.partition(": ")
    return Finding(PROBLEM, title[:1].upper() + title[1:], f"{text}." if text else "")


def other_losses(run: Run, explained: Collection[tuple[str, str]] = ()) -> Finding | None:
    """Finds losses that no other rule explains. `explained`: the explained losses, by stage and cause."""
    entries = [
        entry
        for entry in run.result["ledger"]["lost"]
        if (entry["stage"], entry["cause"]) not in explained and (entry[run.unit] or entry["events"])
    ]
    if not entries:
        return None
    phrases: Mapping[tuple[str, str], str] = view.phrases if (view := _view(run)) else {}
    places = []
    for e in entries:
        events = plural(e["events"], "event")
        if own := phrases.get((e["stage"], e["cause"])):
            places.append(f"{events} {own}")
        else:
            cause = e["cause"].replace("_", " ")
            both = f" and {events}" if run.counted_in == "events" else ""
            places.append(f"{amount(e[run.unit], run.unit)}{both} at {stage(run, e['stage'])} ({cause})")
    return Finding(PROBLEM, "Losses elsewhere" if explained else "Data were lost", f"Lost: {'; '.join(places)}.")


def stage(run: Run, name: str) -> str:
    """Returns the name of a stage of the ledger, in words."""
    names: Mapping[str, str] = view.stages if (view := _view(run)) else {}
    return names.get(name, f"the {name.replace('_', ' ')}")


class Words(Protocol):
    """The part of `hypermon.report.view.View` that the rules need."""

    stages: ClassVar[Mapping[str, str]]
    phrases: ClassVar[Mapping[tuple[str, str], str]]


class HasWords(Protocol):
    def report(self) -> Words | None: ...


def _view(run: Run) -> Words | None:
    """Returns the view of the run's monitor."""
    return monitors.part(monitors.find(run.kind), HasWords.report)


def causality(run: Run, change: str = "") -> Finding | None:
    """Finds messages that arrive before they are sent, by the monitor's clock."""
    wrong, error = run.result["causality_violations"], run.result["timestamp_error_us"]
    if not wrong or error is None:
        return None
    return Finding(
        PROBLEM,
        "Timestamps contradict the order of events",
        f"{plural(wrong, 'message')} were received before they were sent, by timestamps that are "
        f"{seconds(error['min'] * 1e-6)} to {seconds(error['max'] * 1e-6)} from true time.",
        change,
    )
