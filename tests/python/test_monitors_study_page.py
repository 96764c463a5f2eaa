# SPDX-License-Identifier: BSD-3-Clause
"""The page of `hypermon study monitors` in a real browser is complete, works offline, and fits the window's width and
paper.
"""

from __future__ import annotations

import csv
import re
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

import pytest

from hypermon._model.setups import Setup
from hypermon.errors import UserError
from hypermon_studies.monitors import figures as monitors_figures
from hypermon_studies.monitors import html as monitors_html
from hypermon_studies.monitors import page as monitors_page
from hypermon_studies.monitors import picture as monitors_picture
from hypermon_studies.monitors import plan as monitors_plan
from hypermon_studies.monitors import rows as monitors_rows
from hypermon_studies.monitors import words as monitors_words
from hypermon_studies.monitors.columns import ERROR, LATENCY, LOST, MEMORY, SLOWDOWN, WHILE
from hypermon_studies.monitors.decisions import NEEDS
from hypermon_studies.monitors.found import DATA, STUDY, Found, Search
from hypermon_studies.monitors.fronts import LIMITS, Front, judge
from hypermon_studies.monitors.plan import DEFAULT, FRONTS, KNOBS, Candidate, Plan, Refused, Request
from hypermon_studies.monitors.runs import Row
from tests.python.browsing import DESKTOP, LUMINANCE, PHONE, SETTLED_OVERFLOW, Opened, browser
from tests.registered import made

if TYPE_CHECKING:
    from playwright.sync_api import Browser

__all__ = ["browser"]  # the fixture

PROGRAMS = ("halo", "cg")
CANDIDATES = tuple(
    Candidate(made(f"monitor{i}", "bytes", ("events",)), Setup(turned={"a.b": (1, 2)})) for i in range(12)
)
STUDIES = Path(__file__).parents[2] / "docs" / "studies"
ABSENT = Candidate(made("absent"), Setup())


def row(program: str, number: int, part: str, step: int) -> Row:
    numbers = {SLOWDOWN: 0.01 * 3**step, LATENCY: 10.0**number / 1e6, ERROR: 100 / 2**step, LOST: 0.0, MEMORY: 1000.0}
    at = {"a.b": step} if step else {}
    return Row(
        ("ipsc2", program), CANDIDATES[number], part, at, numbers, WHILE, hardware={"bits": (64 + number, "bits")}
    )


@pytest.fixture(scope="module")
def found() -> Found:
    rows, fronts = [], []
    for program in PROGRAMS:
        for number, candidate in enumerate(CANDIDATES):
            own = [row(program, number, DEFAULT, 0), *(row(program, number, KNOBS, step) for step in (1, 2, 3))]
            rows += own
            seen = tuple(row(program, number, FRONTS, step) for step in (2, 5))
            best, hit = judge([own[0], *seen], LIMITS)
            fronts.append(Front(("ipsc2", program), candidate, seen, best, seen[:1], hit, ()))
    refused = tuple(Refused(("ipsc2", program), ABSENT, {}, "there is <no> network") for program in PROGRAMS)
    plan = Plan(Request(PROGRAMS, ("ipsc2",)), {}, (), refused)
    return Found(plan, Search(LIMITS, 2, 1), tuple(rows), tuple(fronts), "hypermon study monitors halo cg")


