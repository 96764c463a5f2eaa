# SPDX-License-Identifier: BSD-3-Clause
"""The study of HDTrace's paper: its evaluation of known numbers, and its charts."""

from __future__ import annotations

from itertools import count
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hypermon._model import worker
from hypermon.errors import UserError
from hypermon.report.calibration import CALIBRATED, PREDICTED
from hypermon.timelines.tracks import States, TimeLine
from hypermon_studies import cells
from hypermon_studies.cells import Cells
from hypermon_studies.piosim import cells as piosim_cells
from hypermon_studies.piosim import figures as piosim_figures
from hypermon_studies.piosim import page as piosim_page
from hypermon_studies.piosim import runs as piosim_runs
from hypermon_studies.piosim import timeline as piosim_timeline
from hypermon_studies.piosim.cells import PAPER, REAL, SCHEDULERS, SEVERAL, TIE
from hypermon_studies.piosim.runs import METRICS
from hypermon_studies.planned import Numbers

MS = 10**9  # ps
RECORDED: dict[str, Any] = {
    "monitor": {
        "power": {
            "phases": [
                {"phase": "MPI_File_write_at", "time_s": 3.0, "joules": 240.0, "mean_w": 80.0},
                {"phase": "computing", "time_s": 1.0, "joules": 100.0, "mean_w": 100.0},
            ],
            **{"joules": 340.0, "metered_joules": 339.0, "estimated_joules": 300.0, "server_joules": 200.0},
        }
    }
}


@pytest.fixture(scope="module")
def plan() -> piosim_runs.Plan:
    return piosim_runs.plan(worker.schema())


def numbers(plan: piosim_runs.Plan) -> Numbers:
    """Numbers as the study's runs would give them: the paper's, except that the whole run is 1 % longer."""
    found = {key: dict.fromkeys(METRICS, 1.0) for key in plan.specs}
    found[piosim_runs.PAPER, "run"] |= {"elapsed_s": 37.471, "longest_s": 7.3, "operations": 20482.0}
    found[piosim_runs.PAPER, "diagonals"] |= {"longest_s": 3.01e-3, "shortest_s": 1.02e-3}
    found[piosim_runs.PAPER, "checkpoint"] |= {"joined": 22.0}
    for key, row in found.items():
        row["seeks"] = 1.0 if key[1].startswith("1 client") else 50.0
    for first, elapsed in zip(piosim_runs.TIES, (2.0, 1.0), strict=True):
        found[piosim_runs.TIE, piosim_runs.case_label(2, "no cache", first)]["elapsed_s"] = elapsed
    return found


@pytest.fixture(scope="module")
def found(plan: piosim_runs.Plan) -> Cells:
    return cells.read(cells.text(piosim_cells.all_cells(numbers(plan), plan.parts, RECORDED)))


@pytest.mark.worker
def test_only_the_whole_run_is_calibrated(found: Cells) -> None:
    assert [(c.table, c.quantity, c.assumption) for c in found if c.status == CALIBRATED] == [
        (PAPER, "whole run", "partdiff.point_ns")
    ]
    assert all(c.status == PREDICTED for c in found if c.published is not None and c.table == REAL)


@pytest.mark.worker
def test_what_is_off_is_missed_and_nothing_else(found: Cells) -> None:
    missed = piosim_page.text(found, "piosim").split("## Missed numbers")[1]
    assert "whole run [one client, one server]" in missed
    for met in ("checkpoint [one client", "diagonal [one client", "4 bytes", "disk operations [one", "packets merged"):
        assert met not in missed


@pytest.mark.worker
def test_seeks_schedulers_and_ties_are_judged(found: Cells) -> None:
    assert found.at(SEVERAL, "several clients cause more seeks", "against one").ours is True
    assert found.at(SCHEDULERS, "an I/O scheduler gains something", "1 client").ours is False
    assert found.at(TIE, "moved by the order of ties", "2 clients, no cache").ours == pytest.approx(50)
    assert found.at("energy", "less power in MPI than when it computes", "mean of the client").ours == pytest.approx(20)


@pytest.mark.worker
def test_the_runs_of_the_paper_are_those_of_its_scenarios(plan: piosim_runs.Plan) -> None:
    assert plan.specs[piosim_runs.PAPER, "diagonals"].values["partdiff.checkpoint_every"] == 0
    assert plan.specs[piosim_runs.REAL, "run, hint"].values["partdiff.checkpoint_every"] == 5
    assert plan.specs[piosim_runs.WITH_HDTRACE].values["monitor"] == "hdtrace"


@pytest.mark.worker
def test_a_part_that_is_not_there_is_refused() -> None:
    with pytest.raises(UserError, match=r"--part = figure7: must be one of paper, real, recorded"):
        piosim_runs.plan(worker.schema(), ["figure7"])


@pytest.mark.worker
def test_every_picture_of_the_page_is_drawn(found: Cells, tmp_path: Path) -> None:
    piosim_figures.draw(tmp_path, found)
    piosim_timeline.draw_all(tmp_path, run(), 1e8)
    page = piosim_page.text(found, "piosim")
    for name in (*piosim_figures.NAMES, *piosim_timeline.NAMES):
        assert (tmp_path / f"{name}.svg").is_file()
        assert f"(piosim/{name}.svg)" in page
    for linked in ("clients", "figure8", "figure9"):
        assert (tmp_path / f"{linked}.csv").is_file()


def states(
    path: tuple[str, ...], names: tuple[str, ...], rows: list[tuple[float, float, int]], **details: Any
) -> States:
    """`rows` have begin and end in ms, and the number of the name."""
    begins, ends, which = (np.array(column) for column in zip(*rows, strict=True))
    numbers = np.array([next(COUNT) for _ in rows], np.uint64)
    columns = {name: np.array(column) for name, column in details.items()}
    return States(
        ("run", *path), (begins * MS).astype(np.int64), (ends * MS).astype(np.int64), names, which.astype(np.int32),
        numbers, np.zeros(len(rows), np.uint64), columns,
    )  # fmt: skip


COUNT = count(1)


def run() -> TimeLine:
    """A run with a number at 10 ms, its diagonal after it, and a checkpoint at 2 s."""
    calls = [(0.0, 1.0, 0), (10.0, 11.0, 1), (11.0, 14.0, 1), (2000.0, 4000.0, 1)]
    client = states(("node00", "rank 0"), ("MPI_Init", "MPI_File_write_at"), calls)
    trove = states(("server0", "TROVE"), ("write",), [(13.0, 20.0, 0), (2003.0, 2010.0, 0)], bytes=[100_000, 50_000])
    disk = states(("server0", "DISK"), ("seek",), [(13.0, 20.0, 0), (2003.0, 2010.0, 0)])
    return TimeLine((client, trove, disk), (), 0, 4000 * MS)


def test_a_packet_comes_in_for_as_long_as_it_takes_on_the_edge_before_the_server_has_it() -> None:
    drawn = piosim_timeline.spans(run(), 1e8)
    np.testing.assert_allclose(drawn["network"], [(0.012, 0.013), (2.0025, 2.003)])
    np.testing.assert_allclose(drawn["client"], [(0.010, 0.011), (0.011, 0.014), (2.0, 4.0)])


def test_the_windows_are_the_run_the_last_checkpoint_and_a_diagonal_with_its_number() -> None:
    windows = piosim_timeline.windows(piosim_timeline.spans(run(), 1e8)["client"])
    assert windows["figure7"][0] == pytest.approx((0, 4.1))
    assert windows["figure8"][0] == pytest.approx((1.998, 2.1))
    assert windows["figure9"][0] == pytest.approx((0.0095, 0.035))
