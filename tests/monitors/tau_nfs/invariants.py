# SPDX-License-Identifier: BSD-3-Clause
"""Invariants of the result keys of profiles in files."""

from __future__ import annotations

from tests.python.result_invariants import Case, close, invariant

TIMES = "monitor.dump_times."
FILES = ("open", "write", "close", "rename", "mkdir")
MESSAGES = ("select", "writev", "read")


def has_files(case: Case) -> bool:
    return case.monitor.startswith("tau") and case["monitor.transport"] == "file"


@invariant(*(TIMES + key for key in ("mean_ms", "least_ms", "most_ms", "spread_ms", "all_ms", "of_a_process_s")))
@invariant(*(TIMES + f"dumps[].{key}" for key in ("number", "begin_s", "all_ms", "mean_ms", "least_ms", "most_ms")))
def a_dump_is_that_of_its_processes(case: Case) -> None:
    if not has_files(case):
        return
    times = case["monitor"].get("dump_times")
    assert (times is None) == (case["monitor.dumps"] == 0)
    if times is None:
        return
    dumps = times["dumps"]
    assert [one["number"] for one in dumps] == list(range(len(dumps)))
    for one in dumps:
        assert 0 <= one["least_ms"] <= one["mean_ms"] * (1 + 1e-9) <= one["most_ms"] * (1 + 2e-9)
        assert one["most_ms"] <= one["all_ms"] * (1 + 1e-9)
    assert times["least_ms"] == min(one["least_ms"] for one in dumps)
    assert times["most_ms"] == max(one["most_ms"] for one in dumps)
    assert close(times["of_a_process_s"], sum(one["mean_ms"] for one in dumps) * 1e-3, 1e-6)
    assert close(times["all_ms"], sum(one["all_ms"] for one in dumps) / len(dumps), 1e-6)
    assert close(times["spread_ms"], sum(one["most_ms"] - one["least_ms"] for one in dumps) / len(dumps), 1e-6)
    assert times["least_ms"] <= times["mean_ms"] * (1 + 1e-9) <= times["most_ms"] * (1 + 2e-9)
    fixed = case.parameter("tau_files.fixed_dump_ms")
    if (
        fixed > 0
        and case.parameter("cpu.processors") >= case.parameter("cpu.ranks_per_node")
        and case.parameter("competitor.count") == 0
    ):
        assert close(times["least_ms"], fixed, 1e-6) or times["least_ms"] >= fixed


@invariant("monitor.consumer.looks", "monitor.consumer.late", "monitor.consumer.profiles")
@invariant("monitor.consumer.longest_look_ms")
def a_consumer_delivers_what_it_reads(case: Case) -> None:
    if not has_files(case):
        return
    consumer = case["monitor"].get("consumer")
    works = case.parameter("tau_files.consumer") != "off"
    assert (consumer is not None) == works
    if consumer is None or case.parameter("tau_files.fixed_dump_ms") > 0:
        assert case["ledger.delivered.events"] == 0
    if consumer is None:
        return
    assert 0 <= consumer["late"] <= consumer["looks"] + 1
    assert consumer["longest_look_ms"] >= 0
    assert case["ledger.delivered.events"] + case["monitor.read_again"] <= consumer["profiles"]
    if case.parameter("tau_files.fixed_dump_ms") > 0:
        assert case.lost("process", "kept", "events") == case["ledger.generated.events"]


@invariant("monitor.system_calls[].call", "monitor.system_calls[].calls", "monitor.system_calls[].time_s")
@invariant("monitor.system_calls[].longest_ms")
def processes_call_for_each_profile_and_each_message(case: Case) -> None:
    if not case.monitor.startswith("tau"):
        return
    calls = {one["call"]: one for one in case["monitor.system_calls"]}
    assert len(calls) == len(case["monitor.system_calls"])
    assert set(calls) <= {*FILES, *MESSAGES}
    assert has_files(case) or not set(calls) & set(FILES)
    assert case.parameter("ktau.messages") == "sockets" or not set(calls) & set(MESSAGES)
    for one in calls.values():
        assert one["longest_ms"] * 1e-3 <= one["time_s"] * (1 + 1e-9)
    if set(calls) & set(FILES):
        profiles = case["ledger.generated.events"]
        assert calls["open"]["calls"] == calls["write"]["calls"] == calls["close"]["calls"] == profiles
        if "rename" in calls:
            assert calls["rename"]["calls"] == case["monitor.dumps"]
        least = calls["open"]["calls"] * case.parameter("nfs.call_us") * 1e-6
        assert calls["open"]["time_s"] >= least * (1 - 1e-3)
        spent = sum(one["time_s"] for name, one in calls.items() if name in FILES)
        assert spent <= case["monitor.transport_s"] * (1 + 1e-9) + 1e-9
