"""What an analyst makes of the processes' traces, against what happened."""

from __future__ import annotations

from pathlib import Path

import pytest

import hypermon
from tests.registered import needs

pytestmark = [pytest.mark.worker, pytest.mark.usefixtures("worker")]


def test_traces_are_the_truth_but_for_what_is_no_call(tmp_path: Path) -> None:
    """What ticks and tracing itself take of a process stands as computing in its trace."""
    settings = {"nodes": 4, "monitor": "hdtrace", "place.attempts": 400, **needs("hdtrace")}
    result = hypermon.run("table2/place", settings=settings, out=tmp_path / "run", activity=True)
    found = hypermon.judge(result)
    assert found.source == "traces"
    assert found.error_percent < found.guess_percent / 2
    for node in found.nodes:
        assert node.seen_percent >= node.computing_percent - 0.1
