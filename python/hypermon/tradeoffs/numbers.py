# SPDX-License-Identifier: BSD-3-Clause
"""The metrics of designs for trade-offs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from hypermon._engine import unobserved
from hypermon._engine.designs import Designs, amounts
from hypermon._model import cost as costs
from hypermon._model import expressions
from hypermon._model import metrics as metric_paths
from hypermon._model.schema import Value


class Numbers:
    """The named metrics of designs (`hypermon._model.metrics`)."""

    def __init__(self, designs: Designs, names: Sequence[str]) -> None:
        self._designs = designs
        self._names = metric_paths.check(names, designs.schema, "")
        for name in self._names:
            text = metric_paths.formula(name)
            if not isinstance(text, str):
                continue
            if expressions.members_of(metric_paths.COST, text) and not metric_paths.needs_result([name]):
                costs.evaluate(text, designs.base.values)  # raises an error with the costs of this machine
            if text == metric_paths.LOSS:
                amounts(designs.base)  # raises an error if the monitor has no losses
        self._slows_down = metric_paths.needs_unobserved(self._names)

    def rows(self, designs: Sequence[Mapping[str, Value]]) -> list[dict[str, Any]]:
        """Returns a row for each design: `status`, `error` and the numbers. None: the result has no such number."""
        specs = [self._designs.resolve(settings) for settings in designs]
        alone = []
        if self._slows_down:
            own = (unobserved.of_program(settings, self._designs.schema) for settings in designs)
            alone = [self._designs.resolve({**settings, **unobserved.WITHOUT}) for settings in own]
        return self._designs.evaluate(specs, self._names, alone)
