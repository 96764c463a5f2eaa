# SPDX-License-Identifier: BSD-3-Clause
"""The designs that sizing and trade-off studies evaluate: variants of a scenario or of recordings."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeAlias, cast

from hypermon._engine import replaying, replays, unobserved
from hypermon._engine.recording import Recording
from hypermon._inputs import platforms
from hypermon._inputs import scenario as scenarios
from hypermon._inputs.scenario import Scenario
from hypermon._model import argument_checks, monitors, worker
from hypermon._model import metrics as metric_paths
from hypermon._model.schema import Schema, Value, common_path, nested
from hypermon._model.spec import Spec
from hypermon.errors import UserError

SEED = "seed"
Source: TypeAlias = str | os.PathLike[str] | Scenario | Recording | Sequence[Recording]
Progress = Callable[[int, int], None]  # newly finished points, and the number of failed ones among them


class Designs:
    """Builds specifications from the parameters in which they differ, and evaluates their metrics."""

    def __init__(
        self,
        source: Source,
        settings: Mapping[str, Any] | None,
        presets: Sequence[str],
        where: str,
        jobs: int | None = None,
        platform: str | os.PathLike[str] | None = None,
        progress: Progress | None = None,
    ) -> None:
        self.schema: Schema = worker.schema()
        self.jobs = argument_checks.jobs(jobs)
        self.recordings: tuple[Recording, ...] = ()
        self._settings = argument_checks.settings(settings, {}, Designs.__init__)
        self._presets = presets
        self._where = where
        self._progress = progress
        self._scenario: Scenario | None = None
        if isinstance(source, str | os.PathLike | Scenario):
            self._scenario = (
                source.on(platform) if isinstance(source, Scenario) else scenarios.find_one(source, platform)
            )
            self.base = self.resolve({})
        else:
            platforms.refuse_on_recording(platform)
            self.recordings = tuple(cast(Sequence[Recording], source)) if isinstance(source, Sequence) else (source,)
            self._by_seed = {_seed(recording.spec): recording for recording in self.recordings}
            if len(self._by_seed) < len(self.recordings):
                raise UserError("recordings: two of them have the same seed")
            self.base = self.resolve({SEED: _seed(self.recordings[0].spec)})

    def seeds(self, repeats: int) -> list[int]:
        """Returns the seeds of the runs: those of the recordings, or consecutive ones from the scenario's seed."""
        if self._scenario is None:
            if repeats not in (1, len(self.recordings)):
                raise UserError(f"repeats = {repeats}: there are {len(self.recordings)} recordings, one is one repeat")
            return sorted(self._by_seed)
        return [_seed(self.base) + i for i in range(repeats)]

    def resolve(self, settings: Mapping[str, Value]) -> Spec:
        """Returns the specification with these parameters. Raises a UserError if it is not valid."""
        chosen = {**self._settings, **settings}
        if self._scenario is not None:
            return self._scenario.resolve(self.schema, chosen, self._presets, where=self._where)
        recording = self._by_seed.get(int(settings.get(SEED, _seed(self.recordings[0].spec))), self.recordings[0])
        return replaying.resolve(recording, chosen, self._presets, self._where)

    def refuses(self, path: str, value: Value) -> bool:
        """Is every design with this value of the parameter invalid?"""
        try:
            self.resolve({path: value})
        except UserError:
            return True
        return False

    def evaluate(
        self, specs: Sequence[Spec], metrics: Sequence[str], alone: Sequence[Spec] = ()
    ) -> list[dict[str, Any]]:
        """Returns a row for each specification, with `status`, `error` and the metrics. Replays where that is exact.

        `alone`: for each specification the run without a monitor, for the metric `slowdown`. By default these are run.
        """
        if not metric_paths.needs_result(metrics):
            return [
                {"status": "ok", "error": None, **metric_paths.evaluate(metrics, {}, spec.values)} for spec in specs
            ]
        slow = metric_paths.needs_unobserved(metrics)
        without: Sequence[dict[str, Any] | None] = [None] * len(specs)
        if slow:
            without = self._alone(alone or [self._unobserved(spec) for spec in specs])
        elapsed_s = [None if row is None else row.get(metric_paths.ELAPSED) for row in without]
        if not self.recordings:
            found = self.simulate(specs, metrics, elapsed_s)
        else:
            rows: dict[int, dict[str, Any]] = {}
            for seed, recording in self._by_seed.items():
                mine = [i for i, spec in enumerate(specs) if _seed(spec) == seed]
                own = [specs[i] for i in mine], [elapsed_s[i] for i in mine]
                rows |= zip(mine, _replays(recording, *own, metrics, self.jobs), strict=True)
            found = [rows[i] for i in range(len(specs))]
        for row, other in zip(found, without, strict=True):
            if other is not None and row["status"] == "ok" and other["status"] != "ok":
                row.update(status="failed", error=f"with monitor = none: {other['error']}")
        return found

    def _alone(self, specs: Sequence[Spec]) -> list[dict[str, Any]]:
        """Returns the runs without a monitor. Designs with the same program and machine share one."""
        distinct = {spec.hash: spec for spec in specs}
        rows = self.simulate(list(distinct.values()), [metric_paths.ELAPSED])
        by_hash = dict(zip(distinct, rows, strict=True))
        return [by_hash[spec.hash] for spec in specs]

    def _unobserved(self, spec: Spec) -> Spec:
        """Returns the specification of the design's program without a monitor."""
        base = self.base.values
        changed = {path: value for path, value in spec.values.items() if base.get(path) != value}
        return self.resolve({**unobserved.of_program(changed, self.schema), **unobserved.WITHOUT})

    def simulate(
        self, specs: Sequence[Spec], metrics: Sequence[str], unobserved_s: Sequence[float | None] = ()
    ) -> list[dict[str, Any]]:
        """Like `evaluate`, but co-simulates designs for which the recordings are not valid.

        `unobserved_s`: as in `metrics.evaluate`.
        """
        from hypermon._engine import sweeping

        found: list[dict[str, Any]] = sweeping.evaluate(
            specs, metrics, jobs=self.jobs, progress=self._progress, unobserved_s=unobserved_s
        )
        return found

    def counted_together(self, paths: Sequence[str]) -> bool:
        """Can one pass over a recording compute the counts of many designs that differ in these parameters?"""
        behind = all(self.schema.parameters[common_path(path)].behind_ports for path in paths)
        return behind and _apart(self.base)


