# SPDX-License-Identifier: BSD-3-Clause
"""Public functions take every kind of path."""

from __future__ import annotations

from pathlib import Path

import pytest

import hypermon


class Place:
    """A path that is neither a str nor a pathlib.Path."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __fspath__(self) -> str:
        return str(self.path)


@pytest.mark.worker
@pytest.mark.usefixtures("worker")
def test_a_path_of_any_kind_is_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "little.yaml").write_text("question: How long?\nset: {workload: matmul, nodes: 2, matmul.size: 16}\n")
    scenario, run, sweep = (Place(tmp_path / name) for name in ("little.yaml", "run", "sweep"))
    result = hypermon.run(scenario, out=run)
    assert hypermon.Result(run)["fingerprint"] == hypermon.Result(str(run.path)).fingerprint == result.fingerprint
    assert hypermon.Result(run).path == run.path
    hypermon.run(scenario, monitor="none", out=Place(tmp_path / "alone"))
    hypermon.report.write(run, Place(tmp_path / "page.html"), baseline=Place(tmp_path / "alone"))
    hypermon.sweep(scenario, vary={"pbx.word_ns": [500]}, metrics=["elapsed_s"], out=sweep)
    assert len(hypermon.Sweep(sweep).to_pandas()) == 1
    assert hypermon.compare(run, Place(tmp_path / "run")).kind == "runs"
    assert hypermon.check(scenario) == []
    recording = hypermon.record(scenario, out=Place(tmp_path / "recording"))
    assert hypermon.replay(Place(recording.path.parent)).fingerprint == result.fingerprint
    assert list(hypermon.frontier(scenario, [500])["word_ns"]) == [500]
    assert hypermon.size(scenario, vary={"ecb.frame_fifo_frames": [1024]}).value == 1024
