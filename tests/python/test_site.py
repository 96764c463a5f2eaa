# SPDX-License-Identifier: BSD-3-Clause
"""The documentation site builds without a warning, and a browser can navigate it without a server."""

from __future__ import annotations

import html
import json
import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.python.browsing import DESKTOP, PHONE, Opened, browser

if TYPE_CHECKING:
    from playwright.sync_api import Browser

__all__ = ["browser"]
ROOT = Path(__file__).resolve().parents[2]
BUILDER = ROOT / ".venv" / "bin" / "sphinx-build"


@pytest.fixture(scope="module")
def site() -> Path:
    """The site that `scripts/site` builds."""
    if not BUILDER.exists() or shutil.which("doxygen") is None:
        if os.environ.get("HYPERMON_REQUIRE_SITE"):
            pytest.fail(
                "HYPERMON_REQUIRE_SITE is set, but sphinx-build or doxygen is not installed: scripts/setup --site"
            )
        pytest.skip("scripts/setup --site installs what builds the site")
    done = subprocess.run([ROOT / "scripts" / "site"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    return ROOT / "build" / "site"


def test_every_page_is_in_the_contents(site: Path) -> None:
    contents = (site / "README.html").read_text(encoding="utf-8")
    for folder in ("tutorial", "how-to", "reference", "design", "studies"):
        for page in (ROOT / "docs" / folder).iterdir():
            if page.suffix in {".md", ".ipynb"}:
                assert f'href="docs/{folder}/{page.stem}.html"' in contents
    assert 'href="CONTRIBUTING.html"' in contents


def title(page: Path) -> str:
    text = page.read_text(encoding="utf-8")
    if page.suffix == ".ipynb":
        text = "".join(json.loads(text)["cells"][0]["source"])
    return re.sub(r"[^a-z0-9]+", " ", re.findall(r"^# (.+)$", text, re.M)[0].lower()).strip()


def test_no_two_pages_have_the_same_title() -> None:
    pages = [*ROOT.glob("*.md"), *(ROOT / "docs").glob("**/*.md"), *(ROOT / "docs").glob("**/*.ipynb")]
    pages += (ROOT / "examples").glob("*/README.md")
    pages_of: dict[str, list[str]] = {}
    for page in pages:
        pages_of.setdefault(title(page), []).append(page.relative_to(ROOT).as_posix())
    assert [same for same in pages_of.values() if len(same) > 1] == []


@pytest.mark.parametrize("folder", ["how-to", "design", "studies"])
def test_the_index_of_a_folder_links_to_each_of_its_pages(folder: str) -> None:
    index = ROOT / "docs" / folder / "README.md"
    linked = set(re.findall(r"\]\(([^)/#]+\.md)\)", index.read_text(encoding="utf-8")))
    assert linked == {page.name for page in index.parent.glob("*.md")} - {"README.md"}


def test_the_sidebar_has_the_tasks_and_unfolds_the_rest(browser: Browser, site: Path) -> None:
    tasks = re.findall(r"^## (.+)$", (ROOT / "docs/how-to/README.md").read_text(encoding="utf-8"), re.M)
    with Opened(browser, site / "README.html") as opened:
        captions = opened.page.locator(".sidebar-tree .caption-text").all_text_contents()
        assert captions == [*tasks, "Look up", "The project"]
        links = opened.page.locator(".sidebar-tree a")
        assert sum(link.is_visible() for link in links.all()) < 60
        design = opened.page.locator('.sidebar-tree a[href="docs/design/cpu.html"]')
        assert not design.is_visible()
        opened.page.locator('.sidebar-tree li:has(> a[href="docs/design/README.html"]) > label').click()
        design.wait_for(state="visible")


def test_the_keyboard_reaches_a_page_that_is_folded(browser: Browser, site: Path) -> None:
    with Opened(browser, site / "README.html") as opened:
        opened.page.locator('.sidebar-tree a[href="docs/design/README.html"]').focus()
        opened.page.keyboard.press("Enter")
        opened.page.wait_for_selector("article h1:has-text('Design')")
        opened.page.locator('.sidebar-tree a[href="cpu.html"]').focus()  # its page is below the current one
        opened.page.keyboard.press("Enter")
        opened.page.wait_for_selector("article h1:has-text('Processors')")
        assert opened.complaints == []


@pytest.mark.parametrize("width", [DESKTOP, PHONE])
@pytest.mark.parametrize(
    ("page", "shows"),
    [
        ("index.html", "every number of the papers"),
        ("docs/how-to/sweep.html", "What to vary"),
        ("docs/reference/api.html", "hypermon.judging.node_picture_from_states("),
        ("docs/reference/parameters.html", "ecb.frame_fifo_frames"),
        ("docs/site/headers.html", "class Ecb"),
        ("docs/tutorial/is-1k-frames-enough.html", "Is 1K frames enough"),
    ],
)
def test_a_page_is_read_from_the_file_system_at_any_width(
    browser: Browser, site: Path, width: int, page: str, shows: str
) -> None:
    with Opened(browser, site / page, width) as opened:
        opened.page.wait_for_selector("article h1")
        text = opened.page.inner_text("article").replace("\u2019", "'")
        assert shows in text
        assert opened.page.evaluate("document.documentElement.scrollWidth") <= width  # nothing sticks out
        assert opened.complaints == []
        contents = opened.page.locator(".sidebar-tree a", has_text="Sweep parameters").first
        in_view = "link => link.getBoundingClientRect().left >= 0"
        assert contents.evaluate(in_view) == (width == DESKTOP)
        if width == PHONE:  # they slide in
            opened.page.locator(".mobile-header label[for=__navigation]").click()
            opened.page.wait_for_function(in_view, arg=contents.element_handle())


@pytest.mark.parametrize(
    ("asked", "page"),
    [
        ("hypermon.sweep", "docs/reference/api.html"),
        ("Ecb", "docs/site/headers.html"),
        ("GTKWave", "docs/how-to/debug-an-overrun.html"),
    ],
)
def test_the_search_finds_pages_names_of_python_and_names_of_cpp(
    browser: Browser, site: Path, asked: str, page: str
) -> None:
    with Opened(browser, site / "README.html") as opened:
        field = opened.page.locator("input.sidebar-search")
        field.fill(asked)
        field.press("Enter")
        opened.page.locator("#search-results li a", has_text=re.compile(".")).first.wait_for()
        opened.page.locator(f'#search-results li a[href*="{page}"]').first.click()
        opened.page.wait_for_selector("article h1")
        assert opened.complaints == []


@pytest.mark.parametrize(
    ("asked", "row"),
    [
        ("ecb.frame_fifo_frames", "docs/reference/parameters.html#parameter-ecb-frame-fifo-frames"),
        ("frame_fifo_frames", "docs/reference/parameters.html#parameter-ecb-frame-fifo-frames"),
        ("monitor.overrun", "docs/reference/result.html#result-monitor-overrun"),
        ("cpu.user", "docs/reference/counters.html#counter-cpu-user"),
    ],
)
def test_the_first_hit_for_a_declared_name_is_its_row_of_the_reference(
    browser: Browser, site: Path, asked: str, row: str
) -> None:
    with Opened(browser, site / "search.html") as opened:
        field = opened.page.locator("input.sidebar-search")
        field.fill(asked)
        field.press("Enter")
        opened.page.locator(".search-summary", has_text="Search finished").wait_for()
        found = opened.page.locator("#search-results li a").first
        assert str(found.get_attribute("href")).endswith(row)
        found.click()
        opened.page.wait_for_selector(f"tr:target:has-text('{asked}')")
        assert opened.complaints == []


@pytest.mark.parametrize("width", [DESKTOP, PHONE])
def test_the_description_of_a_parameter_is_in_view(browser: Browser, site: Path, width: int) -> None:
    with Opened(browser, site / "docs/reference/parameters.html", width) as opened:
        page = opened.page
        for cell in page.locator("tr#parameter-ecb-frame-fifo-frames td").all():
            left, right = cell.evaluate("e => [e.getBoundingClientRect().left, e.getBoundingClientRect().right]")
            assert 0 <= left < right <= width
        assert page.locator("tr#parameter-nodes td:has-text('unit')").count() == 0  # it has none
        assert len(page.locator("article section > p").nth(1).inner_text()) < 250


def test_the_search_shows_where_a_word_occurs(browser: Browser, site: Path) -> None:
    with Opened(browser, site / "search.html") as opened:
        field = opened.page.locator("input.sidebar-search")
        field.fill("logarithmic")
        field.press("Enter")
        found = opened.page.locator("#search-results li", has_text="Make figures and a report")
        found.locator("p.context", has_text="logarithmic").wait_for()
        assert opened.complaints == []


def test_the_notebook_is_there_with_its_pictures(browser: Browser, site: Path) -> None:
    with Opened(browser, site / "docs/tutorial/is-1k-frames-enough.html") as opened:
        pictures = opened.page.locator("article .cell_output img")
        assert pictures.count() == 3
        for picture in pictures.all():
            assert picture.evaluate("image => image.naturalWidth") > 300


def test_headers_are_shown_as_they_are_included_without_what_is_private(site: Path) -> None:
    page = (site / "docs/site/headers.html").read_text(encoding="utf-8")
    text = html.unescape(re.sub(r"<[^>]*>", "", page))
    for header in re.findall(r"^#include \u201c(.+)\u201d", text, re.M):
        assert header in {"hypermon_cma.h", "hypermon_rmi.h"} or (ROOT / header).is_file()
    assert "Nearest picosecond of SimGrid\u2019s clock in seconds." in text
    private = re.findall(r"^ *(?:\w+::)*\w+ (\w+_)(?: =.*)?;", (ROOT / "base/time.hpp").read_text(), re.M)
    assert private
    assert not re.findall(rf"\b(?:{'|'.join(private)})\b|Private|hypermon::detail", text)


@pytest.mark.usefixtures("site")
def test_a_link_to_nothing_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "README.md").write_text("# A page\n\n## Here\n\n[there](#there) [page](nowhere.md) [ok](#here)\n")
    command = [
        BUILDER,
        "-c",
        ROOT / "docs" / "site",
        "--fail-on-warning",
        "--keep-going",
        "-q",
        tmp_path,
        tmp_path / "out",
    ]
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False)
    assert done.returncode != 0
    assert "'there'" in done.stderr
    assert "'nowhere.md'" in done.stderr
    assert "'here'" not in done.stderr
