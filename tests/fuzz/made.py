"""Seeds: files as they should be, most of them as hypermon itself writes them."""

from __future__ import annotations

import io
import json
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from pyarrow import csv, parquet

from hypermon._comparing import designs
from hypermon._engine import calibrating, sweeping
from hypermon._files import sums
from hypermon._inputs import scenario
from hypermon._model import result, samples, worker
from hypermon._model.schema import Value
from hypermon.importing.script import ACTION, CODES, Writer
from hypermon.monitors.hypermon import recorder, recording
from tests.python.little_place import LITTLE, SCENARIO

ROOT = Path(__file__).resolve().parents[2]
SETTINGS = {**LITTLE, "place.attempts": 150, "place.accepted": 20, "place.temperatures": 2}
EXTRA: dict[str, Any] = {"drain.keep_frames": True, "bursts.keep_series": True}
FOLDER = "HYPERMON_FUZZ"
"""Environment variable: where the runs lie that seeds are of, for this process and the one that reads."""


def _kept(name: str, make: Callable[[Path], object]) -> Path:
    folder = Path(os.environ[FOLDER]) / name
    if not folder.exists():
        make(folder)
    return folder


def run() -> Path:
    """A recorded run's directory."""
    return _kept("run", lambda out: recorder.record(SCENARIO, settings=SETTINGS | EXTRA, out=out))


def swept() -> Path:
    """A sweep's folder."""
    return _kept("sweep", _sweep)


def _sweep(folder: Path) -> None:
    sweeping.sweep(
        SCENARIO,
        vary={"ecb.frame_fifo_frames": [8, 16]},
        metrics=["monitor.frames.built"],
        settings=SETTINGS,
        out=folder,
        jobs=1,
        progress=lambda *_: None,
    )


def _files(*globs: str) -> list[bytes]:
    found = [path.read_bytes() for glob in globs for path in sorted(ROOT.glob(glob))]
    assert found, globs
    return found


def expressions(_: Path) -> list[bytes]:
    own_keys = ("contention/", "hpvm/", "networks/", "processors/")  # which results of other scenarios have not
    names = [name for name in scenario.names() if not name.startswith(own_keys)]
    said = [e for name in names for s in scenario.find(name) for c in s.cases for e in c.expect]
    texts = {text for e in said for text in (e.of, e.equals, e.low, e.high) if text and "cases" not in text}
    return [text.encode() for text in sorted(texts)[:60]]


def scenarios(_: Path) -> list[bytes]:
    return _files("scenarios/table2/*.yaml", "scenarios/faults/*.yaml", "scenarios/collection/halo.yaml")


def sweeps(_: Path) -> list[bytes]:
    return _files("sweeps/*.yaml")


def platforms(_: Path) -> list[bytes]:
    return _files("platforms/machines/*.yaml")


def catalogues(_: Path) -> list[bytes]:
    return _files("scenarios/catalogues/*.yaml", "examples/own_events/*.yaml")


def views(_: Path) -> list[bytes]:
    return _files("waves/views/*.yaml")


def machines(_: Path) -> list[bytes]:
    return _files("tests/platforms/*.xml")


def specifications(_: Path) -> list[bytes]:
    return [(run() / "spec.json").read_bytes()]


def recordings(_: Path) -> list[bytes]:
    return [(run() / recording.FILE).read_bytes()]


COLUMNS = {"node": "<u2", "first_ps": "<i8", "size": "u1", "message": "<u8", "side": "u1"}
PROGRAM = ROOT / "tests" / "python" / "programs" / "mpi_small_ring.c"
ROWS = 40


def columns(_: Path) -> list[bytes]:
    """The first rows of a recording, one column after the other, and then what they hold."""
    table = recording.Recording(run()).to_arrow().slice(0, ROWS)
    data = [row.as_py() for row in table["data"]]
    own = {"size": [len(row) for row in data]}
    return [b"".join([*(np.array(own.get(n) or table[n], kind).tobytes() for n, kind in COLUMNS.items()), *data])]


def frames(_: Path) -> list[bytes]:
    return [(run() / "board0.hmf").read_bytes()]


def sampled() -> Path:
    """The directory of a run whose monitor took samples, as far as these go."""
    return _kept("sampled", _sampled)


def _sampled(folder: Path) -> None:
    folder.mkdir()
    kinds = [("true_ps", "<i8"), ("stamped_ps", "<i8"), ("arrival_ps", "<i8"), ("value", "<i8")]
    rows = np.zeros(50, [*kinds, ("node", "<u4"), ("counter", "<u4"), ("part", "<u4"), ("item", "<u4")])
    rows["true_ps"], rows["item"] = np.arange(50), np.arange(50) % 2
    counters = [{"number": 0, "name": "mpi.calls", "unit": "calls", "items": ["MPI_Send", "MPI_Recv"]}]
    np.save(folder / samples.ROWS, rows)
    (folder / samples.COUNTERS).write_text(json.dumps({"counters": counters}))
    samples.assemble(folder)
    sums.write(folder, [samples.FILE])


