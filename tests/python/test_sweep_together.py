# SPDX-License-Identifier: BSD-3-Clause
"""Several processes, machines and users work on one sweep: each point is computed once, with the same bytes, even if
some die.
"""

from __future__ import annotations

import errno
import fcntl
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

import hypermon
from hypermon import Sweep, UserError
from hypermon._engine import sweeping
from hypermon._engine.sweeping import claims
from hypermon._engine.sweeping.claims import LEASE_S, Claims, TakenError
from hypermon._engine.sweeping.plan import Part
from tests.conftest import Hypermon
from tests.python.processes import is_alive, wait_for, worker_pids
from tests.python.test_sweep_run import COMMAND, bytes_of

N = 12
VARY = ["--vary", f"fake.events=1:{N}:1", "--metric", "events", "--metric", "elapsed_s"]


@pytest.fixture(autouse=True)
def simple(scenarios: Path) -> None:
    # Under the software monitor every point is a co-simulation: the fake worker records nothing.
    (scenarios / "simple.yaml").write_text("question: Does it run?\nset: {monitor: software, nodes: 2}\n")


@pytest.fixture
def whole() -> list[bytes]:
    """The sweep as a single process makes it."""
    vary = {"fake.events": f"1:{N}:1"}
    return bytes_of(hypermon.sweep("simple", vary=vary, metrics=["events", "elapsed_s"], out="whole").path)


# --- claims


@pytest.fixture
def claimed(tmp_path: Path) -> Claims:
    (tmp_path / "claims").mkdir()
    return Claims(tmp_path / "claims")


def test_one_has_a_claim_and_the_next_when_it_is_given_back(claimed: Claims) -> None:
    with claimed.held("a") as folder:
        assert folder.is_dir()
        with pytest.raises(TakenError), claimed.held("a"):
            pass
        with claimed.held("b"):
            pass
    assert list(claimed.folder.iterdir()) == []
    with claimed.held("a"), pytest.raises(ZeroDivisionError), claimed.held("b"):
        1 / 0  # noqa: B018
    assert list(claimed.folder.iterdir()) == []


def test_of_many_who_want_it_at_once_one_has_it_and_each_in_the_end(
    claimed: Claims, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(claims, "LOOK_S", 1e-3)
    inside, most, had = 0, 0, 0
    lock = threading.Lock()

    def work(seed: int) -> None:
        nonlocal inside, most, had
        draw = random.Random(seed)
        for _ in range(5):
            with claimed.awaited("a"):
                with lock:
                    inside += 1
                    most, had = max(most, inside), had + 1
                time.sleep(draw.random() * 1e-3)
                with lock:
                    inside -= 1

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(work, range(8)))
    assert (inside, most, had) == (0, 1, 8 * 5)
    assert list(claimed.folder.iterdir()) == []


def holder_of(claimed: Claims, **about: Any) -> Path:
    """A claim `a` of another process."""
    (claimed.folder / "a").mkdir()
    holder = claimed.folder / "a" / "holder"
    holder.write_text(json.dumps({"host": "another", "process": 1, "started": 1, "token": "x", **about}))
    return holder


def test_the_claim_of_a_process_of_this_host_that_has_died_is_free_at_once(claimed: Claims) -> None:
    child = subprocess.Popen(["sleep", "60"])
    here = claims._host()
    holder_of(claimed, host=here, process=child.pid, started=claims._started(child.pid))
    with pytest.raises(TakenError), claimed.held("a"):
        pass
    child.kill()
    child.wait()
    with claimed.held("a"):
        pass
    # the number of the dead process now belongs to this one
    holder_of(claimed, host=here, process=os.getpid(), started=1)
    with claimed.held("a"):
        pass


def test_what_is_given_back_while_another_one_looks_is_not_dead(
    claimed: Claims, monkeypatch: pytest.MonkeyPatch
) -> None:
    (claimed.folder / "a").mkdir()  # another process is about to write who holds it

    def gone(path: Path) -> float:
        (claimed.folder / "a").rmdir()
        holder_of(claimed)  # and the next process already holds it
        raise FileNotFoundError(path)

    monkeypatch.setattr(claims, "_time_of", gone)
    with pytest.raises(TakenError), claimed.held("a"):
        pass
    assert [path.name for path in claimed.folder.rglob("*")] == ["a", "holder"]


def test_one_at_a_time_takes_from_the_dead(claimed: Claims) -> None:
    holder_of(claimed, host=claims._host(), process=os.getpid(), started=1)
    (claimed.folder / "burying-a").mkdir()
    with pytest.raises(TakenError), claimed.held("a"):
        pass
    claimed.clean()
    assert (claimed.folder / "a" / "holder").exists()
    long_ago = time.time() - LEASE_S - 1
    os.utime(claimed.folder / "burying-a", (long_ago, long_ago))  # that process has died, too
    claimed.clean()
    with claimed.held("a"):
        pass
    assert list(claimed.folder.iterdir()) == []


