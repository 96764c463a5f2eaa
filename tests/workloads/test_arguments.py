# SPDX-License-Identifier: BSD-3-Clause
"""Bad arguments are refused with a message that names them."""

from __future__ import annotations

import pytest

from tests.workloads.conftest import NAMES, Launch


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("argument", ["--no_such_parameter=1", "--seed=x", "--seed=-1", "--seed=", "seed=1", "--seed"])
def test_a_bad_argument_is_named_and_gives_exit_code_2(launch: Launch, name: str, argument: str) -> None:
    result = launch(name, 2, [argument])
    assert result.returncode == 2
    assert f"{argument}: " in result.stderr


def test_a_value_out_of_range_is_refused_with_the_range(launch: Launch) -> None:
    result = launch("life", 1, ["--density=1.5"])
    assert result.returncode == 2
    assert "--density=1.5: must be from 0.0" in result.stderr
    assert "to 1.0" in result.stderr


@pytest.mark.parametrize("name", ["simplex", "place"])
def test_ranks_that_are_no_power_of_two_are_refused(launch: Launch, name: str) -> None:
    result = launch(name, 3, [])
    assert result.returncode == 2
    assert "3 ranks" in result.stderr


@pytest.mark.parametrize("name", NAMES)
def test_an_answer_that_cannot_be_written_fails_the_run(launch: Launch, name: str) -> None:
    small = {
        "matmul": ["--size=4"],
        "life": ["--generations=1"],
        "simplex": ["--constraints=4", "--variables=4"],
        "place": ["--attempts=10", "--accepted=1"],
    }
    result = launch(name, 2, [*small[name], "--output=/no/such/folder/answer"])
    assert result.returncode == 3
    assert "/no/such/folder/answer" in result.stderr
