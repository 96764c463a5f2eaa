# SPDX-License-Identifier: BSD-3-Clause
"""The bibliography explains every short form of a source, and pages cite nothing else."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml

from hypermon._model import worker as workers
from tests.pages.reader import tree

ROOT = Path(__file__).resolve().parents[2]
REFERENCE = ROOT / "docs" / "reference"
PAGES = [ROOT / name for name in tree() if name.endswith(".md") and name != "CHANGELOG.md"]

CITING = {"monitors": {"funnel", "hdtrace", "hpvm", "hypermon", "pcp", "scms", "software", "supermon", "tau"}}
CITING |= {"workloads": {"cholesky", "lu", "partdiff", "phases", "wavefront"}}
"""Parts whose parameters use the short forms and the terms of the reference pages."""


@pytest.fixture
def whole() -> None:
    """`scripts/test removal` removes parts, but keeps the pages that name them."""
    if any(not (ROOT / "sw" / kind / name).is_dir() for kind, names in CITING.items() for name in names):
        pytest.skip("a part is not there")


def forms() -> list[str]:
    """The short forms that the bibliography defines, the longest first."""
    table = (REFERENCE / "bibliography.md").read_text(encoding="utf-8").partition("## Short forms")[2]
    return sorted(re.findall(r"^\| `([^`]+)` \|", table, re.M), key=len, reverse=True)


def sources() -> list[tuple[str, str]]:
    found = [(p.path, p.source) for p in workers.schema().parameters.values()]
    for file in sorted((ROOT / "platforms" / "machines").glob("*.yaml")):
        cited = yaml.safe_load(file.read_text(encoding="utf-8"))["source"]
        found += [(file.name, each) for each in ([cited] if isinstance(cited, str) else cited)]
    return found


def form_of(source: str, known: list[str]) -> str | None:
    """The short form with which a source begins. A topic in brackets may name a part: `facts (modern, Platform)`."""
    for form in known:
        opened = form[:-1] if form.endswith(")") and "(modern" in form else form.removesuffix("]")
        after = source[len(opened) :]
        if not source.startswith(opened) or after[:1].isalnum():
            continue
        if form == "facts" and not re.match(r":|;|$", after):
            continue  # a topic that the bibliography lacks
        return form
    return None


def test_the_form_of_a_source_is_its_beginning() -> None:
    known = ["facts [CoreSight]", "facts (modern)", "TAU over Supermon", "facts", "TAU"]
    assert form_of("facts (modern, Platform): 1 us", known) == "facts (modern)"
    assert form_of("facts [CoreSight, ETM]: 24", known) == "facts [CoreSight]"
    assert form_of("facts: 350", known) == "facts"
    assert form_of("TAU over Supermon sec. 4", known) == "TAU over Supermon"
    assert form_of("TAU sec. 4", known) == "TAU"
    assert form_of("facts (elsewhere): 350", known) is None
    assert form_of("paper 004 sec. 4", known) is None


@pytest.mark.worker
@pytest.mark.usefixtures("worker")
def test_every_short_form_of_a_source_is_in_the_bibliography() -> None:
    assert [f"{path}: {source}" for path, source in sources() if form_of(source, forms()) is None] == []


@pytest.mark.worker
@pytest.mark.usefixtures("worker", "whole")
def test_every_short_form_of_the_bibliography_is_used() -> None:
    known = forms()
    parts = [part for _, source in sources() for part in source.split("; ")]
    assert set(known) - {form_of(part, known) for part in parts} == set()


@pytest.mark.worker
@pytest.mark.usefixtures("worker", "whole")
def test_a_cited_section_of_the_contract_and_a_cited_row_of_the_facts_are_there() -> None:
    contract = (REFERENCE / "contract.md").read_text(encoding="utf-8")
    rows = (REFERENCE / "facts-modern.md").read_text(encoding="utf-8")
    cited = 0
    for path, source in sources():
        for numbers in re.findall(r"\bspec secs?\. ([\d, and]*\d)", source):
            for number in re.findall(r"\d+", numbers):
                cited += 1
                assert f"\n## {number}. " in contract, f"{path}: {source}"
        for section, row in re.findall(r"\[(CoreSight|RISC-V), ([^\]]+)\]", source):
            cited += 1
            table = re.split(r"\n## ", rows.partition(f"\n## {section}")[2])[0]
            assert re.search(rf"^\| [^|]*\b{re.escape(row)}\b[^|]* \|", table, re.M), f"{path}: {source}"
    assert cited > 20


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_a_page_cites_papers_by_their_names_and_no_file_outside_the_repository(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert re.findall(r"\bpaper 00\d\b|\bshared/\w+|\bissue \d+\b|\bfacts/\w+\.md", text) == []


# its facts are those of the papers
LINKED = [page for page in PAGES if page != ROOT / "docs" / "studies" / "papers.md"]


@pytest.mark.parametrize("page", LINKED, ids=lambda page: str(page.relative_to(ROOT)))
def test_a_page_that_cites_the_facts_or_the_contract_links_to_them(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    if page.parent == REFERENCE:
        text = text.replace("(bibliography.md#short-forms)", "(facts.md) (contract.md)")  # the section leads there
    prose = re.sub(r"```.*?```|`[^`]*`|<!--.*?-->", "", text, flags=re.S)
    if re.search(r"\b(the|shared) facts\b|\bfacts [(\[]|\| facts\b|\(facts\b|\[facts\b", prose):
        assert re.search(r"facts(-\w+)?\.md", text), "cites the facts"
    if re.search(r"\bspec secs?\. ", prose):
        assert "contract.md" in text, "cites the contract"


@pytest.mark.worker
@pytest.mark.usefixtures("worker", "whole")
def test_the_glossary_names_parameters_and_results_that_are_there() -> None:
    text = (REFERENCE / "glossary.md").read_text(encoding="utf-8")
    named = [code.split()[0] for code in re.findall(r"`([a-z_]+\.[^`]+)`", text)]
    schema = workers.schema()
    assert len(named) > 5
    assert set(named) <= {*schema.parameters, *(key["path"] for key in schema.results)}
