# SPDX-License-Identifier: BSD-3-Clause
"""RMI for users: from Python, which drives simulated time, and from a user's client in C."""

from __future__ import annotations

import inspect
import re
from pathlib import Path
from typing import Any

import pytest

import hypermon
from tests.monitors.scms.test_clients import MACHINE, run

pytestmark = [pytest.mark.worker, pytest.mark.usefixtures("worker")]


def session(out: Path, **settings: Any) -> Any:
    return hypermon.rmi(settings={**MACHINE, **settings}, out=out)


def test_calls_advance_simulated_time_and_nothing_else_does(tmp_path: Path) -> None:
    with session(tmp_path / "run") as rmi:
        assert rmi.now == 0
        rmi.sleep(2.5)
        assert rmi.now == 2.5
        assert "hardware.load" in rmi.resources()
        assert rmi.now == 2.5
        answer = rmi.get(None, "hardware.cpu_kernel", mode="synchronous")
        assert rmi.now == answer.answered_s > answer.asked_s == 2.5
        assert set(answer.values_of("hardware.cpu_kernel")) == set(range(8))
        assert all(0 < age < rmi.now - 2.5 for age in answer.ages_s("hardware.cpu_kernel").values())
    assert not (tmp_path / "run").exists()  # not finished


def test_the_same_calls_have_the_same_answers_and_leave_the_same_result(tmp_path: Path) -> None:
    def calls(out: Path) -> tuple[Any, str]:
        with session(out, **{"scms.push": "hardware.cpu_kernel 0.5"}) as rmi:
            answers = []
            for _ in range(3):
                rmi.sleep(0.7)
                answers.append(rmi.get([1, 5], ["hardware.cpu_kernel", "hardware.interrupts"]))
            return answers, rmi.finish().text

    first, second = (calls(tmp_path / name) for name in ("a", "b"))
    assert first == second
    cached, _ = first
    assert cached[0].states == [["ok", "uncached"], ["ok", "uncached"]]


def test_dead_nodes_are_not_in_the_list_and_their_values_are_missing(tmp_path: Path) -> None:
    with session(tmp_path / "run", **{"scms.failures": "1 agent 3 2", "scms.heartbeat_s": 0.1}) as rmi:
        assert rmi.live_nodes() == list(range(8))
        rmi.sleep(1.5)
        assert rmi.live_nodes() == [0, 1, 2, 4, 5, 6, 7]
        assert rmi.get(3, "hardware.load", mode="synchronous").states == [["missing"]]
        rmi.sleep(2)
        assert rmi.live_nodes() == list(range(8))


def test_plugins_are_loaded_and_unloaded(tmp_path: Path) -> None:
    with session(tmp_path / "run") as rmi:
        assert rmi.get(0, "mpi.calls", mode="synchronous").states == [["unprovided"]]
        assert rmi.load("mpi", [0, 1]) == {0: "ok", 1: "ok"}
        assert rmi.get([0, 2], "mpi.calls", mode="synchronous").values_of("mpi.calls") == {0: 0}
        assert rmi.unload("mpi", [1, 2]) == {1: "ok", 2: "error"}


def test_a_program_goes_on_after_the_session(tmp_path: Path) -> None:
    settings = {"workload": "ring", "ring.steps": 500}
    alone = hypermon.run("collection/ring", out=tmp_path / "alone", settings={**MACHINE, **settings})
    with hypermon.rmi("collection/ring", settings={**MACHINE, **settings}, out=tmp_path / "run") as rmi:
        rmi.get(None, "hardware.load", mode="synchronous")
        result = rmi.finish()
    assert result.elapsed_s > alone.elapsed_s  # the CMAs used CPU time of the program's nodes


WRONG: list[tuple[Any, str]] = [
    (
        lambda rmi: rmi.get(None, "hardware.laod"),
        "hardware.laod: no plug-in provides this resource; available are hardware.load",
    ),
    (lambda rmi: rmi.get(8, "hardware.load"), "nodes = 8: must be from 0 to 7"),
    (lambda rmi: rmi.get(0, ""), "must name a resource"),
    (lambda rmi: rmi.get(0, "hardware.load", mode="quick"), "mode = quick: must be asynchronous or synchronous"),
    (lambda rmi: rmi.load("nothing"), "plugin = nothing: no such plug-in; there are hardware, process, mpi"),
    (lambda rmi: rmi.sleep(-1), "seconds = -1: must be from 0"),
    (lambda rmi: rmi.get(0, "hardware.load").values_of("mpi.calls"), "mpi.calls: was not requested"),
]


