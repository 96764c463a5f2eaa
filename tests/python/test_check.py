# SPDX-License-Identifier: BSD-3-Clause
"""`hypermon check`: met, missed and failed expectations, each with its exit status."""

from __future__ import annotations

import json
import shlex
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from hypermon._engine import checks
from hypermon._inputs import scenario
from hypermon._inputs.expectations import Expectation
from hypermon._model.result import Result
from tests.conftest import Hypermon

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
    assert "monitor" in failed[0]  # an object is not a number
    assert failed[1].split()[4:] == ["3", "within", "0.5", "1.75", "-41.67", "%", "golden"]


def test_tolerances_include_their_edge(good: Path, hypermon: Hypermon) -> None:
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


@pytest.mark.parametrize(
    ("got", "expected", "within", "passed"),
    [
        ("-10", "-11", 0.1, True),
        ("-10", "-12", 0.1, False),
        ("1 == 1", "true", 0, True),
        ("1", "true", 0, False),
        ("0", "false", 0, False),
        ("null", "false", 0, False),
        ("'a'", "'a'", 0, True),
    ],
)
def test_a_share_is_of_the_magnitude_and_a_boolean_is_no_number(
    got: str, expected: str, within: float, passed: bool
) -> None:
    expectation = Expectation(got, expected, None, None, within, relative=True, kind="golden", reason="", where="")
    assert checks.judge("some", "case", expectation, Result(None, "{}")).passed is passed


def test_junit_has_a_case_for_every_expectation(good: Path, hypermon: Hypermon) -> None:
    good.write_text(GOOD)
    hypermon("check", "--junit", "out.xml")
    suite = ET.parse("out.xml").getroot()
    assert (suite.get("tests"), suite.get("failures"), suite.get("errors")) == ("5", "2", "0")
    (_, missed) = suite.findall("testcase/failure")
    assert missed.get("message") == "elapsed_s: expected 3 within 0.5, got 1.75"
    cases = suite.findall("testcase")
    assert [(case.get("file"), case.get("line")) for case in cases] == [
        ("scenarios/good.yaml", str(line)) for line in (6, 7, 8, 9, 12)
    ]
    times = [float(case.get("time", "nan")) for case in cases]
    # each run takes 10 ms in the fake worker; the expectations of a case share it
    assert times == [0.0025] * 4 + [0.01]
    assert float(suite.get("time", "nan")) == 0.02


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


def again(done_stdout: str) -> list[list[str]]:
    """The commands that the output gives to repeat failed cases."""
    lines = [line for line in done_stdout.splitlines() if line.startswith("again: ")]
    return [shlex.split(line.removeprefix("again: ")) for line in lines]


def test_each_failed_case_is_repeated_by_the_printed_command_as_it_stands(good: Path, hypermon: Hypermon) -> None:
    good.write_text(GOOD)
    own = Path("it's mine/own file.yaml")
    own.parent.mkdir()
    own.write_text(GOOD.replace("set: {nodes: 8}", "set: {nodes: 8, reader.kind: ideal}"))
    done = hypermon("check", "good", str(own))
    commands = again(done.stdout)
    assert [command[:3] for command in commands] == [["hypermon", "check", "good"]] * 2 + [
        ["hypermon", "check", str(own)]
    ] * 2
    for command in commands:
        repeated = hypermon(*command[1:])
        assert repeated.returncode == 1
        assert repeated.stdout.count("again: ") == 1
        assert again(repeated.stdout) == [command]
    assert "0 passed, 1 failed" in repeated.stdout  # the second case alone


def test_a_chosen_case_runs_with_those_that_it_is_compared_with(good: Path, hypermon: Hypermon) -> None:
    missed = "set: {nodes: 4}\n    expect:\n      - {of: elapsed_s, is: 0, kind: golden}\n"
    good.write_text(COMPARING.replace("set: {nodes: 4}\n", missed))
    done = hypermon("check", "good", "--case", "nodes=8", "--keep", "kept")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "2 passed, 0 failed" in done.stdout
    assert len(list(Path("kept/good").iterdir())) == 2  # it, and case four, which has no judged expectation
    refused = hypermon("check", "good", "--case", "nodes=9")
    assert (refused.returncode, refused.stdout) == (2, "")
    assert refused.stderr == "error: --case nodes=9: no such case; did you mean nodes=8?\n"


