"""Replays: the hardware alone, driven by a recording. No MPI program, no network: the same result, sooner.

A parameter behind the nodes' ports (`Parameter.behind_ports`) does not change what the nodes write, unless the hardware
acts back on them; those before the ports do. A replay that would not give what a co-simulation gives is refused.
"""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from hypermon import runner, worker
from hypermon.errors import UserError
from hypermon.native import _core
from hypermon.recording import Recording
from hypermon.result import RESULT, Result
from hypermon.scenario import Spec, read_preset
from hypermon.scenario import folder as scenarios_folder
from hypermon.schema import canonical, flat


def replay(
    recording: Recording | str | os.PathLike[str],
    settings: Mapping[str, Any] | None = None,
    *,
    presets: Sequence[str] = (),
    out: str | os.PathLike[str] | None = None,
    **parameters: Any,
) -> Result:
    """What the recorded run would have been with other hardware: its whole result, byte for byte as co-simulated.

    Presets and parameters as in `hypermon.run`, over those of the recorded run. `out`: a run directory for it; else the
    result is in memory only. A UserError if what the nodes write depends on a parameter that differs.
    """
    source = recording if isinstance(recording, Recording) else Recording(recording)
    spec = resolve(source, flat(settings or {}) | flat(parameters), presets)
    return replay_spec(source, spec, Path(out) if out is not None else None)


def resolve(
    recording: Recording, settings: Mapping[str, Any], presets: Sequence[str] = (), where: str = "hypermon.replay"
) -> Spec:
    """The recorded run's specification with presets and parameters over it."""
    schema = worker.schema()
    values = dict(recording.spec.values)
    for name in presets:
        for path, item in read_preset(scenarios_folder(), name, "--preset").items():
            values[path] = schema.parameter(path, item.where).parse(item.value, item.where)
    for path, raw in settings.items():
        values[path] = schema.parameter(path, where).parse(raw, where)
    spec = Spec(recording.spec.scenario, canonical(values))
    worker.check(spec.to_json())
    return spec


def replay_spec(recording: Recording, spec: Spec, out: Path | None = None) -> Result:
    """The same for a resolved specification."""
    require_same_emissions(recording, spec)
    if out is None:
        with tempfile.TemporaryDirectory() as scratch:
            return Result(None, _replay(recording, spec, Path(scratch)))
    with runner.whole_folder(out, marker=RESULT) as partial:
        (partial / "spec.json").write_text(spec.to_json(), encoding="utf-8")
        (partial / RESULT).write_text(_replay(recording, spec, partial), encoding="utf-8")
    return Result(out)


def _replay(recording: Recording, spec: Spec, folder: Path) -> str:
    run = _core.Replay(spec.to_json(), str(folder))
    for b in recording.batches():
        run.add(node=b.node, first_ps=b.first_ps, offsets=b.offsets, data=b.data, message=b.message, side=b.side)
    return run.finish(
        recorded=recording.result_text,
        scenario=spec.scenario,
        begin_ps=recording.begin_ps,
        end_ps=recording.end_ps,
    )


def acts_back(spec: Spec) -> bool:
    """Does the hardware act back on the machine, so that only a co-simulation gives the result?"""
    return _core.acts_back(spec.to_json())


def emission_parameters(spec: Spec) -> dict[str, Any]:
    """Path and value of every parameter that what the nodes write depends on, if the hardware does not act back."""
    parameters: dict[str, Any] = json.loads(_core.emission_parameters(spec.to_json()))
    return parameters


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
    recorded = emission_parameters(recording.spec)
    wanted = emission_parameters(spec)
    for path in recorded | wanted:
        if recorded.get(path) != wanted.get(path):
            raise UserError(
                f"{path} = {wanted.get(path)}: what the nodes write depends on it, and it was recorded with "
                f"{recorded.get(path)}; use hypermon run, or record again"
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
    """For each specification the numbers of COUNTED, by their paths: equal to those of `replay`, sooner for many."""
    rows = []
    for spec in specs:
        result = flat(replay_spec(recording, spec).to_dict())
        rows.append({path: result[path] for path in sorted(COUNTED)})
    return rows
