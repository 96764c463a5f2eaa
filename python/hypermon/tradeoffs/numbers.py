# SPDX-License-Identifier: BSD-3-Clause
"""What trade-offs are between: numbers of results, costs of designs, slowdown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from hypermon._engine import cost as costs
from hypermon._engine.designs import Designs, amounts
from hypermon._model import expressions, vocabulary
from hypermon._model.schema import Value, common_path
from hypermon._model.spec import Spec
from hypermon.errors import UserError

SLOWDOWN = "slowdown"
LOSS = "loss"
ELAPSED = "elapsed_s"
COST = "cost"
WITHOUT = {"monitor": "none"}


class Numbers:
    """The named numbers of designs: result paths and arithmetic over them, `cost.*`, `loss` and `slowdown`.

    `loss` is the share of the generated data that was lost; `slowdown` is elapsed_s over that of the same program with
    monitor = none.
    """

    def __init__(self, designs: Designs, names: Sequence[str]) -> None:
        self._designs = designs
        self._costs = [name for name in names if _is_cost(name)]
        self._metrics = {name: name for name in names if name not in (*self._costs, LOSS, SLOWDOWN)}
        if LOSS in names:
            self._metrics[LOSS] = " / ".join(amounts(designs.base))
        self._slows_down = SLOWDOWN in names
        for name in self._costs:
            costs.evaluate(name, designs.base.values)

    def of(self, designs: Sequence[Mapping[str, Value]]) -> list[dict[str, Any]]:
        """A row for each design: `status`, `error` and the numbers. None: this result has no such number."""
        specs = [self._designs.resolve(settings) for settings in designs]
        wanted = [*self._metrics.values(), *([ELAPSED] if self._slows_down and ELAPSED not in self._metrics else [])]
        found = self._designs.evaluate(specs, wanted) if wanted else [{"status": "ok", "error": None} for _ in specs]
        for row, spec in zip(found, specs, strict=True):
            row |= {name: row[metric] for name, metric in self._metrics.items()}
            row |= {name: costs.evaluate(name, spec.values) for name in self._costs}
        if self._slows_down:
            for row, without in zip(found, self._without(designs), strict=True):
                _set_slowdown(row, without)
        return found

    def _without(self, designs: Sequence[Mapping[str, Value]]) -> list[Mapping[str, Any]]:
        """The same programs unobserved: what only the monitor has is left as it is, so that few runs serve all."""
        specs: list[Spec] = [self._designs.resolve({**self._of_program(settings), **WITHOUT}) for settings in designs]
        distinct = {spec.hash: spec for spec in specs}
        rows = self._designs.simulate(list(distinct.values()), [ELAPSED])
        by_hash = dict(zip(distinct, rows, strict=True))
        return [by_hash[spec.hash] for spec in specs]

    def _of_program(self, settings: Mapping[str, Value]) -> dict[str, Value]:
        monitoring = {section for one in vocabulary.every() for section in one.emits}
        return {
            path: value
            for path, value in settings.items()
            if path.partition(".")[0] not in monitoring
            and not self._designs.schema.parameters[common_path(path)].behind_ports
        }


def _is_cost(name: str) -> bool:
    try:
        return bool(expressions.members_of(COST, name))
    except expressions.ExpressionError as error:
        raise UserError(f"{name}: {error}") from None


def _set_slowdown(row: dict[str, Any], without: Mapping[str, Any]) -> None:
    if row["status"] == "ok" and without["status"] != "ok":
        row.update(status="failed", error=f"with monitor = none: {without['error']}")
    ok = row["status"] == "ok"
    row[SLOWDOWN] = row[ELAPSED] / without[ELAPSED] if ok else None
