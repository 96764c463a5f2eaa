# SPDX-License-Identifier: BSD-3-Clause
"""Runs a resolved specification. The run directory appears only when it is complete."""

from __future__ import annotations

import functools
import hashlib
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, Unpack

from hypermon._engine.following import Following, Told
from hypermon._engine.pool import Pool
from hypermon._engine.workers import Job, Progress, Workers
from hypermon._files import files, memory, outputs, results, sums
from hypermon._inputs import platforms, programs
from hypermon._inputs import scenario as scenarios
from hypermon._inputs.programs import workspace
from hypermon._model import activity as activities
from hypermon._model import argument_checks, monitors, samples, worker
from hypermon._model.arriving import Arriving, Watch
from hypermon._model.result import BURSTS, COLUMNS_FOLDER, HOST, RECORDING, RESULT, Result
from hypermon._model.spec import Spec
from hypermon.errors import HypermonError, SimulationError, UserError

if TYPE_CHECKING:
    from hypermon.parameters import Parameters

    class Workload(Protocol):
        """Interface of a monitor's module that runs a workload without a program (`Monitor.workloads`)."""

        def simulate(self, spec: Spec, out: Path, record: bool, progress: Progress | None = None) -> None:
            """Writes the result, and the recording if `record`, into a run directory."""


RUNS = Path("runs")
SPEC = "spec.json"
WAVES = "waves.*"
UNSEALED = (HOST, RECORDING, COLUMNS_FOLDER, workspace.FILES)
"""Files and folders without checksums in the run directory's list.

These are the host cost of the execution, the recordings, which have checksums of their own, and the files of the user's
program, which hypermon does not read.
"""
_OF_EARLIER_VERSIONS = (SPEC, HOST, sums.FILE, BURSTS, samples.FILE, activities.FILE, activities.EVENTS, RECORDING)
RUN = results.Kind("a run", RESULT, (*_OF_EARLIER_VERSIONS, "answer.txt", "stdout", "stderr", workspace.FILES))
FAILED = results.Kind("what a failed program wrote", "stdout", ("stderr", workspace.FILES))
WHAT_THEY_WROTE = "\n  what the ranks wrote"  # begins the output of a failed program at the end of a message
RANK_BYTES = 100_000
"""Least memory of hypermon-sim for each rank (measured: 120 kB without a monitor)."""


def run(
    scenario: str | os.PathLike[str] | None = None,
    *,
    arguments: Sequence[str] | None = None,
    settings: Mapping[str, Any] | None = None,
    presets: Sequence[str] = (),
    platform: str | os.PathLike[str] | None = None,
    out: str | os.PathLike[str] | None = None,
    progress: Progress | None = None,
    script_out: str | os.PathLike[str] | None = None,
    activity: bool = False,
    force: bool = False,
    **parameters: Unpack[Parameters],
) -> Result:
    """Runs a scenario, or your own MPI program, and returns its result (`hypermon run`).

    Use it to see how many events of a program a monitor loses on one machine, and how much it slows the program down.
    For several values of a parameter, `hypermon.sweep` is faster: it replays recordings where that is exact. An earlier
    run in the same run directory is replaced.

    Args:
        scenario: A name or a YAML file. May be omitted with `program` or `trace`: all parameters then have their
            defaults.
        arguments: Command-line arguments of the user's program.
        settings: Parameters by dotted path, with or without a unit. An index selects one of several components
            (`"disk[2].seek_ms"`).
        presets: Named groups of parameters. Later ones override earlier ones.
        platform: The machine: a name (`hypermon platforms`), a YAML file or a SimGrid XML file. By default that of the
            scenario, or of the program script (docs/reference/scripts.md) in `trace`.
        out: The run directory, by default runs/<scenario>-<hash>.
        progress: Called as progress(simulated seconds, events so far). The length of the run is not known in advance.
        script_out: A file for the script of the program's actions.
        activity: Also records the times at which the ranks computed and the fate of every event, for `hypermon.judge`.
        force: Replaces the run directory even if it holds other files. By default only an earlier run is replaced, and
            files that hypermon did not write are never deleted.
        parameters: Parameters by name (`nodes=4`) or by section, as mappings or as classes of `hypermon.parameters`:
            `matmul={"size": 256}, node=Node(tick_ms=10)`; `program="my_app.c"`; `trace="script.txt"`.

    Returns:
        The result, a mapping. Its `path` is the run directory.

    Raises:
        UserError: A parameter or file is not allowed. The message names it, its value and the allowed values.
        SimulationError: The program failed or deadlocked.

    Example:
        >>> result = hypermon.run("table2/matmul", nodes=2, monitor="hypermon", matmul={"size": 16})
        >>> result["ledger"]["lost_total"]["events"], result.elapsed_s > 0
        (0, True)
    """
    given: dict[str, Any] = dict(parameters)
    trace = given.pop("trace") if isinstance(given.get("trace"), str | os.PathLike) else None
    argument_checks.keywords(given, run)
    chosen = argument_checks.settings(settings, programs.settings(given, arguments), run)
    if trace is not None:
        from hypermon.importing import replay  # needs NumPy, which other runs do not wait for

        on = scenarios.find_one(scenario) if scenario is not None else None
        spec = replay.specify(trace, on, chosen, presets, "hypermon.run", platform)
    else:
        base = scenarios.find_or_program(scenario, chosen)
        spec = base.on(platform).resolve(worker.schema(), chosen, presets, where="hypermon.run")
    script = Path(script_out) if script_out is not None else None
    folder = Path(out) if out is not None else default_folder(spec)
    leaves = Leaves(script=script, activity=activities.PIECES if activity else 0)
    return simulate(spec, folder, progress, leaves=leaves, force=force)


