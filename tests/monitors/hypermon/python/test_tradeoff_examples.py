# SPDX-License-Identifier: BSD-3-Clause
"""examples/tradeoffs run as they are, with small budgets."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[4] / "examples/tradeoffs"
pytestmark = [pytest.mark.worker, pytest.mark.usefixtures("worker")]


@pytest.mark.parametrize(
    ("name", "budget", "line"),
    [
        ("front", 6, "Of the 6\u202fdesigns that were tried, "),
        ("perturbation", 3, "port.delay  ecb.frame_fifo_frames  slowdown"),
        ("sensitivity", 4, "were moved to the nearest allowed values."),
    ],
)
def test_an_example_runs(tmp_path: Path, name: str, budget: int, line: str) -> None:
    command = [sys.executable, "-W", "error", str(EXAMPLES / f"{name}.py"), str(budget)]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert line in done.stdout


def test_every_example_is_run() -> None:
    assert {path.stem for path in EXAMPLES.glob("*.py")} == {"front", "perturbation", "sensitivity"}
