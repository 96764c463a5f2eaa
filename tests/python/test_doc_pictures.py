# SPDX-License-Identifier: BSD-3-Clause
"""The pictures of README.md and docs/ come from the commands on their pages, and are up to date."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from types import ModuleType

import pytest

from hypermon._files import places

ROOT = places.TREE
OTHERS = {
    "chain.svg": "is drawn by hand",
    "board-timing.svg": "has a script of its own and a test of its inputs (test_board_timing.py)",
}


@pytest.fixture(scope="module")
def script() -> ModuleType:
    file = ROOT / "scripts" / "pictures"
    module = ModuleType("pictures_script")
    module.__file__ = str(file)
    exec(compile(file.read_text(encoding="utf-8"), file, "exec"), module.__dict__)  # writes no bytecode into scripts/
    return module


def words(text: str) -> str:
    return " ".join(re.sub(r"\\\n|[;>$]", " ", text).split())


def test_every_picture_of_a_page_has_its_commands_there(script: ModuleType) -> None:
    pages = {path: path.read_text(encoding="utf-8") for path in (ROOT / "README.md", *(ROOT / "docs").rglob("*.md"))}
    shown = {name for text in pages.values() for name in re.findall(r"images/([\w-]+\.(?:png|svg))\)", text)}
    every = script.read()
    assert shown == {*every, *OTHERS}
    for name, about in every.items():
        page = words(pages[ROOT / about["page"]])
        assert (ROOT / "docs" / "images" / name).is_file()
        for command in about["commands"]:
            if command.startswith("awk "):  # uses a file from the page, which the command does not show
                assert about["page"] in command, (name, command)
                continue
            wanted = command.split()[0] if command.startswith("scripts/") else words(command)
            by_hand = wanted.replace(f"-o docs/images/{name}", "").strip()
            assert by_hand in page, (name, wanted)


def test_every_picture_is_made_from_the_present_inputs(script: ModuleType) -> None:
    assert script.stale() == [], "run scripts/pictures --verify"


def test_a_changed_command_or_input_makes_a_picture_out_of_date(script: ModuleType, tmp_path: Path) -> None:
    about = script.read()["phases.png"]
    for pattern in about["inputs"]:
        file = tmp_path / pattern
        file.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / pattern, file)
    assert script.digest(about, tmp_path) == about["digest"]
    changed = {**about, "commands": [*about["commands"], "true"]}
    assert script.digest(changed, tmp_path) != about["digest"]
    with file.open("a") as out:
        out.write("# changed\n")
    assert script.digest(about, tmp_path) != about["digest"]
    with pytest.raises(SystemExit, match="no such file"):
        script.digest({**about, "inputs": ["nowhere/*"]}, tmp_path)
