# SPDX-License-Identifier: BSD-3-Clause
"""A comparison's page in a real browser is complete, works offline, and fits the window's width."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import hypermon
from tests.python import report_data
from tests.python.browsing import DESKTOP, PHONE, SETTLED_OVERFLOW, Opened, browser

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.worker
__all__ = ["browser"]  # the fixture


@pytest.fixture(scope="module")
def written(worker: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:  # noqa: ARG001
    folder = tmp_path_factory.mktemp("runs")
    deep = report_data.run(folder / "deep")
    shallow = report_data.run(folder / "shallow", **{"ecb.frame_fifo_frames": 64})
    hypermon.compare(deep, shallow).save(folder / "page.html")
    return folder / "page.html"


@pytest.mark.parametrize(("theme", "widths"), [("light", (DESKTOP, PHONE)), ("dark", (PHONE, DESKTOP))])
def test_the_page_shows_everything_without_complaint_network_or_sideways_scrolling(
    browser: Browser,
    written: Path,
    theme: str,
    widths: tuple[int, ...],
) -> None:
    with Opened(browser, written, widths[0], theme) as opened:
        page = opened.page
        for width in widths:
            page.set_viewport_size({"width": width, "height": 900})
            page.get_by_label("Show").select_option(index=0)
            results = page.get_by_label("Show").locator("option").count() - 1  # the first option shows all
            assert page.locator("#chart-results .bars path").count() == 2 * results
            assert page.evaluate(SETTLED_OVERFLOW) <= 0
            assert page.locator("#results tbody tr", has_text="frames lost").locator("td").last.inner_text() == "deep"
            assert page.locator("#parameters tbody tr").all_inner_texts() == [
                "ecb.frame_fifo_frames\t1\u202f024\u202fframes\t64\u202fframes"
            ]
            page.get_by_label("Show").select_option("memory on the boards")
            page.locator("#chart-results .xtitle", has_text="memory on the boards").wait_for()
        assert not opened.complaints
