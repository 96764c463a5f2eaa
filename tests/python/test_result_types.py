# SPDX-License-Identifier: BSD-3-Clause
"""What editors and type checkers know of a result, against what results hold."""

from __future__ import annotations

import subprocess
import sys
import types
import typing
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

import pytest

import hypermon
from hypermon._model import monitors, result_types
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
    said = subprocess.run(command, capture_output=True, text=True, check=False, cwd=root).stdout.splitlines()
    revealed = [line.partition('Revealed type is "')[2].rstrip('"') for line in said if "Revealed" in line]
    assert [name.removeprefix("builtins.") for name in revealed] == ["float", "bool", "str", "int", "float"]
    errors = [line for line in said if ": error: " in line]
    assert len(errors) == 2, said
    assert '"Result" has no attribute "elapsed"' in errors[0]
    assert 'TypedDict "Monitor" has no key "overrnu"' in errors[1]


def fits(value: object, kind: Any, path: str) -> list[str]:
    """Where a value is not of a type, or has a key that the type has not."""
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
        assert isinstance(value, Mapping), path
        return [
            wrong
            for key, inner in value.items()
            for wrong in (fits(inner, hints[key], f"{path}.{key}") if key in hints else [f"{path}.{key}: unknown"])
        ]
    exact = (int, float) if kind is float else (kind,)
    return [] if type(value) in exact else [f"{path} = {value}: {kind}"]


def keys() -> dict[str, Any]:
    """The types of the top-level keys, from what the editor reads: the overloads of `Result[key]`."""
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
