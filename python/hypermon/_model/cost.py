# SPDX-License-Identifier: BSD-3-Clause
"""What a design costs, in terms that its monitor has (bits of memory, bandwidth), and arithmetic over them."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Protocol

from hypermon._model import asked, expressions, monitors
from hypermon._model.schema import Value, nested
from hypermon.errors import UserError, suggestion

Cost = str | Callable[[Mapping[str, Value]], float]


@dataclass(frozen=True)
class Term:
    """One of a monitor's costs, of the values of a resolved specification; KeyError: that machine has none."""

    unit: str
    of: Callable[[Mapping[str, Value]], float]


class HasCosts(Protocol):
    def costs(self) -> Mapping[str, Term]: ...


@functools.cache
def known() -> Mapping[str, Term]:
    """Every term that an expression may have, by the name after `cost.`."""
    return {name: term for own in monitors.parts(HasCosts.costs).values() for name, term in own.items()}


def evaluate(cost: Cost, values: Mapping[str, Value]) -> float:
    """A cost of a resolved specification: a function of its values, or an expression over parameters and costs.

    `"cost.memory_bits + 64 * cost.bandwidth_bytes_per_s / 1e6"`, `"1e6 / network.bandwidth_mb_per_s"`.
    """
    if callable(cost):
        return asked.real("cost", cost(values), "a function that returns a number", lambda _: True)
    parameters = nested(values)
    names = {**parameters, "spec": parameters, "cost": terms(values)}
    try:
        value = expressions.evaluate(cost, names)
    except expressions.ExpressionError as error:
        all_terms = ", ".join(f"cost.{name}" for name in known())
        missing = error.path if isinstance(error, expressions.MissingError) else ""
        hint = suggestion(missing, [*(f"cost.{name}" for name in known()), *values]) if missing else ""
        said = f"cost: {error}".split("; it has")[0].replace("the result has no", "there is no")
        raise UserError(f"{said}: must be arithmetic over parameters, {all_terms}{hint}") from None
    return asked.real(f"cost = {cost}", value, "a number", lambda _: True)


def terms(values: Mapping[str, Value]) -> dict[str, float]:
    """The costs that this machine has: one without a monitor's hardware has none of its."""
    found = {}
    for name, term in known().items():
        with contextlib.suppress(KeyError):
            found[name] = term.of(values)
    return found


def unit(cost: Cost) -> str:
    """The unit of a cost that is a term alone; nothing is known of others."""
    term = known().get(cost.removeprefix("cost.")) if isinstance(cost, str) else None
    return term.unit if term is not None else ""
