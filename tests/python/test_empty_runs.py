# SPDX-License-Identifier: BSD-3-Clause
"""Runs in which nothing happens: no time, no event, one node. Every question gets an answer or one clear error."""

from __future__ import annotations

import contextlib
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import hypermon
from hypermon._model import monitors
from hypermon.errors import UserError
from hypermon.pictures.tables import of_runs
from tests.registered import needs, recordable

pytestmark = [pytest.mark.worker, pytest.mark.usefixtures("worker")]
NOTHING = "#include <mpi.h>\nint main(int c, char** v) { MPI_Init(&c, &v); return MPI_Finalize(); }\n"
SILENT = {"instrumentation.catalogue": "user", "bursts.keep_series": True}  # the program has no events of its own
PICTURES = ("bursts", "counters", "latency", "loss_against_depth", "merging", "phases", "rates", "slowdown")


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("program") / "nothing.c"
    file.write_text(NOTHING)
    return file


def picture(name: str, run: hypermon.Result, unobserved: hypermon.Result) -> Any:
    draw = getattr(hypermon.pictures, name)
    if name in ("loss_against_depth", "merging", "slowdown"):
        return draw(of_runs([run, unobserved]))
    return draw([run]) if name in ("counters", "latency", "rates") else draw(run)


def answered(ask: Callable[[], Any]) -> None:
    """Requires an answer or a UserError. A warning about a division is also a fault."""
    with warnings.catch_warnings(), contextlib.suppress(UserError):
        warnings.simplefilter("error")
        ask()


@pytest.mark.parametrize("monitor", monitors.registered())
def test_every_question_about_an_empty_run_is_answered(
    program: Path, monitor: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    given: dict[str, Any] = {"program": program, "nodes": 1, "settings": SILENT | needs(monitor)}
    run = hypermon.run(**given | {"settings": {**given["settings"], "monitor": monitor}}, out="run", activity=True)
    unobserved = hypermon.run(**given, monitor="none", out="unobserved")
    assert (unobserved.elapsed_s, run.events) == (0, 0)
    assert run["bursts"]["mean_bytes_per_s"] == 0
    for ask in (
        lambda: hypermon.report.write("run", "page.html"),
        lambda: hypermon.report.write("run", "page.html", baseline="unobserved"),
        lambda: str(hypermon.compare(unobserved, run)),
        lambda: hypermon.judge(run),
        lambda: hypermon.diagnose(run, unobserved),
        lambda: hypermon.timelines.timeline("run"),
        run.to_pandas,
        run.to_xarray,
    ):
        answered(ask)
    for name in PICTURES:
        if hasattr(hypermon.pictures, name):
            answered(lambda name=name: picture(name, run, unobserved))  # type: ignore[misc]
    assert Path("page.html").stat().st_size > 0


@pytest.mark.parametrize("monitor", recordable())
def test_a_recording_without_a_burst_is_replayed_and_drawn(
    program: Path, monitor: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    recording = hypermon.record(program=program, nodes=1, settings=SILENT | {"monitor": monitor}, out="recorded")
    assert len(recording) == 0
    assert hypermon.replay(recording).text == recording.result_text
    answer = hypermon.size(recording)
    assert answer.reached
    for ask in (
        lambda: hypermon.truth(recording).summary(),
        lambda: hypermon.frontier(recording, [500]),
        lambda: hypermon.report.write("recorded", "page.html"),
        lambda: hypermon.timelines.timeline("recorded"),
        lambda: hypermon.tradeoffs.pareto(recording, {"nodes": [1, 2]}, {"loss": "minimize"}),
    ):
        answered(ask)
    assert Path("page.html").stat().st_size > 0


def test_a_stream_without_an_event_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "empty.csv"
    file.write_text("time,node,bytes\n")
    with pytest.raises(UserError, match=r"empty.csv: holds no events"):
        hypermon.record(workload="stream", stream={"file": str(file)}, out=tmp_path / "run")
