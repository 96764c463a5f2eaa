"""Replays: the hardware alone, driven by a recording. No MPI program, no network: the same result, sooner.

A parameter behind the nodes' ports (`Parameter.behind_ports`) does not change what the nodes write, unless the hardware
acts back on them; those before the ports do. A replay that would not give what a co-simulation gives is refused.
"""

from __future__ import annotations

import contextlib
import json
import os
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np
from numpy.typing import NDArray

from hypermon._engine import runner
from hypermon._engine.limits import Limits
from hypermon._files import files
from hypermon._inputs import scenario
from hypermon._model import worker
from hypermon._model.native import _core
from hypermon._model.result import RESULT, Result
from hypermon._model.schema import Schema, Value, flat, nested
from hypermon._model.spec import Spec
from hypermon.errors import SimulationError, UserError
from hypermon.monitors.hypermon.recording import Recording

if TYPE_CHECKING:
    from hypermon._core import Fates
    from hypermon.parameters import Parameters


def replay(
    recording: Recording | str | os.PathLike[str],
    settings: Mapping[str, Any] | None = None,
    *,
    presets: Sequence[str] = (),
    out: str | os.PathLike[str] | None = None,
    **parameters: Unpack[Parameters],
) -> Result:
    """What the recorded run would have been with other hardware: byte for byte as co-simulated (`hypermon replay`).

    Args:
        recording: One, or its file or run directory.
        settings: Over those of the recorded run, as in `hypermon.run`.
        presets: The same.
        out: A run directory for the result; else it is in memory only.
        parameters: As in `hypermon.run`.

    Returns:
        The whole result.

    Raises:
        UserError: What the nodes write depends on a parameter that differs, or the recording is damaged.

    Example:
        >>> recording = hypermon.record("table2/matmul", nodes=2, matmul={"size": 16})
        >>> hypermon.replay(recording, pbx={"word_ns": 2000})["monitor"]["overrun"]
        False
    """
    source = recording if isinstance(recording, Recording) else Recording(recording)
    spec = resolve(source, flat(settings or {}) | flat(parameters), presets)
    return replay_spec(source, spec, Path(out) if out is not None else None)


def resolve(
    recording: Recording, settings: Mapping[str, Any], presets: Sequence[str] = (), where: str = "hypermon.replay"
) -> Spec:
    """The recorded run's specification with presets and parameters over it."""
    return scenario.override(recording.spec, worker.schema(), settings, presets, where)


def replay_spec(recording: Recording, spec: Spec, out: Path | None = None) -> Result:
    """The same for a resolved specification."""
    require_same_emissions(recording, spec)
    if out is None:
        with tempfile.TemporaryDirectory() as scratch:
            return Result(None, _replay(recording, spec, Path(scratch)))
    files.keep(out, recording.path, *files.named_by(spec.values))
    with runner.whole_folder(out, marker=RESULT) as partial:
        with files.naming(out / RESULT):
            (partial / runner.SPEC).write_text(spec.to_json(), encoding="utf-8")
            (partial / RESULT).write_text(_replay(recording, spec, partial), encoding="utf-8")
        runner.seal(partial)
    return Result(out)


def fates(recording: Recording, spec: Spec) -> tuple[Result, Fates]:
    """A replay's result, and what became of every event; hypermon.timelines is the interface for people."""
    require_same_emissions(recording, spec)
    if spec.values["workload"] == "stream":
        raise UserError("workload = stream: its events are not decoded: they have no types to draw or to list")
    with tempfile.TemporaryDirectory() as scratch:
        run = _core.Replay(spec.to_json(), scratch, fates=True)
        return Result(None, _feed(run, recording, spec)), run.fates()


def _replay(recording: Recording, spec: Spec, folder: Path) -> str:
    return _feed(_core.Replay(spec.to_json(), str(folder)), recording, spec)


def _feed(run: _core.Replay, recording: Recording, spec: Spec) -> str:
    limits = Limits(spec)
    with sensible(recording):
        run.program_ends(recording.program_end_ps)
        for b in recording.batches():
            limits.check(int(b.first_ps[0]), recording.end_ps)
            run.add(node=b.node, first_ps=b.first_ps, offsets=b.offsets, data=b.data, message=b.message, side=b.side)
        return run.finish(
            recorded=recording.result_text,
            scenario=spec.scenario,
            begin_ps=recording.begin_ps,
            end_ps=recording.end_ps,
        )


