# SPDX-License-Identifier: BSD-3-Clause
"""The explorer's page in Chromium: sliders, the address, the command, and no request to the network."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from hypermon import explorer
from hypermon._engine.recorder import record
from hypermon._engine.recording import Recording
from hypermon.explorer.controls import Controls, text
from hypermon.explorer.serving import Served
from tests.python.browsing import DESKTOP, LUMINANCE, PHONE, SETTLED_OVERFLOW, Opened, browser
from tests.python.little_place import LITTLE, SCENARIO

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

__all__ = ["browser"]
pytestmark = pytest.mark.worker

# Place writes at full rate to a bus that is a little too slow: the FIFO fills, and a shallower one overruns.
SETTINGS = {**LITTLE, "pbx.word_ns": 1500}
DEPTH = "#control-ecb-frame_fifo_frames"
AT_REST = "document.getElementById('verdict')?.textContent.includes('…') === false && !document.getElementById('table').textContent.includes('…')"


@pytest.fixture(scope="module")
def recording(tmp_path_factory: pytest.TempPathFactory) -> Recording:
    return record(SCENARIO, settings=SETTINGS, out=tmp_path_factory.mktemp("explored") / "run")


@pytest.fixture(scope="module")
def served(recording: Recording) -> Iterator[Served]:
    pytest.importorskip("dash")
    made = explorer.serve(recording)
    yield made
    made.close()


def rest(page: Page, settings: str | None = None) -> None:
    """Waits for the complete answer, if `settings` have just changed for the design with these settings."""
    if settings is not None:  # until then the page shows the previous design
        page.wait_for_function(
            "(end) => document.getElementById('command').textContent.endsWith(end)", arg=settings, timeout=60_000
        )
    page.wait_for_function(AT_REST, timeout=60_000)


def number(page: Page, label: str, column: int = 0) -> str:
    text = page.locator("#table tr", has_text=label).locator("td").nth(column).inner_text()
    return text.replace("\u202f", "").split(" ")[0]


def verdict(page: Page) -> str:
    return page.locator("#verdict span").last.inner_text()


def test_a_slider_changes_the_losses_the_chart_the_address_and_the_command(browser: Browser, served: Served) -> None:
    with Opened(browser, served.address) as opened:
        page = opened.page
        rest(page)
        before, recorded = int(number(page, "frames lost")), page.locator("#command").inner_text()
        page.locator(f"{DEPTH} [role=slider]").focus()
        page.keyboard.press("Home")
        page.wait_for_function("location.search === '?ecb.frame_fifo_frames=1'", timeout=60_000)
        rest(page, " --set ecb.frame_fifo_frames=1")
        after = int(number(page, "frames lost"))
        assert after > before
        assert int(number(page, "frames lost", 1)) == before, "the recorded run stays"
        assert page.locator(f"{DEPTH} input").input_value() == "1"
        assert "of 1 frame overran" in verdict(page).replace("\u202f", " ") or "were lost" in verdict(page)
        assert page.locator("#command").inner_text().endswith(" --set ecb.frame_fifo_frames=1")
        page.wait_for_selector("#graph .bars")
        shown = verdict(page)
        page.reload()
        rest(page)
        assert (verdict(page), int(number(page, "frames lost"))) == (shown, after), "the address holds the design"
        assert page.locator(f"{DEPTH} [role=slider]").get_attribute("aria-valuenow") == "0"
        page.locator("#reset").click()
        page.wait_for_function("location.search === ''", timeout=60_000)
        rest(page, recorded)
        assert int(number(page, "frames lost")) == before
        assert opened.complaints == [], "no error, and nothing from the network"


def test_a_slider_that_is_dragged_shows_counts_at_once(browser: Browser, served: Served) -> None:
    with Opened(browser, served.address) as opened:
        page = opened.page
        rest(page)
        before = int(number(page, "frames lost"))
        box = page.locator(f"{DEPTH} [role=slider]").bounding_box()
        assert box is not None
        page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        page.mouse.down()
        for x in range(0, 200, 10):
            page.mouse.move(box["x"] - x, box["y"] + box["height"] / 2)
        page.wait_for_function(f"parseInt(document.querySelector('{DEPTH} input').value) < 64", timeout=60_000)
        page.wait_for_function(
            "() => [...document.querySelectorAll('#table tr')].some((row) => row.cells[0].textContent === 'frames"
            f" lost' && parseInt(row.cells[1].textContent.replace(/\\s/g, '')) > {before})",
            timeout=60_000,
        )
        page.mouse.up()
        rest(page)
        assert opened.complaints == []


def test_a_screen_reader_hears_each_parameter_and_its_value_with_the_unit(
    browser: Browser, served: Served, recording: Recording
) -> None:
    with Opened(browser, served.address) as opened:
        page = opened.page
        rest(page)
        for details in page.locator(".settings details").all():
            details.evaluate("(one) => { one.open = true; }")
        for control in Controls(recording).every:
            row = page.locator(f"#control-{control.path.replace('.', '-')}")
            if control.choices:
                group = row.get_by_role("radiogroup", name=control.label, exact=True)
                assert group.get_by_role("radio").count() == len(control.choices), control.path
                continue
            unit, recorded = control.parameter.unit, text(control.recorded)
            handle = row.get_by_role("slider", name=f"{control.label}, {unit}" if unit else control.label, exact=True)
            assert handle.get_attribute("aria-valuetext") == f"{recorded} {unit}".strip(), control.path
            assert row.get_by_role("textbox", name=control.label, exact=True).count() == 1, control.path
        handle = page.locator(f"{DEPTH} [role=slider]")
        depth = next(one for one in Controls(recording).every if one.path == "ecb.frame_fifo_frames")
        at = depth.steps.index(text(depth.recorded))
        handle.focus()
        for key, step in (("ArrowLeft", at - 1), ("ArrowRight", at), ("End", len(depth.steps) - 1), ("Home", 0)):
            page.keyboard.press(key)
            said = f"{depth.steps[step]} frames"
            page.wait_for_function(
                f"(said) => document.querySelector('{DEPTH} [role=slider]').getAttribute('aria-valuetext') === said",
                arg=said,
                timeout=60_000,
            )
        assert opened.complaints == []


def test_a_typed_value_stays_and_an_error_is_shown_in_words(browser: Browser, served: Served) -> None:
    with Opened(browser, served.address) as opened:
        page = opened.page
        rest(page)
        field = page.locator(f"{DEPTH} input")
        for given, message in (
            ("5", "were lost"),
            ("0", "ecb.frame_fifo_frames = 0: must be an integer from 1 to 16777216 frames"),
        ):
            field.fill(given)
            field.press("Enter")
            page.wait_for_function(
                "(message) => document.getElementById('verdict').textContent.includes(message)",
                arg=message,
                timeout=60_000,
            )
            rest(page)
            assert field.input_value() == given
        page.locator("#control-ecb-node_fifo_full label", has_text="stall").last.click()
        field.fill("64")
        field.press("Enter")
        page.wait_for_function(
            "document.getElementById('verdict').textContent.includes('feed back to the nodes')", timeout=60_000
        )
        assert opened.complaints == []


def test_the_prototype_stands_beside_and_the_command_is_copied(browser: Browser, served: Served) -> None:
    with Opened(browser, served.address) as opened:
        page = opened.page
        opened.context.grant_permissions(["clipboard-read", "clipboard-write"])
        rest(page)
        page.locator("#compare input").click()
        page.wait_for_selector("#table th:has-text('the prototype')", timeout=60_000)
        assert page.url.endswith("?compare=prototype")
        page.locator("#take").click()
        page.wait_for_function("location.search.includes('reader.kind=group')", timeout=60_000)
        page.wait_for_selector("#command:has-text('reader.kind=group')", timeout=60_000)
        rest(page)
        assert (
            page.locator("#table tr", has_text="frames lost").locator("td").nth(0).inner_text()
            == page.locator("#table tr", has_text="frames lost").locator("td").nth(2).inner_text()
        )
        page.locator("#copy").click()
        page.wait_for_selector("#copy:has-text('Copied')")
        assert page.evaluate("navigator.clipboard.readText()") == page.locator("#command").inner_text()
        assert opened.complaints == []


def test_a_bad_address_is_shown_in_words(browser: Browser, served: Served) -> None:
    with Opened(browser, f"{served.address}?ecb.frame_fifo_frames=many") as opened:
        rest(opened.page)
        assert "ecb.frame_fifo_frames = many: must be" in opened.page.locator("#problem").inner_text()


@pytest.mark.parametrize("width", [DESKTOP, PHONE])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_texts_are_readable_and_nothing_is_wider_than_the_window(
    browser: Browser, served: Served, width: int, theme: str
) -> None:
    with Opened(browser, f"{served.address}?ecb.frame_fifo_frames=8&compare=prototype", width, theme) as opened:
        rest(opened.page)
        assert opened.page.evaluate(SETTLED_OVERFLOW) <= 0
        assert [found for found in opened.page.evaluate(LUMINANCE) if found[0] < 4.5] == []
        first = opened.page.locator("main").inner_text().lstrip("✗✓\n ").splitlines()[0]
        assert first == verdict(opened.page), "the answer is the first line"
        assert opened.complaints == []
