# SPDX-License-Identifier: BSD-3-Clause
"""Metrics: numbers of a run, with the same names in all functions and commands.

A metric is a number of the result (`elapsed_s`), a parameter (`node.tick_ms`, or `spec.node.tick_ms`), `loss`,
`slowdown`, a cost (`cost.memory_bits`), arithmetic over these, or a Python function of the result. Where a result and a
parameter have the same name, the name means the result.
"""

from __future__ import annotations

import ast
import functools
import importlib
import json
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from hypermon._model import cost as costs
from hypermon._model import expressions, monitors, vocabulary, worker
from hypermon._model.activity import METRICS as JUDGED
from hypermon._model.activity import PICTURE
from hypermon._model.schema import NUMBERED, Schema, Value, common_path, flat, generic, nested
from hypermon.errors import UserError, cut, suggestion

if TYPE_CHECKING:
    from hypermon._model.result import Result

SPEC, COST, LOSS, SLOWDOWN, ELAPSED = "spec", "cost", "loss", "slowdown", "elapsed_s"
DESCRIBED = {
    LOSS: "Share of the generated data that was lost, 0 to 1.",
    SLOWDOWN: "Elapsed time over that of the same program with monitor = none.",
}
MOST_NAMED = 5
Formula = Callable[["Result"], "float | bool | str | None"]


class NotANumberError(ValueError):
    """A metric that is a list or a mapping, or whose function fails."""


class Named(str):
    """A user-defined metric. The string is its name, `formula` its definition."""

    formula: str | Callable[[Result], Any]

    def __new__(cls, name: str, formula: str | Callable[[Result], Any]) -> Named:
        made = super().__new__(cls, name)
        made.formula = formula
        return made

    def __getnewargs__(self) -> tuple[Any, ...]:
        return str(self), self.formula


def read_argument(name: str, metrics: object) -> list[str]:
    """Reads the argument `name` of a function: one metric, several, or a mapping of names to metrics."""
    if isinstance(metrics, Mapping):
        return [_named(name, key, formula) for key, formula in metrics.items()]
    if isinstance(metrics, str) or callable(metrics):
        metrics = [metrics]
    if not isinstance(metrics, Iterable):
        raise UserError(f"{name} = {cut(metrics)}: must be metrics, or a mapping of names to metrics")
    found: list[str] = []
    for one in metrics:
        if callable(one):
            own = getattr(one, "__name__", "<lambda>")
            if own == "<lambda>":
                raise UserError(f"{name}: a function without a name: give a mapping, as {{'my_metric': function}}")
            found.append(_named(name, own, one))
        elif isinstance(one, str):
            found.append(one)
        else:
            raise UserError(f"{name}: {cut(one)}: must be a text or a function")
    return found


def _named(name: str, key: object, formula: object) -> Named:
    if not isinstance(key, str) or not key.strip():
        raise UserError(f"{name}: {cut(key)}: the name of a metric must be text")
    if not isinstance(formula, str) and not callable(formula):
        raise UserError(f"{name}: {key} = {cut(formula)}: must be a metric as text, or a function of the result")
    return Named(key, formula)


def formula(metric: str) -> str | Callable[[Result], Any]:
    """Returns the definition of a metric: an expression or a function."""
    return metric.formula if isinstance(metric, Named) else metric


def definition(metric: str) -> str:
    """Returns the text of a metric in a manifest: its name and, for a user-defined metric, its definition."""
    if not isinstance(metric, Named):
        return metric
    return f"{metric} = {metric.formula if isinstance(metric.formula, str) else 'a Python function'}"


def about(metric: str, schema: Schema) -> dict[str, str]:
    """Returns unit and description of a metric, as far as they are known."""
    text = formula(metric)
    if isinstance(metric, Named):
        return {"unit": "", "description": text if isinstance(text, str) else "A Python function of the result."}
    if metric in DESCRIBED:
        return {"unit": "", "description": DESCRIBED[metric]}
    for entry in schema.results:
        if entry["path"] == generic(metric):
            return {"unit": entry.get("unit", ""), "description": entry.get("description", "")}
    parameter = schema.parameters.get(common_path(metric.removeprefix(f"{SPEC}.")))
    if parameter is not None:
        return {"unit": parameter.unit, "description": parameter.description}
    return {"unit": costs.unit(metric) if metric.startswith(f"{COST}.") else "", "description": ""}


