"""Arithmetic over a run's result: `1e9 / spec.port.nibble_cost_ns`, `ranks[0].monitor_s`. Never `eval`."""

from __future__ import annotations

import ast
import math
import operator
from collections.abc import Callable
from typing import Any


class ExpressionError(ValueError):
    """What is wrong with an expression, or what the result does not have."""


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


_FUNCTIONS: dict[str, Callable[..., Any]] = {
    "abs": abs,
    "busiest": busiest,
    "ceil": math.ceil,
    "floor": math.floor,
    "len": len,
    "log2": math.log2,
    "lost": lost,
    "max": max,
    "min": min,
    "total": total,
}
_CONSTANTS = {"true": True, "false": False, "null": None}
_OPERATORS: dict[type[ast.AST], Callable[..., Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.USub: operator.neg,
    ast.UAdd: operator.pos,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}


def parse(text: str) -> ast.expr:
    """The expression's tree, with nothing in it but numbers, text, paths, arithmetic and known functions."""
    try:
        tree = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError) as error:
        raise ExpressionError(f"`{text}` is not an expression ({error.args[0]})") from None
    _allow(tree)
    return tree


def _allow(node: ast.expr) -> None:
    match node:
        case ast.Constant(value=int() | float() | str()) | ast.Name():
            return
        case ast.Attribute(value=value) | ast.Subscript(value=value, slice=ast.Constant(value=int() | str())):
            _allow(value)
        case ast.UnaryOp(op=op, operand=operand) if type(op) in _OPERATORS:
            _allow(operand)
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _OPERATORS:
            _allow(left)
            _allow(right)
        case ast.Compare(left=left, ops=[op], comparators=[right]) if type(op) in _OPERATORS:
            _allow(left)
            _allow(right)
        case ast.Call(func=ast.Name(id=name), args=args, keywords=[]) if name in _FUNCTIONS:
            for argument in args:
                _allow(argument)
        case ast.Call(func=ast.Name(id=name)):
            raise ExpressionError(f"no function {name}; there are {', '.join(_FUNCTIONS)}")
        case _:
            raise ExpressionError(f"`{ast.unparse(node)}` is not allowed in an expression")


def members_of(name: str, text: str) -> list[str]:
    """What the expression asks for of `name`: `cases.a.elapsed_s` asks for a of cases."""
    return [
        node.attr
        for node in ast.walk(parse(text))
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == name
    ]


def paths(text: str) -> list[str]:
    """The paths that an expression asks for: `ranks[0].elapsed_s`, `ledger`."""
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
    """Names and keys only, no call at its root."""
    while isinstance(node, ast.Attribute | ast.Subscript):
        node = node.value
    return isinstance(node, ast.Name)


def evaluate(text: str, result: dict[str, Any]) -> Any:
    """The expression's value; names are keys of the result."""
    tree = parse(text)
    try:
        return _value(tree, result)
    except (TypeError, KeyError, ZeroDivisionError, ValueError, OverflowError) as error:
        if isinstance(error, ExpressionError):
            raise
        raise ExpressionError(f"`{text}`: {error}") from None


def _value(node: ast.expr, result: dict[str, Any]) -> Any:
    match node:
        case ast.Constant(value=constant):
            return constant
        case ast.Name(id=name) if name in _CONSTANTS:
            return _CONSTANTS[name]
        case ast.Name(id=name):
            return _member(result, name, name)
        case ast.Attribute(value=value, attr=name):
            return _member(_value(value, result), name, ast.unparse(node))
        case ast.Subscript(value=value, slice=ast.Constant(value=key)):
            return _member(_value(value, result), key, ast.unparse(node))
        case ast.UnaryOp(op=op, operand=operand):
            return _OPERATORS[type(op)](_value(operand, result))
        case ast.BinOp(left=left, op=op, right=right):
            return _OPERATORS[type(op)](_value(left, result), _value(right, result))
        case ast.Compare(left=left, ops=[op], comparators=[right]):
            return _OPERATORS[type(op)](_value(left, result), _value(right, result))
        case ast.Call(func=ast.Name(id=name), args=args):
            return _FUNCTIONS[name](*(_value(argument, result) for argument in args))
    raise AssertionError(f"{ast.dump(node)} passed _allow")


def _member(container: Any, key: Any, path: str) -> Any:
    try:
        return container[key]
    except (KeyError, IndexError, TypeError):
        have = f"; it has {', '.join(map(str, container))}" if isinstance(container, dict) else ""
        raise ExpressionError(f"the result has no {path}{have}") from None
