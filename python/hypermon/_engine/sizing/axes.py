# SPDX-License-Identifier: BSD-3-Clause
"""The parameters of a sizing question: the values to evaluate, and which end of them is the cheap one."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from hypermon._model import allowed, argument_checks, cost, vocabulary
from hypermon._model.cost import Cost
from hypermon._model.schema import Parameter, Schema, Value, number
from hypermon._model.spec import Spec
from hypermon.errors import UserError

Vary = str | Sequence[str] | Mapping[str, object]
WHERE = "vary"
GRID = 25  # (chosen) number of default values, at equal ratios, of a further parameter that is no integer
AROUND = 4  # (chosen) default values of a further parameter lie within this factor of its present value


@dataclass(frozen=True)
class Axis:
    parameter: Parameter
    values: Sequence[Value]
    is_whole: bool = False
    """The values are the parameter's whole range, because the user gave none."""
    is_every: bool = False
    """No possible value between the first and the last is missing."""
    is_grid: bool = False
    """The values are a selection from the range, because the user gave none."""

    @property
    def path(self) -> str:
        return self.parameter.path

    @property
    def summary(self) -> str:
        """A sentence that describes the values; empty where the user listed them."""
        ends = f"from {_shown(self.values[0])} to {_shown(self.values[-1])} {self.parameter.unit}".rstrip()
        if self.is_grid:
            ratio = (float(self.values[-1]) / float(self.values[0])) ** (1 / (len(self.values) - 1))
            return (
                f"{self.path} was tried on a grid: {len(self.values)} values {ends}, each about {ratio:.4g} times"
                " the one before. A value between them may be cheaper."
            )
        if not self.is_every:
            return ""
        kind = "power of two" if self.parameter.power_of_two else "integer"
        if self.parameter.multiple_of > 1:
            kind = f"multiple of {self.parameter.multiple_of}"
        return f"{self.path} was searched exactly: every {kind} {ends}."

    def reversed(self) -> Axis:
        return replace(self, values=self.values[::-1])

    def nearest(self, value: Value) -> Value:
        return min(self.values, key=lambda one: abs(float(one) - float(value)))

    def grid(self, present: Value) -> Axis:
        """A coarser axis: values at equal ratios around the present one."""
        return Axis(self.parameter, _around(self.parameter, present), is_grid=True)


def read(vary: Vary, schema: Schema, present: Mapping[str, Value]) -> list[Axis]:
    """Returns the axes: the parameter to size, then the others. `present`: the values of the scenario."""
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
            around = _around(parameter, present.get(path, parameter.default))
            if parameter.type == "int":
                between = allowed.between(parameter, float(around[0]), float(around[-1]))
                axes.append(Axis(parameter, between, is_every=True))
            else:
                axes.append(Axis(parameter, around, is_grid=True))
    return axes


def without_refused(axis: Axis, is_refused: Callable[[Value], bool]) -> Axis:
    """Removes the smallest values of a whole range that the design refuses, such as a FIFO too small for an event."""
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
    """Returns the parameter by which the design's monitor is sized by default."""
    monitor = base.values["monitor"]
    sized = vocabulary.find(monitor).sized
    if not sized:
        raise UserError(f"vary: name a parameter to size; monitor = {monitor} has none that it is sized by")
    return sized


def _given(vary: Vary) -> dict[str, object]:
    if isinstance(vary, str):
        return {vary: None}
    return dict(vary) if isinstance(vary, Mapping) else dict.fromkeys(argument_checks.texts("vary", vary))


def _listed(parameter: Parameter, values: object) -> Sequence[Value]:
    from hypermon._engine.sweeping import space

    return sorted(space.values_of(parameter, space.Placed(values, WHERE)))


def _around(parameter: Parameter, present: Value) -> Sequence[Value]:
    assert not isinstance(present, str)
    if present <= 0:
        raise UserError(f"{parameter.path}: name the values to evaluate, as {parameter.path}=A,B", WHERE)
    ratios = (AROUND ** (2 * i / (GRID - 1) - 1) for i in range(GRID))
    return sorted({allowed.snap(parameter, present * ratio) for ratio in ratios})


def _shown(value: Value) -> str:
    return number(value) if isinstance(value, int | float) else value


def larger_costs_more(axis: Axis, values: Mapping[str, Value], wanted: Cost | None) -> bool | None:
    """Are larger values of the axis more expensive?

    Compares the given cost, or the monitor's costs if none was given. None: these do not decide.
    """
    low, high = ({**values, axis.path: value} for value in (axis.values[0], axis.values[-1]))
    known = [f"cost.{name}" for name in cost.terms(values)]
    for of in known if wanted is None else [wanted]:
        if cost.evaluate(of, low) != cost.evaluate(of, high):
            return cost.evaluate(of, low) < cost.evaluate(of, high)
    return None
