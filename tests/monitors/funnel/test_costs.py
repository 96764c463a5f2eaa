# SPDX-License-Identifier: BSD-3-Clause
"""Costs of trace-funnel designs agree with values computed by hand, also where no buffer lasts."""

from __future__ import annotations

import pytest

from hypermon._engine import load
from hypermon._model import cost, worker
from hypermon._model.schema import nested
from hypermon.monitors.funnel import costs
from tests.monitors.funnel.little import SCENARIO

pytestmark = [pytest.mark.worker, pytest.mark.usefixtures("worker")]


def values(**settings: object) -> dict[str, object]:
    from hypermon._inputs import scenario

    own = {path.replace("__", "."): value for path, value in settings.items()}
    return dict(scenario.find_one(SCENARIO).resolve(worker.schema(), {"monitor": "funnel", **own}, where="test").values)


def test_memory_is_that_of_fifos_links_funnels_and_buffers() -> None:
    """16 sources on chips of 9 and 7: a tree of two funnels below a third, and one funnel."""
    design = values(
        nodes=16,
        funnel__sources=9,
        funnel_link__inputs=8,
        funnel_link__width_bits=32,
        funnel_link__fifo_words=4,
        funnel_source__fifo_bytes=100,
        funnel_source__link_words=3,
        funnel_sink__buffer_bytes=1024,
    )
    design["funnel_source[2].fifo_bytes"] = 200
    sources = 16 * (8 * 100 + 3 * 32) + 8 * 100
    funnels = (3 + 1) * 4 * 32
    sinks = 2 * 8 * 1024
    assert costs.trace_memory_bits(design) == sources + funnels + sinks  # type: ignore[arg-type]
    # A link has 32 wires of data, 2 that number its last byte, valid and ready.
    assert costs.trace_wires(design) == (16 + 3 + 1) * (32 + 2 + 2)  # type: ignore[arg-type]


def test_a_monitor_s_costs_are_terms_of_every_expression() -> None:
    design = values(nodes=8)
    assert cost.evaluate("cost.trace_wires", design) == costs.trace_wires(design)  # type: ignore[arg-type]
    assert cost.unit("cost.trace_memory_bits") == "bits"


def test_more_than_sinks_send_away_lasts_for_no_buffer() -> None:
    design = values(nodes=8, funnel__sources=4, funnel_sink__burst_bytes=64, funnel_sink__burst_ns=64000)
    result = {"spec": nested(design), "elapsed_s": 2.0, "monitor": {"stream": {"bytes": 5_000_000}}}  # type: ignore[arg-type]
    found = load.compute(result)
    assert found is not None
    assert found.per_s == 2.5e6
    assert found.capacity_per_s == pytest.approx(2e6)  # two chips
    assert not found.lasts
    assert load.compute(result | {"spec": nested(design | {"funnel_sink.reads": "at_end"})}) is None  # type: ignore[arg-type]
