# SPDX-License-Identifier: BSD-3-Clause
"""Completions that the shell offers for the HYPERMON monitor's commands."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.python.test_complete import offered


@pytest.mark.usefixtures("fake")
def test_presets_and_scenarios_are_offered() -> None:
    assert "port/figure8" in offered("record table2/place --preset port/figure")
    assert "table2/matmul" in offered("study perturbation table2/m")


@pytest.mark.usefixtures("fake")
def test_recordings_are_offered_and_the_folders_that_lead_there() -> None:
    for name, file in (("a", "result.json"), ("b", "recording.arrow"), ("c", "other")):
        Path("runs", name).mkdir(parents=True)
        Path("runs", name, file).touch()
    Path("runs/b/result.json").touch()
    assert offered("replay runs/") == ["runs/a/", "runs/b", "runs/c/"]
    assert offered("frontier runs/b") == ["runs/b"]
