# SPDX-License-Identifier: BSD-3-Clause
"""Costs of a design of the HYPERMON monitor: bits of memory on the capture boards, and bandwidth of their buses."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hypermon._model.cost import Term
from hypermon._model.schema import Value

WORD_BITS = 32
WORD_BYTES = WORD_BITS // 8


def memory_bits(values: Mapping[str, Value]) -> int:
    """Bits in the FIFOs of all capture boards: node FIFOs, strobe-vector and timestamp FIFOs, frame FIFO.

    `values` are those of a resolved specification. Memory of the nodes and of the I/O node is not counted.
    """
    return sum(_board_bits(values, board) for board in range(_boards(values)))


def bandwidth_bytes_per_s(values: Mapping[str, Value]) -> float:
    """Bytes per second that the boards' buses can carry together: a word of 32 bits every `pbx.word_ns`."""
    return _boards(values) * WORD_BYTES * 1e9 / _number(values, "pbx.word_ns")


TERMS: Mapping[str, Term] = {
    "memory_bits": Term("bits", memory_bits),
    "bandwidth_bytes_per_s": Term("B/s", bandwidth_bytes_per_s),
}


def _board_bits(values: Mapping[str, Value], board: int) -> int:
    def of(name: str) -> int:
        own = f"ecb[{board}].{name}"
        return _number(values, own if own in values else f"ecb.{name}")

    inputs, stamp = _number(values, "ecb.inputs"), of("timestamp_bits")
    datum = of("accumulate_bits") or _number(values, "port.width_bits")
    words = -(-inputs * datum // WORD_BITS) + -(-inputs // WORD_BITS) + -(-stamp // WORD_BITS)  # spec sec. 6
    return (
        of("frame_fifo_frames") * words * WORD_BITS
        + inputs * of("node_fifo_entries") * datum
        + of("vector_fifo_entries") * (inputs + stamp)
    )


def _boards(values: Mapping[str, Value]) -> int:
    return -(-_number(values, "nodes") // _number(values, "ecb.inputs"))


def _number(values: Mapping[str, Any], path: str) -> int:
    return int(values[path])
