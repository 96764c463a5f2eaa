# SPDX-License-Identifier: BSD-3-Clause
"""`hypermon.sweep`, and the evaluation of specifications for sizing and optimisers."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Executor
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

from hypermon._engine.recording import Recording
from hypermon._engine.runner import RUNS
from hypermon._engine.sweeping import execute, tasks
from hypermon._engine.sweeping import plan as plans
from hypermon._engine.sweeping import request as requests
from hypermon._engine.sweeping.dataset import Sweep
from hypermon._engine.sweeping.execute import Progress
from hypermon._engine.sweeping.prepared import Prepared, rows
from hypermon._engine.sweeping.request import Request, Section
from hypermon._engine.sweeping.store import Entry, Store
from hypermon._model import argument_checks, worker
from hypermon._model import metrics as metric_paths
from hypermon._model.metrics import Formula
from hypermon._model.schema import Value
from hypermon._model.spec import Spec
from hypermon._printing import say
from hypermon.errors import UserError, cut

if TYPE_CHECKING:
    from hypermon.parameters import Parameters

Metrics = str | Formula | Sequence[str | Formula] | Mapping[str, str | Formula]
Condition = str | Callable[[Mapping[str, Value]], bool]
EVALUATIONS = RUNS / "evaluations"  # default folder for results of `evaluate`
PYTHON = "hypermon.sweep"  # named in error messages about arguments from Python
NOT_COUNTED = "ledger"  # a metric that forces whole replays, since the counts of a replay do not have all of it


def sweep(
    scenario: str | os.PathLike[str] | Recording,
    *,
    vary: Mapping[str, Any] | None = None,
    zip: Iterable[Sequence[str]] = (),
    where: Condition | Sequence[Condition] = (),
    repeats: int | Sequence[int] | None = None,
    metrics: Metrics = (),
    settings: Mapping[str, Any] | None = None,
    presets: Sequence[str] = (),
    platform: str | os.PathLike[str] | None = None,
    out: str | os.PathLike[str] | None = None,
    executor: Executor | None = None,
    jobs: int | None = None,
    progress: Callable[[int, int], None] | None = None,
    force: bool = False,
    **parameters: Unpack[Parameters],
) -> Sweep:
    """Runs a scenario at every point of a space of parameters (`hypermon sweep`).

    Use it to see how results depend on parameters. Points that differ only in the monitor's hardware are replayed from
    one recording. A replay gives exactly the result of a co-simulation, in a fraction of the time. A failed point is a
    row with its error and does not end the sweep. An interrupted sweep continues when it is called again.

    Args:
        scenario: A scenario, or the YAML file of a sweep, whose settings the arguments override. Or a recording, its
            file or its run directory: every point is then replayed from it.
        vary: Values by parameter path, in the parameter's unit: a list, a NumPy array, `log2_range(64, 65536)`, or a
            text as on the command line: "64:1024:64", "64:65536:log2", "1us:1ms:log7", "0.4us,0.8us". All combinations
            of values are run.
        zip: Groups of varied paths whose values are paired instead of combined: [("nodes", "place.attempts")].
        where: Conditions over parameters, as "nodes * place.attempts <= 1e6", or functions of a mapping of all
            parameters by their paths. A point that violates a condition is left out.
        repeats: Number of runs of each point, with consecutive seeds from the scenario's seed; or a list of seeds.
        metrics: The numbers to keep for each point: results (`hypermon params result`), parameters
            (`node.tick_ms`), `loss` (share of the generated data that was lost), `slowdown` (elapsed time relative to
            a run without a monitor), costs (`cost.memory_bits`), arithmetic over these, or functions of the `Result`. A
            mapping gives them names: `{"rate": "events / elapsed_s"}`. A function needs whole replays, which take
            longer than counts; `slowdown` needs a run without a monitor.
        settings: As in `hypermon.run`, for all points.
        presets: As in `hypermon.run`, for all points.
        platform: As in `hypermon.run`, for all points.
        out: The sweep's folder, by default runs/sweep-<scenario>-<hash>. Points that are finished there are not
            computed again.
        executor: Any `concurrent.futures.Executor`, for example Dask's `client.get_executor()`. By default the points
            run on this host, `jobs` at a time.
        jobs: Number of parallel runs. By default the number of CPUs.
        progress: Called as progress(done, total) when points finish, as in `hypermon.size`. Points that were in the
            folder before do not count. By default the plan and a progress bar are shown on a terminal.
        force: Allows a folder that holds other files than a sweep. Files with names that the sweep needs are deleted,
            all others are kept.
        parameters: As in `hypermon.run`, for all points.

    Returns:
        The finished sweep, available as pandas, Arrow and xarray, with units. A failed point is a row with its error.

    Raises:
        UserError: A point is not valid. Raised before anything runs.

    Example:
        >>> sweep = hypermon.sweep(
        ...     "table2/matmul", vary={"node.tick_ms": [50, 100]}, metrics=["elapsed_s"], nodes=2, matmul={"size": 16}
        ... )
        >>> sweep.to_xarray()["elapsed_s"].attrs["units"], sweep.to_pandas().attrs["units"]["node.tick_ms"]
        ('s', 'ms')
    """
    if vary is not None and not isinstance(vary, Mapping):
        raise UserError(f"vary = {cut(vary)}: must be a mapping of parameters' paths to values")
    request = make_request(
        scenario,
        vary=vary or {},
        zips=list(zip),
        conditions=[where] if isinstance(where, str) or callable(where) else list(where),
        repeats=repeats,
        metrics=metric_paths.read_argument("metrics", metrics),
        settings=argument_checks.settings(settings, parameters, sweep),
        presets=presets,
        platform=platform,
    )
    prepared = Prepared(request, out, jobs, force=force)
    return _watched(prepared, executor) if progress is None else prepared.run(executor, _counted(prepared, progress))


def _counted(prepared: Prepared, report: Callable[[int, int], None]) -> Progress:
    """Returns a function that reports the number of finished points and the total to `report`."""
    left = prepared.plan.to_do()
    total, done = len(left.cosims) + left.replays, 0

    def more(points: int, _failed: int) -> None:
        nonlocal done
        done += points
        report(done, total)

    return more


def _watched(prepared: Prepared, executor: Executor | None) -> Sweep:
    from hypermon._engine import progress  # imported here: loads Rich, which nothing else here needs
    from hypermon._engine.sweeping import describing

    if sys.stderr.isatty():
        say(describing.describe(prepared), err=True)
    left = prepared.plan.to_do()
    with progress.points(prepared.request.scenario.name, len(left.cosims) + left.replays) as report:
        return prepared.run(executor, report)


def make_request(
    target: str | os.PathLike[str] | Recording,
    *,
    settings: Mapping[str, object],
    presets: Sequence[str],
    platform: str | os.PathLike[str] | None = None,
    where: str = PYTHON,
    **arguments_of_section: Any,
) -> Request:
    """Makes a request from plain values that come from one place.

    `arguments_of_section`: the arguments of `Section.from_values`.
    """
    source = target if isinstance(target, Recording) else os.fspath(target)
    section = Section.from_values(where, **arguments_of_section)
    return requests.make(source, worker.schema(), section, settings, presets, where, platform)


def evaluate(
    specs: Sequence[Spec],
    metrics: Sequence[str],
    *,
    recordings_folder: str | os.PathLike[str] = EVALUATIONS,
    executor: Executor | None = None,
    jobs: int | None = None,
    progress: Progress | None = None,
    unobserved_s: Sequence[float | None] = (),
) -> list[dict[str, Any]]:
    """Returns a row for each specification: `how`, `status` ("ok" or "failed"), `error`, and the metrics by path.

    `recordings_folder` keeps recordings and finished points, so that nothing is computed twice. A recording is made
    even for a single point, since further points that it can answer will follow. `progress` is called as by `sweep`.
    `unobserved_s`: for `slowdown`, the elapsed time of each specification's program without a monitor.
    """
    if not specs:
        return []
    wanted = metric_paths.check(metrics, worker.schema(), "evaluate")
    store = Store(Path(recordings_folder))
    plan, entries = _carry_out(specs, wanted, store, executor, jobs, progress)
    return rows(plan, entries, wanted, dict(zip(plan.keys, unobserved_s, strict=False)))


def results(
    specs: Sequence[Spec],
    metrics: Sequence[str],
    *,
    recordings_folder: str | os.PathLike[str] = EVALUATIONS,
    jobs: int | None = None,
    progress: Progress | None = None,
) -> list[Entry]:
    """Like `evaluate`, but returns for each specification its whole result without `spec`, or its error.

    An entry also has the host time of the original computation. `metrics`: further results that are required.
    """
    if not specs:
        return []
    store = Store(Path(recordings_folder))
    plan, entries = _carry_out(specs, (*metrics, NOT_COUNTED), store, None, jobs, progress)
    return [entries[key] for key in plan.keys]


def _carry_out(
    specs: Sequence[Spec],
    metrics: Sequence[str],
    store: Store,
    executor: Executor | None,
    jobs: int | None,
    progress: Progress | None,
) -> tuple[plans.Plan, tasks.Outcome]:
    """Computes the specifications that the store lacks. Returns the plan and the outcomes of all specifications."""
    schema, at_once = worker.schema(), argument_checks.jobs(jobs)
    store.open()
    plan = plans.make(plans.Wanted(specs, specs[0], metrics), schema, store, at_once, record_single=True)
    return plan, execute.run(plan, store, schema.versions, at_once, executor, progress)
