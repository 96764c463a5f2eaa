# SPDX-License-Identifier: BSD-3-Clause
"""Makes recordings: co-simulations that also keep the data that the nodes wrote."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

from hypermon._engine import replaying, runner
from hypermon._engine.following import Told
from hypermon._engine.recording import Recording
from hypermon._engine.workers import Progress, Workers
from hypermon._inputs import programs
from hypermon._inputs import scenario as scenarios
from hypermon._model import argument_checks, worker
from hypermon._model.spec import Spec

if TYPE_CHECKING:
    from hypermon.parameters import Parameters


def record(
    scenario: str | os.PathLike[str] | None = None,
    *,
    arguments: Sequence[str] | None = None,
    settings: Mapping[str, Any] | None = None,
    presets: Sequence[str] = (),
    platform: str | os.PathLike[str] | None = None,
    out: str | os.PathLike[str] | None = None,
    progress: Progress | None = None,
    force: bool = False,
    **parameters: Unpack[Parameters],
) -> Recording:
    """Co-simulates a scenario once and records the data that its nodes write (`hypermon record`).

    Use it before you evaluate many designs of the monitor's hardware: `hypermon.replay`, `sweep`, `size` and `frontier`
    take a recording in place of a scenario, and the program does not run again. A replay cannot change parameters that
    influence the data that the nodes write.

    Args:
        scenario: As in `hypermon.run`.
        arguments: As in `hypermon.run`.
        settings: As in `hypermon.run`.
        presets: As in `hypermon.run`.
        platform: As in `hypermon.run`.
        out: As in `hypermon.run`.
        progress: As in `hypermon.run`.
        force: As in `hypermon.run`.
        parameters: As in `hypermon.run`.

    Returns:
        The recording, in the run directory.

    Raises:
        UserError: A parameter is not allowed, or the run's hardware applies back-pressure to the nodes.
        SimulationError: The program failed or deadlocked.

    Example:
        >>> recording = hypermon.record("table2/matmul", nodes=2, matmul={"size": 16})
        >>> recording.nodes
        2
    """
    chosen = argument_checks.settings(settings, programs.settings(parameters, arguments), record)
    base = scenarios.find_or_program(scenario, chosen)
    spec = base.on(platform).resolve(worker.schema(), chosen, presets, where="hypermon.record")
    return record_spec(spec, Path(out) if out is not None else runner.default_folder(spec), progress, force=force)


def record_spec(
    spec: Spec,
    out: Path,
    progress: Progress | None = None,
    workers: Workers | None = None,
    force: bool = False,
    output: Told | None = None,
) -> Recording:
    """Records a resolved specification. `out`: the run directory, which also holds the recording.

    `output`: a function that is called with the lines that the ranks of the user's program write.
    """
    replaying.require_recordable(spec)
    runner.simulate(spec, out, progress, workers, runner.Leaves(record=True, output=output), force=force)
    return Recording(out)