def default_folder(spec: Spec) -> Path:
    return RUNS / f"{spec.scenario.replace('/', '-')}-{spec.hash}"


def study_folder(name: str, specs: Iterable[Spec]) -> Path:
    """Returns the default folder of a study. Its name depends on the runs, so other studies do not replace its page."""
    of = hashlib.sha256("".join(spec.hash for spec in specs).encode()).hexdigest()[:10]
    return RUNS / f"{name.replace('/', '-')}-{of}"


@dataclass(frozen=True)
class Leaves:
    """Outputs of one simulation beside its result.

    Attributes:
        record: Whether to record the data that the nodes write.
        assemble: Whether to complete the recording. Otherwise the run leaves the parts that `recording.assemble` joins.
        waves: A request for hardware waveforms, as JSON (the monitor's module `waves.running`).
        calibrate: Whether to measure the host time of the program's own code (hypermon._engine.calibrating).
        script: A file for the program's script (docs/reference/scripts.md).
        watch: A function that is called with samples as they arrive.
        output: A function that is called with the lines that the ranks of the user's program write.
        activity: Number of time slices up to which the ranks' activity and the fate of events are kept exactly
            (hypermon._model.activity). 0: neither is kept.
    """

    record: bool = False
    assemble: bool = True
    waves: str | None = None
    calibrate: bool = False
    script: Path | None = None
    watch: Watch | None = None
    output: Told | None = None
    activity: int = 0

    @property
    def lost(self) -> tuple[str, ...]:
        """Files of an earlier run in the same folder that are lost, since this run has no new version of them."""
        return (*((RECORDING,) if not self.record else ()), *((WAVES,) if self.waves is None else ()))

    def require_no_program(self, workload: object) -> None:
        """Raises a UserError if an output is requested that only the run of a program has."""
        no_program = f"workload = {workload}: no program runs"
        if self.script is not None:
            raise UserError(f"{no_program} whose script could be written")
        if self.waves is not None:
            raise UserError(f"{no_program}; import it, and use hypermon waves")
        if self.watch is not None:
            raise UserError(f"{no_program} that could be watched")
        if self.activity:
            raise UserError(f"{no_program} that could be active")


RESULT_ALONE = Leaves()


def simulate(
    spec: Spec,
    out: Path,
    progress: Progress | None = None,
    workers: Workers | None = None,
    leaves: Leaves = RESULT_ALONE,
    force: bool = False,
) -> Result:
    """Runs one simulation. `out` appears when it is complete and replaces an earlier run.

    `force`: replaces `out` even if it holds other files.
    """
    for target in (out, *([leaves.script] if leaves.script is not None else [])):
        files.keep(target, *files.named_by(spec.values))
    if leaves.script is not None:
        outputs.require(leaves.script)
    with results.whole_folder(out, RUN, force=force, lost=leaves.lost) as partial:
        with files.naming(out / SPEC):
            (partial / SPEC).write_text(spec.to_json(), encoding="utf-8")
        if (own := _without_program(spec)) is not None:
            leaves.require_no_program(spec.values["workload"])
            own.simulate(spec, partial, leaves.record, progress)
        else:
            _require_memory(spec)
            try:
                _with_program(spec, partial, progress, workers or Workers(), leaves)
            except SimulationError as error:
                message = programs.located(str(error), spec.values)
                raise SimulationError(f"{message}{_keep_output(partial, out)}") from None
        if leaves.script is not None:
            from hypermon.importing import recorded  # needs NumPy, which other runs do not wait for

            recorded.assemble(partial / "script", spec, leaves.script)
        seal(partial)
    return Result(out)


def require_folder(out: Path, force: bool = False) -> None:
    """Raises a UserError if no run may be written to `out`. Called before anything is simulated."""
    results.require(out, RUN, force=force, lost=(RECORDING, WAVES))


def seal(folder: Path) -> None:
    """Writes the checksums of all files of a run directory except those in UNSEALED."""
    names = (path.relative_to(folder) for path in folder.rglob("*") if path.is_file())
    sums.write(folder, (str(name) for name in names if name.parts[0] not in UNSEALED))