def sample_files(_: Path) -> list[bytes]:
    return [(sampled() / samples.FILE).read_bytes()]


def scripts(folder: Path) -> list[bytes]:
    with Writer(folder / "seed.script", 2, {"kind": "test", "nodes": 2}) as writer:
        for rank in (0, 1):
            writer.add(rank, "compute", size=10**6)
            writer.add(rank, "sendrecv", peer=1 - rank, tag=0, size=8)
            writer.add(rank, "sendrecv_in", peer=1 - rank, size=8)
            writer.add(rank, "alltoallv", values=[1, 2, 1, 2], element=4)
        writer.report.add("put: left out", "line 3")
    return [(folder / "seed.script").read_bytes()]


def actions(_: Path) -> list[bytes]:
    """Two actions of each of two ranks."""
    made = np.zeros(4, ACTION)
    for name in ("peer", "tag", "request", "list"):
        made[name] = -1
    made["element"] = 1
    made["operation"] = [CODES[name] for name in ("send", "recv", "recv", "send")]
    made["peer"], made["size"], made["tag"] = [1, 1, 0, 0], 8, 3
    return [made.tobytes()]


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


def traces(_: Path) -> list[bytes]:
    both = ("init", "compute 3e6", "bcast 4 0 1", "allreduce 3 10 0", "alltoallv 3 1 2 7 3 4 0 0", "waitall 1")
    lines = [f"{rank} {action}" for rank in (0, 1) for action in both]
    lines += ["0 isend 1 9 5 6", "0 wait 0 1 9", "1 irecv 0 9 5 6", "1 test 0 1 9", "0 finalize", "1 finalize"]
    others = [
        "location a.c 12", "sleep 1e-3", "waitall", "gatherv 1 1 1 0 6 6", "scatterv 1 1 1 0 6 6", "scan 3 10 0",
        "reducescatter 1 1 5 0", "allgather 2 2 0 0", "sendRecv 1 1 1 0 6 6", "ibarrier", "waitAny 1", "Start 0 5 400 1",
        "reduce 3 1 1 0",
    ]  # fmt: skip
    return ["\n".join(lines).encode(), "\n".join(["# 2", "0 init", *(f"1 {other}" for other in others)]).encode()]


def archive() -> Path:
    """An OTF2 archive's folder."""
    from hypermon import timelines

    return _kept("archive", lambda out: timelines.write(timelines.truth(run()), out, "otf2"))


def anchors(_: Path) -> list[bytes]:
    return [(archive() / "traces.otf2").read_bytes()]


def definitions(_: Path) -> list[bytes]:
    return [(archive() / "traces.def").read_bytes()]


def events(_: Path) -> list[bytes]:
    return [sorted((archive() / "traces").glob("*.evt"))[0].read_bytes()]


def results(_: Path) -> list[bytes]:
    return [(run() / result.RESULT).read_bytes()]


def manifests(_: Path) -> list[bytes]:
    return [(swept() / "manifest.json").read_bytes()]


def tables(_: Path) -> list[bytes]:
    return [(swept() / "results.parquet").read_bytes()]


def points(_: Path) -> list[bytes]:
    return [sorted((swept() / "store" / "points").iterdir())[0].read_bytes()]


def coverages(_: Path) -> list[bytes]:
    rows = [{"program": "place", "nodes": 4, **dict.fromkeys(designs.COLUMNS, 1)}]
    return [designs.to_text(rows, {"presets": []}, [{"nodes": 4, "place.attempts": 3}]).encode()]


def bursts(_: Path) -> list[bytes]:
    return [(run() / result.BURSTS).read_bytes()]


def program(**settings: object) -> Mapping[str, Value]:
    """Specification of a user's program."""
    values = {"workload": "program", "program.file": str(PROGRAM), "nodes": 2}
    return scenario.of_program(str(PROGRAM)).resolve(worker.schema(), {**values, **settings}).values


def calibrations(_: Path) -> list[bytes]:
    regions = [{"from": 100, "to": 200, "count": 3, "mean_ns": 10.5, "spread_ns": 1.0}]
    sha256 = str(program()["program.file"]).rpartition(":")[2]
    return [calibrating.sealed({"program": "ends", "sha256": sha256, "regions": regions}).encode()]


def descriptions(_: Path) -> list[bytes]:
    worker.schema()  # which keeps what the worker says
    return [worker.kept_description().read_bytes()]


def to_json(value: object) -> str:
    """Of anything, with all its digits."""
    return json.dumps(value, default=repr, sort_keys=True)
