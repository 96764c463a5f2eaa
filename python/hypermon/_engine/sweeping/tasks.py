# SPDX-License-Identifier: BSD-3-Clause
"""The tasks of a sweep, which may run in a thread, in a process or on another machine.

They are functions of paths and specifications only. Processes on other machines need access to the store's folder (a
shared file system) and a worker of the same version. Each task is claimed first (claims.py); a TakenError means that
another process has claimed it.
"""

from __future__ import annotations

import contextlib
import dataclasses
import hashlib
import json
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hypermon._engine import recorder, replaying, replays, runner
from hypermon._engine.recording import Recording
from hypermon._engine.sweeping.store import COSIM, COUNTS, FULL, JUDGED, REPLAY, Entry, Store
from hypermon._engine.workers import Workers
from hypermon._model.activity import PICTURE, PIECES
from hypermon._model.result import Result
from hypermon._model.schema import nested
from hypermon._model.spec import Spec
from hypermon.errors import DamagedError, HypermonError, SimulationError
from hypermon.judging import judge
from hypermon.judging.version import version as judging_version


@dataclass(frozen=True)
class Task:
    """A task of a sweep.

    `specs`: the points by address. `recording`: the address of the recording to replay. `given`: the path of its file,
    if it is not in the store.
    """

    store: str
    versions: Mapping[str, str]
    specs: Mapping[str, Spec]
    detail: str = FULL
    recording: str = ""
    given: str = ""
    anew: bool = False  # replace the existing recording, which is damaged


RUN = "run"  # the run directory's name in a claim's folder
Outcome = dict[str, Entry]


def simulate(task: Task, workers: Workers | None = None) -> Outcome:
    """Co-simulates one point; the run directory is not kept."""
    ((key, spec),) = task.specs.items()
    store = Store(Path(task.store))
    with store.claims.held(key) as folder:
        if (found := store.found([key], task.detail)) is not None:
            return found
        try:
            judged = task.detail == JUDGED
            leaves = runner.Leaves(activity=PIECES if judged else 0)
            result = runner.simulate(spec, folder / RUN, workers=workers, leaves=leaves)
            checked = _checked(result, task)
            entry = Entry(COSIM, task.detail, checked, result.host.get("wall_s"))
            return _kept({key: _judged(entry, result) if judged else entry}, store)
        except Exception as error:
            return {key: Entry(COSIM, task.detail, {}, error=_error_text(error))}


def _judged(entry: Entry, result: Result) -> Entry:
    """Adds the error of the monitor's data to an entry, and the host time of judging to the entry's."""
    begin = time.perf_counter()
    found = {**entry.result, PICTURE: judge(result).to_dict(nodes=False)}
    by = judging_version(str(result["spec"]["monitor"]))
    wall_s = None if entry.wall_s is None else entry.wall_s + time.perf_counter() - begin
    return dataclasses.replace(entry, result=found, wall_s=wall_s, judged_by=by)


def record(task: Task, workers: Workers | None = None) -> Outcome:
    """Co-simulates and keeps the recording in the store. The returned entry describes the recording, not a point."""
    ((key, spec),) = task.specs.items()
    store = Store(Path(task.store))
    kept = store.recording(key)
    with store.claims.held(key) as folder:
        if not task.anew and store.has_recording(key):
            return {key: Entry(COSIM, FULL, {})}
        try:
            recorded = recorder.record_spec(spec, folder / RUN, workers=workers)
            _checked(recorded.result, task)
            with contextlib.suppress(FileNotFoundError):
                kept.rename(folder / "damaged")
            (folder / RUN).rename(kept)
            return {key: Entry(COSIM, FULL, {})}
        except Exception as error:
            return {key: Entry(COSIM, FULL, {}, error=_error_text(error))}


def replay(task: Task) -> Outcome:
    """Replays designs from one recording. If this fails, replays them one by one to find the failing ones.

    Raises a DamagedError if the recording is damaged, so that it can be made again.
    """
    store = Store(Path(task.store))
    with store.claims.held(_name_of(task)):
        found = store.found(task.specs.keys(), task.detail)
        return found if found is not None else _kept(_replayed(task), store)


def _replayed(task: Task) -> Outcome:
    start = time.perf_counter()
    try:
        results = _replay(task)
    except DamagedError:
        raise
    except Exception as error:
        if len(task.specs) == 1:
            return {key: Entry(REPLAY, task.detail, {}, error=_error_text(error)) for key in task.specs}
        alone = [dataclasses.replace(task, specs={key: spec}) for key, spec in task.specs.items()]
        return {key: entry for one in alone for key, entry in _replayed(one).items()}
    wall_s = (time.perf_counter() - start) / len(results)
    return {key: Entry(REPLAY, task.detail, r, wall_s) for key, r in zip(task.specs, results, strict=True)}


def _name_of(task: Task) -> str:
    """Returns the name of the task's claim, which is the same for equal tasks of all processes."""
    return hashlib.sha256(" ".join((task.detail, *task.specs)).encode()).hexdigest()[:32]


def _replay(task: Task) -> list[dict[str, Any]]:
    specs = list(task.specs.values())
    recorded = Recording(task.given or Store(Path(task.store)).recording(task.recording))
    if task.detail == COUNTS:
        return [nested(row) for row in replays.require(specs[0]).count(recorded, specs)]
    return [_checked(replaying.replay_spec(recorded, spec), task) for spec in specs]


def _checked(result: Mapping[str, Any], task: Task) -> dict[str, Any]:
    """Checks the worker's version. Returns the result without the specification, which the address determines."""
    if not task.given and dict(result["versions"]) != dict(task.versions):
        raise SimulationError(f"the worker is another version: {json.dumps(dict(result['versions']))}")
    return {name: value for name, value in result.items() if name != "spec"}


def _kept(outcome: Outcome, store: Store) -> Outcome:
    """Stores the outcome. Called before the claim is released, so that the next holder finds it."""
    store.put(outcome)
    return outcome


def _error_text(error: Exception) -> str:
    """Returns the text of an error. Errors other than hypermon's begin with their type."""
    if isinstance(error, HypermonError):
        return str(error).partition(runner.WHAT_THEY_WROTE)[0]  # their output is not kept
    return f"{type(error).__name__}: {error}"