@contextlib.contextmanager
def sensible(recording: Recording) -> Iterator[None]:
    """Around a pass over a recording: rows that no nodes can have written are a UserError. Nobody but hypermon checks
    them before they are written."""
    try:
        yield
    except ValueError as error:
        raise UserError(f"{recording.path}: holds what no nodes write: {error}") from None
    except RuntimeError as error:  # what only the hardware notices, or a full disk
        said = str(error)
        raise SimulationError(f"{recording.path}: {said}" if said.startswith("internal") else said) from None


def acts_back(spec: Spec) -> bool:
    """Does the hardware act back on the machine, so that only a co-simulation gives the result?"""
    return _core.acts_back(spec.to_line())


def why_not(spec: Spec) -> str:
    """What the result depends on beside what the nodes write, so that only a co-simulation gives it; empty: nothing."""
    if acts_back(spec):
        return "the hardware acts back on the machine"
    return "others on the PBX may delay the drain" if _core.contends(spec.to_line()) else ""


def emission_parameters(spec: Spec) -> dict[str, Any]:
    """Path and value of every parameter that what the nodes write depends on, if the hardware does not act back."""
    parameters: dict[str, Any] = json.loads(_core.emission_parameters(spec.to_line()))
    return parameters


class Emissions:
    """`emission_parameters` of many specifications as texts: equal where the nodes write the same."""

    def __init__(self, schema: Schema) -> None:
        self._before = [path for path, parameter in schema.parameters.items() if not parameter.behind_ports]
        self._known: dict[tuple[Value | None, ...], str] = {}

    def of(self, spec: Spec) -> str:
        before = tuple(spec.values.get(path) for path in self._before)
        if before not in self._known:
            self._known[before] = _core.emission_parameters(spec.to_line())
        return self._known[before]


def require_replayable(spec: Spec) -> None:
    """A UserError if a run with this specification cannot be replayed, as itself or with other hardware."""
    if spec.values["monitor"] != "hypermon":
        raise UserError(f"monitor = {spec.values['monitor']}: only under hypermon do nodes write what can be recorded")
    if acts_back(spec):
        raise UserError(
            "ecb.node_fifo_full = stall and drain.destination = host act back on the nodes: what they write holds for "
            "this hardware alone, so there is nothing to replay; use hypermon run"
        )


def require_same_emissions(recording: Recording, spec: Spec) -> None:
    """A UserError if a replay of `recording` with `spec` is not what a co-simulation would give."""
    require_replayable(spec)
    if _core.contends(spec.to_line()):
        raise UserError(
            "drain.level = words: what others on the PBX (dma.words, pbx.module) do to the drain, only a co-simulation "
            "says; use hypermon run"
        )
    recorded = emission_parameters(recording.spec)
    wanted = emission_parameters(spec)
    is_stream = recording.spec.values["workload"] == "stream"
    again = "import the stream again" if is_stream else "use hypermon run, or record again"
    for path in recorded | wanted:
        if recorded.get(path) != wanted.get(path):
            raise UserError(
                f"{path} = {wanted.get(path)}: what the nodes write depends on it, and it was recorded with "
                f"{recorded.get(path)}; {again}"
            )


COUNTED = frozenset(
    {
        # the program's part of the result, which is the recorded run's
        "fingerprint",
        "elapsed_s",
        "events",
        "event_bytes",
        "bursts.bytes",
        "bursts.mean_bytes_per_s",
        "bursts.max_1ms_bytes_per_s",
        "bursts.max_20ms_bytes_per_s",
        "ledger.generated.nibbles",
        "ledger.generated.events",
        # what the hardware counts
        "logged_bytes",
        "ledger.lost_total.nibbles",
        "monitor.frames.built",
        "monitor.frames.lost",
        "monitor.frames.merged",
        "monitor.frames.drained",
        "monitor.frames.peak_occupancy",
        "monitor.overrun",
        "monitor.first_overrun_s",
        "monitor.strobes",
        "monitor.aliasing",
        "monitor.node_overruns",
        "monitor.windows_lost",
        "monitor.discarded",
        "monitor.end_s",
    }
)
"""Paths into result.json of the numbers that `count` gives."""


