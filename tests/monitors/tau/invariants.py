# SPDX-License-Identifier: BSD-3-Clause
"""Invariants of the result keys of TAU, for all its transports."""

from __future__ import annotations

import math

from tests.python.result_invariants import Case, invariant

CLOSE = 1e-9


def is_ours(case: Case) -> bool:
    return str(case.monitor).startswith("tau")


@invariant(
    "monitor.transport",
    "monitor.profiles",
    "monitor.dumps",
    "monitor.final_profiles",
    "monitor.read_again",
    "monitor.ranks[].rank",
    "monitor.ranks[].dumps",
)
def what_was_handed_over_is_the_ledgers(case: Case) -> None:
    if is_ours(case):
        ranks = case["monitor.ranks"]
        assert [one["rank"] for one in ranks] == list(range(len(ranks)))
        assert case["monitor.dumps"] == sum(one["dumps"] for one in ranks)
        assert case["monitor.profiles"] == "profiles"
        assert 0 <= case["monitor.final_profiles"] <= len(ranks)
        generated = case["ledger.generated.events"]
        if case["monitor.transport"] == "none":
            assert generated == case["monitor.dumps"] == case["monitor.read_again"] == case["logged_bytes"] == 0
        else:
            assert generated == case["monitor.dumps"] + case["monitor.final_profiles"]
        assert (case["latency_us"] is None) == (case["ledger.delivered.events"] == 0)


@invariant(
    "monitor.timers",
    "monitor.looks",
    "monitor.throttled",
    "monitor.measuring_s",
    "monitor.clock_wait_s",
    "monitor.open_loop_dilation",
    "monitor.ranks[].timers",
    "monitor.ranks[].throttled",
    "monitor.ranks[].measuring_s",
    "monitor.ranks[].open_loop_dilation",
)
def each_timer_has_its_price(case: Case) -> None:
    if is_ours(case):
        ranks = case["monitor.ranks"]
        assert case["monitor.timers"] == sum(one["timers"] for one in ranks)
        assert case["monitor.throttled"] == sum(one["throttled"] for one in ranks)
        assert math.isclose(
            case["monitor.measuring_s"], sum(one["measuring_s"] for one in ranks), rel_tol=CLOSE, abs_tol=CLOSE
        )
        most = max((one["open_loop_dilation"] for one in ranks), default=0)
        assert case["monitor.open_loop_dilation"] == most >= 0
        if not case.parameter("tau.throttle"):
            assert case["monitor.throttled"] == case["monitor.looks"] == 0
        # Both halves of a timer, except for timers that still run; drift is at most about a percent.
        cheaper = 2 * (case.parameter("tau.gettimeofday_us") - case.parameter("tau.rdtsc_ns") * 1e-3)
        timer = (case.parameter("tau.timer_us") - (cheaper if case.parameter("tau.clock") == "rdtsc" else 0)) * 1e-6
        look = case.parameter("tau.throttled_ns") * 1e-9
        full = case["monitor.timers"] * timer + case["monitor.looks"] * look
        running = sum(one["timers"] > 0 for one in ranks) * 100 * timer
        slack = 0.02 * full + 1e-12 * (case["monitor.timers"] + case["monitor.looks"]) + CLOSE
        waited = case["monitor.clock_wait_s"]
        assert full - running - slack <= case["monitor.measuring_s"] - waited <= full + slack
        if case.parameter("tau.clock_access_us") == 0 or case.parameter("tau.clock") == "rdtsc" or len(ranks) == 1:
            assert waited == 0


@invariant(
    "monitor.formatting_s",
    "monitor.transport_s",
    "monitor.longest_dump_s",
    "monitor.ranks[].formatting_s",
    "monitor.ranks[].transport_s",
)
def profiles_take_time_if_there_are_any(case: Case) -> None:
    if is_ours(case):
        ranks = case["monitor.ranks"]
        for key in ("formatting_s", "transport_s"):
            total = sum(one[key] for one in ranks)
            assert math.isclose(case[f"monitor.{key}"], total, rel_tol=CLOSE, abs_tol=CLOSE)
        assert all(min(one["formatting_s"], one["transport_s"]) >= 0 for one in ranks)
        if case["monitor.transport"] == "none":
            assert case["monitor.transport_s"] == 0
        profiles = case["monitor.dumps"] + case["monitor.final_profiles"]
        whole = case["monitor.formatting_s"] + case["monitor.transport_s"]
        assert case["monitor.longest_dump_s"] <= whole + CLOSE
        assert whole <= profiles * case["monitor.longest_dump_s"] * (1 + CLOSE) + CLOSE


@invariant("monitor.unstopped[].rank", "monitor.unstopped[].routine")
def timers_that_never_stopped_are_warned_of(case: Case) -> None:
    if is_ours(case):
        unstopped = case["monitor.unstopped"]
        warned = any("still ran at MPI_Finalize" in text for text in case.result.get("warnings", []))
        assert warned == bool(unstopped)
        assert all(0 <= one["rank"] < len(case["monitor.ranks"]) and one["routine"] for one in unstopped)
