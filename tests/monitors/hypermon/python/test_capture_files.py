# SPDX-License-Identifier: BSD-3-Clause
"""`hypermon capture FILE`: strobes from files, frames into files."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import csv, parquet
from typer.testing import CliRunner, Result

import hypermon as package
from hypermon._files import parquet as parquet_files
from hypermon._files import scratch
from hypermon.cli.app import app
from hypermon.monitors.hypermon import capturing, strobe_files
from tests.conftest import Hypermon

pytestmark = pytest.mark.usefixtures("fake")

RANDOM = np.random.default_rng(1)
TIMES = np.sort(RANDOM.integers(0, 100_000, 500))
NODES = RANDOM.integers(0, 16, 500, np.uint8)
DATA = RANDOM.integers(0, 16, 500, np.uint32)
# columns in any order, and additional ones
TABLE = pa.table({"datum": DATA, "note": ["x"] * 500, "time_ns": TIMES, "node": NODES})


def run(*arguments: str) -> Result:
    """Runs the command in this process, because a new process takes a second to load the libraries that read files."""
    return CliRunner().invoke(app, ["capture", *arguments])


def write(path: Path, table: pa.Table = TABLE) -> Path:
    if path.suffix == ".csv":
        csv.write_csv(table, path)
    elif path.suffix == ".parquet":
        parquet.write_table(table, path)
    else:
        array = np.empty(len(table), [(name, "U1" if name == "note" else "<i8") for name in table.column_names])
        for name in table.column_names:
            array[name] = table[name].to_numpy()
        np.save(path, array)
    return path


def columns(path: Path) -> dict[str, list[int]]:
    """Frames as they are in the file."""
    if path.suffix == ".npy":
        frames = np.load(path)
        data = {f"data{i}": frames["data"][:, i].tolist() for i in range(2)}
        return data | {name: frames[name].tolist() for name in ("vector", "timestamp", "read_ns")}
    table = csv.read_csv(path) if path.suffix == ".csv" else parquet.read_table(path)
    found: dict[str, list[int]] = table.to_pydict()
    return found


@pytest.mark.parametrize("kind", [".csv", ".parquet", ".npy"])
def test_a_file_is_captured_as_its_columns_are(tmp_path: Path, kind: str) -> None:
    source = write(tmp_path / f"strobes{kind}")
    out = tmp_path / f"frames{kind}"
    done = run(str(source), "--set", "ecb.window_ns=400", "--json", "--frames", str(out))
    assert (done.exit_code, done.stderr) == (0, "")
    expected = package.capture(package.design("hypermon", {"ecb.window_ns": 400}), TIMES, NODES, DATA, frames=True)
    assert expected.merged
    assert expected.aliasing
    assert json.loads(done.stdout) == expected.to_dict()
    assert columns(out) == {name: column.tolist() for name, column in expected.frames_to_pandas().items()}
    assert sorted(path.name for path in tmp_path.iterdir() if path.name.startswith((".", "frames"))) == [out.name]


def test_counts_are_printed_with_their_meaning(hypermon: Hypermon, tmp_path: Path) -> None:
    done = hypermon("capture", str(write(tmp_path / "strobes.csv")))
    lines = done.stdout.splitlines()
    assert lines[0].split() == ["count", "value", "meaning"]
    assert ["strobes", "500", "strobes at the inputs, each with one datum"] in [
        line.split(maxsplit=2) for line in lines
    ]
    assert ["first_overrun_ns", "none", capturing.COUNTS["first_overrun_ns"]] in [
        line.split(maxsplit=2) for line in lines
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("time_ns,node,datum\n10,0,1\n9,0,1\n", "time_ns[1] = 9: must not be before time_ns[0] = 10 ({}, line 3)"),
        ("time_ns,node,datum\n10,0,1\n11,16,1\n", "node[1] = 16: must be 0 to 15, the board has ecb.inputs = 16 ({}, line 3)"),
        ("time_ns,node,datum\n10,0,1\n11,x,1\n", "node = x: must be a whole number ({}, line 3)"),
        ("time_ns,node,datum\n1.5,0,1\n", "time_ns = 1.5: must be a whole number ({}, line 2)"),
        ("time_ns,node,datum\n10,0,1\n11,,1\n", "node: is missing ({}, line 3)"),
        ("time_ns,node,datum\n10,0,1\n11,1\n", "cannot be read as CSV: CSV parse error: Row #3: Expected 3 columns, got 2: 11,1 ({}, line 3)"),
        ("time_ns,nod,datum\n10,0,1\n", "{}: has no column node, but time_ns, nod, datum; did you mean nod?"),
        ("", "cannot be read as CSV: Empty CSV file ({})"),
    ],
)  # fmt: skip
def test_a_wrong_line_is_named(tmp_path: Path, text: str, message: str) -> None:
    file = tmp_path / "s.csv"
    file.write_text(text)
    out = tmp_path / "frames.npy"
    done = run(str(file), "--frames", str(out))
    assert (done.exit_code, done.stdout, done.stderr) == (2, "", f"error: {message.format(file)}\n")
    assert not out.exists()


def test_a_wrong_row_of_a_binary_file_is_named(tmp_path: Path) -> None:
    table = pa.table({"time_ns": [0, 1, 2], "node": [0, 1, 77], "datum": [0, 1, 2]})
    for kind in (".parquet", ".npy"):
        file = write(tmp_path / f"s{kind}", table)
        done = run(str(file))
        assert (done.exit_code, done.stdout) == (2, "")
        assert done.stderr.endswith(f"node[2] = 77: must be 0 to 15, the board has ecb.inputs = 16 ({file}, row 2)\n")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("none.csv",), "none.csv: cannot be read: No such file or directory"),
        (("s.txt",), "s.txt: must end in .csv, .parquet, .npy"),
        (("good.csv", "--frames", "f.txt"), "f.txt: must end in .npy, .parquet, .csv"),
        (("good.csv", "--frames", "no/f.csv"), "no/f.csv: cannot be written: there is no folder no"),
        (("junk.npy",), "junk.npy: is not a .npy file, holds objects, or is truncated"),
        (("junk.parquet",), "junk.parquet: cannot be read as Parquet file: Parquet file size is 5 bytes"),
        (("plain.npy",), "plain.npy: has no column time_ns, but none"),
        (("good.csv", "--set", "ecb.windw_ns=400"), "ecb.windw_ns: no such parameter; did you mean ecb.window_ns? (--set)"),
        (("good.csv", "--preset", "hypermno"), "hypermno: no such preset; did you mean hypermon? (--set)"),
    ],
)  # fmt: skip
def test_what_cannot_be_done_is_one_line(arguments: tuple[str, ...], message: str) -> None:
    write(Path("good.csv"))
    np.save("plain.npy", TIMES)
    for junk in ("s.txt", "junk.npy", "junk.parquet"):
        Path(junk).write_text("junk\n")
    before = sorted(path.name for path in Path().iterdir())
    done = run(*arguments)
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr.startswith(f"error: {message}")
    assert done.stderr.count("\n") == 1
    assert sorted(path.name for path in Path().iterdir()) == before


PARQUET_BATCHES = parquet_files.batches


def cut_into_pieces(monkeypatch: pytest.MonkeyPatch, rows: int) -> None:
    """Files of strobes are read in pieces of about `rows` rows."""

    def batches(*arguments: Any, **options: Any) -> Iterator[pa.RecordBatch]:
        for batch in PARQUET_BATCHES(*arguments, **options):
            yield from (batch.slice(begin, rows) for begin in range(0, len(batch), rows))

    monkeypatch.setattr(strobe_files, "BLOCK", 100 * rows)
    monkeypatch.setattr(parquet_files, "batches", batches)
    monkeypatch.setattr(scratch, "ROWS", rows)


@pytest.mark.parametrize("kind", [".csv", ".parquet", ".npy"])
@pytest.mark.parametrize("settings", [{}, {"reader.kind": "group", "pbx.word_ns": 2000}])
def test_strobes_in_pieces_are_captured_as_all_at_once(
    tmp_path: Path, kind: str, settings: dict[str, object], monkeypatch: pytest.MonkeyPatch
) -> None:
    source = write(tmp_path / f"strobes{kind}")
    chosen = [part for path, value in settings.items() for part in ("--set", f"{path}={value}")]
    whole = tmp_path / f"whole{kind}"
    captured = run(str(source), *chosen, "--frames", str(whole))
    assert captured.exit_code == 0, captured.stderr
    expected = package.capture(package.design("hypermon", settings), TIMES, NODES, DATA, frames=True)
    for piece in (1, 7, 100):
        cut_into_pieces(monkeypatch, piece)
        out = tmp_path / f"frames{kind}"
        done = run(str(source), *chosen, "--json", "--frames", str(out))
        assert json.loads(done.stdout) == expected.to_dict()
        assert out.read_bytes() == whole.read_bytes()
        assert columns(out) == {name: column.tolist() for name, column in expected.frames_to_pandas().items()}


def test_frames_are_written_as_the_libraries_write_them_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(strobe_files, "ROW_GROUP", 40)
    frames = package.capture(package.design(), TIMES, NODES, DATA, frames=True).frames
    assert frames is not None
    assert len(frames) > 100
    np.save(tmp_path / "at_once.npy", frames)
    table = strobe_files._table(frames)
    parquet.write_table(table, tmp_path / "at_once.parquet", row_group_size=40)
    csv.write_csv(table, tmp_path / "at_once.csv")
    for kind in ("npy", "parquet", "csv"):
        for size in (1, 15, 90):
            with strobe_files.frames_written(tmp_path / f"some.{kind}") as put:
                for begin in range(0, len(frames), size):
                    put(frames[begin : begin + size])
                put(frames[:0])
            assert (tmp_path / f"some.{kind}").read_bytes() == (tmp_path / f"at_once.{kind}").read_bytes(), (kind, size)


@pytest.mark.parametrize("kind", [".csv", ".parquet", ".npy"])
def test_a_strobe_that_cannot_be_is_named_by_its_place_in_the_whole_file(
    tmp_path: Path, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    cut_into_pieces(monkeypatch, 7)
    where = "line 402" if kind == ".csv" else "row 400"
    for name, value, message in (
        ("time_ns", int(TIMES[399]) - 1, f"not be before time_ns[399] = {TIMES[399]}"),
        ("node", 16, "node[400] = 16: must be 0 to 15"),
        ("datum", 16, "datum[400] = 16: must be 0 to 15"),
    ):
        changed = TABLE[name].to_numpy().copy()
        changed[400] = value
        place = TABLE.column_names.index(name)
        source = write(tmp_path / f"strobes{kind}", TABLE.set_column(place, name, pa.array(changed)))
        done = run(str(source))
        assert done.exit_code == 2
        assert message in done.stderr
        assert f"{source}, {where}" in done.stderr