def default() -> tuple[str, ...]:
    """Returns the default metrics. The counts of a replay suffice for them, and every monitor has some of them."""
    own = (path for one in vocabulary.every() for path in one.metrics)
    return "elapsed_s", "logged_bytes", *own, "monitor.overrun"


def check(metrics: Sequence[str], schema: Schema, where: str) -> tuple[str, ...]:
    """Checks the metrics and removes duplicates. Raises a UserError about the first path that does not exist."""
    known = [
        *(entry["path"] for entry in (*schema.results, *JUDGED)),
        *(f"{SPEC}.{path}" for path in schema.parameters),
    ]
    for metric in metrics:
        text = formula(metric)
        if not isinstance(text, str):
            continue
        try:
            used = expressions.paths(text)
        except expressions.ExpressionError as error:
            raise UserError(f"metric {error}", where) from None
        if not used:
            raise UserError(f"metric `{text}`: names nothing of the result", where)
        below = [name for name in known if name.startswith((f"{text}.", f"{text}["))]
        if below:
            some = ", ".join(below[:MOST_NAMED]) + (", ..." if len(below) > MOST_NAMED else "")
            raise UserError(f"{text}: is not one number; there are {some}", where)
        for path in used:
            _require(path, schema, where)
    return tuple(dict.fromkeys(metrics))


def _require(path: str, schema: Schema, where: str) -> None:
    """Raises a UserError if the path is no metric."""
    if path in DESCRIBED or _is_parameter(path, schema):
        return
    terms = [f"{COST}.{name}" for name in costs.all_terms()]
    if path.partition(".")[0] == COST:
        if path not in terms:
            raise UserError(f"{path}: no such cost; there are {', '.join(terms)}{suggestion(path, terms)}", where)
        return
    try:
        schema.result_key(path, where)
    except UserError as error:
        others = [*DESCRIBED, *terms, *schema.parameters]
        if "; did you mean" in str(error) or not (hint := suggestion(path, others)):
            raise
        raise UserError(f"{cut(path)}: the result has no such number{hint}", where) from None


def _is_parameter(path: str, schema: Schema) -> bool:
    """Does a path without `spec.` name a parameter, and nothing of the result?"""
    if common_path(path) not in schema.parameters:
        return False
    try:
        schema.result_key(path, "")
    except UserError:
        return True
    return False


class _Canonical(ast.NodeTransformer):
    """Puts `spec.` before the parameters of an expression."""

    def __init__(self, schema: Schema) -> None:
        self._schema = schema

    def visit(self, node: ast.AST) -> Any:
        if not isinstance(node, ast.Name | ast.Attribute | ast.Subscript):
            return self.generic_visit(node)
        path = ast.unparse(node)
        if not _is_parameter(path, self._schema):
            return self.generic_visit(node)
        numbered = NUMBERED.fullmatch(path)
        text = f"{SPEC}['{numbered[1]}[{numbered[2]}]']{numbered[3]}" if numbered is not None else f"{SPEC}.{path}"
        return ast.parse(text, mode="eval").body


def canonical(text: str) -> str:
    """Returns the expression with `spec.` in front of each parameter."""
    return _canonical(text, id(worker.schema()))[0]


@functools.lru_cache(maxsize=4096)
def _canonical(text: str, _schema: int) -> tuple[str, tuple[str, ...]]:
    """Returns the canonical expression and its paths. `_schema`: identity of the schema, as a key of the cache."""
    schema = worker.schema()
    if any(_is_parameter(path, schema) for path in expressions.paths(text)):
        text = ast.unparse(_Canonical(schema).visit(ast.parse(text.strip(), mode="eval")))
    return text, tuple(expressions.paths(text))


def _paths(metrics: Sequence[str]) -> set[str]:
    """Returns the paths in the expressions among the metrics."""
    texts = (text for metric in metrics if isinstance(text := formula(metric), str))
    schema = id(worker.schema())
    return {path for text in texts for path in _canonical(text, schema)[1]}


def needs_result(metrics: Sequence[str]) -> bool:
    """Do the metrics need a run? Parameters and costs follow from the specification alone."""
    if any(not isinstance(formula(metric), str) for metric in metrics):
        return True
    return not all(path.partition(".")[0] in (COST, SPEC) for path in _paths(metrics))


def needs_unobserved(metrics: Sequence[str]) -> bool:
    """Do the metrics need a run of the same program without a monitor?"""
    return SLOWDOWN in _paths(metrics)


