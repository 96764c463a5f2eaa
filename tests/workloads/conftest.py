# SPDX-License-Identifier: BSD-3-Clause
"""Runs the MPI programs and reads their answers.

The programs are ordinary MPI programs, so that these tests run them under plain smpirun, where charging compute time
has no effect. HYPERMON_WORKLOADS names a folder of built programs (lib<name>.so); by default those of the build are
used, and where there are none, smpicxx compiles them here. To run the tests under another launcher, override the
fixture `launch`. Answers are checked from smpirun and from hypermon-sim, which has its own global operations and
message order.
"""

from __future__ import annotations

import functools
import json
import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hypermon._model import monitors

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
NAMES = ("matmul", "life", "simplex", "place")
COLLECTION = (
    "pingpong",
    "broadcast",
    "ring",
    "alltoall",
    "halo",
    "workers",
    "wavefront",
    "cg",
    "fft",
    "cholesky",
    "partdiff",
    "noncontig",
    "phases",
)

Launch = Callable[[str, int, list[str]], "subprocess.CompletedProcess[str]"]
Run = Callable[..., Path]
Simulate = Callable[[str, int, dict[str, float], dict[str, Any]], tuple[dict[str, Any], Path]]


@pytest.fixture(scope="session")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the shared objects."""
    if built := os.environ.get("HYPERMON_WORKLOADS"):
        return Path(built)
    build = ROOT / "build/release/workloads"
    if all((build / f"lib{name}.so").exists() for name in NAMES + COLLECTION):
        return build
    if shutil.which("smpicxx") is None:
        pytest.skip("smpicxx is not installed")
    folder = tmp_path_factory.mktemp("programs")
    for name in NAMES + COLLECTION:
        source = ROOT / "sw" / "workloads" / name / f"{name}.cpp"
        command = ["smpicxx", "-std=c++20", "-O1", f"-I{ROOT}", f"-I{ROOT / 'sw' / 'include'}"]
        subprocess.run([*command, str(source), "-o", str(folder / f"lib{name}.so")], check=True)
    return folder


@pytest.fixture(scope="session")
def launch(programs: Path, tmp_path_factory: pytest.TempPathFactory) -> Launch:
    """launch(name, ranks, arguments): the finished process; its exit code is that of the program."""
    if shutil.which("smpirun") is None:
        pytest.skip("smpirun is not installed")
    hosts = tmp_path_factory.mktemp("hosts") / "hosts.txt"
    hosts.write_text("".join(f"node{i}\n" for i in range(16)))
    options = [
        "-platform", str(HERE / "hypercube.xml"), "-hostfile", str(hosts),
        "--cfg=smpi/simulate-computation:no", "--cfg=smpi/privatization:dlopen", "--log=root.thres:error",
        "--cfg=smpi/send-is-detached-thresh:101",  # a longer message waits for its receiver, as on the iPSC/2
    ]  # fmt: skip

    def run(name: str, ranks: int, arguments: list[str]) -> subprocess.CompletedProcess[str]:
        command = ["smpirun", "-np", str(ranks), *options, str(programs / f"lib{name}.so"), *arguments]
        return subprocess.run(command, capture_output=True, text=True, timeout=120)

    return run


@pytest.fixture(params=["smpirun", pytest.param("hypermon-sim", marks=pytest.mark.worker)])
def answer(request: pytest.FixtureRequest, tmp_path: Path) -> Run:
    """answer(name, ranks, **parameters): the answer file of a successful run, in SMPI alone and in the simulator."""
    if request.param == "hypermon-sim":
        return lambda name, ranks, **parameters: _simulate(tmp_path, name, ranks, parameters)
    launch: Launch = request.getfixturevalue("launch")

    def run(name: str, ranks: int, **parameters: float) -> Path:
        output = tmp_path / f"{name}-{ranks}"
        result = launch(name, ranks, [f"--{k}={v}" for k, v in parameters.items()] + [f"--output={output}"])
        assert result.returncode == 0, result.stderr
        return output

    return run


def _simulate(folder: Path, name: str, ranks: int, parameters: dict[str, float]) -> Path:
    nodes = ranks - 1 if name == "matmul" else ranks  # the host is an additional rank
    own = {k: v for k, v in parameters.items() if k != "seed"}
    more: dict[str, Any] = {"monitor": list(monitors.registered())[-1], "seed": parameters.get("seed", 1)}
    if nodes & (nodes - 1):  # no hypercube
        more["machine"] = {"topology": "star"}
    return run_worker(folder, name, nodes, own, more)[1]


@pytest.fixture
def simulate(tmp_path: Path) -> Simulate:
    """simulate(name, nodes, parameters, spec): result.json and the answer file of a run in the simulator."""
    return functools.partial(run_worker, tmp_path)


def run_worker(
    folder: Path, name: str, nodes: int, parameters: dict[str, float], more: dict[str, Any]
) -> tuple[dict[str, Any], Path]:
    spec = {"workload": name, "nodes": nodes, name: parameters, **more}
    output = folder / f"{name}-{nodes}"
    output.mkdir(exist_ok=True)
    (output / "in.json").write_text(json.dumps(spec))
    command = [os.environ.get("HYPERMON_SIM", str(ROOT / ".venv/bin/hypermon-sim")), str(output / "in.json")]
    result = subprocess.run([*command, "--out", str(output)], capture_output=True, text=True, timeout=120)
    assert result.returncode == 0, result.stderr
    return json.loads((output / "result.json").read_text()), output / "answer.txt"
