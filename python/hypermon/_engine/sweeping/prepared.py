# SPDX-License-Identifier: BSD-3-Clause
"""A sweep that can be run, and its rows."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping, Sequence
from concurrent.futures import Executor
from pathlib import Path
from typing import Any

from hypermon._engine.runner import RUNS
from hypermon._engine.sweeping import dataset, execute
from hypermon._engine.sweeping import metrics as metric_paths
from hypermon._engine.sweeping import plan as plans
from hypermon._engine.sweeping.dataset import Sweep
from hypermon._engine.sweeping.execute import Progress
from hypermon._engine.sweeping.plan import Part, Plan
from hypermon._engine.sweeping.request import Point, Request
from hypermon._engine.sweeping.space import SEED
from hypermon._engine.sweeping.store import STORE, Entry, Store
from hypermon._engine.sweeping.tasks import Outcome
from hypermon._files import files
from hypermon.errors import UserError


class Prepared:
    """A sweep that can be run: every point is resolved and valid, and its plan is made.

    `build=False`: only the plan is wanted, and no user's program is compiled for it.
    """

    def __init__(
        self, request: Request, out: str | os.PathLike[str] | None = None, jobs: int | None = None, build: bool = True
    ) -> None:
        self.request = request
        self.base, self.points = request.points(build)
        self.folder = Path(out) if out is not None else self._default_folder()
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
        found = rows(self.plan, self._carry_out(self.plan, executor, progress), request.metrics)
        about = [_about(point) for point in self.points]
        everything = [a | row for a, row in zip(about, found, strict=True)]
        seeds = space.seeds(int(self.base.values[SEED]))
        with self.store.claims.awaited("results"):
            return dataset.write_all(self.folder, request, self.base, seeds, everything, self.store)

    def run_part(self, part: Part, progress: Progress | None = None) -> Outcome:
        """Computes of what the folder does not have only a part, which is returned; the whole writes the results."""
        plan = self.plan.part(part)
        left = plan.to_do()
        entries = self._carry_out(plan, None, progress)
        return {key: entries[key] for key in (*left.cosims, *(key for group in left.groups for key in group.members))}

    def _carry_out(self, plan: Plan, executor: Executor | None, progress: Progress | None) -> Outcome:
        self.store.open()
        return execute.run(plan, self.store, self.request.schema.versions, self.jobs, executor, progress)


def rows(plan: Plan, entries: Mapping[str, Entry], metrics: Sequence[str]) -> list[dict[str, Any]]:
    """One for every point of the plan, in order."""
    found: dict[str, dict[str, Any]] = {}
    for key, spec in plan.specs.items():
        entry = entries[key]
        if entry.error:
            found[key] = _failed(plan.how(key), entry.error, metrics)
            continue
        try:
            values = metric_paths.evaluate(metrics, entry.result, spec.values)
            found[key] = {"how": entry.how, "status": "ok", "error": None, **values}
        except metric_paths.NotANumberError as error:
            found[key] = _failed(entry.how, str(error), metrics)
    return [found[key] for key in plan.keys]


def _failed(how: str, error: str, metrics: Sequence[str]) -> dict[str, Any]:
    return {"how": how, "status": "failed", "error": files.without_home(error), **dict.fromkeys(metrics)}


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
