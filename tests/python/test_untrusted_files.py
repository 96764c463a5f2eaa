# SPDX-License-Identifier: BSD-3-Clause
"""Files of strangers that crash a library, or that unpack to much more than their size."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from hypermon._files import apart, arrow, parquet
from hypermon.errors import UserError
from hypermon.importing.script import Script

MIB = 1 << 20


# Functions that a separate process calls: possible actions of a library.


def echoes(*arguments: object) -> list[object]:
    print("what a library prints")
    return list(arguments)


def breaks(_: str) -> None:
    os.abort()


def leaves(_: str) -> None:
    os._exit(7)


def refuses(path: str) -> None:
    raise UserError("is not nice", f"{path}, line 3")


def fails(_: str) -> None:
    raise RuntimeError("makes no sense")


def takes_memory(_: str) -> int:
    return len(bytearray(64 << 30))


def takes_time(_: str) -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (1, 1))
    while True:
        pass


def two_batches(broken: bool) -> Iterator[Any]:
    schema = pa.schema([("a", pa.int64())])
    yield schema
    yield pa.record_batch([pa.array([1, 2])], schema=schema)
    if broken:
        os.abort()
    yield pa.record_batch([pa.array([3])], schema=schema)


def called(function: Callable[..., Any], *arguments: object) -> Any:
    return apart.call(f"{__name__}:{function.__name__}", *arguments, path=Path("x.dat"), kind="archive", size=1)


def test_a_process_of_its_own_gives_the_value_back() -> None:
    assert called(echoes, "a\udcff", 1, None) == ["a\udcff", 1, None]


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (breaks, "x.dat: is damaged, or no archive: the library that reads it ended with SIGABRT"),
        (leaves, "x.dat: is damaged, or no archive: the process that reads it ended with status 7"),
        (refuses, "is not nice (x.dat, line 3)"),
        (fails, "x.dat: cannot be read as archive: makes no sense"),
        (takes_memory, "x.dat: cannot be read as archive: MemoryError"),
        (takes_time, "x.dat: is damaged, or no archive: the library that reads it ended with SIGKILL"),
    ],
)
def test_whatever_becomes_of_that_process_is_one_error(function: Callable[..., Any], message: str) -> None:
    with pytest.raises(UserError) as caught:
        called(function, "x.dat")
    assert str(caught.value) == message


def test_batches_come_until_the_process_breaks() -> None:
    name = f"{__name__}:{two_batches.__name__}"
    found = apart.batches(name, False, path=Path("x"), kind="archive", size=1)
    assert [batch.column(0).to_pylist() for batch in found] == [[1, 2], [3]]
    broken = apart.batches(name, True, path=Path("x"), kind="archive", size=1)
    with pytest.raises(UserError, match="x: is damaged, or no archive: the library that reads it ended with SIGABRT"):
        list(broken)


# --- Parquet


def dictionary(value: Any, rows: int) -> Any:
    return pa.DictionaryArray.from_arrays(pa.array(np.zeros(rows, np.int32)), pa.array([value]))


@pytest.fixture
def growing(tmp_path: Path) -> Path:
    """A megabyte in each of 3000 rows."""
    columns = {"time": np.arange(3000), "node": np.zeros(3000, np.int64), "bytes": dictionary(b"x" * MIB, 3000)}
    file = tmp_path / "events.parquet"
    pq.write_table(pa.table(columns), file, compression="zstd", store_schema=False)
    assert file.stat().st_size < 100_000
    return file


READ_IN_PARTS = """
import resource, sys
from pathlib import Path
from hypermon._files import parquet
parts = parquet.batches(Path(sys.argv[1]), ["time", "bytes"], longest=2 << 20)
for _ in range(5):
    part = next(parts)
    assert part.schema.names == ["time", "bytes"]
    assert part.nbytes < 2 * parquet.PART_BYTES
parts.close()
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss << 10)
"""


def test_a_few_kilobytes_of_parquet_are_read_in_bounded_parts(growing: Path) -> None:
    """Uses a separate process, because the peak over a process's children includes all earlier tests."""
    done = subprocess.run([sys.executable, "-c", READ_IN_PARTS, growing], capture_output=True, text=True, check=True)
    assert int(done.stdout) < 1024 * MIB


def test_values_that_no_event_has_are_refused_with_their_row(growing: Path) -> None:
    with pytest.raises(UserError) as caught:
        list(parquet.batches(growing, ["time", "bytes"], longest=4096))
    assert str(caught.value) == f"bytes: has {MIB} bytes, and may have 4096 ({growing}, row 0)"


