# SPDX-License-Identifier: BSD-3-Clause
"""A metric has the same name in every function. Users may give it another name, or a formula."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import hypermon
from hypermon import Recording, Result, UserError
from hypermon._model import metrics, worker

pytestmark = pytest.mark.worker
MATMUL: dict[str, Any] = {"nodes": 2, "matmul": {"size": 16}}
SLOW = {"pbx.word_ns": 900_000}
NAMES = ["elapsed_s", "loss", "slowdown", "cost.memory_bits", "pbx.word_ns", "spec.pbx.word_ns", "loss * pbx.word_ns"]


@pytest.fixture(scope="module")
def recording(tmp_path_factory: pytest.TempPathFactory) -> Recording:
    return hypermon.record("table2/matmul", out=tmp_path_factory.mktemp("metrics") / "run", **MATMUL)


@pytest.fixture(autouse=True)
def elsewhere(worker: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert worker.is_file()
    monkeypatch.chdir(tmp_path)


def lost(result: Result) -> float:
    return result["ledger"]["lost_total"]["nibbles"] / result["ledger"]["generated"]["nibbles"]


def test_every_function_knows_every_metric() -> None:
    depths = [2, 64]
    vary = {"ecb.frame_fifo_frames": depths}
    sweep = hypermon.sweep("table2/matmul", vary=vary, metrics=NAMES, settings=SLOW, **MATMUL).to_pandas()
    run = hypermon.run("table2/matmul", settings=SLOW | {"ecb.frame_fifo_frames": 2}, **MATMUL)
    alone = hypermon.run("table2/matmul", settings=SLOW, monitor="none", **MATMUL)
    row = sweep.iloc[0]
    assert row["loss"] == run.value("loss") == lost(run) > 0
    assert row["slowdown"] == run.elapsed_s / alone.elapsed_s > 1
    assert row["cost.memory_bits"] == run.value("cost.memory_bits") > 0
    assert row["pbx.word_ns"] == row["spec.pbx.word_ns"] == run.value("pbx.word_ns") == 900_000
    assert row["loss * pbx.word_ns"] == lost(run) * 900_000
    assert sweep.attrs["units"]["cost.memory_bits"] == "bits"
    front = hypermon.tradeoffs.pareto(
        "table2/matmul", vary, dict.fromkeys(NAMES, "minimize"), settings=SLOW | {"nodes": 2, "matmul.size": 16}
    ).all()
    found = front.set_index("ecb.frame_fifo_frames").loc[2]
    assert [found[name] for name in NAMES] == [row[name] for name in NAMES]
    limits = {name: 1e9 for name in NAMES if name != "loss"} | {"loss": 0.5}
    sized = hypermon.size("table2/matmul", vary=vary, targets=limits, settings=SLOW, **MATMUL)
    values = {p.settings["ecb.frame_fifo_frames"]: p.numbers for p in sized.probes}
    known = [name for name in NAMES if name in values[2]]
    assert known
    assert [values[2][name] for name in known] == [row[name] for name in known]
    studied = hypermon.tradeoffs.morris(
        "table2/matmul", vary, NAMES, trajectories=2, settings=SLOW | {"nodes": 2, "matmul.size": 16}
    )
    of_depth_2 = studied.samples[studied.samples["ecb.frame_fifo_frames"] == 2]
    assert [of_depth_2[name].iloc[0] for name in NAMES] == [row[name] for name in NAMES]


def test_metrics_have_names_and_may_be_functions(recording: Recording) -> None:
    own: dict[str, str | Callable[[Result], float]] = {
        "share": lost,
        "percent": "100 * loss",
        "words": "pbx.word_ns / 1000",
    }
    vary = {"ecb.frame_fifo_frames": [2, 64]}
    sweep = hypermon.sweep(recording, vary=vary, metrics=own, settings=SLOW)
    assert sweep.metrics == [*own]
    assert sweep.manifest["definitions"] == {**own, "share": "a Python function"}
    row = sweep.to_pandas().iloc[0]
    assert row["percent"] == pytest.approx(100 * row["share"])
    assert row["words"] == 900
    assert hypermon.sweep(recording, vary=vary, metrics=[lost], settings=SLOW).metrics == ["lost"]
    front = hypermon.tradeoffs.pareto(
        recording,
        vary,
        {"share": "minimize", "bits": "minimize"},
        limits={"percent": 50},
        settings=SLOW,
        metrics={**own, "bits": "cost.memory_bits"},
    )
    assert list(front.all()["share"]) == pytest.approx(sorted(sweep.to_pandas()["share"]))
    assert (front.to_pandas()["percent"] <= 50).all()
    sized = hypermon.size(recording, vary=vary, targets={"share": 0.999, "loss": "99.9%"}, metrics=own, settings=SLOW)
    assert {target.name for target in sized.targets} == {"share", "loss"}


def test_conditions_may_be_functions() -> None:
    vary = {"nodes": [2, 4], "pbx.word_ns": [500, 1000]}
    as_text = hypermon.sweep("table2/matmul", vary=vary, where="nodes * spec.pbx.word_ns < 3000", matmul={"size": 16})
    asked = hypermon.sweep(
        "table2/matmul", vary=vary, where=lambda p: p["nodes"] * p["pbx.word_ns"] < 3000, matmul={"size": 16}
    )
    columns = [*vary, "elapsed_s"]
    assert len(as_text) == 3
    assert as_text.to_pandas()[columns].equals(asked.to_pandas()[columns])


@pytest.mark.parametrize(
    ("wanted", "error"),
    [
        (["los"], "did you mean loss"),
        (["cost.memory"], "cost.memory: no such cost"),
        (["pbx.word_n"], "did you mean pbx.word_ns"),
        ([lambda result: result.elapsed_s], "a function without a name"),
        ({"": "loss"}, "the name of a metric must be text"),
        ({"x": 3}, "x = 3: must be a metric as text"),
        ({"status": "loss"}, "status: is the name of another column"),
        (3, "metrics = 3: must be metrics"),
    ],
)
def test_what_is_no_metric_is_refused(wanted: Any, error: str) -> None:
    with pytest.raises(UserError, match=error):
        hypermon.sweep("table2/matmul", vary={"nodes": [2]}, metrics=wanted)


def test_a_function_that_fails_fails_its_points(recording: Recording) -> None:
    def wrong(result: Result) -> float:
        return float(result["nothing"])

    sweep = hypermon.sweep(recording, vary={"ecb.frame_fifo_frames": [2]}, metrics=[wrong])
    assert list(sweep.failed["error"]) == ["wrong: the function failed: KeyError: 'nothing'"]


def test_a_result_comes_before_a_parameter_of_the_same_name() -> None:
    schema = worker.schema()
    both = [path for path in schema.parameters if any(key["path"] == path for key in schema.results)]
    for path in both:
        assert metrics.canonical(path) == path
    assert metrics.canonical("pbx.word_ns * nodes + elapsed_s") == "spec.pbx.word_ns * spec.nodes + elapsed_s"
    assert metrics.canonical("ecb[1].window_ns") == "spec['ecb[1]'].window_ns"


def test_named_metrics_are_copied_and_pickled() -> None:
    named = metrics.Named("share", "100 * loss")
    for again in (copy.deepcopy(named), pickle.loads(pickle.dumps(named))):
        assert (again, again.formula) == ("share", "100 * loss")
