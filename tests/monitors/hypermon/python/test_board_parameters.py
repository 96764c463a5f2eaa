# SPDX-License-Identifier: BSD-3-Clause
"""Parameters of the boards, from the command line to a result."""

from __future__ import annotations

from pathlib import Path

import pytest

from hypermon._engine import runner
from tests.conftest import Hypermon

pytestmark = [pytest.mark.worker, pytest.mark.usefixtures("worker", "_in_a_folder_of_its_own")]


@pytest.fixture
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--set", "ecb.window_ns=30"), "ecb.window_ns = 30: must be a multiple of 50"),
        (("--set", "ecb[0].window_ns=30"), "ecb[0].window_ns = 30: must be a multiple of 50"),
        (
            ("--set", "nodes=8", "--set", "ecb[1].window_ns=800"),
            "ecb[1].window_ns = 800: no such board; nodes = 8 with ecb.inputs = 16",
        ),
        (("--set", "ecb[0].inputs=8"), "ecb[0].inputs: is the same of all; set ecb.inputs (--set)"),
        (("--set", "ecb.wrap_frames=1"), "ecb.wrap_frames = 1: must be true or false (--set)"),
        (
            ("--set", "ecb[0].timestamp_policy=on_request", "--set", "ecb.inputs=32"),
            'ecb.inputs = 32: must be 1 to 31 with ecb[0].timestamp_policy = "on_request" (--set)',
        ),
        (
            ("--set", "ecb.timestamp_policy=on_request", "--set", "ecb.wrap_frames=true"),
            'ecb.wrap_frames = true: must be false with ecb.timestamp_policy = "on_request" (--set)',
        ),
    ],
)
def test_bad_input_is_one_line(hypermon: Hypermon, arguments: tuple[str, ...], message: str) -> None:
    done = hypermon("run", "table2/matmul", *arguments)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert message in done.stderr
    assert list(Path.cwd().iterdir()) == []


def test_a_result_names_what_a_board_has_of_its_own() -> None:
    settings = {"ecb.inputs": 2, "ecb[0].frame_fifo_frames": 1024, "ecb[1]": {"wrap_frames": True, "window_ns": 400}}
    result = runner.run("table2/matmul", nodes=4, monitor="none", matmul={"size": 16}, settings=settings)
    assert result["spec"]["ecb"]["window_ns"] == 800
    assert result["spec"]["ecb[1]"] == {"window_ns": 400, "wrap_frames": True}
    assert "ecb[0]" not in result["spec"]
    assert result.value('spec["ecb[1]"].window_ns') == 400


def test_a_switch_is_described(hypermon: Hypermon) -> None:
    shown = [line.split(maxsplit=1) for line in hypermon("params", "ecb.wrap_frames").stdout.splitlines()]
    assert ["default", "false"] in shown
    assert ["allowed", "true or false"] in shown
    assert ["parameter", "ecb[2].wrap_frames"] in [
        line.split() for line in hypermon("params", "ecb[2].wrap_frames").stdout.splitlines()
    ]
