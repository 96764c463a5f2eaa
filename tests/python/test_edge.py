# SPDX-License-Identifier: BSD-3-Clause
"""docs/design/edge.md: every kind of fault has a test, and every test that the page names exists."""

from __future__ import annotations

import re
from pathlib import Path

from tests.fuzz.targets import TARGETS

TESTS = Path(__file__).resolve().parents[1]
PAGE = TESTS.parent / "docs/design/edge.md"
ROWS = [line.strip("| ").split(" | ") for line in PAGE.read_text().splitlines() if line.startswith("| ")]
KINDS = [row for row in ROWS if row[0] != "what could happen" and not set(row[0]) <= {"-"}]


def test_every_kind_has_a_test() -> None:
    assert len(KINDS) > 20
    assert [row[0] for row in KINDS if "`" not in row[2]] == []


def test_every_test_that_is_named_exists() -> None:
    missing = []
    for row in KINDS:
        for name, file, test in re.findall(r"`(([\w/.]+\.(?:py|cpp))(?:::(\w+))?)`", row[2]):
            path = TESTS / file
            if not path.is_file() or (test and test not in path.read_text()):
                missing.append(name)
    assert missing == []


def test_every_fuzz_target_that_is_named_exists() -> None:
    named = {name for row in KINDS for name in re.findall(r"target `([\w.-]+)`", row[2])}
    assert named
    assert named <= set(TARGETS)
