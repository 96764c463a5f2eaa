# SPDX-License-Identifier: BSD-3-Clause
"""Every choice of every enumeration runs, in a small run in which the choice makes a difference.

The worker declares the enumerations. A new choice runs without a change here. A new enumeration fails until SETTINGS
(or CHOICES in its monitor's `drawing.py`) has the settings under which its choices differ.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

import hypermon
from hypermon._engine import runner
from hypermon._files import sums
from hypermon._inputs import scenario
from hypermon._model import worker as workers
from hypermon._model.result import RESULT
from hypermon._model.schema import common_path
from hypermon._model.spec import Spec
from hypermon.errors import UserError
from tests.python.result_invariants import violations
from tests.registered import load

pytestmark = [
    pytest.mark.worker,
    pytest.mark.usefixtures("worker"),
    pytest.mark.skipif(shutil.which("smpicc") is None, reason="smpicc is not installed"),
]

Settings = Mapping[str, Any]
BASE: Settings = {"nodes": 2, "monitor": "none", "workload": "ring", "ring.steps": 20, "ring.number_ns": 1000}
STAR = {
    "machine.topology": "star",
    "machine.messages": "smpi",
    "machine.beside": 1,
    "machine.beside_on_network": True,
}
TREE = {"machine.topology": "fat_tree", "machine.dimensions": "2x2;1x1;1x1"}
PACKETS = {"machine.topology": "star", "machine.messages": "packets", "packets.network": "packets"}
BLOCKS = {"workload": "noncontig", "nodes": 4, "noncontig.blocks": 16, "noncontig.access": "independent"}
COLLECTIVE = {"noncontig.access": "collective", "noncontig.hints": "romio_cb_write=enable"}
PVFS = {**PACKETS, **BLOCKS, "pfs.servers": 2, "mpiio.file_system": "pvfs"}
SOLVER = {"workload": "partdiff", "mpiio.file_system": "ideal", "partdiff.interlines": 10, "partdiff.iterations": 5}
PHASES = {"mpiio.file_system": "ideal", "phases.columns": 8, "phases.rows": 4}
NEIGHBOUR = {
    "nodes": 4,
    "workload": "alltoall",
    "neighbour.count": 1,
    "neighbour.nodes": 4,
    "neighbour.arguments": "repeats=20",
}
STREAM = {"workload": "stream", "stream.file": "FOLDER/events.csv", "stream.bytes": 4, "monitor": "hypermon"}
TRACES = {
    "workload": "cg",
    "monitor": "software",
    "software.traces": "process",
    "software.when_full": "flush",
    "software.buffer_bytes": 1000,
    "software.servers": "files",
    "server.count": 1,
}
ANSWERS = {  # slightly more than two segments, from the monitor's root to a client on a node
    **STAR,
    "workload": "idle",
    "nodes": 64,
    "monitor": "scms",
    "scms.push": "",
    "scms.writes": 2,
    "scms.names": "hierarchical",
    "scms_client.mode": "synchronous",
    "scms_client.nodes": "0-60",
    "scms_client.period_s": 0.5,
    "scms_client.place": "63",
    "tcp.mss_bytes": 536,
}

SETTINGS: dict[str, Settings] = {
    "workload=generator": {"generator.events": 100},
    "workload=program": {"program.file": "FOLDER/collectives.c"},
    "workload=trace": {"trace.file": "FOLDER/trace.script"},
    "workload=broadcast": {"broadcast.mib": 0.1},
    "workload=hpcc": {"hpcc.size": 16, "hpcc.broadcast_mib": 0.1},
    "workload=partdiff": SOLVER,
    "workload=noncontig": {"mpiio.file_system": "ideal"},
    "workload=lu": {"lu.problem": "S"},
    "workload=phases": PHASES,
    "workload=stream": STREAM,
    "monitor=tau_nfs": {"nfs.place": "host"},
    "machine.topology": {"nodes": 4, "workload": "alltoall"},
    "machine.links": {"nodes": 8, "workload": "alltoall", "machine.messages": "smpi"},
    "machine.topology=torus": {"machine.dimensions": "4x1x1"},
    "machine.topology=fat_tree": {"machine.dimensions": "2x2;1x1;1x1"},
    "machine.topology=xml": {"machine.xml": "FOLDER/disks.xml", "machine.messages": "smpi"},
    "machine.messages": {"packets.network": "packets"},
    "server": TRACES,
    "server.place": STAR,
    "disk": TRACES,
    "neighbour": NEIGHBOUR,
    "neighbour.placement": {"machine.topology": "torus", "machine.dimensions": "8x1x1"},
    "tcp": ANSWERS,
    "nfs.place": {**BLOCKS, **STAR, "mpiio.file_system": "nfs", "nfs.network": "program"},
    "nfs.place=off": {"mpiio.file_system": "ideal"},
    "nfs.journal": {"nodes": 8, "monitor": "tau_nfs", "nfs.place": "host", "nfs.transfer_bytes": 1024},
    "cpu": {"workload": "cg", "machine.messages": "smpi", "cpu.ranks_per_node": 2, "cpu.quantum_ms": 0.5},
    "cpu.waiting": {"cpu.policy": "time_slices"},
    "packets": PVFS,
    "packets.interfaces": {"cpu.ranks_per_node": 2},
    "packets.topology": {"machine.topology": "hypercube"},
    "packets.topology=graph": {"packets.graph": "FOLDER/edges"},
    "packets.network=off": {"pfs.servers": 0, "mpiio.file_system": "ideal", "machine.messages": "smpi"},
    "pfs": PVFS,
    "pfs.distribution=varying_stripe": {"pfs.strips": "0:65536 1:131072"},
    "pfs.flow_until": {
        "pfs.protocol": "pvfs",
        "pfs.flow_buffers": 1,
        "noncontig.access": "collective",
        "noncontig.block_bytes": 300000,
        "noncontig.read_back": False,
    },
    "pfs_cache": PVFS,
    "pfs_disk": PVFS,
    "pfs_disk.order": {  # several files, between which a disk can choose
        "workload": "partdiff",
        "partdiff.interlines": 100,
        "partdiff.iterations": 4,
        "partdiff.point_ns": 1,
        "partdiff.checkpoint_every": 1,
        "pfs_cache.concurrent": 4,
        "pfs_cache.model": "write_behind",
        "pfs_disk.write_deadline_ms": 20,
    },
    "pio_cpu": PVFS,
    "collectives": {**PACKETS, "nodes": 8, "workload": "program", "program.file": "FOLDER/collectives.c"},
    "collectives.bcast": {"workload": "broadcast", "broadcast.mib": 3},
    "mpiio": PVFS,
    "mpiio.file_system": {"nfs.place": "host"},
    "mpiio.file_system=smpi": {
        "machine.topology": "xml",
        "machine.xml": "FOLDER/disks.xml",
        "machine.messages": "smpi",
        "packets.network": "off",
        "pfs.servers": 0,
        "nfs.place": "off",
    },
    "mpiio.two_phase_data": {**COLLECTIVE, "noncontig.block_bytes": 300000},
    "mpiio.two_phase_reads": {
        **COLLECTIVE,
        "noncontig.read_back": False,
        "mpiio.contents": "sizes",
        "mpiio.sizes": "noncontig.dat=16777216",
    },
    "mpiio.contents": {**SOLVER, "mpiio.keep": True},
    "program": {"program.file": "FOLDER/collectives.c"},
    "program.compute=calibrated": {"program.calibration": "FOLDER/calibration.json"},
    "partdiff": SOLVER,
    "noncontig": PVFS,
    "lu": {"lu.iterations": 2},
    "lu.cache": {"lu.points": 20, "lu.iterations": 3, "lu.cache_kib": 256},
    "phases": PHASES,
    "stream": STREAM,
    **{
        path: given
        for one in load("monitors", "drawing").values()
        for path, given in getattr(one, "CHOICES", {}).items()
    },
}
"""Settings for a section, for a parameter or for one of its choices ("section.name=choice"). The more specific override
the others.
"""

SAME = {
    # simulations of the same hardware: equal where there is no contention
    "ecb.level": {"functional", "transactions", "rtl"},
    "backplane.level": {"functional", "transactions"},
    "pbx.level": {"functional", "transactions"},
    "tau.transport": {"monitor", "none"},  # implied by the name of monitor tau
}
"""Choices whose runs must be equal."""
ADDED = {"ecb.level=rtl": ("monitor", "board")}
"""Group and key of a result that only this choice has."""
TOOLS = {"ecb.level=rtl": "verilator"}
"""Tools that a choice needs. In CI they must be installed."""
REFUSED = {
    "hpvm.too_slow=refuse": r"hpvm\.interval_s = .*: a sweep of 2 nodes takes .* at least",
    "ecb.lockstep=count": r"ecb\.lockstep = count: must be none without an ecb\.module or ecb\.rtl",
    "ecb.lockstep=stop": r"ecb\.lockstep = stop: must be none without an ecb\.module or ecb\.rtl",
}
"""Choices that refuse a run that other choices allow. Those of ecb.lockstep need a user's board, as in
test_lockstep.py.
"""

COLLECTIVES = """
#include <mpi.h>
#include <stdlib.h>
enum { most = 300000 };
int main(int argc, char** argv) {
  int ranks;
  MPI_Init(&argc, &argv);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  char* out = calloc(ranks, most);
  char* in = calloc(ranks, most);
  for (int n = 300; n <= most; n *= 1000) {
    MPI_Bcast(out, n, MPI_CHAR, 0, MPI_COMM_WORLD);
    MPI_Reduce(out, in, n, MPI_CHAR, MPI_MAX, 0, MPI_COMM_WORLD);
    MPI_Allreduce(out, in, n, MPI_CHAR, MPI_MAX, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Gather(out, n, MPI_CHAR, in, n, MPI_CHAR, 0, MPI_COMM_WORLD);
    MPI_Scatter(out, n, MPI_CHAR, in, n, MPI_CHAR, 0, MPI_COMM_WORLD);
    MPI_Allgather(out, n, MPI_CHAR, in, n, MPI_CHAR, MPI_COMM_WORLD);
    MPI_Alltoall(out, n, MPI_CHAR, in, n, MPI_CHAR, MPI_COMM_WORLD);
    MPI_Scan(out, in, n, MPI_CHAR, MPI_MAX, MPI_COMM_WORLD);
  }
  return MPI_Finalize();
}
"""
RMI_CLIENT = """
#include <hypermon_rmi.h>
int hypermon_rmi_client(const struct hypermon_rmi* rmi) {
  rmi->wait(rmi, 0.1);
  return 0;
}
"""
HOST = (
    '<host id="{}" speed="1Gf"><disk id="disk{}" read_bw="100MBps" write_bw="50MBps"><prop id="mount" value="/"/>'
    '<prop id="content" value="content.txt"/><prop id="size" value="1GiB"/></disk></host>'
)
DISKS = f"""<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1"><zone id="w" routing="Full">{HOST.format("a", 0)}{HOST.format("b", 1)}
<link id="l" bandwidth="100MBps" latency="10us"/><route src="a" dst="b"><link_ctn id="l"/></route></zone></platform>
"""


def enumerations() -> list[str]:
    try:
        return [one.path for one in workers.schema().parameters.values() if one.choices]
    except UserError:  # the worker is not built: the fixture skips the tests or makes them fail
        return ["monitor"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files of the folder that FOLDER in settings stands for."""
    made = tmp_path_factory.mktemp("choices")
    (made / "collectives.c").write_text(COLLECTIVES)
    (made / "client.c").write_text(RMI_CLIENT)
    (made / "disks.xml").write_text(DISKS)
    (made / "content.txt").touch()
    (made / "edges").write_text("node0 a\nnode1 a\nserver0 a\na b\nb node2\nb node3\nb server1\n")
    (made / "events.csv").write_text("time,node,datum\n1000000,0,1\n2000000,1,1\n")
    (made / "base.yaml").write_text("question: Does every choice run?\n")
    if "program.file" in workers.schema().parameters:
        program = str(made / "collectives.c")
        hypermon.run(program=program, nodes=2, out=made / "traced", script_out=made / "trace.script")
        command = [sys.executable, "-m", "hypermon", "calibrate", "--program", program, "-n", "2"]
        subprocess.run([*command, "-o", made / "calibration.json"], check=True, capture_output=True)
    return made


def settings_of(path: str, choice: str) -> dict[str, Any]:
    """The settings of a run with this choice."""
    section = path.partition(".")[0]
    workloads = workers.schema().parameters["workload"].choices
    named = {"workload": section} if section in workloads else {}
    own = SETTINGS.get(section, {}) if "." in path else {}
    return {**BASE, **named, **own, **SETTINGS.get(path, {}), path: choice, **SETTINGS.get(f"{path}={choice}", {})}


def has_tools(path: str, choice: str) -> bool:
    tool = TOOLS.get(f"{path}={choice}")
    return tool is None or shutil.which(tool) is not None or bool(os.environ.get("HYPERMON_REQUIRE_RTL_TOOLS"))


def is_possible(settings: Settings) -> bool:
    """True if all parts that the settings name exist."""
    parameters = workers.schema().parameters
    return all(
        common_path(path) in parameters and (path not in ("monitor", "workload") or value in parameters[path].choices)
        for path, value in settings.items()
    )


def outcome(settings: Settings, folder: Path, out: Path, added: tuple[str, str] | None = None) -> str:
    """A digest of all outputs of the run except its settings. Fails if an invariant of the result does not hold.

    `added`: group and key of the result that are left out.
    """
    given = {path: str(v).replace("FOLDER", str(folder)) if "FOLDER" in str(v) else v for path, v in settings.items()}
    spec: Spec = scenario.find_one(str(folder / "base.yaml")).resolve(workers.schema(), given, where="settings")
    result = runner.simulate(spec, out)
    assert violations(result, spec) == []
    compared = {k: v for k, v in result.items() if k != "spec"}
    if added is not None:
        group, key = added
        compared[group] = {k: v for k, v in compared[group].items() if k != key}
    digest = hashlib.sha256(json.dumps(compared, sort_keys=True).encode())
    for file in sorted(out.rglob("*")):
        if file.is_file() and file.name not in ("host.json", "spec.json", RESULT, sums.FILE):
            digest.update(str(file.relative_to(out)).encode() + file.read_bytes())
    return digest.hexdigest()


@pytest.mark.parametrize("path", enumerations())
def test_every_choice_runs_and_makes_a_difference(
    path: str, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)  # content.txt
    settings = {choice: settings_of(path, choice) for choice in workers.schema().parameters[path].choices}
    possible = {choice: given for choice, given in settings.items() if is_possible(given) and has_tools(path, choice)}
    if not possible:
        pytest.skip("a part is not there")
    found: dict[str, str] = {}
    for choice, given in possible.items():
        if reason := REFUSED.get(f"{path}={choice}"):
            with pytest.raises(UserError, match=reason):
                outcome(given, folder, tmp_path / choice)
        else:
            found[choice] = outcome(given, folder, tmp_path / choice, ADDED.get(f"{path}={choice}"))
    same = SAME.get(path, set())
    assert len({found[choice] for choice in same & found.keys()}) <= 1
    different = {outcome: choice for choice, outcome in found.items()}
    assert len(different) == len(found) - max(len(same & found.keys()) - 1, 0), f"choices without a say: {found}"


def test_all_settings_are_of_parameters_that_exist() -> None:
    declared = workers.schema().parameters
    sections = {path.partition(".")[0] for path in declared if "." in path}
    for key in SETTINGS:
        path, _, choice = key.partition("=")
        assert path in declared or path in sections, key
        assert not choice or choice in declared[path].choices, key