def test_the_claim_of_another_host_is_free_when_nobody_has_touched_it_for_so_long(claimed: Claims) -> None:
    holder = holder_of(claimed)
    now = time.time()
    os.utime(holder, (now, now - LEASE_S + 5))
    with pytest.raises(TakenError), claimed.held("a"):
        pass
    claimed.clean()
    assert holder.exists()
    os.utime(holder, (now, now - LEASE_S - 1))
    with claimed.held("a"):
        pass


def test_who_holds_a_claim_touches_it(claimed: Claims, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(claims, "TOUCH_S", 0.01)
    with claimed.held("a") as folder:
        os.utime(folder / "holder", (0, 0))
        wait_for(lambda: (folder / "holder").stat().st_mtime > 0)


def test_what_was_done_under_a_claim_that_somebody_has_taken_is_void(claimed: Claims) -> None:
    def work(failing: bool) -> None:
        with claimed.held("a") as folder:
            folder.rename(folder.with_name(f"dead-{failing}"))  # this host stood still for a long time
            holder_of(claimed)
            if failing:
                raise OSError("the folder is gone")

    for failing in (False, True):
        with pytest.raises(TakenError, match="has taken it"):
            work(failing)
        assert (claimed.folder / "a" / "holder").exists()  # it is theirs
        claimed._retire(claimed.folder / "a")


def test_what_the_dead_have_left_is_removed_and_what_the_living_have_is_not(claimed: Claims) -> None:
    root, old = claimed.folder, time.time() - LEASE_S - 1
    for name in ("folder", "dead-1"):
        (root / name).mkdir()
        (root / name / "result.json").write_text("{")
    (root / "old.json.123").write_text("{")
    (root / "new.json.123").write_text("{")
    for name in ("folder", "old.json.123"):
        os.utime(root / name, (old, old))
    with claimed.held("mine"):
        claimed.clean()
        assert sorted(p.name for p in root.iterdir()) == ["mine", "new.json.123"]


# --- sweeps


def test_two_sweeps_at_once_on_one_store_share_the_work(whole: list[bytes], runs: Callable[[], int]) -> None:
    before = runs()
    both = [
        subprocess.Popen([*COMMAND, *VARY, "-o", "s", "-j", "2"], stderr=subprocess.PIPE, stdout=subprocess.PIPE)
        for _ in range(2)
    ]
    outputs = [process.communicate() for process in both]
    assert [process.returncode for process in both] == [0, 0], outputs
    assert outputs[0][0] == outputs[1][0]
    assert runs() - before == N  # each point once
    assert bytes_of("s") == whole
    assert list(Path("s/store/under_way").iterdir()) == []


def test_a_sweep_goes_on_with_what_another_one_was_at_when_it_was_killed(
    whole: list[bytes], runs: Callable[[], int]
) -> None:
    hang = ["--vary", "fake.behaviour=good,hang", "--vary", "fake.events=1,2", "--metric", "events"]
    nothing = subprocess.DEVNULL
    other = subprocess.Popen([*COMMAND, *hang, "-o", "s", "-j", "4"], stdout=nothing, stderr=nothing)
    wait_for(lambda: len(worker_pids(Path("s"))) == 2)
    wait_for(lambda: len(list(Path("s/store/points").glob("*.json"))) == 2)
    hanging = worker_pids(Path("s"))
    before = runs()
    mine = subprocess.run([*COMMAND, *VARY, "-o", "s"], capture_output=True, check=False)
    assert mine.returncode == 0  # other points, at the same time
    assert bytes_of("s") == whole
    assert runs() - before == N - 2  # the other process has done two of them
    other.send_signal(signal.SIGKILL)
    other.wait()
    wait_for(lambda: not any(is_alive(pid) for pid in hanging))
    assert (
        hypermon.sweep("simple", vary={"fake.events": [1]}, metrics=["events"], out="s").to_pandas()["events"][0] == 2
    )
    assert list(Path("s/store/under_way").iterdir()) == []


def test_a_sweep_waits_for_a_point_that_another_one_is_at(runs: Callable[[], int]) -> None:
    vary: dict[str, Any] = {"fake.events": [1, 2]}
    prepared = sweeping.Prepared(request("1,2", "events"), Path("s"))
    prepared.store.open()
    (key, _) = prepared.plan.keys
    with ThreadPoolExecutor(1) as pool:
        with prepared.store.claims.held(key):
            future = pool.submit(lambda: hypermon.sweep("simple", vary=vary, metrics=["events"], out="s"))
            wait_for(lambda: runs() == 1)  # the other one
            time.sleep(3 * claims.LOOK_S)
            assert not future.done()
        assert list(future.result().to_pandas()["events"]) == [2, 4]
    assert runs() == 2


def request(events: str, *metrics: str) -> sweeping.Request:
    return sweeping.make_request(
        "simple", vary={"fake.events": events}, zips=(), conditions=(), repeats=None, metrics=metrics,
        settings={}, presets=(),
    )  # fmt: skip


@pytest.mark.parametrize("parts", [1, 3, 20])
def test_parts_have_every_point_once_and_the_whole_writes_the_results(
    parts: int, whole: list[bytes], runs: Callable[[], int]
) -> None:
    before, sizes = runs(), []
    for number in range(1, parts + 1):
        if number != 2:  # its job was lost
            prepared = sweeping.Prepared(request(f"1:{N}:1", "events", "elapsed_s"), Path("s"))
            sizes.append(len(prepared.run_part(Part(number, parts))))
    assert sizes == [len(range(number, N, parts)) for number in range(parts) if number != 1]
    assert runs() - before == sum(sizes)
    assert not Path("s/manifest.json").exists()
    sweeping.Prepared(request(f"1:{N}:1", "events", "elapsed_s"), Path("s")).run()
    assert runs() - before == N
    assert bytes_of("s") == whole


def test_the_command_does_a_part(hypermon: Hypermon) -> None:
    vary = ["--vary", "fake.events=1,2,3", "--metric", "events", "-o", "s"]
    done = hypermon("sweep", "simple", *vary, "--part", "1/2")
    assert (done.returncode, Path("s/manifest.json").exists()) == (0, False), done.stderr
    assert done.stdout.startswith("part 1/2: 2 points computed, 0 failed (s)\n")
    assert hypermon("sweep", "simple", *vary).returncode == 0
    assert list(Sweep("s").to_pandas()["events"]) == [2, 4, 6]


def test_a_part_with_failed_points_says_so(hypermon: Hypermon) -> None:
    vary = ["--vary", "fake.behaviour=good,deadlock", "--metric", "events", "-o", "s"]
    done = hypermon("sweep", "simple", *vary, "--part", "2/2")
    assert (done.returncode, done.stdout.splitlines()[0]) == (3, "part 2/2: 0 points computed, 1 failed (s)")
    assert "failed: deadlock: rank 0 waits for a message from rank 1\n" in done.stderr


@pytest.mark.parametrize("text", ["0/2", "3/2", "1", "1/0", "-1/2", "a/b", "1/2/3"])
def test_a_part_is_one_of_so_many(text: str) -> None:
    with pytest.raises(UserError, match=f"--part {text}: must be PART/PARTS: 1/8, 2/8, ... 8/8"):
        Part.read(text)


def test_a_part_writes_no_rows(hypermon: Hypermon) -> None:
    done = hypermon("sweep", "simple", *VARY, "--part=1/2", "--json")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("error: --part: writes no rows")


GROUP = 6000


def as_user(number: int, *command: str) -> list[str]:
    """The command as one of two users of a group, who can read everything but write only what permissions allow."""
    rights = ["--clear-groups", "--inh-caps=+dac_read_search", "--ambient-caps=+dac_read_search"]
    return ["setpriv", f"--reuid={5000 + number}", f"--regid={GROUP}", *rights, *command]


@pytest.fixture
def shared(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder of the group, which everybody can enter: the check that a worker is executable lacks the right to read
    everything.
    """
    if os.geteuid() or subprocess.run(as_user(1, "true"), capture_output=True, check=False).returncode:
        pytest.skip("only root can be two users")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        os.chown(folder, 0, GROUP)
        folder.chmod(0o2775)
        simulator = shutil.copy(os.environ["HYPERMON_SIM"], folder)
        monkeypatch.setenv("HYPERMON_SIM", str(simulator))
        yield folder


def sweep_as(user: int, out: Path, *arguments: str) -> subprocess.Popen[str]:
    home = out.parent / f"home{user}"
    home.mkdir(exist_ok=True)
    os.chown(home, 5000 + user, GROUP)
    environment = {**os.environ, "HOME": str(home), "TMPDIR": str(home)}
    command = as_user(user, *COMMAND, *arguments, "-o", str(out), "-j", "2")
    pipe = subprocess.PIPE
    return subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True, umask=0o002, env=environment)


def test_two_users_of_a_group_share_the_work_at_once_and_of_one_who_was_killed(
    whole: list[bytes], shared: Path
) -> None:
    out = shared / "s"
    both = [sweep_as(1, out, *VARY), sweep_as(2, out, *VARY)]
    outputs = [process.communicate() for process in both]
    assert [process.returncode for process in both] == [0, 0], outputs
    assert bytes_of(out)[0] == whole[0]  # the manifest names the source tree
    killed = sweep_as(1, out, "--vary", "fake.behaviour=hang", "--metric", "events")
    wait_for(lambda: len(worker_pids(out)) == 1)
    killed.kill()
    killed.communicate()
    again = sweep_as(2, out, *VARY)
    again.communicate()
    assert again.returncode == 0
    assert list((out / "store/under_way").iterdir()) == []
    assert bytes_of(out)[0] == whole[0]


def test_who_may_not_write_to_a_store_is_told_so(shared: Path) -> None:
    out = shared / "s"
    hypermon.sweep("simple", vary={"fake.events": [1]}, metrics=["events"], out=out)  # root's
    other = sweep_as(1, out, *VARY)
    assert other.communicate()[1].splitlines()[-1] == f"error: {out}/store: cannot be written to: Permission denied"
    assert other.returncode == 2


class Refused(list[str]):
    """Operations that the file system has refused."""


@pytest.fixture
def strict(monkeypatch: pytest.MonkeyPatch) -> Refused:
    """A file system without locks that never replaces a file by renaming, as some shared ones."""
    refused = Refused()
    rename = os.rename

    def only_to_free(source: Any, target: Any) -> None:
        if Path(target).exists():
            refused.append(str(target))
            raise OSError(errno.EBUSY, os.strerror(errno.EBUSY))
        rename(source, target)

    def no_locks(*_: object) -> None:
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))

    monkeypatch.setattr(os, "rename", only_to_free)
    monkeypatch.setattr(os, "replace", only_to_free)
    monkeypatch.setattr(fcntl, "flock", no_locks)
    return refused


def test_a_store_needs_neither_locks_nor_renames_over_what_is_there(strict: Refused, runs: Callable[[], int]) -> None:
    for events in ([1, 2], [2, 3], [2, 3]):
        s = hypermon.sweep("simple", vary={"fake.events": events}, metrics=["events"], out="s")
        assert list(Sweep(s.path).to_pandas()["events"]) == [2 * n for n in events]
    assert runs() == 3
    # Only the results may replace an existing name.
    assert {Path(name).name for name in strict} == {"results.parquet", "manifest.json", "SHA256SUMS"}


WORKER = """
import sys
from distributed.cli.dask_worker import main
sys.argv = ["dask-worker", *sys.argv[1:]]
main()
"""


class Machines:
    """Dask's workers as processes with their own working, home and temporary folders."""

    def __init__(self, scheduler: str, root: Path) -> None:
        self.all: list[subprocess.Popen[bytes]] = []
        self._scheduler, self._root = scheduler, root

    def start(self) -> subprocess.Popen[bytes]:
        own = self._root / f"machine{len(self.all)}"
        for name in ("work", "home", "tmp"):
            (own / name).mkdir(parents=True)
        command = [sys.executable, "-c", WORKER, self._scheduler, "--nthreads", "1", "--no-nanny", "--no-dashboard"]
        environment = {**os.environ, "HOME": str(own / "home"), "TMPDIR": str(own / "tmp")}
        environment |= {"XDG_CACHE_HOME": str(own / "home/cache"), "PYTHONPATH": os.pathsep.join(sys.path)}
        with (own / "log").open("wb") as log:
            self.all.append(subprocess.Popen(command, cwd=own / "work", env=environment, stdout=log, stderr=log))
        return self.all[-1]


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[tuple[Any, Machines]]:
    from distributed import Client, LocalCluster

    with (
        LocalCluster(n_workers=0, dashboard_address=":0", host="127.0.0.1", protocol="tcp://") as scheduler,  # type: ignore[no-untyped-call]
        Client(scheduler) as client,  # type: ignore[no-untyped-call]
    ):
        machines = Machines(scheduler.scheduler_address, tmp_path / "machines")
        try:
            yield client, machines
        finally:
            for process in machines.all:
                process.kill()
                process.wait()


def test_dasks_workers_share_only_the_store_and_one_that_dies_costs_nothing(
    cluster: tuple[Any, Machines], whole: list[bytes], runs: Callable[[], int], tmp_path: Path
) -> None:
    client, machines = cluster
    first = machines.start()
    client.wait_for_workers(1, timeout=60)
    store = tmp_path / "shared" / "s"
    before = runs()

    def kill(points: int, _total: int) -> None:
        if points and first.poll() is None:
            machines.start()
            machines.start()
            first.kill()
            first.wait()

    s = hypermon.sweep(
        "simple",
        vary={"fake.events": list(range(1, N + 1))},
        metrics=["events", "elapsed_s"],
        out=store,
        executor=client.get_executor(),
        progress=kill,
    )
    assert len(s.failed) == 0
    assert list(s.to_pandas()["events"]) == [2 * n for n in range(1, N + 1)]
    assert N <= runs() - before <= N + 1  # the dead worker's point is computed again
    assert bytes_of(store)[0] == whole[0]
    for machine in (tmp_path / "machines").iterdir():  # they leave only Dask's own files there
        assert not list((machine / "work").rglob("*.json"))
