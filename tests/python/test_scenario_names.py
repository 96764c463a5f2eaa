# SPDX-License-Identifier: BSD-3-Clause
"""A name on a command line is first an existing path, then a built-in scenario."""

from __future__ import annotations

from pathlib import Path

import pytest

from hypermon._files import places
from hypermon._inputs import scenario
from hypermon._model import worker
from hypermon.errors import UserError
from tests.conftest import Hypermon
from tests.registered import recordable

ONE = "question: q\nset: {monitor: none, nodes: 4}\nexpect:\n  - {of: elapsed_s, is: 3, kind: golden}\n"

RECORDINGS = bool(recordable())
"""True if a monitor has recordings; otherwise there are no commands for them."""


@pytest.fixture
def here(scenarios: Path) -> Path:
    """An empty current folder, and the built-in scenarios faults/one and faults/two."""
    (scenarios / "faults").mkdir()
    for name in ("one", "two"):
        (scenarios / f"faults/{name}.yaml").write_text(ONE)
    (scenarios / "catalogues").mkdir()
    (scenarios / "catalogues/mine.yaml").write_text("name: mine\nevents: []\n")
    return Path.cwd()


def own(*files: str) -> None:
    for file in files:
        Path(file).parent.mkdir(parents=True, exist_ok=True)
        Path(file).write_text(ONE)


def found(name: str) -> list[str]:
    return [s.name if s.target == s.name else f"own {s.name}" for s in scenario.find(name)]


@pytest.mark.usefixtures("here")
def test_a_path_that_exists_wins_and_the_built_in_one_is_named(caplog: pytest.LogCaptureFixture) -> None:
    assert found("faults") == ["faults/one", "faults/two"]
    assert caplog.text == ""
    own("faults/mine.yaml")
    assert found("faults") == ["own mine"]
    assert "faults: is taken as the path here; the built-in is scenarios/faults" in caplog.text
    assert found("scenarios/faults") == ["faults/one", "faults/two"]
    assert found("faults/one") == ["faults/one"]  # no such path


def test_a_folder_is_meant_however_it_is_written(here: Path) -> None:
    own("faults/mine.yaml", "faults/deep/er.yml")
    for name in (".", "./", "./faults/..", str(here)):
        assert found(name) == ["own faults/deep/er", "own faults/mine"]
    for name in ("./faults", "faults/", str(here / "faults")):
        assert found(name) == ["own deep/er", "own mine"]


@pytest.mark.usefixtures("here")
def test_other_yaml_files_and_hidden_ones_are_passed_over_but_no_mistyped_scenario() -> None:
    own("all/mine.yaml", "all/.hidden/not.yaml", "all/.not.yaml")
    others = (
        "scenario: x\nquestion: a sweep\n",
        "description: a platform\nset: {}\n",
        "name: c\nevents: []\n",
        "[1]\n",
    )
    for i, text in enumerate(others):
        Path(f"all/other{i}.yaml").write_text(text)
    assert found("all") == ["own mine"]
    Path("all/other9.yaml").write_text(ONE.replace("question", "questoin"))
    with pytest.raises(UserError, match="no key `questoin`; did you mean question"):
        scenario.find("all")


