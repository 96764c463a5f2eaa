# SPDX-License-Identifier: BSD-3-Clause
"""A sweep that is ready to run, and the rows of its table."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import replace
from pathlib import Path
from typing import Any

from hypermon._engine.runner import RUNS
from hypermon._engine.sweeping import dataset, execute
from hypermon._engine.sweeping import plan as plans
from hypermon._engine.sweeping.dataset import Sweep
from hypermon._engine.sweeping.execute import Progress
from hypermon._engine.sweeping.plan import Part, Plan
from hypermon._engine.sweeping.request import Point, Request
from hypermon._engine.sweeping.space import SEED
from hypermon._engine.sweeping.store import STORE, Entry, Store
from hypermon._engine.sweeping.tasks import Outcome
from hypermon._files import files, leftovers, outputs, results, sums
from hypermon._model import argument_checks
from hypermon._model import metrics as metric_paths
from hypermon.errors import UserError


class Prepared:
    """A sweep that is ready to run: every point is resolved and valid, and the plan is made.

    `build=False`: no code of the user is compiled, for callers that only need the plan. `force`: allows a folder
    that holds other files than a sweep. Files with names that the sweep needs are deleted before the run, all others
    are kept.
    """

    def __init__(
        self,
        request: Request,
        out: str | os.PathLike[str] | None = None,
        jobs: int | None = None,
        build: bool = True,
        force: bool = False,
    ) -> None:
        self.request = request
        self.base, self.points = request.points(build)
        self.folder = Path(out) if out is not None else self._default_folder()
        self.jobs = argument_checks.jobs(jobs)
        self.store = Store(self.folder / STORE)
        self._in_the_way = _in_the_way(self.folder, force)
        alone = request.unobserved(self.points) if metric_paths.needs_unobserved(request.metrics) else []
        wanted = plans.Wanted(
            [*(point.spec for point in self.points), *alone],
            self.base,
            request.metrics,
            (*request.space.paths, *((SEED,) if request.space.repeats is not None else ())),
        )
        plan = plans.make(wanted, request.schema, self.store, self.jobs, recording=request.recording)
        keys, self._alone = plan.keys[: len(self.points)], plan.keys[len(self.points) :]
        self.plan: Plan = replace(plan, keys=keys)

    def _default_folder(self) -> Path:
        request = self.request
        metrics = [metric_paths.definition(metric) for metric in request.metrics]
        what = [dict(self.base.values), request.space.to_json(), metrics]
        if request.recording is not None:
            what.append(request.recording.digest)
        name = hashlib.sha256(json.dumps(what, sort_keys=True).encode()).hexdigest()[:10]
        return RUNS / f"sweep-{request.scenario.name.replace('/', '-')}-{name}"

    def run(self, executor: Executor | None = None, progress: Progress | None = None) -> Sweep:
        """Computes the missing points and writes the results."""
        request, space = self.request, self.request.space
        entries = self._carry_out(self.plan, executor, progress)
        elapsed_s = [entries[key].result.get(metric_paths.ELAPSED) for key in self._alone]
        unobserved_s = dict(zip(self.plan.keys, elapsed_s, strict=False))
        found = rows(self.plan, entries, request.metrics, unobserved_s)
        about = [_about(point) for point in self.points]
        everything = [a | row for a, row in zip(about, found, strict=True)]
        seeds = space.seeds(int(self.base.values[SEED]))
        with self.store.claims.awaited("results"):
            return dataset.write_all(self.folder, request, self.base, seeds, everything, self.store)

    def run_part(self, part: Part, progress: Progress | None = None) -> Outcome:
        """Computes the missing points of one part and returns them. The results are written by a later `run`."""
        plan = self.plan.part(part)
        left = plan.to_do()
        entries = self._carry_out(plan, None, progress)
        return {key: entries[key] for key in (*left.cosims, *(key for group in left.groups for key in group.members))}

    def _carry_out(self, plan: Plan, executor: Executor | None, progress: Progress | None) -> Outcome:
        results.clear(self.folder, self._in_the_way)
        self._in_the_way = []
        self.store.open()
        return execute.run(plan, self.store, self.request.schema.versions, self.jobs, executor, progress)


def rows(
    plan: Plan, entries: Mapping[str, Entry], metrics: Sequence[str], unobserved_s: Mapping[str, float | None]
) -> list[dict[str, Any]]:
    """Returns a row for every point of the plan, in order.

    `unobserved_s`: for `slowdown`, the elapsed time without a monitor by the point's address.
    """
    found: dict[str, dict[str, Any]] = {}
    for key in dict.fromkeys(plan.keys):
        entry, spec = entries[key], plan.specs[key]
        if entry.error:
            found[key] = _failed(plan.how(key), entry.error, metrics)
            continue
        try:
            values = metric_paths.evaluate(metrics, entry.result, spec.values, unobserved_s.get(key))
            found[key] = {"how": entry.how, "status": "ok", "error": None, **values}
        except metric_paths.NotANumberError as error:
            found[key] = _failed(entry.how, str(error), metrics)
    return [found[key] for key in plan.keys]


def _failed(how: str, error: str, metrics: Sequence[str]) -> dict[str, Any]:
    return {"how": how, "status": "failed", "error": files.without_home(error), **dict.fromkeys(metrics)}


def _about(point: Point) -> dict[str, Any]:
    return {**point.varied, "point": point.index, "repeat": point.repeat, SEED: point.spec.values[SEED]}


def _in_the_way(folder: Path, force: bool) -> list[str]:
    """Returns foreign files and folders whose names the sweep needs.

    Without `force`, raises a UserError if the folder holds any foreign files.
    """
    if outputs.require_folder(folder) is None:
        return []
    store = Store(folder / STORE)
    store.refuse_links()
    with files.naming(folder):
        names = {entry.name for entry in folder.iterdir() if not leftovers.NAMES.fullmatch(entry.name)}
        ours = set()
        if STORE in names and (folder / STORE).is_dir() and not store.foreign():
            ours.add(STORE)
        written = {dataset.RESULTS, dataset.MANIFEST}
        killed = STORE in ours and not names & {dataset.MANIFEST, sums.FILE}  # killed before all files were written
        if _is_sweep(folder) or killed or sums.listed_files(folder) == written:  # the last: a sweep, perhaps damaged
            ours |= {*written, sums.FILE}
        others = sorted(names - ours)
        if not others:
            return []
        if force:
            return [name for name in others if name in {STORE, dataset.RESULTS, dataset.MANIFEST, sums.FILE}]
    more = f" and {len(others) - results.SHOWN} more" if len(others) > results.SHOWN else ""
    named = ", ".join(others[: results.SHOWN]) + more
    if not ours:
        raise UserError(f"{folder}: exists and is not a sweep; choose another path (--out), or --force: {named}")
    raise UserError(f"{folder}: contains more than a sweep: {named}; choose another path (--out), or --force")


def _is_sweep(folder: Path) -> bool:
    """Does the folder hold a finished sweep?"""
    try:
        return bool(Sweep(folder).manifest)
    except UserError:
        return False
