# SPDX-License-Identifier: BSD-3-Clause
"""Seeds of the HYPERMON monitor's files, most of them written by hypermon itself."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pyarrow as pa
from pyarrow import csv, parquet

from hypermon._engine import recorder, recording
from tests.fuzz.made import SCENARIO, SETTINGS, files, kept

EXTRA = {"monitor": "hypermon", "port.delay": 0, "drain.keep_frames": True, "bursts.keep_series": True}
COLUMNS = {"node": "<u2", "first_ps": "<i8", "size": "u1", "message": "<u8", "side": "u1"}
ROWS = 40


def run() -> Path:
    """A recorded run's directory."""
    return kept("recorded", lambda out: recorder.record(SCENARIO, settings=SETTINGS | EXTRA, out=out))


def views(_: Path) -> list[bytes]:
    return files("waves/views/*.yaml")


def recordings(_: Path) -> list[bytes]:
    return [(run() / recording.FILE).read_bytes()]


def columns(_: Path) -> list[bytes]:
    """The first rows of a recording: one column after the other, then the data."""
    table = recording.Recording(run()).to_arrow().slice(0, ROWS)
    data = [row.as_py() for row in table["data"]]
    own = {"size": [len(row) for row in data]}
    return [b"".join([*(np.array(own.get(n) or table[n], kind).tobytes() for n, kind in COLUMNS.items()), *data])]


def frames(_: Path) -> list[bytes]:
    return [(run() / "board0.hmf").read_bytes()]


def _strobes() -> pa.Table:
    rows = np.arange(20)
    return pa.table({"time_ns": rows * 900, "node": rows % 4, "datum": rows % 16})


def _events() -> pa.Table:
    rows = np.arange(20)
    return pa.table({"time": rows * 1e6, "node": rows % 4, "bytes": rows % 5})


def _csv(table: pa.Table) -> list[bytes]:
    out = io.BytesIO()
    csv.write_csv(table, out)
    return [out.getvalue()]


def _npy(table: pa.Table) -> list[bytes]:
    array = np.empty(len(table), [(name, "<i8") for name in table.column_names])
    for name in table.column_names:
        array[name] = table[name].to_numpy()
    out = io.BytesIO()
    np.save(out, array)
    return [out.getvalue()]


def _parquet(table: pa.Table) -> list[bytes]:
    found = []
    for compression in ("none", "snappy"):
        out = io.BytesIO()
        parquet.write_table(table, out, compression=compression)
        found.append(out.getvalue())
    return found


def strobes(_: Path) -> list[bytes]:
    return _csv(_strobes())


def strobes_npy(_: Path) -> list[bytes]:
    return _npy(_strobes())


def strobes_parquet(_: Path) -> list[bytes]:
    return _parquet(_strobes())


def streams(_: Path) -> list[bytes]:
    hexadecimal = b"time,node,bytes\n1,0,0xab01\n900000,1,0x\n1800000,0,0xff\n"
    return [*_csv(_events()), *_csv(_events().rename_columns(["time", "node", "datum"])), hexadecimal]


def streams_npy(_: Path) -> list[bytes]:
    return _npy(_events())


def streams_parquet(_: Path) -> list[bytes]:
    text = pa.table({"time": [1, 900], "node": [0, 1], "bytes": pa.array([b"ab", b"c"], pa.binary())})
    lists = pa.table({"time": [1, 900], "node": [0, 1], "bytes": pa.array([[1, 2], [3]], pa.list_(pa.int64()))})
    return [*_parquet(_events()), *_parquet(text), *_parquet(lists)]
