# SPDX-License-Identifier: BSD-3-Clause
"""Which value holds where several are said: that of the nearer word. docs/reference/scenarios.md has the order."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from hypermon._model.schema import Value, common_path
from hypermon.errors import UserError


class Given(NamedTuple):
    """A value and where it was said."""

    value: Value
    where: str


class Conditional(NamedTuple):
    """Values for runs in which others are as `when` says: a variant."""

    when: Mapping[str, Value]
    given: Mapping[str, Given]
    where: str

    def applies(self, values: Mapping[str, Value]) -> bool:
        """A parameter of one of several is as that of all if nobody said otherwise."""
        return all(values.get(path, values[common_path(path)]) == value for path, value in self.when.items())


class Layer(NamedTuple):
    """What was said in one place, a file or a command line. Its conditional values win over its others."""

    given: Mapping[str, Given]
    conditional: Sequence[Conditional] = ()


def decide(layers: Sequence[Layer], defaults: Mapping[str, Value]) -> dict[str, Given]:
    """What holds of all that was said, the farthest layer first. A conditional value holds if its condition does in
    the outcome; a UserError if that cannot be said because conditions undo each other.
    """
    conditional = [one for layer in layers for one in layer.conditional]
    applied: set[int] = set()
    for _ in range(len(conditional) + 1):
        before = set(applied)
        for i, one in enumerate(conditional):  # in order: the first of two that exclude each other holds
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
