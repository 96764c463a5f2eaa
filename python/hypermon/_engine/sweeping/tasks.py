"""What runs in a thread, a process or on another machine: functions of paths and specifications, nothing else.

Processes on other machines need the store's folder (a shared file system) and a worker of the same version.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import threading
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hypermon._engine import replays, runner
from hypermon._engine.sweeping.store import COSIM, COUNTS, FULL, JUDGED, REPLAY, Entry, Store
from hypermon._engine.workers import Workers
from hypermon._model.activity import PICTURE, PIECES
from hypermon._model.schema import nested
from hypermon._model.spec import Spec
from hypermon.errors import DamagedError, HypermonError, SimulationError
from hypermon.judging import judge


@dataclass(frozen=True)
class Task:
    """One piece of work; `specs` by their address. `recording`: the address of what is replayed."""

    store: str
    versions: Mapping[str, str]
    specs: Mapping[str, Spec]
    detail: str = FULL
    recording: str = ""


Outcome = dict[str, Entry]


def simulate(task: Task, workers: Workers | None = None) -> Outcome:
    """Co-simulates one point; the run directory is not kept."""
    ((key, spec),) = task.specs.items()
    with _folder(task, key) as folder:
        try:
            judged = task.detail == JUDGED
            result = runner.simulate(spec, folder, workers=workers, activity=PIECES if judged else 0)
            kept = _kept(result, task)
            if judged:
                kept[PICTURE] = judge(result).to_dict(nodes=False)
            return {key: Entry(COSIM, task.detail, kept, result.host.get("wall_s"))}
        except Exception as error:
            return {key: Entry(COSIM, task.detail, {}, error=_said(error))}


def record(task: Task, workers: Workers | None = None) -> Outcome:
    """Co-simulates and keeps the recording in the store. The entry is of the recording, not of a point."""
    ((key, spec),) = task.specs.items()
    kept = Store(Path(task.store)).recording(key)
    with _folder(task, key) as folder:
        try:
            recorded = _replays(spec).record_spec(spec, folder, workers=workers)
            entry = Entry(COSIM, FULL, _kept(recorded.result, task))
            shutil.rmtree(kept, ignore_errors=True)  # a damaged one
            folder.rename(kept)
            return {key: entry}
        except Exception as error:
            return {key: Entry(COSIM, FULL, {}, error=_said(error))}


def replay(task: Task) -> Outcome:
    """Replays designs over one recording. If together they fail, each alone tells which.

    A damaged recording is an error of its own: it is to be made again.
    """
    start = time.perf_counter()
    try:
        results = _replay(task)
    except DamagedError:
        raise
    except Exception as error:
        if len(task.specs) == 1:
            return {key: Entry(REPLAY, task.detail, {}, error=_said(error)) for key in task.specs}
        alone = [
            Task(task.store, task.versions, {key: spec}, task.detail, task.recording)
            for key, spec in task.specs.items()
        ]
        return {key: entry for one in alone for key, entry in replay(one).items()}
    wall_s = (time.perf_counter() - start) / len(results)
    return {key: Entry(REPLAY, task.detail, r, wall_s) for key, r in zip(task.specs, results, strict=True)}


def _replay(task: Task) -> list[dict[str, Any]]:
    specs = list(task.specs.values())
    how = _replays(specs[0])
    recorded = how.opened(Store(Path(task.store)).recording(task.recording))
    if task.detail == COUNTS:
        return [nested(row) for row in how.count(recorded, specs)]
    return [_kept(how.replay_spec(recorded, spec), task) for spec in specs]


def _replays(spec: Spec) -> replays.Replays:
    found = replays.of(spec)
    if found is None:
        raise SimulationError(f"monitor = {spec.values['monitor']}: has no replays here")
    return found


def _kept(result: Mapping[str, Any], task: Task) -> dict[str, Any]:
    """The result without the specification, which the address stands for."""
    if dict(result["versions"]) != dict(task.versions):
        raise SimulationError(f"the worker is another version: {json.dumps(dict(result['versions']))}")
    return {name: value for name, value in result.items() if name != "spec"}


@contextlib.contextmanager
def _folder(task: Task, key: str) -> Iterator[Path]:
    """A place for a run directory; removed, if it has not been moved away."""
    folder = Store(Path(task.store)).under_way / f"{key}-{os.getpid()}-{threading.get_ident()}"
    try:
        yield folder
    finally:
        for left in (folder, runner.failed_folder(folder)):
            shutil.rmtree(left, ignore_errors=True)


def _said(error: Exception) -> str:
    """One line for a person; an error that is ours says of which kind it is."""
    if isinstance(error, HypermonError):
        return str(error).partition(runner.WHAT_THEY_WROTE)[0]  # which is not kept either
    return f"{type(error).__name__}: {error}"
