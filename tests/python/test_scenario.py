# SPDX-License-Identifier: BSD-3-Clause
"""Scenario files: precedence of values, and errors with file and line."""

from __future__ import annotations

from pathlib import Path

import pytest

from hypermon._inputs import scenario
from hypermon._model import worker
from hypermon.errors import UserError

GOOD = """\
question: Which value wins?
presets: [slow]
set: {workload: place, nodes: 4, ecb: {window_ns: 400}}
variants:
  - when: {nodes: 2}
    set: {place.attempts: 222}
  - when: {nodes: 4}
    set: {place.attempts: 444}
cases:
  - set: {nodes: 2}
    expect:
      - {of: elapsed_s, is: 1, within: 2 %, kind: published, source: Table 2}
"""


@pytest.fixture
def root(scenarios: Path) -> Path:
    (scenarios / "presets").mkdir()
    (scenarios / "presets/slow.yaml").write_text("set: {port.delay: 99, ecb.window_ns: 200}\n")
    (scenarios / "presets/fast.yaml").write_text("set: {port.delay: 1, nodes: 2}\n")
    (scenarios / "good.yaml").write_text(GOOD)
    return scenarios


def resolve(name: str = "good", **arguments: object) -> dict[str, object]:
    return dict(scenario.find_one(name).resolve(worker.schema(), **arguments).values)  # type: ignore[arg-type]


@pytest.mark.usefixtures("root")
class TestOrder:
    def test_the_scenario_wins_over_its_presets_and_these_over_defaults(self) -> None:
        values = resolve()
        assert (values["ecb.window_ns"], values["port.delay"], values["seed"]) == (400, 99, 1)

    def test_given_settings_win_over_given_presets_and_these_over_the_scenario(self) -> None:
        values = resolve(presets=["fast"], settings={"nodes": "8"})
        assert (values["port.delay"], values["nodes"]) == (1, 8)

    def test_variants_follow_the_chosen_values(self) -> None:
        assert resolve()["place.attempts"] == 444
        assert resolve(settings={"nodes": "2"})["place.attempts"] == 222
        assert resolve(presets=["fast"])["place.attempts"] == 222
        assert resolve(settings={"nodes": "8"})["place.attempts"] == 1000  # the default

    def test_a_given_value_wins_over_a_variant(self) -> None:
        assert resolve(settings={"nodes": 2, "place.attempts": 7})["place.attempts"] == 7

    def test_a_case_counts_as_given(self) -> None:
        found = scenario.find_one("good")
        assert found.resolve(worker.schema(), case=found.cases[0]).values["place.attempts"] == 222

    def test_a_base_comes_first(self, root: Path) -> None:
        (root / "derived.yaml").write_text("question: q\nbase: good\nset: {nodes: 2}\n")
        values = resolve("derived")
        assert (values["nodes"], values["ecb.window_ns"], values["place.attempts"]) == (2, 400, 222)
        assert scenario.find_one("derived").cases[0].expect == ()

    def test_a_boards_own_value_wins_over_that_of_all_boards_wherever_it_is_given(self, root: Path) -> None:
        (root / "own.yaml").write_text(
            'question: q\nset: {"ecb[2].frame_fifo_frames": 64, "ecb[1]": {window_ns: 200}}\n'
        )
        values = resolve("own", settings={"ecb.frame_fifo_frames": 128, "ecb[0].window_ns": "0.4 us"})
        own = {path: value for path, value in values.items() if "[" in path}
        assert own == {"ecb[2].frame_fifo_frames": 64, "ecb[1].window_ns": 200, "ecb[0].window_ns": 400}
        assert values["ecb.frame_fifo_frames"] == 128

    def test_a_variant_may_depend_on_a_board(self, root: Path) -> None:
        (root / "on_board.yaml").write_text(
            "question: q\nvariants:\n  - {when: {'ecb[1].window_ns': 400}, set: {place.attempts: 7}}\n"
        )
        assert resolve("on_board")["place.attempts"] == 1000  # the default
        assert resolve("on_board", settings={"ecb[1].window_ns": 400})["place.attempts"] == 7
        assert resolve("on_board", settings={"ecb.window_ns": 400})["place.attempts"] == 7
        assert resolve("on_board", settings={"ecb.window_ns": 400, "ecb[1].window_ns": 800})["place.attempts"] == 1000

    def test_equal_choices_have_equal_hashes_however_they_were_said(self) -> None:
        found = scenario.find_one("good")
        resolved = found.resolve(worker.schema(), settings={"ecb.window_ns": "0.4us", "seed": 1})
        assert resolved.hash == found.resolve(worker.schema()).hash
        assert resolved.hash != found.resolve(worker.schema(), settings={"seed": 2}).hash
        assert resolved.hash == found.resolve(worker.schema(), settings={"ecb[1].window_ns": 400}).hash
        assert resolved.hash != found.resolve(worker.schema(), settings={"ecb[1].window_ns": 800}).hash


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("nodes: 4,", "nodse: 4,", "nodse: no such parameter; did you mean nodes? (scenarios/good.yaml, line 3)"),
        ("window_ns: 400", "window_ns: 30", "ecb.window_ns = 30: must be a multiple of 50"),
        ("window_ns: 400", "window_ns: 400, '[2]': 1", "ecb.[2]: no such parameter"),
        ("nodes: 4,", "nodes: 4, 'ecb[2].window_ns': 30,", "ecb[2].window_ns = 30: must be a multiple of 50 from 50 to 1000000000 ns (scenarios/good.yaml, line 3)"),
        ("nodes: 4,", "nodes: 4, 'ecb[2]': {inputs: 8},", "ecb[2].inputs: is the same of all; set ecb.inputs (scenarios/good.yaml, line 3)"),
        ("nodes: 4,", "nodes: 4, fake.verbose: 3,", "fake.verbose = 3: must be true or false (scenarios/good.yaml, line 3)"),
        ("nodes: 4,", "nodes: 4, 'ecb[9]': {window_ns: 200},", "ecb[9].window_ns: no such board (scenarios/good.yaml, line 3)"),
        ("nodes: 4,", "nodes: 4, 'ecb[9]': {window_ns: 400},", "ecb[9].window_ns: no such board (scenarios/good.yaml, line 3)"),
        ("{place.attempts: 444}", "{fake.lost: 2000}", "fake.lost = 2000: must be at most fake.events = 1000 (scenarios/good.yaml, line 8)"),
        ("when: {nodes: 2}", "when: {nodes: 3}", "nodes = 3: must be a power of two from 1 to 128 (scenarios/good.yaml, line 5)"),
        ("presets: [slow]", "presets: [slwo]", "slwo: no such preset; did you mean slow? (scenarios/good.yaml, line 2)"),
        ("question: Which value wins?", "", "question: missing"),
        ("variants:", "variant:", "scenario: no key `variant`; did you mean variants?"),
        ("set: {nodes: 2}\n    exp", "set: [2]\n    exp", "set: must be a mapping (`key: value`), not a list (scenarios/good.yaml, line 10)"),
        ("kind: published", "kind: publishd", "kind: publishd: must be one of published, derived, golden, missed (scenarios/good.yaml, line 12)"),
        (", source: Table 2", "", "published expectation: `source` is missing"),
        ("kind: published, source: Table 2", "kind: missed", "missed expectation: `source` is missing"),
        ("kind: published", "answers: maybe, kind: published", "answers: maybe: must be true, or not given (scenarios/good.yaml, line 12)"),
        ("is: 1, ", "", "needs either `is` or `min` and/or `max`"),
        ("within: 2 %", "within: much", "within: much: must be a share like `2 %` or a number"),
        ("within: 2 %", "within: -2 %", "within: -2 %: must be a share like `2 %` or a number, not negative (scenarios/good.yaml, line 12)"),
        ("of: elapsed_s", "of: 'elapsed_s +'", "of: `elapsed_s +` is not an expression"),
        ("of: elapsed_s", "of: open(1)", "of: no function open"),
        ("nodes: 4, ecb", "nodes: 4, nodes: 2, ecb", "nodes: given twice, first on line 3 (scenarios/good.yaml, line 3)"),
        ("ecb: {window_ns: 400}}", "ecb: {window_ns: 400}, ecb.window_ns: 200}", "ecb.window_ns: given twice"),
        ("ecb: {window_ns: 400}}", "ecb: {window_ns: 400}", "broken YAML"),
        ("cases:", "\tcases:", "broken YAML"),
        ("set: {nodes: 2}\n", "set: *missing\n", "broken YAML: found undefined alias"),
    ],
)  # fmt: skip
def test_a_mistake_is_named_with_file_and_line(root: Path, old: str, new: str, message: str) -> None:
    assert old in GOOD
    (root / "good.yaml").write_text(GOOD.replace(old, new, 1))
    with pytest.raises(UserError) as caught:
        resolve()
    assert message in str(caught.value)
    assert "scenarios/good.yaml, line " in str(caught.value)


