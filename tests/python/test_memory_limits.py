# SPDX-License-Identifier: BSD-3-Clause
"""Work that needs more memory than the machine has ends with a one-line error, before it begins where possible."""

from __future__ import annotations

import json
import resource
import subprocess
import sys
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from hypermon._engine import runner
from hypermon._files import memory
from hypermon.cli.app import app
from hypermon.cli.common import command, echo_rows
from hypermon.errors import UserError
from tests.conftest import Hypermon


def test_available_memory_is_at_most_what_every_limit_leaves(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    meminfo = tmp_path / "meminfo"
    meminfo.write_text("MemTotal: 9000 kB\nMemAvailable: 5000 kB\n")
    monkeypatch.setattr(memory, "_MEMINFO", meminfo)
    monkeypatch.setattr(memory, "_CGROUP", tmp_path)
    unlimited = (resource.RLIM_INFINITY, resource.RLIM_INFINITY)
    monkeypatch.setattr(resource, "getrlimit", lambda _: unlimited)
    assert memory.available() == 5000 * 1024

    (tmp_path / "memory.max").write_text("max\n")  # no limit
    (tmp_path / "memory.current").write_text("1000000\n")
    assert memory.available() == 5000 * 1024
    (tmp_path / "memory.max").write_text("3000000\n")
    (tmp_path / "memory.stat").write_text("anon 600000\nfile 400000\n")
    assert memory.available() == 3_000_000 - 1_000_000 + 400_000

    used = memory._line(Path("/proc/self/status"), "VmSize:", 1024)
    assert used is not None
    monkeypatch.setattr(resource, "getrlimit", lambda _: (used + 1_000_000, used + 1_000_000))
    left = memory.available()
    assert left is not None
    assert left <= 2_000_000
    monkeypatch.setattr(resource, "getrlimit", lambda _: (1, 1))
    assert memory.available() == 0


def test_memory_is_required_to_the_byte(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "available", lambda: 2_500_000_000)
    memory.require(2_500_000_000, "a table")
    with pytest.raises(UserError) as refused:
        memory.require(2_500_000_001, "a table", "use pieces()")
    assert str(refused.value) == "a table needs about 2.5 GB of memory; 2.5 GB are available; use pieces()"
    monkeypatch.setattr(memory, "available", lambda: None)  # unknown memory: nothing is refused
    memory.require(1 << 60, "a table")


@pytest.mark.worker
def test_a_co_simulation_of_too_many_ranks_is_refused_before_it_begins(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(memory, "available", lambda: 16 * runner.RANK_BYTES - 1)
    arguments = ["run", "table2/matmul", "--set", "matmul.size=16", "--out", "runs"]
    refused = CliRunner().invoke(app, [*arguments, "--set", "nodes=16"])
    assert refused.exit_code == 2
    assert refused.stderr == (
        "error: nodes = 16: a co-simulation of 16 ranks needs about 2 MB of memory; 2 MB are available\n"
    )
    assert not (tmp_path / "runs").exists()
    done = CliRunner().invoke(app, [*arguments, "--set", "nodes=8"])
    assert done.exit_code == 0, done.stderr


@pytest.mark.parametrize(("error", "end"), [(MemoryError(), ""), (MemoryError("std::bad_alloc"), ": std::bad_alloc")])
def test_a_command_that_runs_out_of_memory_says_so_in_one_line(error: MemoryError, end: str) -> None:
    @command
    def fail() -> None:
        """Fails."""
        raise error

    one = typer.Typer()
    one.command()(fail)
    done = CliRunner().invoke(one, [])
    assert (done.exit_code, done.stdout) == (3, "")
    assert done.stderr == f"error: not enough memory on this machine{end}\n"


@pytest.mark.worker
def test_a_full_temporary_folder_is_one_line(
    hypermon: Hypermon, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = ("--set", "nodes=16", "--set", "generator.active=16", "--set", "generator.events=3000")
    monkeypatch.chdir(tmp_path)
    assert hypermon("record", "bandwidth/one_node", *settings, "--out", "run").returncode == 0
    strobes(tmp_path)
    deep: tuple[str, ...] = ("--set", "pbx.word_ns=1200", "--set", "ecb.frame_fifo_frames=16777216")
    deep = (*deep, "--set", "reader.kind=group", "--set", "reader.frame_ns=200")
    for arguments in (("replay", "run", *deep, "--out", "again"), ("capture", "strobes.csv", *deep)):
        code = (
            "import resource as r; r.setrlimit(r.RLIMIT_FSIZE, (100_000, 100_000))\n"
            "from hypermon.cli.start import main; main()"
        )
        done = subprocess.run(
            [sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=False, cwd=tmp_path
        )
        assert done.returncode == 3, done.stderr
        assert "long backlogs are kept in this folder; TMPDIR can name another one" in done.stderr
        assert done.stderr.count("\n") == 1
    assert not (tmp_path / "again").exists()


def strobes(folder: Path) -> None:
    """150 000 windows with a strobe each, so that each makes a frame."""
    rows = (f"{1000 * i},{i % 16},{i % 7}\n" for i in range(150_000))
    (folder / "strobes.csv").write_text("time_ns,node,datum\n" + "".join(rows))


@pytest.mark.parametrize("rows", [[], [{}], [{"a": 1, "b": [1, {"c": None}]}, {"a": "x\ny", "b": []}]])
def test_rows_are_printed_one_by_one_as_json_prints_them_at_once(
    rows: list[dict[str, object]], capsys: pytest.CaptureFixture[str]
) -> None:
    echo_rows(iter(rows))
    assert capsys.readouterr().out == json.dumps(rows, indent=1) + "\n"
