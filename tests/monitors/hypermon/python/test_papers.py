# SPDX-License-Identifier: BSD-3-Clause
"""The list of the papers' numbers: every row names the source of our value, and the page shows these values."""

from __future__ import annotations

import csv
import re
from pathlib import Path

import pytest

from hypermon._inputs import scenario
from hypermon._model import worker as workers
from hypermon.errors import UserError
from hypermon.report.calibration import PREDICTED
from hypermon_studies import cells
from hypermon_studies.papers import page as papers_page
from hypermon_studies.papers import study as papers
from hypermon_studies.papers.study import Item, Row

DOCS = Path(__file__).parents[4] / "docs"
HEAD = ",".join(papers.COLUMNS)
ROWS = papers.rows()
TAU = [row for row in ROWS if row.paper == "TAU over Supermon"]


def has_scenario(row: Row) -> bool:
    """True if the row's scenario exists. It may be missing if a part has been removed."""
    kind, _, name = row.source.partition(" ")
    name = name.partition(" with ")[0].partition(": ")[0]
    return kind not in ("scenario", "run") or name in scenario.names()


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("P,sec. 1,says,1,s,input,scenario table2/place", "7 columns: must be 10"),
        (",sec. 1,says,1,s,input,rows,1,,", "paper, where and says must be there"),
        ("P,sec. 1,says,1,s,guessed,rows,1,,", "kind guessed: must be one of input, calibrated, derived, predicted"),
        ("P,sec. 1,says,1,s,not simulated,,,,", "a note says why"),
        ("P,sec. 1,says,1,s,not simulated,rows,1,why,", "there is nothing of ours"),
        ("P,sec. 1,says,1,s,input,,,,", "says not where ours comes from"),
        ("P,sec. 1,says,1,s,kept back,study tau,T | c [d],,", "is kept back, but published"),
        ("P,sec. 1,says,1,s,,rows,1,,", "says not of which kind it is"),
        ("P,sec. 1,says,1,s,input,rows,1,,a\nP,sec. 1,says,1,s,input,rows,1,,a", "id a: is there twice"),
    ],
)
def test_a_row_that_cannot_be_is_refused_by_its_line(line: str, complaint: str) -> None:
    with pytest.raises(UserError) as caught:
        papers.read(f"{HEAD}\n{line}\n")
    assert complaint in str(caught.value)
    assert f"(papers.csv:{1 + len(line.splitlines())})" in str(caught.value)


def evaluated(monkeypatch: pytest.MonkeyPatch, *lines: str) -> list[Item]:
    monkeypatch.setattr(papers, "rows", lambda: papers.read("\n".join([HEAD, *lines])))
    return papers.evaluate(DOCS, workers.schema(), 1)


@pytest.mark.worker
@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("P,s,says,1,s,input,scenario table2/plce,1,,", "plce"),
        ("P,s,says,1,s,input,scenario table2/place: no_case,1,,", "from scenario table2/place: no_case: no such case"),
        ("P,s,says,1,s,input,scenario table2/place with no/preset,1,,", "no/preset: no such preset"),
        ("P,s,says,1,s,input,scenario table2/place,spec.ecb.windw_ns,,", "has no spec.ecb.windw_ns"),
        ("P,s,says,yes,,input,scenario table2/place,spec.ecb.window_ns,,", "is a fact in one column and a number"),
        (
            "P,s,says,much,s,input,scenario table2/place,spec.ecb.window_ns,,",
            "published much: must be a number, a range",
        ),
        ("P,s,says,1,s,input,elsewhere,1,,", "must be study, scenario, platform, run or rows"),
        ("P,s,says,,,,study table2,Table 2: place | raw tim [1 node],,", "did you mean raw time [1 node]?"),
        ("P,s,says,,,,study table2,Table 3 | *,,", "the study has no table Table 3"),
        ("P,s,says,1,s,blind,study table2,Table 2: place | raw time [1 node],,", "is blind, but calibrated in its"),
        ("P,s,says,,s,kept back,study table2,Table 2: place | raw time [1 node],,", "is kept back, but calibrated"),
        ("P,s,says,,,,study elsewhere,Table 3 | *,,", "hypermon study writes it"),
        ("P,s,says,1,s,derived,rows,nobody + 1,,", "has no nobody"),
    ],
)
def test_what_is_not_there_is_named(monkeypatch: pytest.MonkeyPatch, line: str, complaint: str) -> None:
    with pytest.raises(UserError) as caught:
        evaluated(monkeypatch, line)
    assert complaint in str(caught.value)


@pytest.mark.worker
def test_rows_are_computed_from_parameters_cells_and_each_other(monkeypatch: pytest.MonkeyPatch) -> None:
    found = evaluated(
        monkeypatch,
        "P,s,window,800,ns,input,scenario table2/place,spec.ecb.window_ns,,window",
        "P,s,other window,200,ns,input,scenario lessons/window: ns_200,spec.ecb.window_ns,,",
        "P,s,twice,1600,ns,derived,rows,2 * window,,",
        "P,s,raw,,,,study table2,Table 2: place | raw time [1 node],,",
        "P,s,bits,4,bits,input,scenario table2/place,registers.status,,",
        "P,s,why,9,,not simulated,,,because,",
    )
    assert [item.ours for item in found[:3]] == [800, 200, 1600]
    raw = cells.read((DOCS / "studies/table2/cells.csv").read_text()).at("Table 2: place", "raw time", "1 node")
    assert (found[3].published, found[3].ours, found[3].kind) == (raw.published, raw.ours, raw.status)
    assert (found[4].ours, found[5].ours, found[5].published) == (4, None, "9")


