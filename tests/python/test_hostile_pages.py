# SPDX-License-Identifier: BSD-3-Clause
"""Pages about a stranger's data show all its names and outputs as text, and no script in them runs."""

from __future__ import annotations

import base64
import copy
import dataclasses
import hashlib
import html.parser
import json
import re
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import hypermon
from hypermon import report
from hypermon.errors import UserError
from hypermon.report import rendering, repeat, timeline_page
from tests.python.browsing import Opened, browser
from tests.python.pvfs_like import made

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.worker
__all__ = ["browser"]  # the fixture
HIT = "document.title='HIT'"
ATTACKS = (
    f"<script>{HIT}</script>",
    f"</script><script>{HIT}</script>",
    f"<img src=x onerror={HIT}>",
    f'"><svg onload={HIT}>',
    f"' onmouseover='{HIT}",
    f"javascript:{HIT}",
    "<!--<script>",
    "{{ 7 * 7 }}",
    "\u2028\u2029]]>&lt;b&gt;",
)
EVIL = " ".join(ATTACKS)
KEPT = ("monitor", "workload", "unit", "stage", "cause", "topology", "messages")
"""Words of a result that select how it is drawn; other values are refused."""


class Elements(html.parser.HTMLParser):
    """The elements of a page, with the names of their attributes. Text inside scripts is ignored."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, tuple[str, ...]]] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, tuple(sorted(name for name, _ in attrs))))
        for name, value in attrs:
            assert not name.startswith("on")
            assert not (name in ("href", "src") and (value or "").strip().lower().startswith("javascript:"))


def kinds(text: str) -> set[tuple[str, tuple[str, ...]]]:
    return set(Elements(text).found)


def texts(tree: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The paths of all texts in an object."""
    entries = tree.items() if isinstance(tree, dict) else enumerate(tree) if isinstance(tree, list) else ()
    for key, value in entries:
        if isinstance(value, str):
            yield (*path, key)
        else:
            yield from texts(value, (*path, key))


def put(tree: Any, path: tuple[Any, ...], text: str) -> None:
    for key in path[:-1]:
        tree = tree[key]
    tree[path[-1]] = text


