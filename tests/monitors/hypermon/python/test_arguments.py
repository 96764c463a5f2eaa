# SPDX-License-Identifier: BSD-3-Clause
"""Arguments of public functions: numbers of any library, paths, and misspelt names."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import hypermon
from hypermon._model import argument_checks
from hypermon._model.schema import Schema
from hypermon.errors import UserError
from tests.python.fake_worker import describe

SCHEMA = Schema.from_json(describe())
package: Any = hypermon  # a type checker would report these mistakes
INTEGERS = [
    np.int64(400),
    np.uint16(400),
    np.float64(400),
    np.array(400),
    pd.Series([400]).iloc[0],
    Fraction(400),
    400.0,
]
NUMBERS = [np.float64(12.5), np.float32(12.5), np.array(12.5), pd.Series([12.5])[0], Fraction(25, 2), "12.5"]


@pytest.mark.parametrize("given", INTEGERS, ids=lambda one: type(one).__name__)
def test_an_integer_of_any_library_is_one(given: object) -> None:
    value = SCHEMA.parameter("ecb.window_ns", "").parse(given, "")
    assert (value, type(value)) == (400, int)


@pytest.mark.parametrize("given", [*NUMBERS, np.int32(12)], ids=lambda one: type(one).__name__)
def test_a_number_of_any_library_is_one(given: object) -> None:
    value = SCHEMA.parameter("node.tick_ms", "").parse(given, "")
    assert (value, type(value)) == (12 if isinstance(given, np.int32) else 12.5, float)


@pytest.mark.parametrize("given", [True, np.bool_(True), np.array(True), "yes"])
def test_yes_and_no_are_no_numbers(given: object) -> None:
    assert SCHEMA.parameter("fake.verbose", "").parse(given, "") is True
    for path in ("node.tick_ms", "ecb.window_ns"):
        with pytest.raises(UserError, match=rf"{path} = (true|yes): must be"):
            SCHEMA.parameter(path, "").parse(given, "")


@pytest.mark.parametrize("given", [np.float64("nan"), float("inf"), None, 1 + 2j, np.array([400]), "x"])
def test_what_is_no_number_is_refused(given: object) -> None:
    with pytest.raises(UserError, match=r"node.tick_ms = .*: must be a number"):
        SCHEMA.parameter("node.tick_ms", "").parse(given, "")


def test_texts_of_numpy_are_texts() -> None:
    value = SCHEMA.parameter("reader.kind", "").parse(np.array(["group"])[0], "")
    assert (value, type(value)) == ("group", str)


@pytest.mark.parametrize("integer", [int, np.int64, np.uint8])
def test_ranges_and_arguments_take_numbers_of_any_library(integer: Callable[[int], Any]) -> None:
    assert package.log2_range(integer(64), integer(128)) == [64, 128]
    assert package.log_range(integer(10), integer(100), integer(3)) == [10, 32, 100]
    assert package.linear_range(integer(1), integer(3), np.float32(0.5)) == [1, 1.5, 2, 2.5, 3]
    assert argument_checks.integer("trials", integer(3), 1) == 3
    assert argument_checks.jobs(integer(2)) == 2


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: package.log2_range("a", 8), "a: an end or a step of a range must be a number"),
        (lambda: package.log2_range(0, 8), "a range from 0 to 8: must start above 0 and not end below its start"),
        (lambda: package.log_range(1, 8, 1), "points = 1: must be an integer from 2 to"),
        (lambda: package.linear_range(1, 8, 0), "a range from 1 to 8: steps of that size do not lead"),
        (lambda: argument_checks.integer("trials", 0, 1), "trials = 0: must be an integer of at least 1"),
        (lambda: argument_checks.integer("trials", True, 1), "trials = True: must be an integer of at least 1"),
        (lambda: argument_checks.integer("trials", 2.5, 1), "trials = 2.5: must be an integer of at least 1"),
        (lambda: argument_checks.jobs("two"), "jobs = two: must be an integer of at least 1"),
        (lambda: argument_checks.choice("of", "inclusiv", ["exclusive", "inclusive"]), "did you mean inclusive?"),
        (lambda: argument_checks.texts("metrics", 3), "metrics = 3: must be a list of texts"),
        (lambda: argument_checks.texts("metrics", ["elapsed_s", 3]), "metrics: 3: must be a text"),
    ],
)
def test_what_an_argument_cannot_be_is_one_clear_error(call: Callable[[], Any], message: str) -> None:
    with pytest.raises(UserError) as caught:
        call()
    assert message in str(caught.value)


@pytest.fixture(scope="module")
def recording(tmp_path_factory: pytest.TempPathFactory, worker: Path) -> hypermon.Recording:
    assert worker.is_file()
    folder = tmp_path_factory.mktemp("misspelt")
    return hypermon.record("table2/matmul", out=folder / "run", nodes=2, matmul={"size": 16})


DEPTHS = {"ecb.frame_fifo_frames": [16, 64]}
SMALLEST = {"cost.memory_bits": "minimize"}
MISSPELT: list[tuple[Callable[[Any], Any], str]] = [
    (lambda _: package.run("table2/matmul", nods=4), "nods: no such parameter; did you mean nodes? (hypermon.run)"),
    (lambda _: package.run("table2/matmul", platfrm="x"), "platfrm: no such parameter; did you mean platform?"),
    (lambda _: package.run("table2/matmul", matmul={"sise": 4}), "matmul.sise: no such parameter; did you mean matmul.size?"),
    (lambda _: package.run("table2/matmul", settings="nodes=4"), "settings = nodes=4: must be a mapping"),
    (lambda _: package.run("table2/matmul", presets="tau/ktu"), "tau/ktu: no such preset; did you mean tau/ktau?"),
    (lambda _: package.record("table2/matmul", nods=4), "nods: no such parameter; did you mean nodes? (hypermon.record)"),
    (lambda _: package.sweep("table2/matmul", vary=DEPTHS, nods=4), "nods: no such parameter; did you mean nodes? (hypermon.sweep)"),
    (lambda _: package.sweep("table2/matmul", vary={"nods": [4]}), "nods: no such parameter; did you mean nodes?"),
    (lambda _: package.sweep("table2/matmul", vary=DEPTHS, metrics="elapsd_s"), "elapsd_s: the result has no such number; did you mean elapsed_s?"),
    (lambda _: package.sweep("table2/matmul", vary=DEPTHS, where="nods > 2"), "nods: no such parameter; did you mean nodes?"),
    (lambda _: package.sweep("table2/matmul", vary=DEPTHS, jobs=0), "jobs = 0: must be an integer of at least 1"),
    (lambda r: package.replay(r, nods=4), "nods: no such parameter; did you mean nodes? (hypermon.replay)"),
    (lambda r: package.truth(r, nods=4), "nods: no such parameter; did you mean nodes? (hypermon.truth)"),
    (lambda r: package.frontier(r, [500], nods=4), "nods: no such parameter; did you mean nodes? (hypermon.frontier)"),
    (lambda r: package.size(r, targts=["events_lost=0"]), "targts: no such parameter; did you mean targets? (hypermon.size)"),
    (lambda r: package.size(r, targets={"events_lst": 0}), "did you mean events_lost?"),
    (lambda r: package.size(r, cost="cost.memory_bit"), "did you mean cost.memory_bits?"),
    (lambda r: package.size(r, cost=lambda _: "much"), "cost = much: must be a function that returns a number"),
    (lambda r: package.tradeoffs.pareto(r, DEPTHS, {"cost.memory_bit": "minimize"}), "did you mean cost.memory_bits?"),
    (lambda r: package.tradeoffs.pareto(r, DEPTHS, {"latncy_us.p99": "minimize"}), "latncy_us.p99: the result has no such number; did you mean latency_us.p99?"),
    (lambda r: package.tradeoffs.pareto(r, DEPTHS, {"slowdwn": "minimize"}), "slowdwn: the result has no such number; did you mean slowdown?"),
    (lambda r: package.tradeoffs.pareto(r, DEPTHS, SMALLEST, limits={"latency.p99": 3}), "latency.p99: the result has no such number; did you mean latency_us.p99?"),
    (lambda r: package.tradeoffs.pareto(r, DEPTHS, SMALLEST, limits={"latency_us.p99": "soon"}), "limits: latency_us.p99 = soon: must be a number"),
    (lambda r: package.tradeoffs.pareto(r, DEPTHS, SMALLEST, limits={"sampling.taken": 3}), "limits: sampling.taken: no result has this number (monitor = hypermon)"),
    (lambda r: package.tradeoffs.pareto(r, DEPTHS, {"elapsed_s": "minimise"}), "did you mean minimize?"),
    (lambda r: package.tradeoffs.pareto(r, DEPTHS, SMALLEST, trials=0), "trials = 0: must be an integer of at least 1"),
    (lambda r: package.tradeoffs.morris(r, DEPTHS, "elapsd_s"), "elapsd_s: the result has no such number; did you mean elapsed_s?"),
    (lambda r: package.Result(r.path.parent).value("latncy_us.p99"), "did you mean latency_us"),
    (lambda r: package.Result(r.path.parent).value("elapsed_s +"), "is not an expression"),
    (lambda r: package.Result(r.path.parent).value("ranks[0].evnts / elapsed_s"), "did you mean ranks[0].events?"),
]  # fmt: skip


@pytest.mark.worker
@pytest.mark.parametrize(("call", "message"), MISSPELT)
def test_every_name_is_checked_before_anything_runs(
    recording: hypermon.Recording,
    call: Callable[[hypermon.Recording], Any],
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    if "tradeoffs" in call.__code__.co_names:
        pytest.importorskip("optuna")
        pytest.importorskip("SALib")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UserError) as caught:
        call(recording)
    assert message in str(caught.value)
    assert not [path for path in tmp_path.rglob("*") if path.is_file() and path.suffix != ".lock"]


@pytest.mark.worker
def test_numbers_of_numpy_go_into_every_question(recording: hypermon.Recording, tmp_path: Path) -> None:
    replayed = package.replay(recording, {"pbx.word_ns": np.int32(500)}, ecb={"frame_fifo_frames": np.int64(64)})
    assert replayed["spec"]["ecb"]["frame_fifo_frames"] == 64
    asked_for = {"ecb.frame_fifo_frames": np.array([16, 64])}
    limit = np.float64(1e9)
    answer = package.size(recording, np.float32(0), asked_for, targets={"latency_p99": limit}, repeats=np.int64(1))
    assert answer.value in (16, 64)
    vary = {"pbx.word_ns": np.arange(500, 700, 100), "ecb.frame_fifo_frames": pd.Series([16, 64])}
    swept = package.sweep(
        "table2/matmul",
        vary=vary,
        repeats=np.int64(2),
        out=tmp_path / "s",
        nodes=np.int64(2),
        matmul={"size": np.uint8(16)},
    )
    assert len(swept) == 2 * 2 * 2
    assert package.frontier(recording, np.array([500, 800]))["word_ns"].tolist() == [500, 800]
