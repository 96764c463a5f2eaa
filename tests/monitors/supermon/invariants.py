# SPDX-License-Identifier: BSD-3-Clause
"""Invariants of the result keys of Supermon."""

from __future__ import annotations

from tests.python.result_invariants import Case, invariant

OWN = "monitor.supermon"
KINDS = ("mons", "supermons")


def has_supermon(case: Case) -> bool:
    return "supermon" in (case["monitor"] or {})


def keys(*names: str) -> tuple[str, ...]:
    return tuple(f"{OWN}.{name}" for name in names)


def of_kind(case: Case, kind: int, parameter: str) -> int:
    """The parameter for this kind of clients, or the one for all kinds."""
    try:
        return int(case.parameter(f"supermon_client[{kind}].{parameter}"))
    except KeyError:
        return int(case.parameter(f"supermon_client.{parameter}"))


@invariant(*keys("root", "depth", "mons.processes", "supermons.processes"))
def the_tree_is_as_wide_as_it_may_be(case: Case) -> None:
    if has_supermon(case):
        own, fan_out = case[OWN], case.parameter("supermon.fan_out")
        assert own["root"]
        assert own["mons"]["processes"] == case.parameter("nodes")
        widths = [-(-case.parameter("nodes") // fan_out)]
        while widths[-1] > 1:
            widths.append(-(-widths[-1] // fan_out))
        assert own["supermons"]["processes"] == sum(widths)
        assert own["depth"] == len(widths)


@invariant(*keys(*(f"{kind}.{what}" for kind in KINDS for what in ("messages", "bytes", "cpu_s")), "busiest_mon_cpu_s"))
def what_is_sent_has_bytes_and_costs_cpu(case: Case) -> None:
    if has_supermon(case):
        own = case[OWN]
        for kind in KINDS:
            assert own[kind]["bytes"] >= len("(answer 1)") * own[kind]["messages"] >= 0
            assert own[kind]["cpu_s"] >= own[kind]["messages"] * case.parameter("supermon.message_us") * 1e-6 * (
                1 - 1e-9
            )
        assert own["busiest_mon_cpu_s"] <= own["mons"]["cpu_s"] + 1e-12
        assert own["busiest_mon_cpu_s"] * own["mons"]["processes"] >= own["mons"]["cpu_s"] - 1e-9


@invariant(*keys("longest_queue", "longest_queue_s"))
def the_longest_queue_has_a_date(case: Case) -> None:
    if has_supermon(case):
        own = case[OWN]
        assert (own["longest_queue_s"] is None) == (own["longest_queue"] == 0)


@invariant(*keys("queries", "timeouts", "burials", "adoptions", "late_answers", "incarnations"))
def nobody_is_taken_for_dead_without_a_cause(case: Case) -> None:
    if has_supermon(case):
        own = case[OWN]
        daemons = sum(own[kind]["processes"] for kind in KINDS)
        assert own["queries"] >= sum(client["answers"] for client in own["clients"])
        assert own["incarnations"] >= daemons
        assert own["adoptions"] == 0 or (case.parameter("supermon.repair") and own["burials"])
        if not own["failures"]:
            assert own["incarnations"] == daemons
            assert own["burials"] <= own["timeouts"]
            assert own["late_answers"] == 0 or own["timeouts"]


@invariant(
    *keys(
        *(f"failures[].{key}" for key in ("failure", "at_s", "daemons", "nodes", "detected_s", "gaps", "longest_gap_s"))
    )
)
def a_death_is_noticed_after_it(case: Case) -> None:
    if has_supermon(case):
        asked = [text.strip() for text in case.parameter("supermon.failures").split(";") if text.strip()]
        failures = case[OWN]["failures"]
        assert [failure["failure"].strip() for failure in failures] == asked
        gaps = sum(client["gaps"] for client in case[OWN]["clients"])
        for failure in failures:
            assert abs(failure["at_s"] - float(failure["failure"].split()[0])) < 1e-9
            assert failure["daemons"] >= 1
            assert 1 <= failure["nodes"] <= case.parameter("nodes")
            assert failure["detected_s"] is None or failure["detected_s"] >= failure["at_s"] - 1e-9
            assert 0 <= failure["gaps"] <= gaps
            assert failure["longest_gap_s"] is None or (failure["gaps"] and failure["longest_gap_s"] >= 0)


@invariant(*keys(*(f"clients[].{key}" for key in (
    "place", "queries", "answers", "missed_queries", "unanswered", "late_answers", "samples", "missing_nodes", "answer_bytes"))))  # fmt: skip
def every_query_comes_to_one_end(case: Case) -> None:
    if has_supermon(case):
        clients = case[OWN]["clients"]
        kinds = range(case.parameter("supermon_client.count"))
        assert len(clients) == sum(of_kind(case, kind, "clients") for kind in kinds)
        for client in clients:
            assert client["place"]
            under_way = client["queries"] - client["answers"] - client["unanswered"]
            assert under_way in {0, 1}
            assert client["late_answers"] <= client["unanswered"]
            assert client["samples"] <= client["answers"] * case.parameter("nodes")
            assert client["missed_queries"] >= 0
            assert client["missing_nodes"] <= client["queries"] * case.parameter("nodes")
            assert client["answer_bytes"] >= len("(answer 1)") * client["answers"]


@invariant(*keys(*(f"clients[].{key}" for key in (
    "first_s", "mean_s", "longest_s", "gaps", "gaps_under_way", "longest_gap_s", "cpu_s"))))  # fmt: skip
def gaps_and_times_are_no_longer_than_the_longest(case: Case) -> None:
    if has_supermon(case):
        for client in case[OWN]["clients"]:
            times = [client[f"{which}_s"] for which in ("first", "mean", "longest")]
            assert all((time is None) == (client["answers"] == 0) for time in times)
            if client["answers"]:
                assert 0 <= client["first_s"] <= client["longest_s"]
                assert client["mean_s"] <= client["longest_s"] * (1 + 1e-9)
            assert 0 <= client["gaps_under_way"] <= client["gaps"]
            assert client["gaps"] == 0 or client["missing_nodes"] >= 1
            assert (client["longest_gap_s"] is None) == (client["gaps"] == client["gaps_under_way"])
            assert client["cpu_s"] >= 0


MONHOLE = "monitor.monhole"
ENDS = ("read", "overwritten", "refused", "died", "left_behind")
ENDS_OF_A_SINK = ("seen", "overwritten", "drained", "refused", "died", "left_behind")
COUNTED = ("entries", "bytes")


def sums_to(whole: dict[str, int], parts: list[dict[str, int]]) -> bool:
    return all(whole[unit] == sum(part[unit] for part in parts) for unit in COUNTED)


@invariant(*(f"{MONHOLE}.{what}.{unit}" for what in ("generated", *ENDS, "read_again") for unit in COUNTED))
def every_entry_comes_to_one_end(case: Case) -> None:
    if has_supermon(case) and "monhole" in case["monitor"]:
        own, policy = case[MONHOLE], case.parameter("monhole.policy")
        assert sums_to(own["generated"], [own[end] for end in ENDS])
        assert own["overwritten"]["entries"] == 0 or policy != "fill_drain"
        assert own["read_again"]["entries"] == 0 or policy.endswith("read")
        assert own["died"]["entries"] == 0 or case.parameter("supermon.failures")
        assert own["refused"]["entries"] == 0 or case.parameter("monhole.memory_mb")


@invariant(*(f"{MONHOLE}.{key}" for key in ("peak.bytes", "peak.entries", "peak.node", "peak.at_s",
                                            "first_refused.node", "first_refused.at_s")))  # fmt: skip
def memory_stays_below_its_limit(case: Case) -> None:
    if has_supermon(case) and "monhole" in case["monitor"]:
        own = case[MONHOLE]
        peak, refused = own["peak"], own["first_refused"]
        assert (peak["node"] is None) == (peak["at_s"] is None) == (peak["entries"] == 0)
        assert peak["node"] is None or 0 <= peak["node"] < case.parameter("nodes")
        assert peak["bytes"] <= own["generated"]["bytes"] - own["refused"]["bytes"]
        limit = case.parameter("monhole.memory_mb") * 1e6
        assert limit == 0 or peak["bytes"] <= limit + 0.5
        assert (refused["node"] is None) == (refused["at_s"] is None) == (own["refused"]["entries"] == 0)


@invariant(*(f"{MONHOLE}.sinks[].{what}.{unit}" for what in (*ENDS_OF_A_SINK, "repeated") for unit in COUNTED),
           *(f"{MONHOLE}.sinks[].{key}" for key in ("sink", "reads", "reads_of_no", "mean_age_s", "oldest_s")))  # fmt: skip
def every_sink_saw_an_entry_or_missed_it(case: Case) -> None:
    if has_supermon(case) and "monhole" in case["monitor"]:
        own = case[MONHOLE]
        sinks = own["sinks"]
        assert [sink["sink"] for sink in sinks] == list(range(len(case[f"{OWN}.clients"])))
        readings = [sink[what] for sink in sinks for what in ("seen", "repeated")]
        assert not sinks or sums_to({u: own["read"][u] + own["read_again"][u] for u in COUNTED}, readings)
        for sink in sinks:
            assert sums_to(own["generated"], [sink[end] for end in ENDS_OF_A_SINK])
            assert 0 <= sink["reads_of_no"] <= sink["reads"]
            assert (sink["mean_age_s"] is None) == (sink["oldest_s"] is None) == (sink["seen"]["entries"] == 0)
            assert sink["mean_age_s"] is None or 0 <= sink["mean_age_s"] <= sink["oldest_s"] * (1 + 1e-9)
            assert sink["drained"]["entries"] == 0 or case.parameter("monhole.policy").endswith("drain")


@invariant(f"{OWN}.bytes_saved", f"{OWN}.clients[].combined_nodes")
def only_who_wants_samples_combined_gets_them_so(case: Case) -> None:
    if has_supermon(case):
        kinds = range(case.parameter("supermon_client.count"))
        otherwise = case.parameter("supermon_client.combine")
        ways = [case.spec.values.get(f"supermon_client[{kind}].combine", otherwise) for kind in kinds]
        combine = [how != "none" for how in ways]
        of_clients = [c for kind, c in enumerate(combine) for _ in range(of_kind(case, kind, "clients"))]
        for client, is_combined in zip(case[f"{OWN}.clients"], of_clients, strict=True):
            assert client["samples"] == 0 or not is_combined
            assert client["combined_nodes"] == 0 or is_combined
            assert 0 <= client["combined_nodes"] <= client["answers"] * case.parameter("nodes")
        assert case[f"{OWN}.bytes_saved"] == 0 or any(combine)
