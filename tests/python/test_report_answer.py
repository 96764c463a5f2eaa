# SPDX-License-Identifier: BSD-3-Clause
"""The mark beside a report's verdict stands only where the run answers the question of its scenario."""

from __future__ import annotations

import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

import hypermon
from hypermon._inputs import scenario as scenarios
from hypermon._inputs.expectations import Case, Expectation
from hypermon._inputs.scenario import Scenario
from hypermon._model import worker
from hypermon._model.result import Result
from hypermon.monitors.funnel import report as funnel
from hypermon.monitors.scms import verdict as scms
from hypermon.report import answer, page, run_page
from hypermon.report.rules import FACT, GOOD, LIMIT, PROBLEM, Finding

pytestmark = [pytest.mark.worker, pytest.mark.usefixtures("worker")]
VALUES = {"nodes": 2}


def wanted(of: str, equals: str, kind: str = "derived", *, answers: bool = True) -> Expectation:
    return Expectation(of, equals, None, None, 0.0, False, kind, "a reason", "", answers)


def made(*cases: list[Expectation], values: Any = VALUES) -> Scenario:
    """A scenario whose cases all have the same values."""
    named = tuple(Case({}, (), tuple(expect), f"case_{i}") for i, expect in enumerate(cases))
    resolve = lambda *_, **__: SimpleNamespace(values=values)  # noqa: E731
    return cast(Scenario, SimpleNamespace(name="made/up", target="made/up", cases=named, resolve=resolve))


def find(found: Scenario | None) -> answer.Answer:
    return answer.find(found, cast(Result, {"elapsed_s": 2.0}), VALUES, worker.schema())


def test_a_run_without_a_scenario_answers_its_pages_question() -> None:
    assert find(None) == answer.Answer()


def test_an_expectation_that_compares_cases_is_no_answer_of_one_run() -> None:
    comparing = wanted("elapsed_s - cases.case_1.elapsed_s", "1")
    found = find(made([comparing], [wanted("elapsed_s", "2")]))
    assert (found.is_given, found.case, found.cases, found.numbers) == (False, "case_0", 2, None)
    assert found.command == "hypermon check made/up --all"
    assert (found.is_whole, found.level) == (False, FACT)
    assert not find(made([wanted("elapsed_s", "2", answers=False)])).is_given


def test_the_answer_says_how_many_numbers_are_as_expected() -> None:
    one = find(made([wanted("elapsed_s", "2"), wanted("elapsed_s", "3"), wanted("elapsed_s", "2", "missed")]))
    assert (one.is_given, one.level, one.case, one.command) == (True, LIMIT, "", "")
    assert one.summary == "1 of 3 as expected, 1 not as in the paper"
    assert one.numbers is not None
    assert [row[:3] for row in one.numbers.rows] == [
        ("elapsed_s", "2", "2"),
        ("elapsed_s", "2", "3 (missed)"),
        ("elapsed_s", "2", "2; the paper differs"),
    ]
    assert find(made([wanted("elapsed_s", "2")])).level == GOOD


def test_a_part_of_the_answer_gets_no_tick() -> None:
    first = [wanted("elapsed_s", "2")]
    both = find(made(first, first))
    assert (both.is_given, both.is_whole, both.level, both.summary) == (True, False, FACT, "1 of 1 as expected")
    alone = find(made(first, []))
    assert (alone.is_given, alone.is_whole, alone.level) == (True, True, GOOD)


def test_a_run_that_is_none_of_several_cases_gets_no_tick() -> None:
    found = find(made([wanted("elapsed_s", "2")], [], values={"nodes": 3}))
    assert (found.is_given, found.level, found.case, found.numbers) == (True, FACT, "", None)
    assert (
        find(made([wanted("elapsed_s", "2")], values={"nodes": 3})).level == GOOD
    )  # a single question, asked of another design


@pytest.mark.parametrize(
    ("lost", "findings", "answered", "level"),
    [
        (False, GOOD, answer.Answer(), GOOD),
        (False, GOOD, answer.Answer(level=LIMIT), LIMIT),
        (False, PROBLEM, answer.Answer(level=LIMIT), PROBLEM),
        (True, GOOD, answer.Answer(), PROBLEM),
        (True, PROBLEM, answer.Answer(is_given=False), FACT),
        (False, GOOD, answer.Answer(is_given=False), FACT),
    ],
)
def test_no_mark_stands_beside_an_unanswered_question(
    lost: bool, findings: str, answered: answer.Answer, level: str
) -> None:
    run: Any = SimpleNamespace(anything_lost=lost)
    assert run_page._level(run, answered, [Finding(findings, "", "")]) == level


