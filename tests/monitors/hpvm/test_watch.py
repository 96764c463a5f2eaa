# SPDX-License-Identifier: BSD-3-Clause
"""`hypermon run --watch`: samples as they arrive, on a terminal and through a pipe."""

from __future__ import annotations

import contextlib
import fcntl
import os
import pty
import re
import signal
import struct
import subprocess
import sys
import termios
from pathlib import Path
from typing import Any

import pytest

import hypermon
from tests.monitors.hpvm.test_hpvm import MACHINE
from tests.python.processes import start, wait_for

pytestmark = [pytest.mark.worker, pytest.mark.usefixtures("worker")]
COMMAND = [str(Path(sys.executable).with_name("hypermon")), "run", "collection/ring"]
SETTINGS = {
    **MACHINE, "nodes": 3, "hpvm.counters": "cpu.kernel os.context_switches memory.message_buffers",
    "idle.duration_s": 8,
}  # fmt: skip


def words(**more: object) -> list[str]:
    return [word for path, value in (SETTINGS | more).items() for word in ("--set", f"{path}={value}")]


def watched(tmp_path: Path, *more: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*COMMAND, *words(), "--watch", "--out", str(tmp_path / "run"), *more],
        capture_output=True, text=True, timeout=60, check=False, cwd=tmp_path,
    )  # fmt: skip


def test_a_pipe_gets_a_line_for_each_sample_in_the_order_of_arrival_and_the_summary(tmp_path: Path) -> None:
    done = watched(tmp_path, "--all")
    assert done.returncode == 0, done.stderr
    header, *lines = done.stdout.splitlines()
    assert header.split("\t") == ["# arrival_s", "node", "counter", "value", "unit", "per_s"]
    rows = [line.split("\t") for line in lines if "\t" in line]
    frame = hypermon.Result(tmp_path / "run").samples.to_pandas()
    assert len(rows) == len(frame) > 50
    last: dict[tuple[str, str], tuple[int, int]] = {}
    known: Any
    for row, known in zip(rows, frame.itertuples(), strict=True):
        arrival, node, counter, value, unit, growth = row
        assert float(arrival) == pytest.approx(known.arrival_ps / 1e12, abs=1e-6)
        assert (int(node), int(value)) == (known.node, known.value)
        assert counter.startswith(known.counter)
        assert counter.endswith(f"[{known.part}]") == (known.counter == "os.context_switches")
        assert unit == known.unit
        before = last.get((node, counter))
        if known.counter == "memory.message_buffers" or before is None:
            assert growth == ""
        else:  # on the node's own clock; a time as its share, any other counter per second
            per = (known.value - before[0]) / (known.stamped_ps - before[1])
            assert float(growth) == pytest.approx(per * (1 if unit == "ps" else 1e12), rel=1e-5)
        last[node, counter] = (known.value, known.stamped_ps)
    assert "sampling.delivered" in done.stdout[done.stdout.rindex("\t") :]


def test_watching_changes_no_byte_of_the_run(tmp_path: Path) -> None:
    assert watched(tmp_path).returncode == 0
    subprocess.run([*COMMAND, *words(), "--out", str(tmp_path / "alone")], check=True, capture_output=True)
    names = {path.name for path in (tmp_path / "run").iterdir()}
    assert names == {path.name for path in (tmp_path / "alone").iterdir()}
    for name in names - {"host.json"}:
        assert (tmp_path / "run" / name).read_bytes() == (tmp_path / "alone" / name).read_bytes()


def on_a_terminal(command: list[str], rows: int, columns: int) -> str:
    """Output of the command on a terminal of this size."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
    environment = {k: v for k, v in os.environ.items() if k not in {"NO_COLOR", "COLUMNS", "LINES"}} | {"TERM": "xterm"}
    process = subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, env=environment)
    os.close(theirs)
    shown = b""
    with contextlib.suppress(OSError):  # its other end is closed
        while piece := os.read(ours, 65536):
            shown += piece
    assert process.wait() == 0, shown
    os.close(ours)
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", shown.decode()).replace("\r\n", "\n")


def test_a_terminal_shows_what_is_known_of_each_node_and_how_old_it_is(tmp_path: Path) -> None:
    long = {"idle.duration_s": 300, "hpvm.interval_s": 0.05}  # several times the 0.2 s from table to table
    command = [*COMMAND, *words(**long), "--watch", "--out", str(tmp_path / "run")]
    shown = on_a_terminal(command, rows=40, columns=120)
    assert re.search(r"collection/ring: [0-9.]+ s simulated", shown)  # while it runs
    table = shown[shown.rindex("collection/ring: at the end") :].splitlines()
    assert "no room here" not in shown
    frame = hypermon.Result(tmp_path / "run").samples.to_pandas()
    for node in range(3):
        own = frame[(frame["node"] == node) & (frame["counter"] == "cpu.kernel")]
        share = (own["value"].diff() / own["stamped_ps"].diff()).iloc[-1]
        [row] = [line.split() for line in table if re.match(rf" *{node} +[0-9]", line)]
        assert row[2:] == [f"{share:.4g}", "0", "0"]  # no context switches, no buffers
    small = on_a_terminal([*command, "--set", "idle.duration_s=8"], rows=10, columns=30)
    assert "1 of 3 nodes and 2 of 3 counters" in " ".join(small.split())


def test_a_monitor_that_takes_no_samples_says_so_and_leaves_nothing(tmp_path: Path) -> None:
    done = subprocess.run(
        [*COMMAND, *words(monitor="none"), "--watch", "--out", "run"], capture_output=True, text=True, check=False,
        cwd=tmp_path,
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (2, "")
    assert "error: monitor = none: takes no samples that could be watched; hpvm " in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_the_result_as_json_is_not_mixed_with_samples(tmp_path: Path) -> None:
    done = watched(tmp_path, "--json")
    assert (done.returncode, done.stdout) == (2, "")
    assert "--watch and --json: only one of them" in done.stderr


def test_who_reads_the_first_lines_alone_ends_it_quietly(tmp_path: Path) -> None:
    line = " ".join([*COMMAND, *(f"'{word}'" for word in words()), "--watch --out run | head -2"])
    done = subprocess.run(line, shell=True, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert len(done.stdout.splitlines()) == 2
    assert done.stderr == ""


def test_an_interrupt_leaves_nothing_half_written(tmp_path: Path) -> None:
    long = words(**{"idle.duration_s": 1_000_000})
    with start([*COMMAND, *long, "--watch", "--out", "run"], stdout=subprocess.PIPE, cwd=tmp_path) as process:
        assert process.stdout is not None
        assert process.stdout.readline().startswith("# arrival_s")
        assert any(path.name.startswith(".run.partial") for path in tmp_path.iterdir())
        process.send_signal(signal.SIGINT)
        _, stderr = process.communicate(timeout=30)
    assert process.returncode == 130
    assert stderr.strip() == "interrupted"
    wait_for(lambda: not list(tmp_path.iterdir()))


def test_lines_come_while_the_run_goes_on(tmp_path: Path) -> None:
    long = words(**{"idle.duration_s": 1_000_000})
    with start([*COMMAND, *long, "--watch", "--out", "run"], stdout=subprocess.PIPE, cwd=tmp_path) as process:
        assert process.stdout is not None
        assert process.stdout.readline().startswith("# arrival_s")
        dates = [float(process.stdout.readline().split("\t")[0]) for _ in range(2000)]
        assert process.poll() is None
        assert dates == sorted(dates)
        process.kill()
