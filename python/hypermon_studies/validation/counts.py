# SPDX-License-Identifier: BSD-3-Clause
"""Counts of the predictions of the five papers' numbers for docs/validation.md."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from hypermon.errors import UserError
from hypermon_studies.cells import BLIND
from hypermon_studies.papers import left_out, moved
from hypermon_studies.papers import page as papers_page
from hypermon_studies.papers import study as papers
from hypermon_studies.papers.left_out import Checked
from hypermon_studies.papers.moved import Moved
from hypermon_studies.papers.study import Item

NEAR = papers_page.WITHIN[0]


@dataclass(frozen=True)
class Published:
    """The list of the papers' numbers, and the predictions of each number from the others of its constants.

    Attributes:
        moved: Calibrated numbers with other values of their constants.
    """

    items: Sequence[Item]
    checked: Checked
    moved: Sequence[Moved]

    @cached_property
    def papers(self) -> list[str]:
        return list(dict.fromkeys(item.paper for item in self.items))

    @cached_property
    def predictions(self) -> list[Item]:
        """All predicted numbers that can be compared with a published one."""
        return [item for item in self.items if item.kind in papers.EVIDENCE and item.error is not None]

    @cached_property
    def facts(self) -> list[Item]:
        return [item for item in self.items if item.kind in papers.EVIDENCE and item.agrees is not None]

    @cached_property
    def kept_back(self) -> list[Item]:
        return [item for item in self.items if item.kind == papers.KEPT_BACK]

    def for_paper(self, paper: str) -> Published:
        return Published([item for item in self.items if item.paper == paper], Checked((), ()), ())


def read(pages: Path) -> Published:
    """Reads the list that `hypermon study papers` has written.

    Raises UserError: it does not exist, or is damaged.
    """
    folder = pages / "studies" / papers.DATA
    files = [folder / name for name in (papers_page.ITEMS, papers_page.LEFT_OUT, papers.MOVED)]
    texts = []
    for file in files:
        try:
            texts.append(file.read_text(encoding="utf-8"))
        except OSError as error:
            raise UserError(f"{error.strerror}; hypermon study papers writes it", str(file)) from None
    items, checked, runs = zip(texts, map(str, files), strict=True)
    return Published(papers_page.read_items(*items), left_out.read(*checked), moved.read(*runs))


def error(item: Item) -> float:
    """The size of an error, as a share of the published number."""
    assert item.error is not None
    return abs(item.error)


def near(items: Sequence[Item], share: float = NEAR) -> list[Item]:
    return [item for item in items if error(item) <= share]


def blind(items: Sequence[Item]) -> list[Item]:
    return [item for item in items if item.kind == BLIND]


def with_interval(items: Sequence[Item]) -> list[Item]:
    return [item for item in items if item.is_inside is not None]


def inside(items: Sequence[Item]) -> list[Item]:
    return [item for item in items if item.is_inside]


def worst(items: Sequence[Item]) -> Item:
    return max(items, key=error)


def is_off(item: Item) -> bool:
    """True for a prediction that is far from the published number, or whose interval does not contain it."""
    return error(item) > NEAR or item.is_inside is False
