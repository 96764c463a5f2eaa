# SPDX-License-Identifier: BSD-3-Clause
"""Metrics: the numbers of a result that a sweep keeps as columns. Paths into result.json, or arithmetic over them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from hypermon._model import expressions, vocabulary
from hypermon._model.activity import METRICS as JUDGED
from hypermon._model.activity import PICTURE
from hypermon._model.schema import Schema, Value, nested
from hypermon.errors import UserError

SPEC = "spec"
MOST_NAMED = 5


class NotANumberError(ValueError):
    """A metric that is a list or a mapping."""


def default() -> tuple[str, ...]:
    """What counts of a replay suffice for, and every monitor's result has something of."""
    own = (path for one in vocabulary.every() for path in one.metrics)
    return "elapsed_s", "logged_bytes", *own, "monitor.overrun"


def check(metrics: Sequence[str], schema: Schema, where: str) -> tuple[str, ...]:
    """The metrics, each once; a UserError names the first path that no result has."""
    known = [
        *(entry["path"] for entry in (*schema.results, *JUDGED)),
        *(f"{SPEC}.{path}" for path in schema.parameters),
    ]
    for metric in metrics:
        try:
            used = expressions.paths(metric)
        except expressions.ExpressionError as error:
            raise UserError(f"metric {error}", where) from None
        if not used:
            raise UserError(f"metric `{metric}`: names nothing of the result", where)
        below = [name for name in known if name.startswith((f"{metric}.", f"{metric}["))]
        if below:
            some = ", ".join(below[:MOST_NAMED]) + (", ..." if len(below) > MOST_NAMED else "")
            raise UserError(f"{metric}: is not one number; there are {some}", where)
        for path in used:
            schema.result_key(path, where)
    return tuple(dict.fromkeys(metrics))


def countable(metrics: Sequence[str], counted: Collection[str]) -> bool:
    """Do the counts of a replay suffice?"""
    used = {path for metric in metrics for path in expressions.paths(metric)}
    return all(path in counted or path.startswith(f"{SPEC}.") for path in used)


def judged(metrics: Sequence[str]) -> bool:
    """Is one of them a number of the monitor's picture, for which the run itself is needed?"""
    return any(path.startswith(f"{PICTURE}.") for metric in metrics for path in expressions.paths(metric))


def evaluate(metrics: Sequence[str], result: Mapping[str, Any], values: Mapping[str, Value]) -> dict[str, Any]:
    """Each metric's value; None where this run's result has no such thing (another monitor's, a ratio of nothing)."""
    tree = dict(result)
    if any(SPEC in metric for metric in metrics):
        tree[SPEC] = nested(values)
    row: dict[str, Any] = {}
    for metric in metrics:
        try:
            value = expressions.evaluate(metric, tree)
        except expressions.ExpressionError:
            value = None
        if isinstance(value, dict | list):
            raise NotANumberError(f"{metric}: is not one number")
        row[metric] = value
    return row
