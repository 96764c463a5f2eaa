# SPDX-License-Identifier: BSD-3-Clause
"""The page of a run under each monitor, as a phone shows it: nothing sticks out, and no text of the machine overlaps."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import hypermon
from hypermon import report
from hypermon._model import monitors
from tests.python.browsing import DESKTOP, PHONE, SETTLED_OVERFLOW, Opened, browser
from tests.registered import needs

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = [pytest.mark.worker, pytest.mark.usefixtures("worker")]
__all__ = ["browser"]  # the fixture

# The texts of the machine's drawing that overlap another one, or that stick out of their part or panel.
CROWDED = """() => {
  const svg = [...document.querySelectorAll("svg.machine")].find((one) => one.getBoundingClientRect().width > 0);
  const texts = [...svg.querySelectorAll("text")].map((one) => [one.textContent, one.getBoundingClientRect()]);
  const edge = svg.getBoundingClientRect(), found = [];
  texts.forEach(([text, a], i) => {
    if (a.left < edge.left || a.right > edge.right) found.push(text);
    for (const [other, b] of texts.slice(i + 1)) {
      const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
      const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
      if (wide > 1 && high > 4) found.push(`${text} | ${other}`);
    }
  });
  return found;
}"""


@pytest.mark.parametrize("monitor", monitors.registered())
def test_a_report_fits_its_window_and_no_text_of_the_machine_overlaps(
    monitor: str, browser: Browser, tmp_path: Path
) -> None:
    settings = {"workload": "idle", "idle.duration_s": 1.0, "monitor": monitor, "nodes": 4, **needs(monitor)}
    hypermon.run("table2/place", settings=settings, out=tmp_path / "run")
    text = report.html(tmp_path / "run")
    layout = re.sub(r"<script.*?</script>", "", text, flags=re.DOTALL)  # charts fill their boxes, and take long to load
    (tmp_path / "page.html").write_text(layout, encoding="utf-8")
    with Opened(browser, tmp_path / "page.html", width=PHONE) as opened:
        for width in (PHONE, DESKTOP):
            opened.page.set_viewport_size({"width": width, "height": 900})
            assert opened.page.evaluate(SETTLED_OVERFLOW) <= 0, width
            assert opened.page.evaluate(CROWDED) == [], width
        assert opened.complaints == []


PICTURE = """() => [...document.querySelectorAll(".picture img")].filter((one) => one.offsetParent)
  .map((one) => [one.className, getComputedStyle(one).filter])"""


def test_a_monitors_picture_is_narrow_on_a_phone_and_dark_in_the_dark(browser: Browser, tmp_path: Path) -> None:
    settings = {"workload": "idle", "idle.duration_s": 1.0, "monitor": "scms", "nodes": 4, **needs("scms")}
    hypermon.run("table2/place", settings=settings, out=tmp_path / "run")
    (tmp_path / "page.html").write_text(report.html(tmp_path / "run"), encoding="utf-8")
    for theme, drawn in (("light", "none"), ("dark", "invert(0.9) hue-rotate(180deg)")):
        with Opened(browser, tmp_path / "page.html", width=PHONE, theme=theme) as opened:
            for width, name in ((PHONE, "narrow"), (DESKTOP, "wide")):
                opened.page.set_viewport_size({"width": width, "height": 900})
                assert opened.page.evaluate(PICTURE) == [[name, drawn]]
