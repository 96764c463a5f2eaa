# SPDX-License-Identifier: BSD-3-Clause
"""No two places of the source share more than twelve lines of code, except for those whose reason is given here."""

from __future__ import annotations

import itertools
import subprocess
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).parents[2]
MOST = 12
TRIVIAL = ("//", "#", "import ", "from ", "}", ")", "]", '"""')
"""Beginnings of lines that do not count: comments, imports and closing brackets."""
EXPLAINED = {
    (
        "sw/instrumentation/catalogue.hpp",
        "sw/instrumentation/points.hpp",
    ): "events of NX/2 have the names of its points",
}


def shared(texts: dict[str, str]) -> set[tuple[str, str]]:
    """Pairs of places with more than MOST equal consecutive lines. Spaces and trivial lines are ignored."""
    places = defaultdict(set)
    for name, text in texts.items():
        lines = [" ".join(line.split()) for line in text.splitlines()]
        lines = [line for line in lines if line and not line.startswith(TRIVIAL)]
        for first in range(len(lines) - MOST):
            places["\n".join(lines[first : first + MOST + 1])].add((name, first))
    files = [sorted(name for name, _ in found) for found in places.values() if len(found) > 1]
    return {(one, other) for names in files for one, other in itertools.pairwise(names)}


def test_no_code_is_copied() -> None:
    listed = subprocess.run(
        ["git", "ls-files", "base", "hw", "sw", "platforms", "python"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    names = [name for name in listed.stdout.splitlines() if name.endswith((".cpp", ".hpp", ".v", ".py"))]
    assert len(names) > 500
    assert shared({name: (ROOT / name).read_text() for name in names}) == EXPLAINED.keys()


def test_copies_are_found() -> None:
    code = "\n".join(f"value_{line} = {line}" for line in range(MOST + 1))
    spread = code.replace("\n", "\n\n    // other words\n    ")
    assert shared({"a": code, "b": f"x = 1\n{spread}\ny = 2"}) == {("a", "b")}
    assert shared({"a": f"{code}\nz = 3\n{code}"}) == {("a", "a")}
    assert shared({"a": code, "b": code.replace("value_5 ", "five ")}) == set()
