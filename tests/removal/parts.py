# SPDX-License-Identifier: BSD-3-Clause
"""Which parts there are, and what goes with each."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
SHARED = {"common"}  # what the workloads' programs share is no workload
STAYS = "sw/monitors/none"
"""Tests of all may run programs that nobody observes."""


def folders(tree: Path = ROOT) -> list[str]:
    """Of monitors and workloads, where their C++ is."""
    found = [*(tree / "sw/monitors").iterdir(), *(tree / "sw/workloads").iterdir()]
    return sorted(str(f.relative_to(tree)) for f in found if f.is_dir() and f.name not in SHARED)


def machines(tree: Path = ROOT) -> list[str]:
    """Platforms, where they are described."""
    return sorted(str(f.relative_to(tree)) for f in (tree / "platforms/machines").glob("*.yaml"))


def belongings(part: str, tree: Path = ROOT) -> tuple[str, ...]:
    """All paths of the tree that go with a part, files and folders; `part` is one of `folders` or `machines`."""
    path = Path(part)
    if path.suffix == ".yaml":
        return (part,)
    kind, name = path.parts[1:3]  # sw/monitors/software
    beside = (f"python/hypermon/{kind}/{name}", f"tests/{kind}/{name}", f"tests/{kind}/test_{name}.py")
    said = tree / "tests" / kind / name / "belongings.py"
    names: dict[str, tuple[str, ...]] = {}
    if said.is_file():
        exec(compile(said.read_text(), said, "exec"), names)  # not imported: it may be of another tree
    return (part, *(one for one in beside if (tree / one).exists()), *names.get("ALSO", ()))


def without_rooms(page: str, gone: tuple[str, ...]) -> str:
    """The map of C++ without the rooms that lie in `gone`."""
    rooms = "|".join(re.escape(path) for path in gone)
    kept = re.sub(rf"(?m)^\| `(?:{rooms})/(?:[\w/]*)?` \|.*\n", "", page)
    return re.sub(rf"(?:, )?`(?:{rooms})/(?:[\w/]*)?`", "", kept).replace("| , ", "| ")