def test_the_built_in_folder_itself_has_the_built_in_names(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = places.scenarios()
    assert [s.name for s in scenario.find(str(root))] == ["faults/one", "faults/two"]
    monkeypatch.chdir(root)
    assert [s.name for s in scenario.find("faults")] == ["faults/one", "faults/two"]
    monkeypatch.chdir(root / "faults")
    assert [s.name for s in scenario.find("one.yaml")] == ["one"]
    assert here.is_dir()


@pytest.mark.parametrize(
    ("name", "message"),
    [
        (".", ".: has no scenario in it (.yaml)"),
        ("empty", "empty: has no scenario in it (.yaml)"),
        ("note.txt", "note.txt: is not a scenario (.yaml)"),
        ("./faults", "./faults: no such file or folder"),
        ("/nowhere/at/all", "/nowhere/at/all: no such file or folder"),
        ("faults/one.yaml", "faults/one.yaml: no such file or folder"),
        ("later/mine", "later/mine: no such scenario; did you mean later/mine.yaml?"),
        ("fautls/one", "fautls/one: no such scenario; did you mean faults/one?"),
        ("scenarios/../faults/one", "scenarios/../faults/one: no such scenario; did you mean faults/one?"),
        ("faults/../faults/one", "faults/../faults/one: no such scenario"),
        ("catalogues/mine", "catalogues/mine: no such scenario"),
        ("x" * 5000, " (5000 characters): no such scenario; see hypermon scenarios"),
    ],
)
@pytest.mark.usefixtures("here")
def test_what_there_is_not_is_said_and_never_means_all(name: str, message: str) -> None:
    Path("empty").mkdir()
    Path("note.txt").write_text("x")
    if name.startswith("later"):
        own("later/mine.yaml")
    with pytest.raises(UserError) as caught:
        scenario.find(name)
    assert message in str(caught.value)


@pytest.mark.parametrize("name", ["../outside", "/etc/outside", "a/../../outside"])
def test_names_in_files_do_not_leave_their_folder(here: Path, name: str) -> None:
    root = places.scenarios()
    (root.parent / "outside.yaml").write_text(ONE)
    (root / "presets").mkdir()
    (root / "presets/outside.yaml").write_text("set: {nodes: 2}\n")
    (root / "outside.yaml").write_text(ONE)
    assert here.is_dir()
    (root / "x.yaml").write_text(f"question: q\nbase: {name}\n")
    with pytest.raises(UserError, match=rf"base: {name}: no such scenario"):
        scenario.find("x")
    (root / "x.yaml").write_text(f"question: q\npresets: [{name}]\n")
    with pytest.raises(UserError, match=rf"{name}: no such preset"):
        scenario.find_one("x").resolve(worker.schema())
    with pytest.raises(UserError, match=rf"{name}: no such preset"):
        scenario.find_one("faults/one").resolve(worker.schema(), presets=[name])


@pytest.mark.parametrize("command", ["check", "run", "sweep", *(["record", "size"] if RECORDINGS else [])])
def test_all_commands_agree(here: Path, hypermon: Hypermon, command: str) -> None:
    own("faults/mine.yaml")
    arguments = {"sweep": ["--repeats", "2"], "size": []}.get(command, [])
    for name in ("nowhere", "/nowhere", f"{here}/nowhere.yaml", "scenarios"):
        done = hypermon(command, name, *arguments)
        assert (done.returncode, done.stdout) == (2, ""), done.stderr
        assert done.stderr.count("\n") == 1, done.stderr
        assert done.stderr.startswith(f"error: {name}: ")


@pytest.mark.usefixtures("here")
def test_an_absolute_folder_is_checked_and_its_own_scenarios_alone(here: Path, hypermon: Hypermon) -> None:
    own("faults/mine.yaml")
    for name in (".", str(here), "faults"):
        done = hypermon("check", name)
        assert done.returncode == 0, done.stderr
        assert "1 passed, 0 failed" in done.stdout
        assert done.stderr == (
            "" if name != "faults" else "faults: is taken as the path here; the built-in is scenarios/faults\n"
        )


@pytest.mark.parametrize("command", [["run"], *([["record"]] if RECORDINGS else []), ["calibrate", "-o", "c.json"]])
@pytest.mark.usefixtures("here")
def test_a_command_without_anything_to_run_says_so(hypermon: Hypermon, command: list[str]) -> None:
    done = hypermon(*command)
    assert done.returncode == 2
    assert done.stderr.startswith("error: nothing to run: name a SCENARIO")
    assert "--output" in hypermon("calibrate").stderr
