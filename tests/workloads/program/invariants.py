# SPDX-License-Identifier: BSD-3-Clause
"""Invariants of the result keys of users' programs."""

from __future__ import annotations

from tests.python.result_invariants import Case, invariant


@invariant("program.compute", "program.charges", "program.charged_s", "program.regions")
@invariant("program.unmeasured_regions", "program.unmeasured_passes")
def a_program_is_charged_what_it_says(case: Case) -> None:
    if case.parameter("workload") != "program":
        assert "program" not in case.result
        return
    program = case["program"]
    assert program["compute"] == case.parameter("program.compute")
    if program["compute"] == "zero" or "charges" not in program:
        return
    assert program["charges"] >= 0
    assert (program["charged_s"] > 0) <= (program["charges"] > 0)
    compute = sum(rank["compute_s"] for rank in case["ranks"])
    assert compute <= program["charged_s"] * (1 + 1e-3) + 1e-9
    if program["compute"] == "calibrated":
        assert (program["unmeasured_passes"] == 0) == (program["unmeasured_regions"] == 0)
        assert program["regions"] >= 0