def test_kept_runs_are_run_directories_and_a_failed_one_keeps_what_there_is(good: Path, hypermon: Hypermon) -> None:
    good.write_text(GOOD)
    done = hypermon("check", "good", "--keep", "kept")
    folders = sorted(path.as_posix() for path in Path("kept/good").iterdir())
    assert folders == ["kept/good/01-nodes_4", "kept/good/02-nodes_8"]
    assert "--case nodes=8  (kept: kept/good/02-nodes_8)" in done.stdout
    for folder in folders:
        assert json.loads((Path(folder) / "result.json").read_text())["scenario"] == "good"
    Path("file").write_text("")
    refused = hypermon("check", "good", "--keep", "file")
    assert refused.returncode == 2
    assert refused.stderr.startswith("error: ")
    assert refused.stderr.count("\n") == 1


def test_json_has_every_case_with_its_expectations(good: Path, hypermon: Hypermon) -> None:
    good.write_text(GOOD)
    (good.parent / "bad.yaml").write_text("question: q\nset: {fake.behaviour: deadlock}\n")
    done = hypermon("check", "good", "bad", "--json", "--keep", "kept")
    assert done.returncode == 3
    found = json.loads(done.stdout)
    assert (found["passed"], found["failed"]) == (3, 3)
    four, eight, bad = found["cases"]
    assert (four["scenario"], four["case"], four["passed"], len(four["expectations"])) == ("good", "nodes=4", False, 4)
    assert eight == {
        "scenario": "good",
        "case": "nodes=8",
        "passed": False,
        "error": None,
        "wall_s": 0.01,
        "run": "kept/good/02-nodes_8",
        "again": "hypermon check good --case nodes=8",
        "expectations": [
            {
                "of": "elapsed_s", "expected": "3 within 0.5", "got": "1.75", "deviation": "-41.67 %", "kind": "golden",
                "reason": "", "passed": False, "file": "scenarios/good.yaml", "line": 12,
            }
        ],
    }  # fmt: skip
    assert (bad["error"], bad["wall_s"], bad["expectations"]) == (
        "deadlock: rank 0 waits for a message from rank 1", None, []
    )  # fmt: skip
    page = (Path(__file__).parents[2] / "docs/how-to/check-in-ci.md").read_text()
    for key in {*found, *eight, *eight["expectations"][0]}:
        assert f"`{key}`" in page, f"{key} is documented"


@pytest.mark.parametrize(
    ("of", "message"),
    [
        ("elapsed", "elapsed: the result has no such number; did you mean elapsed_s? (scenarios/good.yaml, line 3)"),
        ("1 / spec.nodse", "nodse: no such parameter; did you mean nodes? (scenarios/good.yaml, line 3)"),
        ("cases.x.evnts", "evnts: the result has no such number; did you mean events? (scenarios/good.yaml, line 3)"),
    ],
)
def test_a_misspelt_key_fails_its_expectation_and_the_others_are_judged(
    good: Path, hypermon: Hypermon, of: str, message: str
) -> None:
    right = "{of: events, min: 1, kind: golden}"
    text = f"question: q\ncases: [{{name: x, expect: [\n  {{of: {of}, is: 1, kind: golden}}, {right}]}}]\n"
    good.write_text(text)
    done = hypermon("check", "good")
    assert (done.returncode, done.stderr) == (2, "")
    assert message in done.stdout
    assert done.stdout.endswith("1 passed, 1 failed\n")


def test_a_misspelt_key_below_a_described_one_is_a_mistake_too(good: Path, hypermon: Hypermon) -> None:
    good.write_text("question: q\nexpect: [{of: ledger.lost_total.evnts, is: 0, kind: golden}]\n")
    done = hypermon("check", "good")
    assert done.returncode == 2
    assert "the result has no ledger.lost_total.evnts; it has nibbles, events" in done.stdout
    # A key that only another monitor's result has is no mistake: the expectation is not met.
    good.write_text("question: q\nset: {monitor: none}\nexpect: [{of: monitor.overrun, is: false, kind: golden}]\n")
    assert hypermon("check", "good").returncode == 1


