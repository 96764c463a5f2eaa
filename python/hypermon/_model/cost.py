# SPDX-License-Identifier: BSD-3-Clause
"""Cost of a design: the cost terms of its monitor (bits of memory, bandwidth), and arithmetic over them."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from hypermon._model import argument_checks, expressions, monitors
from hypermon._model.schema import Value, nested
from hypermon.errors import UserError, suggestion

Cost = str | Callable[[Mapping[str, Value]], float]


@dataclass(frozen=True)
class Term:
    """A cost term of a monitor, computed from a resolved specification. A KeyError means that it does not apply."""

    unit: str
    compute: Callable[[Mapping[str, Value]], float]
    is_slow: bool = False
    """Whether it takes seconds. Such a term is computed only where it is named."""


class HasCosts(Protocol):
    def costs(self) -> Mapping[str, Term]: ...


@functools.cache
def all_terms() -> Mapping[str, Term]:
    """Returns all cost terms, by their name after `cost.`."""
    return {name: term for own in monitors.parts(HasCosts.costs).values() for name, term in own.items()}


def evaluate(cost: Cost, values: Mapping[str, Value]) -> float:
    """Computes a cost of a resolved specification.

    `cost`: a function of the values, or an expression over parameters and cost terms, such as
    `"cost.memory_bits + 64 * cost.bandwidth_bytes_per_s / 1e6"` or `"1e6 / network.bandwidth_mb_per_s"`.
    """
    if callable(cost):
        return argument_checks.real("cost", cost(values), "a function that returns a number", lambda _: True)
    parameters = nested(values)
    try:
        names = {**parameters, "spec": parameters, "cost": terms(values, [cost])}
        value = expressions.evaluate(cost, names)
    except expressions.ExpressionError as error:
        known = ", ".join(f"cost.{name}" for name in all_terms())
        missing = error.path if isinstance(error, expressions.MissingError) else ""
        hint = suggestion(missing, [*(f"cost.{name}" for name in all_terms()), *values]) if missing else ""
        message = f"cost: {error}".split("; it has")[0].replace("the result has no", "there is no")
        raise UserError(f"{message}: must be arithmetic over parameters, {known}{hint}") from None
    return argument_checks.real(f"cost = {cost}", value, "a number", lambda _: True)


def terms(values: Mapping[str, Value], texts: Sequence[str] = ()) -> dict[str, float]:
    """Returns the cost terms that apply to this machine. Those of a monitor need the monitor's hardware.

    `texts`: expressions. Slow terms are computed only if an expression names them.
    """
    named = {name for text in texts for name in expressions.members_of("cost", text)}
    found = {}
    for name, term in all_terms().items():
        if term.is_slow and name not in named:
            continue
        with contextlib.suppress(KeyError):
            found[name] = term.compute(values)
    return found


def unit(cost: Cost) -> str:
    """Returns the unit of a cost that is a single term. Empty for all other costs."""
    term = all_terms().get(cost.removeprefix("cost.")) if isinstance(cost, str) else None
    return term.unit if term is not None else ""
