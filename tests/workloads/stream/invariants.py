# SPDX-License-Identifier: BSD-3-Clause
"""Invariants of the result keys of streams."""

from __future__ import annotations

from tests.python.result_invariants import Case, invariant


@invariant("stream.rows", "stream.without_data", "stream.contents", "stream.begin", "stream.rounded_times")
@invariant("stream.reordered", "stream.padded", "stream.delayed", "stream.max_delay_us", "stream.ignored_columns")
def a_stream_s_rows_are_events_or_said_not_to_be(case: Case) -> None:
    if case.parameter("workload") != "stream":
        assert "stream" not in case.result
        return
    stream = case["stream"]
    assert stream["rows"] == case["events"] + stream["without_data"]
    for name in ("without_data", "rounded_times", "reordered", "padded", "delayed"):
        assert 0 <= stream[name] <= stream["rows"], name
    assert (stream["max_delay_us"] > 0) == (stream["delayed"] > 0)
    assert isinstance(stream["contents"], str)
    assert isinstance(stream["ignored_columns"], str)
    assert case.parameter("stream.begin") != "zero" or stream["begin"] in (0, "0")
