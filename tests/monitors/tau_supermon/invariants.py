# SPDX-License-Identifier: BSD-3-Clause
"""Invariants of the profiles that TAU's processes write into monholes."""

from __future__ import annotations

from tests.python.result_invariants import Case, invariant


@invariant(*(f"monitor.monhole_writes.{key}" for key in ("writes", "bytes", "failed", "waited_s", "longest_wait_s")))
def each_profile_is_one_write(case: Case) -> None:
    if case.monitor == "tau_supermon":
        writes = case["monitor.monhole_writes"]
        assert writes["writes"] == case["ledger.generated.events"]
        assert writes["bytes"] >= case["ledger.generated.bytes"]
        assert 0 <= writes["failed"] <= writes["writes"]
        assert writes["failed"] == 0 or case.parameter("supermon.failures")
        assert 0 <= writes["longest_wait_s"] <= writes["waited_s"] + 1e-12
        causes = {(loss["stage"], loss["cause"]): loss["events"] for loss in case["ledger.lost"]}
        assert causes.get(("monhole", "no_mon"), 0) == writes["failed"]


@invariant(*(f"monitor.control.{key}" for key in ("commands", "every", "off[].routine", "is_obeyed", "out_of_reach",
                                                  "intervals_above", "intervals[].at_s",
                                                  "intervals[].overhead_percent")))  # fmt: skip
def who_holds_nothing_says_nothing(case: Case) -> None:
    if case.monitor == "tau_supermon":
        control, target = case["monitor.control"], case.parameter("tau_control.overhead_percent")
        intervals = control["intervals"]
        assert 0 <= control["commands"] <= len(intervals)
        assert 1 <= control["every"] <= case.parameter("tau_control.most_every")
        assert control["commands"] or (control["every"], control["off"]) == (1, [])
        assert not control["off"] or case.parameter("tau_control.routines")
        assert len({one["routine"] for one in control["off"]}) == len(control["off"])
        assert control["intervals_above"] == sum(one["overhead_percent"] > target for one in intervals)
        assert all(one["overhead_percent"] >= 0 for one in intervals)
        dates = [one["at_s"] for one in intervals]
        assert dates == sorted(dates)
        assert target > 0 or (not intervals and not control["out_of_reach"] and control["is_obeyed"])