def count(recording: Recording, specs: Sequence[Spec]) -> list[dict[str, Any]]:
    """For each specification the numbers of COUNTED, by their paths: equal to those of `replay`, sooner for many.

    What designs have in common is computed once, in one pass over the recording and in bounded memory. Designs whose
    losses depend on more than when frames come (faults, drain programs that take time) are replayed one by one.
    """
    texts = [spec.to_line() for spec in specs]
    emissions = Emissions(worker.schema())
    recorded = emissions.of(recording.spec)
    for spec, text in zip(specs, texts, strict=True):
        if emissions.of(spec) != recorded or _core.acts_back(text) or _core.contends(text):
            require_same_emissions(recording, spec)  # says why not
    apart = [i for i, text in enumerate(texts) if _core.counts_apart(text)]
    counted = [Limits(specs[i]) for i in apart]
    rows = dict(zip(apart, _count(recording, [texts[i] for i in apart], counted), strict=True)) if apart else {}
    for i in set(range(len(specs))).difference(apart):
        result = flat(replay_spec(recording, specs[i]).to_dict())
        rows[i] = {path: result[path] for path in COUNTED}
    return [{path: rows[i][path] for path in sorted(COUNTED)} for i in range(len(specs))]


def _count(recording: Recording, specs: list[str], limits: Sequence[Limits]) -> list[dict[str, Any]]:
    counting = _core.CountReplay(specs)
    with sensible(recording):
        counting.program_ends(recording.program_end_ps)
        for b in recording.batches():
            for limit in limits:
                limit.check(int(b.first_ps[0]), recording.end_ps)
            counting.add(**b.columns)
        columns = counting.finish()
    recorded = flat(recording.result)
    program = {path: recorded[path] for path in COUNTED if not path.startswith(("monitor.", "ledger.lost", "logged"))}
    nibbles = recording.result["spec"]["port"]["width_bits"] // 4
    lost: list[Any] = [columns["accumulating"], *(array for name, array in columns.items() if name.startswith("lost_"))]
    first = columns["first_overrun_ps"].astype(np.float64)
    first[first < 0] = np.inf
    # Sums over a design's boards; the peak and the first overrun are those of the worst, as in a full result.
    starts = np.flatnonzero(np.diff(columns["design"], prepend=-1))
    total = {
        "monitor.frames.built": columns["frames_built"],
        "monitor.frames.lost": columns["frames_lost"],
        "monitor.frames.merged": columns["merged"],
        "monitor.frames.drained": columns["drained"],
        "monitor.strobes": columns["strobes"],
        "monitor.aliasing": columns["aliasing"],
        "monitor.node_overruns": columns["node_overruns"],
        "monitor.windows_lost": columns["windows_lost"],
        "monitor.discarded": columns["discarded"],
        "logged_bytes": 4 * columns["drained"] * columns["frame_words"].astype(np.uint64),
        "ledger.lost_total.nibbles": nibbles * sum(lost),
    }
    sums = {path: np.add.reduceat(column, starts).tolist() for path, column in total.items()}
    peaks = np.maximum.reduceat(columns["peak_frame_fifo"], starts).tolist()
    ends = np.maximum.reduceat(columns["end_ps"], starts).tolist()
    firsts = np.minimum.reduceat(first, starts).tolist()
    return [
        program
        | {path: column[i] for path, column in sums.items()}
        | {
            "monitor.frames.peak_occupancy": peaks[i],
            "monitor.end_s": ends[i] * 1e-12,
            "monitor.overrun": sums["monitor.frames.lost"][i] > 0,
            "monitor.first_overrun_s": None if firsts[i] == np.inf else firsts[i] * 1e-12,
        }
        for i in range(len(specs))
    ]


