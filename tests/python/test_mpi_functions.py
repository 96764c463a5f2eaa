# SPDX-License-Identifier: BSD-3-Clause
"""MPI-3.1's functions: the worker's list of them, and programs that call missing ones."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

import hypermon
from hypermon._inputs import mpi_functions
from hypermon._model import catalogues, worker
from hypermon._model.result import Result
from hypermon.errors import SimulationError, UserError
from tests.python import simgrid_releases

pytestmark = [pytest.mark.worker, pytest.mark.usefixtures("worker")]
DISKS = """<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <zone id="world" routing="Full">
    {hosts}
    <link id="l" bandwidth="125MBps" latency="50us"/>
    <route src="a" dst="b"><link_ctn id="l"/></route>
  </zone>
</platform>
"""
DISK = (
    '<host id="{}" speed="1Gf"><disk id="d" read_bw="100MBps" write_bw="50MBps"><prop id="mount" value="/"/>'
    '<prop id="content" value="content.txt"/><prop id="size" value="1GiB"/></disk></host>'
)
IO = r"""
#include <mpi.h>
#include <stdio.h>
int main(int argc, char** argv) {
  int rank;
  char data[5000] = {0};
  MPI_File file;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_File_open(MPI_COMM_WORLD, "/data", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
  MPI_File_write_at(file, 5000 * rank, data, 5000, MPI_BYTE, MPI_STATUS_IGNORE);
  printf("%d wrote %a\n", rank, MPI_Wtime());
  MPI_File_read_at_all(file, 5000 * rank, data, 5000, MPI_BYTE, MPI_STATUS_IGNORE);
  printf("%d read %a\n", rank, MPI_Wtime());
  MPI_File_close(&file);
  MPI_Finalize();
  return 0;
}
"""


def source(folder: Path, text: str) -> Path:
    path = folder / "heat.c"
    path.write_text(text)
    return path


def calling(folder: Path, call: str, declaration: str = "") -> Path:
    begin = "#include <mpi.h>\n" + declaration + "int main(int argc, char** argv) {\n  MPI_Init(&argc, &argv);\n"
    return source(folder, f"{begin}  {call};\n  MPI_Finalize();\n  return 0;\n}}\n")


def run(program: Path, messages: str = "smpi") -> Result:
    return hypermon.run(program=program, nodes=2, monitor="none", machine={"messages": messages}, out="run")


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def test_the_standards_functions_contain_what_smpi_declares_and_what_observers_are_told_of() -> None:
    names = {name for names in mpi_functions.chapters().values() for name in names}
    smpi = subprocess.run(["smpicc", "-E", "-"], input="#include <mpi.h>\n", capture_output=True, text=True, check=True)
    declared = set(re.findall(r"\bP(MPI_[A-Z][a-z]\w*) *\(", smpi.stdout))
    assert len(declared) > 300
    assert declared - names == {"MPI_Type_create_indexed"} | simgrid_releases.functions_beyond_mpi_3()  # an extension
    points = [p["point"].split(".")[1] for p in catalogues.points()["points"] if p["class"] == "mpi"]
    told = {name for name, its in mpi_functions.support(sorted(names)).items() if its.told}
    assert told == set(points)


def test_what_becomes_of_a_function_is_what_the_worker_does() -> None:
    names = ["MPI_Send", "MPI_Get_count", "MPI_Put", "MPI_Irsend", "MPI_Comm_spawn", "MPI_Pcontrol", "MPI_Win_sync",
             "MPI_T_finalize"]  # fmt: skip
    support = mpi_functions.support(names)
    assert [support[name].smpi for name in names] == ["there"] * 4 + ["stub", "stub", "empty", "absent"]
    assert {name for name in names if support[name].nx2} == {"MPI_Send", "MPI_Irsend"}
    assert {name for name in names if support[name].own} == {"MPI_Pcontrol", "MPI_Win_sync"}
    assert {name for name in names if support[name].told} == {"MPI_Send", "MPI_Put", "MPI_Irsend", "MPI_Pcontrol"}
    scripts = ["yes", "", "left out", "as MPI_Isend", "", "yes", "", ""]
    assert [support[name].script for name in names] == scripts


def test_every_function_that_nx2_implements_is_described_and_no_other() -> None:
    names = [name for names in mpi_functions.chapters().values() for name in names]
    support = mpi_functions.support(names)
    implemented = {name for name in names if support[name].nx2 and support[name].smpi == "there"}
    assert set(mpi_functions.under_nx2()) == implemented


@pytest.mark.parametrize("messages", ["nx2", "smpi"])
@pytest.mark.parametrize(
    ("call", "name"),
    [
        ("MPI_Neighbor_allgather(0, 0, MPI_INT, 0, 0, MPI_INT, MPI_COMM_WORLD)", "MPI_Neighbor_allgather"),
        ("MPI_Comm c; MPI_Request r; MPI_Comm_idup(MPI_COMM_WORLD, &c, &r)", "MPI_Comm_idup"),
    ],
)
def test_a_call_that_smpi_only_declares_is_refused_by_name(tmp_path: Path, call: str, name: str, messages: str) -> None:
    with pytest.raises(SimulationError) as error:
        run(calling(tmp_path, call), messages)
    version = worker.schema().versions["simgrid"]
    assert f"calls {name}, which SMPI {version} does not have ({mpi_functions.PAGE}), called from " in str(error.value)
    assert "at heat.c:4" in str(error.value)


def test_a_call_from_fortran_that_does_not_link_is_named(tmp_path: Path) -> None:
    program = tmp_path / "idup.f90"
    program.write_text("program idup\n  call MPI_Comm_idup(0, 0, 0, 0)\nend program\n")
    with pytest.raises(UserError, match=r"calls MPI_Comm_idup, which SMPI [.0-9]+ does not have"):
        run(program)


def test_calls_of_functions_that_do_not_link_are_all_named(tmp_path: Path) -> None:
    functions = "int MPI_T_finalize(void); int PMPI_T_init_thread(int, int*);\n"
    program = calling(tmp_path, "MPI_T_finalize(); PMPI_T_init_thread(0, 0)", functions)
    message = "calls MPI_T_finalize and PMPI_T_init_thread, which SMPI [.0-9]+ does not have"
    with pytest.raises(UserError, match=r"^program\.file: " + message):
        run(program)
    flags = ["-shared", "-fPIC", "-I/usr/include/smpi", "-include", "smpi/smpi_helpers.h"]
    subprocess.run(["gcc", *flags, program, "-o", "heat.so"], check=True)
    with pytest.raises(UserError, match=r"program\.file = \S*heat\.so: " + message):
        run(tmp_path / "heat.so")
    with pytest.raises(UserError, match=r"calls MPI_T_finalize, which SMPI [.0-9]+ does not have"):
        run(calling(tmp_path, "MPI_T_finalize()").rename("heat.cpp"))  # C++ wants declarations


def test_files_are_smpiruns_to_the_bit_where_hosts_have_disks(tmp_path: Path) -> None:
    program = source(tmp_path, IO)
    Path("content.txt").touch()
    Path("disks.xml").write_text(DISKS.format(hosts=DISK.format("a") + DISK.format("b")))
    subprocess.run(["smpicc", program, "-o", "heat"], check=True)
    command = ["smpirun", "-np", "2", "-platform", "disks.xml", "--cfg=smpi/simulate-computation:no",
               "--log=root.thres:error", "./heat"]  # fmt: skip
    wanted = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout.splitlines()
    assert len(set(wanted)) == 4
    result = hypermon.run(program=program, platform="disks.xml", nodes=2, monitor="none", out="run")
    seen = [line for rank in (0, 1) for line in result.output(rank).splitlines()]
    assert sorted(seen) == sorted(wanted)


def test_files_without_disks_are_refused_in_smpis_words(tmp_path: Path) -> None:
    with pytest.raises(SimulationError, match=r"in MPI_File_open: SMPI says: SMPI/IO : Trying to open file on a disk"):
        run(source(tmp_path, IO))
