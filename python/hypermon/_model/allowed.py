# SPDX-License-Identifier: BSD-3-Clause
"""The values that a number parameter may take, as a sequence, and the nearest of them."""

from __future__ import annotations

import bisect
from collections.abc import Sequence

from hypermon._model.schema import Parameter, Value
from hypermon.errors import UserError

LARGEST = 2**62  # where an integer parameter says no maximum


def integers(parameter: Parameter) -> Sequence[int]:
    """All allowed values of an integer parameter, ascending; a UserError for parameters of other types."""
    if parameter.type != "int":
        raise UserError(
            f"{parameter.path}: is {parameter.allowed}: say which values to look at, as {parameter.path}=A,B"
        )
    low = int(parameter.min) if parameter.min is not None else 0
    high = int(parameter.max) if parameter.max is not None else LARGEST
    if parameter.power_of_two:
        return [1 << bit for bit in range(high.bit_length()) if low <= 1 << bit <= high]
    step = parameter.multiple_of
    return range(-(-low // step) * step, high + 1, step)


def between(parameter: Parameter, low: float, high: float) -> Sequence[int]:
    """The allowed values of an integer parameter from `low` to `high`, ascending."""
    values = integers(parameter)
    first = bisect.bisect_left(values, low)
    return values[first : bisect.bisect_right(values, high, first)]


def snap(parameter: Parameter, wanted: float) -> Value:
    """The allowed value nearest to `wanted`; between two equally near, the lower."""
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
