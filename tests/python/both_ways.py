# SPDX-License-Identifier: BSD-3-Clause
"""Runs one compiled MPI program both under smpirun and under the worker."""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from hypermon._inputs import platforms

HERE = Path(__file__).parent
CLUSTER = HERE.parent / "platforms" / "cluster.xml"
HYPERCUBE = HERE.parent / "workloads" / "hypercube.xml"
INCLUDE = HERE.parents[1] / "sw" / "include"
QUIET = ["--cfg=smpi/simulate-computation:no", "--cfg=smpi/privatization:dlopen", "--log=root.thres:critical"]


Completed = subprocess.CompletedProcess[str]


def compiled(source: str, folder: Path, *options: str) -> Path:
    """Compiles the program tests/python/programs/SOURCE. Skips the test if SMPI's commands are missing."""
    if shutil.which("smpicc") is None or shutil.which("smpirun") is None:
        pytest.skip("SMPI's commands are not installed")
    target = folder / f"{Path(source).stem}.so"
    command: list[str | Path] = ["smpicc"] if source.endswith(".c") else ["smpicxx", "-std=c++20", "-fno-gnu-unique"]
    path = HERE / "programs" / source
    subprocess.run([*command, "-O1", "-g1", f"-I{INCLUDE}", *options, path, "-o", target], check=True)
    return target


def digest(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()


def smpirun(program: Path, ranks: int, *arguments: str, platform: Sequence[str] = (str(CLUSTER),)) -> Completed:
    command = ["smpirun", "-np", str(ranks), "-platform", *platform, *QUIET, str(program), *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)


def on_hypercube(program: Path, ranks: int, *arguments: str) -> list[list[str]]:
    """The lines that each rank printed under smpirun. Each begins with the rank's number: `2| text`."""
    with tempfile.NamedTemporaryFile("w") as hosts:
        hosts.write("".join(f"node{i}\n" for i in range(ranks)))
        hosts.flush()
        done = smpirun(program, ranks, *arguments, platform=(str(HYPERCUBE), "-hostfile", hosts.name))
    assert done.returncode == 0, done.stderr[-1000:]
    lines = done.stdout.splitlines()
    return [[line for line in lines if line.startswith(f"{rank}| ")] for rank in range(ranks)]


def _nested(values: dict[str, Any]) -> dict[str, Any]:
    tree: dict[str, Any] = {}
    for path, value in values.items():
        section, _, name = path.rpartition(".")
        (tree.setdefault(section, {}) if section else tree)[name] = value
    return tree


@dataclass(frozen=True)
class Ended:
    """Exit status of the worker, and the output of each rank."""

    status: int
    stderr: str
    out: list[str]
    error: list[str]


def simulated(
    worker: Path, program: Path, ranks: int, messages: str, folder: Path, arguments: Sequence[str] = (), **settings: Any
) -> Ended:
    """A run without a monitor. SMPI's messages use smpirun's platform."""
    values: dict[str, Any] = {
        "workload": "program", "nodes": ranks, "monitor": "none", "machine.messages": messages,
        "program.file": f"{program}@sha256:{digest(program)}", "program.arguments": " ".join(arguments),
    }  # fmt: skip
    if messages == "smpi":
        values |= {"machine.topology": "xml", "machine.xml": f"{CLUSTER}@sha256:{digest(CLUSTER)}"}
    folder.mkdir(parents=True)
    (folder / "in.json").write_text(json.dumps(_nested(values | settings)))
    command: list[str | Path] = [worker, folder / "in.json", "--out", folder]
    with platforms.written(values | settings, folder) as platform:
        command += ["--platform", platform] if platform else []
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=60, check=False, stdin=subprocess.DEVNULL
        )

    def written(stream: str) -> list[str]:
        files = [folder / stream / f"rank{rank}.txt" for rank in range(ranks)]
        return [file.read_text() if file.exists() else "" for file in files]

    return Ended(done.returncode, done.stderr, written("stdout"), written("stderr"))
