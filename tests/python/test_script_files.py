# SPDX-License-Identifier: BSD-3-Clause
"""MPI-IO in program scripts: a program's file calls are recorded and repeated."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import hypermon
from hypermon.errors import SimulationError
from hypermon.importing import hdtrace
from hypermon.importing.script import SELF, Script, Writer
from tests.python.little_hdtrace import PROJECT

pytestmark = [pytest.mark.worker, pytest.mark.usefixtures("worker")]
PROGRAMS = Path(__file__).parent / "mpiio_programs"
QUIET = {"monitor": "none", "node.clock_drift_ppm": 0, "node.start_spread_us": 0}
PARTDIFF = {"nodes": 3, "partdiff.interlines": 20, "partdiff.access": "collective", **QUIET}


def calls(result: Any) -> dict[str, tuple[int, int]]:
    """Calls and bytes of each file function, except queries."""
    functions = result["mpiio"]["functions"].items()
    return {name: (of["calls"], of["bytes"]) for name, of in functions if "_get_" not in name}


@pytest.mark.parametrize("program", ["views", "pointers", "requests"])
def test_a_script_makes_the_calls_of_its_program_again(tmp_path: Path, program: str) -> None:
    script = tmp_path / "a.script"
    settings = {"program.file": PROGRAMS / f"{program}.c", "nodes": 4, "mpiio.file_system": "ideal", **QUIET}
    ran: Any = hypermon.run(settings={"workload": "program", **settings}, script_out=script, out=tmp_path / "1")
    again: Any = hypermon.run(trace=script, out=tmp_path / "2")
    expected: dict[str, tuple[int, int]] = {}
    for name, (number, bytes_) in calls(ran).items():
        if name.endswith("_end"):  # a split call counts as the blocking call, at its begin
            continue
        before = expected.get(name.removesuffix("_begin"), (0, 0))
        expected[name.removesuffix("_begin")] = (before[0] + number, before[1] + bytes_)
    assert sum(bytes_ for _, bytes_ in expected.values()) > 0
    assert calls(again) == expected
    assert {kind for kind in again["mpiio"]["requests"].items() if kind[1]} == {
        kind for kind in ran["mpiio"]["requests"].items() if kind[1]
    }
    assert again["elapsed_s"] == ran["elapsed_s"]


@pytest.mark.parametrize("preset", ["piosim/paper", "piosim/real"])
def test_a_script_of_a_run_on_a_parallel_file_system_is_the_run_itself(tmp_path: Path, preset: str) -> None:
    script = tmp_path / "a.script"
    ran = hypermon.run("piosim/partdiff", settings=PARTDIFF, presets=[preset], script_out=script, out=tmp_path / "1")
    again = hypermon.run(trace=script, out=tmp_path / "2")
    assert Script.open(script).not_represented == ()
    for key in ("elapsed_s", "fingerprint", "mpiio", "piosim"):
        assert again[key] == ran[key], key


def test_a_script_takes_its_files_to_another_machine(tmp_path: Path) -> None:
    """A script's calls take the time of the other machine's file system, which is that of the program itself there."""
    script = tmp_path / "a.script"
    hypermon.run("piosim/partdiff", settings=PARTDIFF, script_out=script, out=tmp_path / "1")
    slower = {"packets.edge_mib_per_s": 10}
    ran = hypermon.run("piosim/partdiff", settings={**PARTDIFF, **slower}, out=tmp_path / "2")
    assert hypermon.run(trace=script, settings=slower, out=tmp_path / "3")["elapsed_s"] == ran["elapsed_s"]
    elsewhere = hypermon.run(trace=script, platform="beowulf", settings=QUIET, out=tmp_path / "4")
    assert calls(elsewhere) == calls(ran)


def test_files_of_an_imported_project_have_the_sizes_that_they_had(tmp_path: Path) -> None:
    (tmp_path / "little.proj").write_text(PROJECT)
    open_ = "<File_open cid='0' name='pvfs2://pvfs2/out.dat' flags='2' fid='0' time='0.1' end='0.1'/>"
    read = "<File_read_at fid='0' offset='4000' size='200' count='200' tid='9' memoryType='1 B' time='0.2' end='0.3'/>"
    for name in ("node06_0", "node07_1"):
        trace = (
            f"<Program timeAdjustment='0'>\n{open_}\n{read}\n<File_close fid='0' time='0.4' end='0.4'/>\n</Program>\n"
        )
        (tmp_path / f"little_{name}_0.trc").write_text(trace)
    script = hdtrace.read(tmp_path / "little.proj", tmp_path / "a.script")
    result: Any = hypermon.run(trace=script.path, platform="piosim", settings={"monitor": "none"}, out=tmp_path / "run")
    assert result["mpiio"]["functions"]["MPI_File_read_at"]["bytes"] == 2 * 96
    assert result["spec"]["mpiio"]["file_system"] == "pvfs"
    assert result["spec"]["mpiio"]["contents"] == "sizes"


@pytest.mark.parametrize(
    ("actions", "says"),
    [
        ([("write_at", {"peer": 3, "tag": 1})], "no open file 3"),
        ([("file_open", {"peer": -2, "tag": 5, "values": [97, 0]})], "a file's number -2"),
        ([("file_open", {"peer": 0, "tag": 5, "values": [97]})], "a file's name or hint that does not end"),
        ([("open", {}), ("file_set_view", {"peer": 0, "values": [9, 1]})], "a view that is not whole"),
        ([("open", {}), ("file_seek", {"peer": 0, "tag": 7})], "a seek from 7"),
        ([("open", {}), ("write", {"peer": 0, "tag": -5})], "an access to -5 items"),
        ([("open", {}), ("iwrite", {"peer": 0, "tag": 1})], "an access that does not block, without a request"),
        ([("open", {}), ("file_set_view", {"peer": 0, "values": [1, 0, 1, 0, 0]})], "a datatype of 1 numbers"),
    ],
)
def test_a_script_that_makes_no_sense_is_refused(
    tmp_path: Path, actions: list[tuple[str, dict[str, Any]]], says: str
) -> None:
    opening = ("file_open", {"peer": 0, "tag": 5, "values": [97, 0], "communicator": SELF})
    with Writer(tmp_path / "a.script", 1, {"kind": "test"}) as writer:
        for name, fields in actions:
            operation, own = opening if name == "open" else (name, fields)
            writer.add(0, operation, **own)
    with pytest.raises(SimulationError) as refused:
        hypermon.run(trace=tmp_path / "a.script", settings=QUIET, out=tmp_path / "run")
    assert says in str(refused.value)