@pytest.mark.worker
@pytest.mark.parametrize("row", [row for row in ROWS if row.kind == papers.INPUT], ids=lambda row: row.where)
def test_an_input_is_what_the_paper_has_or_says_why_not(monkeypatch: pytest.MonkeyPatch, row: Row) -> None:
    if not has_scenario(row):
        pytest.skip("the part is not there")
    if row.source.startswith("run "):
        pytest.skip("the study runs it")
    monkeypatch.setattr(papers, "rows", lambda: (row,))
    (item,) = papers.evaluate(DOCS, workers.schema(), 1)
    assert item.published is not None
    assert item.ours == item.published or row.note, f"{row.says}: {item.ours}, not {item.published}"


def shown() -> list[dict[str, str]]:
    return list(csv.DictReader((DOCS / "studies/papers" / papers_page.ITEMS).read_text().splitlines()))


@pytest.mark.worker
def test_the_page_has_what_follows_from_the_list(monkeypatch: pytest.MonkeyPatch) -> None:
    """Checks all numbers except those of the list's own runs, which the study repeats (scripts/test validation)."""
    if not all(map(has_scenario, ROWS)):
        pytest.skip("a part is not there")
    runs = {row.says for row in ROWS if row.source.startswith("run ")}
    monkeypatch.setattr(papers, "rows", lambda: tuple(row for row in ROWS if row.says not in runs))
    items = papers.evaluate(DOCS, workers.schema(), 1)
    expected = list(csv.DictReader(papers_page.items_csv(items).splitlines()))
    assert [row for row in shown() if row["says"] not in runs] == expected


def test_every_number_that_is_kept_back_stays_back() -> None:
    back = [row for row in shown() if row["kind"] == papers.KEPT_BACK]
    assert len(back) == 7
    assert {row["published"] for row in back} == {""}
    assert {row["error_percent"] for row in back} == {""}


def test_no_number_of_ours_is_written_into_the_list() -> None:
    """An expression must compute its value from a parameter, a register, a result or another row."""
    literal = [row.where for row in ROWS if row.source and not any(c.isalpha() for c in row.ours)]
    assert literal == []


def test_all_of_table_2_is_there() -> None:
    found = [row for row in shown() if row["where"] == "sec. 5.2.1, Table 2"]
    # 4 programs on 4 machine sizes: a raw time, and time, bytes and rate of two monitors, except for the run that
    # overran
    assert len(found) - 1 == 4 * 4 * 7 - 2


def test_the_error_of_a_range_counts_from_its_nearer_end() -> None:
    item = Item("P", "s", "says", PREDICTED, "s", (2.0, 4.0), 5.0, "")
    assert item.error == pytest.approx(0.25)
    assert Item("P", "s", "says", PREDICTED, "", True, False, "").agrees is False


PAPERS = {"HYPERMON": "HYPERMON", "HPVM": "HPVM", "SCMS": "SCMS/RMS", "HDTrace": "HDTrace"}
PAPERS |= dict.fromkeys(("TAU over Supermon", "ToS", "TAU"), "TAU over Supermon")
CITED = re.compile(rf"(?<!\w)({'|'.join(PAPERS)}) sec\. ([0-9.]*[0-9]): ([^;]*)")


def digits(text: str) -> set[float]:
    """The numbers in a text; thousands may be separated."""
    plain = re.sub(r"(?<=\d)[ ,](?=\d{3}\b)", "", text)
    return {float(found) for found in re.findall(r"(?<![A-Za-z])\d+(?:\.\d+)?", plain)}


def sources() -> list[tuple[str, str]]:
    named = [(p.path, p.source) for p in workers.schema().parameters.values()]
    files = sorted((DOCS.parent / "platforms/machines").glob("*.yaml"))
    return named + [(file.name, line) for file in files for line in file.read_text().splitlines()]


@pytest.mark.worker
def test_a_number_that_a_source_cites_is_in_that_section_of_the_paper() -> None:
    """Checks the text behind `SECTION: ` up to a semicolon, without brackets, which contain derived numbers."""
    wrong, cited = [], 0
    for path, source in sources():
        for name, section, text in CITED.findall(re.sub(r"\([^)]*\)", "", source)):
            if text.startswith("calibrated"):
                continue  # a constant was chosen to reproduce a number; the studies' pages say which
            rows = [row for row in ROWS if row.paper == PAPERS[name] and re.search(rf"\b{section}\b(?!\.)", row.place)]
            there = {number for row in rows for number in digits(f"{row.published} {row.says}")}
            cited += len(digits(text))
            wrong += [f"{path}: {name} sec. {section} has no {number:g}" for number in digits(text) - there]
    assert wrong == []
    assert cited > 10


def published_numbers() -> list[tuple[str, float]]:
    """The values of all expectations whose source is a paper."""
    found = []
    for name in scenario.names():
        for case in scenario.built_in(name).cases:
            for one in case.expect:
                if one.kind == "published" and one.equals is not None and re.fullmatch(r"[\d.e]+", one.equals):
                    found.append((f"{one.where}: {one.of}", float(one.equals)))
    return found


def test_a_published_number_of_a_scenario_is_in_the_list_of_the_papers_numbers() -> None:
    """The number may be in the paper's unit, or scaled by 1000, 0.001 or 100."""
    texts = [f"{row.published} {row.says}" for row in ROWS]
    texts += [f"{row['published']} {row['says']}" for row in shown()]  # cells of complete tables
    there = {number for text in texts for number in digits(text)}

    def is_there(number: float) -> bool:
        scaled = (number * factor for factor in (1, 1000, 0.001, 100))
        return any(abs(one - other) <= 1e-6 * abs(other) for one in scaled for other in there)

    numbers = published_numbers()
    assert [where for where, number in numbers if not is_there(number)] == []
    assert len(numbers) > 50
