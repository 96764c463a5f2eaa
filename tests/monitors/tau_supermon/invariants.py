"""What is true of what TAU's processes write into monholes."""

from __future__ import annotations

from tests.python.result_invariants import Case, invariant


@invariant(*(f"monitor.monhole_writes.{key}" for key in ("writes", "bytes", "failed", "waited_s", "longest_wait_s")))
def each_profile_is_one_write(case: Case) -> None:
    if case.monitor == "tau_supermon":
        writes = case["monitor.monhole_writes"]
        assert writes["writes"] == case["ledger.generated.events"]
        assert writes["bytes"] >= case["ledger.generated.bytes"]
        assert 0 <= writes["failed"] <= writes["writes"]
        assert writes["failed"] == 0 or case.of("supermon.failures")
        assert 0 <= writes["longest_wait_s"] <= writes["waited_s"] + 1e-12
        causes = {(loss["stage"], loss["cause"]): loss["events"] for loss in case["ledger.lost"]}
        assert causes.get(("monhole", "no_mon"), 0) == writes["failed"]
