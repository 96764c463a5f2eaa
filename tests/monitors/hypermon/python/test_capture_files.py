# SPDX-License-Identifier: BSD-3-Clause
"""`hypermon capture FILE`: strobes from files, frames into files."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import csv, parquet
from typer.testing import CliRunner, Result

import hypermon as package
from hypermon.cli.app import app
from hypermon.monitors.hypermon import capturing
from tests.conftest import Hypermon

pytestmark = pytest.mark.usefixtures("fake")

RANDOM = np.random.default_rng(1)
TIMES = np.sort(RANDOM.integers(0, 100_000, 500))
NODES = RANDOM.integers(0, 16, 500, np.uint8)
DATA = RANDOM.integers(0, 16, 500, np.uint32)
TABLE = pa.table({"datum": DATA, "note": ["x"] * 500, "time_ns": TIMES, "node": NODES})  # any order, other columns too


def run(*arguments: str) -> Result:
    """The command in this process: a new one takes a second to load what reads the files."""
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
    """Frames as they stand in a file."""
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
    assert ["strobes", "500", "strobes at the inputs, a datum each"] in [line.split(maxsplit=2) for line in lines]
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
        (("good.csv", "--frames", "no/f.csv"), "no/f.csv: cannot be written: No such file or directory"),
        (("junk.npy",), "junk.npy: is no .npy file, holds objects, or is truncated"),
        (("junk.parquet",), "junk.parquet: cannot be read as Parquet: Parquet file size is 5 bytes"),
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
