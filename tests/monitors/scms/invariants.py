# SPDX-License-Identifier: BSD-3-Clause
"""Invariants of the result keys of SCMS/RMS."""

from __future__ import annotations

from itertools import starmap
from operator import le

from tests.python.result_invariants import Case, invariant

KINDS = ("request", "reply", "push", "pull", "control")


@invariant("monitor.root", "monitor.smas", "monitor.depth", "monitor.live_nodes")
def the_tree_has_a_root_and_no_more_smas_than_it_can(case: Case) -> None:
    if case.monitor == "scms":
        nodes = case.parameter("nodes")
        assert case["monitor.root"]
        assert 1 <= case["monitor.depth"] <= case["monitor.smas"]
        assert 0 <= case["monitor.live_nodes"] <= nodes
        if not case.parameter("scms.failures") and not case["monitor.overload.longest_queue"] > 10 * nodes:
            assert case["monitor.live_nodes"] == nodes or case.parameter("scms.heartbeat_s") > 0


@invariant(*(f"monitor.{what}.{kind}" for what in ("messages", "bytes") for kind in KINDS))
def messages_have_bytes(case: Case) -> None:
    if case.monitor == "scms":
        for kind in KINDS:
            messages, sent = case[f"monitor.messages.{kind}"], case[f"monitor.bytes.{kind}"]
            least = "reply" if kind in {"reply", "push"} else "request"
            assert sent >= messages * case.parameter(f"scms.{least}_bytes") >= 0
        if case.parameter("scms.collect") == "push":
            assert case["monitor.messages.pull"] == 0
        if not case.parameter("scms.push"):
            assert (
                case["monitor.messages.push"] == case["monitor.messages.pull"] == case["monitor.values_filtered"] == 0
            )
        assert case["logged_bytes"] == sum(case[f"monitor.bytes.{kind}"] for kind in KINDS)


@invariant("monitor.values_read", "monitor.values_filtered", "monitor.rounds_incomplete")
def no_more_is_filtered_than_was_read(case: Case) -> None:
    if case.monitor == "scms":
        assert 0 <= case["monitor.values_filtered"] <= case["monitor.values_read"]
        assert case["monitor.values_filtered"] == 0 or case.parameter("scms.filter_threshold") >= 0
        assert case["monitor.rounds_incomplete"] == 0 or (
            case.parameter("scms.merge_replies") and case.parameter("scms.collect") == "push"
        )


@invariant("monitor.requests", "monitor.cached_values", "monitor.asked_nodes", "monitor.merged_nodes",
           "monitor.unanswered_nodes", "monitor.late_nodes")  # fmt: skip
def requests_are_counted_once(case: Case) -> None:
    if case.monitor == "scms":
        asked, merged = case["monitor.asked_nodes"], case["monitor.merged_nodes"]
        assert case["monitor.requests"] >= 0
        assert case["monitor.cached_values"] >= 0
        assert merged == 0 or (case.parameter("scms.merge_requests") and asked)
        assert 0 <= case["monitor.unanswered_nodes"] <= asked
        assert case["monitor.late_nodes"] >= 0
        assert case["monitor.unanswered_nodes"] == 0 or case.parameter("scms.timeout_s") > 0


@invariant("monitor.overload.first_s", "monitor.overload.first_at", "monitor.overload.rounds_skipped",
           "monitor.overload.dropped_messages", "monitor.overload.late_messages")  # fmt: skip
def overload_has_a_first_moment_and_a_place(case: Case) -> None:
    if case.monitor == "scms":
        over = case["monitor.overload"]
        assert (over["first_s"] is None) == (over["first_at"] is None)
        assert (over["first_s"] is None) == (
            over["rounds_skipped"] + over["dropped_messages"] + over["late_messages"] == 0
        )
        assert over["dropped_messages"] == 0 or case.parameter("scms.queue_messages") > 0


@invariant("monitor.overload.longest_queue", "monitor.overload.longest_queue_s", "monitor.overload.longest_queue_at")
def the_longest_queue_is_some_agents(case: Case) -> None:
    if case.monitor == "scms":
        over = case["monitor.overload"]
        assert (over["longest_queue_s"] is None) == (over["longest_queue"] == 0)
        assert (over["longest_queue_at"] is None) == (over["longest_queue"] == 0)
        smas = case["monitor.tree.smas"]
        assert over["longest_queue"] >= max(sma["longest_queue"] for sma in smas)


