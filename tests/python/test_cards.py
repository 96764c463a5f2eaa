# SPDX-License-Identifier: BSD-3-Clause
"""Representation of answers: the verdict first, as text and in a notebook of any theme."""

from __future__ import annotations

import inspect
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import hypermon
from hypermon._model.cards import BAD, GOOD, MOST_ROWS, Card, Shown, table
from hypermon._reference import api
from tests.python.browsing import browser as browser

if TYPE_CHECKING:
    from playwright.sync_api import Browser

PROGRAM: dict[str, Any] = {"nodes": 2, "matmul": {"size": 16}}
NO_ANSWERS = {
    "Parameter",
    "ResultKey",
    "Calibration",
    "Capture",
    "Counter",
    "Design",
    "Number",
    "Platform",
    "Rmi",
    "Scenario",
    "Verdict",
}
"""Objects that public functions return but that are no answers: data, and sessions."""


def test_every_answer_shows_itself() -> None:
    functions = (getattr(hypermon, name) for name in (*api.public(), "tradeoffs") if name != "__version__")
    found = {
        name
        for one in functions
        if inspect.isfunction(one)
        for name in re.findall(r"(?<![.\w])[A-Z]\w+", str(inspect.signature(one).return_annotation))
    } | {"Front", "Sensitivity"}
    answers = found - NO_ANSWERS
    assert {"Result", "Comparison", "Sweep", "Recording", "Diagnosis"} <= answers
    assert [name for name in sorted(answers) if not issubclass(getattr(hypermon, name), Shown)] == []


def test_text_and_html_have_the_same_parts_in_order() -> None:
    rows = [(f"row {i}", i) for i in range(MOST_ROWS + 3)]
    card = Card(
        "Title", "All is well.", GOOD, [("elapsed", "1 s")], [table(("what", "n"), rows, "more()")], ["A note."]
    )
    text = card.text()
    places = [text.index(part) for part in ("Title", "All is well.", "elapsed", "row 0", "3 more: more()", "A note.")]
    assert places == sorted(places)
    assert f"row {MOST_ROWS}" not in text
    html = card.html()
    places = [html.index(part) for part in ("Title", "All is well.", "elapsed", "row 0", "3 more: more()", "A note.")]
    assert places == sorted(places)


def test_numbers_are_aligned_right_and_words_left() -> None:
    card = Card("T", tables=[table(("path", "value", "meaning"), [("a", 1, "first"), ("bbb", 200, "second one")])])
    assert card.text().splitlines()[1:] == [
        "  path  value  meaning",
        "  a         1  first",
        "  bbb     200  second one",
    ]


def test_names_from_files_are_only_text() -> None:
    card = Card("\x1b[31m<script>", "<b>", BAD, [("<i>", "&")], [table(("<u>",), [("<s>",)])], ["<a>"])
    assert "\x1b" not in card.text()
    assert re.findall(r"<(script|b|i|u|s|a)>", card.html()) == []
    assert "\x1b" not in card.html()
    assert r"\u001b[31m&lt;script&gt;" in card.html()


def test_an_ascii_terminal_can_show_it() -> None:
    card = Card(
        "305\u202fevents", facts=[("latency", "4\u202fµs"), ("error", "\u22121")], tables=[table(("–",), [("–",)])]
    )
    assert card.text().isascii()


@pytest.mark.worker
def test_answers_begin_with_their_verdict(worker: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert worker.is_file()
    monkeypatch.chdir(tmp_path)
    recording = hypermon.record("table2/matmul", **PROGRAM)
    good = hypermon.run("table2/matmul", out="good", **PROGRAM)
    bad = hypermon.replay(recording, ecb={"frame_fifo_frames": 2}, pbx={"word_ns": 900000}, out="bad")
    alone = hypermon.run("table2/matmul", monitor="none", **PROGRAM)
    assert repr(good).splitlines()[1].startswith("No event was lost.")
    assert re.match(
        r"\d+ of \d+ events \(.+ %\) were lost\. The frame FIFO of 2 frames overran", repr(bad).splitlines()[1]
    )
    assert repr(alone).splitlines()[1].startswith("No monitor observed the run.")
    assert "In the recorded run: No event was lost." in repr(recording).splitlines()[1]
    compared = hypermon.compare(good, bad)
    assert repr(compared).splitlines()[1] == compared.summary().replace("\u202f", " ").replace("µ", "u")
    sized = hypermon.size(recording)
    assert repr(sized).splitlines()[1] == str(sized).partition(". ")[0].removesuffix(".") + "."
    swept = hypermon.sweep(recording, vary={"ecb.frame_fifo_frames": [2, 64]}, pbx={"word_ns": 900000}, out="sweep")
    assert repr(swept).splitlines()[1].endswith("have no losses (monitor.frames.lost).")
    for answer in (good, bad, alone, recording, compared, sized, swept, hypermon.truth(recording)):
        title, verdict = repr(answer).splitlines()[:2]
        html = answer._repr_html_().replace("\u202f", " ").replace("µ", "u").replace("&#x27;", "'")
        assert 0 < html.index(title) < html.index(verdict), answer


def test_colours_are_those_of_the_notebook(browser: Browser) -> None:
    """Text has the colours of the page."""
    card = Card("T", "V.", GOOD, [("a", "b")], [table(("c", "d"), [("e", 1)], "m", folded="F")], ["N"]).html()
    page = browser.new_page()
    for back, front in (("rgb(255, 255, 255)", "rgb(0, 0, 0)"), ("rgb(17, 17, 17)", "rgb(238, 238, 238)")):
        page.set_content(f"<body style='background:{back};color:{front}'>{card}</body>")
        colours = page.evaluate(
            "[...document.querySelectorAll('.hypermon-card *')].map(e => {const s = getComputedStyle(e);"
            " return s.color + ' on ' + s.backgroundColor})"
        )
        assert len(colours) > 15
        assert set(colours) == {f"{front} on rgba(0, 0, 0, 0)"}


def test_a_wide_table_scrolls_in_its_card_on_a_phone(browser: Browser) -> None:
    wide = table([f"column{i}" for i in range(12)], [["x" * 20] * 12])
    page = browser.new_page(viewport={"width": 390, "height": 800})
    page.set_content(f"<body>{Card('T', 'V.', GOOD, (), [wide]).html()}</body>")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert page.evaluate("(card => card.scrollWidth > card.clientWidth)(document.querySelector('.hypermon-card'))")