def amounts(spec: Spec) -> tuple[str, str]:
    """Returns the paths of the lost and of the generated amount of data, in the unit of the design's monitor."""
    monitor = str(spec.values["monitor"])
    unit = monitors.find(monitor).unit
    if not unit:
        seeing = sorted(one.name for one in monitors.registered().values() if one.unit)
        raise UserError(f"monitor = {monitor}: has no losses; must be one of {', '.join(seeing)}")
    return f"ledger.lost_total.{unit}", f"ledger.generated.{unit}"


def _seed(spec: Spec) -> int:
    return int(spec.values[SEED])


def _apart(spec: Spec) -> bool:
    how = replays.find(spec)
    return how is not None and not how.why_not(spec) and how.counts_apart(spec)


def _replays(
    recording: Recording,
    specs: Sequence[Spec],
    unobserved_s: Sequence[float | None],
    metrics: Sequence[str],
    jobs: int,
) -> list[dict[str, Any]]:
    """Evaluates all designs in one pass over the recording where that suffices, else in whole replays."""
    how = replays.by(recording)
    if metric_paths.countable(metrics, how.COUNTED) and all(_apart(spec) for spec in specs):
        results = [nested(counts) for counts in how.count(recording, specs)]
    else:
        with ThreadPoolExecutor(jobs) as pool:
            results = list(pool.map(lambda spec: replaying.replay_spec(recording, spec).to_dict(), specs))
    return [
        {"status": "ok", "error": None, **metric_paths.evaluate(metrics, result, spec.values, alone)}
        for result, spec, alone in zip(results, specs, unobserved_s, strict=True)
    ]
