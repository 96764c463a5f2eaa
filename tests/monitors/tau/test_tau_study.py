# SPDX-License-Identifier: BSD-3-Clause
"""The study of TAU over Supermon's paper: its evaluation of known numbers, and its charts."""

from __future__ import annotations

from pathlib import Path

import pytest

from hypermon._model import worker
from hypermon.errors import UserError
from hypermon.report.calibration import CALIBRATED, PREDICTED
from hypermon_studies import cells
from hypermon_studies.cells import DERIVED, UNPUBLISHED, Cells
from hypermon_studies.planned import Numbers, Plan
from hypermon_studies.tau import calibration as tau_calibration
from hypermon_studies.tau import cells as tau_cells
from hypermon_studies.tau import figures as tau_figures
from hypermon_studies.tau import page as tau_page
from hypermon_studies.tau import runs as tau_runs
from hypermon_studies.tau.cells import DILATION, GROWTH, PAPER_CALLS, SHARE
from hypermon_studies.tau.runs import (
    FIGURE_2,
    LENGTH,
    MCR,
    NFS,
    NONE,
    PM,
    SHARED,
    SPREAD,
    TABLE_1,
    TOS,
    case,
    shared,
)

ALONE = {128: 0.5, 256: 0.3, 512: 0.2}
"""Seconds. Post mortem adds 10 ms to each, Supermon 20 ms. NFS adds 0.2 s with 128 ranks, in proportion to the ranks.
"""


@pytest.fixture(scope="module")
def plan() -> Plan:
    return tau_runs.plan(worker.schema())


def numbers(plan: Plan) -> Numbers:
    """Numbers as whole runs would give them."""
    found = {key: dict.fromkeys(tau_runs.METRICS, 1.0) for key in plan.specs}
    for ranks, alone in ALONE.items():
        for way, more in ((NONE, 0.0), (PM, 0.01), (TOS, 0.02), (NFS, 0.01 + 0.2 * ranks / 128)):
            found[FIGURE_2, case(ranks, way)]["elapsed_s"] = alone + more
    for clock in tau_runs.CLOCKS:
        found[FIGURE_2, case(512, clock)]["elapsed_s"] = 0.202
    for way, percent in ((NONE, 0.0), (PM, 8.5), (NFS, 60.0), (TOS, 9.0)):
        found[MCR, way]["elapsed_s"] = 1 + percent / 100
    for way, elapsed in ((NONE, 25.0), (PM, 26.0), (NFS, 36.0)):  # of 250 iterations: 40 ms each
        found[SPREAD, way] |= {"elapsed_s": elapsed, "dump_ms": 30.0}
    found[SPREAD, tau_runs.ALIKE] = {**found[SPREAD, NFS], "elapsed_s": 33.5}
    for access, more in zip(tau_runs.ACCESSES, (0.26,), strict=True):
        for ranks, added in ((128, 0.047), (512, more)):
            found[SHARED, shared(ranks, NONE, access)]["elapsed_s"] = 1.0
            found[SHARED, shared(ranks, PM, access)]["elapsed_s"] = 1 + added
    for length in tau_runs.LENGTHS:
        for what, percent in ((NONE, 0), (PM, 4), (TOS, 6), ("throttled", 1)):
            found[LENGTH, f"{length} iterations, {what}"]["elapsed_s"] = 1 + length * (1 + percent / 100)
    return found


CALLS = {
    PM: {call: pm for call, (_, pm) in PAPER_CALLS.items()},
    NFS: {call: nfs for call, (nfs, _) in PAPER_CALLS.items()},
    **{way: {call: 2 * nfs - pm for call, (nfs, pm) in PAPER_CALLS.items()} for way in tau_runs.OTHER_SERVERS},
}


@pytest.fixture(scope="module")
def found(plan: Plan) -> Cells:
    told = tau_cells.all_cells(numbers(plan), plan.parts, CALLS)
    return cells.read(cells.text(told))


