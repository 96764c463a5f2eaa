# SPDX-License-Identifier: BSD-3-Clause
"""Seeds: valid files, most of them written by hypermon itself."""

from __future__ import annotations

import contextlib
import json
import os
import tempfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from hypermon._comparing import designs
from hypermon._engine import calibrating, runner, sweeping
from hypermon._files import sums
from hypermon._inputs import scenario
from hypermon._model import activity, result, samples, worker
from hypermon._model import expressions as expressions_of_results
from hypermon._model.schema import Value
from hypermon.importing.script import ACTION, CODES, Writer
from tests.python import little_hdtrace, little_tau

ROOT = Path(__file__).resolve().parents[2]
SCENARIO = "table2/place"
SETTINGS: dict[str, Any] = {
    "nodes": 4, "place.attempts": 150, "place.accepted": 20, "place.temperatures": 2, "place.reheats": 1,
}  # fmt: skip
FOLDER = "HYPERMON_FUZZ"
"""Environment variable with the folder of the runs from which seeds are made, for this process and the reading process.
"""


@contextlib.contextmanager
def scratch() -> Iterator[Path]:
    """An empty folder."""
    with tempfile.TemporaryDirectory() as name:
        yield Path(name)


def kept(name: str, make: Callable[[Path], object]) -> Path:
    folder = Path(os.environ[FOLDER]) / name
    if not folder.exists():
        make(folder)
    return folder


def run() -> Path:
    """A run's directory, under the scenario's monitor."""
    return kept("run", lambda out: runner.run(SCENARIO, settings=SETTINGS | {"bursts.keep_series": True}, out=out))


def swept() -> Path:
    """A sweep's folder."""
    return kept("sweep", _sweep)


def _sweep(folder: Path) -> None:
    sweeping.sweep(
        SCENARIO,
        vary={"node.tick_ms": [8, 16]},
        metrics=["elapsed_s"],
        settings=SETTINGS,
        out=folder,
        jobs=1,
        progress=lambda *_: None,
    )


def files(*globs: str) -> list[bytes]:
    found = [path.read_bytes() for glob in globs for path in sorted(ROOT.glob(glob))]
    assert found, globs
    return found


def expressions(_: Path) -> list[bytes]:
    """Expressions in the expectations of scenarios that use keys of this run's result."""
    expectations = [e for name in scenario.names() for s in scenario.find(name) for c in s.cases for e in c.expect]
    texts = {text for e in expectations for text in (e.of, e.equals, e.low, e.high) if text and "cases" not in text}
    found = result.Result(run()).to_dict()
    seeds = [text.encode() for text in sorted(texts) if _has_a_value(text, found)]
    assert len(seeds) >= 20, seeds
    return seeds[:60]


def _has_a_value(text: str, of: dict[str, Any]) -> bool:
    try:
        expressions_of_results.evaluate(text, of)
    except expressions_of_results.ExpressionError:
        return False
    return True


def scenarios(_: Path) -> list[bytes]:
    return files("scenarios/table2/*.yaml", "scenarios/faults/*.yaml", "scenarios/collection/halo.yaml")


def expectations(_: Path) -> list[bytes]:
    """Scenarios with expectations that are met, that are missed, and that use keys missing from the result."""
    entries = [
        "{of: elapsed_s, is: 1, within: 2 %, kind: published, source: a paper}",
        "{of: ledger.lost_total.events, max: 0.1 %, kind: golden}",
        "{of: fingerprint, is: 0123456789abcdef, kind: golden}",
        "{of: 'events / elapsed_s', min: 1, max: 1e9, kind: derived, because: it is so}",
        "{of: latency_us.p99 < 5, is: true, kind: golden}",
        "{of: cases.a.elapsed_s, is: elapsed_s, kind: golden}",
    ]
    listed = "".join(f"      - {entry}\n" for entry in entries)
    return [f"question: What?\ncases:\n  - name: a\n    set: {{nodes: 2}}\n    expect:\n{listed}".encode()]


def outputs(_: Path) -> list[bytes]:
    """Texts that programs print, and names of files."""
    return [b"rank 0 is ready\nrank 1 too\n", "grün – 😀\t1,2\n".encode(), b"-1.5,a name,=1\n"]


def sweeps(_: Path) -> list[bytes]:
    """The kept sweeps, and one that needs no monitor."""
    plain = b"scenario: table2/place\nvary:\n  node.tick_ms: [8, 16]\n  nodes: 1:4:log2\nmetrics: [elapsed_s]\n"
    return [plain, *(path.read_bytes() for path in sorted(ROOT.glob("sweeps/*.yaml")))]


