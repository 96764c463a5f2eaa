# SPDX-License-Identifier: BSD-3-Clause
"""With SimGrid's XML platforms and messages, MPI programs see exactly smpirun's times."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

import hypermon

pytestmark = [pytest.mark.worker, pytest.mark.usefixtures("worker")]
HERE = Path(__file__).resolve().parents[1] / "platforms"
CLUSTER = HERE / "cluster.xml"
COSTS = {
    "smpi.send_cost": ("smpi/os", "0:1e-6:0;1000:2e-6:1e-10"),
    "smpi.isend_cost": ("smpi/ois", "0:3e-6:0;1000:4e-6:2e-10"),
    "smpi.receive_cost": ("smpi/or", "0:7e-6:0;1000:9e-6:3e-10"),
    "smpi.latency_factor": ("smpi/lat-factor", "0:1.1;1000:3.3"),
    "smpi.bandwidth_factor": ("smpi/bw-factor", "0:0.7;1000:0.9"),
    "smpi.async_small_thresh": ("smpi/async-small-thresh", "500"),
    "smpi.send_is_detached_thresh": ("smpi/send-is-detached-thresh", "9000"),
}


def built(program: str, folder: Path) -> Path:
    return linked(folder / f"{program}.so", ["smpicc", "-Wall", "-Werror", "-fPIC", HERE / "programs" / f"{program}.c"])


def linked(target: Path, command: list[str | Path]) -> Path:
    if shutil.which("smpicc") is None or shutil.which("smpirun") is None:
        pytest.skip("SMPI's commands are not installed")
    subprocess.run([*command, "-o", target], check=True)
    return target


def smpirun(program: Path, ranks: int, options: list[str], arguments: Sequence[str] = ()) -> list[str]:
    command = ["smpirun", "-np", str(ranks), "-platform", str(CLUSTER), "--cfg=smpi/simulate-computation:no"]
    command += ["--cfg=smpi/privatization:dlopen", "--log=root.thres:error", *options, str(program), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
    return sorted(done.stdout.splitlines())


@pytest.mark.parametrize(
    ("program", "ranks", "costs"),
    [("pingpong", 8, False), ("ring", 14, False), ("collectives", 9, False), ("halo", 13, True)],
)
def test_mpi_times_are_smpiruns_to_the_bit(
    program: str, ranks: int, costs: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    binary = built(program, tmp_path)
    given = COSTS if costs else {}
    wanted = smpirun(binary, ranks, [f"--cfg={name}:{value}" for name, value in given.values()])
    assert len(wanted) >= 3 * ranks  # times of every rank, which differ
    assert len({line.split()[-1] for line in wanted}) > 3
    (tmp_path / "own.yaml").write_text("question: q\nset: {workload: program, monitor: none}\n")
    settings = {path: value for path, (_, value) in given.items()} | {"program.file": binary}
    result = hypermon.run("own.yaml", platform=CLUSTER, nodes=ranks, settings=settings, out="run")
    seen = sorted(line for file in (result.path / "stdout").iterdir() for line in file.read_text().splitlines())
    assert seen == wanted


@pytest.mark.parametrize("hosts", ["far3\nnear1\n\nfar0\nnear5", "near2:3\nfar4:0\nfar1:2\nnear0\n"])
def test_ranks_are_on_the_hosts_of_a_host_file_as_under_smpirun(
    hosts: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """More ranks than the file has lines: they are placed on its hosts in turn."""
    monkeypatch.chdir(tmp_path)
    binary = built("ring", tmp_path)
    (tmp_path / "hosts").write_text(hosts)
    wanted = smpirun(binary, 8, ["-hostfile", str(tmp_path / "hosts")])
    assert wanted != smpirun(binary, 8, [])
    (tmp_path / "own.yaml").write_text("question: q\nset: {workload: program, monitor: none}\n")
    settings = {"program.file": binary, "machine.hosts": "hosts"}
    result = hypermon.run("own.yaml", platform=CLUSTER, nodes=8, settings=settings, out="run")
    seen = sorted(line for file in (result.path / "stdout").iterdir() for line in file.read_text().splitlines())
    assert seen == wanted


@pytest.mark.parametrize(
    ("program", "ranks", "arguments"),
    [
        ("pingpong", 4, ["--repeats=3"]),
        ("ring", 13, ["--numbers=14", "--steps=20"]),
        ("alltoall", 9, ["--numbers=13", "--repeats=2"]),
        ("halo", 12, ["--size=24", "--iterations=6", "--norm_every=3"]),
        ("workers", 7, ["--tasks=20", "--points=8"]),
        ("wavefront", 8, ["--size=16", "--iterations=2"]),
        ("cg", 8, ["--size=8", "--iterations=5"]),
        ("fft", 8, ["--size=16", "--repeats=1"]),
        ("cholesky", 6, ["--size=50", "--block=7"]),
    ],
)
def test_every_mpi_call_of_the_collection_returns_when_it_does_under_smpirun_to_the_bit(
    program: str, ranks: int, arguments: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    root = HERE.parents[1]
    sources = [root / "sw" / "workloads" / program / f"{program}.cpp", HERE / "programs" / "times_tool.cpp"]
    command: list[str | Path] = [
        "smpicxx",
        "-std=c++20",
        "-O1",
        "-fPIC",
        f"-I{root}",
        f"-I{root / 'sw' / 'include'}",
        *sources,
    ]
    binary = linked(tmp_path / f"{program}.so", command)
    wanted = smpirun(binary, ranks, [], arguments)
    assert len({line.split()[-1] for line in wanted}) > 2 * ranks  # times
    settings = {"monitor": "none", "program.compute": "zero"}
    result = hypermon.run(
        program=binary, arguments=arguments, platform=CLUSTER, nodes=ranks, settings=settings, out="run"
    )
    seen = sorted(line for file in (result.path / "stdout").iterdir() for line in file.read_text().splitlines())
    assert seen == wanted
