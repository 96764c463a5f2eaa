# SPDX-License-Identifier: BSD-3-Clause
"""Diagnosis of runs under HPVM's monitor, on its global clock, and some of the study's cases again."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import pytest

import hypermon
from hypermon._model import series, worker

pytestmark = [pytest.mark.worker, pytest.mark.usefixtures("worker")]
ROOT = Path(__file__).parents[3]
AGAIN = ("2000.workers.0.network", "2000.halo.0.host", "2000.cg.0.balance", "2000.wavefront.1.healthy0")
"""The quick ones of the study's held-out cases."""


@pytest.fixture(scope="module")
def healthy(tmp_path_factory: pytest.TempPathFactory) -> hypermon.Result:
    return watched(tmp_path_factory.mktemp("healthy") / "run")


def watched(out: Path, **more: Any) -> hypermon.Result:
    settings = {
        "monitor": "hpvm",
        "nodes": 4,
        "cholesky.size": 1500,
        "hpvm.interval_s": 0.1,
        "hpvm.threads": 4,
        "node.clock_offset_us": 1_000_000,
    }
    return hypermon.run("hpvm/cholesky", settings=settings | more, out=out)


def test_samples_are_put_side_by_side_on_the_global_clock(healthy: hypermon.Result) -> None:
    """Clocks differ by up to 1 s and the nodes' steps by a tenth of that: stamped times do not match the program."""
    at = {clock: series.timed(healthy, ["mpi.time"], clock) for clock in series.CLOCKS}
    first = {clock: frame.groupby("node")["time_s"].min() for clock, frame in at.items()}
    assert (first["global"] - first["true"]).abs().max() < 1e-4
    assert (first["stamped"] - first["true"]).abs().max() > 0.1
    assert hypermon.diagnose(healthy).run.clock == "global"


def test_a_competitor_is_found_on_its_node(tmp_path: Path, healthy: hypermon.Result) -> None:
    """Two threads and a rank share two processors: each gets two thirds of one."""
    competitor = {"competitor.count": 1, "competitor.nodes": "2", "competitor.threads": 2}
    found = hypermon.diagnose(watched(tmp_path / "run", **competitor), healthy)
    assert found.verdict == "host"
    host = next(finding for finding in found.findings if finding.cause == "host")
    assert host.nodes == (2,)
    struck = found.run.processes[2]
    assert 1 - struck.lost_s / found.run.elapsed_s == pytest.approx(2 / 3, abs=0.03)


def test_one_thread_beside_a_rank_on_two_processors_is_nothing_wrong(tmp_path: Path, healthy: hypermon.Result) -> None:
    competitor = {"competitor.count": 1, "competitor.nodes": "2", "competitor.threads": 1}
    assert hypermon.diagnose(watched(tmp_path / "run", **competitor), healthy).verdict == "nothing wrong"


def test_cases_of_the_study_give_its_rows_again() -> None:
    """Tests some of docs/studies/diagnosis/cases.csv. All cases take minutes: hypermon study diagnosis --out
    docs/studies.
    """
    study = pytest.importorskip("hypermon_studies.diagnosis.study")
    rows = {
        row["case"]: row for row in csv.DictReader((ROOT / "docs/studies/diagnosis/cases.csv").read_text().splitlines())
    }
    cases = [case for cases in study.sets().values() for case in cases]
    assert [case.name for case in cases] == list(rows)
    chosen = [case for case in cases if case.name in AGAIN]
    assert len(chosen) == len(AGAIN)
    of = rows[AGAIN[0]]["set"]
    again = study.judge(of, chosen, worker.schema(), 2)
    assert [dict(zip(study.COLUMNS, outcome.values(), strict=True)) for outcome in again] == [
        rows[case.name] for case in chosen
    ]


def test_the_page_is_of_these_rows() -> None:
    study = pytest.importorskip("hypermon_studies.diagnosis.study")
    cases_of = pytest.importorskip("hypermon_studies.diagnosis.cases")
    page = pytest.importorskip("hypermon_studies.diagnosis.page")
    folder = ROOT / "docs/studies"
    rows = list(csv.DictReader((folder / "diagnosis/cases.csv").read_text().splitlines()))
    cases = {case.name: case for cases in study.sets().values() for case in cases}
    found = [
        cases_of.Outcome(
            row["set"], cases[row["case"]], float(row["elapsed_s"]), float(row["baseline_s"]), row["harm"],
            row["verdict"], row["not_ruled_out"], row["alone"],
        )
        for row in rows
    ]  # fmt: skip
    assert study.text(found) == (folder / "diagnosis/cases.csv").read_text()
    assert page.text(found, study.NAME) == (folder / "diagnosis.md").read_text()


def test_at_most_one_in_twenty_healthy_runs_is_accused() -> None:
    rows = list(csv.DictReader((ROOT / "docs/studies/diagnosis/cases.csv").read_text().splitlines()))
    healthy = [row for row in rows if row["truth"] == "nothing wrong" and row["set"] != "training"]
    assert len(healthy) >= 80
    for how in ("verdict", "alone"):
        assert sum(row[how] != "nothing wrong" for row in healthy) <= len(healthy) / 20
