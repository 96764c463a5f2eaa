# SPDX-License-Identifier: BSD-3-Clause
"""The worker executable `hypermon-sim`: its place, its description, and its checks of specifications."""

from __future__ import annotations

import contextlib
import functools
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

from hypermon._files import places, remembered, search_paths
from hypermon._model import monitors
from hypermon._model.schema import Schema, common_path
from hypermon._model.spec import Spec
from hypermon.errors import SimulationError, UserError

NAME = "hypermon-sim"
# SimGrid's message about ranks that an error leaves behind. It cannot be turned off in 4.0, unlike in 3.32.
SIMGRID_LEAVES = "Process called exit when leaving - Skipping cleanups"


def find() -> Path:
    """Finds the worker: HYPERMON_SIM, that of the installed package, that beside this Python, or that on PATH."""
    given = os.environ.get("HYPERMON_SIM")
    if given:
        path = Path(given)
        if not path.is_absolute():
            raise UserError(f"HYPERMON_SIM = {given}: must be an absolute path")
        if not os.access(path, os.X_OK) or path.is_dir():
            raise UserError(f"HYPERMON_SIM = {given}: is not an executable file")
        return path
    for place in (places.worker(), Path(sys.executable).parent / NAME):
        if os.access(place, os.X_OK):
            return place
    found = search_paths.which(NAME)
    if found is None:
        raise UserError(f"{NAME} is not built: run scripts/setup, or set HYPERMON_SIM to the executable")
    return Path(found)


def schema() -> Schema:
    """Returns the worker's description. It is cached on disk until the executable changes."""
    return _schema(_executed())


def program() -> list[str]:
    """Returns the first words of every command of the worker: the executable, and the plug-ins of monitors."""
    return [str(find()), *(word for file in monitors.plugins() for word in ("--plugin", str(file)))]


def _executed() -> tuple[tuple[Path, int, int], ...]:
    """Returns the executables and plug-ins, with time and size, which change when one is built again."""
    files = [find().resolve(), *(file.resolve() for file in monitors.plugins())]
    return tuple((file, (stat := file.stat()).st_mtime_ns, stat.st_size) for file in files)


def _kept(executed: tuple[tuple[Path, int, int], ...]) -> Path:
    return remembered.place("describe", *(part for file in executed for part in file))


@functools.cache
def _schema(executed: tuple[tuple[Path, int, int], ...]) -> Schema:
    store = _kept(executed)
    with contextlib.suppress(ValueError, KeyError, TypeError):
        kept = remembered.read(store)
        if kept is not None:
            return Schema.from_json(json.loads(kept))
    done = subprocess.run(
        [*program(), "--describe"], capture_output=True, encoding="utf-8", errors="backslashreplace", check=False
    )
    try:
        if done.returncode:
            raise ValueError(done.stderr.strip() or f"exit status {done.returncode}")
        described = Schema.from_json(json.loads(done.stdout))
    except (ValueError, KeyError, TypeError) as error:
        raise SimulationError(f"{' '.join(program())} --describe failed: {error}") from None
    remembered.write(store, done.stdout)
    return described


def kept_description() -> Path:
    """Returns the file of the worker's cached description."""
    return _kept(_executed())


def check(spec: Spec) -> None:
    """Raises a UserError if the worker would refuse this specification."""
    # Without plug-ins, the worker's code is the same as that of hypermon._core, which can check without a process.
    if "HYPERMON_SIM" not in os.environ and not monitors.plugins():
        _ = spec.native
        return
    command = [*program(), "--check", "/dev/stdin"]
    done = subprocess.run(
        command, input=spec.to_line(), capture_output=True, encoding="utf-8", errors="backslashreplace", check=False
    )
    judge(done.returncode, done.stderr.splitlines())


def without_effect(spec: Spec, paths: Iterable[str]) -> list[tuple[str, str]]:
    """Returns the parameters that have no effect in this run, each with the setting that is the reason.

    Returns nothing for another worker or with plug-ins, since this process does not have their code.
    """
    if "HYPERMON_SIM" in os.environ or monitors.plugins():
        return []
    from hypermon._model.native import _core

    reasons = [(one, because) for ones, because in _core.without_effect(spec.native) for one in ones]

    def reason(path: str) -> str:
        common = common_path(path)
        whole = common.partition(".")[0] + "."
        fit = (because for one, because in reasons if one in (common, whole))
        return next((because for because in fit if not because.startswith(f"{common} = ")), "")

    return [(path, found) for path in paths if (found := reason(path))]


def judge(status: int, messages: list[str]) -> None:
    """Raises the error of a worker that failed: a UserError for status 2, otherwise a SimulationError."""
    if status == 0:
        return
    messages = [line for line in messages if line != SIMGRID_LEAVES]
    errors = [line.removeprefix("error: ") for line in messages if line.startswith("error: ")]
    text = "\n".join(messages)
    if status == 2:
        raise UserError(errors[-1] if errors else text or f"{NAME} refused the specification")
    if status == 3:
        raise SimulationError("\n".join(line.removeprefix("error: ") for line in messages) or "the simulation failed")
    how = f"signal {signal.Signals(-status).name}" if status < 0 else f"exit status {status}"
    raise SimulationError(f"{NAME} ended with {how}" + (f": {text}" if text else ""))
