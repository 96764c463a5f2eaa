# SPDX-License-Identifier: BSD-3-Clause
"""Counters of FM and MPID on the platform hpvm_nt, whose messages are SMPI's, as the monitor collects them."""

from __future__ import annotations

from pathlib import Path

import pytest

import hypermon
from tests.python import both_ways

pytestmark = [pytest.mark.worker, pytest.mark.usefixtures("worker")]
RANKS = 5
HEADER = 16  # SMPI's


def test_what_is_collected_of_messages_and_queues_is_what_the_program_sends(tmp_path: Path) -> None:
    program = both_ways.compiled("../../monitors/hpvm/counted.c", tmp_path)
    settings = {
        "workload": "program", "program.file": str(program), "nodes": RANKS, "monitor": "hpvm", "hpvm.interval_s": 0.1,
        "hpvm.counters": "fm_data_transfer mpi_messages queues messages.sent messages.received memory.message_buffers",
    }  # fmt: skip
    result = hypermon.run("hpvm/cholesky", out=tmp_path / "run", settings=settings)
    frame = result.samples.to_pandas()
    early = frame[frame["true_ps"].between(0.5e12, 0.9e12)]  # the message is sent, but no receive is posted
    late = frame[frame["true_ps"] > 1.5e12]

    def value(of: object, counter: str, node: int) -> int:
        rows = of[(of["counter"] == counter) & (of["node"] == node)]  # type: ignore[index]
        return int(rows.groupby(["part", "item"])["value"].last().sum())

    for rank in range(RANKS):
        left = (rank - 1) % RANKS
        assert value(early, "queue.unexpected", rank) == left + 1
        assert value(early, "memory.message_buffers", rank) == 100 * (rank + 1) ** 2
        assert value(early, "messages.received", rank) == 0
        assert value(early, "interface.bytes_sent", rank) == 0
        for when in (early, late):
            assert value(when, "messages.sent", rank) == rank + 1
            assert value(when, "messages.bytes_sent", rank) == 100 * (rank + 1) ** 2
            assert value(when, "queue.posted", rank) == 0
        assert value(late, "messages.received", rank) == left + 1
        assert value(late, "messages.bytes_received", rank) == 100 * (left + 1) ** 2
        assert value(late, "interface.bytes_sent", rank) == (100 * (rank + 1) + HEADER) * (rank + 1)
        assert value(late, "interface.bytes_received", rank) == (100 * (left + 1) + HEADER) * (left + 1)
        assert value(late, "queue.unexpected", rank) == value(late, "memory.message_buffers", rank) == 0
    sent = late[late["counter"] == "messages.sent"]
    sizes = sent[sent["value"] > 0].groupby("node")["item"].agg(set).to_dict()
    assert sizes == {0: {"64-127"}, 1: {"128-255"}, 2: {"256-511"}, 3: {"256-511"}, 4: {"256-511"}}
