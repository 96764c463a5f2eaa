# SPDX-License-Identifier: BSD-3-Clause
"""How processes end: by signals at any time, with killed parents, and what they leave."""

from __future__ import annotations

import fcntl
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import hypermon as package
from hypermon._files import leftovers
from tests.python.processes import is_alive, start, wait_for, worker_pids

COMMAND = [sys.executable, "-c", "from hypermon.cli import main; main()"]
SLOW = "question: How long?\nset: {fake.behaviour: hang}\n"


@pytest.mark.parametrize("moment", ["before its handler", "inside", "after its command"])
def test_sigterm_has_one_status(scenarios: Path, moment: str) -> None:
    (scenarios / "slow.yaml").write_text(SLOW)
    kill = "import os, signal; os.kill(os.getpid(), signal.SIGTERM)"
    program = {
        "before its handler": f"from hypermon.cli import main; {kill}; main()",
        "inside": f"import hypermon.cli.start as s\ndef ring(*_):\n {kill}\ns.application = ring\ns.main()",
        "after its command": f"import atexit\nfrom hypermon.cli import main\ndef ring():\n {kill}\natexit.register(ring)"
        "\nmain()",
    }[moment]
    with start([sys.executable, "-c", program, "params", "nodes"], stdout=subprocess.DEVNULL) as process:
        _, said = process.communicate(timeout=20)
    assert process.returncode == -signal.SIGTERM
    assert said == ("terminated\n" if moment == "inside" else "")


def test_a_worker_ends_with_a_killed_parent(scenarios: Path) -> None:
    (scenarios / "slow.yaml").write_text(SLOW)
    with start([*COMMAND, "run", "slow"]) as process:
        wait_for(lambda: bool(worker_pids(Path.cwd())))
        [pid] = worker_pids(Path.cwd())
        process.kill()
        process.communicate()
    wait_for(lambda: not is_running(pid))


def is_running(pid: int) -> bool:
    """Neither gone nor waiting for whoever adopts it."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except (FileNotFoundError, ProcessLookupError):  # gone before it was opened, or read
        return False


def test_what_a_killed_command_leaves_is_removed_by_the_next(scenarios: Path) -> None:
    (scenarios / "slow.yaml").write_text(SLOW)
    (scenarios / "simple.yaml").write_text("question: How much?\n")
    with start([*COMMAND, "run", "slow", "--out", "runs/slow"]) as process:
        wait_for(lambda: bool(worker_pids(Path.cwd())))
        [pid] = worker_pids(Path.cwd())
        process.kill()
        process.communicate()
    wait_for(lambda: not is_running(pid))
    assert [p.name for p in Path("runs").iterdir()] == [f".slow.partial-{process.pid}"]
    package.run("simple", out="runs/other")
    assert [p.name for p in Path("runs").iterdir()] == ["other"]


def dead() -> int:
    """The number of a process that is no more."""
    with subprocess.Popen(["true"]) as process:
        process.wait()
    assert not is_alive(process.pid)
    return process.pid


def test_the_run_that_a_killed_command_was_replacing_is_put_back(tmp_path: Path) -> None:
    old = tmp_path / f".run.old-{dead()}"
    old.mkdir()
    (old / "result.json").write_text("kept")
    leftovers.clean(tmp_path)
    assert (tmp_path / "run" / "result.json").read_text() == "kept"
    old.mkdir()  # of one that was killed after it had replaced it
    leftovers.clean(tmp_path)
    assert [p.name for p in tmp_path.iterdir()] == ["run"]


def test_what_belongs_to_somebody_stays(tmp_path: Path) -> None:
    number = dead()
    kept = [
        tmp_path / f".mine.partial-{os.getppid()}",  # of a living process
        tmp_path / f".elsewhere.partial-{number}",  # locked: of a process on another host
        tmp_path / f"run.partial-{number}",  # not our name
        tmp_path / f".run.partial-{number}x",
    ]
    for folder in kept:
        folder.mkdir()
    file = tmp_path / f".file.partial-{number}"
    file.write_text("")
    lock = os.open(kept[1], os.O_RDONLY)
    try:
        fcntl.flock(lock, fcntl.LOCK_SH)
        leftovers.clean(tmp_path)
    finally:
        os.close(lock)
    assert sorted(tmp_path.iterdir()) == sorted([*kept, file])
    leftovers.clean(tmp_path)
    assert not kept[1].exists()