@invariant("monitor.failures[].failure", "monitor.failures[].at_s", "monitor.failures[].agents",
           "monitor.failures[].detected_s", "monitor.failures[].back_s")  # fmt: skip
def a_death_is_noticed_after_it_and_before_the_dead_is_back(case: Case) -> None:
    if case.monitor == "scms":
        asked = [text.strip() for text in case.parameter("scms.failures").split(";") if text.strip()]
        failures = case["monitor.failures"]
        assert [failure["failure"].strip() for failure in failures] == asked
        for failure in failures:
            begin, _, _, duration = failure["failure"].split()
            assert abs(failure["at_s"] - float(begin)) < 1e-9
            assert failure["agents"] >= 1
            assert failure["detected_s"] is None or failure["detected_s"] >= failure["at_s"] - 1e-9
            assert failure["back_s"] is None or failure["back_s"] >= failure["at_s"] + float(duration) - 1e-9


@invariant("monitor.levels[].level", "monitor.levels[].kind", "monitor.levels[].agents", "monitor.levels[].messages",
           "monitor.levels[].bytes", "monitor.levels[].cpu_s", "monitor.levels[].busiest_cpu_s", "monitor.cpu_s")  # fmt: skip
def levels_add_up(case: Case) -> None:
    if case.monitor == "scms":
        levels = case["monitor.levels"]
        places = [(level["level"], level["kind"] == "cma") for level in levels]
        assert places == sorted(set(places))
        assert sum(level["agents"] for level in levels) == case["monitor.smas"] + case.parameter("nodes")
        assert sum(level["agents"] for level in levels if level["kind"] == "cma") == case.parameter("nodes")
        assert sum(level["bytes"] for level in levels) == case["logged_bytes"]
        assert sum(level["messages"] for level in levels) == sum(case["monitor.messages"].values())
        assert abs(sum(level["cpu_s"] for level in levels) - case["monitor.cpu_s"]) < 1e-9
        assert all(level["busiest_cpu_s"] <= level["cpu_s"] + 1e-12 for level in levels)


@invariant("monitor.tree.smas[].number", "monitor.tree.smas[].place", "monitor.tree.smas[].parent",
           "monitor.tree.smas[].level", "monitor.tree.smas[].children", "monitor.tree.smas[].nodes",
           "monitor.tree.cmas[].node", "monitor.tree.cmas[].sma")  # fmt: skip
def the_tree_is_one(case: Case) -> None:
    if case.monitor == "scms":
        smas, cmas = case["monitor.tree.smas"], case["monitor.tree.cmas"]
        assert [sma["number"] for sma in smas] == list(range(case["monitor.smas"]))
        assert [cma["node"] for cma in cmas] == list(range(case.parameter("nodes")))
        below = [0] * len(smas)
        children = [0] * len(smas)
        for cma in cmas:
            children[cma["sma"]] += 1
            below[cma["sma"]] += 1
        for sma in reversed(smas):
            assert sma["place"]
            assert sma["nodes"] == below[sma["number"]]
            if sma["number"] == 0:
                assert (sma["parent"], sma["level"]) == (None, 0)
            else:
                assert sma["level"] == smas[sma["parent"]]["level"] + 1
                children[sma["parent"]] += 1
                below[sma["parent"]] += sma["nodes"]
        assert [sma["children"] for sma in smas] == children
        assert max(children) <= case.parameter("scms.largest_partition")


@invariant(*(f"monitor.tree.{kind}[].{key}" for kind in ("smas", "cmas")
             for key in ("messages", "bytes", "cpu_s", "incarnations")),
           "monitor.tree.smas[].live_nodes", "monitor.tree.smas[].longest_queue")  # fmt: skip
def agents_add_up(case: Case) -> None:
    if case.monitor == "scms":
        smas, cmas = case["monitor.tree.smas"], case["monitor.tree.cmas"]
        agents = smas + cmas
        assert sum(agent["bytes"] for agent in agents) == case["logged_bytes"]
        assert sum(agent["messages"] for agent in agents) == sum(case["monitor.messages"].values())
        assert all(agent["incarnations"] >= 1 and agent["cpu_s"] >= 0 for agent in agents)
        if not case.parameter("scms.failures"):
            assert {agent["incarnations"] for agent in smas} == {1}
        assert all(starmap(le, ((sma["live_nodes"], sma["nodes"]) for sma in smas)))
        assert smas[0]["live_nodes"] == case["monitor.live_nodes"]
        assert all(sma["longest_queue"] >= 0 for sma in smas)


