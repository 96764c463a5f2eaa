# SPDX-License-Identifier: BSD-3-Clause
"""Arithmetic over a run's result: `events / elapsed_s`, `ranks[0].monitor_s`. Never uses `eval`.

Expressions may come from untrusted files. The cost of an evaluation is bounded by the expression's length and nesting,
because arithmetic yields only numbers of bounded size and does not apply to texts and lists.
"""

from __future__ import annotations

import ast
import functools
import math
import operator
from collections.abc import Callable
from typing import Any

from hypermon._model import shapes
from hypermon.errors import cut

MOST_CHARACTERS = 10_000  # (chosen) longest expression
MOST_NESTED = 100  # (chosen) depth of operations, calls and members; Python's own stack allows about 500
LARGEST = 1e300  # (chosen) largest number; below it, every integer can be converted to a floating-point number


class ExpressionError(ValueError):
    """An expression is malformed, or the result lacks something in it."""


class MissingError(ExpressionError):
    """The result lacks `path`."""

    def __init__(self, message: str, path: str) -> None:
        super().__init__(message)
        self.path = path


def total(tree: Any) -> float:
    """The sum of all numbers in nested objects and lists."""
    if isinstance(tree, dict):
        return sum(total(value) for value in tree.values())
    if isinstance(tree, list | tuple):
        return sum(total(value) for value in tree)
    return tree if isinstance(tree, int | float) else 0


def lost(ledger: Any, stage: str, cause: str) -> Any:
    """The ledger's entry for the losses of a stage and cause."""
    for entry in ledger["lost"]:
        if (entry["stage"], entry["cause"]) == (stage, cause):
            return entry
    known = ", ".join(f"{entry['stage']} {entry['cause']}" for entry in ledger["lost"])
    raise ExpressionError(f"the ledger has no loss {stage} {cause}; it has {known}")


def busiest(ranks: Any, key: str) -> Any:
    """The largest value of a key of the entries of a list: `busiest(ranks, "monitor_s")`."""
    return max(entry[key] for entry in ranks)


def part(values: Any, begin: int, end: int) -> Any:
    """The values of a list from index `begin` up to, but not including, index `end`."""
    if not isinstance(values, list | tuple) or not 0 <= begin < end <= len(values):
        raise ExpressionError(f"part needs a list and 0 <= begin < end <= its length, not {begin} and {end}")
    return values[begin:end]


_FUNCTIONS: dict[str, Callable[..., Any]] = {
    "abs": abs,
    "autocorrelation": shapes.autocorrelation,
    "busiest": busiest,
    "ceil": math.ceil,
    "floor": math.floor,
    "len": len,
    "log2": math.log2,
    "lost": lost,
    "max": max,
    "min": min,
    "part": part,
    "rhythm": shapes.largest_autocorrelation_peak,
    "total": total,
    "variation": shapes.variation,
}
_CONSTANTS = {"true": True, "false": False, "null": None}
_ARITHMETIC: dict[type[ast.AST], tuple[str, Callable[..., Any]]] = {
    ast.Add: ("+", operator.add),
    ast.Sub: ("-", operator.sub),
    ast.Mult: ("*", operator.mul),
    ast.Div: ("/", operator.truediv),
    ast.FloorDiv: ("//", operator.floordiv),
    ast.Mod: ("%", operator.mod),
    ast.USub: ("-", operator.neg),
    ast.UAdd: ("+", operator.pos),
}
_COMPARISONS: dict[type[ast.AST], tuple[str, Callable[..., Any]]] = {
    ast.Eq: ("==", operator.eq),
    ast.NotEq: ("!=", operator.ne),
    ast.Lt: ("<", operator.lt),
    ast.LtE: ("<=", operator.le),
    ast.Gt: (">", operator.gt),
    ast.GtE: (">=", operator.ge),
}
_OF_ANY = ("==", "!=")
_OF_NULL = ("total",)


@functools.lru_cache(maxsize=256)  # a metric is parsed once for thousands of designs
def parse(text: str) -> ast.expr:
    """Parses an expression. Only numbers, texts, paths, arithmetic and known functions are allowed."""
    if len(text) > MOST_CHARACTERS:
        raise ExpressionError(f"`{cut(text)}` is longer than {MOST_CHARACTERS} characters")
    try:
        tree = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError) as error:
        raise ExpressionError(f"`{cut(text)}` is not an expression ({error.args[0]})") from None
    except (RecursionError, MemoryError):  # Python's parser has limits of its own
        raise _too_nested(text) from None
    if _depth(tree) > MOST_NESTED:
        raise _too_nested(text)
    _allow(tree)
    return tree


def _too_nested(text: str) -> ExpressionError:
    return ExpressionError(f"`{cut(text)}` is nested more than {MOST_NESTED} deep")


def _depth(tree: ast.AST) -> int:
    """Returns the depth of a tree. Proceeds level by level, because recursion would fail on a tree that is too deep."""
    depth, level = -1, [tree]
    while level:
        depth += 1
        children = (child for node in level for child in ast.iter_child_nodes(node))
        level = [child for child in children if not isinstance(child, ast.expr_context)]
    return depth


