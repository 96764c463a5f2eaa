# SPDX-License-Identifier: BSD-3-Clause
"""The tutorial's notebooks run, and show their present output."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
NOTEBOOKS = sorted(path.relative_to(ROOT).as_posix() for path in ROOT.glob("docs/**/*.ipynb"))
EXECUTE = [sys.executable, str(ROOT / "scripts/notebook")]


@pytest.mark.worker
@pytest.mark.usefixtures("worker")
@pytest.mark.parametrize("name", NOTEBOOKS)
def test_a_notebook_gives_what_it_shows(name: str) -> None:
    done = subprocess.run([*EXECUTE, "--check", str(ROOT / name)], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, ""), done.stderr


CELL: dict[str, object] = {
    "cell_type": "code",
    "id": "one",
    "source": "1 + 1",
    "outputs": [],
    "execution_count": None,
    "metadata": {},
}


def write(page: Path, **cell: object) -> None:
    page.write_text(json.dumps({"cells": [CELL | cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}))


@pytest.fixture(scope="module")
def outputs(tmp_path_factory: pytest.TempPathFactory) -> object:
    """The outputs that are written into a page without outputs."""
    page = tmp_path_factory.mktemp("notebook") / "page.ipynb"
    write(page)
    subprocess.run([*EXECUTE, str(page)], check=True)
    outputs = json.loads(page.read_text())["cells"][0]["outputs"]
    assert outputs[0]["data"] == {"text/plain": ["2"]}
    return outputs


@pytest.mark.parametrize(
    ("source", "status", "message"),
    [
        ("1 + 1", 0, ""),
        ("1 + 2", 1, "page.ipynb, cell 0 is out of date: run scripts/notebook"),
        ("1 / 0", 1, "ZeroDivisionError"),
    ],
)
def test_a_notebook_that_is_out_of_date_or_fails_is_named(
    tmp_path: Path, outputs: object, source: str, status: int, message: str
) -> None:
    page = tmp_path / "page.ipynb"
    write(page, source=source, outputs=outputs)
    before = page.read_bytes()
    done = subprocess.run([*EXECUTE, "--check", str(page)], capture_output=True, text=True, check=False)
    assert done.returncode == status
    assert message in done.stdout + done.stderr
    assert page.read_bytes() == before


@pytest.mark.parametrize(("axes", "status"), [(1, 0), (2, 1)])
def test_of_a_picture_the_number_of_axes_is_compared(tmp_path: Path, axes: int, status: int) -> None:
    page = tmp_path / "page.ipynb"
    shown = {"image/png": "", "text/plain": ["<Figure size 1x1 with 1 Axes>"]}
    output = {"output_type": "display_data", "data": shown, "metadata": {}}
    source = f"%matplotlib inline\nfrom matplotlib import pyplot\n_ = pyplot.subplots(1, {axes})"
    write(page, source=source, outputs=[output])
    done = subprocess.run([*EXECUTE, "--check", str(page)], capture_output=True, text=True, check=False)
    assert done.returncode == status, done.stderr