def test_a_wrong_call_is_one_clear_error_and_the_session_goes_on(tmp_path: Path) -> None:
    with session(tmp_path / "run") as rmi:
        for call, message in WRONG:
            with pytest.raises(hypermon.UserError) as caught:
                call(rmi)
            assert message in str(caught.value), inspect.getsource(call)
        rmi.sleep(1)
        assert rmi.now >= 1


def test_a_call_that_the_run_does_not_live_to_see_answered_says_so(tmp_path: Path) -> None:
    with session(tmp_path / "run", **{"idle.duration_s": 2}) as rmi:
        rmi.sleep(1)
        with pytest.raises(hypermon.SimulationError, match=r"sleep: the run ended at 2 s"):
            rmi.sleep(2)
    assert not (tmp_path / "run").exists()


def test_what_cannot_be_a_session_is_refused(tmp_path: Path) -> None:
    with pytest.raises(hypermon.UserError, match="monitor = none: has no RMI, must be scms"):
        session(tmp_path / "run", monitor="none")
    with (
        pytest.raises(hypermon.UserError, match="sma = 3: there are SMAs 0 to 0"),
        hypermon.rmi(settings=MACHINE, out=tmp_path / "run", sma=3),
    ):
        pass
    with pytest.raises(hypermon.UserError, match="the session is closed"):
        session(tmp_path / "run").live_nodes()
    assert not (tmp_path / "run").exists()


CLIENT = """
#include <hypermon_rmi.h>
#include <stdio.h>
int hypermon_rmi_client(const struct hypermon_rmi* rmi) {
  uint32_t nodes[64], states[64];
  uint64_t load;
  struct hypermon_rmi_value values[64];
  char text[100];
  size_t count = rmi->live_nodes(rmi, nodes, 64);
  if (!rmi->resource(rmi, "hardware.cpu_busy", &load) || rmi->resource(rmi, "hardware.cpu_bsy", &load)) return 1;
  rmi->wait(rmi, 0.5);
  rmi->get(rmi, nodes, count, &load, 1, HYPERMON_RMI_SYNCHRONOUS, values);
  if (!rmi->load(rmi, "mpi", nodes, 2, states) || rmi->unload(rmi, "nothing", nodes, 2, states)) return 2;
  snprintf(text, sizeof text, "%zu of %u nodes, state %u, of %ld ms", count, rmi->nodes, values[7].state,
           (long)(values[7].taken_ps / 1000000000));
  rmi->say(rmi, text);
  CRASH;
  return 5;
}
"""


def client(folder: Path, crash: str) -> dict[str, Any]:
    (folder / "client.c").write_text(CLIENT.replace("CRASH", crash))
    return {"scms_client.kind": "program", "scms_client.program": folder / "client.c", "scms_client.session_ms": 0}


def test_a_client_of_ones_own_asks_through_rmi(tmp_path: Path) -> None:
    result = run(tmp_path / "run", **client(tmp_path, "rmi->wait(rmi, 1)"))
    (found,) = result["monitor"]["clients"]
    assert found["status"] == 5
    printed = (tmp_path / "run" / "client0.txt").read_text()
    assert re.fullmatch(r"0\.50\d+ s: 8 of 8 nodes, state 0, of 50\d ms\n", printed)


def test_a_client_of_ones_own_ends_with_the_run_wherever_it_waits(tmp_path: Path) -> None:
    (found,) = run(tmp_path / "run", **client(tmp_path, "rmi->wait(rmi, 1000)"))["monitor"]["clients"]
    assert found["status"] is None


def test_a_client_of_ones_own_that_crashes_is_one_clear_error(tmp_path: Path) -> None:
    crashing = client(tmp_path, "*(volatile int*)0 = 1")
    with pytest.raises(hypermon.UserError, match=r"scms_client.program = .*client.*: crashed: SIGSEGV at 0\.5"):
        run(tmp_path / "run", **crashing)
    asks = client(tmp_path, "nodes[1] = 0; rmi->get(rmi, nodes, 2, &load, 1, HYPERMON_RMI_SYNCHRONOUS, values)")
    with pytest.raises(hypermon.UserError, match="failed: asks for nodes that are not ascending, each once"):
        run(tmp_path / "run", **asks)
    assert not (tmp_path / "run").exists()
