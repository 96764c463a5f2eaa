# SPDX-License-Identifier: BSD-3-Clause
"""One run of a suite's program, under the reference or under hypermon, and whether the program reported an error."""

from __future__ import annotations

import hashlib
import json
import os
import re
import resource
import shlex
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from tests.mpi_suite.suite import Compiler, Entry, NotCompiledError

HERE = Path(__file__).parent
CLUSTER = HERE.parent / "platforms" / "cluster.xml"
REFERENCE = "reference"
MODES = ("smpi", "nx2", "packets")
SAYS_SO = "No Errors"  # the only output of a program without errors


@dataclass(frozen=True)
class Outcome:
    passes: bool
    how: str = ""
    """The first sign of a failure, on one line."""
    cpu_limit_s: int | None = None
    """The limit of CPU time, where it ended the run: whether the program passes is then unknown."""


def digest(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()


def judged(entry: Entry, status: int, out: str, stderr: str) -> Outcome:
    """A program passes if it prints only that it found no error. A program that must fail passes if it fails."""
    if entry.expects_failure:
        return Outcome(status != 0, "" if status != 0 else "the run ends well, and should not")
    lines = [line.strip() for line in out.splitlines() if line.strip()]
    if status == 0 and lines == [SAYS_SO]:
        return Outcome(True)
    errors = [line for line in stderr.splitlines() if line.startswith("error: ")]
    others = [line for line in lines if line != SAYS_SO]
    if status != 0 and errors:
        lines_after = stderr[stderr.index(errors[0]) :].splitlines()
        deadlock = "".join(lines_after[1:2]) if "deadlocked" in errors[0] else ""
        return Outcome(False, _plain(errors[0].removeprefix("error: ") + deadlock))
    if others:
        return Outcome(False, f"it prints: {_plain(others[0])}")
    if status < 0:
        return Outcome(False, f"ended by {signal.Signals(-status).name}")
    return Outcome(False, f"exit status {status}" if status else "it prints nothing")


def _plain(text: str) -> str:
    """The text without addresses and paths, which differ between runs and machines."""
    text = re.sub(r"0x[0-9a-f]+", "ADDRESS", text)
    return re.sub(r"(?<![\w.])/[\w./+-]+/([\w.+-]+)", r"\1", text)[:240]


@dataclass(frozen=True)
class Limits:
    """Limits of a process. The reference gets several times the CPU time, because its ranks poll."""

    cpu_s: int
    memory_gb: float


def _limited(limits: Limits) -> Callable[[], None]:
    memory = int(limits.memory_gb * 2**30)

    def limit() -> None:
        os.setsid()
        resource.setrlimit(resource.RLIMIT_CPU, (limits.cpu_s, limits.cpu_s))
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    return limit


def _run(command: list[str], folder: Path, limits: Limits, wall_s: int) -> tuple[int, str, str]:
    with subprocess.Popen(
        command, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        errors="replace", preexec_fn=_limited(limits),
    ) as process:  # fmt: skip
        try:
            out, err = process.communicate(timeout=wall_s)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
            return -signal.SIGXCPU, "", ""
    return process.returncode, out, err


class Runner:
    """Runs entries in one mode: the reference, or one of hypermon's kinds of messages."""

    def __init__(self, mode: str, root: Path, state: Path, worker: Path, limits: Limits) -> None:
        self.mode = mode
        self._worker = worker
        self.version = "" if mode == REFERENCE else digest(worker)[:16]
        """Results are kept for each version of the implementation."""
        self.limits = limits
        command = ("mpicc.mpich",) if mode == REFERENCE else ("smpicc",)
        self._compiler = Compiler(command, root, state / ("reference" if mode == REFERENCE else "smpi"))

    def missing(self) -> str | None:
        """A required command that is not installed; None if there is none."""
        commands = ("mpicc.mpich", "mpirun.mpich") if self.mode == REFERENCE else ("smpicc",)
        return next((command for command in commands if shutil.which(command) is None), None)

    def prepare(self) -> None:
        """Compiles the helpers, which all programs share."""
        self._compiler.prepare()

    def outcome(self, entry: Entry) -> Outcome:
        try:
            program = self._compiler.program(entry)
        except NotCompiledError as error:
            return Outcome(False, f"cannot be compiled: {error}")
        with tempfile.TemporaryDirectory(prefix="mpi-suite-") as folder:
            if self.mode == REFERENCE:
                return self._reference(entry, program, Path(folder))
            return self._simulated(entry, program, Path(folder))

    def _reference(self, entry: Entry, program: Path, folder: Path) -> Outcome:
        command = ["mpirun.mpich", "-n", str(entry.ranks), str(program), *entry.arguments]
        limits = replace(self.limits, cpu_s=4 * self.limits.cpu_s)
        return judged(entry, *_run(command, folder, limits, 10 * self.limits.cpu_s))

    def _simulated(self, entry: Entry, program: Path, folder: Path) -> Outcome:
        spec = folder / "in.json"
        spec.write_text(json.dumps(specification(self.mode, entry, program)))
        command = [str(self._worker), str(spec), "--out", str(folder), *self._platform()]
        status, _, stderr = _run(command, folder, self.limits, 20 * self.limits.cpu_s)
        files = [folder / "stdout" / f"rank{rank}.txt" for rank in range(entry.ranks)]
        out = "".join(file.read_text(errors="replace") for file in files if file.exists())
        if status in (-signal.SIGXCPU, -signal.SIGKILL):
            cpu_s = self.limits.cpu_s
            return Outcome(False, f"it has not ended after {cpu_s} s of CPU time", cpu_s)
        return judged(entry, status, out, stderr)

    def _platform(self) -> list[str]:
        """The worker reads only platform files that hypermon has checked; this one belongs to the project."""
        return ["--platform", str(CLUSTER)] if self.mode == "smpi" else []


def specification(mode: str, entry: Entry, program: Path) -> dict[str, Any]:
    """A machine with a node for each rank, on which files take no time."""
    machine: dict[str, Any] = {"messages": mode, "topology": "torus", "dimensions": str(entry.ranks)}
    if mode == "smpi":
        machine |= {"topology": "xml", "xml": f"{CLUSTER}@sha256:{digest(CLUSTER)}"}
        del machine["dimensions"]
    spec: dict[str, Any] = {
        "workload": "program", "nodes": entry.ranks, "monitor": "none", "machine": machine,
        "program": {"file": f"{program}@sha256:{digest(program)}", "arguments": shlex.join(entry.arguments)},
        "mpiio": {"file_system": "ideal"},
    }  # fmt: skip
    return spec | ({"packets": {"network": "packets"}} if mode == "packets" else {})
