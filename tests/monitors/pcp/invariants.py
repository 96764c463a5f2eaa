# SPDX-License-Identifier: BSD-3-Clause
"""Invariants of the result keys of PCP."""

from __future__ import annotations

from tests.python.result_invariants import Case, invariant


@invariant("monitor.client.network", "monitor.client.is_compute_node")
def the_client_is_where_it_was_put(case: Case) -> None:
    if case.monitor == "pcp":
        where = case.parameter("pcp.client_node")
        on_programs = case["monitor.client.network"] == case.parameter("network.name")
        reached = case.parameter("machine.beside") and (not on_programs or case.parameter("machine.beside_on_network"))
        assert case["monitor.client.is_compute_node"] == (where not in {"", "beside"} or not (where or reached))


@invariant("monitor.hosts", "monitor.fetches", "monitor.missed_fetches", "monitor.unanswered")
def no_more_is_fetched_than_was_wanted(case: Case) -> None:
    if case.monitor == "pcp":
        assert 1 <= case["monitor.hosts"] <= case.parameter("nodes")
        assert 0 <= case["monitor.fetches"] <= (case.parameter("pcp.fetches") or case["monitor.fetches"])
        assert case["monitor.missed_fetches"] >= 0
        assert case["monitor.unanswered"] == 0  # no failure closes a daemon's connection


@invariant("monitor.first_fetch_s", "monitor.mean_fetch_s", "monitor.longest_fetch_s")
def the_mean_fetch_is_no_longer_than_the_longest(case: Case) -> None:
    if case.monitor == "pcp":
        times = [case[f"monitor.{which}_fetch_s"] for which in ("first", "mean", "longest")]
        assert all((time is None) == (case["monitor.fetches"] == 0) for time in times)
        if case["monitor.fetches"]:
            first, mean, longest = times
            least = case["monitor.hosts"] * case.parameter("pcp.fetch_us") * 1e-6
            assert least * (1 - 1e-9) <= first <= longest
            assert mean <= longest * (1 + 1e-9)


@invariant("monitor.client.cpu_s", "monitor.client.open_s", "monitor.daemons_cpu_s")
def every_result_has_cost_both_sides(case: Case) -> None:
    if case.monitor == "pcp":
        results = case["monitor.fetches"] * case["monitor.hosts"]
        assert case["monitor.client.cpu_s"] >= results * case.parameter("pcp.fetch_us") * 1e-6 * (1 - 1e-9)
        assert case["monitor.daemons_cpu_s"] >= results * case.parameter("pcp.daemon_us") * 1e-6 * (1 - 1e-9)
        assert case["monitor.client.open_s"] is None or case.parameter("pcp.open") == "at_start"
