# SPDX-License-Identifier: BSD-3-Clause
"""Data of a comparison: rows of values, their differences, and the best value if that is known."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from hypermon._model import cards
from hypermon._model.cards import Card, Shown
from hypermon._model.result import show
from hypermon._model.schema import Value
from hypermon._model.words import SPACE, count, three_digits

if TYPE_CHECKING:
    import pandas as pd

LESS, MORE = "less", "more"
MINUS = "\u2212"
TIMES = 10  # (chosen) ratio to the first value from which on a difference is shown as a multiple
HUGE = 1000.0  # (chosen) importance of a difference between zero and a nonzero value, as a factor
# results that are also shown for a single run beside one without a monitor
BESIDE_NONE = ("slowdown", "events_lost", "elapsed_s")
AS_GOOD = 0.001  # (chosen) largest relative distance to the best value at which a number counts as equally good


@dataclass(frozen=True)
class Subject:
    """A compared run or design. `about`: its main properties."""

    name: str
    about: Mapping[str, Any]


@dataclass(frozen=True)
class Row:
    """One parameter or result of every subject.

    Attributes:
        path: Path of the parameter or the result. A number that is computed from others has a name instead.
        label: Name in words.
        unit: Unit of the values. For "%", the values are shares from 0 to 1.
        values: Value of each subject. None: it has none.
        better: Whether LESS or MORE is better. Empty: unknown, or not meaningful for these subjects.
        program, nodes: Program and number of nodes, in comparisons of designs.
        references: Subjects that do not compete, such as runs without a monitor.
        group: What it tells about. Results of one group tend to change together.
    """

    path: str
    label: str
    unit: str
    values: tuple[Value | None, ...]
    better: str = ""
    program: str = ""
    nodes: int | None = None
    references: frozenset[int] = frozenset()
    group: str = ""

    @property
    def importance(self) -> float:
        """How much the competing subjects differ: the logarithm of their ratio, more if it is known what is better.

        0: they are as good as equal.
        """
        rivals = [
            abs(n) for i, v in enumerate(self.values) if i not in self.references and (n := _number(v)) is not None
        ]
        if len(rivals) < 2 or max(rivals) - min(rivals) <= AS_GOOD * max(rivals):
            return 0.0
        ratio = min(max(rivals) / min(rivals), HUGE) if min(rivals) else HUGE
        return math.log(ratio) + (math.log(HUGE) if self.best else 0.0)

    @property
    def differs(self) -> bool:
        return len({(type(v) is bool, v) for v in self.values}) > 1

    @property
    def is_equal(self) -> bool:
        """Are all values equal, or so close that the difference means nothing? A subject without the value differs."""
        return not self.differs or (None not in self.values and not self.importance and not self.references)

    @property
    def differences(self) -> tuple[float | None, ...]:
        """Differences to the first value. None: one of the two is not a number."""
        first = _number(self.values[0])
        return tuple(None if (n := _number(v)) is None or first is None else n - first for v in self.values)

    @property
    def relative(self) -> tuple[float | None, ...]:
        """Differences relative to the first value. None: that is 0."""
        first = _number(self.values[0])
        return tuple(None if d is None or not first else d / abs(first) for d in self.differences)

    @property
    def best(self) -> tuple[int, ...]:
        """Indices of the best subjects. Empty: all are equally good, or it is unknown what is better."""
        rivals = {i: n for i, v in enumerate(self.values) if i not in self.references and (n := _number(v)) is not None}
        if not self.better or not rivals:
            return ()
        goal = min(rivals.values()) if self.better == LESS else max(rivals.values())
        found = tuple(i for i, n in rivals.items() if abs(n - goal) <= AS_GOOD * abs(goal))
        return found if len(found) < len(rivals) else ()

    def cell(self, value: Value | None) -> str:
        """Formats a value with its unit, as reports do."""
        if value is None:
            return "–"
        if isinstance(value, bool | str):
            return show(value)
        return _with_unit(float(value), self.unit)

    def difference(self, i: int) -> str:
        """Formats the difference of the i-th value to the first for a table."""
        by, share = self.differences[i], self.relative[i]
        if not by:
            return ""
        if self.unit == "%":
            return f"{_signed(100 * by)} points"
        if share is None:
            return f"+{self.cell(by)}" if by > 0 else f"{MINUS}{self.cell(-by)}"
        if share + 1 >= TIMES:
            return f"{three_digits(1 + share)} times"
        return f"{_signed(100 * share)}{SPACE}%"

    def to_dict(self, names: Sequence[str]) -> dict[str, Any]:
        where = {"program": self.program, "nodes": self.nodes} if self.program else {}
        return {
            **where,
            "path": self.path,
            "label": self.label,
            "group": self.group or None,
            "unit": "share" if self.unit == "%" else self.unit,
            "values": list(self.values),
            "differences": list(self.differences),
            "relative": list(self.relative),
            "better": self.better or None,
            "best": [names[i] for i in self.best],
        }


@dataclass(frozen=True, repr=False)
class Differences(Shown):
    """The differences between runs or designs.

    Attributes:
        kind: "runs", or "designs" (over programs).
        subjects: The runs or designs, in the order given. Differences are to the first.
        notes: Further sentences, for example that the programs differ.
        parameters: The parameters that differ.
        results: For runs, all numbers of the results, the main ones first; for designs, the numbers of each program.
        main: Number of the main rows at the beginning of `results`. For designs, all rows.
        given_summary: The summary. Empty: it is made from `better_in`.
    """

    kind: str
    subjects: tuple[Subject, ...]
    notes: tuple[str, ...]
    parameters: tuple[Row, ...]
    results: tuple[Row, ...]
    main: int
    given_summary: str = ""

    @property
    def names(self) -> list[str]:
        return [subject.name for subject in self.subjects]

    def better_in(self) -> dict[str, list[Row]]:
        """For each competing subject the main results in which only it is the best."""
        main = self.results[: self.main]
        return {
            name: [row for row in main if row.best == (i,)]
            for i, name in enumerate(self.names)
            if any(i not in row.references for row in main)
        }

    def to_dict(self) -> dict[str, Any]:
        """Returns the whole comparison, as `hypermon compare --json` prints it."""
        return {
            "kind": self.kind,
            "compared": [{"name": subject.name, **subject.about} for subject in self.subjects],
            "notes": list(self.notes),
            "parameters": [{"path": row.path, "unit": row.unit, "values": list(row.values)} for row in self.parameters],
            "results": [row.to_dict(self.names) for row in self.results],
        }

    def to_pandas(self) -> pd.DataFrame:
        """Returns the results by path, with a column for each subject, `unit` and `best`.

        In comparisons of designs, the index also has the program and the number of nodes.
        """
        import pandas as pd

        rows = [
            {
                **({"program": row.program, "nodes": row.nodes} if row.program else {}),
                "path": row.path,
                "unit": "share" if row.unit == "%" else row.unit,
                **dict(zip(self.names, row.values, strict=True)),
                "best": ", ".join(self.names[i] for i in row.best),
            }
            for row in self.results
        ]
        index = ["program", "nodes", "path"] if self.kind == "designs" else ["path"]
        return pd.DataFrame(rows).set_index(index)

    def __str__(self) -> str:
        return " ".join([*self.notes, self.summary()])

    def _card(self) -> Card:
        where = [f"{row.program} on {row.nodes}" if row.program else "" for row in self.results]
        key = ("program", "result") if any(where) else ("result",)
        rows = [
            (i, row)
            for i, row in enumerate(self.results[: self.main] if self.kind == "runs" else self.results)
            if not row.is_equal
        ]
        cells = [(*([where[i]] if any(where) else []), row.label, *map(row.cell, row.values)) for i, row in rows]
        table = cards.table((*key, *self.names), cells, more="to_pandas()")
        bold = frozenset((n, len(key) + best) for n, (_, row) in enumerate(rows) for best in row.best)
        return Card(
            title=f"Comparison of {len(self.subjects)} {self.kind}: {', '.join(self.names)}",
            verdict=self.summary(),
            facts=[(row.path, ", ".join(map(row.cell, row.values))) for row in self.parameters[: cards.MOST_ROWS]],
            tables=[replace(table, bold=bold)] if cells else [],
            notes=self.notes,
        )

    def summary(self) -> str:
        """Returns one or two sentences about the results in which each subject is the best."""
        if self.given_summary:
            return self.given_summary
        if not any(row.better for row in self.results):
            return "What is better is not judged."
        if own := self.alone():
            return f"{own[0]}: {', '.join(f'{label} {value}' for label, value in own[1])}."
        found = {name: rows for name, rows in self.advantages().items() if rows}
        if not found:
            return "None is better in anything that is judged."
        sentences = [
            f"{name} is better in {'; '.join(f'{row.label}, {self.against(row)}' for row in rows)}"
            for name, rows in found.items()
        ]
        way = direction([row for rows in found.values() for row in rows])
        return ". ".join([*sentences, way[:1].upper() + way[1:]]) + "."

    def alone(self) -> tuple[str, list[tuple[str, str]]] | None:
        """Returns the only competing subject, with its slowdown and its losses. None: several compete."""
        names = list(self.better_in())
        if len(names) != 1 or len(self.names) == 1:
            return None
        i = self.names.index(names[0])
        rows = {row.path: row for row in self.results[: self.main]}
        told = [rows[path] for path in BESIDE_NONE if path in rows and rows[path].values[i] is not None]
        return (names[0], [(row.label, row.cell(row.values[i])) for row in told]) if told else None

    def advantages(self) -> dict[str, list[Row]]:
        """For each competing subject one result of each group in which only it is the best: the most important one."""
        found: dict[str, list[Row]] = {}
        for name, rows in self.better_in().items():
            first: dict[str, Row] = {}
            for row in rows:
                first.setdefault(row.group or row.path, row)
            found[name] = list(first.values())
        return found

    def against(self, row: Row) -> str:
        """Formats the best value and the others: "0 % against 19 %"."""
        best = [row.cell(row.values[i]) for i in row.best]
        others = [
            row.cell(v)
            for i, v in enumerate(row.values)
            if i not in row.best and i not in row.references and v is not None
        ]
        return f"{best[0]} against {' and '.join(others)}"


def direction(rows: Sequence[Row]) -> str:
    """Says whether less or more is better in the judged ones of these results."""
    more = list(dict.fromkeys(row.label for row in rows if row.better == MORE))
    if not more:
        return "less is better"
    less = any(row.better == LESS for row in rows)
    return f"more is better in {', '.join(more)}, less in the others" if less else "more is better"


def _number(value: Value | None) -> float | None:
    """Converts a value to a number. True counts as 1, so that an overrun is more than none."""
    return None if value is None or isinstance(value, str) else float(value)


def ordered(rows: Sequence[Row]) -> list[Row]:
    """Sorts results by group. The group with the most important difference is first, and so is a group's result."""
    groups: dict[str, list[Row]] = {}
    for row in rows:
        groups.setdefault(row.group, []).append(row)
    weight = {name: max(row.importance for row in own) for name, own in groups.items()}
    return [
        row
        for name in sorted(groups, key=lambda name: -weight[name])
        for row in sorted(groups[name], key=lambda row: -row.importance)
    ]


