# SPDX-License-Identifier: BSD-3-Clause
"""A function of the package fits on a screen and has few parameters; values that belong together form one object."""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
MOST_LINES = 60
"""Limit for the lines of a function, without its docstring."""
MOST_PARAMETERS = 8

_KEYWORDS = "a user's function: each parameter is a keyword that the user writes"
_ONE_A_FIELD = "called once for each action of a trace, with a keyword for each field of its record"
MORE_PARAMETERS = {
    "_engine/runner.py: run": _KEYWORDS,
    "_engine/sizing/__init__.py: size": _KEYWORDS,
    "_engine/streams/api.py: stream": _KEYWORDS,
    "_engine/sweeping/api.py: sweep": _KEYWORDS,
    "importing/script.py: Writer.add": _ONE_A_FIELD,
    "monitors/funnel/waves.py: write": _KEYWORDS,
    "monitors/hypermon/rtl_project/project.py: rtl": _KEYWORDS,
    "monitors/hypermon/waves/writing.py: write": _KEYWORDS,
    "tradeoffs/front.py: pareto": _KEYWORDS,
    "tradeoffs/sensitivity.py: morris": _KEYWORDS,
    "tradeoffs/sensitivity.py: sobol": _KEYWORDS,
}

Function = ast.FunctionDef | ast.AsyncFunctionDef


def functions(tree: ast.AST, prefix: str = "") -> Iterator[tuple[str, Function]]:
    """All functions of a module by their qualified names, including nested ones."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, Function):
            yield prefix + node.name, node
        inside = f"{prefix}{node.name}." if isinstance(node, Function | ast.ClassDef) else prefix
        yield from functions(node, inside)


def parameters(function: Function) -> int:
    """Number of parameters that a caller passes. `*args` and `**kwargs` do not count."""
    given = function.args
    names = [one.arg for one in (*given.posonlyargs, *given.args, *given.kwonlyargs)]
    return len(names) - (names[:1] in (["self"], ["cls"]))


def lines(function: Function) -> int:
    """Lines of code, docstring excluded."""
    length = (function.end_lineno or 0) - function.lineno + 1
    if ast.get_docstring(function, clean=False) is None:
        return length
    text = function.body[0]
    return length - ((text.end_lineno or 0) - text.lineno + 1)


@functools.cache
def of_package() -> dict[str, Function]:
    package = ROOT / "python" / "hypermon"
    return {
        f"{path.relative_to(package)}: {name}": function
        for path in sorted(package.rglob("*.py"))
        for name, function in functions(ast.parse(path.read_text(encoding="utf-8")))
    }


def test_no_function_is_longer_than_a_screen() -> None:
    long = {name: lines(function) for name, function in of_package().items() if lines(function) > MOST_LINES}
    assert long == {}, f"split along their steps what is longer than {MOST_LINES} lines"


def test_no_function_has_more_parameters_than_a_reader_keeps_in_mind() -> None:
    many = {name for name, function in of_package().items() if parameters(function) > MOST_PARAMETERS}
    assert many - MORE_PARAMETERS.keys() == set(), f"more than {MOST_PARAMETERS}: one object for what belongs together"
    assert MORE_PARAMETERS.keys() - many == set(), "exceptions that are none"