def frontier(recording: Recording, word_ns: Sequence[int], spec: Spec | None = None) -> dict[str, NDArray[Any]]:
    """The buffer-bandwidth frontier: the least frame FIFO without loss for each word time of the bus, from one pass.

    Arrays over the word times: `word_ns`; `bandwidth_bytes_per_s` of the reader; `least_depth` (frames), exact for an
    ideal reader; `bound` (frames), that of network calculus with the recording's own arrival curve. Of several boards
    the one that needs most. `spec`: other hardware than the recorded.
    """
    spec = spec or recording.spec
    boards = []
    for board in range(_boards(recording, spec)):
        try:
            points = _core.Frontier(spec.to_json(), list(word_ns), board)
            points.program_ends(recording.program_end_ps)
        except ValueError as error:
            raise UserError(str(error)) from None
        with sensible(recording):
            for b in recording.batches():
                points.add(**b.columns)
            boards.append(points.finish())
    return {
        "word_ns": boards[0]["word_ns"],
        "bandwidth_bytes_per_s": boards[0]["bytes_per_second"],
        "least_depth": np.max([points["least_depth"] for points in boards], axis=0),
        "bound": np.max([points["depth_bound"] for points in boards], axis=0),
    }


def long_run(recording: Recording, word_ns: Sequence[int], spec: Spec | None = None) -> dict[str, list[Any]]:
    """For each word time, whether some depth of the frame FIFO can be enough for ever (`load`), by counts.

    Lists over the word times: `frames_per_s` that a board builds on average, `capacity_frames_per_s` that its own
    reader can take, `load` (the one over the other), `lasts`.
    """
    from hypermon.monitors.hypermon import load

    spec = spec or recording.spec
    (counts,) = count(recording, [spec])
    loads = [load.of_counts(counts, nested({**spec.values, "pbx.word_ns": word})) for word in word_ns]
    rows = [one.to_dict() for one in loads if one is not None]
    own = {"frames_per_s": "per_s", "capacity_frames_per_s": "capacity_per_s", "load": "load", "lasts": "lasts"}
    return {name: [row[key] for row in rows] for name, key in own.items()}


def timeline(recording: Recording, spec: Spec | None = None, intervals: int = 1000) -> dict[str, Any]:
    """The frame FIFO over time: arrays over about `intervals` equal intervals from time 0 on.

    `begin_s`; `built` and `lost`, frames; `lost_data`, data in lost frames; `peak`, most frames in the FIFO of the
    fullest board; `least`, fewest in the same board's. And `interval_s`; `peak_s`, when the fullest FIFO first held
    what is the most of the whole run; `histogram`: for `frames` in a FIFO the `share_of_time` in which so many are,
    over all boards.
    """
    spec = spec or recording.spec
    length_ns = -(-recording.end_ps // (1000 * 50 * intervals)) * 50
    boards = []
    for board in range(_boards(recording, spec)):
        line = _core.TimeLine(spec.to_json(), length_ns, board)
        with sensible(recording):
            line.program_ends(recording.program_end_ps)
            for b in recording.batches():
                line.add(**b.columns)
            boards.append(line.finish())
    time = _level([line["histogram_ns"] for line in boards]).sum(axis=0)
    most = _level([line["most"] for line in boards])
    fullest = int(most.max(axis=1).argmax())
    peak = most.max(axis=0)
    return {
        "begin_s": np.arange(len(peak)) * length_ns * 1e-9,
        "interval_s": length_ns * 1e-9,
        "peak_s": boards[fullest]["peak_ns"] * 1e-9,
        "built": _level([line["frames_built"] for line in boards]).sum(axis=0),
        "lost": _level([line["frames_lost"] for line in boards]).sum(axis=0),
        "lost_data": _level([line["lost"] for line in boards]).sum(axis=0),
        "peak": peak,
        "least": np.take_along_axis(_level([line["least"] for line in boards]), most.argmax(axis=0)[None], axis=0)[0],
        "histogram": {"frames": np.arange(len(time)), "share_of_time": time / np.sum(time)},
    }


def _level(rows: Sequence[NDArray[Any]]) -> NDArray[Any]:
    """Rows of different lengths as one array, with zeros behind the shorter ones."""
    longest = max(len(row) for row in rows)
    return np.stack([np.pad(row, (0, longest - len(row))) for row in rows])


def _boards(recording: Recording, spec: Spec) -> int:
    """How many there are; a UserError if their frames depend on more than when the nodes write."""
    require_same_emissions(recording, spec)
    if not _core.counts_apart(spec.to_json()):
        raise UserError(
            "ecb.frame_fifo_full = stall, faults and drain programs that take time: the frame FIFO cannot be followed "
            "apart from them; use hypermon replay"
        )
    return -(-int(spec.values["nodes"]) // int(spec.values["ecb.inputs"]))
