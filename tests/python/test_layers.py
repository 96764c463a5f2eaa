"""Folders of C++ depend on each other as the map in CONTRIBUTING.md says, and in no circle."""

from __future__ import annotations

import graphlib
import re
from collections import defaultdict
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
INCLUDE = re.compile(r'^\s*#include "([^"]+)"', re.MULTILINE)
ROW = re.compile(r"^\| `([\w/]+)/` \|.*\| ([^|]*) \|$")


def the_map() -> dict[str, set[str]]:
    """What each room says that it uses; rooms without such a column hold no C++."""
    text = (ROOT / "CONTRIBUTING.md").read_text()
    table = text.split("| room | what it holds | uses |")[1].split("\n\n")[0]
    rows = [ROW.match(line) for line in table.splitlines()[2:]]
    return {row[1]: set(re.findall(r"`([\w/]+)/`", row[2])) for row in rows if row}


def room_of(path: str, rooms: dict[str, set[str]]) -> str:
    """The innermost room that the file is in."""
    return max((room for room in rooms if path.startswith(room + "/")), key=len, default="")


def arrows(rooms: dict[str, set[str]]) -> dict[str, dict[str, str]]:
    """From room to room, with an include that makes it so."""
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


def test_generic_rooms_know_no_monitor() -> None:
    own = ("sw/monitors/", "hw/hypermon/", "waves")
    for room, uses in the_map().items():
        if not room.startswith(own):
            assert not [used for used in uses if used.startswith(own)], room
