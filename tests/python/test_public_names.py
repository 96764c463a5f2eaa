"""`import hypermon`: what it offers says what it takes, gives and raises, and its examples run."""

from __future__ import annotations

import doctest
import inspect
import re
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import hypermon
from hypermon._reference import api

FUNCTIONS = [name for name in api.public() if isinstance(getattr(hypermon, name), types.FunctionType)]


def function(name: str) -> Callable[..., Any]:
    found: Callable[..., Any] = getattr(hypermon, name)
    return found


def test_what_commands_do_functions_do_too() -> None:
    assert {"calibrate", "capture", "check", "compare", "frontier", "platforms", "record", "replay"} <= set(FUNCTIONS)
    assert {"run", "scenarios", "size", "sweep", "truth"} <= set(FUNCTIONS)
    assert set(FUNCTIONS) <= set(dir(hypermon))


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_public_function_says_what_it_takes_gives_and_raises(name: str) -> None:
    sections = api.sections(inspect.getdoc(function(name)) or "")
    taken = list(inspect.signature(function(name)).parameters)
    assert [*sections] == ["", *(["Args"] if taken else []), "Returns", "Raises", "Example"]
    assert re.findall(r"^(\w+): ", sections.get("Args", ""), re.M) == taken
    assert all(re.match(r"\w+Error: ", line) for line in sections["Raises"].splitlines() if line[0] != " ")


@pytest.mark.worker
@pytest.mark.usefixtures("worker")
@pytest.mark.parametrize("name", FUNCTIONS)
def test_the_example_of_a_public_function_runs(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    runner = doctest.DocTestRunner()
    (found,) = doctest.DocTestFinder(recurse=False).find(
        function(name), name, globs={"hypermon": hypermon, "Path": Path}
    )
    assert found.examples
    said: list[str] = []
    assert runner.run(found, out=said.append).failed == 0, "".join(said)


@pytest.mark.worker
def test_checks_of_a_folder_are_made_once_and_unknown_ones_refused() -> None:
    twice = hypermon.check("bandwidth/one_node", "bandwidth/one_node", case="default")
    assert len(twice) == len(hypermon.check("bandwidth/one_node", case="default")) > 1
    assert all(verdict.passed for verdict in twice)
    with pytest.raises(hypermon.UserError, match="no such scenario"):
        hypermon.check("bandwidth/no_node")


def test_the_reference_page_has_every_public_name() -> None:
    page = (Path(__file__).parents[2] / "docs" / "reference" / "api.md").read_text()
    assert [name for name in api.public() if f"\n## hypermon.{name}\n" not in page and name != "__version__"] == []