@invariant("monitor.tree.smas[].alive", "monitor.tree.cmas[].alive")
def nobody_is_dead_without_a_cause(case: Case) -> None:
    if case.monitor == "scms":
        crashed = any(plugin["crashes"] for plugin in case["monitor.plugins"])
        for agent in [*case["monitor.tree.smas"], *case["monitor.tree.cmas"]]:
            assert agent["alive"] or case.parameter("scms.failures") or crashed


@invariant(*(f"monitor.plugins[].{key}" for key in ("name", "id", "loads", "refused", "unloads", "reads", "crashes",
                                                    "first_crash_s", "error")))  # fmt: skip
def plugins_give_what_was_read(case: Case) -> None:
    if case.monitor == "scms":
        plugins = case["monitor.plugins"]
        assert len({plugin["name"] for plugin in plugins}) == len(plugins)
        assert sum(plugin["reads"] for plugin in plugins) <= case["monitor.values_read"]
        for plugin in plugins:
            assert (plugin["first_crash_s"] is None) == (plugin["crashes"] == 0)
            assert plugin["error"] == "" or plugin["crashes"] or plugin["refused"]
            assert (plugin["id"] is None) <= (plugin["error"] != "")
            assert plugin["unloads"] <= plugin["loads"]


@invariant(*(f"monitor.clients[].{key}" for key in (
    "kind", "clients", "calls", "missed_calls", "requests", "values", "missing", "unprovided", "failed", "status")))  # fmt: skip
def clients_are_those_that_have_a_period(case: Case) -> None:
    if case.monitor == "scms":
        for client in case["monitor.clients"]:
            assert client["kind"] in {"reader", "scheduler", "administrator", "program"}
            assert client["clients"] >= 1
            counted = ("calls", "missed_calls", "requests", "values", "missing", "unprovided", "failed")
            assert all(client[key] >= 0 for key in counted)
            assert client["status"] is None or client["kind"] == "program"


@invariant(*(f"monitor.clients[].{key}" for key in (
    "first_s", "mean_s", "longest_s", "latency_us", "mean_age_s", "oldest_s", "age_us")))  # fmt: skip
def a_client_waits_no_longer_than_at_its_longest(case: Case) -> None:
    if case.monitor == "scms":
        for client in case["monitor.clients"]:
            for mean, most, spread in (("mean_s", "longest_s", "latency_us"), ("mean_age_s", "oldest_s", "age_us")):
                assert (client[mean] is None) == (client[most] is None) == (client[spread] is None)
                assert client[mean] is None or 0 <= client[mean] <= client[most] + 1e-12
            assert (client["first_s"] is None) == (client["mean_s"] is None)
            assert client["first_s"] is None or client["first_s"] <= client["longest_s"]


@invariant(*(f"monitor.clients[].{key}" for key in ("choices", "judged", "right", "mean_better", "mean_regret")))
def a_choice_is_right_if_nothing_was_better(case: Case) -> None:
    if case.monitor == "scms":
        for client in case["monitor.clients"]:
            assert client["choices"] >= client["judged"] >= client["right"] >= 0
            assert client["choices"] == 0 or client["kind"] == "scheduler"
            assert (client["mean_better"] is None) == (client["mean_regret"] is None) == (client["judged"] == 0)
            if client["judged"]:
                assert (client["mean_better"] == 0) == (client["right"] == client["judged"])
                assert client["mean_regret"] >= 0


@invariant(*(f"monitor.clients[].{key}" for key in ("messages", "bytes", "cpu_s")))
def what_clients_send_has_bytes(case: Case) -> None:
    if case.monitor == "scms":
        for client in case["monitor.clients"]:
            assert client["bytes"] >= client["messages"] * case.parameter("scms.request_bytes")
            assert client["cpu_s"] >= 0


@invariant(*(f"monitor.plugin_changes[].{key}" for key in ("change", "took_s", "done", "refused", "missing")))
def changes_are_made_on_all_nodes_or_say_why_not(case: Case) -> None:
    if case.monitor == "scms":
        for change in case["monitor.plugin_changes"]:
            answered = change["done"] + change["refused"] + change["missing"]
            assert answered <= case.parameter("nodes")
            assert (change["took_s"] is None) == (answered == 0)
