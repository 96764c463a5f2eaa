"""`hypermon.sweep` and what sizing and optimisers use: from what is asked to rows."""

from __future__ import annotations

import hashlib
import json
import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import Executor
from pathlib import Path
from typing import Any

from hypermon import worker
from hypermon.errors import UserError
from hypermon.runner import RUNS
from hypermon.scenario import Spec
from hypermon.schema import flat
from hypermon.sweeping import dataset, execute
from hypermon.sweeping import metrics as metric_paths
from hypermon.sweeping import plan as plans
from hypermon.sweeping import request as requests
from hypermon.sweeping.dataset import Sweep
from hypermon.sweeping.execute import Progress
from hypermon.sweeping.plan import Plan
from hypermon.sweeping.request import Point, Request, Section
from hypermon.sweeping.space import SEED, Said
from hypermon.sweeping.store import STORE, Entry, Store

EVALUATIONS = RUNS / "evaluations"  # what `evaluate` keeps, unless told otherwise
PYTHON = "hypermon.sweep"  # where a mistake was made


def sweep(
    scenario: str,
    *,
    vary: Mapping[str, Any] | None = None,
    zip: Iterable[Sequence[str]] = (),
    where: str | Sequence[str] = (),
    repeats: int | Sequence[int] | None = None,
    metrics: Sequence[str] = (),
    settings: Mapping[str, Any] | None = None,
    presets: Sequence[str] = (),
    platform: str | os.PathLike[str] | None = None,
    out: str | os.PathLike[str] | None = None,
    executor: Executor | None = None,
    jobs: int | None = None,
    progress: Progress | None = None,
    **parameters: Any,
) -> Sweep:
    """Runs a scenario at every point of a space; what a recording answers is replayed, the rest co-simulated.

    scenario: a scenario, or a YAML file of a sweep; what is given here goes over what the file says.
    vary: values by parameter path, in the parameter's unit: a list, a NumPy array, `log2_range(64, 65536)`, or a text
        as on the command line: "64:1024:64", "64:65536:log2", "1us:1ms:log7", "0.4us,0.8us". The product of all is run.
    zip: groups of varied paths that take their values together instead: [("nodes", "place.attempts")].
    where: conditions over parameters: "ecb.frame_fifo_frames * pbx.word_ns <= 1e6".
    repeats: how often each point is run, with seeds from the scenario's on; or the seeds.
    metrics: paths into the result, or arithmetic over them (`hypermon params result`).
    settings, presets, platform, parameters: as in `hypermon.run`, for all points.
    out: the sweep's folder, by default runs/sweep-<scenario>-<hash>. What is finished there is not computed again.
    executor: any `concurrent.futures.Executor`, say Dask's `client.get_executor()`; by default `jobs` at a time here.
    progress: called as progress(points, failed) when points finish; by default a bar, after the plan, on a terminal.

    A point that fails is a row with its error. Raises UserError before anything runs if any point cannot be.
    """
    request = asked(
        scenario,
        vary=vary or {},
        zips=list(zip),
        conditions=[where] if isinstance(where, str) else list(where),
        repeats=repeats,
        metrics=list(metrics),
        settings=flat(settings or {}) | flat(parameters),
        presets=presets,
        platform=platform,
    )
    prepared = Prepared(request, Path(out) if out is not None else None, jobs)
    return _watched(prepared, executor) if progress is None else prepared.run(executor, progress)


def _watched(prepared: Prepared, executor: Executor | None) -> Sweep:
    from hypermon.cli import progress  # Rich, which nothing else here needs
    from hypermon.sweeping import describing

    if sys.stderr.isatty():
        print(describing.describe(prepared), file=sys.stderr)
    left = prepared.plan.to_do()
    with progress.points(prepared.request.scenario.name, len(left.cosims) + left.replays) as report:
        return prepared.run(executor, report)


def asked(
    target: str,
    *,
    vary: Mapping[str, object],
    zips: Sequence[object],
    conditions: Sequence[str],
    repeats: object,
    metrics: Sequence[str],
    settings: Mapping[str, object],
    presets: Sequence[str],
    platform: str | os.PathLike[str] | None = None,
    where: str = PYTHON,
) -> Request:
    """The request, from plain values that were all said in one place."""
    section = Section(
        vary={path: Said(values, where) for path, values in vary.items()},
        zips=[Said(paths, where) for paths in zips],
        conditions=[Said(text, where) for text in conditions],
        repeats=None if repeats is None else Said(repeats, where),
        metrics=Said([Said(metric, where) for metric in metrics], where) if metrics else None,
    )
    return requests.make(target, worker.schema(), section, settings, presets, where, platform)