def test_more_rows_than_a_file_can_mean_are_refused_with_their_number(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parquet, "FREE_ROWS", 10)
    monkeypatch.setattr(parquet, "ROWS_PER_BYTE", 1)
    file = tmp_path / "rows.parquet"
    pq.write_table(pa.table({"time": np.zeros(100_000, np.int64)}), file)
    with pytest.raises(UserError, match=r"rows\.parquet: has 100000 rows in \d+ bytes, which no file of measurements"):
        list(parquet.batches_here(str(file), ["time"], 0))


def test_lists_and_missing_values_are_what_they_were(tmp_path: Path) -> None:
    table = pa.table(
        {
            "time": pa.array([1.5, 2.5, None]),
            "bytes": pa.array([[1, 2], [], [3]], pa.list_(pa.uint8())),
            "name": pa.array(["a", None, "c"]),
            "long": pa.array(["a", None, "cc"], pa.large_string()),
        }
    )
    file = tmp_path / "all.parquet"
    pq.write_table(table, file)
    assert parquet.names(file) == ["time", "bytes", "name", "long"]
    (found,) = parquet.batches(file, ["name", "time", "bytes", "long"], 10)
    assert found.to_pydict() == table.select(["name", "time", "bytes", "long"]).to_pydict()


@pytest.mark.parametrize("content", [b"", b"PAR1", b"PAR1" + b"\xff" * 100 + b"PAR1", b"no"])
def test_what_is_no_parquet_is_one_error(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "no.parquet"
    file.write_bytes(content)
    with pytest.raises(UserError, match=r"no\.parquet: "):
        parquet.names(file)


def test_a_sweeps_table_has_the_rows_and_the_texts_that_it_may() -> None:
    def content(table: Any) -> bytes:
        out = pa.BufferOutputStream()
        pq.write_table(table, out, compression="zstd", store_schema=False)
        return bytes(out.getvalue())

    plain = pa.table({"n": [1, 2], "text": ["a", None]})
    assert parquet.table(content(plain), 2).equals(plain)
    with pytest.raises(ValueError, match="has 2 rows instead of 3"):
        parquet.table(content(plain), 3)
    with pytest.raises(ValueError, match="text: its texts are more than 64 MiB"):
        parquet.table(content(pa.table({"text": dictionary("x" * MIB, 3000)})), 3000)


# --- Arrow


def arrow_file(path: Path, table: Any, compression: str | None) -> Path:
    with pa.ipc.new_file(str(path), table.schema, options=pa.ipc.IpcWriteOptions(compression=compression)) as writer:
        writer.write_table(table, max_chunksize=2)
    return path


@pytest.mark.parametrize("compression", [None, "zstd", "lz4"])
def test_a_compressed_arrow_file_is_refused_before_it_is_unpacked(tmp_path: Path, compression: str | None) -> None:
    table = pa.table({"a": [1, 2, 3], "b": pa.array(["x", "y", "x"]).dictionary_encode()})
    file = arrow_file(tmp_path / "a.arrow", table, compression)
    with pa.memory_map(str(file)) as source:
        if compression is None:
            assert arrow.open_file(source).read_all().to_pydict() == table.to_pydict()
        else:
            with pytest.raises(ValueError, match="is compressed, as no file of hypermon is"):
                arrow.open_file(source)


@pytest.mark.parametrize("column", [pa.nulls(1), pa.array([b""], pa.binary(0))])
def test_a_column_that_takes_no_bytes_is_refused(tmp_path: Path, column: Any) -> None:
    file = arrow_file(tmp_path / "a.arrow", pa.table({"a": column}), None)
    with pa.memory_map(str(file)) as source, pytest.raises(ValueError, match=r"a: a column of .* takes no bytes"):
        arrow.open_file(source)


@pytest.mark.parametrize("cut", [1, 9, 30, 200])
def test_a_truncated_arrow_file_is_one_kind_of_error(tmp_path: Path, cut: int) -> None:
    file = arrow_file(tmp_path / "a.arrow", pa.table({"a": [1, 2, 3]}), None)
    file.write_bytes(file.read_bytes()[:-cut])
    with pa.memory_map(str(file)) as source, pytest.raises((ValueError, OSError)):
        arrow.open_file(source)


# --- scripts


def test_a_compressed_script_is_refused_before_it_is_unpacked(tmp_path: Path) -> None:
    file = tmp_path / "a.script"
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive, archive.open("ranks.npy", "w") as member:
        for _ in range(100):
            member.write(bytes(MIB))
    with pytest.raises(UserError, match=r"a\.script: ranks\.npy: is compressed, as nothing in a program script is"):
        Script.open(file)
