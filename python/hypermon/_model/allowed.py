# SPDX-License-Identifier: BSD-3-Clause
"""The allowed values of a numeric parameter as a sequence, and the allowed value nearest to a number."""

from __future__ import annotations

import bisect
from collections.abc import Sequence

from hypermon._model.schema import Parameter, Value
from hypermon.errors import UserError

LARGEST = 2**62  # largest value of an integer parameter without a maximum


def integers(parameter: Parameter) -> Sequence[int]:
    """Returns all allowed values of an integer parameter, ascending. Raises a UserError for other types."""
    if parameter.type != "int":
        raise UserError(
            f"{parameter.path}: is {parameter.allowed}: name the values to evaluate, as {parameter.path}=A,B"
        )
    low = int(parameter.min) if parameter.min is not None else 0
    high = int(parameter.max) if parameter.max is not None else LARGEST
    if parameter.power_of_two:
        return [1 << bit for bit in range(high.bit_length()) if low <= 1 << bit <= high]
    step = parameter.multiple_of
    return range(-(-low // step) * step, high + 1, step)


def between(parameter: Parameter, low: float, high: float) -> Sequence[int]:
    """Returns the allowed values of an integer parameter from `low` to `high`, ascending."""
    values = integers(parameter)
    first = bisect.bisect_left(values, low)
    return values[first : bisect.bisect_right(values, high, first)]


def snap(parameter: Parameter, wanted: float) -> Value:
    """Returns the allowed value nearest to `wanted`. Of two equally near values, returns the lower one."""
    low = parameter.min if parameter.min is not None else wanted
    high = parameter.max if parameter.max is not None else wanted
    inside = min(max(wanted, low), high)
    if parameter.type != "int":
        return float(inside)
    values = integers(parameter)
    if isinstance(values, range):
        steps = (inside - values.start) / values.step
        below = min(max(int(steps), 0), len(values) - 1)
        values = values[below : below + 2]
    return min(values, key=lambda value: (abs(value - inside), value))
