"""`hypermon check`: met, missed, failed; each with its exit status."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from tests.python.conftest import Hypermon

# With the fake worker and monitor none, elapsed_s = 10 / nodes + 0.5.
GOOD = """\
question: q
set: {monitor: none}
cases:
  - set: {nodes: 4}
    expect:
      - {of: elapsed_s, is: 10 / spec.nodes + 0.5, kind: derived, because: the fake worker says so}
      - {of: elapsed_s, is: 3.05, within: 2 %, kind: published, source: Table 0}
      - {of: elapsed_s, min: 2.9, max: 3.1, kind: golden}
      - {of: monitor, is: 0, within: 1, kind: golden}
  - set: {nodes: 8}
    expect:
      - {of: elapsed_s, is: 3, within: 0.5, kind: golden}
"""


@pytest.fixture
def good(scenarios: Path) -> Path:
    path = scenarios / "good.yaml"
    path.write_text(
        GOOD.replace("      - {of: monitor, is: 0, within: 1, kind: golden}\n", "").split("  - set: {nodes: 8")[0]
    )
    return path


@pytest.mark.usefixtures("good")
def test_met_expectations_exit_0(hypermon: Hypermon) -> None:
    done = hypermon("check")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "3 passed, 0 failed" in done.stdout


def test_a_missed_expectation_shows_the_difference_and_exits_1(good: Path, hypermon: Hypermon) -> None:
    good.write_text(GOOD)
    done = hypermon("check", "good")
    assert done.returncode == 1
    assert "3 passed, 2 failed" in done.stdout
    failed = [line for line in done.stdout.splitlines() if line.startswith("FAIL")]
    assert "monitor" in failed[0]  # an object is no number
    assert failed[1].split()[4:] == ["3", "within", "0.5", "1.75", "-41.67", "%", "golden"]


def test_tolerances_hold_to_their_edge(good: Path, hypermon: Hypermon) -> None:
    text = "question: q\nset: {{monitor: none, nodes: 4}}\nexpect:\n  - {{of: elapsed_s, is: {}, within: {}, kind: golden}}\n"
    for expected, within, status in (
        (3.5, "0.5", 0),
        (3.5, "0.49", 1),
        (2.5, "20 %", 0),
        (2.5, "19 %", 1),
        (3, "0", 0),
    ):
        good.write_text(text.format(expected, within))
        assert hypermon("check", "good").returncode == status, (expected, within)


def test_junit_has_a_case_for_every_expectation(good: Path, hypermon: Hypermon) -> None:
    good.write_text(GOOD)
    hypermon("check", "--junit", "out.xml")
    suite = ET.parse("out.xml").getroot()
    assert (suite.get("tests"), suite.get("failures"), suite.get("errors")) == ("5", "2", "0")
    (_, missed) = suite.findall("testcase/failure")
    assert missed.get("message") == "elapsed_s: expected 3 within 0.5, got 1.75"


def test_a_failed_simulation_exits_3_and_the_others_are_judged(good: Path, hypermon: Hypermon) -> None:
    (good.parent / "bad.yaml").write_text("question: q\nset: {fake.behaviour: deadlock}\n")
    done = hypermon("check", "--jobs", "2")
    assert done.returncode == 3
    assert "3 passed, 1 failed" in done.stdout
    assert "rank 0 waits for a message from rank 1" in done.stdout


def test_a_mistake_in_any_scenario_stops_before_the_first_run(good: Path, hypermon: Hypermon) -> None:
    (good.parent / "bad.yaml").write_text("question: q\ncases:\n  - set: {nodes: 5}\n")
    done = hypermon("check")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "error: nodes = 5: must be a power of two from 1 to 128 (scenarios/bad.yaml, line 3)\n"


def test_the_verdicts_do_not_depend_on_the_jobs(good: Path, hypermon: Hypermon) -> None:
    good.write_text(GOOD)
    assert hypermon("check", "--jobs", "1").stdout == hypermon("check", "--jobs", "4").stdout


COMPARING = """\
question: q
set: {monitor: none}
cases:
  - name: four
    set: {nodes: 4}
  - set: {nodes: 8}
    expect:
      - {of: elapsed_s - 0.5, is: (cases.four.elapsed_s - 0.5) / 2, kind: derived, because: half the work each}
      - {of: elapsed_s, max: cases.four.elapsed_s, kind: derived, because: less work each}
"""


def test_an_expectation_may_compare_with_a_named_case(good: Path, hypermon: Hypermon) -> None:
    good.write_text(COMPARING)
    done = hypermon("check", "good")
    assert done.returncode == 0, done.stdout + done.stderr
    good.write_text(COMPARING.replace("max: cases", "min: cases"))
    assert hypermon("check", "good").returncode == 1


def test_a_case_that_there_is_not_is_refused_before_the_first_run(good: Path, hypermon: Hypermon) -> None:
    good.write_text(COMPARING.replace("name: four", "name: fours"))
    done = hypermon("check", "good")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == ("error: cases.four: no such case; did you mean fours? (scenarios/good.yaml, line 8)\n")
    good.write_text(COMPARING.replace("  - set: {nodes: 8}", "  - name: four\n    set: {nodes: 8}"))
    assert "name: four: given twice" in hypermon("check", "good").stderr


def test_an_expectation_fails_if_the_case_that_it_compares_with_failed(good: Path, hypermon: Hypermon) -> None:
    good.write_text(COMPARING.replace("set: {nodes: 4}", "set: {nodes: 4, fake.behaviour: deadlock}"))
    done = hypermon("check", "good")
    assert done.returncode == 3
    assert "0 passed, 3 failed" in done.stdout
