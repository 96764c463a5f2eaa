# SPDX-License-Identifier: BSD-3-Clause
"""Comparisons show the differences, their size, and the better run where that is known: as table, chart, page and JSON."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest
from typer.testing import CliRunner

import hypermon
from hypermon._comparing import Comparison, designs, picture
from hypermon._comparing.comparison import LESS, MORE, Row, direction, ordered
from hypermon._comparing.keys import COMPARE
from hypermon._model.result import Result
from hypermon._model.words import count
from hypermon.cli.app import app
from hypermon.errors import UserError
from tests.python import report_data
from tests.python.json_paths import paths

pytestmark = [pytest.mark.worker, pytest.mark.usefixtures("worker")]


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("runs")
    made: dict[str, dict[str, Any]] = {
        "deep": {"ecb.frame_fifo_frames": 4096},
        "shallow": {"ecb.frame_fifo_frames": 64},
        "alone": {"monitor": "none"},
        "software": {"monitor": "software"},
        "other": {"place.attempts": 900},
    }
    return {name: report_data.run(folder / name, **settings) for name, settings in made.items()}


def row(found: Comparison, path: str) -> Row:
    (only,) = [r for r in found.results if r.path == path]
    return only


class TestRuns:
    def test_what_differs_is_said_with_its_difference_and_what_is_better(self, runs: dict[str, Path]) -> None:
        found = hypermon.compare(runs["deep"], runs["shallow"])
        assert found.names == ["deep", "shallow"]
        assert [(p.path, p.values, p.unit) for p in found.parameters] == [
            ("ecb.frame_fifo_frames", (4096, 64), "frames")
        ]
        results = [json.loads((runs[name] / "result.json").read_text()) for name in found.names]
        lost = row(found, "monitor.frames.lost")
        assert lost.values == tuple(r["monitor"]["frames"]["lost"] for r in results)
        assert lost.differences == (0, lost.values[1])
        assert lost.best == (0,)  # the deeper FIFO loses less
        assert row(found, "cost.memory_bits").best == (1,)  # and costs more
        assert row(found, "elapsed_s").best == ()  # the program takes the same time
        ledgers = [r["ledger"] for r in results]
        shares = tuple(ledger["lost_total"]["events"] / ledger["generated"]["events"] for ledger in ledgers)
        assert row(found, "events_lost").values == shares
        assert "The nodes did exactly the same" in str(found)
        assert found.summary().startswith("deep is better in events lost, 0\u202f% against ")
        assert "shallow is better in memory on the boards, " in found.summary()
        assert found.summary().endswith(". Less is better.")

    def test_every_number_of_the_results_is_there_once(self, runs: dict[str, Path]) -> None:
        found = hypermon.compare(runs["deep"], runs["shallow"])
        by_path = {r.path: r for r in found.results}
        assert len(by_path) == len(found.results)
        for i, name in enumerate(found.names):
            result = Result(runs[name])
            for path, value in result.to_pandas().items():
                if not str(path).startswith(("spec.", "versions.", "rates.")) and path not in (
                    "scenario",
                    "fingerprint",
                ):
                    assert by_path[str(path)].values[i] == value
            for entry in result["ledger"]["lost"]:
                loss = by_path[f"ledger.lost[{entry['stage']}: {entry['cause']}].events"]
                assert (loss.values[i], loss.better) == (entry["events"], LESS)

    def test_with_an_unobserved_run_there_is_a_slowdown_and_it_does_not_compete(self, runs: dict[str, Path]) -> None:
        found = hypermon.compare(runs["deep"], runs["software"], runs["alone"])
        elapsed = [Result(runs[name])["elapsed_s"] for name in found.names]
        slowdown = row(found, "slowdown")
        assert slowdown.values == (elapsed[0] / elapsed[2] - 1, elapsed[1] / elapsed[2] - 1, None)
        assert slowdown.best == (1,)
        assert row(found, "elapsed_s").best == (1,)  # not the run without a monitor
        assert set(found.better_in()) == {"deep", "software"}
        assert "the nodes did not do the same" in found.notes[0]

    def test_other_programs_are_said_to_be_and_nothing_is_judged(self, runs: dict[str, Path]) -> None:
        found = hypermon.compare(runs["deep"], runs["other"])
        assert found.notes[0].startswith("These runs are not of the same program: place.attempts differs.")
        assert not any(r.best for r in found.results)
        assert found.summary() == "What is better is not judged."

    def test_other_versions_are_said(self, runs: dict[str, Path]) -> None:
        result = Result(runs["deep"]).to_dict()
        result["versions"]["hypermon"] = "0.0.9"
        found = hypermon.compare(runs["deep"], Result(None, json.dumps(result)))
        assert found.names == ["deep", "table2-place"]
        assert "hypermon 0.0.9" in found.notes[-1]

    def test_boards_of_their_own_are_parameters_that_differ(self, runs: dict[str, Path]) -> None:
        result = Result(runs["deep"]).to_dict()
        result["spec"]["ecb[0]"] = {"frame_fifo_frames": 7}
        found = hypermon.compare(runs["deep"], Result(None, json.dumps(result)))
        assert [(p.path, p.values, p.unit) for p in found.parameters] == [
            ("ecb[0].frame_fifo_frames", (None, 7), "frames")
        ]

    def test_folders_of_one_name_are_told_apart(self, runs: dict[str, Path], tmp_path: Path) -> None:
        again = tmp_path / "deep"
        again.symlink_to(runs["deep"])
        found = hypermon.compare(runs["deep"], again, runs["deep"] / "result.json")
        assert found.names == [f"{runs['deep']} (1)", str(again), f"{runs['deep']} (2)"]
        assert found.summary() == "None is better in anything that is judged."


@pytest.mark.parametrize("seed", range(20))
def test_the_best_are_those_that_a_naive_reading_finds(seed: int) -> None:
    random = Random(seed)
    values = tuple(random.choice((None, 0, 1, 2.5, 40, True)) for _ in range(random.randint(2, 5)))
    out = frozenset(random.sample(range(len(values)), random.randint(0, 1)))
    better = random.choice((LESS, MORE))
    rivals = [i for i, v in enumerate(values) if v is not None and i not in out]

    def beats(i: int, j: int) -> bool:
        a, b = float(values[i] or 0), float(values[j] or 0)
        return a < b if better == LESS else a > b

    best = [i for i in rivals if not any(beats(j, i) for j in rivals)]
    found = Row("x", "x", "", values, better, references=out).best
    assert list(found) == (best if len(best) < len(rivals) else [])
    assert Row("x", "x", "", values, "", references=out).best == ()


def test_a_difference_below_a_thousandth_is_none() -> None:
    assert Row("x", "x", "us", (0.799827, 0.799786), LESS).best == ()
    assert Row("x", "x", "us", (0.81, 0.79), LESS).best == (1,)
    assert Row("x", "x", "", (1, 0), LESS).best == (1,)


def test_the_answer_says_whether_less_or_more_is_better() -> None:
    cost, speed = Row("c", "cost", "", (1, 2), LESS), Row("s", "speed", "B/s", (1, 2), MORE)
    assert direction([cost, cost]) == "less is better"
    assert direction([speed]) == "more is better"
    assert direction([cost, speed]) == "more is better in speed, less in the others"


def test_a_value_has_the_unit_of_reports() -> None:
    def cell(unit: str, value: float) -> str:
        return Row("x", "x", unit, (value, value)).cell(value).replace("\u202f", " ")

    assert [cell("us", one) for one in (405.144, 205823)] == ["405.1 µs", "205.8 ms"]
    assert [cell("s", one) for one in (0, 2.37824)] == ["0 s", "2.378 s"]
    assert [cell("B", one) for one in (0, 17, 3488864)] == ["0 B", "17 B", "3.489 MB"]
    assert [cell("frames", one) for one in (0, 15868)] == ["0 frames", "15 868 frames"]
    assert cell("B/s", 1.25e6) == "1.25 MB/s"
    assert cell("%", 0.190629) == "19.06 %"


def test_results_are_ordered_by_group_and_importance() -> None:
    rows = [
        Row("a", "a", "", (1.0, 1.0), LESS, group="same"),
        Row("b", "b", "", (1.0, 1.2), LESS, group="cost"),
        Row("c", "c", "", (1.0, 90.0), "", group="unknown"),
        Row("d", "d", "", (0.0, 0.1), LESS, group="losses"),
        Row("e", "e", "", (1.0, 3.0), LESS, group="cost"),
    ]
    assert [one.path for one in ordered(rows)] == ["d", "e", "b", "c", "a"]
    assert Row("x", "x", "", (1.0, 1.0005), LESS).importance == 0  # nearly equal


def test_the_picture_names_each_run_with_its_parameters(runs: dict[str, Path]) -> None:
    found = hypermon.compare(runs["deep"], runs["shallow"])
    figure = picture.draw(found)
    named = [one.get_text().replace("\u202f", " ") for one in figure.legends[0].get_texts()]
    assert named == ["deep: ecb.frame_fifo_frames 4 096 frames", "shallow: ecb.frame_fifo_frames 64 frames"]
    titles = [axes.get_title(loc="left") for axes in figure.axes if axes.get_visible()]
    assert titles[0] == "events lost"
    assert len(figure.axes[0].patches) == 2  # both runs are in every panel


PROGRAM: dict[str, Any] = {
    "program": "life",
    "nodes": 4,
    "events": 10,
    "frames_lost": 0,
    "lost_events_share": 0.0,
    "aliasing": 0,
    "timestamp_error_us": 0.8,
    "slowdown": 0.1,
    "verdict": "good",
    "limited_by": "",
    "peak_frame_fifo": 3,
}
ABOUT = {"command": "hypermon study coverage", "full": False, "versions": {"hypermon": "1"}}
Design = Callable[..., Path]


@pytest.fixture
def design(tmp_path: Path) -> Design:
    """Writes a study's file of designs: `design("a", {"ecb.window_ns": 400}, {"verdict": "loses"}, ...)`, with one row
    for each dictionary.
    """

    def write(name: str, values: dict[str, Any], *rows: dict[str, Any], **about: Any) -> Path:
        file = tmp_path / name / designs.FILE
        file.parent.mkdir(parents=True)
        programs = [PROGRAM | one for one in rows]
        text = designs.to_text(programs, ABOUT | about, [values | {"life.size": 8}] * len(programs))
        file.write_text(text, encoding="utf-8")
        return tmp_path / name

    return write


class TestDesigns:
    def test_each_program_says_which_design_is_better(self, design: Design) -> None:
        a = design("a", {"pbx.word_ns": 800}, {}, {"nodes": 8}, {"nodes": 16, "slowdown": 0.2})
        lossy = {"nodes": 8, "verdict": "loses", "lost_events_share": 0.25, "frames_lost": 7}
        b = design("b", {"pbx.word_ns": 3200}, {}, lossy, {"nodes": 16, "slowdown": 0.1})
        found = hypermon.compare(a, b)
        assert found.kind == "designs"
        assert [(p.path, p.values) for p in found.parameters] == [("pbx.word_ns", (800, 3200))]
        winners = {key: designs.best(rows) for key, rows in designs.programs(found).items()}
        assert winners == {("life", 4): (), ("life", 8): (0,), ("life", 16): (1,)}
        assert found.summary().startswith("a is better in 1 of 3")
        assert "it loses in 1, at most 25" in found.summary()
        table = found.to_pandas().reset_index()
        lost = table[(table["nodes"] == 8) & (table["path"] == "frames_lost")]
        assert lost[["a", "b", "best"]].to_numpy().tolist() == [[0, 7, "a"]]

    def test_a_worse_verdict_is_worse_whatever_else(self, design: Design) -> None:
        a = design("a", {}, {"verdict": "misleads", "slowdown": 0.0})
        b = design("b", {}, {"verdict": "disturbs", "slowdown": 9.0})
        ((_, rows),) = designs.programs(hypermon.compare(a, b)).items()
        assert designs.best(rows) == (1,)

    def test_what_cannot_be_compared_is_said(self, design: Design) -> None:
        a = design("a", {}, {}, {"nodes": 8})
        b = design("b", {"life.size": 9}, {}, full=True, versions={"hypermon": "2"})
        damaged = json.loads((b / designs.FILE).read_text())
        damaged["programs"][0]["parameters"]["life.size"] = 9
        del damaged["format"], damaged["sha256"]
        body = {"format": designs.FORMAT, "sha256": designs._checksum(damaged), **damaged}
        (b / designs.FILE).write_text(json.dumps(body))
        assert hypermon.compare(a, b).notes == (
            "life on 4 nodes is not the same program under all designs: its own parameters differ.",
            "Not under every design, left out: life on 8 nodes.",
            "The studies are of different versions: not every difference is the design's.",
            "One study is of the paper's programs at their own size (--full), another is not.",
        )

    def test_a_damaged_study_is_refused_by_name(self, design: Design) -> None:
        a, b = design("a", {}, {}), design("b", {}, {})
        file = b / designs.FILE
        whole = file.read_text(encoding="utf-8")
        for text, message in (
            (whole.replace('"frames_lost": 0', '"frames_lost": 1'), "its checksum does not match"),
            (whole[:100], "is damaged, or not of hypermon study coverage"),
            ("[]", "is damaged, or not of hypermon study coverage"),
            (whole.replace("coverage 1", "coverage 9"), "has format hypermon coverage 9"),
        ):
            file.write_text(text, encoding="utf-8")
            with pytest.raises(UserError, match=r"coverage\.json") as caught:
                hypermon.compare(a, b)
            assert message in str(caught.value)

    def test_nothing_in_common_is_refused(self, design: Design) -> None:
        with pytest.raises(UserError, match="no program ran on as many nodes under all designs"):
            hypermon.compare(design("a", {}, {}), design("b", {}, {"nodes": 8}))

    def test_a_run_is_no_design(self, design: Design, runs: dict[str, Path]) -> None:
        with pytest.raises(UserError, match="a: is a study of coverage, deep a run"):
            hypermon.compare(design("a", {}, {}), runs["deep"])


class TestCommand:
    @staticmethod
    def run(*arguments: object) -> Any:
        return CliRunner().invoke(app, ["compare", *map(str, arguments)])

    def test_two_runs_have_a_table_with_differences(self, runs: dict[str, Path]) -> None:
        done = self.run(runs["deep"], runs["shallow"])
        assert (done.exit_code, done.stderr) == (0, "")
        lines = [line.split() for line in done.stdout.splitlines()]
        assert ["ecb.frame_fifo_frames", "4", "096", "frames", "64", "frames"] in lines
        lost = f"{count(Result(runs['shallow'])['monitor']['frames']['lost'])}\u202fframes"
        assert f"frames lost 0\u202fframes {lost} +{lost} deep".split() in lines
        assert "monitor.drain.bytes_read" not in done.stdout
        assert "monitor.drain.bytes_read" in self.run(runs["deep"], runs["shallow"], "--all").stdout

    def test_the_answer_is_first_and_important_differences_before_others(self, runs: dict[str, Path]) -> None:
        done = self.run(runs["deep"], runs["shallow"])
        found = hypermon.compare(runs["deep"], runs["shallow"])
        assert done.stdout.startswith(found.summary())
        main = found.results[: found.main]
        assert main[0].path == "events_lost"
        groups = [row.group for row in main]
        assert len(set(groups)) == len([a for a, b in zip(groups, [None, *groups], strict=False) if a != b])
        table = done.stdout.split("\n\n")[-1]
        equal = next(line for line in table.splitlines() if line.startswith("Equal within 0.1 %"))
        for row in main:
            assert (row.label in equal) is (row.importance == 0), row.label
        assert "time of the program" in equal

    def test_json_has_everything_with_the_same_bytes(self, runs: dict[str, Path]) -> None:
        done = self.run(runs["deep"], runs["shallow"], "--json")
        found = json.loads(done.stdout)
        assert found == hypermon.compare(runs["deep"], runs["shallow"]).to_dict()
        assert done.stdout == self.run(runs["deep"], runs["shallow"], "--json").stdout
        (lost,) = [r for r in found["results"] if r["path"] == "events_lost"]
        assert (lost["unit"], lost["better"], lost["best"]) == ("share", "less", ["deep"])

    def test_the_keys_that_are_documented_are_those_that_are_printed(
        self, runs: dict[str, Path], design: Design
    ) -> None:
        two = design("a", {"pbx.word_ns": 1}, {}), design("b", {"pbx.word_ns": 2}, {"verdict": "loses", "slowdown": 1})
        printed = [self.run(*sources, "--json") for sources in ((runs["deep"], runs["shallow"]), two)]
        found = [paths(json.loads(done.stdout)) | {"notes[]"} for done in printed]
        assert found[0] | found[1] == {key.path for key in COMPARE}

    @pytest.mark.parametrize("suffix", ["svg", "png", "html"])
    def test_pictures_and_pages_have_the_same_bytes_every_time(
        self, runs: dict[str, Path], design: Design, tmp_path: Path, suffix: str
    ) -> None:
        two = design("a", {}, {}), design("b", {}, {"verdict": "loses", "lost_events_share": 0.5})
        for sources in ((runs["deep"], runs["shallow"], runs["alone"]), two):
            files = [tmp_path / f"{i}.{suffix}" for i in (1, 2)]
            for file in files:
                done = self.run(*sources, "-o", file)
                assert done.exit_code == 0, done.stderr
                assert str(file) in done.stdout
            assert files[0].read_bytes() == files[1].read_bytes()
            assert not [path for path in tmp_path.iterdir() if "partial" in path.name]

    @pytest.mark.parametrize(
        ("names", "message"),
        [
            (["deep"], "compare: needs two runs or more, or two designs"),
            (["deep", "nowhere"], "nowhere: is not a directory; give the directory of a run"),
            (["deep", "."], ".: has no result.json; give the directory of a run"),
        ],
    )
    def test_a_mistake_is_one_line(
        self, runs: dict[str, Path], names: list[str], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.chdir(tmp_path)
        done = self.run(*(runs.get(name, name) for name in names))
        assert (done.exit_code, done.stdout) == (2, "")
        assert done.stderr.startswith(f"error: {message}")
        assert done.stderr.count("\n") == 1

    def test_nothing_is_written_where_it_cannot_be(self, runs: dict[str, Path], tmp_path: Path) -> None:
        for out, message in (
            (tmp_path, "is a folder"),
            (tmp_path / "x.txt", "must end with one of"),
            (tmp_path / "no" / "x.html", "cannot be written"),
        ):
            done = self.run(runs["deep"], runs["shallow"], "-o", out)
            assert done.exit_code == 2
            assert message in done.stderr
        assert not list(tmp_path.iterdir())
