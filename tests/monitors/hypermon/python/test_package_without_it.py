# SPDX-License-Identifier: BSD-3-Clause
"""The HYPERMON monitor's Python part works without other monitors, and is removed completely with its folder."""

from __future__ import annotations

from pathlib import Path

import pytest

from hypermon.monitors.hypermon import MONITOR
from tests.python.test_monitors import copied, python, without


@pytest.mark.worker
@pytest.mark.usefixtures("worker")
def test_it_records_replays_and_sizes_where_another_monitor_is_missing(tmp_path: Path) -> None:
    code = """
import hypermon
recorded = hypermon.record("table2/life", nodes=2, monitor="hypermon", life={"generations": 2}, out="recorded")
assert hypermon.replay(recorded).text == recorded.result_text
assert hypermon.size(recorded, vary="ecb.frame_fifo_frames").reached
"""
    copy = copied(tmp_path / "copy")
    with without("software", copy, tmp_path / "aside"):
        done = python(code, copy, tmp_path)
    assert done.returncode == 0, done.stderr


def test_its_names_and_commands_go_with_its_folder(tmp_path: Path) -> None:
    code = f"""
import hypermon
from hypermon.cli.app import app
assert not [name for name in {[*MONITOR.names()]} if hasattr(hypermon, name)]
commands = [command.name for command in app.registered_commands]
assert not [name for name in {[*MONITOR.commands()]} if name in commands]
"""
    copy = copied(tmp_path / "copy")
    with without("hypermon", copy, tmp_path / "aside"):
        done = python(code, copy, tmp_path)
    assert done.returncode == 0, done.stderr
