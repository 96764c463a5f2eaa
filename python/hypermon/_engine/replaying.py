# SPDX-License-Identifier: BSD-3-Clause
"""Replays: simulations of the hardware alone, driven by a recording, with the same result as a co-simulation.

Without MPI program and network, a replay is faster. Parameters behind the nodes' outlets (`Parameter.behind_ports`) do
not change the data that the nodes write, unless the hardware applies back-pressure to the nodes; all other parameters
may change them. A replay whose result would differ from that of a co-simulation is refused.
"""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Unpack

import numpy as np

from hypermon._engine import replays, runner
from hypermon._engine.limits import Limits
from hypermon._engine.recording import Recording
from hypermon._files import files, results, scratch
from hypermon._inputs import scenario
from hypermon._inputs.programs import rtl
from hypermon._model import argument_checks, worker
from hypermon._model.native import _core
from hypermon._model.result import RECORDING, RESULT, Result
from hypermon._model.schema import Schema, common_path
from hypermon._model.spec import Spec
from hypermon.errors import SimulationError, UserError

if TYPE_CHECKING:
    from hypermon._core import EventColumns, SpuriousColumns
    from hypermon.parameters import Parameters


def replay(
    recording: Recording | str | os.PathLike[str],
    settings: Mapping[str, Any] | None = None,
    *,
    presets: Sequence[str] = (),
    out: str | os.PathLike[str] | None = None,
    force: bool = False,
    **parameters: Unpack[Parameters],
) -> Result:
    """Replays a recording with other hardware (`hypermon replay`). The result is exactly that of a co-simulation.

    Args:
        recording: A recording, its file or its run directory.
        settings: Parameters that override those of the recorded run, as in `hypermon.run`.
        presets: Presets over the parameters of the recorded run, as in `hypermon.run`.
        out: A run directory for the result. By default the result is kept in memory only.
        force: As in `hypermon.run`.
        parameters: As in `hypermon.run`.

    Returns:
        The whole result.

    Raises:
        UserError: A changed parameter influences the data that the nodes write, or the recording is damaged.

    Example:
        >>> recording = hypermon.record("table2/matmul", nodes=2, matmul={"size": 16})
        >>> hypermon.replay(recording).fingerprint == recording.result["fingerprint"]
        True
    """
    source = recording if isinstance(recording, Recording) else Recording(recording)
    spec = resolve(source, argument_checks.settings(settings, parameters, replay), presets)
    return replay_spec(source, spec, Path(out) if out is not None else None, force)


def resolve(
    recording: Recording, settings: Mapping[str, Any], presets: Sequence[str] = (), where: str = "hypermon.replay"
) -> Spec:
    """Returns the recorded run's specification, overridden by the presets and parameters."""
    return scenario.override(recording.spec, worker.schema(), settings, presets, where)


def replay_spec(
    recording: Recording, spec: Spec, out: str | os.PathLike[str] | None = None, force: bool = False
) -> Result:
    """Replays a recording with a resolved specification."""
    require_same_emissions(recording, spec)
    if out is None:
        with tempfile.TemporaryDirectory() as folder:
            return Result(None, _replay(recording, spec, Path(folder)))
    out = Path(out)
    files.keep(out, recording.path, *files.named_by(spec.values))
    lost = (RECORDING, runner.WAVES)
    with results.whole_folder(out, runner.RUN, force=force, lost=lost) as partial:
        with files.naming(out / RESULT):
            (partial / runner.SPEC).write_text(spec.to_json(), encoding="utf-8")
            (partial / RESULT).write_text(_replay(recording, spec, partial), encoding="utf-8")
        runner.seal(partial)
    return Result(out)


