# SPDX-License-Identifier: BSD-3-Clause
"""The numbers of `hypermon study monitors` in words: cells of its tables, on the terminal and on its pages."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from hypermon._model import catalogues, words
from hypermon._model.result import show
from hypermon_studies.monitors.columns import BY_KEY, COLUMNS
from hypermon_studies.monitors.plan import Refused
from hypermon_studies.monitors.runs import Row

NONE = "–"
"""Text of a cell without a value."""
ALWAYS = ("slowdown_percent", "error_percent", "error_s", "latency_p50_ms", "lost_percent")
"""Columns that the terminal shows; the pages have all."""


def cell(value: float | None) -> str:
    """A number with three digits."""
    return NONE if value is None else words.three_digits(float(value))


def heading(key: str) -> str:
    column = BY_KEY[key]
    return f"{column.title}, {column.unit}"


def what_is_set(at: Mapping[str, Any]) -> str:
    """Describes settings in words; a catalogue of events by its name."""
    named = {path: catalogues.name_of(value) if isinstance(value, str) else show(value) for path, value in at.items()}
    return ", ".join(f"{path} = {value}" for path, value in named.items()) or "default"


def short(row: Row) -> list[str]:
    """Columns of a run in the terminal."""
    name = row.candidate.name + (f", {what_is_set(row.at)}" if row.at else "")
    if row.failed:
        return [name, *([NONE] * (len(ALWAYS) + 1))]
    return [name, *(cell(row[key]) for key in ALWAYS), row.reaches]


def long(row: Row) -> list[str]:
    """Returns the cells of every column, then losses, hardware and the kinds of data."""
    lost = ", ".join(f"{where} {words.three_digits(share)} %" for where, share in row.losses.items())
    tells = ", ".join(row.candidate.monitor.tells)
    return [
        row.candidate.name,
        tells or NONE,
        row.reaches,
        *(cell(row[column.key]) for column in COLUMNS),
        lost or NONE,
        hardware(row),
    ]


def hardware(row: Row) -> str:
    """Cost of the hardware."""
    return ", ".join(f"{show(value)} {unit}" for value, unit in row.hardware.values()) or NONE


LONG = ("monitor", "tells", "reaches the analyst", *map(heading, BY_KEY), "lost where", "hardware")
SHORT = ("monitor", *map(heading, ALWAYS), "reaches the analyst")


def reasons(refused: Iterable[Refused], rows: Sequence[Row]) -> list[tuple[str, str]]:
    """Candidates that cannot run, with the knob's value if only that is impossible, and the reasons, each once."""
    found: dict[tuple[str, str], dict[str, list[str]]] = {}
    failed = [(one.candidate, one.at, one.place, one.reason.removesuffix(" (--set)")) for one in refused]
    failed += [(row.candidate, row.at, row.place, row.failed) for row in rows if row.failed]
    never = {(candidate.name, place, why) for candidate, at, place, why in failed if not at}
    for candidate, at, (machine, program), why in failed:
        if at and (candidate.name, (machine, program), why) in never:
            continue
        name = candidate.name + (f" with {what_is_set(at)}" if at else "")
        found.setdefault((name, why), {}).setdefault(machine, []).append(program)
    request = {row.place for row in rows}
    machines = {machine for under in found.values() for machine in under}
    programs = {machine: {program for at, program in request if at == machine} for machine in machines}
    return [
        (f"{name} on {', '.join(machine + _under(some, programs[machine]) for machine, some in under.items())}", why)
        for (name, why), under in found.items()
    ]


def _under(some: Sequence[str], every: Collection[str]) -> str:
    """Names the programs; empty if they are all programs."""
    return "" if set(every) <= set(some) else f" under {', '.join(some)}"
