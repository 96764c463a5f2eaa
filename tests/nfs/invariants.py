# SPDX-License-Identifier: BSD-3-Clause
"""Invariants of the result keys of the shared file system."""

from __future__ import annotations

from tests.python.result_invariants import Case, invariant

OWN = "nfs.procedures[]."
CHANGES = ("create", "mkdir", "remove", "rename")
STABLE = ("write", "commit")


def is_there(case: Case) -> bool:
    assert ("nfs" in case.result) == (case.parameter("nfs.place") != "off")
    return "nfs" in case.result


def waiting(case: Case) -> float:
    """Largest factor by which contention may lengthen service."""
    return 1 + float(case.parameter("nfs.waiting_share")) * max(0, int(case["nfs.longest_queue"]) - 1)


@invariant(*(OWN + key for key in ("procedure", "calls", "service_s", "waited_s", "longest_ms")))
def calls_take_their_procedures_time_or_that_with_data_and_waiting(case: Case) -> None:
    if not is_there(case):
        return
    for one in case["nfs.procedures"]:
        least = one["calls"] * case.parameter(f"nfs.{one['procedure']}_us") * 1e-6 * case.parameter("nfs.scale")
        assert one["service_s"] >= least * (1 - 1e-9) - 1e-9
        if one["procedure"] not in ("read", "write", "readdir"):
            assert one["service_s"] <= least * waiting(case) * (1 + 1e-9) + 1e-9
        assert one["waited_s"] >= 0
        if one["calls"] > 0 and case["nfs.lost_requests"] == 0:
            mean = (one["service_s"] + one["waited_s"]) / one["calls"]
            assert one["longest_ms"] * 1e-3 >= mean * (1 - 1e-9) - 1e-9 or one["longest_ms"] == 0


@invariant("nfs.journal_s")
def the_journal_is_busy_for_what_it_serves_and_nothing_else(case: Case) -> None:
    if is_there(case):
        held = {"nothing": (), "metadata": CHANGES, "changes": CHANGES + STABLE}[case.parameter("nfs.journal")]
        most = sum(one["service_s"] for one in case["nfs.procedures"] if one["procedure"] in held)
        least = sum(one["service_s"] for one in case["nfs.procedures"] if one["procedure"] in set(held) - {"write"})
        assert least - 1e-9 <= case["nfs.journal_s"] <= most + 1e-9  # it does not include unstable writes


@invariant("nfs.longest_queue", "nfs.files")
def who_is_served_was_there(case: Case) -> None:
    if is_there(case):
        calls = {one["procedure"]: one["calls"] for one in case["nfs.procedures"]}
        assert 0 <= case["nfs.files"] <= calls["create"]
        assert (case["nfs.longest_queue"] > 0) or sum(calls.values()) == 0


@invariant("nfs.written_bytes", "nfs.read_bytes", "nfs.stale_reads")
def bytes_are_brought_by_calls(case: Case) -> None:
    if is_there(case):
        calls = {one["procedure"]: one["calls"] for one in case["nfs.procedures"]}
        most = case.parameter("nfs.transfer_bytes")
        if case["nfs.lost_requests"] == 0:
            assert case["nfs.read_bytes"] <= (calls["read"] + 1) * most
        assert 0 <= case["nfs.stale_reads"] <= calls["read"]
        assert case["nfs.written_bytes"] >= 0


@invariant("nfs.lost_requests", "nfs.retransmissions", "nfs.duplicates")
@invariant("nfs.not_responding.calls", "nfs.not_responding.first_s", "nfs.not_responding.longest_s")
def requests_are_lost_in_outages_only_and_sent_again(case: Case) -> None:
    if not is_there(case):
        return
    found = case["nfs"]
    if not str(case.parameter("nfs.outages")):
        assert found["lost_requests"] == 0
        assert found["duplicates"] <= found["retransmissions"]
    messages = found["not_responding"]
    assert (messages["calls"] > 0) == (messages["first_s"] is not None)
    assert found["retransmissions"] >= messages["calls"] * (case.parameter("nfs.retrans") + 1)
    if messages["longest_s"] > 0:
        assert messages["longest_s"] >= case.parameter("nfs.timeo_s")
