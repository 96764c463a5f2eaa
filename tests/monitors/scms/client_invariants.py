"""What is true of every result's keys of SCMS/RMS's clients and plug-ins."""

from __future__ import annotations

from tests.python.result_invariants import Case, invariant

CLIENTS = "monitor.clients[]."
COUNTED = (
    "calls",
    "missed_calls",
    "requests",
    "values",
    "missing",
    "unprovided",
    "failed",
    "messages",
    "bytes",
    "cpu_s",
)


def keys(*names: str) -> list[str]:
    return [CLIENTS + name for name in names]


@invariant(*keys("kind", "clients", "status", *COUNTED))
def clients_are_those_that_were_asked_for(case: Case) -> None:
    if case.monitor == "scms":
        assert len(case["monitor.clients"]) <= case.of("scms_client.count")
        for one in case["monitor.clients"]:
            assert one["clients"] >= 1
            assert one["kind"] in {"reader", "scheduler", "administrator", "program"}
            assert all(one[name] >= 0 for name in COUNTED)
            assert one["kind"] == "program" or one["status"] is None
            assert one["messages"] >= one["requests"]


@invariant(*keys("first_s", "mean_s", "longest_s", "latency_us"))
def the_mean_call_is_no_longer_than_the_longest(case: Case) -> None:
    if case.monitor == "scms":
        for one in case["monitor.clients"]:
            times = [one[name] for name in ("first_s", "mean_s", "longest_s", "latency_us")]
            assert all((time is None) == (one["calls"] == 0) for time in times)
            if one["calls"]:
                assert 0 <= one["first_s"] <= one["longest_s"]
                assert one["mean_s"] <= one["longest_s"] * (1 + 1e-9)
                assert abs(one["latency_us"]["max"] - one["longest_s"] * 1e6) < 1e-3
                assert sum(one["latency_us"]["distribution"]["events"]) == one["calls"]


@invariant(*keys("mean_age_s", "oldest_s", "age_us"))
def values_have_an_age(case: Case) -> None:
    if case.monitor == "scms":
        for one in case["monitor.clients"]:
            ages = [one[name] for name in ("mean_age_s", "oldest_s", "age_us")]
            assert all((age is None) == (one["values"] == 0) for age in ages)
            if one["values"]:
                assert 0 <= one["mean_age_s"] <= one["oldest_s"] * (1 + 1e-9)


@invariant(*keys("choices", "judged", "right", "mean_better", "mean_regret"))
def only_schedulers_choose(case: Case) -> None:
    if case.monitor == "scms":
        for one in case["monitor.clients"]:
            assert 0 <= one["right"] <= one["judged"] <= one["choices"] <= one["calls"]
            assert one["choices"] == 0 or one["kind"] == "scheduler"
            assert (one["mean_better"] is None) == (one["mean_regret"] is None) == (one["judged"] == 0)
            if one["judged"]:
                assert (one["mean_better"] == 0) == (one["mean_regret"] == 0) == (one["right"] == one["judged"])


PLUGINS = "monitor.plugins[]."


@invariant(*(PLUGINS + name for name in (
    "name", "id", "loads", "refused", "unloads", "reads", "crashes", "first_crash_s", "error")))  # fmt: skip
def plugins_end_as_often_as_they_began_at_most(case: Case) -> None:
    if case.monitor == "scms":
        plugins = case["monitor.plugins"]
        assert len({one["name"] for one in plugins}) == len(plugins)
        for one in plugins:
            assert one["unloads"] <= one["loads"]
            assert (one["first_crash_s"] is None) == (one["crashes"] == 0)
            assert bool(one["error"]) == (one["crashes"] > 0 or one["id"] is None)
            assert one["loads"] > 0 or one["reads"] == 0


@invariant(*("monitor.plugin_changes[]." + name for name in ("change", "took_s", "done", "refused", "missing")))
def changes_are_made_on_all_nodes_or_say_why_not(case: Case) -> None:
    if case.monitor == "scms":
        for one in case["monitor.plugin_changes"]:
            answered = one["done"] + one["refused"] + one["missing"]
            assert answered <= case.of("nodes")
            assert (one["took_s"] is None) == (answered == 0)
