# SPDX-License-Identifier: BSD-3-Clause
"""Arrays and tables of events are accepted where files are, and give the same runs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import hypermon
from hypermon import UserError

pytestmark = pytest.mark.worker
EVENTS = np.array(
    [(0, 0, 4), (50, 1, 8), (90, 0, 2), (400, 1, 4)], [("time", "<i8"), ("node", "<u2"), ("bytes", "<i4")]
)
FORMS: dict[str, Any] = {
    "structured": EVENTS,
    "pandas": pd.DataFrame(EVENTS),
    "arrow": pa.table({name: EVENTS[name] for name in EVENTS.dtype.names or ()}),
}


@pytest.fixture(autouse=True)
def elsewhere(worker: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert worker.is_file()
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("form", FORMS)
def test_a_table_gives_the_run_of_its_file(form: str) -> None:
    pd.DataFrame(EVENTS).to_csv("events.csv", index=False)
    of_file = hypermon.stream("events.csv", time_unit="us", nodes=2)
    of_table = hypermon.stream(FORMS[form], time_unit="us", nodes=2)
    assert of_table.to_arrow().equals(of_file.to_arrow())
    assert of_table.result["fingerprint"] == of_file.result["fingerprint"]
    again = hypermon.run(workload="stream", stream={"file": FORMS[form], "time_unit": "us"}, nodes=2, out="again")
    assert again["fingerprint"] == of_file.result["fingerprint"]
    kept = list(Path("runs/events").iterdir())
    assert len(kept) == 1  # equal tables are kept as one file


def test_columns_are_named_and_sizes_given() -> None:
    numbered = np.array([[0, 0], [50, 1]])
    recording = hypermon.stream(numbered, bytes=4, time_unit="us", nodes=2)
    assert recording.to_arrow()["node"].to_pylist() == [0, 1]
    frame = pd.DataFrame({"t": [0.0, 0.5], "cpu": [1, 0], "size": [2, 2]})
    columns = {"time": "t", "node": "cpu", "bytes": "size"}
    recording = hypermon.stream(frame, columns=columns, time_unit="ms", nodes=2)
    assert recording.to_arrow()["node"].to_pylist() == [1, 0]


@pytest.mark.parametrize(
    ("events", "error"),
    [
        (5, "events = 5: must be a file, an array or a table"),
        (pd.DataFrame({"time": [0], "node": [0]}), "needs one column datum or bytes"),
        (np.array([object()]), "an array of events: Object arrays cannot be saved"),
        (np.array([0, 1]), "must be a structured array"),
    ],
)
def test_what_is_no_table_of_events_is_refused(events: Any, error: str) -> None:
    with pytest.raises(UserError, match=error):
        hypermon.stream(events, nodes=2)
    assert not list(Path("runs").glob("stream*"))


def test_only_a_parameter_that_is_a_file_takes_a_table() -> None:
    with pytest.raises(UserError, match="nodes = "):
        hypermon.run("table2/matmul", nodes=EVENTS)  # type: ignore[arg-type]
    assert not Path("runs").exists()
