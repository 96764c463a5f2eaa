# SPDX-License-Identifier: BSD-3-Clause
"""Precedence of parameter values that are given in several places. docs/reference/scenarios.md lists the order."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from hypermon._model.schema import Value, common_path
from hypermon.errors import UserError


class Given(NamedTuple):
    """A value and the place where it was given."""

    value: Value
    where: str


class Conditional(NamedTuple):
    """A variant: values that apply to runs whose parameters match `when`."""

    when: Mapping[str, Value]
    given: Mapping[str, Given]
    where: str

    def applies(self, values: Mapping[str, Value]) -> bool:
        """Does the variant apply? A single component's parameter defaults to the common one."""
        return all(values.get(path, values[common_path(path)]) == value for path, value in self.when.items())


class Layer(NamedTuple):
    """The values given in one place, a file or a command line. Its conditional values override its other ones."""

    given: Mapping[str, Given]
    conditional: Sequence[Conditional] = ()


def decide(layers: Sequence[Layer], defaults: Mapping[str, Value]) -> dict[str, Given]:
    """Decides which values apply. Later layers override earlier ones.

    A conditional value applies if its condition is true in the outcome. Raises a UserError if that cannot be decided
    because conditions contradict each other.
    """
    conditional = [one for layer in layers for one in layer.conditional]
    applied: set[int] = set()
    for _ in range(len(conditional) + 1):
        before = set(applied)
        for i, one in enumerate(conditional):  # in order, so that the first of two mutually exclusive variants applies
            outcome = _outcome(layers, applied)
            held = one.applies({**defaults, **{path: given.value for path, given in outcome.items()}})
            applied = applied | {i} if held else applied - {i}
        if applied == before:
            return _outcome(layers, applied)
    wavering = next(conditional[i] for i in sorted(applied ^ before))
    raise UserError(
        "variants: it cannot be said whether this one applies: what follows undoes its `when`", wavering.where
    )


def _outcome(layers: Iterable[Layer], applied: set[int]) -> dict[str, Given]:
    outcome: dict[str, Given] = {}
    i = 0
    for layer in layers:
        outcome |= layer.given
        for one in layer.conditional:
            if i in applied:
                outcome |= one.given
            i += 1
    return outcome
