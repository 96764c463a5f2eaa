# SPDX-License-Identifier: BSD-3-Clause
"""Distribution of a sweep's designs: those that one pass over a recording counts together stay together."""

from __future__ import annotations

from hypermon._engine.sweeping.execute import chunks
from hypermon._engine.sweeping.plan import Group
from hypermon._engine.sweeping.store import COUNTS
from tests.python.test_sweep_parts import spec


def test_designs_that_differ_behind_the_frame_fifo_stay_together() -> None:
    designs = [(depth, window) for depth in range(6) for window in (400, 800)]
    specs = {f"{d}-{w}": spec(ecb__window_ns=w, ecb__frame_fifo_frames=d, pbx__word_ns=d) for d, w in designs}
    group = Group(spec(), "recording", tuple(specs))
    assert chunks(group, specs, COUNTS, jobs=2) == [[f"{d}-{w}" for d in range(6)] for w in (400, 800)]
