# SPDX-License-Identifier: BSD-3-Clause
"""docs/validation.md: its counts, the intervals of predictions, and the numbers predicted from the others."""

from __future__ import annotations

import random
import re
from dataclasses import replace
from pathlib import Path

import pytest
from scipy import stats  # type: ignore[import-untyped]

from hypermon.errors import UserError
from hypermon.report.calibration import CALIBRATED, PREDICTED
from hypermon_studies import cell_tables, cells
from hypermon_studies.cells import BLIND, Cell, Cells
from hypermon_studies.papers import intervals, left_out
from hypermon_studies.papers import page as papers_page
from hypermon_studies.papers import study as papers
from hypermon_studies.papers.intervals import ASSUMPTIONS, EXACT, ROUNDING, SCATTER, Interval
from hypermon_studies.papers.left_out import Checked, LeftOut
from hypermon_studies.papers.study import Item
from hypermon_studies.validation import accounts
from hypermon_studies.validation import counts as published
from hypermon_studies.validation import page as published_page
from hypermon_studies.validation import picture as published_picture
from hypermon_studies.validation.counts import Published

DOCS = Path(__file__).parents[4] / "docs"
FOUND = published.read(DOCS)


def item(ours: float, kind: str = PREDICTED, ends: tuple[float, float] | None = None, paper: str = "HPVM") -> Item:
    """A prediction of 100 s."""
    interval = None if ends is None else Interval(*ends, ASSUMPTIONS, "the weather")
    return Item(paper, "sec. 1", f"time {ours:g}", kind, "s", 100.0, ours, "", interval, "" if interval else "unknown")


LIST = Published(
    [
        item(101, ends=(95, 105)),
        item(104, BLIND, (101, 110)),
        item(250, BLIND),
        item(80, ends=(60, 130)),
        item(100, CALIBRATED),
        replace(item(100, papers.KEPT_BACK, (1, 3)), published=None),
        Item("HPVM", "sec. 1", "overruns", PREDICTED, "", True, True, ""),
    ],
    Checked([LeftOut("a", "x", "s", 2.0, 2.5, (1.0, 3.0), "law")], []),
    [],
)


def test_the_answer_counts_the_predictions() -> None:
    assert published_page.answer(LIST) == (
        "The simulator predicts 4 numbers that five papers published. It predicted 2 of them before this project knew the"
        " published number, and 2 without using it. 2 of the 4 lie within 5 % of the published number. 3 predictions"
        " have an interval; 2 of these intervals contain the published number. The worst prediction is +150 % off: time"
        " 250, sec. 1 (HPVM), published 100 s, predicted 250 s."
    )


def test_the_page_says_which_intervals_miss_and_which_are_wide() -> None:
    page = published_page.text(LIST)
    assert "| time 104, sec. 1 | blind | 100 s | 104 s | +4.0 | **101 to 110 s** |" in page
    assert "| time 80, sec. 1 | predicted | 100 s | 80 s | -20.0 | 60 to 130 s, wider than a factor of two |" in page
    assert "| time 101, sec. 1 | predicted | 100 s | 101 s | +1.0 | 95 to 105 s |" in page
    assert "| time 100, sec. 1 | kept back |  | 100 s |  | 1 to 3 s, wider than a factor of two |" in page
    assert (
        "Predictions without an interval: 1.\n\n| why there is none | numbers |\n| --- | --: |\n| unknown | 1 |" in page
    )
    assert "1 of 1 such predictions lie inside their interval, 100 %." in " ".join(page.split())
    assert "The simulator agrees with 1 of 1." in re.sub(r"\s+", " ", page)


def test_the_committed_page_is_made_of_the_committed_list() -> None:
    assert (DOCS / "validation.md").read_text() == published_page.text(FOUND)


def test_the_counts_of_the_committed_answer_are_those_of_the_csv_file() -> None:
    """Counts again, from the text of the file alone."""
    rows = [
        line
        for line in papers_page.items_csv(FOUND.items).splitlines()[1:]
        if ",predicted," in line or ",blind," in line
    ]
    errors = [abs(i.error) for i in FOUND.items if i.kind in ("predicted", "blind") and i.error is not None]
    answer = published_page.answer(FOUND)
    counts = [
        int(number)
        for number in re.findall(r"(\d+) numbers|predicted (\d+) of|(\d+) of the", answer)
        for number in number
        if number
    ]
    assert counts[0] == len(errors) <= len(rows)
    assert counts[2] == sum(error <= 0.05 for error in errors)
    assert f"{100 * max(errors):.0f} % off" in answer


