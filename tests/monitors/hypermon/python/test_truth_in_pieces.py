# SPDX-License-Identifier: BSD-3-Clause
"""Tables and time lines of a recording that is read piece by piece have exactly the bytes of those made in one go."""

from __future__ import annotations

import io
import itertools
import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from numpy.typing import NDArray

from hypermon import timelines
from hypermon._engine import recorder
from hypermon._engine.recording import Recording
from hypermon._files import scratch
from hypermon.report import timeline_data
from hypermon.timelines import Window, from_truth, tracks_csv, tracks_perfetto
from hypermon.timelines.truth import MESSAGE_COLUMNS
from tests.conftest import Hypermon
from tests.monitors.hypermon.python import truth_in_one_go as in_one_go
from tests.python.little_place import LITTLE, SCENARIO
from tests.python.test_timeline_in_pieces import cut_anyhow

pytestmark = pytest.mark.worker

# Clocks so far apart that the software monitor reverses the order of messages; boards with the same fault; losses;
# events that were never emitted.
CASES: dict[str, dict[str, Any]] = {
    "as recorded": {},
    "slow bus": {"pbx.word_ns": 4000, "ecb.frame_fifo_frames": 8},
    "deep": {"pbx.word_ns": 4000, "ecb.frame_fifo_frames": 1 << 20},
    "skewed": {"ecb.inputs": 2, "ecb.reset_skew_ns": 5_000_000},
    "falsified": {"faults.bit_error_probability": 0.02, "faults.seed": 3},
    "drops the oldest": {"pbx.word_ns": 4000, "ecb.frame_fifo_frames": 64, "ecb.frame_fifo_full": "drop_oldest"},
}


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Recording:
    settings = {**LITTLE, "place.attempts": 60, "place.accepted": 15, "node.clock_offset_us": 20_000}
    return recorder.record(SCENARIO, settings=settings, out=tmp_path_factory.mktemp("recording") / "run")


@pytest.mark.parametrize("case", CASES)
def test_tables_and_files_are_those_made_in_one_go(
    recorded: Recording, case: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    whole = timelines.truth(recorded, CASES[case])
    middle = int(whole.events["true_ps"].median())
    windows = [None, Window(middle - 10**10, middle + 10**10)]
    expected: list[bytes] = []
    for window in windows:
        for write in (in_one_go.write_perfetto, in_one_go.csv):
            file = io.BytesIO()
            write(whole, file, window)
            expected.append(file.getvalue())
    line = in_one_go.tracks(whole)
    packed = json.dumps([*map(str, _page({"": line}))])
    random = np.random.default_rng(len(case))
    for rows in (60, 400) if case == "slow bus" else (400,):
        cut_anyhow(random, monkeypatch)
        monkeypatch.setattr(scratch, "ROWS", rows)  # a table takes milliseconds, however short it is
        truth = timelines.truth(recorded, CASES[case])
        files = []
        for window in windows:
            for form in ("perfetto", "csv"):
                timelines.write(truth, tmp_path / "file", form, window)
                files.append((tmp_path / "file").read_bytes())
        assert files == expected
        pd.testing.assert_frame_equal(pd.concat(truth.pieces(), ignore_index=True), whole.events)
        pd.testing.assert_frame_equal(truth.messages, in_one_go.messages(whole.events))
        found = pd.concat(truth.message_pieces(violations=True), ignore_index=True)
        pd.testing.assert_frame_equal(found, in_one_go.violations(whole.events).reset_index(drop=True))
        assert truth.summary().equals(in_one_go.summary(whole.events, recorded.nodes))
        assert truth.overview()[1] == len(whole.messages)
        assert truth.counted(windows[1]) == _counted(whole, windows[1])
        tracks = from_truth.tracks(truth)
        assert json.dumps([*map(str, _page({"": tracks}))]) == packed
        for writer in (tracks_csv, tracks_perfetto):
            one, other = io.BytesIO(), io.BytesIO()
            writer.write(tracks, one)
            writer.write(line, other)
            assert one.getvalue() == other.getvalue()


def _page(lines: Any) -> tuple[Any, str, str]:
    head, picture, details = timeline_data.packed(lines, "t")
    return head, "".join(picture.text()), "".join(details.text())


def _counted(whole: timelines.Truth, window: Window | None) -> tuple[int, int]:
    shown = whole.within(window)
    return len(shown), int(shown["lost_cause"].notna().sum())


def test_the_cases_are_what_they_are_meant_for(recorded: Recording) -> None:
    of = {case: timelines.truth(recorded, settings) for case, settings in CASES.items()}
    assert of["slow bus"].result["ledger"]["lost_total"]["events"] > 50
    assert of["drops the oldest"].result["ledger"]["lost_total"]["events"] > 50
    assert of["deep"].result["monitor"]["frames"]["peak_occupancy"] > 1000
    assert len(of["skewed"].violations()) > len(of["as recorded"].violations()) > 0
    assert len(of["falsified"].spurious) > 0


def test_json_in_pieces_is_json_in_one_go(recorded: Recording, hypermon: Hypermon) -> None:
    run = str(recorded.path.parent)
    truth = timelines.truth(recorded)
    for table, whole in (("events", truth.events), ("violations", truth.violations())):
        rows = whole.astype(object).where(whole.notna(), None).to_dict("records")
        printed = hypermon("truth", run, "--table", table, "--json").stdout
        assert printed == json.dumps(rows, indent=1) + "\n"


def test_a_table_without_a_row_has_its_header(tmp_path: Path, hypermon: Hypermon) -> None:
    recorder.record(SCENARIO, settings={**LITTLE, "place.attempts": 20, "place.accepted": 5}, out=tmp_path / "run")
    printed = hypermon("truth", str(tmp_path / "run"), "--table", "violations", "--csv").stdout
    assert printed.splitlines() == [",".join(MESSAGE_COLUMNS)]


def test_scratch_sorts_what_comes_in_any_order(monkeypatch: pytest.MonkeyPatch) -> None:
    random = np.random.default_rng(5)
    for _ in range(100):
        cut_anyhow(random, monkeypatch)
        n = int(random.integers(0, 200))
        key = random.integers(0, 1 + int(random.choice([3, 1000])), n)
        other = np.arange(n, dtype=np.int32)
        rows = scratch.Sorted(scratch.Scratch(), np.int64, np.int32)
        for part in np.split(np.arange(n), np.sort(random.integers(0, n + 1, 4))):
            rows.add(key[part], other[part])
        order = np.argsort(key, kind="stable")
        pieces = list(rows.pieces())
        columns: tuple[NDArray[Any], ...] = (key[order], other[order])
        for column, expected in enumerate(columns):
            assert np.concatenate([piece[column] for piece in pieces] or [expected[:0]]).tolist() == expected.tolist()
            assert rows.whole()[column].tolist() == expected.tolist()
        assert all(len(set(a[0]) & set(b[0])) == 0 for a, b in itertools.pairwise(pieces))
        following, found = scratch.Following(rows), []
        for limit in np.sort(random.integers(-1, 1002, 5)).tolist():
            found += following.before(limit)[1].tolist()
            assert found == other[order][: np.searchsorted(key[order], limit)].tolist()