def test_the_page_of_a_case_names_the_command_that_compares_the_cases(tmp_path: Path) -> None:
    run = hypermon.run("beowulf/tcp", settings={"tcp.nagle": "off"}, out=tmp_path / "run").path
    assert run is not None
    shown = page.html(run)
    assert re.search(r'<p class="verdict fact">[^<]', shown)
    assert "<b>This run alone does not answer the question.</b> It is the case <b>no_nagle</b>, one of 4 " in shown
    assert "<code>hypermon check beowulf/tcp --all</code>" in shown


def test_every_case_of_a_scenario_is_recognised() -> None:
    found, schema = scenarios.built_in("beowulf/tcp"), worker.schema()
    for case in found.cases:
        values = found.resolve(schema, case=case, build=False).values
        assert answer.find(found, cast(Result, {}), values, schema).case == case.name


def test_the_verdict_says_first_when_dead_agents_were_noticed() -> None:
    def failures(*times: tuple[float | None, float | None]) -> dict[str, Any]:
        dead = [{"at_s": 1.0, "detected_s": noticed, "back_s": back} for noticed, back in times]
        none = {"push": 0}
        overload = {"first_s": None, "longest_queue": 1}
        return {"elapsed_s": 2.0, "monitor": {"failures": dead, "overload": overload, "messages": none, "levels": []}}

    def said(*times: tuple[float | None, float | None]) -> str:
        (sentence,) = scms.headline(failures(*times))
        return sentence.replace("\u202f", " ")

    assert said((2.0, 3.0)) == "The dead agent was noticed after 1 s and was back after 2 s."
    assert (
        said((2.0, 3.0), (4.5, 6.0))
        == "All 2 dead agents were noticed after 1 s to 3.5 s; all were back after at most 5 s."
    )
    assert said((2.0, None), (None, None)) == "1 of 2 dead agents were noticed, after 1 s; none came back."
    assert said((None, None)) == "The dead agent was not noticed."
    assert scms.headline(failures()) == []
    assert scms.verdict(failures((2.0, 3.0))) == []
    assert scms.verdict(failures()) == [
        "The agents kept up: at most 1 message waited at one of them.".replace("1 m", "1\u202fm")
    ]


def test_the_verdict_of_a_tree_of_agents_says_what_reaches_its_root() -> None:
    agents = [{"node": 0, "cpu_s": 0.004}, {"node": 1, "cpu_s": 0.002}]
    monitor = {
        "failures": [],
        "overload": {"first_s": None, "longest_queue": 2},
        "messages": {"push": 6},
        "levels": [{"level": 0, "bytes": 10}, {"level": 1, "bytes": 3000}, {"level": 2, "bytes": 70}],
        "tree": {"cmas": agents, "smas": [{"place": "node 1", "cpu_s": 0.006}]},
    }
    found = [one.replace("\u202f", " ") for one in scms.verdict({"elapsed_s": 2.0, "monitor": monitor})]
    assert found == [
        "The root of the agents received 1.5 KB/s from 2 nodes.",
        "The agents took at most 0.4 % of a node's time.",
        "The agents kept up: at most 2 messages waited at one of them.",
    ]


def test_a_trace_funnels_page_says_how_much_of_its_stream_is_data_of_events() -> None:
    stream = {"bytes": 1000, "encoded_bytes": 900}
    generated = {"bytes": 600, "events": 10}

    def shown(lost: int) -> str:
        result = {"ledger": {"generated": generated, "unit": "bytes", "lost": []}, "event_bytes": 400}
        run: Any = SimpleNamespace(result=result, monitor={"stream": stream}, lost=lambda *_: lost)
        finding = funnel.overhead(run)
        assert finding is not None
        assert finding.level == FACT
        return finding.title.replace("\u202f", " ")

    assert shown(0) == "The nodes' stores are 60 % of the trace stream, 40 % of it data of events"
    assert shown(100) == "The nodes' stores are 50 % of the trace stream"
