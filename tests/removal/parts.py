# SPDX-License-Identifier: BSD-3-Clause
"""The monitors, workloads and platforms, and the files that are removed with each of them."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
SHARED = {"common"}  # code that the workloads share; not a workload
STAYS = "sw/monitors/none"
"""The monitor that is never removed, because tests of all monitors run programs without one."""


def folders(tree: Path = ROOT) -> list[str]:
    """Returns the folders with the C++ of monitors and workloads."""
    found = [*(tree / "sw/monitors").iterdir(), *(tree / "sw/workloads").iterdir()]
    return sorted(str(f.relative_to(tree)) for f in found if f.is_dir() and f.name not in SHARED)


def machines(tree: Path = ROOT) -> list[str]:
    """Returns the files that describe platforms."""
    return sorted(str(f.relative_to(tree)) for f in (tree / "platforms/machines").glob("*.yaml"))


def belongings(part: str, tree: Path = ROOT) -> tuple[str, ...]:
    """Returns all files and folders of the tree that are removed with a part, one of `folders` or `machines`."""
    path = Path(part)
    if path.suffix == ".yaml":
        return (part,)
    kind, name = path.parts[1:3]  # sw/monitors/software
    beside = (f"python/hypermon/{kind}/{name}", f"tests/{kind}/{name}", f"tests/{kind}/test_{name}.py")
    file = tree / "tests" / kind / name / "belongings.py"
    names: dict[str, tuple[str, ...]] = {}
    if file.is_file():
        exec(compile(file.read_text(), file, "exec"), names)  # not imported, because it may belong to another tree
    return (part, *(one for one in beside if (tree / one).exists()), *names.get("ALSO", ()))


def without_rooms(page: str, gone: tuple[str, ...]) -> str:
    """Returns the page with the map of rooms, without the rooms in the folders `gone`."""
    rooms = "|".join(re.escape(path) for path in gone)
    kept = re.sub(rf"(?m)^\| `(?:{rooms})/(?:[\w/]*)?` \|.*\n", "", page)
    return re.sub(rf"(?:, )?`(?:{rooms})/(?:[\w/]*)?`", "", kept).replace("| , ", "| ")
