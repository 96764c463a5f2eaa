# SPDX-License-Identifier: BSD-3-Clause
"""The page of `hypermon study monitors` in a real browser: complete, offline, no wider than the window, on paper too."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from hypermon._model.setups import Setup
from hypermon_studies import monitors_html, monitors_page, monitors_picture
from hypermon_studies.monitors import Found, Search
from hypermon_studies.monitors_columns import AGE, ERROR, LOST, MEMORY, SLOWDOWN, WHILE
from hypermon_studies.monitors_decisions import NEEDS
from hypermon_studies.monitors_fronts import LIMITS, Front, judge
from hypermon_studies.monitors_plan import DEFAULT, FRONTS, KNOBS, Asked, Candidate, Plan, Refused
from hypermon_studies.monitors_runs import Row
from tests.python.browsing import DESKTOP, LUMINANCE, PHONE, SETTLED_OVERFLOW, Opened, browser
from tests.registered import made

if TYPE_CHECKING:
    from playwright.sync_api import Browser

__all__ = ["browser"]  # the fixture

PROGRAMS = ("halo", "cg")
CANDIDATES = tuple(
    Candidate(made(f"monitor{i}", "bytes", ("events",)), Setup(turned={"a.b": (1, 2)})) for i in range(12)
)
ABSENT = Candidate(made("absent"), Setup())


def row(program: str, number: int, part: str, step: int) -> Row:
    numbers = {SLOWDOWN: 0.01 * 3**step, AGE: 10.0**number / 1e6, ERROR: 100 / 2**step, LOST: 0.0, MEMORY: 1000.0}
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
    plan = Plan(Asked(PROGRAMS, ("ipsc2",)), {}, (), refused)
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
            assert page.locator("#decisions tbody tr").count() == 2 * len(NEEDS)  # with defaults, with knobs turned
            for chart, each in (("tradeoff", 3), ("fronts", 1)):  # a curve, a ring and a star
                assert page.locator(f"#chart-{chart}-ipsc2 .scatter").count() == each * len(CANDIDATES)
                page.locator(f"#choose-{chart}-ipsc2").select_option("cg")
            assert page.locator("#question tbody tr").count() == len(CANDIDATES)
            assert page.locator("#table details").count() == len(PROGRAMS) + 1
            assert page.locator("#table details[open] tbody tr").count() == len(CANDIDATES)
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
