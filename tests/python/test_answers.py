# SPDX-License-Identifier: BSD-3-Clause
"""Every built-in scenario says which of its expectations answer its question."""

from __future__ import annotations

import re

import pytest

from hypermon._inputs import scenario
from hypermon._inputs.expectations import Expectation
from hypermon._inputs.scenario import Scenario
from hypermon._model import worker

BALANCE = re.compile(r"ledger\.generated\.\w+|sampling\.taken")
SHAPE_OF_RATES = re.compile(r"len\(rates\.frames\)|100 \* rates\.interval_s|total\(rates\.frames\)")


def holds_of_any_run(expectation: Expectation) -> bool:
    """A law that every result obeys, so that it does not answer the question."""
    return bool(BALANCE.fullmatch(expectation.of) or SHAPE_OF_RATES.fullmatch(expectation.of))


def answers(one: Scenario) -> list[Expectation]:
    return [e for case in one.cases for e in case.expect if e.answers]


@pytest.mark.parametrize("name", scenario.names())
def test_a_scenario_has_an_expectation_that_answers_its_question(name: str) -> None:
    assert answers(scenario.built_in(name)), f"{name}: no expectation says `answers: true`"


@pytest.mark.parametrize("name", scenario.names())
def test_no_law_that_holds_of_any_run_is_an_answer(name: str) -> None:
    assert not [e.of for e in answers(scenario.built_in(name)) if holds_of_any_run(e)]


@pytest.mark.worker
@pytest.mark.usefixtures("worker")
@pytest.mark.parametrize("name", scenario.names())
def test_a_scenario_can_be_run_without_naming_a_case(name: str) -> None:
    assert scenario.built_in(name).resolve(worker.schema()).native  # its values fit together