@pytest.mark.worker
def test_three_cells_of_figure_2_and_one_of_mcr_are_calibrated(found: Cells) -> None:
    assert [(c.case, c.published, c.assumption) for c in found if c.status == CALIBRATED] == [
        ("128 ranks, post mortem", 4.7, "lu.flop_ns"),
        ("128 ranks, NFS", 52.71, "nfs.scale"),
        ("128 ranks, Supermon", 6.83, "supermon.write_us"),
        ("128 ranks, post mortem", 8.5, "lu.flop_ns of tau/mcr"),
        *(
            (shared(128, way, access), tau_cells.PAPER_2[way], rests)
            for access, preset in tau_runs.ACCESSES.items()
            for way, rests in ((PM, f"lu.flop_ns of {preset}"), (NFS, "nfs.scale"), (TOS, "supermon.write_us"))
        ),
    ]
    others = [c for c in found if c.table in (MCR, TABLE_1) and c.published is not None and c.status != CALIBRATED]
    assert len(others) == 2 + len(PAPER_CALLS)
    assert all(c.status == PREDICTED for c in others)


@pytest.mark.worker
def test_cells_that_the_paper_keeps_back_have_no_reference(found: Cells) -> None:
    for ranks in (256, 512):
        for way in (PM, NFS, TOS):
            if (ranks, way) == (512, PM):
                continue  # released after its prediction
            cell = found.at(FIGURE_2, DILATION, case(ranks, way))
            assert (cell.status, cell.published) == (UNPUBLISHED, None)
    released = found.at(FIGURE_2, DILATION, case(512, PM))
    assert (released.status, released.published) == (PREDICTED, 24.6)  # blind only together with the predicted value


@pytest.mark.worker
def test_dilations_and_times_are_those_of_the_runs(found: Cells) -> None:
    assert found.at(FIGURE_2, DILATION, case(128, NFS)).ours == pytest.approx(100 * 0.21 / 0.5)
    assert found.at(FIGURE_2, tau_cells.TIME, case(512, NONE)).ours == 0.2
    assert found.at(MCR, DILATION, "128 ranks, NFS").error == pytest.approx(60 / 72.6 - 1)


@pytest.mark.worker
def test_what_is_extrapolated_follows_its_rule(found: Cells) -> None:
    """With each doubling, an iteration alone takes 2/3 of the time, and NFS adds twice as much."""
    alone = 0.2 * (2 / 3) ** 2
    nfs = found.at(GROWTH, DILATION, case(2048, NFS))
    assert nfs.status == DERIVED
    assert nfs.ours == pytest.approx(100 * (0.01 + 0.8 * 4) / alone)
    assert found.at(GROWTH, DILATION, case(2048, TOS)).ours == pytest.approx(100 * 0.02 / alone)


@pytest.mark.worker
def test_shares_of_table_1_are_of_the_difference(found: Cells) -> None:
    shares = {c.case: c for c in found.cells_of(TABLE_1) if c.quantity == SHARE}
    assert sum(float(c.ours) for c in shares.values()) == pytest.approx(100)
    assert shares["rename"].ours == pytest.approx(100 * 11.75 / (11.75 + 3.52 + 8.52 + 0.07 + 2.50 + 0.03))
    assert all(c.ours == pytest.approx(c.published) for c in shares.values())
    for cell in shares.values():
        others = found.under_other_assumptions(cell)
        assert [other.case for other in others] == [f"{cell.case}; {server}" for server in tau_runs.OTHER_SERVERS]
        assert all(other.ours == pytest.approx(cell.ours) for other in others)


@pytest.mark.worker
def test_the_two_definitions_of_what_is_spread(found: Cells) -> None:
    of = "NFS, 128 ranks"
    assert found.at(SPREAD, "part of the added time that is not a process's own dump", of).ours == pytest.approx(25)
    assert found.at(
        SPREAD, "part of the added time that vanishes if every dump takes the mean time", of
    ).ours == pytest.approx(25)


