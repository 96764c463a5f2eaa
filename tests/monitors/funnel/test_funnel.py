# SPDX-License-Identifier: BSD-3-Clause
"""Whole runs of the trace funnel: costs of events, stalls, and the place of every loss, checked against the events."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

import hypermon
from hypermon import UserError, report
from hypermon._engine import recorder
from hypermon._engine.recording import Recording
from hypermon._model import catalogues
from tests.monitors.funnel.little import LITTLE, NARROW, SCENARIO, STORE_BYTES, STORE_NS, run, stored

pytestmark = [pytest.mark.worker, pytest.mark.usefixtures("worker")]
AMPLE = {"funnel_source.fifo_bytes": 1 << 20}
HOLDS = {"funnel_source.full": "stall"}


@pytest.fixture(scope="module")
def ample(tmp_path_factory: pytest.TempPathFactory) -> Recording:
    """A recording in which no buffer is ever full."""
    return recorder.record(SCENARIO, settings=LITTLE | AMPLE, out=tmp_path_factory.mktemp("ample") / "run")


@pytest.fixture(scope="module")
def narrow(tmp_path_factory: pytest.TempPathFactory) -> Recording:
    """A recording in which the sources produce far more than the sink takes."""
    return recorder.record(SCENARIO, settings=LITTLE | NARROW, out=tmp_path_factory.mktemp("narrow") / "run")


def result_of(recording: Recording, settings: dict[str, Any], out: Path) -> hypermon.Result:
    """A co-simulation of the same program on other hardware."""
    return hypermon.run(recording.spec.scenario, settings=LITTLE | settings, out=out)


def test_an_event_is_stored_as_its_code_and_arguments_in_whole_words(ample: Recording) -> None:
    by_code = {event.code: event for event in catalogues.events_of(ample.spec)}
    rows = ample.to_pandas()
    assert len(rows) == ample.result["events"] == ample.result["ledger"]["generated"]["events"] > 1000
    for data in rows["data"]:
        event = by_code[data[0]]
        assert len(data) == stored(event)
        assert not any(data[event.data_bytes :]), "zeros behind it"
    assert rows["data"].map(len).sum() == ample.result["ledger"]["generated"]["bytes"]
    assert set(rows["spacing_ps"]) == {STORE_NS * 1000}


def test_an_event_costs_its_node_its_stores_and_no_more(ample: Recording) -> None:
    ranks = ample.result["ranks"]
    assert ample.result["ledger"]["lost_total"] == {"bytes": 0, "events": 0}
    rank_of_row = ample.to_pandas().groupby("node")["data"].agg(lambda rows: rows.map(len).sum())
    for rank, own in zip(ranks, rank_of_row, strict=True):
        # The node's stores include those before and after the rank's own time.
        assert rank["monitor_s"] <= own // STORE_BYTES * STORE_NS * 1e-9 + 1e-12
        assert rank["monitor_s"] > 0.9 * own // STORE_BYTES * STORE_NS * 1e-9


def test_whether_sources_would_hold_does_not_matter_while_none_is_full(ample: Recording, tmp_path: Path) -> None:
    """An answer given later by SimGrid's timers must equal the answer given at once."""
    held = dict(result_of(ample, AMPLE | HOLDS, tmp_path / "run").to_dict())
    at_once = dict(ample.result)
    assert held.pop("spec") != at_once.pop("spec")
    assert held == at_once


def test_what_is_dropped_holds_nobody(ample: Recording, narrow: Recording) -> None:
    ledger = narrow.result["ledger"]
    assert ledger["lost_total"]["events"] > 100
    assert [loss["cause"] for loss in ledger["lost"] if loss["events"]] == ["fifo_full"]
    assert narrow.result["monitor"]["held_s"] == 0
    for key in ("fingerprint", "elapsed_s", "ranks", "events"):
        assert narrow.result[key] == ample.result[key], key


