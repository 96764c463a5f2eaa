# SPDX-License-Identifier: BSD-3-Clause
"""The parameters of a trade-off study, with ranges or choices of values."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from hypermon._model import allowed
from hypermon._model.schema import Parameter, Schema, Value, number
from hypermon.errors import UserError

WHERE = "vary"
LOG = "log"
# A range: (low, high) or (low, high, "log"). Choices: a list.
Vary = Mapping[str, tuple[float, float] | tuple[float, float, str] | Sequence[Value]]


@dataclass(frozen=True)
class Dimension:
    """A parameter with a range or a choice of values."""

    parameter: Parameter
    choices: tuple[Value, ...] = ()  # if not empty, the range is ignored
    low: float = 0
    high: float = 0
    log: bool = False

    @property
    def path(self) -> str:
        return self.parameter.path

    def at(self, share: float) -> Value:
        """Returns the allowed value nearest to the position `share`, 0 to 1, in the range. Choices have equal parts."""
        if self.choices:
            return self.choices[min(int(share * len(self.choices)), len(self.choices) - 1)]
        if self.log:
            return self.snap(self.low * (self.high / self.low) ** share)
        return self.snap(self.low + share * (self.high - self.low))

    def snap(self, wanted: float) -> Value:
        return allowed.snap(self.parameter, wanted)

    @property
    def values(self) -> Sequence[Value] | None:
        """Returns all possible values. None: they are unlimited."""
        if self.choices:
            return self.choices
        return allowed.between(self.parameter, self.low, self.high) if self.parameter.type == "int" else None

    @property
    def is_snapped(self) -> bool:
        """Are requested values replaced by the nearest allowed ones?"""
        return not self.choices and self.parameter.type == "int"


def space(dimensions: Sequence[Dimension]) -> int | None:
    """Returns the number of designs. None: it is unlimited."""
    values = [d.values for d in dimensions]
    return math.prod(len(own) for own in values if own is not None) if None not in values else None


def read(vary: Vary, schema: Schema) -> list[Dimension]:
    if not vary or not isinstance(vary, Mapping):
        raise UserError("vary: name parameters, as {'nodes': (4, 16)}")
    return [_dimension(schema.parameter(path, WHERE), given) for path, given in vary.items()]


def _dimension(parameter: Parameter, given: object) -> Dimension:
    if isinstance(given, tuple) and len(given) in (2, 3) and parameter.type in ("int", "float"):
        return _range(parameter, given)
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise UserError(f"{parameter.path} = {given}: must be a range (low, high) or a list of values", WHERE)
    choices = tuple(parameter.parse(value, WHERE) for value in given)
    if len(set(choices)) < len(choices) or len(choices) < 2:
        raise UserError(f"{parameter.path}: must have two values or more, each once", WHERE)
    return Dimension(parameter, choices)


def _range(parameter: Parameter, given: tuple[object, ...]) -> Dimension:
    low, high = (float(parameter.parse(value, WHERE)) for value in given[:2])
    shown = f"{parameter.path} = ({number(low)}, {number(high)})"
    log = len(given) == 3
    if log and given[2] != LOG:
        raise UserError(f"{shown[:-1]}, {given[2]}): the third can only be '{LOG}'", WHERE)
    if not low < high:
        raise UserError(f"{shown}: the low end must be below the high end", WHERE)
    if log and not low > 0:
        raise UserError(f"{shown}: at equal ratios the low end must be above 0", WHERE)
    assert math.isfinite(high)
    return Dimension(parameter, low=low, high=high, log=log)