@pytest.mark.worker
def test_the_built_in_scenarios_ask_for_what_results_have(worker: Path) -> None:
    from hypermon._model import worker as workers

    assert worker.is_file()
    planned = checks.plan([scenario.built_in(name) for name in scenario.names()], workers.schema())
    assert len(planned) > 50
    wanted = [expectation for p in planned for expectation in p.case.expect]
    assert [error for one in wanted if (error := checks.mistake(one, workers.schema())) is not None] == []


@pytest.mark.parametrize("quote", ["", "'", '"'])
def test_a_fingerprint_is_written_as_it_is_printed(good: Path, hypermon: Hypermon, quote: str) -> None:
    text = "question: q\nset: {monitor: none, nodes: 4}\ncases:\n  - name: a\n    expect:\n"
    good.write_text(f"{text}      - {{of: elapsed_s, min: 0, kind: golden}}\n")
    printed = json.loads(hypermon("run", "good", "--json").stdout)["fingerprint"]
    for of in ("fingerprint", "cases.a.fingerprint"):
        good.write_text(f"{text}      - {{of: {of}, is: {quote}{printed}{quote}, kind: golden}}\n")
        done = hypermon("check", "good")
        assert (done.returncode, done.stderr) == (0, ""), done.stdout


@pytest.mark.parametrize(
    "digits",
    [
        "0123456701234567",
        "1234567890123456",
        "12345678901234e5",
        "abcdef0123456789",
        "0b01000000000000",
        "1e10000000000000",
    ],
)
def test_a_fingerprint_that_could_be_a_number_or_a_name_is_none(good: Path, digits: str) -> None:
    good.write_text(f"question: q\nexpect: [{{of: fingerprint, is: {digits}, kind: golden}}]\n")
    (case,) = scenario.find_one("good").cases
    (expectation,) = case.expect
    for got, passed in ((digits, True), ("f" * 16, False)):
        verdict = checks.judge("s", "c", expectation, _as_result({"fingerprint": got}))
        assert (verdict.expected, verdict.passed) == (digits, passed)


def _as_result(keys: dict[str, object]) -> Result:
    return Result(None, json.dumps(keys))


@pytest.mark.parametrize(
    ("limits", "got", "passed"),
    [
        ("max: 0.1 %", 0.0009, True),
        ("max: 0.1 %", 0.0011, False),
        ("min: 50%", 0.5, True),
        ("min: 50%, max: 60 %", 0.61, False),
        ("is: 2 %", 0.02, True),
        ("is: 2 %, within: 10 %", 0.0215, True),
    ],
)
def test_a_share_is_understood_wherever_a_number_is(good: Path, limits: str, got: float, passed: bool) -> None:
    good.write_text(f"question: q\nexpect: [{{of: elapsed_s, {limits}, kind: golden}}]\n")
    (case,) = scenario.find_one("good").cases
    verdict = checks.judge("s", "c", case.expect[0], _as_result({"elapsed_s": got}))
    assert (verdict.passed, verdict.error) == (passed, None)


@pytest.mark.parametrize(
    ("expectation", "message"),
    [
        ("of: first_s, max: 1", "null is not a number"),
        ("of: ledger, min: 1", "an object is not a number"),
        ("of: elapsed_s, min: first_s", "min: null is not a number"),
        ("of: elapsed_s, max: ledger", "max: an object is not a number"),
        ("of: first_s < 1, is: true", "< needs two numbers or two texts, not null and `1`"),
        ("of: elapsed_s, is: 2 * first_s", "* needs numbers, not null"),
        ("of: abs(first_s), is: 1", "abs cannot be computed of null"),
    ],
)
@pytest.mark.usefixtures("fake")
def test_what_cannot_be_compared_is_said_in_our_words(
    expectation: str, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checks, "mistake", lambda *_: None)
    Path("own.yaml").write_text(f"question: q\nexpect: [{{{expectation}, kind: golden}}]\n")
    (case,) = scenario.find_one("own.yaml").cases
    result = _as_result({"elapsed_s": 1.0, "first_s": None, "ledger": {"lost": []}})
    verdict = checks.judge("s", "c", case.expect[0], result)
    assert (verdict.got, verdict.passed) == (message, False)
