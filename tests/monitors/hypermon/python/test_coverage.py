# SPDX-License-Identifier: BSD-3-Clause
"""The study of coverage: every program against a design, replayed from one recording of each program."""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from hypermon._model.worker import schema
from hypermon.cli.app import app
from hypermon.errors import UserError
from hypermon.report.calibration import PROGRAMS
from hypermon_studies.collection import COLLECTION
from hypermon_studies.coverage import page as coverage_page
from hypermon_studies.coverage import study as coverage

pytestmark = [pytest.mark.worker, pytest.mark.usefixtures("worker", "folder")]

# Little enough of every program for a tenth of a second.
LITTLE: dict[str, object] = {
    "nodes": 2,
    "simplex.constraints": 8,
    "simplex.variables": 8,
    "life.generations": 4,
    "matmul.size": 8,
    "place.attempts": 60,
    "place.accepted": 15,
    "pingpong.repeats": 1,
    "ring.steps": 4,
    "alltoall.repeats": 1,
    "halo.iterations": 2,
    "workers.tasks": 5,
    "wavefront.iterations": 1,
    "cg.iterations": 2,
    "fft.repeats": 1,
}
SLOW = {"pbx.word_ns": 8000, "ecb.frame_fifo_frames": 16}  # a frame of 4 words is read in 32 us, written in 26.14 us


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Three of the twelve programs."""
    monkeypatch.setattr(coverage, "PROGRAMS", ("matmul",))
    monkeypatch.setattr(coverage, "COLLECTION", ("ring", "alltoall"))


def prepared(**design: object) -> coverage.Prepared:
    asked = coverage.make_request(
        schema(), LITTLE | {path.replace("__", "."): v for path, v in design.items()}, (), False
    )
    return coverage.Prepared(asked, schema(), Path("store"), jobs=2)


def test_the_twelve_programs_are_run_observed_and_alone() -> None:
    asked = coverage.make_request(schema(), LITTLE, (), False)
    assert [program for program, _, _ in asked.specs] == [*PROGRAMS, *COLLECTION]
    for program, observed, alone in asked.specs:
        assert (observed.values["workload"], observed.values["monitor"]) == (program, "hypermon")
        assert alone.values == {**observed.values, "monitor": "none"}


def test_what_cannot_run_on_so_many_nodes_is_left_out_or_made_larger(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(coverage, "PROGRAMS", ("matmul",))
    monkeypatch.setattr(coverage, "COLLECTION", ("pingpong", "workers", "cg"))
    asked = coverage.make_request(schema(), {"nodes": 1}, (), False)
    assert asked.left_out == ("pingpong, nodes = 1: needs two nodes", "workers, nodes = 1: needs two nodes")
    assert [program for program, _, _ in asked.specs] == ["matmul", "cg"]
    large = {program: spec for program, spec, _ in coverage.make_request(schema(), {"nodes": 128}, (), False).specs}
    assert large["cg"].values["cg.size"] == large["matmul"].values["matmul.size"] == 128
    torus = coverage.make_request(schema(), {}, (), False, "torus64").specs
    assert {spec.values["nodes"] for _, spec, _ in torus} == {64}
    assert {alone.values["machine.topology"] for _, _, alone in torus} == {"torus"}


@pytest.mark.usefixtures("few")
def test_a_second_design_is_replayed_from_what_the_first_recorded() -> None:
    first = prepared()
    good = first.run()
    assert len(good) == 3
    assert all(c.lost_share == 0 for c in good)
    assert len(prepared()) == 0

    second = prepared(**{path.replace(".", "__"): value for path, value in SLOW.items()})
    left = second.plan.to_do()
    assert (len(left.cosims), len(left.recordings), left.replays) == (0, 0, len(good))
    bad = second.run()
    for before, after in zip(good, bad, strict=True):
        assert after.run.result["events"] == before.run.result["events"]
        assert after.slowdown == before.slowdown
    losing = [c for c in bad if c.verdict == coverage.LOSES]
    assert {"ring", "alltoall"} <= {c.program for c in losing}
    assert all(c.limit == "The frame FIFO overflowed" for c in losing)

    one = losing[-1]
    assert one.run.recorded is not None
    third = prepared(pbx__word_ns=8000, ecb__frame_fifo_frames=one.run.recorded.enough).run()
    assert next(c for c in third if c.program == one.program).lost_share == 0


@pytest.mark.usefixtures("few")
def test_the_command_writes_a_page_a_table_and_a_picture_and_can_fail_on_loss() -> None:
    settings = [f"--set={path}={value}" for path, value in (LITTLE | SLOW).items()]
    run = CliRunner().invoke(app, ["study", "coverage", "--out", "out", "--fail-on-loss", "--json", *settings])
    assert run.exit_code == 1, run.output
    rows = json.loads(run.stdout)
    assert {row["verdict"] for row in rows} & {"loses"}
    with Path("out/coverage/coverage.csv").open(encoding="utf-8") as file:
        assert [row["program"] for row in csv.DictReader(file)] == [row["program"] for row in rows]
    page = Path("out/coverage.md").read_text(encoding="utf-8")
    assert all(
        (Path("out") / link).is_file() for link in re.findall(r"\]\(([^)]+)\)", page)
    )  # nothing that another test covers
    assert all(f"| {row['program']} | {row['nodes']} |" in page for row in rows)
    assert "**ring, 2 nodes: The frame FIFO overflowed.**" in page
    assert Path("out/coverage/coverage.svg").stat().st_size > 1000
    assert Path("out/coverage/coverage.png").stat().st_size > 1000


@pytest.mark.parametrize(
    ("settings", "complaint"),
    [
        ({"workload": "life"}, "workload = life: the study runs all of its programs"),
        ({"monitor": "none"}, "monitor = none: there is nothing to cover"),
        ({"ecb.frame_fifo_frames": 0}, "ecb.frame_fifo_frames = 0: must be an integer from 1"),
    ],
)
def test_a_design_that_cannot_be_is_refused_before_anything_runs(settings: dict[str, object], complaint: str) -> None:
    with pytest.raises(UserError, match=complaint):
        coverage.make_request(schema(), LITTLE | settings, (), False)
    assert not list(Path().iterdir())


@pytest.mark.usefixtures("few")
def test_another_monitor_has_a_table_without_frames() -> None:
    found = prepared(monitor="software", software__buffer_bytes=200).run()
    rows = [dict(zip(coverage_page.COLUMNS, row, strict=True)) for row in coverage_page.rows(found)]
    assert {row["frames built"] for row in rows} == {""}
    assert {row["verdict"] for row in rows} >= {"loses"}
    coverage_page.write(Path("out"), coverage.Request((), {}, (), None, ()), found, "test")
    assert Path("out/coverage/coverage.svg").stat().st_size > 1000