def _allow(node: ast.expr) -> None:
    match node:
        case ast.Constant(value=int() | float() as value):
            _bounded(value)
        case ast.Constant(value=str()) | ast.Name():
            return
        case ast.Attribute(value=value) | ast.Subscript(value=value, slice=ast.Constant(value=int() | str())):
            _allow(value)
        case ast.UnaryOp(op=op, operand=operand) if type(op) in _ARITHMETIC:
            _allow(operand)
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _ARITHMETIC:
            _allow(left)
            _allow(right)
        case ast.Compare(left=left, ops=[op], comparators=[right]) if type(op) in _COMPARISONS:
            _allow(left)
            _allow(right)
        case ast.Call(func=ast.Name(id=name), args=args, keywords=[]) if name in _FUNCTIONS:
            for argument in args:
                _allow(argument)
        case ast.Call(func=ast.Name(id=name)):
            raise ExpressionError(f"no function {cut(name)}; there are {', '.join(_FUNCTIONS)}")
        case _:
            raise ExpressionError(f"`{cut(ast.unparse(node))}` is not allowed in an expression")


def members_of(name: str, text: str) -> list[str]:
    """Returns the members of `name` in the expression: for `cases.a.elapsed_s` and `cases` this is `a`."""
    return [
        node.attr
        for node in ast.walk(parse(text))
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == name
    ]


def paths(text: str) -> list[str]:
    """Returns the paths in an expression: `ranks[0].elapsed_s`, `ledger`."""
    found: dict[str, None] = {}

    def visit(node: ast.AST) -> None:
        match node:
            case ast.Name(id=name) if name in _CONSTANTS:
                return
            case ast.Name() | ast.Attribute() | ast.Subscript() if _is_path(node):
                found[ast.unparse(node)] = None
            case ast.Call(args=args):
                for argument in args:
                    visit(argument)
            case _:
                for child in ast.iter_child_nodes(node):
                    visit(child)

    visit(parse(text))
    return list(found)


def _is_path(node: ast.AST) -> bool:
    """Does the node consist of names and keys only, without a call at its root?"""
    while isinstance(node, ast.Attribute | ast.Subscript):
        node = node.value
    return isinstance(node, ast.Name)


def evaluate(text: str, result: dict[str, Any]) -> Any:
    """Evaluates an expression. Names are keys of the result."""
    tree = parse(text)
    try:
        return _value(tree, result)
    except (TypeError, KeyError, ZeroDivisionError, ValueError, OverflowError) as error:
        if isinstance(error, ExpressionError):
            raise
        raise ExpressionError(f"`{cut(text)}`: {cut(str(error))}") from None


def _value(node: ast.expr, result: dict[str, Any]) -> Any:
    match node:
        case ast.Constant(value=constant):
            return constant
        case ast.Name(id=name) if name in _CONSTANTS:
            return _CONSTANTS[name]
        case ast.Name(id=name):
            return _member(result, name, node)
        case ast.Attribute(value=value, attr=name):
            return _member(_value(value, result), name, node)
        case ast.Subscript(value=value, slice=ast.Constant(value=key)):
            return _member(_value(value, result), key, node)
        case ast.UnaryOp(op=op, operand=operand):
            return _computed(op, _value(operand, result))
        case ast.BinOp(left=left, op=op, right=right):
            return _computed(op, _value(left, result), _value(right, result))
        case ast.Compare(left=left, ops=[op], comparators=[right]):
            return _compared(op, _value(left, result), _value(right, result))
        case ast.Call(func=ast.Name(id=name), args=args):
            return _called(name, [_value(argument, result) for argument in args])
    raise AssertionError(f"{ast.dump(node)} passed _allow")


def _compared(op: ast.AST, left: Any, right: Any) -> Any:
    """Evaluates a comparison. Any two values can be equal; only two numbers or two texts are ordered."""
    sign, compare = _COMPARISONS[type(op)]
    alike = any(isinstance(left, kind) and isinstance(right, kind) for kind in (int | float, str))
    if sign not in _OF_ANY and not alike:
        raise ExpressionError(f"{sign} needs two numbers or two texts, not {_kind(left)} and {_kind(right)}")
    return compare(left, right)


def _called(name: str, arguments: list[Any]) -> Any:
    if name not in _OF_NULL and None in arguments:
        raise ExpressionError(f"{name} cannot be computed of {' and '.join(map(_kind, arguments))}")
    return _FUNCTIONS[name](*arguments)


def _computed(op: ast.AST, *operands: Any) -> int | float:
    """Evaluates an operation on numbers. Refuses other operands: `*` would repeat texts, `%` would format them."""
    sign, compute = _ARITHMETIC[type(op)]
    for operand in operands:
        if not isinstance(operand, int | float):
            raise ExpressionError(f"{sign} needs numbers, not {_kind(operand)}")
    value: int | float = compute(*operands)
    return _bounded(value)


def _bounded(value: int | float) -> int | float:
    if not abs(value) <= LARGEST:  # also true for NaN
        raise ExpressionError("a number is beyond 1e300")
    return value


def _kind(value: Any) -> str:
    if isinstance(value, dict | list | tuple):
        return "a list" if isinstance(value, list | tuple) else "an object"
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    return f"`{cut(str(value))}`"


def _member(container: Any, key: Any, node: ast.expr) -> Any:
    try:
        return container[key]
    except (KeyError, IndexError, TypeError):
        path = ast.unparse(node)
        have = f"; it has {', '.join(map(str, container))}" if isinstance(container, dict) else ""
        raise MissingError(f"the result has no {cut(path)}{have}", path) from None