def test_values_that_do_not_go_together_are_refused_where_the_first_was_given(root: Path) -> None:
    (root / "presets/lossy.yaml").write_text("set: {fake.lost: 5}\n")
    with pytest.raises(UserError) as caught:
        resolve(presets=["lossy"], settings={"fake.events": 4})
    assert str(caught.value) == "fake.lost = 5: must be at most fake.events = 4 (scenarios/presets/lossy.yaml, line 1)"


def test_broken_yaml_is_named_with_its_line(root: Path) -> None:
    (root / "good.yaml").write_text("question: q\nset: {nodes: 4\ncases: []\n")
    with pytest.raises(UserError, match=r"broken YAML: .* \(scenarios/good.yaml, line 3\)"):
        resolve()


@pytest.mark.usefixtures("root")
def test_an_unknown_scenario_is_answered_with_the_nearest() -> None:
    with pytest.raises(UserError, match=r"godo: no such scenario; did you mean good\?"):
        scenario.find_one("godo")


def test_presets_are_no_scenarios_and_folders_hold_theirs(root: Path) -> None:
    (root / "study").mkdir()
    (root / "study/inner.yaml").write_text("question: q\n")
    assert scenario.names() == ["good", "study/inner"]
    (root / "study/other.yaml").write_text("question: q\n")
    assert [s.name for s in scenario.find("study")] == ["study/inner", "study/other"]
    with pytest.raises(UserError, match="study: is a folder of scenarios"):
        scenario.find_one("study")


def test_a_file_anywhere_is_a_scenario(root: Path, tmp_path: Path) -> None:
    mine = tmp_path / "mine.yaml"
    mine.write_text((root / "good.yaml").read_text())
    assert resolve(str(mine))["place.attempts"] == 444
