# SPDX-License-Identifier: BSD-3-Clause
"""Folders of C++ and rooms of Python depend on each other only as the tables of docs/design/rooms.md allow, without
cycles.
"""

from __future__ import annotations

import graphlib
import re
import subprocess
import sys
import tomllib
from collections import defaultdict
from functools import cache
from pathlib import Path

import pytest
from grimp import ImportGraph, build_graph

ROOT = Path(__file__).parents[2]
INCLUDE = re.compile(r'^\s*#include "([^"]+)"', re.MULTILINE)
FLOORS = ("base", "hw", "sw", "platforms", "python")
"""From the ground up."""
ROW = re.compile(r"^\| `([\w/]+)/` \|.*\| ([^|]*) \|$")


def the_map() -> dict[str, set[str]]:
    """The rooms that each room may use; rooms without that column have no C++."""
    text = (ROOT / "docs/design/rooms.md").read_text()
    table = text.split("| room | what it holds | uses |")[1].split("\n\n")[0]
    rows = [ROW.match(line) for line in table.splitlines()[2:]]
    return {row[1]: set(re.findall(r"`([\w/]+)/`", row[2])) for row in rows if row}


def room_of(path: str, rooms: dict[str, set[str]]) -> str:
    """The innermost room that contains the file."""
    return max((room for room in rooms if path.startswith(room + "/")), key=len, default="")


def arrows(rooms: dict[str, set[str]]) -> dict[str, dict[str, str]]:
    """Dependencies between rooms, each with an include that causes it."""
    found: dict[str, dict[str, str]] = defaultdict(dict)
    for folder in sorted({room.split("/")[0] for room in rooms}):
        for file in sorted((ROOT / folder).rglob("*")):
            if file.suffix not in {".cpp", ".hpp", ".h", ".inc"}:
                continue
            source = str(file.relative_to(ROOT))
            for target in INCLUDE.findall(file.read_text()):
                if not (ROOT / target).is_file():
                    continue  # relative, generated, or another library's
                start, end = room_of(source, rooms), room_of(target, rooms)
                if start != end:
                    found[start].setdefault(end, f"{source} includes {target}")
    return found


def test_every_file_is_in_a_room() -> None:
    rooms = the_map()
    assert "" not in arrows(rooms)
    assert all((ROOT / room).is_dir() for room in rooms)


def test_a_room_uses_what_the_map_says_and_nothing_else() -> None:
    rooms = the_map()
    found = arrows(rooms)
    undeclared = [why for room, uses in found.items() for used, why in uses.items() if used not in rooms[room]]
    assert undeclared == []
    unused = [f"{room} -> {used}" for room, uses in rooms.items() for used in uses if used not in found[room]]
    assert unused == []


def test_no_room_uses_itself_in_a_circle() -> None:
    try:
        tuple(graphlib.TopologicalSorter(the_map()).static_order())
    except graphlib.CycleError as error:
        pytest.fail(f"a circle: {error.args[1]}")


def test_the_floors_form_one_chain() -> None:
    """A room uses rooms of its own floor and of those below it."""
    upward = [
        f"{room} -> {used}"
        for room, uses in the_map().items()
        for used in uses
        if FLOORS.index(used.split("/")[0]) > FLOORS.index(room.split("/")[0])
    ]
    assert upward == []


def test_generic_rooms_know_no_monitor() -> None:
    own = ("sw/monitors/", "hw/hypermon/", "hw/funnel/", "python/bindings/")
    for room, uses in the_map().items():
        if not room.startswith(own):
            assert not [used for used in uses if used.startswith(own)], room


# Python. A room is a module or package directly in python/hypermon. docs/design/rooms.md has a table of them,
# pyproject.toml a contract.

CONTRACT = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]


@cache
def imports(with_annotations: bool, *packages: str) -> ImportGraph:
    return build_graph("hypermon", *packages, exclude_type_checking_imports=not with_annotations, cache_dir=None)


def python_map() -> dict[str, set[str]]:
    """The rooms that each room of Python may use, from the lowest floor up."""
    text = (ROOT / "docs/design/rooms.md").read_text()
    table = text.split("| room of Python | what it holds | uses |")[1].split("\n\n")[0]
    rows = [re.fullmatch(r"\| (.+?) \|.*\| ([^|]*) \|", line) for line in table.splitlines()[2:]]
    found: dict[str, set[str]] = {}
    for row in rows:
        assert row is not None
        uses = set(re.findall(r"`(\w+)`", row[2]))
        found |= dict.fromkeys(re.findall(r"`(\w+)`", row[1]), uses)
    return found


def python_arrows() -> dict[str, dict[str, str]]:
    """Dependencies between rooms, each with an import that causes it. The names that hypermon itself exports belong to
    no room.
    """
    found: dict[str, dict[str, str]] = defaultdict(dict)
    graph = imports(with_annotations=False)
    for module in sorted(graph.modules - {"hypermon"}):
        for used in sorted(graph.find_modules_directly_imported_by(module) - {"hypermon"}):
            start, end = (name.split(".")[1] for name in (module, used))
            if start != end:
                found[start].setdefault(end, f"{module} imports {used}")
    return found


def test_the_map_of_python_and_the_contract_have_the_same_rooms_in_the_same_order() -> None:
    (layers,) = (contract["layers"] for contract in CONTRACT["contracts"] if contract["type"] == "layers")
    rooms = [room for layer in reversed(layers) for room in layer.split(" | ")]
    assert list(python_map()) == rooms


def test_a_room_of_python_uses_what_the_map_says_and_nothing_else() -> None:
    rooms, found = python_map(), python_arrows()
    assert [why for room, uses in found.items() for used, why in uses.items() if used not in rooms[room]] == []
    rooms.pop("monitors")  # this row lists what a monitor may use, whether or not one does
    assert [f"{room} -> {used}" for room, uses in rooms.items() for used in uses if used not in found[room]] == []


CONTRACTS = ["pyproject.toml", *(str(file.relative_to(ROOT)) for file in ROOT.glob("python/*/importlinter.toml"))]


@pytest.mark.parametrize("file", CONTRACTS)
def test_the_contracts_are_kept(file: str) -> None:
    done = subprocess.run(
        [Path(sys.executable).with_name("lint-imports"), "--no-cache", "--config", file],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout


def test_no_module_of_python_needs_itself_in_a_circle() -> None:
    """Annotations count as well."""
    packages = [Path(file).parent.name for file in CONTRACTS[1:]]
    graph = imports(True, *packages)
    modules = graph.modules - {"hypermon", *packages}
    uses = {module: graph.find_modules_directly_imported_by(module) & modules for module in modules}
    try:
        tuple(graphlib.TopologicalSorter(uses).static_order())
    except graphlib.CycleError as error:
        pytest.fail(f"a circle: {error.args[1]}")


def test_generic_modules_of_python_name_no_monitor() -> None:
    """Neither imports nor texts that could be imported may name a monitor."""
    package = ROOT / "python" / "hypermon"
    named = [
        f"{file.relative_to(package)}: {line.strip()}"
        for file in sorted(package.rglob("*.py"))
        if file.relative_to(package).parts[0] != "monitors" and file != package / "__init__.py"
        for line in file.read_text().splitlines()
        if re.search(r"hypermon\.monitors\.[a-z]|hypermon_studies", line)
    ]
    assert named == []
