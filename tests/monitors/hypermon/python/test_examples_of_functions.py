# SPDX-License-Identifier: BSD-3-Clause
"""The examples of public functions run. They use the paper's programs, which the HYPERMON monitor observes."""

from __future__ import annotations

import doctest
from pathlib import Path

import pytest

import hypermon
from tests.python.test_public_names import FUNCTIONS, function


def test_its_commands_are_functions_too() -> None:
    assert {"capture", "frontier", "record", "replay"} <= set(FUNCTIONS)


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
    output: list[str] = []
    assert runner.run(found, out=output.append).failed == 0, "".join(output)


@pytest.mark.worker
def test_checks_of_a_folder_are_made_once_and_unknown_ones_refused() -> None:
    twice = hypermon.check("bandwidth/one_node", "bandwidth/one_node", case="default")
    assert len(twice) == len(hypermon.check("bandwidth/one_node", case="default")) > 1
    assert all(verdict.passed for verdict in twice)
    with pytest.raises(hypermon.UserError, match="no such scenario"):
        hypermon.check("bandwidth/no_node")