def test_full_sources_hold_their_nodes_by_what_their_programs_lose(ample: Recording, tmp_path: Path) -> None:
    result = result_of(ample, NARROW | HOLDS, tmp_path / "run")
    assert result["ledger"]["lost_total"]["events"] == 0
    assert result["elapsed_s"] > ample.result["elapsed_s"]
    stores = -(-result["ledger"]["generated"]["bytes"] // STORE_BYTES) * STORE_NS * 1e-9
    spent = sum(rank["monitor_s"] for rank in result["ranks"])
    held = result["monitor"]["held_s"]
    assert held > 0.1
    # Only the first and last events lie outside the ranks' own time.
    assert spent <= stores + held + 1e-9
    assert spent == pytest.approx(stores + held, rel=0.05)
    for source in result["monitor"]["sources"]:
        assert source["stalls"] > 0
        assert source["dropped"] == 0


def test_a_sink_that_is_read_at_the_end_keeps_the_first_or_the_last(tmp_path: Path) -> None:
    """A buffer that stops when it is full keeps the first events; a circular buffer keeps the last."""
    at_end = {"funnel_sink__reads": "at_end", "funnel_sink__buffer_bytes": 4096, "funnel_protocol__sync_every": 64}
    ends = {}
    for full, cause in (("drop", "buffer_full"), ("drop_oldest", "overwritten")):
        out = tmp_path / full
        recorded = recorder.record(
            SCENARIO,
            settings=LITTLE
            | {key.replace("__", "."): value for key, value in at_end.items()}
            | {"funnel_sink.full": full},
            out=out,
        )
        lost = {loss["cause"]: loss["events"] for loss in recorded.result["ledger"]["lost"] if loss["events"]}
        assert set(lost) - {"no_sync"} == {cause}
        assert recorded.result["monitor"]["sink"]["peak_bytes"] <= 4096
        events = hypermon.truth(recorded).events
        delivered = events[events["lost_cause"].isna()]
        assert (delivered["delivered_ps"] > recorded.program_end_ps).all(), "nobody reads before the program's end"
        assert recorded.result["monitor"]["late_events"] == len(delivered)
        ends[full] = (delivered["emitted_ps"].max(), delivered["emitted_ps"].min(), events["emitted_ps"].max())
    assert ends["drop"][0] < ends["drop_oldest"][1]
    assert ends["drop_oldest"][0] == ends["drop_oldest"][2]


def test_the_drawing_of_the_machine_shows_what_the_analyst_cannot_decode(tmp_path: Path) -> None:
    """With a circular buffer and rare synchronisation, the overwritten events and those that cannot be decoded are
    lost.
    """
    result = run(
        tmp_path / "run", funnel_sink__reads="at_end", funnel_sink__full="drop_oldest", funnel_sink__buffer_bytes=4096,
        funnel_protocol__sync_every=256,
    )  # fmt: skip
    lost = {(one["stage"], one["cause"]): one["events"] for one in result["ledger"]["lost"]}
    assert lost["analyst", "no_sync"] > 0
    machine = re.findall(r'<svg class="machine wide.*?</svg>', report.html(result.path or tmp_path), re.DOTALL)[0]
    assert ">analyst</text>" in machine
    assert machine.count(" lost</text>") == len({stage for (stage, _), events in lost.items() if events})


def test_each_event_has_one_fate_and_a_counter_s_timestamp(narrow: Recording) -> None:
    truth = hypermon.truth(narrow)
    events, result = truth.events, narrow.result
    delivered = events[events["lost_cause"].isna()]
    assert len(events) == result["events"]
    assert len(delivered) == result["ledger"]["delivered"]["events"]
    tick_ps = 1000 * result["spec"]["funnel_protocol"]["timestamp_ns"]
    stores = narrow.to_pandas()["data"].map(len) // STORE_BYTES
    assert (events["done_ps"] - events["emitted_ps"] == stores * STORE_NS * 1000).all()
    assert (events["true_ps"] - events["emitted_ps"] == STORE_NS * 1000).all()
    # The counter is read when the last store is done.
    assert (delivered["monitor_ps"] == delivered["done_ps"] // tick_ps * tick_ps).all()
    assert (delivered["delivered_ps"] > delivered["done_ps"]).all()
    assert result["monitor"]["late_events"] == int((delivered["delivered_ps"] > narrow.program_end_ps).sum())
    assert truth.spurious.empty


def test_a_counter_that_wraps_dates_right_while_its_chip_speaks_within_half_a_wrap(tmp_path: Path) -> None:
    """The counter wraps after 65536 * 3 us = 197 ms, which is shorter than the run; ticks occur every 50 ms."""
    own = {"funnel_protocol__timestamp_bits": 16, "funnel_protocol__timestamp_ns": 3000}
    result = run(tmp_path / "run", funnel_source__fifo_bytes=1 << 16, **own)
    assert result["elapsed_s"] > 2 * 65536 * 3e-6
    error = result["timestamp_error_us"]
    assert -3 < error["min"] < error["max"] < 3 * STORE_NS * 1e-3 + 1e-9


def test_chips_share_nothing(ample: Recording, tmp_path: Path) -> None:
    """Losses of the nodes of one chip must not depend on the nodes of another."""
    two = result_of(ample, NARROW | {"funnel.sources": 2}, tmp_path / "two")
    own = {"funnel_source[2].fifo_bytes": 4096, "funnel_source[3].fifo_bytes": 4096}
    other = result_of(ample, NARROW | {"funnel.sources": 2} | own, tmp_path / "other")
    assert two["monitor"]["sources"][:2] == other["monitor"]["sources"][:2]
    assert two["monitor"]["sources"][2:] != other["monitor"]["sources"][2:]


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"funnel_source.fifo_bytes": 16}, r"^funnel_source\.fifo_bytes = 16: must "),
        ({"funnel_source[2].port_bytes": 8}, r"^funnel_source\[2\]\.port_bytes = 8: must be at most 4"),
        ({"funnel_source[4].port_bytes": 4}, r"^funnel_source\[4\].*nodes = 4"),
        ({"funnel_formatter.format": "none"}, r"^funnel_formatter\.format = none: must be frames"),
        ({"funnel_sink.blackouts_ms": "1+"}, r"^funnel_sink\.blackouts_ms = "),
        ({"funnel_sink.buffer_bytes": 64}, r"^funnel_sink\.buffer_bytes = 64: must be at least"),
    ],
)
def test_a_design_that_cannot_be_is_refused_with_its_parameter(
    settings: dict[str, Any], message: str, tmp_path: Path
) -> None:
    with pytest.raises(UserError, match=message):
        hypermon.run(SCENARIO, settings=LITTLE | settings, out=tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_the_longest_event_of_the_catalogue_must_fit_into_each_source(tmp_path: Path) -> None:
    longest = max(stored(event) for event in catalogues.events("nx2"))
    with pytest.raises(UserError, match=rf"funnel_source\.fifo_bytes = \d+: must hold an event of {longest} bytes"):
        hypermon.run(SCENARIO, settings=LITTLE | {"funnel_source.fifo_bytes": longest + 4}, out=tmp_path / "run")