def failed_folder(out: Path) -> Path:
    """Returns the folder that keeps the output of a failed program's ranks. `out`: the intended run directory."""
    return out.resolve().with_name(f"{out.resolve().name}-failed")


def _keep_output(partial: Path, out: Path) -> str:
    """Keeps the output of a failed program's ranks beside the intended run directory, and returns a note about it.

    Replaces the output of an earlier failure.
    """
    kept = ("stdout", "stderr", workspace.FILES)
    written = [partial / name for name in kept if (partial / name).is_dir()]
    if not written:
        return ""
    failed = failed_folder(out)
    try:
        with results.whole_folder(failed, FAILED) as place:
            for folder in written:
                folder.rename(place / folder.name)
    except UserError:
        return f"{WHAT_THEY_WROTE} is not kept: {failed} is in the way"
    shown = failed.relative_to(Path.cwd()) if failed.is_relative_to(Path.cwd()) else failed
    return f"{WHAT_THEY_WROTE}: {', '.join(str(shown / folder.name) for folder in written)}"


class HasWorkloads(Protocol):
    def workloads(self) -> Mapping[str, Callable[[], Workload]]: ...


def _without_program(spec: Spec) -> Workload | None:
    known = monitors.part(monitors.find(spec.values.get("monitor")), HasWorkloads.workloads)
    found = known.get(str(spec.values.get("workload")))
    return found() if found is not None else None


def _require_memory(spec: Spec) -> None:
    """Raises a UserError if the host certainly has too little memory for the co-simulation."""
    nodes, each = int(spec.values["nodes"]), int(spec.values.get("cpu.ranks_per_node", 1))
    memory.require(nodes * each * RANK_BYTES, f"nodes = {nodes}: a co-simulation of {nodes * each} ranks")


def _with_program(spec: Spec, folder: Path, progress: Progress | None, workers: Workers, leaves: Leaves) -> None:
    """Runs a program and assembles the worker's files. `folder` is the run directory, which holds the specification."""
    with workspace.prepared_folder(spec.values, folder):
        _run_worker(spec, folder, progress, workers, leaves)
        samples.assemble(folder)
        activities.assemble(folder)
    if leaves.record and leaves.assemble:
        from hypermon._engine import recording  # needs NumPy, which other runs do not wait for

        recording.assemble(folder)


def _located(spec: Spec, error: HypermonError) -> HypermonError:
    """Adds the user's own names and places to an error of the worker."""
    from hypermon._inputs.programs import rtl  # needs what builds programs, which runs without errors do not need

    named = rtl.with_source_named(error, spec.values)
    return spec.located(named) if isinstance(named, UserError) else named


def _run_worker(spec: Spec, folder: Path, progress: Progress | None, workers: Workers, leaves: Leaves) -> None:
    waves = folder / "waves-wanted.json"
    if leaves.waves is not None:
        waves.write_text(leaves.waves, encoding="utf-8")
    arriving, watch = Arriving(folder), leaves.watch
    following = Following(folder, leaves.output) if leaves.output is not None else None

    def report(simulated_s: float, events: int) -> None:
        if watch is not None:
            watch(arriving.more(), simulated_s)
        if following is not None:
            following.more()
        if progress is not None:
            progress(simulated_s, events)

    with platforms.written(spec.values, folder) as platform:
        job = Job(
            folder / SPEC,
            folder,
            record=leaves.record,
            waves=waves if leaves.waves is not None else None,
            calibrate=leaves.calibrate,
            script=leaves.script is not None,
            watch=watch is not None,
            activity=leaves.activity,
            platform=platform,
        )
        try:
            workers.run(job, None if progress is None and watch is None else report)
        except (SimulationError, UserError) as error:
            raise _located(spec, error) from None
        finally:
            if following is not None:
                following.more(ended=True)
    if watch is not None:
        watch(arriving.more(), None)
    waves.unlink(missing_ok=True)


def run_many(
    tasks: Sequence[tuple[Spec, Path]],
    jobs: int,
    on_done: Callable[[int], None] | None = None,
) -> list[Result | HypermonError]:
    """Runs all tasks, `jobs` at a time. Returns their results in order; a failed task has its error instead.

    An interrupt ends the workers at once and leaves no partial folders.
    """
    pool = Pool(jobs)
    outcomes: dict[int, Result | HypermonError] = {}

    def done(index: int, outcome: Result | HypermonError) -> None:
        outcomes[index] = outcome
        if on_done is not None:
            on_done(index)

    for index, (spec, out) in enumerate(tasks):
        pool.add(functools.partial(simulate, spec, out, workers=pool.workers), functools.partial(done, index))
    pool.carry_out()
    return [outcomes[index] for index in range(len(tasks))]


def require(outcomes: Sequence[Result | HypermonError]) -> list[Result]:
    """Returns all results. Raises the first error, if there is one."""
    results: list[Result] = []
    for outcome in outcomes:
        if isinstance(outcome, HypermonError):
            raise outcome
        results.append(outcome)
    return results
