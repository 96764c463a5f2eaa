# SPDX-License-Identifier: BSD-3-Clause
"""Charts are the same in every folder, whatever settings of Matplotlib are there or belong to the user."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
DRAW = """
import sys
sys.path.insert(0, sys.argv[1])
from hypermon import pictures
from tests.python.report_data import result
runs = [result(**{"spec.monitor": "none", "spec.nodes": nodes}) for nodes in (4, 8)]
pictures.save(pictures.latency(runs), sys.argv[2])
import matplotlib as mpl
print(mpl.rcParams["font.size"])
"""
OTHERS = "text.usetex: True\nfont.size: 30\nlines.linewidth: 9\nsavefig.facecolor: red\n"


def drawn(folder: Path, name: str, **environment: str) -> tuple[bytes, str]:
    folder.mkdir(exist_ok=True)
    done = subprocess.run(
        [sys.executable, "-c", DRAW, str(ROOT), name],
        cwd=folder, env={**os.environ, **environment}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    return (folder / name).read_bytes(), done.stdout.strip()


@pytest.mark.parametrize("name", ["a.svg", "a.png"])
def test_a_picture_does_not_depend_on_settings_in_the_current_folder(tmp_path: Path, name: str) -> None:
    usual, _ = drawn(tmp_path / "empty", name)
    for content in (OTHERS.encode(), b"\xff\xfe: not even text\n"):
        folder = tmp_path / "sent"
        folder.mkdir(exist_ok=True)
        (folder / "matplotlibrc").write_bytes(content)
        found, size = drawn(folder, name)
        assert found == usual
        assert size == "10.0"  # Matplotlib has not even read the file


def test_a_picture_does_not_depend_on_the_users_own_settings(tmp_path: Path) -> None:
    usual, _ = drawn(tmp_path / "empty", "a.svg")
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "matplotlibrc").write_text(OTHERS)
    found, size = drawn(tmp_path / "empty", "a.svg", MPLCONFIGDIR=str(tmp_path / "own"))
    assert found == usual
    assert size == "30.0"  # the user's own settings remain in use


def test_matplotlib_is_first_imported_in_one_place() -> None:
    """hypermon.pictures.library imports it without the current folder. Other code imports it inside functions that draw."""
    allowed = {"picture.py", "library.py"}
    found = []
    for file in (ROOT / "python").glob("hypermon*/**/*.py"):
        for node in ast.parse(file.read_text(encoding="utf-8")).body:
            names = [one.name for one in node.names] if isinstance(node, ast.Import) else []
            module = node.module or "" if isinstance(node, ast.ImportFrom) else ""
            if any(name.split(".")[0] == "matplotlib" for name in (*names, module)) and file.name not in allowed:
                found.append(str(file))
    assert found == []