TIME_UNITS = {"s": 1.0, "ms": 1e-3, "us": 1e-6, "ns": 1e-9}


def _with_unit(value: float, unit: str) -> str:
    if not value:
        return f"0{SPACE}{unit}".rstrip()
    if unit == "%":
        return f"{_figures(100 * value)}{SPACE}%"
    if unit in TIME_UNITS:
        return _scaled(value * TIME_UNITS[unit], (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6), ("ns", 1e-9)))
    if unit in ("B", "B/s"):
        return _scaled(
            value, tuple((f"{prefix}{unit}", 1000.0**n) for prefix, n in (("G", 3), ("M", 2), ("K", 1), ("", 0)))
        )
    return f"{_figures(value)}{SPACE}{unit}" if unit else _figures(value)


def _scaled(value: float, units: Sequence[tuple[str, float]]) -> str:
    name, factor = next(((n, f) for n, f in units if abs(value) >= f), units[-1])
    return f"{_figures(value / factor)}{SPACE}{name}"


def _figures(value: float) -> str:
    """Formats whole numbers with all their digits, grouped, and others with four significant digits."""
    whole = value == int(value) and abs(value) < 1e12 if math.isfinite(value) else False
    return count(value) if whole or 1e4 <= abs(value) < 1e12 else f"{value:.4g}"


def _signed(value: float) -> str:
    return f"{'+' if value > 0 else MINUS}{_figures(float(f'{abs(value):.3g}'))}"
