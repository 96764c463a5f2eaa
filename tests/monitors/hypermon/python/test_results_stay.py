# SPDX-License-Identifier: BSD-3-Clause
"""Python objects do not change: results whose folder is replaced, and copies of all public objects."""

from __future__ import annotations

import copy
import multiprocessing
import os
import pickle
import shutil
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import pytest

import hypermon
from hypermon._model.result import Result
from hypermon.errors import UserError

pytestmark = [pytest.mark.worker, pytest.mark.usefixtures("worker")]
SMALL: dict[str, Any] = {"matmul": {"size": 16}, "monitor": "hypermon"}


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


class TestReplaced:
    def test_a_result_is_not_that_of_a_later_run_in_its_folder(self, here: Path) -> None:
        first = hypermon.run("table2/matmul", out="run", nodes=2, **SMALL)
        host, text = first.host, (here / "run" / "result.json").read_text()
        second = hypermon.run("table2/matmul", out="run", nodes=4, **SMALL)
        assert second.elapsed_s != first.elapsed_s
        assert (first["spec"]["nodes"], first.text, first.host) == (2, text, host)
        assert second["spec"]["nodes"] == 4

    @pytest.mark.parametrize(
        "read", [Result.output, lambda result: result.output_folder, lambda result: result.samples]
    )
    def test_other_files_of_a_replaced_folder_are_not_read(self, here: Path, read: Callable[[Result], Any]) -> None:
        first = hypermon.run("table2/matmul", out="run", nodes=2, **SMALL)
        hypermon.run("table2/matmul", out="run", nodes=4, **SMALL)
        with pytest.raises(UserError, match="run: the run directory holds another run by now; open it again"):
            read(first)
        shutil.rmtree(here / "run")
        assert first["spec"]["nodes"] == 2
        with pytest.raises(UserError, match="run: the run directory is gone: only the result itself is known"):
            read(first)

    def test_the_same_run_again_is_the_same_folder(self, here: Path) -> None:
        first = hypermon.run("table2/matmul", out=here / "run", nodes=2, **SMALL)
        output = first.output(0)
        hypermon.run("table2/matmul", out=here / "run", nodes=2, **SMALL)
        assert first.output(0) == output

    def test_a_result_is_found_from_another_working_folder(self, here: Path) -> None:
        result = hypermon.run("table2/matmul", out="run", nodes=2, **SMALL)
        output = result.output()
        (here / "elsewhere").mkdir()
        os.chdir(here / "elsewhere")
        assert result.output() == output
        assert (result.path, result.folder) == (Path("run"), here / "run")

    def test_a_sweep_is_not_that_of_a_later_one_in_its_folder(self, here: Path) -> None:
        def sweep(word: int) -> hypermon.Sweep:
            vary = {"pbx.word_ns": [word, 800]}
            return hypermon.sweep("table2/matmul", vary=vary, metrics=["elapsed_s"], out="sweep", nodes=2, **SMALL)

        made, opened = sweep(500), hypermon.Sweep("sweep")
        sweep(600)
        assert made.to_pandas()["pbx.word_ns"].tolist() == [500, 800]
        assert opened.manifest == made.manifest
        with pytest.raises(UserError, match="sweep: the folder is gone, or holds another sweep by now; open it again"):
            opened.to_pandas()
        assert hypermon.Sweep(here / "sweep").to_pandas()["pbx.word_ns"].tolist() == [600, 800]


def made_of(kind: str) -> Any:
    """One of the public objects; all are of the same small program."""
    run = hypermon.run("table2/matmul", out="a", nodes=2, activity=True, **SMALL)
    recording = hypermon.record("table2/matmul", out="b", nodes=2, **SMALL)
    depths = {"ecb.frame_fifo_frames": [16, 64]}
    made: dict[str, Callable[[], Any]] = {
        "Result": lambda: run,
        "Result in memory": lambda: hypermon.replay(recording, {"pbx.word_ns": 500}),
        "Recording": lambda: recording,
        "Sweep": lambda: hypermon.sweep("table2/matmul", vary=depths, out="c", nodes=2, **SMALL),
        "opened Sweep": lambda: hypermon.Sweep(
            hypermon.sweep("table2/matmul", vary=depths, out="c", nodes=2, **SMALL).path
        ),
        "Comparison": lambda: hypermon.compare(run, recording.path.parent),
        "Size": lambda: hypermon.size(recording, vary=depths),
        "Front": lambda: hypermon.tradeoffs.pareto(recording, depths, {"cost.memory_bits": "minimize"}),
        "Truth": lambda: hypermon.truth(recording),
        "Judgement": lambda: hypermon.judge(run),
        "Verdicts": lambda: hypermon.check("bandwidth/one_node", case="default"),
        "Design": lambda: hypermon.design("hypermon"),
        "Samples": lambda: (
            hypermon.run("table2/matmul", out="d", nodes=2, monitor="pcp", pcp={"interval_s": 0.01}).samples
        ),
        "Diagnosis": lambda: hypermon.diagnose(
            hypermon.run(
                "table2/matmul",
                out="e",
                nodes=2,
                monitor="hpvm",
                hpvm={"interval_s": 0.02, "counters": "cpu.user mpi.time os.context_switches"},
            )
        ),
        "time line": lambda: hypermon.timelines.timeline(recording.path),
    }
    return made[kind]()


def comparable(made: Any) -> Any:
    """The part of the object that can be compared."""
    for name in ("to_dict", "summary"):
        if hasattr(made, name):
            found = getattr(made, name)()
            return found.to_dict() if hasattr(found, "columns") else found
    if hasattr(made, "to_pandas"):
        return made.to_pandas().to_dict()
    return repr(made)


KINDS = [
    "Result", "Result in memory", "Recording", "Sweep", "opened Sweep", "Comparison", "Size", "Front", "Truth",
    "Judgement", "Verdicts", "Design", "Samples", "Diagnosis", "time line",
]  # fmt: skip


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("kind", KINDS)
def test_every_public_object_can_be_copied_and_pickled(kind: str) -> None:
    if kind == "Front":
        pytest.importorskip("optuna")
    made = made_of(kind)
    content = comparable(made)
    copies = [copy.copy(made), copy.deepcopy(made), pickle.loads(pickle.dumps(made))]
    assert [comparable(one) for one in copies] == [content] * 3
    assert {type(one) for one in copies} == {type(made)}


def seen(result: Result, recording: hypermon.Recording) -> tuple[float, str, int]:
    """The result as another process sees it."""
    return result.elapsed_s, result.output(0), len(recording.to_pandas())


@pytest.mark.usefixtures("here")
def test_results_and_recordings_go_to_other_processes_and_come_back() -> None:
    result = hypermon.run("table2/matmul", out="a", nodes=2, **SMALL)
    recording = hypermon.record("table2/matmul", out="b", nodes=2, **SMALL)
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        assert pool.submit(seen, result, recording).result() == seen(result, recording)
        assert pool.submit(copy.copy, result).result().text == result.text


@pytest.mark.usefixtures("here")
def test_a_copied_recording_is_not_another_that_has_taken_its_place() -> None:
    recording = hypermon.record("table2/matmul", out="b", nodes=2, **SMALL)
    frozen = pickle.dumps(recording)
    hypermon.record("table2/matmul", out="b", nodes=4, **SMALL)
    assert recording.nodes == 2
    with pytest.raises(UserError, match=r"recording.arrow: is another recording by now; open it again"):
        pickle.loads(frozen)