@dataclass(frozen=True)
class Fates:
    """The fate of every event of a replay. Its memory does not grow with the number of events.

    Attributes:
        events, spurious: Number of events and of spurious events, by node.
        causes: Stage and cause of each possible loss.
    """

    recording: Recording
    events: Sequence[int]
    spurious: Sequence[int]
    causes: Sequence[tuple[str, str]]
    _run: _core.Replay

    def in_order(self) -> Iterator[EventColumns]:
        """Iterates over all events in the order of the recording, in parts. Without events there is one empty part."""
        reader = self._run.fate_reader()
        if not len(self.recording):
            yield reader.events(np.empty(0, np.uint16))
        for b in self.recording.batches():
            for part in scratch.pieces(len(b)):
                yield reader.events(b.node[part])

    def of_node(self, node: int) -> Iterator[EventColumns]:
        """Iterates over a node's events in order, in parts."""
        reader = self._run.fate_reader()
        for part in scratch.pieces(self.events[node]):
            yield reader.events(np.full(part.stop - part.start, node, np.uint16))

    def spurious_of_node(self, node: int) -> Iterator[SpuriousColumns]:
        """Iterates over events that were decoded for a node but never emitted, in order of arrival, in parts."""
        reader = self._run.fate_reader()
        for part in scratch.pieces(self.spurious[node]):
            yield reader.spurious(np.full(part.stop - part.start, node, np.uint16))


def fates(recording: Recording, spec: Spec) -> tuple[Result, Fates]:
    """Returns a replay's result and the fate of every event. The public interface is hypermon.timelines."""
    require_same_emissions(recording, spec)
    if spec.values["workload"] == "stream":
        raise UserError("workload = stream: its events are not decoded: they have no types to draw or to list")
    if parameter := replays.require(spec).in_simulator(spec):
        raise UserError(
            f"{parameter}: runs in SystemC, where a replay does not keep the fates of events; use hypermon run"
        )
    with tempfile.TemporaryDirectory() as folder:
        run = _core.Replay(spec.to_json(), folder, fates=True)
        result = Result(None, _feed(run, recording, spec, fates=True))
        return result, Fates(recording, *run.fates(), run)


def _replay(recording: Recording, spec: Spec, folder: Path) -> str:
    if replays.require(spec).in_simulator(spec):
        return replay_in_simulator(recording, spec, folder)
    return _feed(_core.Replay(spec.to_json(), str(folder)), recording, spec)


def replay_in_simulator(recording: Recording, spec: Spec, folder: Path, waves: str | None = None) -> str:
    """Replays in a process of the worker, which writes the hardware's files into the folder, and returns the result.

    `waves`: a request for waves of the hardware, as JSON, as in `runner.Leaves`.
    """
    request = {
        "recorded": json.loads(recording.result_text),
        "scenario": spec.scenario,
        "program_end_ps": recording.program_end_ps,
        "begin_ps": recording.begin_ps,
        "end_ps": recording.end_ps,
    }
    with tempfile.TemporaryDirectory() as own, (Path(own) / "stderr").open("w+b") as stderr:
        (Path(own) / "spec.json").write_text(spec.to_json(), encoding="utf-8")
        (Path(own) / "request.json").write_text(json.dumps(request), encoding="utf-8")
        command = [*worker.program(), f"{own}/spec.json", "--out", str(folder.absolute()), "--parent", str(os.getpid())]
        if waves is not None:
            (Path(own) / "waves.json").write_text(waves, encoding="utf-8")
            command += ["--waves", f"{own}/waves.json"]
        process = subprocess.Popen(
            [*command, "--replay", f"{own}/request.json"],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=stderr,
            start_new_session=True,
        )
        try:
            assert process.stdin is not None
            with (
                contextlib.suppress(BrokenPipeError),
                process.stdin as rows,
            ):  # the worker gives the reason why it has ended
                _send_rows(rows, recording, spec)
            status = process.wait()
        finally:
            process.kill()
            process.wait()
        stderr.seek(0)
        try:
            worker.judge(status, stderr.read().decode(errors="backslashreplace").splitlines())
        except (SimulationError, UserError) as error:
            raise rtl.with_source_named(error, spec.values) from None
    return (folder / RESULT).read_text(encoding="utf-8")


