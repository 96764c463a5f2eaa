# SPDX-License-Identifier: BSD-3-Clause
"""Pages in a real browser, for tests: Debian's Chromium, driven by Playwright."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

DESKTOP, PHONE = 1280, 390  # widths
EMPTY = "about:blank"

# Contrast and description of each text.
LUMINANCE = """() => {
  const parse = (c) => (c.match(/[\\d.]+/g) || []).map(Number);
  const lum = ([r, g, b]) => [r, g, b].map((v) => v / 255).map((v) => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
    .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
  const ground = (e) => { for (; e; e = e.parentElement) { const c = parse(getComputedStyle(e).backgroundColor); if (c.length === 3 || c[3] > 0) return c; } return [255, 255, 255]; };
  const out = [];
  for (const e of document.querySelectorAll("main *, header *, footer *, dialog[open] *")) {
    if (e.closest("svg, .plot") || !e.offsetParent || ![...e.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim())) continue;
    const a = lum(parse(getComputedStyle(e).color)), b = lum(ground(e));
    out.push([(Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05), e.className + ": " + e.textContent.trim().slice(0, 40)]);
  }
  return out;
}"""

# Width by which the page scrolls sideways, after its charts have adapted to the window.
SETTLED_OVERFLOW = """new Promise((done) => {
  const look = (left) => {
    const over = document.documentElement.scrollWidth - document.documentElement.clientWidth;
    if (over <= 0 || !left) done(over); else setTimeout(look, 50, left - 1);
  };
  look(40);
})"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    chromium = None if os.environ.get("HYPERMON_NO_BROWSER") else shutil.which("chromium")
    if chromium is None:
        if os.environ.get("HYPERMON_REQUIRE_BROWSER"):
            pytest.fail("HYPERMON_REQUIRE_BROWSER is set, but chromium is not installed")
        pytest.skip("chromium is not installed")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        yield launched
        launched.close()


class Opened:
    """A page, with its complaints and its requests to the network.

    It reuses the window of an earlier page, in which Plotly is already compiled; that saves most of a page's time.
    """

    def __init__(self, browser: Browser, file: Path | str, width: int = DESKTOP, theme: Any = "light") -> None:
        """`file` is the page, or the address of a server from which the page may load."""
        address = file if isinstance(file, str) else file.as_uri()
        self._allowed = ("file:", "data:", "blob:", *([address.partition("?")[0]] if address is file else []))
        windows = (page for context in browser.contexts for page in context.pages)
        left = next((page for page in windows if page.url == EMPTY), None)
        self.page: Page = left or browser.new_context().new_page()
        self.context = self.page.context
        self.page.set_viewport_size({"width": width, "height": 900})
        self.page.emulate_media(color_scheme=theme, media="null")
        self.page.mouse.move(0, 0)
        self.complaints: list[str] = []
        self.page.on("console", self._console)
        self.page.on("pageerror", self._error)
        self.page.on("request", self._request)
        self.page.goto(address)

    def _console(self, message: Any) -> None:
        self.complaints.append(message.text)

    def _error(self, error: Any) -> None:
        self.complaints.append(str(error))

    def _request(self, request: Any) -> None:
        if not request.url.startswith(self._allowed):
            self.complaints.append(request.url)

    def __enter__(self) -> Opened:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self.page.remove_listener("console", self._console)
        self.page.remove_listener("pageerror", self._error)
        self.page.remove_listener("request", self._request)
        self.context.clear_permissions()
        self.page.goto(EMPTY)
