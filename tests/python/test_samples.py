# SPDX-License-Identifier: BSD-3-Clause
"""Samples: from the worker's files to a table, with units; complete or refused."""

from __future__ import annotations

import itertools
import json
import random
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from hypermon._engine import runner
from hypermon._model import samples
from hypermon._model.arriving import Arriving
from hypermon.errors import DamagedError, UserError

ROW = np.dtype(
    [(name, "<i8") for name in ("true_ps", "stamped_ps", "arrival_ps", "value")]
    + [(name, "<u4") for name in ("node", "counter", "part", "item")]
)
COUNTERS: list[dict[str, Any]] = [
    {"number": 2, "name": "queue.posted", "unit": "receives", "items": []},
    {"number": 7, "name": "mpi.time", "unit": "ps", "items": ["MPI_Send", "MPI_Recv"]},
    {"number": 9, "name": "user", "unit": "", "items": ["rows", "MPI_Recv"]},
    {"number": 11, "name": "cpu.user", "unit": "ps", "items": []},  # a unit twice
]


def left_by_a_worker(folder: Path, rows: int) -> NDArray[np.void]:
    """Samples of three counters in turn, with numbers that say which they are."""
    folder.mkdir()
    array = np.zeros(rows, ROW)
    n = np.arange(rows)
    array["true_ps"], array["stamped_ps"], array["arrival_ps"] = 1000 * n, 1000 * n + 3, 1000 * n + 500_000
    array["value"], array["node"] = n * n, n % 5
    array["counter"] = np.array([2, 7, 9])[n % 3]
    array["item"] = np.where(n % 3 == 0, 0, n % 2)
    np.save(folder / samples.ROWS, array)
    (folder / samples.COUNTERS).write_text(json.dumps({"counters": COUNTERS}))
    (folder / "result.json").write_text("{}")
    return array


def test_every_sample_is_a_row_with_the_names_and_units_of_its_counter(tmp_path: Path) -> None:
    run = tmp_path / "run"
    rows = samples.ROWS_PER_BATCH + 7  # more than a batch
    array = left_by_a_worker(run, rows)
    samples.assemble(run)
    runner.seal(run)
    assert sorted(p.name for p in run.iterdir()) == ["SHA256SUMS", "result.json", "samples.arrow"]
    read = samples.Samples(run)
    assert len(read) == rows
    frame = read.to_pandas()
    for name in ("true_ps", "stamped_ps", "arrival_ps", "value", "node", "part"):
        assert (frame[name].to_numpy() == array[name]).all()
    names = {c["number"]: c for c in COUNTERS}
    for i in (0, 1, 2, 3, 4, 5, rows - 3, rows - 2, rows - 1):
        counter = names[int(array["counter"][i])]
        row = frame.iloc[i]
        assert (row["counter"], row["unit"]) == (counter["name"], counter["unit"])
        assert row["item"] == (counter["items"][int(array["item"][i])] if counter["items"] else "")
    schema = read.to_arrow().schema
    assert [field.name for field in schema] == list(samples.COLUMNS)
    assert schema.field("true_ps").metadata == {
        b"unit": b"ps",
        b"description": b"True time at which the sample was taken.",
    }
    assert json.loads(schema.metadata[b"counters"])[1]["name"] == "mpi.time"
    assert frame.attrs["units"]["arrival_ps"] == "ps"


def test_how_rows_are_cut_into_batches_is_in_no_table(tmp_path: Path) -> None:
    rng, rows = random.Random(1), 1000
    array = left_by_a_worker(tmp_path / "run", rows)
    tables = []
    for n, size in enumerate([1 << 16, *(rng.randrange(1, 2 * rows) for _ in range(5)), rows, 1]):
        parts = list(samples.chunks(tmp_path / "run" / samples.ROWS, size))
        assert (np.concatenate(parts) == array).all()
        assert {len(part) for part in parts[:-1]} <= {size}
        begin, end = sorted(rng.sample(range(rows), 2))
        part = list(samples.chunks(tmp_path / "run" / samples.ROWS, size, begin, end))
        assert (np.concatenate(part) == array[begin:end]).all()
        run = tmp_path / str(n)
        shutil.copytree(tmp_path / "run", run)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(samples, "ROWS_PER_BATCH", size)
            samples.assemble(run)
        runner.seal(run)
        tables.append(samples.Samples(run).to_arrow().combine_chunks())
    assert all(table.equals(tables[0]) for table in tables)


@pytest.mark.parametrize("seed", range(5))
def test_what_has_arrived_is_the_same_however_often_one_looks(tmp_path: Path, seed: int) -> None:
    rng, rows = random.Random(seed), 300
    run = tmp_path / "run"
    left_by_a_worker(run, rows)
    kinds = {2: "length", 7: "timer", 9: "raw", 11: "timer"}
    counters = [counter | {"kind": kinds[counter["number"]], "of": "node"} for counter in COUNTERS]

    def arrived(dates: list[int]) -> list[Any]:
        arriving, all_of_it = Arriving(run), []
        for known in dates:
            (run / samples.COUNTERS).write_text(json.dumps({"rows": known, "counters": counters}))
            all_of_it += arriving.more()
        return all_of_it

    whole = arrived([rows])
    assert len(whole) == rows
    assert arrived([*sorted(rng.sample(range(rows), rng.randrange(1, 20))), rows, rows]) == whole
    timers = [one for one in whole if one.counter == "mpi.time:MPI_Send"]
    # rows of one node and item are 30 apart; their values are squares, in units of 1/1000 ps
    assert [one.growth for one in timers if one.node == timers[0].node][1:] == [
        pytest.approx((b.value - a.value) / 30_000)
        for a, b in itertools.pairwise(one for one in timers if one.node == timers[0].node)
    ]
    assert all(one.growth is None for one in whole if one.counter.startswith(("queue", "user")))


def test_the_reference_page_has_every_column_and_no_other() -> None:
    page = (Path(__file__).parents[2] / "docs/reference/samples.md").read_text()
    documented = [line.split("`")[1] for line in page.splitlines() if line.startswith("| `")]
    assert documented == list(samples.COLUMNS)


def test_a_run_whose_monitor_takes_none_has_none(tmp_path: Path) -> None:
    samples.assemble(tmp_path)  # nothing is made
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(UserError, match="has no samples: its monitor takes none"):
        samples.Samples(tmp_path)


def test_a_changed_file_is_refused_and_says_what_to_do(tmp_path: Path) -> None:
    run = tmp_path / "run"
    left_by_a_worker(run, 100)
    samples.assemble(run)
    runner.seal(run)
    content = bytearray((run / samples.FILE).read_bytes())
    content[len(content) // 2] ^= 1
    (run / samples.FILE).write_bytes(content)
    with pytest.raises(DamagedError, match=r"samples.arrow: is damaged: its checksum .* run again"):
        samples.Samples(run)


def test_another_arrow_file_is_refused(tmp_path: Path) -> None:
    import pyarrow as pa

    table = pa.table({"a": [1]})
    with pa.OSFile(str(tmp_path / samples.FILE), "wb") as file, pa.ipc.new_file(file, table.schema) as writer:
        writer.write_table(table)
    with pytest.raises(UserError, match="is an Arrow file, but no samples of this hypermon"):
        samples.Samples(tmp_path)
