# SPDX-License-Identifier: BSD-3-Clause
"""Processes that end by signals or whose parents are killed, and the files that they leave."""

from __future__ import annotations

import fcntl
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

import hypermon as package
from hypermon._files import files, leftovers
from tests.python.processes import is_alive, start, wait_for, worker_pids

COMMAND = [sys.executable, "-c", "from hypermon.cli import main; main()"]
SLOW = "question: How long?\nset: {fake.behaviour: hang}\n"


@pytest.fixture(autouse=True)
def signals_have_an_effect() -> Iterator[None]:
    """Processes inherit that a signal is ignored: nohup ignores SIGHUP, and a job in a shell's background SIGINT."""
    on_hangup = signal.signal(signal.SIGHUP, signal.SIG_DFL)
    on_interrupt = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGHUP, on_hangup)
    signal.signal(signal.SIGINT, on_interrupt)


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
        _, stderr = process.communicate(timeout=20)
    assert process.returncode == -signal.SIGTERM
    assert stderr == ("terminated\n" if moment == "inside" else "")


def test_a_worker_ends_with_a_killed_parent(scenarios: Path) -> None:
    (scenarios / "slow.yaml").write_text(SLOW)
    with start([*COMMAND, "run", "slow"]) as process:
        wait_for(lambda: bool(worker_pids(Path.cwd())))
        [pid] = worker_pids(Path.cwd())
        process.kill()
        process.communicate()
    wait_for(lambda: not is_running(pid))


def is_running(pid: int) -> bool:
    """True if the process has neither disappeared nor become a zombie."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except (FileNotFoundError, ProcessLookupError):  # it disappeared before the file was opened or read
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
    (left,) = Path("runs").iterdir()
    assert re.fullmatch(rf"\.slow\.partial-{process.pid}-[0-9a-f]{{8}}", left.name)
    package.run("simple", out="runs/other")
    assert [p.name for p in Path("runs").iterdir()] == ["other"]


WRITING = """
import sys, time
import hypermon.cli.start as s
from pathlib import Path
from hypermon._files import files, leftovers, results
from hypermon.cli.common import command
def work(*_):
    @command
    def writing():
        with files.writing(Path("page.html")) as part:
            with results.whole_folder(Path("archive"), results.Kind("a test", "a")) as folder:
                with leftovers.scratch(Path("waves.vcd")) as scratch:
                    part.write_text("half")
                    (folder / "half").write_text("")
                    print("ready", flush=True)
                    time.sleep(60)
    return writing
s.application = work
s.main()
"""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGKILL])
def test_what_is_being_written_goes_with_its_writer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: signal.Signals
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("page.html").write_text("old")
    with start([sys.executable, "-c", WRITING], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        with files.writing(Path("another.html")) as part:  # this does not remove files of a living process
            part.write_text("")
        assert len(list(tmp_path.glob(".*"))) == 3
        process.send_signal(number)
        process.wait(20)
    left = [path.name for path in tmp_path.glob(".*")]
    assert len(left) == (3 if number == signal.SIGKILL else 0), left
    with files.writing(Path("another.html")) as part:
        part.write_text("")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["another.html", "page.html"]
    assert Path("page.html").read_text() == "old"


def test_a_second_sigterm_does_not_stop_the_removal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    slow = "import shutil, time\nrm = shutil.rmtree\nshutil.rmtree = lambda *a, **k: (time.sleep(0.3), rm(*a, **k))\n"
    with start([sys.executable, "-c", slow + WRITING], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        for _ in range(4):
            process.send_signal(signal.SIGTERM)
            time.sleep(0.1)
        process.wait(20)
    assert (process.returncode, list(tmp_path.iterdir())) == (-signal.SIGTERM, [])


def test_sighup_is_ignored_where_nohup_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    ignored = "import signal\nsignal.signal(signal.SIGHUP, signal.SIG_IGN)\n"
    with start([sys.executable, "-c", ignored + WRITING], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        process.send_signal(signal.SIGHUP)
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(0.5)
        process.terminate()


def dead() -> int:
    """The number of a process that has ended."""
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
    old.mkdir()  # left by a process that was killed after it had replaced the file
    leftovers.clean(tmp_path)
    assert [p.name for p in tmp_path.iterdir()] == ["run"]


def test_what_belongs_to_somebody_stays(tmp_path: Path) -> None:
    number = dead()
    kept = [
        tmp_path / f".mine.partial-{os.getppid()}",  # temporary file of a living process
        tmp_path / f".elsewhere.partial-{number}",  # locked, because it belongs to a process on another host
        tmp_path / f"run.partial-{number}",  # not our name
        tmp_path / f".run.partial-{number}x",
    ]
    for folder in kept:
        folder.mkdir()
    old = tmp_path / f".file.partial-{number}"  # left by an earlier version, which did not lock its files
    old.write_text("")
    kept_files = [tmp_path / f".a.partial-{os.getppid()}-0123abcd", tmp_path / f".link.partial-{number}-0123abcd", old]
    kept_files[0].write_text("")
    kept_files[1].symlink_to(kept_files[0])
    lock = os.open(kept[1], os.O_RDONLY)
    try:
        fcntl.flock(lock, fcntl.LOCK_SH)
        leftovers.clean(tmp_path)
    finally:
        os.close(lock)
    assert sorted(tmp_path.iterdir()) == sorted([*kept, *kept_files])
    leftovers.clean(tmp_path)
    assert not kept[1].exists()


# --- Ctrl-C

COUNTED = """
import atexit, os, signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)  # as from a terminal
class Counts:
    seen = 0
    def find_spec(self, name, *_):
        Counts.seen += 1
        if Counts.seen == AT:
            os.kill(os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, Counts())
