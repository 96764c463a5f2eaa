"""Runs the MPI programs and reads their answers.

The programs are ordinary MPI programs, so these tests run them under plain smpirun, where charging compute time does
nothing. HYPERMON_WORKLOADS names a folder of built programs (lib<name>.so); without it they are compiled here, by
smpicxx alone. To run the same tests under another launcher, override the fixture `launch`.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
NAMES = ("matmul", "life", "simplex", "place")

Launch = Callable[[str, int, list[str]], "subprocess.CompletedProcess[str]"]
Run = Callable[..., Path]


@pytest.fixture(scope="session")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the shared objects."""
    if built := os.environ.get("HYPERMON_WORKLOADS"):
        return Path(built)
    if shutil.which("smpicxx") is None:
        pytest.skip("smpicxx is not installed")
    folder = tmp_path_factory.mktemp("programs")
    for name in NAMES:
        source = ROOT / "sw" / "workloads" / f"{name}.cpp"
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


@pytest.fixture
def answer(launch: Launch, tmp_path: Path) -> Run:
    """answer(name, ranks, **parameters): the answer file of a run that succeeded."""

    def run(name: str, ranks: int, **parameters: float) -> Path:
        output = tmp_path / f"{name}-{ranks}"
        result = launch(name, ranks, [f"--{k}={v}" for k, v in parameters.items()] + [f"--output={output}"])
        assert result.returncode == 0, result.stderr
        return output

    return run