def platforms(_: Path) -> list[bytes]:
    return files("platforms/machines/*.yaml")


def catalogues(_: Path) -> list[bytes]:
    return files("scenarios/catalogues/*.yaml", "examples/own_events/*.yaml")


def machines(_: Path) -> list[bytes]:
    return files("tests/platforms/*.xml")


def specifications(_: Path) -> list[bytes]:
    return [(run() / "spec.json").read_bytes()]


PROGRAM = ROOT / "tests" / "python" / "programs" / "mpi_small_ring.c"


def sampled() -> Path:
    """The directory of a run whose monitor took samples, if one of the monitors does."""
    return kept("sampled", _sampled)


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


def active() -> Path:
    """The directory of a run with the ranks' activity and the fates of events, if the parts support it."""
    return kept("active", _active)


def _active(folder: Path) -> None:
    folder.mkdir()
    times = [(name, "<i8") for name in ("begin_ps", "end_ps", "time_ps")]
    rows = np.zeros(40, [*times, ("rank", "<u4"), ("state", "<u4")])
    rows["begin_ps"] = 10 * np.arange(40)
    rows["end_ps"], rows["time_ps"] = rows["begin_ps"] + 7, 7
    rows["rank"], rows["state"] = np.arange(40) // 20, np.arange(40) % 2
    np.save(folder / "activity.npy", rows)
    span = {"begin_ps": 0, "end_ps": 400, "program_ps": 70, "monitor_ps": 70, "system_ps": 0}
    about = {"nodes": 2, "step_ps": 0, "end_ps": 400, "ranks": [{"node": n, **span} for n in range(2)]}
    (folder / "activity.json").write_text(json.dumps(about))
    events = np.zeros(
        40, [*((name, "<i8") for name in ("true_ps", "stamped_ps", "arrival_ps")), ("node", "<u4"), ("type", "<u4")]
    )
    events["true_ps"], events["node"], events["type"] = 10 * np.arange(40), np.arange(40) // 20, np.arange(40) % 2
    events["stamped_ps"] = events["arrival_ps"] = np.where(np.arange(40) % 7, events["true_ps"], -1)
    np.save(folder / "events.npy", events)
    (folder / "events.json").write_text(json.dumps({"points": ["nx2.syscall_entry", "nx2.syscall_exit"]}))
    activity.assemble(folder)
    sums.write(folder, [activity.FILE, activity.EVENTS])


def activity_files(_: Path) -> list[bytes]:
    return [(active() / activity.FILE).read_bytes()]


def event_files(_: Path) -> list[bytes]:
    return [(active() / activity.EVENTS).read_bytes()]


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
    """Two actions on each of two ranks."""
    made = np.zeros(4, ACTION)
    for name in ("peer", "tag", "request", "list"):
        made[name] = -1
    made["element"] = 1
    made["operation"] = [CODES[name] for name in ("send", "recv", "recv", "send")]
    made["peer"], made["size"], made["tag"] = [1, 1, 0, 0], 8, 3
    return [made.tobytes()]


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
    from tests.python.little_archives import exchange

    return kept("archive", exchange)


PARTS = ("traces.otf2", "traces.def", "traces/0.evt", "traces/0.def", "traces/1.evt", "traces/1.def")
"""Files of the archive."""
BETWEEN = b"\n--8<--\n"


def archives(_: Path) -> list[bytes]:
    """All files of an archive, one after the other."""
    return [BETWEEN.join((archive() / name).read_bytes() for name in PARTS)]


def anchors(_: Path) -> list[bytes]:
    return [(archive() / "traces.otf2").read_bytes()]


def hdtrace_projects(_: Path) -> list[bytes]:
    return [little_hdtrace.PROJECT.encode()]


def tau_profiles(_: Path) -> list[bytes]:
    return [text.encode() for text in (little_tau.OURS, little_tau.OLD, little_tau.OTHERS)]


def hdtrace_traces(_: Path) -> list[bytes]:
    return [little_hdtrace.RANK0.encode(), little_hdtrace.RANK1.encode()]


def hdtrace_relations(_: Path) -> list[bytes]:
    return [little_hdtrace.RELATIONS_TROVE.encode()]


def hdtrace_statistics(_: Path) -> list[bytes]:
    return [little_hdtrace.ENERGY, little_hdtrace.TROVE]


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
    worker.schema()  # The schema comes from the cache.
    return [worker.kept_description().read_bytes()]


def to_json(value: object) -> str:
    """JSON of any object, with all digits."""
    return json.dumps(value, default=repr, sort_keys=True)