atexit.register(lambda: print(before, Counts.seen, file=sys.__stderr__))
from hypermon.cli import main
before = Counts.seen
main()
"""


def interrupted_at(count: int, *words: str) -> subprocess.CompletedProcess[str]:
    """Runs a command that gets SIGINT when it imports its module number `count`."""
    code = COUNTED.replace("AT:", f"{count}:")
    return subprocess.run([sys.executable, "-c", code, *words], capture_output=True, text=True, check=False)


def test_ctrl_c_while_modules_are_loaded_is_no_traceback(scenarios: Path) -> None:
    (scenarios / "simple.yaml").write_text("question: How much?\nset: {monitor: none}\n")
    command = ("compare", "run", "run", "--out", "page.html")
    package.run("simple", out="run")
    whole = interrupted_at(-1, *command)
    assert whole.returncode == 0, whole.stderr
    before, modules = map(int, whole.stderr.split()[-2:])
    assert before < 10  # hypermon, its version, hypermon.cli, its start: until then, Python handles Ctrl-C
    assert modules > 100
    for count in (*range(before + 1, before + 5), *range(20, modules, modules // 12)):
        done = interrupted_at(count, *command)
        assert (done.returncode, done.stdout) == (130, ""), (count, done.stderr)
        assert done.stderr.startswith("interrupted\n"), (count, done.stderr)
        assert "Traceback" not in done.stderr


def test_ctrl_c_while_a_worker_runs_ends_both(scenarios: Path) -> None:
    (scenarios / "slow.yaml").write_text(SLOW)
    with start([*COMMAND, "run", "slow", "--out", "slow"], stdout=subprocess.PIPE) as process:
        wait_for(lambda: bool(worker_pids(Path.cwd())))
        [pid] = worker_pids(Path.cwd())
        process.send_signal(signal.SIGINT)
        out, stderr = process.communicate(timeout=20)
    assert (process.returncode, out, stderr) == (130, "", "interrupted\n")
    wait_for(lambda: not is_running(pid))
    assert not list(Path.cwd().glob("*slow*"))


@pytest.mark.usefixtures("fake")
def test_ctrl_c_after_a_command_changes_nothing() -> None:
    code = (
        "import atexit, os, signal\nsignal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "from hypermon.cli import main\natexit.register(lambda: os.kill(os.getpid(), signal.SIGINT))\nmain()"
    )
    done = subprocess.run([sys.executable, "-c", code, "params", "nodes"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("parameter")


@pytest.mark.usefixtures("fake")
@pytest.mark.parametrize("swallowed", ["as an error of a library", "where none can be raised"])
def test_ctrl_c_that_a_library_swallows_ends_the_command(swallowed: str) -> None:
    kill = "os.kill(os.getpid(), signal.SIGINT)"
    body = {
        "as an error of a library": f"try:\n  {kill}\n  time.sleep(9)\n except BaseException: raise ValueError('odd')",
        "where none can be raised": f"class A:\n  def __del__(self):\n   {kill}\n   time.sleep(9)\n A()\n time.sleep(9)",
    }[swallowed]
    code = (
        "import os, signal, time\nsignal.signal(signal.SIGINT, signal.default_int_handler)\n"
        f"import hypermon.cli.lists as lists\ndef ring(_):\n {body}\n"
        "from hypermon._model import worker\nworker.schema = lambda: ring(0)\n"
        "from hypermon.cli import main\nmain()"
    )
    done = subprocess.run([sys.executable, "-c", code, "params", "nodes"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "interrupted\n")


@pytest.mark.usefixtures("fake")
def test_ctrl_c_that_was_ignored_before_stays_ignored() -> None:
    code = "import os, signal\nfrom hypermon.cli import main\nos.kill(os.getpid(), signal.SIGINT)\nmain()"
    command = f"trap '' INT; exec {sys.executable} -c \"{code}\" params nodes"
    done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