def _send_rows(rows: IO[bytes], recording: Recording, spec: Spec) -> None:
    """Writes the recording in the format of the worker (platforms/worker/replay.hpp)."""
    limits = Limits(spec)
    for b in recording.batches():
        limits.check(int(b.first_ps[0]), recording.end_ps)
        rows.write(np.array([len(b), len(b.data)], np.uint64).tobytes())
        for column in (b.node, b.first_ps, b.offsets, b.data, b.message, b.side):
            rows.write(column.tobytes())


def _feed(run: _core.Replay, recording: Recording, spec: Spec, fates: bool = False) -> str:
    limits = Limits(spec)
    datum_bytes = replays.by(recording).outlet(recording.spec).datum_bytes if fates else 1
    with sensible(recording):
        run.program_ends(recording.program_end_ps)
        for b in recording.batches():
            limits.check(int(b.first_ps[0]), recording.end_ps)
            if fates:
                run.emits(node=b.node, emission_ps=b.spacing_ps * (np.diff(b.offsets) // datum_bytes))
            run.add(node=b.node, first_ps=b.first_ps, offsets=b.offsets, data=b.data, message=b.message, side=b.side)
        return run.finish(
            recorded=recording.result_text,
            scenario=spec.scenario,
            begin_ps=recording.begin_ps,
            end_ps=recording.end_ps,
        )


@contextlib.contextmanager
def sensible(recording: Recording) -> Iterator[None]:
    """Raises a UserError if a recording holds rows that no node can have written.

    A recording made by another program may hold such rows: its checksums are right, but nothing has checked the rows.
    """
    try:
        yield
    except ValueError as error:
        raise UserError(f"{recording.path}: has data that no node writes: {error}") from None
    except RuntimeError as error:  # an impossible row that only the hardware model detects, or a full disk
        message = str(error)
        raise SimulationError(f"{recording.path}: {message}" if message.startswith("internal") else message) from None


def applies_back_pressure(spec: Spec) -> bool:
    """Does the hardware apply back-pressure to the nodes, so that only a co-simulation gives the result?"""
    return _core.applies_back_pressure(spec.native)


def emission_parameters(spec: Spec) -> dict[str, Any]:
    """Returns the parameters that influence the data that the nodes write, provided that there is no back-pressure."""
    parameters: dict[str, Any] = json.loads(_core.emission_parameters(spec.native))
    return parameters


class Emissions:
    """`emission_parameters` of many specifications, as texts. Equal texts mean that the nodes write the same data."""

    def __init__(self, schema: Schema) -> None:
        self._behind = {path for path, parameter in schema.parameters.items() if parameter.behind_ports}
        self._known: dict[str, str] = {}

    def text(self, spec: Spec) -> str:
        before = spec.text_of(self._is_before)
        if before not in self._known:
            self._known[before] = _core.emission_parameters(spec.native)
        return self._known[before]

    def _is_before(self, path: str) -> bool:
        return common_path(path) not in self._behind


def require_recordable(spec: Spec) -> None:
    """Raises a UserError if a run with this specification cannot be replayed, even with unchanged hardware."""
    how = replays.require(spec)
    if applies_back_pressure(spec):
        raise UserError(
            f"{how.ACTS_BACK} feed back to the nodes: their data are valid for this hardware alone, so there is"
            " nothing to replay; use hypermon run"
        )


def require_same_emissions(recording: Recording, spec: Spec) -> None:
    """Raises a UserError if a replay of `recording` with `spec` would differ from a co-simulation."""
    require_recordable(spec)
    replays.require(spec).require_replayable(spec)
    recorded = emission_parameters(recording.spec)
    wanted = emission_parameters(spec)
    is_stream = recording.spec.values["workload"] == "stream"
    again = "import the stream again" if is_stream else "use hypermon run, or record again"
    for path in recorded | wanted:
        if recorded.get(path) != wanted.get(path):
            raise UserError(
                f"{path} = {wanted.get(path)}: the data that the nodes write depend on it, and it was recorded with "
                f"{recorded.get(path)}; {again}"
            )