def countable(metrics: Sequence[str], counted: Collection[str]) -> bool:
    """Do the counts of a replay suffice for the metrics? `counted`: the paths that the counts provide."""
    if any(not isinstance(formula(metric), str) for metric in metrics):
        return False
    return all(_is_counted(path, counted) for path in _paths(metrics))


def _is_counted(path: str, counted: Collection[str]) -> bool:
    if path == LOSS:
        units = {one.unit for one in monitors.registered().values() if one.unit}
        return any(set(_amounts(unit)) <= set(counted) for unit in units)
    if path == SLOWDOWN:
        return ELAPSED in counted
    return path in counted or path.partition(".")[0] in (SPEC, COST) or path.startswith(f"{SPEC}[")


def judged(metrics: Sequence[str]) -> bool:
    """Does a metric compare the monitor's data with the truth, which needs a run of its own?"""
    return any(path.startswith(f"{PICTURE}.") for path in _paths(metrics))


def evaluate(
    metrics: Sequence[str], result: Mapping[str, Any], values: Mapping[str, Value], unobserved_s: float | None = None
) -> dict[str, Any]:
    """Evaluates the metrics. None: this result has no such number, as of another monitor, or a division by zero.

    `unobserved_s`: elapsed time of the same program with monitor = none, for `slowdown`.
    """
    tree = _tree(metrics, result, values, unobserved_s)
    whole: Result | None = None
    row: dict[str, Any] = {}
    for metric in metrics:
        text = formula(metric)
        if not isinstance(text, str):
            whole = whole or _result({**result, SPEC: nested(values)})
            row[metric] = _called(metric, text, whole)
            continue
        try:
            value = expressions.evaluate(canonical(text), tree)
        except expressions.ExpressionError:
            value = None
        if isinstance(value, dict | list):
            raise NotANumberError(f"{metric}: is not one number")
        row[metric] = value
    return row


def value(expression: str, result: Mapping[str, Any]) -> Any:
    """Evaluates an expression over one result. Raises an ExpressionError."""
    try:
        return expressions.evaluate(expression, dict(result))
    except expressions.MissingError:
        tree = _tree([expression], result, flat(result.get(SPEC, {})), None)
        return expressions.evaluate(canonical(expression), tree)


def _tree(
    metrics: Sequence[str], result: Mapping[str, Any], values: Mapping[str, Value], unobserved_s: float | None
) -> dict[str, Any]:
    """Returns the values of the names in the expressions."""
    roots = {path.partition(".")[0].partition("[")[0] for path in _paths(metrics)}
    tree = dict(result)
    if SPEC in roots:
        tree[SPEC] = nested(values)
    if COST in roots:
        texts = [text for metric in metrics if isinstance(text := formula(metric), str)]
        tree[COST] = costs.terms(values, [canonical(text) for text in texts])
    if LOSS in roots and (share := _loss(result, values)) is not None:
        tree[LOSS] = share
    if SLOWDOWN in roots and unobserved_s and ELAPSED in result:
        tree[SLOWDOWN] = result[ELAPSED] / unobserved_s
    return tree


def _amounts(unit: str) -> tuple[str, str]:
    return f"ledger.lost_total.{unit}", f"ledger.generated.{unit}"


def _loss(result: Mapping[str, Any], values: Mapping[str, Value]) -> float | None:
    unit = monitors.find(values.get("monitor")).unit
    try:
        lost, generated = (result["ledger"][key][unit] for key in ("lost_total", "generated"))
    except (KeyError, TypeError):
        return None
    return lost / generated if generated else 0.0


def _result(tree: Mapping[str, Any]) -> Result:
    results: Any = importlib.import_module("hypermon._model.result")  # imported here: it imports this module
    made: Result = results.Result(None, json.dumps(tree))
    return made


def _called(metric: str, function: Callable[[Result], Any], result: Result) -> Any:
    """Calls the user's function. None stands for a missing number."""
    try:
        found = function(result)
    except Exception as error:  # the user's function may raise anything
        raise NotANumberError(f"{metric}: the function failed: {type(error).__name__}: {cut(str(error))}") from None
    found = getattr(found, "item", lambda: found)()
    if found is not None and not isinstance(found, bool | int | float | str):
        raise NotANumberError(f"{metric}: the function returned {cut(str(found))}: must be a number")
    return found