class Prepared:
    """A sweep that can be run: every point is resolved and valid, and its plan is made.

    `build=False`: only the plan is wanted, and no user's program is compiled for it.
    """

    def __init__(self, request: Request, out: Path | None = None, jobs: int | None = None, build: bool = True) -> None:
        self.request = request
        self.base, self.points = request.points(build)
        self.folder = out if out is not None else self._default_folder()
        self.jobs = jobs or os.cpu_count() or 1
        self.store = Store(self.folder / STORE)
        if self.folder.exists() and not _ours(self.folder):
            raise UserError(f"{self.folder}: exists and is no sweep; choose another place (--out)")
        self.plan: Plan = plans.make(
            [point.spec for point in self.points],
            self.base,
            request.metrics,
            request.schema,
            self.store,
            self.jobs,
            varied=(*request.space.paths, *((SEED,) if request.space.repeats is not None else ())),
        )

    def _default_folder(self) -> Path:
        request = self.request
        what = [dict(self.base.values), request.space.to_json(), request.metrics]
        name = hashlib.sha256(json.dumps(what, sort_keys=True).encode()).hexdigest()[:10]
        return RUNS / f"sweep-{request.scenario.name.replace('/', '-')}-{name}"

    def run(self, executor: Executor | None = None, progress: Progress | None = None) -> Sweep:
        """Computes what the folder does not have and writes the results."""
        request, space = self.request, self.request.space
        with self.store.lock():
            errors = execute.run(self.plan, self.store, request.schema.versions, self.jobs, executor, progress)
            found = rows(self.plan, self.store.load(), errors, request.metrics)
            about = [_about(point) for point in self.points]
            everything = [a | row for a, row in zip(about, found, strict=True)]
            seeds = space.seeds(int(self.base.values[SEED]))
            dataset.write_all(self.folder, request, self.base, seeds, everything, self.store)
        return Sweep(self.folder)


def evaluate(
    specs: Sequence[Spec],
    metrics: Sequence[str],
    *,
    recordings_folder: str | os.PathLike[str] = EVALUATIONS,
    executor: Executor | None = None,
    jobs: int | None = None,
) -> list[dict[str, Any]]:
    """A row for every specification: `how`, `status` ("ok" or "failed"), `error`, and the metrics by their paths.

    `recordings_folder` keeps recordings and finished points: what was computed once is not computed again. A recording
    is made even for a single point, since others that it answers will follow.
    """
    if not specs:
        return []
    schema = worker.schema()
    wanted = metric_paths.check(metrics, schema, "evaluate")
    store = Store(Path(recordings_folder))
    at_once = jobs or os.cpu_count() or 1
    with store.lock(wait=True):
        plan = plans.make(specs, specs[0], wanted, schema, store, at_once, record_single=True)
        errors = execute.run(plan, store, schema.versions, at_once, executor)
        return rows(plan, store.load(), errors, wanted)


def rows(
    plan: Plan, entries: Mapping[str, Entry], errors: Mapping[str, str], metrics: Sequence[str]
) -> list[dict[str, Any]]:
    """One for every point of the plan, in order."""
    found: dict[str, dict[str, Any]] = {}
    for key, spec in plan.specs.items():
        entry = entries.get(key)
        if key in errors or entry is None:  # an earlier entry may lack what is asked for now
            found[key] = _failed(plan.how(key), errors[key], metrics)
            continue
        try:
            values = metric_paths.evaluate(metrics, entry.result, spec.values)
            found[key] = {"how": entry.how, "status": "ok", "error": None, **values}
        except metric_paths.NotANumberError as error:
            found[key] = _failed(entry.how, str(error), metrics)
    return [found[key] for key in plan.keys]


def _failed(how: str, error: str, metrics: Sequence[str]) -> dict[str, Any]:
    return {"how": how, "status": "failed", "error": error, **dict.fromkeys(metrics)}


def _about(point: Point) -> dict[str, Any]:
    return {**point.varied, "point": point.index, "repeat": point.repeat, SEED: point.spec.values[SEED]}


def _ours(folder: Path) -> bool:
    """Is it empty, or what a sweep left there, finished or not?"""
    if not folder.is_dir():
        return False
    if (folder / STORE).is_dir():
        return Store(folder / STORE).is_ours()
    try:
        return not any(folder.iterdir()) or bool(Sweep(folder).manifest)
    except UserError:
        return False
