# SPDX-License-Identifier: BSD-3-Clause
"""The study of coverage gives the same results from Python as from its command."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from hypermon_studies.covering import cover


@pytest.mark.worker
def test_it_gives_what_the_command_prints(worker: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert worker.is_file()
    monkeypatch.chdir(tmp_path)
    found = cover({"nodes": 2, "ecb.frame_fifo_frames": 2})
    command = [sys.executable, "-m", "hypermon", "study", "coverage", "--json", "--out", "coverage"]
    command += ["--set", "nodes=2", "--set", "ecb.frame_fifo_frames=2"]
    printed = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    assert len(printed) == len(found.runs) > 8
    frame = found.to_pandas()
    assert list(frame["verdict"]) == [row["verdict"] for row in printed]
    assert list(frame["frames_lost"]) == [row["frames_lost"] for row in printed]
    losing = int((frame["verdict"] == "loses").sum())
    assert (
        repr(found)
        .splitlines()[1]
        .startswith(f"The monitor loses in {losing} of {len(frame)} runs" if losing else "The monitor loses nothing")
    )
