# SPDX-License-Identifier: BSD-3-Clause
"""The cases of a scenario and their expectations, and their form in files."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from hypermon._files.items import Item
from hypermon._model import expressions, units
from hypermon.errors import UserError, cut, suggestion

MISSED = "missed"  # a known difference from a paper: the value is hypermon's, the source has that of the paper
KINDS = ("published", "derived", "golden", MISSED)
CASE_EXAMPLE = "eight_nodes"
_OF_A_FINGERPRINT = re.compile(r"(cases\.\w+\.)?fingerprint")
_FINGERPRINT = re.compile(r"[0-9a-f]{16}")


@dataclass(frozen=True)
class Expectation:
    """A condition on one number of the result. `of`, `equals`, `low` and `high` are expressions over the result."""

    of: str
    equals: str | None
    low: str | None
    high: str | None
    within: float
    relative: bool
    kind: str
    reason: str  # the source of a published or missed number, the derivation of a derived one
    where: str
    answers: bool = False  # whether it answers the scenario's question

    @property
    def expressions(self) -> tuple[str, ...]:
        return tuple(text for text in (self.of, self.equals, self.low, self.high) if text is not None)


@dataclass(frozen=True)
class Case:
    """A run of a scenario in `hypermon check`."""

    settings: Mapping[str, Item]
    presets: tuple[Item, ...]
    expect: tuple[Expectation, ...]
    label: str = ""  # name for expectations of other cases

    @property
    def name(self) -> str:
        if self.label:
            return self.label
        presets = [item.value for item in self.presets]
        return " ".join(presets + [f"{path}={item.value}" for path, item in self.settings.items()]) or "default"


def cases(top: Mapping[str, Item]) -> tuple[Case, ...]:
    """Reads the cases of a scenario file. A file without `cases` has a single one."""
    if "cases" not in top:
        return (Case({}, (), _expectations(top.get("expect"))),)
    if "expect" in top:
        raise UserError("expect: must be in the cases if there are any", top["expect"].where)
    found = tuple(_case(item) for item in top["cases"].items("cases"))
    _check_labels(found, top["cases"].items("cases"))
    return found


def _case(item: Item) -> Case:
    entry = item.mapping("case", ("name", "set", "presets", "expect"))
    label = entry["name"].text("name") if "name" in entry else ""
    if label and not label.isidentifier():
        raise UserError(
            f"name: {label}: must be letters, digits and _, as in cases.{CASE_EXAMPLE}", entry["name"].where
        )
    return Case(leaves(entry), presets(entry), _expectations(entry.get("expect")), label)


def _check_labels(cases: Sequence[Case], items: Sequence[Item]) -> None:
    """Checks that names are unique, and that expectations refer to existing cases."""
    labels: list[str] = []
    for case, item in zip(cases, items, strict=True):
        if case.label and case.label in labels:
            raise UserError(f"name: {case.label}: given twice", item.where)
        labels.append(case.label)
    for expectation in (e for case in cases for e in case.expect):
        for label in cases_of(expectation):
            if label not in labels:
                known = [name for name in labels if name]
                raise UserError(f"cases.{label}: no such case{suggestion(label, known)}", expectation.where)


def compared_with(case: Case) -> list[str]:
    """Returns the names of the cases to which the case's expectations refer."""
    return [label for expectation in case.expect for label in cases_of(expectation)]


def cases_of(expectation: Expectation) -> list[str]:
    """Returns the names of the cases to which an expectation refers."""
    return [label for text in expectation.expressions for label in expressions.members_of("cases", text)]


def leaves(entry: Mapping[str, Item]) -> dict[str, Item]:
    """Returns the values of a section `set`, by path."""
    return entry["set"].leaves("set") if "set" in entry else {}


def presets(entry: Mapping[str, Item]) -> tuple[Item, ...]:
    return tuple(entry["presets"].items("presets")) if "presets" in entry else ()


def _expectations(item: Item | None) -> tuple[Expectation, ...]:
    return tuple(_expectation(entry) for entry in item.items("expect")) if item is not None else ()


def _expectation(item: Item) -> Expectation:
    entry = item.mapping("expectation", ("of", "is", "min", "max", "within", "kind", "source", "because", "answers"))
    require(entry, ("of", "kind"), "expectation", item)
    kind = entry["kind"].text("kind")
    if kind not in KINDS:
        raise UserError(f"kind: {kind}: must be one of {', '.join(KINDS)}", entry["kind"].where)
    if ("is" in entry) == ("min" in entry or "max" in entry):
        raise UserError("expectation: needs either `is` or `min` and/or `max`", item.where)
    if "within" in entry and "is" not in entry:
        raise UserError("within: needs `is`", entry["within"].where)
    needed = {"published": "source", MISSED: "source", "derived": "because"}.get(kind)
    if needed:
        require(entry, (needed,), f"{kind} expectation", item)
    within, relative = _tolerance(entry.get("within"))
    of = _expression(entry["of"], "of")
    return Expectation(
        of=of,
        equals=_equals(entry["is"], of) if "is" in entry else None,
        low=_expression(entry["min"], "min") if "min" in entry else None,
        high=_expression(entry["max"], "max") if "max" in entry else None,
        within=within,
        relative=relative,
        kind=kind,
        reason=entry[needed].text(needed) if needed else "",
        where=item.where,
        answers=_answers(entry.get("answers")),
    )


def _answers(item: Item | None) -> bool:
    if item is not None and item.value is not True:
        raise UserError(f"answers: {cut(item.value)}: must be true, or not given", item.where)
    return item is not None


def require(entry: Mapping[str, Item], keys: Iterable[str], what: str, item: Item) -> None:
    for key in keys:
        if key not in entry:
            raise UserError(f"{what}: `{key}` is missing", item.where)


def _expression(item: Item, what: str) -> str:
    value = item.value
    if isinstance(value, bool) or value is None:
        return {True: "true", False: "false", None: "null"}[value]
    text = repr(value) if isinstance(value, int | float) else item.text(what)
    if (share := _share(text)) is not None:
        return repr(share)
    try:
        expressions.parse(text)
    except expressions.ExpressionError as error:
        raise UserError(f"{what}: {error}", item.where) from None
    return text


def _equals(item: Item, of: str) -> str:
    """Reads the value of `is`. A fingerprint is kept as text, since its 16 digits may look like a number or a name."""
    written = item.written.strip()
    if _OF_A_FINGERPRINT.fullmatch(of) and _FINGERPRINT.fullmatch(written):
        return f'"{written}"'
    return _expression(item, "is")


def _tolerance(item: Item | None) -> tuple[float, bool]:
    if item is None:
        return 0.0, False
    raw: Any = item.value
    share, number = _share(str(raw)), _number(str(raw))
    value = number if share is None else share
    if isinstance(raw, bool) or value is None or value < 0:
        raise UserError(f"within: {cut(raw)}: must be a share like `2 %` or a number, not negative", item.where)
    return value, share is not None


def _share(text: str) -> float | None:
    """Converts a text such as `2 %` to a share. None: it is no percentage."""
    stripped = text.strip()
    number = _number(stripped.removesuffix("%")) if stripped.endswith("%") else None
    return None if number is None else number / 100


def _number(text: str) -> float | None:
    try:
        exact = units.parse(text, "")
    except ValueError:
        return None
    return None if exact is None else float(exact)
