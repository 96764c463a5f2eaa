# SPDX-License-Identifier: BSD-3-Clause
"""Finds the cells of Table 2 on which each constant was calibrated, from the constant's text `source`.

A source that starts with `calibrated on Table 2` names cells, up to the first colon or bracket, in the form
`PROGRAMS raw|software|hardware [times|bytes] [on NODES nodes]` or `raw|... [times|bytes] of PROGRAMS [on NODES nodes]`.
Several are joined with `and`, `;` or commas. PROGRAMS is a list of names or `all programs`, NODES a list of numbers or
`N to N`. A comma may replace `on`. Without NODES, all sizes are meant; without `times` or `bytes`, both quantities.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable
from dataclasses import dataclass

from hypermon._inputs.scenario import Scenario
from hypermon._model.schema import Schema, number

PROGRAMS = ("simplex", "life", "matmul", "place")
NODES = (1, 2, 4, 8)
MONITORS = {"raw": "none", "software": "software", "hardware": "hypermon"}
CALIBRATED, PREDICTED = "calibrated", "predicted"  # status of a number of a run
Cell = tuple[str, int, str, str]  # program, nodes, monitor, quantity (elapsed or logged)

_MARK = "calibrated"
_PROGRAM = r"(?:simplex|life|matmul|place|all programs)"
_PROGRAMS = rf"(?P<programs>{_PROGRAM}(?:(?:,\s*|\s+and\s+){_PROGRAM})*)"
_WHAT = r"(?P<monitor>raw|software|hardware)(?:\s+(?P<quantity>times?|bytes))?"
_SIZES = r"(?:,?\s+(?:on\s+)?(?P<nodes>\d+(?:(?:,\s*|\s+and\s+|\s+to\s+)\d+)*)[\s-]nodes?)?"
_CELLS = tuple(
    re.compile(pattern + _SIZES, re.IGNORECASE)
    for pattern in (rf"{_PROGRAMS}\s+{_WHAT}", rf"{_WHAT}\s+of\s+{_PROGRAMS}")
)


@dataclass(frozen=True)
class Constant:
    """A constant that was calibrated on cells of Table 2."""

    name: str
    value: str
    unit: str
    source: str

    @property
    def cells(self) -> frozenset[Cell]:
        claim = re.split(r"[:(]", re.sub(r"\([^)]*\)", "", self.source))[0]
        return frozenset(c for pattern in _CELLS for match in pattern.finditer(claim) for c in _named(match))


def constants(schema: Schema, scenarios: Iterable[Scenario]) -> list[Constant]:
    """Returns all calibrated parameters, and the calibrated inputs that scenarios set for each machine size."""
    found = [
        Constant(p.path, number(p.default) if not isinstance(p.default, str) else p.default, p.unit, p.source)
        for p in schema.parameters.values()
        if p.source.lower().startswith(_MARK)
    ]
    for scenario in scenarios:
        for variant in scenario.variants:
            if not variant.source.lower().startswith(_MARK):
                continue
            when = ", ".join(f"{path} = {item.value}" for path, item in variant.when.items())
            for path, item in variant.settings.items():
                unit = schema.parameter(path, item.where).unit
                found.append(Constant(f"{path} at {when}", str(item.value), unit, variant.source))
    return found


def calibrated_cells(found: Iterable[Constant]) -> frozenset[Cell]:
    return frozenset(cell for constant in found for cell in constant.cells)


def _named(match: re.Match[str]) -> Iterable[Cell]:
    given = match["nodes"] or "1 to 8"
    numbers = [int(text) for text in re.findall(r"\d+", given)]
    sizes = [n for n in NODES if numbers[0] <= n <= numbers[-1]] if " to " in given else numbers
    names = match["programs"].lower()
    programs = PROGRAMS if "all" in names else [p for p in PROGRAMS if p in names]
    monitor = MONITORS[match["monitor"].lower()]
    named = (match["quantity"] or "").lower()
    quantities = ["logged"] if named == "bytes" else ["elapsed"] if named else ["elapsed", "logged"]
    for program, n, quantity in itertools.product(programs, sizes, quantities):
        if not (monitor == "none" and quantity == "logged"):
            yield program, n, monitor, quantity
