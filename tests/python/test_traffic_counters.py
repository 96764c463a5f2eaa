# SPDX-License-Identifier: BSD-3-Clause
"""Counters of bytes grow during messages as a naive integration of their rates predicts."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import hypermon

pytestmark = [
    pytest.mark.worker,
    pytest.mark.usefixtures("worker"),
    pytest.mark.skipif(shutil.which("smpicc") is None, reason="smpicc is not installed"),
]
LONG, SHORT = 4_000_000, 2_000_000
BYTES_PER_S = 12.5e6
# Rank 0 sends to ranks 1 and 2 at once: both messages share its cable until the shorter one ends.
PROGRAM = f"""
#include <hypermon.h>
#include <mpi.h>
#include <stdlib.h>
int main(int argc, char** argv) {{
  int me;
  char* buffer = malloc({LONG});
  MPI_Request sent[2];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  if (me == 0) {{
    MPI_Isend(buffer, {LONG}, MPI_CHAR, 1, 0, MPI_COMM_WORLD, &sent[0]);
    MPI_Isend(buffer, {SHORT}, MPI_CHAR, 2, 0, MPI_COMM_WORLD, &sent[1]);
    MPI_Waitall(2, sent, MPI_STATUSES_IGNORE);
  }} else {{
    MPI_Recv(buffer, me == 1 ? {LONG} : {SHORT}, MPI_CHAR, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }}
  hypermon_charge(1000, 1e5); /* so that the counters are read once more */
  return MPI_Finalize();
}}
"""
MACHINE: dict[str, Any] = {
    "nodes": 3, "machine.topology": "star", "network.bandwidth_mb_per_s": BYTES_PER_S / 1e6, "network.short_hop_us": 30,
    "node.clock_drift_ppm": 0, "node.clock_offset_us": 0, "node.start_spread_us": 0, "lan.count": 1, "machine.beside": 1,
    "monitor": "pcp", "pcp.interval_s": 0.01, "pcp.counters": "interface.bytes_sent interface.bytes_received",
}  # fmt: skip
"""PCP's own messages take another network."""
MESSAGES = {
    "smpi": {"smpi.latency_factor": "0:1", "smpi.bandwidth_factor": "0:1"},
    "nx2": {},
}


def counters(folder: Path, settings: dict[str, Any]) -> dict[Any, Any]:
    """Counters by name and node, over the true time in seconds."""
    folder.mkdir()
    (folder / "two.c").write_text(PROGRAM)
    run = hypermon.run(program=str(folder / "two.c"), settings={**MACHINE, **settings}, out=folder / "run")
    frame = run.samples.to_pandas()
    frame["s"] = frame["true_ps"] * 1e-12
    return {
        (name, node): of.set_index("s")["value"]
        for name, by_node in frame.groupby("counter")
        for node, of in by_node.groupby("node")
    }


def test_packets_count_when_an_interface_has_served_them(tmp_path: Path) -> None:
    """Rank 0 sends to ranks 1 and 2 at once: their packets alternate on its edge until the shorter message ends."""
    packet, edge = 100_000, 10.0
    found = counters(
        tmp_path / "run",
        {
            "machine.messages": "packets",
            "packets.network": "packets",
            "packets.packet_bytes": packet,
            "packets.edge_mib_per_s": edge,
            "packets.edge_latency_us": 0,
            "pcp.interval_s": 0.03,
        },
    )
    rate = edge * 2**20
    sent = found["interface.bytes_sent", 0]
    to_1, to_2 = found["interface.bytes_received", 1], found["interface.bytes_received", 2]
    small = 1000  # headers, announcements
    # Packets of both messages wait behind the sender's interface: in its edge to the memory, the memory, and the edge.
    for of, whole, share, most_off in ((sent, LONG + SHORT, 1.0, 6 * packet), (to_2, SHORT, 0.5, 2 * packet)):
        under_way = of[(of > small) & (of < whole)]
        assert len(under_way) > 8
        passed = under_way - under_way.iloc[0]
        expected = share * rate * (under_way.index - under_way.index[0])
        assert np.abs(passed - expected).max() <= most_off
    assert LONG + SHORT <= sent.iloc[-1] <= LONG + SHORT + small
    assert LONG <= to_1.iloc[-1] <= LONG + small
    assert SHORT <= to_2.iloc[-1] <= SHORT + small
    for of in found.values():
        assert (np.diff(of) >= 0).all()


@pytest.mark.parametrize("messages", MESSAGES)
def test_bytes_of_transfers_that_share_a_cable_pass_at_their_rates(messages: str, tmp_path: Path) -> None:
    found = counters(tmp_path / "run", {"machine.messages": messages, **MESSAGES[messages]})
    sent = found["interface.bytes_sent", 0]
    to_1, to_2 = found["interface.bytes_received", 1], found["interface.bytes_received", 2]
    small = 1000  # headers, requests and grants
    together = to_2[(to_2 > small) & (to_2 < SHORT)]
    alone = to_1[(to_1 > SHORT + small) & (to_1 < LONG)]
    assert len(together) > 20  # 0.32 s, all 10 ms
    assert len(alone) > 10  # 0.16 s
    for of, rate in ((together, BYTES_PER_S / 2), (alone, BYTES_PER_S)):
        assert np.diff(of) == pytest.approx(rate * np.diff(of.index), abs=2)
    both = to_1[(to_1 > small) & (to_1 < SHORT)]
    assert np.diff(both) == pytest.approx(BYTES_PER_S / 2 * np.diff(both.index), abs=2)
    under_way = sent[(sent > small) & (sent < LONG + SHORT)]
    assert np.diff(under_way) == pytest.approx(BYTES_PER_S * np.diff(under_way.index), abs=4)
    assert LONG + SHORT <= sent.iloc[-1] <= LONG + SHORT + small
    assert LONG <= to_1.iloc[-1] <= LONG + small
    assert SHORT <= to_2.iloc[-1] <= SHORT + small
    for of in found.values():
        assert (np.diff(of) >= 0).all()
