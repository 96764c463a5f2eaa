# SPDX-License-Identifier: BSD-3-Clause
"""Invariants of the result keys of HPVM's monitor."""

from __future__ import annotations

from tests.python.result_invariants import Case, invariant

OBJECTS = {"System", "Processor", "Process", "Memory", "FM", "MPI", "MPID"}


@invariant("monitor.network", "monitor.shares_programs_network", "monitor.is_compute_node")
def the_network_is_the_programs_or_another(case: Case) -> None:
    if case.monitor == "hpvm":
        programs = case["monitor.network"] == case.parameter("network.name")
        assert case["monitor.shares_programs_network"] == programs
        where = case.parameter("hpvm.monitor_node")
        assert case["monitor.is_compute_node"] == (
            where not in {"", "beside"} or not (where or case.parameter("machine.beside"))
        )


@invariant("monitor.objects[]", "monitor.values_a_sweep")
def objects_are_windows_nts_and_hpvms(case: Case) -> None:
    if case.monitor == "hpvm":
        objects = case["monitor.objects"]
        assert objects
        assert len(set(objects)) == len(objects)
        assert set(objects) <= OBJECTS
        assert case["monitor.values_a_sweep"] >= 0


@invariant("monitor.sweeps", "monitor.queries", "monitor.missed_sweeps", "monitor.missed_samples")
def every_sweep_asks_every_object(case: Case) -> None:
    if case.monitor == "hpvm":
        always_all = not (case.parameter("hpvm.schedule") or case.parameter("hpvm.rules"))
        assert case["monitor.queries"] >= case["monitor.sweeps"] * (len(case["monitor.objects"]) if always_all else 1)
        assert case["monitor.sweeps"] >= 0
        assert case["monitor.missed_sweeps"] >= 0
        assert (case["monitor.missed_samples"] > 0) <= (case["monitor.missed_sweeps"] > 0)


@invariant("monitor.rules[].rule", "monitor.rules[].fired", "monitor.rules[].first_s", "monitor.rules[].nodes[]",
           "monitor.rules[].sweeps", "monitor.rules[].missed_sweeps", "monitor.rules[].missed_samples")  # fmt: skip
def a_rule_acts_once_it_has_fired_and_not_before(case: Case) -> None:
    if case.monitor == "hpvm":
        rules = case.result["monitor"].get("rules", [])
        asked = [text.strip() for text in case.parameter("hpvm.rules").split(";") if text.strip()]
        assert [rule["rule"] for rule in rules] == asked
        for rule in rules:
            assert rule["fired"] >= len(rule["nodes"])
            assert rule["nodes"] == sorted(set(rule["nodes"]))
            assert (rule["first_s"] is None) == (not rule["nodes"]) == (rule["fired"] == 0)
            assert (rule["sweeps"] > 0) <= (rule["fired"] > 0)
            assert (rule["missed_samples"] > 0) <= (rule["missed_sweeps"] > 0) <= (rule["sweeps"] > 0)


@invariant("monitor.least_sweep_s", "monitor.longest_sweep_s", "monitor.query_cpu_s")
def no_sweep_is_faster_than_the_network_and_the_nodes_allow(case: Case) -> None:
    if case.monitor == "hpvm" and case["monitor.sweeps"]:
        grown = 1e-3 * case["monitor.least_sweep_s"]  # numbers of threads and of nodes are unrelated
        assert case["monitor.longest_sweep_s"] >= 0
        if case.parameter("hpvm.threads") == 1 and case.parameter("hpvm.counters").split() == ["host"]:
            assert case["monitor.longest_sweep_s"] >= case["monitor.least_sweep_s"] - grown
        assert case["monitor.query_cpu_s"] >= 0


@invariant("monitor.clock.outside", "monitor.clock.error_us", "monitor.clock.bound_us",
           "monitor.clock.start_alone_error_us")  # fmt: skip
def the_global_clock_is_as_good_as_its_worst_node(case: Case) -> None:
    if case.monitor == "hpvm":
        nodes = case["monitor.clock.nodes"]
        for key in ("error_us", "bound_us", "start_alone_error_us"):
            assert case[f"monitor.clock.{key}"] == max((node[key] for node in nodes), default=0)
        assert case["monitor.clock.outside"] == sum(node["outside"] for node in nodes)


@invariant("monitor.clock.nodes[].node", "monitor.clock.nodes[].readings", "monitor.clock.nodes[].outside",
           "monitor.clock.nodes[].bound_us", "monitor.clock.nodes[].error_us",
           "monitor.clock.nodes[].start_alone_error_us")  # fmt: skip
def a_node_keeps_the_promise_if_its_assumptions_hold(case: Case) -> None:
    if case.monitor == "hpvm":
        nodes = case["monitor.clock.nodes"]
        assert [node["node"] for node in nodes] == sorted({node["node"] for node in nodes})
        for node in nodes:
            assert 0 <= node["outside"] <= node["readings"]
            if case.parameter("cristian.min_us") == 0 and case.parameter("cristian.drift_ppm") >= case.parameter(
                "node.clock_drift_ppm"
            ):
                assert node["outside"] == 0
            if not case["monitor.is_compute_node"] and not node["outside"]:
                assert node["error_us"] <= node["bound_us"]


@invariant("monitor.clock.nodes[].before_local_ps", "monitor.clock.nodes[].before_monitor_ps",
           "monitor.clock.nodes[].before_bound_us", "monitor.clock.nodes[].after_local_ps",
           "monitor.clock.nodes[].after_monitor_ps", "monitor.clock.nodes[].after_bound_us",
           "monitor.clock.nodes[].offset_us", "monitor.clock.nodes[].drift_ppm")  # fmt: skip
def clocks_go_through_their_fixes(case: Case) -> None:
    if case.monitor == "hpvm":
        for node in case["monitor.clock.nodes"]:
            first, last = node["before_local_ps"], node["after_local_ps"]
            assert abs((node["before_monitor_ps"] - first) / 1e6 - node["offset_us"]) < 1e-3
            drift = 0.0
            if last is not None:
                assert case.parameter("cristian.when") == "both"
                assert last > first
                drift = (node["after_monitor_ps"] - node["before_monitor_ps"]) / (last - first) - 1
            assert abs(1e6 * drift - node["drift_ppm"]) < 1e-3
            if case.parameter("cristian.min_us") == 0:
                assert node["before_bound_us"] >= 0
                assert last is None or node["after_bound_us"] >= 0