@pytest.fixture(scope="module")
def written(found: Found, tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("page") / "page.html"
    file.write_text(monitors_html.text(found, monitors_picture.curves(found.rows, found.fronts)))
    return file


@pytest.mark.parametrize(("theme", "widths"), [("light", (DESKTOP, PHONE)), ("dark", (PHONE, DESKTOP))])
def test_everything_is_there_without_complaint_network_or_sideways_scrolling(
    browser: Browser, written: Path, theme: str, widths: tuple[int, ...]
) -> None:
    with Opened(browser, written, widths[0], theme) as opened:
        page = opened.page
        for width in widths:
            page.set_viewport_size({"width": width, "height": 900})
            assert page.locator("#decisions tbody tr").count() == 3 * len(NEEDS)  # in short, with defaults, varied
            for chart, each in (("tradeoff", 3), ("fronts", 1)):  # a curve, a ring and a star
                assert page.locator(f"#chart-{chart}-ipsc2 .scatter").count() == each * len(CANDIDATES)
                page.locator(f"#choose-{chart}-ipsc2").select_option("cg")
            assert page.locator("#question tbody tr").count() == len(CANDIDATES)
            assert page.locator("#table details").count() == len(PROGRAMS) + 1
            assert page.locator("#table details").first.locator("tbody tr").count() == len(CANDIDATES)
            assert page.locator("#fronts tbody tr").count() == len(PROGRAMS) * len(CANDIDATES)
            assert page.locator("#refused tbody tr").all_inner_texts() == ["absent on ipsc2\tthere is <no> network"]
            assert page.evaluate(SETTLED_OVERFLOW) <= 0
            assert [what for contrast, what in page.evaluate(LUMINANCE) if contrast < 4.5] == []
        assert not opened.complaints


def test_paper_has_every_table_whole(browser: Browser, written: Path) -> None:
    with Opened(browser, written) as opened:
        page = opened.page
        page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
        page.emulate_media(media="print")
        assert page.locator("#table tbody tr:visible").count() == len(PROGRAMS) * len(CANDIDATES)
        for region in page.locator(".scroll:visible").all():
            assert region.evaluate("e => e.scrollHeight - e.clientHeight") <= 1
        assert not page.locator("header.top").is_visible()


def test_the_page_of_text_has_the_same_numbers(found: Found) -> None:
    text = monitors_page.text(found, "monitors", ["tradeoff-ipsc2.svg", "fronts-ipsc2.svg"])
    assert text.count("![") == 2
    for need in {need.text for need in NEEDS}:
        several = 2 * sum(one.text == need for one in NEEDS)
        assert sum(f" | {need} | " in line for line in text.splitlines()) == several
    for name in (candidate.name for candidate in CANDIDATES):
        assert f"| {name} | 0.01 | 0.01 |" in text  # the slowdown under both programs
    assert "| absent on ipsc2 | there is <no> network |" in text


def test_the_recommendation_comes_first_with_a_line_for_each_need(found: Found) -> None:
    text = monitors_page.text(found, "monitors", [])
    first, *_, _ = text.split("<details>")
    heads = [line for line in text.splitlines() if line.startswith("## ")]
    assert heads[:2] == ["## For a cluster", "## For a chip or a board"]
    assert (
        first.count("| need | recommended monitor | machines | programs | typical cost | worst case | command |") == 2
    )
    for need in NEEDS:
        assert f"\n| {need.text} | " in first
    shortest = monitors_words.shortest(found.decisions, found.plan.request)
    assert sum(len(shown[1]) for shown, _ in shortest.values()) == len(NEEDS)


def written_to(folder: Path, found: Found) -> Path:
    (folder / DATA).write_text(monitors_rows.as_csv(found))
    (folder / STUDY).write_text(monitors_rows.as_json(found))
    return folder


def test_pages_are_made_again_of_the_files_alone(found: Found, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(monitors_plan, "candidates", lambda: [*CANDIDATES, ABSENT])
    again = monitors_rows.read(written_to(tmp_path, found))
    assert monitors_page.text(again, "monitors", []) == monitors_page.text(found, "monitors", [])
    assert (monitors_rows.as_csv(again), monitors_rows.as_json(again)) == (
        (tmp_path / DATA).read_text(),
        (tmp_path / STUDY).read_text(),
    )


@pytest.mark.parametrize(
    ("name", "old", "new", "complaint"),
    [
        (DATA, "machine,", "engine,", "columns must be machine,program"),
        (DATA, ",monitor3,", ",nobody,", "monitor nobody: is not registered"),
        (DATA, ",0.01,", ",much,", "could not convert string to float: 'much'"),
        (STUDY, '"command"', '"order"', "is damaged: 'command'"),
        (STUDY, "{", "", "is damaged: "),
    ],
)
def test_damaged_files_are_refused(
    found: Found, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, old: str, new: str, complaint: str
) -> None:
    monkeypatch.setattr(monitors_plan, "candidates", lambda: [*CANDIDATES, ABSENT])
    file = written_to(tmp_path, found) / name
    file.write_text(file.read_text().replace(old, new, 1))
    with pytest.raises(UserError) as caught:
        monitors_rows.read(tmp_path)
    assert complaint in str(caught.value)
    file.unlink()
    with pytest.raises(UserError, match="hypermon study monitors writes it"):
        monitors_rows.read(tmp_path)


def kept() -> Found:
    try:
        return monitors_rows.read(STUDIES / "monitors")
    except UserError as error:  # a tree from which a monitor was removed
        pytest.skip(str(error))


def test_the_committed_page_is_made_of_the_committed_rows() -> None:
    study = kept()
    pictures = monitors_figures.names(monitors_picture.curves(study.rows, study.fronts))
    assert monitors_page.text(study, "monitors", pictures) == (STUDIES / "monitors.md").read_text()
    assert {file.name for file in (STUDIES / "monitors").glob("*.svg")} == set(pictures)
    assert monitors_rows.as_csv(study) == (STUDIES / "monitors" / DATA).read_text()
    assert monitors_rows.as_json(study) == (STUDIES / "monitors" / STUDY).read_text()


def test_the_committed_overviews_name_each_monitor_at_its_medians() -> None:
    study = kept()
    with (STUDIES / "monitors" / DATA).open() as file:
        rows = [row for row in csv.DictReader(file) if row["part"] == DEFAULT and not row["failed"]]
    curves = monitors_picture.curves(study.rows, study.fronts)
    for machine in study.plan.request.machines:
        own = [row for row in rows if row["machine"] == machine]
        names = {row["monitor"] for row in own}
        texts = re.findall(r"<text[^>]*>([^<]*)</text>", (STUDIES / f"monitors/overview-{machine}.svg").read_text())
        assert names <= set(texts)
        panels = [drawn for (at, _), drawn in curves.items() if at == machine]
        for curve, error, slowdown, _ in monitors_figures.medians(panels):
            expected = [
                median(float(row[key]) for row in own if row["monitor"] == curve.name) for key in (ERROR, SLOWDOWN)
            ]
            assert [error, slowdown] == pytest.approx(expected)
