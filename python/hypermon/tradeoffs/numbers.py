# SPDX-License-Identifier: BSD-3-Clause
"""What trade-offs are between: numbers of results, costs of designs, slowdown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from hypermon._engine import cost as costs
from hypermon._engine.designs import Designs, amounts
from hypermon._engine.sweeping import metrics as metric_paths
from hypermon._model import expressions, vocabulary
from hypermon._model.schema import Value, common_path
from hypermon._model.spec import Spec
from hypermon.errors import UserError, suggestion

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
        for name in names:
            _check(name, designs)
        self._costs = [name for name in names if _is_cost(name)]
        self._metrics = [name for name in names if name not in (*self._costs, LOSS, SLOWDOWN)]
        self._amounts = amounts(designs.base) if LOSS in names else ()
        self._slows_down = SLOWDOWN in names
        for name in self._costs:
            costs.evaluate(name, designs.base.values)

    def of(self, designs: Sequence[Mapping[str, Value]]) -> list[dict[str, Any]]:
        """A row for each design: `status`, `error` and the numbers. None: this result has no such number."""
        specs = [self._designs.resolve(settings) for settings in designs]
        wanted = list(dict.fromkeys((*self._metrics, *self._amounts, *([ELAPSED] if self._slows_down else []))))
        found = self._designs.evaluate(specs, wanted) if wanted else [{"status": "ok", "error": None} for _ in specs]
        for row, spec in zip(found, specs, strict=True):
            if self._amounts:
                lost, generated = (row[path] for path in self._amounts)
                row[LOSS] = None if lost is None else lost / generated if generated else 0.0
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


def _check(name: str, designs: Designs) -> None:
    """A UserError if no result and no design has such a number."""
    own = [LOSS, SLOWDOWN, *(f"{COST}.{term}" for term in costs.terms(designs.base.values))]
    if name in own or _is_cost(name):
        return
    try:
        metric_paths.check([name], designs.schema, "")
    except UserError as error:
        hint = suggestion(name, own)
        raise UserError(str(error).partition("; did you mean")[0] + hint if hint else str(error)) from None


def _is_cost(name: str) -> bool:
    try:
        return bool(expressions.members_of(COST, name))
    except expressions.ExpressionError as error:
        raise UserError(f"{name}: {error}") from None


def _set_slowdown(row: dict[str, Any], without: Mapping[str, Any]) -> None:
    if row["status"] == "ok" and without["status"] != "ok":
        row.update(status="failed", error=f"with monitor = none: {without['error']}")
    ok = row["status"] == "ok"
    row[SLOWDOWN] = row[ELAPSED] / without[ELAPSED] if ok and without[ELAPSED] else None
