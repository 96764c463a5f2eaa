# SPDX-License-Identifier: BSD-3-Clause
"""The parameters of a sizing question: which values of each are looked at, and which end of them is the cheap one."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from hypermon._engine import cost
from hypermon._engine.cost import Cost
from hypermon._model import allowed, vocabulary
from hypermon._model.schema import Parameter, Schema, Value
from hypermon._model.spec import Spec
from hypermon.errors import UserError

Vary = str | Sequence[str] | Mapping[str, object]
WHERE = "vary"
GRID = 25  # (chosen) values of a second parameter if none are given, at equal ratios
AROUND = 4  # (chosen) from its present value over this to its present value times this


@dataclass(frozen=True)
class Axis:
    parameter: Parameter
    values: Sequence[Value]
    is_whole: bool = False
    """All that the parameter's range has: nobody has said which."""

    @property
    def path(self) -> str:
        return self.parameter.path

    def reversed(self) -> Axis:
        return Axis(self.parameter, self.values[::-1])


def read(vary: Vary, schema: Schema, present: Mapping[str, Value]) -> list[Axis]:
    """The parameter to size first, then the others; `present`: the values of the scenario."""
    given = _given(vary)
    if not given:
        raise UserError("vary: name a parameter to size")
    axes = []
    for path, values in given.items():
        parameter = schema.parameter(path, WHERE)
        if parameter.type not in ("int", "float"):
            raise UserError(f"{path}: is {parameter.allowed}: a size is a number", WHERE)
        if values is not None:
            axes.append(Axis(parameter, _listed(parameter, values)))
        elif not axes:
            axes.append(Axis(parameter, allowed.integers(parameter), is_whole=True))
        else:
            axes.append(Axis(parameter, _around(parameter, present.get(path, parameter.default))))
    return axes


def without_refused(axis: Axis, is_refused: Callable[[Value], bool]) -> Axis:
    """Of a whole range without its least values that do not go with the design's others: a FIFO that no event fits."""
    if not axis.is_whole or not is_refused(axis.values[0]) or is_refused(axis.values[-1]):
        return axis
    refused, fits = 0, len(axis.values) - 1
    while fits - refused > 1:
        middle = (refused + fits) // 2
        if is_refused(axis.values[middle]):
            refused = middle
        else:
            fits = middle
    return Axis(axis.parameter, axis.values[fits:])


def default(base: Spec) -> str:
    """What the monitor of the design is sized by."""
    monitor = base.values["monitor"]
    sized = vocabulary.of(monitor).sized
    if not sized:
        raise UserError(f"vary: name a parameter to size; monitor = {monitor} has none that it is sized by")
    return sized


def _given(vary: Vary) -> dict[str, object]:
    if isinstance(vary, str):
        return {vary: None}
    return dict(vary) if isinstance(vary, Mapping) else dict.fromkeys(vary)


def _listed(parameter: Parameter, values: object) -> Sequence[Value]:
    from hypermon._engine.sweeping import space

    return sorted(space.values_of(parameter, space.Said(values, WHERE)))


def _around(parameter: Parameter, present: Value) -> Sequence[Value]:
    assert not isinstance(present, str)
    if present <= 0:
        raise UserError(f"{parameter.path}: say which values to look at, as {parameter.path}=A,B", WHERE)
    ratios = (AROUND ** (2 * i / (GRID - 1) - 1) for i in range(GRID))
    return sorted({allowed.snap(parameter, present * ratio) for ratio in ratios})


def dearer(axis: Axis, values: Mapping[str, Value], wanted: Cost | None) -> bool | None:
    """Are larger values of the axis dearer? None: the cost, or any that is known if none was given, does not say."""
    low, high = ({**values, axis.path: value} for value in (axis.values[0], axis.values[-1]))
    known = [f"cost.{name}" for name in cost.terms(values)]
    for of in known if wanted is None else [wanted]:
        if cost.evaluate(of, low) != cost.evaluate(of, high):
            return cost.evaluate(of, low) < cost.evaluate(of, high)
    return None
