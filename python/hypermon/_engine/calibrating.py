# SPDX-License-Identifier: BSD-3-Clause
"""Calibrations: host time of the code regions of the user's program, which later runs charge as simulated time.

A region is the code between two MPI calls. It is identified by the offsets of the two calls in the shared object. A
calibration is valid for one shared object: after a change of the program it has to be measured again.
"""

from __future__ import annotations

import json
import os
import platform
import subprocess
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

from hypermon._engine import runner
from hypermon._files import files, outputs
from hypermon._inputs import programs
from hypermon._inputs import scenario as scenarios
from hypermon._inputs.scenario import Scenario
from hypermon._model import argument_checks, worker

if TYPE_CHECKING:
    from hypermon.parameters import Parameters

VERSION = 2
# Key of the file's checksum, computed with zeros in its own place. sw/workloads/program/compute_regions.cpp checks it.
CRC = "crc32"
NO_CRC = "00000000"
OUTSIDE = -1  # place of a call that does not return into the program, for example a tail call
MEASURING = {"monitor": "none", "workload": "program", "program.compute": "zero", "program.calibration": ""}


@dataclass(frozen=True)
class Calibration:
    """A written calibration."""

    path: Path
    data: Mapping[str, Any]

    @property
    def regions(self) -> Sequence[Mapping[str, Any]]:
        """The measured regions, each with `from`, `to`, `count`, `mean_ns` and `spread_ns` (standard deviation)."""
        found: Sequence[Mapping[str, Any]] = self.data["regions"]
        return found


def calibrate(
    scenario: str | os.PathLike[str] | None = None,
    *,
    path: str | os.PathLike[str],
    arguments: Sequence[str] | None = None,
    settings: Mapping[str, Any] | None = None,
    presets: Sequence[str] = (),
    platform: str | os.PathLike[str] | None = None,
    **parameters: Unpack[Parameters],
) -> Calibration:
    """Runs the user's program once, and measures the host time of its own code (`hypermon calibrate`).

    Args:
        scenario: As in `hypermon.run`.
        path: The file to write the calibration to. To use it in a run, give
            `program={"file": "my_app.c", "compute": "calibrated", "calibration": path}`.
        arguments: As in `hypermon.run`.
        settings: As in `hypermon.run`.
        presets: As in `hypermon.run`.
        platform: As in `hypermon.run`.
        parameters: As in `hypermon.run`.

    Returns:
        The calibration that was written.

    Raises:
        UserError: A parameter or the file is not allowed, or the program does not compile.
        SimulationError: The program failed or deadlocked.

    Example:
        >>> _ = Path("hello.c").write_text(
        ...     "#include <mpi.h>\\nint main(int c, char** v) { MPI_Init(&c, &v); return MPI_Finalize(); }"
        ... )
        >>> calibration = hypermon.calibrate(program="hello.c", nodes=2, path="hello.json")
        >>> [region["count"] > 0 for region in calibration.regions]
        [True]
    """
    chosen = argument_checks.settings(settings, programs.settings(parameters, arguments), calibrate)
    base = scenarios.find_or_program(scenario, chosen)
    return measure(base.on(platform), chosen, presets, Path(path), "hypermon.calibrate")


def measure(
    scenario: Scenario,
    settings: Mapping[str, object],
    presets: Sequence[str],
    path: Path,
    where: str,
    force: bool = False,
) -> Calibration:
    """Calibrates the program of a resolved draft. The run has no monitor, and its code takes no simulated time.

    The run also leaves a run directory. `force`: replaces that directory even if it holds other files.
    """
    outputs.require(path)
    spec = scenario.resolve(worker.schema(), {**settings, **MEASURING}, presets, where=where)
    files.keep(path, *files.named_by(spec.values))
    folder = runner.default_folder(spec)
    runner.simulate(spec, folder, leaves=runner.Leaves(calibrate=True), force=force)
    measured = json.loads((folder / "calibration.json").read_text(encoding="utf-8"))
    named = str(spec.values[programs.FILE])
    program = files.path_of(named)
    assert program is not None
    places = _places(program, sorted({region[end] for region in measured["regions"] for end in ("from", "to")}))
    data = {
        "program": program.stem,
        "sha256": named.rpartition(":")[2],
        "nodes": spec.values["nodes"],
        "host": platform.machine(),
        "regions": [
            {**region, "from_place": places[region["from"]], "to_place": places[region["to"]]}
            for region in measured["regions"]
        ],
    }
    with files.writing(path) as partial:
        partial.write_text(sealed(data), encoding="utf-8")
    return Calibration(path, data)


def sealed(data: Mapping[str, Any]) -> str:
    """Returns the text of a calibration's file, with its checksum."""
    text = json.dumps({"hypermon.calibration": VERSION, **data, CRC: NO_CRC}, indent=1) + "\n"
    return text.replace(f'"{CRC}": "{NO_CRC}"', f'"{CRC}": "{zlib.crc32(text.encode()):08x}"')


def _places(program: Path, offsets: Sequence[int]) -> dict[int, str]:
    """Returns the source places of return addresses, as `main heat.c:38`, for those that addr2line can resolve."""
    calls = [hex(max(offset - 1, 0)) for offset in offsets]  # the call instruction lies before its return address
    try:
        command = ["addr2line", "-s", "-f", "-C", "-e", str(program), *calls]
        resolved = subprocess.run(
            command, capture_output=True, encoding="utf-8", errors="backslashreplace", check=False
        ).stdout.splitlines()
    except OSError:
        resolved = []
    lines = [f"{function} {line}" for function, line in zip(resolved[::2], resolved[1::2], strict=False)]
    lines += ["?"] * (len(offsets) - len(lines))
    return {
        offset: "outside" if offset == OUTSIDE else line.partition(" (")[0]
        for offset, line in zip(offsets, lines, strict=True)
    }