def test_the_picture_has_the_names_of_the_predictions_that_are_far_off(tmp_path: Path) -> None:
    published_picture.draw(tmp_path, FOUND.predictions)
    texts = [
        re.findall(r"<text[^>]*>([^<]*)</text>", (folder / published_picture.FILE).read_text())
        for folder in (tmp_path, DOCS / "validation")
    ]
    assert texts[0] == texts[1]
    far = [i for i in published_picture.drawn(FOUND.predictions) if published.error(i) >= published_picture.NAMED]
    assert len(far) > 10
    assert sum(re.match(r"(sec|Table|Figure)[. ].*: ", text) is not None for text in texts[0]) == len(far)


def test_each_prediction_has_an_interval_or_a_reason() -> None:
    for one in FOUND.items:
        has = [one.interval is not None, bool(one.no_interval)]
        assert has.count(True) == (one.kind in papers.WITH_INTERVALS), one.says
        if one.interval is not None:
            assert one.ours is not None
            rounding = 1e-9 * abs(one.ours)
            assert one.interval.low <= one.ours + rounding, one.says
            assert one.interval.high >= one.ours - rounding or one.interval.origin == SCATTER, one.says
    origins = {one.interval.origin for one in FOUND.items if one.interval is not None}
    assert origins == {SCATTER, ASSUMPTIONS, ROUNDING, EXACT} == set(published_page.ORIGINS)


def test_each_predicted_number_has_an_interval() -> None:
    assert [one.says for one in FOUND.predictions if one.interval is None] == []


def test_an_interval_spans_the_runs_with_other_assumptions() -> None:
    cell = Cell("machine", "diagonal", "without the hint", "ms", 76.0, PREDICTED, 69.0)
    alone = Cells((cell,))
    assert intervals.of_cell("piosim", cell, alone) == intervals.NOT_VARIED
    others = [cell.under("slow edges", 148.0), cell.under("quick edges", 54.0)]
    elsewhere = Cell("machine", "diagonal", "with the hint", "ms", 3.6, PREDICTED, 3.4).under("slow edges", 4.8)
    found = cells.read(cells.text(Cells((cell, *others, elsewhere))))
    assert found.under_other_assumptions(cell) == others
    spanned = intervals.of_cell("piosim", cell, found)
    assert isinstance(spanned, Interval)
    assert (spanned.low, spanned.high, spanned.origin) == (54.0, 148.0, ASSUMPTIONS)
    assert cell_tables.under_other_assumptions(found).splitlines() == [
        "| number | as assumed | slow edges | quick edges |",
        "| --- | --: | --: | --: |",
        "| diagonal, ms: without the hint | 76 | 148 | 54 |",
    ]


def test_a_number_of_the_papers_simulator_follows_exactly() -> None:
    cell = Cell("simulation", "disk operations", "one client, one server", "", 20482, PREDICTED, 20482)
    exact = intervals.of_cell("piosim", cell, Cells((cell,)))
    assert isinstance(exact, Interval)
    assert (exact.low, exact.high, exact.origin) == (20482, 20482, EXACT)


def test_each_missed_number_has_one_account_and_each_account_a_missed_number() -> None:
    missed = accounts.missed(FOUND.items)
    assert len(missed) > 30
    for one in missed:
        assert len([account for account in accounts.ACCOUNTS if account.covers(one)]) == 1, one.says
    for account in accounts.ACCOUNTS:
        assert account.select(missed), account.subject
        assert account.select(FOUND.items) == account.select(missed), (
            f"{account.subject}: also covers numbers that agree"
        )
    page = published_page.text(FOUND).partition("## Which measurement would decide")[2]
    for account in accounts.ACCOUNTS:
        assert account.decides in page


def test_facts_that_disagree_and_numbers_outside_their_intervals_need_an_account() -> None:
    disagrees = Item("HPVM", "sec. 1", "overruns", PREDICTED, "", True, False, "")
    agrees = replace(disagrees, ours=True)
    outside = item(101, ends=(101, 102))
    near, far = item(103, ends=(99, 104)), item(111)
    assert accounts.missed([disagrees, agrees, outside, near, far]) == [disagrees, outside, far]


def test_the_links_of_accounts_lead_to_headings() -> None:
    for account in accounts.ACCOUNTS:
        for file, heading in re.findall(r"\]\(([^)#]+)#?([^)]*)\)", account.causes):
            headings = re.findall(r"^#+ (.+)$", (DOCS / file).read_text(), re.MULTILINE)
            assert not heading or heading in [re.sub(r"[^a-z0-9 ]", "", h.lower()).replace(" ", "-") for h in headings]


def test_students_t_is_scipys() -> None:
    assert list(intervals.T) == pytest.approx(
        [stats.t.ppf((1 + intervals.LEVEL) / 2, k) for k in range(1, 15)], abs=1e-4
    )


