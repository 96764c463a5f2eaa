# SPDX-License-Identifier: BSD-3-Clause
"""`hypermon.sweep` and what sizing and optimisers use: from what is asked to rows."""

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
from hypermon._model import asked as arguments
from hypermon._model import metrics as metric_paths
from hypermon._model import worker
from hypermon._model.metrics import Formula
from hypermon._model.schema import Value
from hypermon._model.spec import Spec
from hypermon._printing import say
from hypermon.errors import UserError, cut

if TYPE_CHECKING:
    from hypermon.parameters import Parameters

Metrics = str | Formula | Sequence[str | Formula] | Mapping[str, str | Formula]
Condition = str | Callable[[Mapping[str, Value]], bool]
EVALUATIONS = RUNS / "evaluations"  # what `evaluate` keeps, unless told otherwise
PYTHON = "hypermon.sweep"  # where a mistake was made
NOT_COUNTED = "ledger"  # the whole of it: counts of a replay do not suffice


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

    Use it to see how numbers of the result depend on parameters. A point that differs from another in the monitor's
    hardware alone is replayed from a recording; this gives exactly the result of a co-simulation, in a fraction of the
    time. A point that fails is a row with its error and does not end the sweep. An interrupted sweep goes on when it is
    called again.

    Args:
        scenario: A scenario, or a YAML file of a sweep; what is given here goes over what the file says. Or a
            recording, or its file or run directory: every point is a replay of it.
        vary: Values by parameter path, in the parameter's unit: a list, a NumPy array, `log2_range(64, 65536)`, or a
            text as on the command line: "64:1024:64", "64:65536:log2", "1us:1ms:log7", "0.4us,0.8us". The product of
            all is run.
        zip: Groups of varied paths that take their values together instead: [("nodes", "place.attempts")].
        where: Conditions over parameters: "nodes * place.attempts <= 1e6"; or functions of a mapping of all
            parameters by their paths. A point that does not meet all of them is left out.
        repeats: How often each point is run, with seeds from the scenario's on; or the seeds.
        metrics: The numbers to keep of each point: those of the result (`hypermon params result`), parameters
            (`node.tick_ms`), `loss` (share of the generated data that was lost), `slowdown` (elapsed time over that
            without a monitor), costs (`cost.memory_bits`), arithmetic over these, or functions of the `Result`. A
            mapping gives them names: `{"rate": "events / elapsed_s"}`. A function needs whole replays, which take
            longer than counts; `slowdown` needs a run without a monitor.
        settings: As in `hypermon.run`, for all points.
        presets: The same.
        platform: The same.
        out: The sweep's folder, by default runs/sweep-<scenario>-<hash>. What is finished there is not computed again.
        executor: Any `concurrent.futures.Executor`, say Dask's `client.get_executor()`; by default `jobs` at a time
            here.
        jobs: Runs at a time; by default as many as there are CPUs.
        progress: Called as progress(done, total) when points finish: those that were not in the folder before, as in
            `hypermon.size`. By default a bar, after the plan, on a terminal.
        force: The folder may hold other things than a sweep. What has a name that the sweep needs is deleted,
            everything else stays.
        parameters: As in `hypermon.run`, for all points.

    Returns:
        The finished sweep: as pandas, Arrow and xarray, with units. A point that fails is a row with its error.

    Raises:
        UserError: A point cannot be: before anything runs.

    Example:
        >>> sweep = hypermon.sweep(
        ...     "table2/matmul", vary={"node.tick_ms": [50, 100]}, metrics=["elapsed_s"], nodes=2, matmul={"size": 16}
        ... )
        >>> sweep.to_xarray()["elapsed_s"].attrs["units"], sweep.to_pandas().attrs["units"]["node.tick_ms"]
        ('s', 'ms')
    """
    if vary is not None and not isinstance(vary, Mapping):
        raise UserError(f"vary = {cut(vary)}: must be a mapping of parameters' paths to values")
    request = asked(
        scenario,
        vary=vary or {},
        zips=list(zip),
        conditions=[where] if isinstance(where, str) or callable(where) else list(where),
        repeats=repeats,
        metrics=metric_paths.given("metrics", metrics),
        settings=arguments.settings(settings, parameters, sweep),
        presets=presets,
        platform=platform,
    )
    prepared = Prepared(request, out, jobs, force=force)
    return _watched(prepared, executor) if progress is None else prepared.run(executor, _counted(prepared, progress))


def _counted(prepared: Prepared, report: Callable[[int, int], None]) -> Progress:
    """Tells `report` how many points are done, and of how many."""
    left = prepared.plan.to_do()
    total, done = len(left.cosims) + left.replays, 0

    def more(points: int, _failed: int) -> None:
        nonlocal done
        done += points
        report(done, total)

    return more


def _watched(prepared: Prepared, executor: Executor | None) -> Sweep:
    from hypermon._engine import progress  # Rich, which nothing else here needs
    from hypermon._engine.sweeping import describing

    if sys.stderr.isatty():
        say(describing.describe(prepared), err=True)
    left = prepared.plan.to_do()
    with progress.points(prepared.request.scenario.name, len(left.cosims) + left.replays) as report:
        return prepared.run(executor, report)


def asked(
    target: str | os.PathLike[str] | Recording,
    *,
    settings: Mapping[str, object],
    presets: Sequence[str],
    platform: str | os.PathLike[str] | None = None,
    where: str = PYTHON,
    **said: Any,
) -> Request:
    """The request, from plain values that were all said in one place. `said`: those of `Section.said`."""
    source = target if isinstance(target, Recording) else os.fspath(target)
    section = Section.said(where, **said)
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
    """A row for every specification: `how`, `status` ("ok" or "failed"), `error`, and the metrics by their paths.

    `recordings_folder` keeps recordings and finished points: what was computed once is not computed again. A recording
    is made even for a single point, since others that it answers will follow. `progress` is called as by `sweep`.
    `unobserved_s`: for `slowdown`, the elapsed time of each one's program without a monitor.
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
    """As `evaluate`, but of every specification its whole result, without `spec`, or the error that it ended with; and
    what it took when it was computed.

    `metrics`: what must be in the results beside what is in all.
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
    """What the store lacks of these, made; what became of all."""
    schema, at_once = worker.schema(), arguments.jobs(jobs)
    store.open()
    plan = plans.make(plans.Wanted(specs, specs[0], metrics), schema, store, at_once, record_single=True)
    return plan, execute.run(plan, store, schema.versions, at_once, executor, progress)