@pytest.fixture(scope="module")
def run(worker: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:  # noqa: ARG001
    """A run's folder without checksums, as from a stranger."""
    folder = tmp_path_factory.mktemp("of others")
    settings = {"monitor": "none", "pingpong.repeats": 2}
    hypermon.run("collection/pingpong", nodes=2, settings=settings, out=folder / "run")
    (folder / "run" / "SHA256SUMS").unlink()
    return folder / "run"


def forged(run: Path, out: Path, every: bool) -> Iterator[tuple[str, Path]]:
    """The run with attacks instead of its texts, either one by one or all at once."""
    clean = json.loads((run / "result.json").read_text())
    paths = [path for path in texts(clean) if path[-1] not in KEPT]
    assert len(paths) > 5
    for i, some in enumerate([paths] if every else [[path] for path in paths]):
        result = copy.deepcopy(clean)
        for path in some:
            put(result, path, EVIL)
        folder = out / str(i)
        shutil.copytree(run, folder)
        (folder / "result.json").write_text(json.dumps(result))
        yield str(some), folder


def test_a_text_of_a_result_makes_no_element_of_a_page(run: Path, tmp_path: Path) -> None:
    usual = kinds(report.html(run))
    shown = 0
    for what, folder in forged(run, tmp_path, every=False):
        try:
            page = report.html(folder)
        except UserError:
            continue  # refused
        new = kinds(page) - usual
        assert not {tag for tag, _ in new} & {"script", "img", "svg", "iframe", "b"}, (what, new)
        assert f"<script>{HIT}" not in page
        assert f"<img src=x onerror={HIT}>" not in page
        shown += "&lt;img src=x onerror=" in page
    assert shown > 2


def evil_line() -> Any:
    """A time line whose names, tracks and details are attacks."""
    line = made(300, clients=2, servers=1)
    states = tuple(
        dataclasses.replace(
            one,
            path=tuple(f"{EVIL} {part}" for part in one.path),
            names=tuple(f"{EVIL} {name}" for name in one.names),
            details={f"{EVIL} {name}": column for name, column in one.details.items()},
        )
        for one in line.states
    )
    statistics = tuple(
        dataclasses.replace(one, path=tuple(f"{EVIL} {part}" for part in one.path), unit=EVIL)
        for one in line.statistics
    )
    return dataclasses.replace(line, states=states, statistics=statistics)


@pytest.fixture(scope="module")
def pages(run: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A page of each kind, with attacks in all texts."""
    folder = tmp_path_factory.mktemp("pages")
    ((_, evil),) = forged(run, folder / "all", every=True)
    result = json.loads((run / "result.json").read_text())
    for key in ("question", "scenario"):
        result[key] = EVIL
    (evil / "result.json").write_text(json.dumps(result))
    named = folder / re.sub("/", "|", EVIL)[:200]
    shutil.copytree(run, named)
    report.write(evil, folder / "run.html")
    hypermon.compare(named, evil).save(folder / "compare.html")
    timeline_page.write({EVIL: evil_line(), "b": evil_line()}, EVIL, folder / "timeline.html")
    swept = folder / "swept"
    settings = {"nodes": 2, "monitor": "none", "pingpong.repeats": 2}
    hypermon.sweep("collection/pingpong", vary={"seed": [1, 2]}, metrics=["elapsed_s"], settings=settings, out=swept)
    (swept / "SHA256SUMS").unlink()
    manifest = json.loads((swept / "manifest.json").read_text())
    manifest |= {"question": EVIL, "scenario": EVIL}
    for about in manifest["columns"].values():
        about |= {"unit": EVIL, "description": EVIL}
    (swept / "manifest.json").write_text(json.dumps(manifest))
    report.write(swept, folder / "sweep.html")
    return {name: folder / f"{name}.html" for name in ("run", "compare", "timeline", "sweep")}


KINDS = ("run", "compare", "timeline", "sweep")


@pytest.mark.parametrize("kind", KINDS)
def test_no_script_of_others_runs_and_the_page_works(browser: Browser, pages: Mapping[str, Path], kind: str) -> None:
    with Opened(browser, pages[kind]) as opened:
        if kind == "timeline":
            opened.page.locator("body[data-ready]").wait_for(state="attached")
        opened.page.mouse.move(300, 300)
        assert opened.page.title() != "HIT"
        assert "<img src=x onerror=" in opened.page.content().replace("&lt;", "<")
        assert opened.complaints == []


def injected(page: str) -> str:
    """The page with scripts that missing escaping would have let through."""
    before, body, after = page.partition("<body")
    start, bracket, rest = after.partition(">")
    attack = f"<script>{HIT}</script><img src=x onerror={HIT}><a id=link href=javascript:{HIT}>x</a>"
    return before + body + start + bracket + attack + rest


@pytest.mark.parametrize("kind", KINDS)
def test_a_script_that_got_into_a_page_does_not_run(
    browser: Browser, pages: Mapping[str, Path], tmp_path: Path, kind: str
) -> None:
    file = tmp_path / "injected.html"
    file.write_text(injected(pages[kind].read_text(encoding="utf-8")), encoding="utf-8")
    with Opened(browser, file) as opened:
        opened.page.evaluate("document.getElementById('link').click()")
        opened.page.wait_for_timeout(100)
        assert opened.page.title() != "HIT"
        assert any("Content Security Policy" in complaint for complaint in opened.complaints)


@pytest.mark.parametrize("kind", KINDS)
def test_the_policy_names_the_hashes_of_the_pages_own_scripts_only(pages: Mapping[str, Path], kind: str) -> None:
    page = pages[kind].read_text(encoding="utf-8")
    (policy,) = re.findall(r'http-equiv="Content-Security-Policy" content="([^"]*)"', page)
    allowed = dict(part.strip().partition(" ")[::2] for part in policy.split(";"))
    scripts = re.findall(r"<script>(.*?)</script>", page, re.DOTALL)
    hashes = [f"'sha256-{base64.b64encode(hashlib.sha256(s.encode()).digest()).decode()}'" for s in scripts]
    assert allowed["default-src"] == "'none'"
    assert sorted(allowed["script-src"].split()) == sorted(set(hashes))
    assert "unsafe" not in allowed["script-src"]
    assert (allowed["form-action"], allowed["base-uri"]) == ("'none'", "'none'")


def test_json_in_a_page_cannot_end_its_script() -> None:
    text = str(rendering.json_in_html({"a": EVIL}))
    assert "<" not in text
    assert json.loads(text) == {"a": EVIL}


@pytest.mark.parametrize(
    "value",
    [
        "n\n  program.cflags: -wrapper evil",
        "a: b",
        "yes",
        "null",
        "12",
        "1e3",
        "#x",
        "- a",
        "'",
        '"\\',
        "~/x",
    ],
)
def test_a_text_in_the_scenario_that_a_report_shows_adds_nothing_to_it(value: str, tmp_path: Path) -> None:
    from hypermon._inputs import scenario
    from hypermon._model import worker

    schema = worker.schema()
    values = {path: parameter.default for path, parameter in schema.parameters.items()}
    text = repeat.scenario_file(f"q{value}", {**values, "program.arguments": value}, schema)
    file = tmp_path / "again.yaml"
    file.write_text(text, encoding="utf-8")
    (words,) = scenario.read(file, "again", tmp_path).words
    assert {path: item.value for path, item in words.settings.items()} in (
        {"program.arguments": value},
        {"program.arguments": json.loads(json.dumps(value))},
    )
