# SPDX-License-Identifier: BSD-3-Clause
"""End to end with the built worker (marked `worker`)."""

from __future__ import annotations

import hashlib
import os
import re
import subprocess
from pathlib import Path

import pytest

from hypermon._engine import runner
from hypermon._inputs import scenario
from hypermon._model import monitors
from hypermon._model import worker as workers
from hypermon._model.result import Result
from hypermon.errors import SimulationError
from tests.conftest import Hypermon
from tests.registered import needs, observers

pytestmark = [pytest.mark.worker, pytest.mark.usefixtures("worker")]
ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def digest(result: Result) -> str:
    return hashlib.sha256(result.text.encode()).hexdigest()


def test_every_scenario_resolves() -> None:
    for name in scenario.names():
        found = scenario.find_one(name)
        for case in found.cases:
            found.resolve(workers.schema(), case=case)


def test_every_parameter_is_described() -> None:
    schema = workers.schema()
    lacking = [p.path for p in schema.parameters.values() if not (p.description and p.source)]
    assert lacking == []
    for parameter in schema.parameters.values():
        assert parameter.parse(parameter.default, "default") == parameter.default


def test_every_key_of_a_result_is_described() -> None:
    described = {entry["path"] for entry in workers.schema().results}

    def keys(value: object, path: str) -> set[str]:
        if path in described or path + "[]" in described:
            return set()
        if isinstance(value, dict) and value:
            return {key for name, inner in value.items() for key in keys(inner, f"{path}.{name}" if path else name)}
        if isinstance(value, list) and value:
            return keys(value[0], path + "[]")
        return set() if value is None or value in ({}, []) else {path}

    for monitor in monitors.registered():
        result = runner.run(
            "table2/matmul", nodes=2, settings={"monitor": monitor, "matmul.size": 32, **needs(monitor)}
        )
        assert keys(result.to_dict(), "") == set(), monitor


@pytest.mark.parametrize("monitor", monitors.registered())
def test_the_same_specification_gives_the_same_bytes(worker: Path, monitor: str) -> None:
    spec = scenario.find_one("table2/matmul").resolve(
        workers.schema(), {"nodes": 4, "monitor": monitor, "matmul.size": 64, **needs(monitor)}
    )
    tasks = [(spec, Path(f"run{i}")) for i in range(4)]
    alone = runner.require(runner.run_many(tasks[:1], 1))
    together = runner.require(runner.run_many(tasks[1:], 3))
    fixed = Path("fixed")
    fixed.mkdir()
    (fixed / "spec.json").write_text(spec.to_json())
    # Without address space randomisation: another layout of memory.
    subprocess.run(["setarch", "-R", worker, fixed / "spec.json", "--out", fixed], check=True)
    assert len({digest(r) for r in [*alone, *together, Result(fixed)]}) == 1


@pytest.mark.parametrize("monitor", [one.name for one in monitors.registered().values() if one.unit])
def test_the_events_that_a_monitor_sees_are_accounted_for(monitor: str) -> None:
    result = runner.run("table2/matmul", nodes=4, settings={"monitor": monitor, "matmul.size": 64, **needs(monitor)})
    ledger = result["ledger"]
    for unit in (ledger["unit"], "events"):
        assert ledger["generated"][unit] == sum(ledger[k][unit] for k in ("delivered", "in_flight", "lost_total"))
    assert result["events"] == sum(rank["events"] for rank in result["ranks"])
    if monitor in observers():
        assert ledger["generated"]["events"] == result["events"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--set", "nodes=8192"), "nodes = 8192: must be an integer from 1 to 4096"),
        (("--set", "node.tick_ms=-1"), "node.tick_ms = -1: must be"),
        (("--set", "machine.topology=ball"), "machine.topology = ball: must be one of"),
    ],
)
def test_bad_input_is_one_line(hypermon: Hypermon, arguments: tuple[str, ...], message: str) -> None:
    done = hypermon("run", "table2/matmul", *arguments)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert message in done.stderr
    assert list(Path.cwd().iterdir()) == []


def test_what_simgrid_says_of_ranks_that_are_left_is_no_part_of_an_error() -> None:
    with pytest.raises(SimulationError, match=r"^it broke\nthere$"):
        workers.judge(3, [workers.SIMGRID_LEAVES, "error: it broke", "there"])


def test_generated_reference_pages_and_parameter_classes_are_up_to_date(hypermon: Hypermon) -> None:
    classes = ("--classes", str(ROOT / "python/hypermon/parameters.py"))
    done = hypermon("docs", str(ROOT / "docs/reference"), *classes, "--verify")
    assert (done.returncode, done.stdout) == (0, "")


COUNTS_LOOKS = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <time.h>
static long looks;
int clock_gettime(clockid_t clock, struct timespec* time) {
  int (*next)(clockid_t, struct timespec*) = dlsym(RTLD_NEXT, "clock_gettime");
  looks += clock == CLOCK_THREAD_CPUTIME_ID;
  return next(clock, time);
}
__attribute__((destructor)) static void say(void) { fprintf(stderr, "looks at CPU time: %ld\n", looks); }
"""


def test_mpi_calls_do_not_look_at_the_hosts_cpu_time(worker: Path) -> None:
    """SMPI would make two system calls for each MPI call, whose results a simulation without measurement discards."""
    Path("looks.c").write_text(COUNTS_LOOKS)
    subprocess.run(["cc", "-shared", "-fPIC", "looks.c", "-o", "looks.so"], check=True)
    spec = scenario.find_one("table2/matmul").resolve(workers.schema(), {"nodes": 2, "matmul.size": 16})
    Path("spec.json").write_text(spec.to_json())
    Path("out").mkdir()
    environment = {**os.environ, "LD_PRELOAD": str(Path("looks.so").resolve())}
    command = [str(worker), "spec.json", "--out", "out"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert done.stderr == "looks at CPU time: 0\n"


def test_it_starts_without_ns3s_libraries(worker: Path) -> None:
    """cmake/without_ns3.cmake: loading them would be three quarters of the start-up time."""
    output = subprocess.run(["/usr/bin/ldd", worker.resolve()], capture_output=True, text=True, check=True).stdout
    loaded = dict(re.findall(r"(\S+) => (\S+)", output))
    assert any(name.startswith("libsimgrid") for name in loaded)
    assert {Path(path).parent.name for name, path in loaded.items() if "ns3" in name} <= {"without-ns3"}
    assert not any(name.startswith("libgsl") for name in loaded)