def test_nine_of_ten_further_values_lie_inside_an_interval_of_scatter() -> None:
    draw = random.Random(1)
    kept = 0
    for _ in range(4000):
        *known, further = (draw.gauss(1, 0.1) for _ in range(5))
        low, high = intervals.scatter(known)
        kept += low <= further <= high
    assert kept / 4000 == pytest.approx(0.9, abs=0.02)


def test_nine_of_ten_further_points_lie_inside_the_interval_of_a_line() -> None:
    draw = random.Random(1)
    kept = 0
    for _ in range(4000):
        points = {x: 2 + 3 * x + draw.gauss(0, 0.1) for x in (0.125, 0.25, 0.5)}
        _, (low, high) = left_out.line(points, 1.0)
        kept += low <= 5 + draw.gauss(0, 0.1) <= high
    assert kept / 4000 == pytest.approx(0.9, abs=0.02)
    assert left_out.line({0.0: 1.0, 1.0: 3.0, 2.0: 5.0}, 4.0)[0] == pytest.approx(9.0)


def test_pcps_second_law_goes_through_both_numbers_that_it_is_given() -> None:
    assert left_out.threshold({8: 17.20, 16: 49.39}, 16) == pytest.approx(49.39)
    assert left_out.threshold({16: 49.39, 32: 147.71}, 32) == pytest.approx(147.71)
    # docs/design/pcp.md: 2.15 ms for each of the first eight hosts, 4.02 ms for each further one
    assert left_out.threshold({8: 17.20, 16: 49.39}, 32) == pytest.approx(17.20 + 24 * (49.39 - 17.20) / 8)


def test_kept_back_numbers_give_no_interval_its_ends() -> None:
    """A blind cell of Table 2 may have any value: the intervals of the others must not change."""
    table = cells.read((DOCS / "studies/table2/cells.csv").read_text())
    moved = Cells(
        replace(c, published=7.0 * float(c.published))
        if c.status == BLIND and isinstance(c.published, float | int) and not isinstance(c.published, bool)
        else c
        for c in table
    )
    compared = [c for c in table if c.table.startswith("Table 2: ") and c.status in (PREDICTED, BLIND)]
    assert len(compared) > 50
    for cell in compared:
        assert intervals.of_cell("table2", cell, table) == intervals.of_cell("table2", cell, moved)


def test_the_interval_of_a_rate_spans_those_of_bytes_and_time() -> None:
    table = cells.read((DOCS / "studies/table2/cells.csv").read_text())
    found = [
        intervals.of_cell("table2", table.at("Table 2: life", f"hardware {q}", "4 nodes"), table)
        for q in ("logged", "time", "rate")
    ]
    size, time, rate = (one for one in found if isinstance(one, Interval))
    assert (rate.low, rate.high) == pytest.approx((size.low / time.high, size.high / time.low))


def test_an_interval_of_an_expression_spans_all_ends() -> None:
    ends = {"a": Interval(1, 2, ROUNDING, "a"), "b": Interval(3, 5, ROUNDING, "b")}
    found = intervals.of_expression(ends, lambda v: v["a"] / v["b"])
    assert (found.low, found.high, found.origin) == (1 / 5, 2 / 3, ROUNDING)


def test_a_published_range_is_inside_if_a_part_of_it_is() -> None:
    interval = Interval(10, 12, ROUNDING, "x")
    assert [interval.holds(value) for value in ((8.0, 9.0), (8.0, 10.0), (11.0, 30.0), 9.9, 12)] == [
        False,
        True,
        True,
        False,
        True,
    ]
    assert not Interval(1, 2, ROUNDING, "x").is_wide
    assert Interval(1, 2.01, ROUNDING, "x").is_wide


def test_a_fact_has_no_interval() -> None:
    assert intervals.of_cell("hpvm", Cell("T", "q", "c", "", True, PREDICTED, True), Cells(())) == intervals.A_FACT


def test_the_list_is_read_as_it_was_written() -> None:
    assert papers_page.read_items(papers_page.items_csv(FOUND.items)) == list(FOUND.items)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("a,b\n", "columns must be paper,where"),
        (f"{','.join(papers_page.COLUMNS)}\nP,s\n", "2 columns: must be 12 (items.csv:2)"),
        (f"{','.join(papers_page.COLUMNS)}\nP,s,x,predicted,s,1,much,,,,,\n", "much' (items.csv:2)"),
        (
            f"{','.join(papers_page.COLUMNS)}\nP,s,x,predicted,s,1,1 to 2,,,,,\n",
            "must be a number or a fact (items.csv:2)",
        ),
    ],
)
def test_a_damaged_list_is_refused_by_its_line(text: str, complaint: str) -> None:
    with pytest.raises(UserError) as caught:
        papers_page.read_items(text)
    assert complaint in str(caught.value)


def test_a_folder_without_the_list_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="hypermon study papers writes it"):
        published.read(tmp_path)