@pytest.mark.worker
def test_the_counterfactual_is_the_run_with_the_mean_of_its_dumps(plan: Plan) -> None:
    specs = tau_runs.counterfactual(plan, numbers(plan)).specs.values()
    assert [spec.values["tau_files.fixed_dump_ms"] for spec in specs] == [30.0, 30.0]
    assert [spec.values["lu.iterations"] for spec in specs] == [6, tau_runs.BEGIN]
    assert {spec.values["monitor"] for spec in specs} == {"tau_nfs"}


@pytest.mark.worker
def test_a_whole_run_is_its_begin_and_as_many_iterations_as_it_has(plan: Plan) -> None:
    """2 s for the first two, then 0.5 s each: 6 iterations take 4 s, and 250 take 126 s."""
    short = {key: {"elapsed_s": 2.0 if key[1].endswith(tau_runs.BEGUN) else 4.0} for key in plan.specs}
    whole = tau_runs.whole_runs(plan, short)
    assert whole[FIGURE_2, case(128, NONE)]["elapsed_s"] == pytest.approx(126)
    assert whole[LENGTH, f"5 iterations, {NONE}"]["elapsed_s"] == 4
    assert not any(name.endswith(tau_runs.BEGUN) for _, name in whole)


@pytest.mark.worker
def test_dilation_is_of_the_iterations_between_two_lengths(found: Cells) -> None:
    dilations = {cell.case: float(cell.ours) for cell in found.cells_of(LENGTH)}
    assert dilations["5 to 10, post mortem"] == pytest.approx(4)
    assert dilations["40 to 80, Supermon"] == pytest.approx(6)
    assert dilations["10 to 20, throttled"] == pytest.approx(1)


@pytest.mark.worker
def test_what_is_off_is_missed_and_nothing_else(found: Cells) -> None:
    missed = tau_page.text(found, "tau").split("## Missed numbers")[1]
    assert "dilation [128 ranks, NFS] | On Atlas's server a dump takes longer" in missed
    assert "| rename" not in missed


@pytest.mark.worker
def test_the_interval_of_a_shared_clock_spans_its_assumptions(found: Cells) -> None:
    section = tau_page.text(found, "tau").split("## A shared clock")[1].split("## MCR")[0]
    assert "dilation ranges from 5.0 to 26.0 %.\nThe interval contains the published 24.6 %." in section
    assert "| 512 ranks, post mortem | 24.6 | 5.00 (-79.7) | 26.00 (+5.7) |" in section
    assert found.at(SHARED, DILATION, shared(512, PM, "0.47 us")).status == PREDICTED


@pytest.mark.worker
def test_every_picture_of_the_page_is_drawn(found: Cells, tmp_path: Path) -> None:
    tau_figures.draw(tmp_path, found)
    page = tau_page.text(found, "tau")
    for name in tau_figures.NAMES:
        assert (tmp_path / f"{name}.svg").is_file()
        assert (tmp_path / f"{name}.csv").is_file()
        assert f"(tau/{name}.svg)" in page
        assert f"(tau/{name}.csv)" in page


@pytest.mark.worker
@pytest.mark.parametrize(
    ("parts", "ranks", "message"),
    [
        (["figure3"], [128], r"--part = figure3: must be one of figure2, calls, mcr"),
        ([], [1024], r"--ranks = 1024: must be one of 128, 256, 512"),
    ],
)
def test_what_is_not_there_is_refused(parts: list[str], ranks: list[int], message: str) -> None:
    with pytest.raises(UserError, match=message):
        tau_runs.plan(worker.schema(), parts, ranks=ranks)


def test_a_constant_is_found_where_the_line_through_two_trials_says() -> None:
    """For a dilation of 2 + 3 x, the value 8 is at x = 2."""
    trials = [(1.0, 5.0)]
    assert tau_calibration.next_trial(trials, 8.0) == pytest.approx(1.1)
    assert tau_calibration.next_trial([*trials, (1.1, 5.3)], 8.0) == pytest.approx(2.0)


@pytest.mark.worker
def test_each_known_cell_has_a_constant_of_its_own() -> None:
    assert len(set(tau_cells.BY.values())) == len(tau_cells.PAPER_2) == len(tau_calibration.ORDER)
    assert set(tau_cells.BY.values()) <= set(worker.schema().parameters)
