# SPDX-License-Identifier: BSD-3-Clause
"""What a comparison is: rows of values side by side, their differences, and which is best where that is known."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from hypermon._model import cards
from hypermon._model.cards import Card, Shown
from hypermon._model.result import show
from hypermon._model.schema import Value
from hypermon._model.words import plural

if TYPE_CHECKING:
    import pandas as pd

LESS, MORE = "less", "more"
TIMES = 10  # (chosen) a difference of so many times the first is written as such
AS_GOOD = 0.001  # (chosen) within that share of the best, a number is as good as it


@dataclass(frozen=True)
class Subject:
    """What is compared: a run, or a design. `about`: what one wants to know of it first."""

    name: str
    about: Mapping[str, Any]


@dataclass(frozen=True)
class Row:
    """One parameter or result of every subject.

    Attributes:
        path: Of the parameter or the result, or a name of its own if it is computed from others.
        label: In words.
        unit: Of the values; "%" means that they are shares from 0 to 1.
        values: One a subject; None: it has none.
        better: LESS or MORE is better; "": not known, or not to be said of these subjects.
        program, nodes: Of designs over programs: where.
        references: Subjects that do not compete: a run that nothing observes.
    """

    path: str
    label: str
    unit: str
    values: tuple[Value | None, ...]
    better: str = ""
    program: str = ""
    nodes: int | None = None
    references: frozenset[int] = frozenset()

    @property
    def differs(self) -> bool:
        return len({(type(v) is bool, v) for v in self.values}) > 1

    @property
    def differences(self) -> tuple[float | None, ...]:
        """Each less the first; None where either is no number."""
        first = _number(self.values[0])
        return tuple(None if (n := _number(v)) is None or first is None else n - first for v in self.values)

    @property
    def relative(self) -> tuple[float | None, ...]:
        """The same as a share of the first; None where that is 0."""
        first = _number(self.values[0])
        return tuple(None if d is None or not first else d / abs(first) for d in self.differences)

    @property
    def best(self) -> tuple[int, ...]:
        """Which are better than another that has such a number: none if all are as good, or if nobody knows."""
        rivals = {i: n for i, v in enumerate(self.values) if i not in self.references and (n := _number(v)) is not None}
        if not self.better or not rivals:
            return ()
        goal = min(rivals.values()) if self.better == LESS else max(rivals.values())
        found = tuple(i for i, n in rivals.items() if abs(n - goal) <= AS_GOOD * abs(goal))
        return found if len(found) < len(rivals) else ()

    def cell(self, value: Value | None) -> str:
        """As a table has it, without unit but for shares."""
        if value is None:
            return "–"
        if self.unit == "%":
            return f"{100 * float(value):.4g} %"
        return show(value)

    def difference(self, i: int) -> str:
        """Of the i-th to the first, as a table has it."""
        by = self.differences[i]
        if not by:
            return ""
        if self.unit == "%":
            return f"{100 * by:+.4g} points"
        share = self.relative[i]
        if share is None:
            ratio = ""
        else:
            ratio = f" ({100 * share:+.3g} %)" if abs(share) < TIMES else f" (times {1 + share:.3g})"
        return ("+" if by > 0 else "") + show(by) + ratio

    def to_dict(self, names: Sequence[str]) -> dict[str, Any]:
        where = {"program": self.program, "nodes": self.nodes} if self.program else {}
        return {
            **where,
            "path": self.path,
            "label": self.label,
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
        said: The summary; if empty, it follows from `better_in`.
    """

    kind: str
    subjects: tuple[Subject, ...]
    notes: tuple[str, ...]
    parameters: tuple[Row, ...]
    results: tuple[Row, ...]
    main: int
    said: str = ""

    @property
    def names(self) -> list[str]:
        return [subject.name for subject in self.subjects]

    def better_in(self) -> dict[str, list[Row]]:
        """By subject that competes the main results in which it alone is the best."""
        main = self.results[: self.main]
        return {
            name: [row for row in main if row.best == (i,)]
            for i, name in enumerate(self.names)
            if any(i not in row.references for row in main)
        }

    def to_dict(self) -> dict[str, Any]:
        """Everything, as `hypermon compare --json` has it."""
        return {
            "kind": self.kind,
            "compared": [{"name": subject.name, **subject.about} for subject in self.subjects],
            "notes": list(self.notes),
            "parameters": [{"path": row.path, "unit": row.unit, "values": list(row.values)} for row in self.parameters],
            "results": [row.to_dict(self.names) for row in self.results],
        }

    def to_pandas(self) -> pd.DataFrame:
        """Results by path (of designs by program, nodes and path), a column a subject, `unit` and `best`."""
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
            if row.differs
        ]
        labels = [row.label if row.unit in ("", "%") else f"{row.label}, {row.unit}" for _, row in rows]
        cells = [
            (*([where[i]] if any(where) else []), label, *map(row.cell, row.values))
            for (i, row), label in zip(rows, labels, strict=True)
        ]
        table = cards.table((*key, *self.names), cells, more="to_pandas()")
        bold = frozenset((n, len(key) + best) for n, (_, row) in enumerate(rows) for best in row.best)
        return Card(
            title=f"Comparison of {len(self.subjects)} {self.kind}: {', '.join(self.names)}",
            verdict=self.summary(),
            facts=[
                (row.path, f"{', '.join(map(row.cell, row.values))} {row.unit}".rstrip())
                for row in self.parameters[: cards.MOST_ROWS]
            ],
            tables=[replace(table, bold=bold)] if cells else [],
            notes=self.notes,
        )

    def summary(self) -> str:
        """Who is better where, in one sentence or two."""
        if self.said:
            return self.said
        if not any(row.better for row in self.results):
            return "What is better is not judged."
        found = {name: rows for name, rows in self.better_in().items() if rows}
        if not found:
            return "None is better in anything that is judged."
        said = [
            f"{name} is better in {plural(len(rows), 'result')}: {', '.join(row.label for row in rows)}"
            for name, rows in found.items()
        ]
        return ". ".join(said) + "."


def _number(value: Value | None) -> float | None:
    """Yes counts as 1: an overrun is more than none."""
    return None if value is None or isinstance(value, str) else float(value)
