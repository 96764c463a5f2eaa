# SPDX-License-Identifier: BSD-3-Clause
"""The mutations' texts are in the sources and on their page, and tests notice CI's sample of them. tests/mutation/run
tests all mutations, which takes too long for CI.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.mutation import interpreted
from tests.mutation.groups import GROUPS, Group
from tests.mutation.mutation import Mutation
from tests.mutation.page import cell

TREE = Path(__file__).parents[2]
PAGE = TREE / "docs/design/mutations.md"
ALL = [pytest.param(group, m, id=m.rule) for group in GROUPS.values() for m in group.mutations]
SAMPLE = [mutation for mutation in GROUPS["python"].mutations if mutation.in_ci]


@pytest.mark.parametrize(("group", "mutation"), ALL)
def test_what_a_mutation_changes_is_there_once(group: Group, mutation: Mutation) -> None:
    assert (TREE / group.folder / mutation.file).read_text().count(mutation.old) == 1
    assert mutation.old != mutation.new


@pytest.mark.parametrize("group", GROUPS.values(), ids=GROUPS)
def test_the_page_has_each_mutation_and_none_that_survived(group: Group) -> None:
    section = PAGE.read_text().partition(f"\n## {group.title}\n")[2].partition("\n## ")[0]
    rows = [line.split(" | ") for line in section.splitlines() if line.startswith("| ")][2:]
    assert [row[0].removeprefix("| ") for row in rows] == [cell(mutation.rule) for mutation in group.mutations]
    for row in rows:
        assert set(row[-len(group.kinds) :]) - {"none", "none |"}, row


@pytest.mark.parametrize("mutation", SAMPLE, ids=lambda mutation: mutation.rule)
def test_a_mutation_of_the_sample_is_killed(mutation: Mutation) -> None:
    assert interpreted.killer(mutation, seconds=60) is not None


def test_a_mutation_that_changes_nothing_survives() -> None:
    nothing = Mutation("None", "sums.py", 'FILE = "SHA256SUMS"', 'FILE = "SHA256" + "SUMS"', ("test_files.py",))
    assert interpreted.killer(nothing, seconds=60) is None
