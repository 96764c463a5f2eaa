# SPDX-License-Identifier: BSD-3-Clause
"""The types of results for editors and type checkers, compared with results of runs."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import types
import typing
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

import pytest

import hypermon
from hypermon._model import monitors, result_types, worker
from hypermon._reference import result_classes
from tests.registered import needs

NEIGHBOUR = {"neighbour.count": 1, "neighbour.nodes": 2, "neighbour.workload": "ring"}
SNIPPET = """\
import hypermon

r = hypermon.run("x")
reveal_type(r.elapsed_s)
reveal_type(r["monitor"]["overrun"])
reveal_type(r.ledger["lost"][0]["cause"])
reveal_type(r.ranks[0]["events"])
reveal_type(r["latency_us"]["p99"])
r.elapsed
r["monitor"]["overrnu"]
"""


def test_a_type_checker_knows_the_keys_and_refuses_others(tmp_path: Path) -> None:
    file = tmp_path / "snippet.py"
    file.write_text(SNIPPET)
    command = [sys.executable, "-m", "mypy", str(file)]  # in the source tree: with its settings and its cache
    root = Path(__file__).parents[2]
    lines = subprocess.run(command, capture_output=True, text=True, check=False, cwd=root).stdout.splitlines()
    revealed = [line.partition('Revealed type is "')[2].rstrip('"') for line in lines if "Revealed" in line]
    assert [name.removeprefix("builtins.") for name in revealed] == ["float", "bool", "str", "int", "float"]
    errors = [line for line in lines if ": error: " in line]
    assert len(errors) == 2, lines
    assert '"Result" has no attribute "elapsed"' in errors[0]
    assert 'TypedDict "Monitor" has no key "overrnu"' in errors[1]


def fits(value: object, kind: Any, path: str) -> list[str]:
    """Places where a value does not match its type, or has a key that the type lacks."""
    if kind is Any:
        return []
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if origin in (types.UnionType, typing.Union):
        return [] if any(not fits(value, one, path) for one in arguments) else [f"{path} = {value}: {kind}"]
    if origin is Literal:
        return [] if value in arguments else [f"{path} = {value}: {kind}"]
    if origin is list:
        assert isinstance(value, list), path
        return [wrong for item in value for wrong in fits(item, arguments[0], f"{path}[]")]
    if origin is dict:
        return [] if isinstance(value, dict) else [f"{path}: {kind}"]
    if typing.is_typeddict(kind):
        hints = typing.get_type_hints(kind)
        if not isinstance(value, Mapping):
            return [f"{path} = {value}: {kind}"]
        return [
            wrong
            for key, inner in value.items()
            for wrong in (fits(inner, hints[key], f"{path}.{key}") if key in hints else [f"{path}.{key}: unknown"])
        ]
    exact = (int, float) if kind is float else (kind,)
    return [] if type(value) in exact else [f"{path} = {value}: {kind}"]


def keys() -> dict[str, Any]:
    """The types of the top-level keys, as an editor reads them: the overloads of `Result[key]`."""
    source = Path(result_types.__file__).read_text()
    found: dict[str, Any] = {}
    for line in source.splitlines():
        if 'key: Literal["' in line:
            name, _, kind = line.partition('Literal["')[2].partition('"]) -> ')
            found[name] = eval(kind.removesuffix(": ..."), vars(result_types))
    return found


@pytest.mark.worker
@pytest.mark.parametrize("monitor", monitors.registered())
@pytest.mark.parametrize("settings", [{}, NEIGHBOUR])
def test_results_are_of_the_types(worker: Path, tmp_path: Path, monitor: str, settings: dict[str, object]) -> None:
    assert worker.is_file()
    small = {"place.attempts": 300, "place.accepted": 100, "nodes": 2, "monitor": monitor, **needs(monitor)}
    result = hypermon.run("table2/place", settings=small | settings, out=tmp_path / "run")
    types_of = keys()
    assert set(result) <= set(types_of)
    present = {key: value for key, value in result.to_dict().items() if value is not None}
    wrong = [line for key, value in present.items() for line in fits(value, types_of[key], key)]
    assert wrong == []


def test_the_checker_of_this_test_finds_what_is_wrong() -> None:
    assert fits({"unit": "bits"}, result_types.Ledger, "ledger") != []
    assert fits({"overrun": 1.5}, result_types.Monitor, "monitor") != []
    assert fits({"nothing": 1}, result_types.Monitor, "monitor") != []
    assert fits([{"elapsed_s": "1"}], list[result_types.Ranks], "ranks") != []


def test_null_is_declared_where_a_description_tells_of_it() -> None:
    """Types follow from declarations only, so that descriptions must agree with these."""
    told = {e["path"] for e in worker.schema().results if re.search(r"\bnull\b", e["description"])}
    of_groups = {e["path"] for e in worker.schema().results if re.search(r"[\w\]] is null", e["description"])}
    declared = {e["path"] for e in worker.schema().results if e["may_be_null"]}
    assert told - of_groups == declared


def declared_names(source: str) -> list[str]:
    return [ast.unparse(node) for node in ast.walk(ast.parse(source)) if isinstance(node, ast.AnnAssign)]


def test_no_word_of_a_description_changes_a_type() -> None:
    described = worker.schema()
    silent = described._replace(
        results=tuple({**e, "description": "Anything; null if never."} for e in described.results)
    )
    types_of = [declared_names(result_classes.source(one)) for one in (described, silent)]
    assert types_of[0] == types_of[1]
    assert len(types_of[0]) > 500


@pytest.mark.worker
def test_elements_of_lists_can_be_null(worker: Path, tmp_path: Path) -> None:
    """An unshared node has no account of its processors."""
    assert worker.is_file()
    settings = {
        "nodes": 2,
        "place.attempts": 300,
        "place.accepted": 100,
        "competitor.count": 1,
        "competitor.nodes": "1",
        "cpu.policy": "time_slices",
    }
    result = hypermon.run("table2/place", settings=settings, out=tmp_path / "run")
    assert [node is None for node in result["cpu"]["nodes"]] == [True, False]
    assert fits(result["cpu"], keys()["cpu"], "cpu") == []


def test_the_first_example_of_the_how_to_passes_a_strict_type_checker(tmp_path: Path) -> None:
    """The example must pass unchanged. The source tree's settings are strict; Pyright also refuses keys that are not
    required.
    """
    root = Path(__file__).parents[2]
    page = (root / "docs" / "how-to" / "run-from-python.md").read_text()
    example = re.search(r"^```python\n(.*?)^```$", page, re.M | re.S)
    assert example is not None
    file = tmp_path / "example.py"
    for text, errors in ((example[1], 0), (example[1].replace("window_ns=400", 'window_ns="wide"'), 1)):
        file.write_text(text)
        command = [sys.executable, "-m", "mypy", "--strict", str(file)]
        output = subprocess.run(command, capture_output=True, text=True, check=False, cwd=root).stdout
        assert output.count(": error: ") == errors, output
    optional = [kind for kind in vars(result_types).values() if typing.is_typeddict(kind) and kind.__optional_keys__]
    assert optional == []
