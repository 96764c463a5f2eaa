# SPDX-License-Identifier: BSD-3-Clause
"""Costs of a design of the HYPERMON monitor: memory, bandwidth of the buses, resources of synthesized boards."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from hypermon._model.cost import Term
from hypermon._model.schema import Value
from hypermon._model.spec import Spec

if TYPE_CHECKING:
    from hypermon.monitors.hypermon.rtl_project.synthesis import Resources

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


def luts(values: Mapping[str, Value]) -> int:
    """Look-up tables of all boards on an iCE40."""
    return sum(one.luts for one in _resources(values))


def flip_flops(values: Mapping[str, Value]) -> int:
    """Flip-flops of all boards on an iCE40."""
    return sum(one.flip_flops for one in _resources(values))


def memory_blocks(values: Mapping[str, Value]) -> int:
    """Block RAMs of 4096 bits of all boards on an iCE40."""
    return sum(one.memory_blocks for one in _resources(values))


TERMS: Mapping[str, Term] = {
    "memory_bits": Term("bits", memory_bits),
    "bandwidth_bytes_per_s": Term("B/s", bandwidth_bytes_per_s),
    "luts": Term("", luts, is_slow=True),
    "flip_flops": Term("", flip_flops, is_slow=True),
    "memory_blocks": Term("", memory_blocks, is_slow=True),
}


def _resources(values: Mapping[str, Value]) -> list[Resources]:
    """Returns the resources of each board. Yosys synthesizes each structure once."""
    from hypermon.monitors.hypermon.rtl_project import structure, synthesis

    spec = Spec("", values)
    found = []
    for board in range(_boards(values)):
        structure.require_covered(spec, board)
        found.append(synthesis.synthesize(structure.from_values(spec.component("ecb", board))))
    return found


def _board_bits(values: Mapping[str, Value], board: int) -> int:
    def setting(name: str) -> int:
        own = f"ecb[{board}].{name}"
        return _number(values, own if own in values else f"ecb.{name}")

    inputs, stamp = _number(values, "ecb.inputs"), setting("timestamp_bits")
    datum = setting("accumulate_bits") or _number(values, "port.width_bits")
    words = -(-inputs * datum // WORD_BITS) + -(-inputs // WORD_BITS) + -(-stamp // WORD_BITS)  # spec sec. 6
    return (
        setting("frame_fifo_frames") * words * WORD_BITS
        + inputs * setting("node_fifo_entries") * datum
        + setting("vector_fifo_entries") * (inputs + stamp)
    )


def _boards(values: Mapping[str, Value]) -> int:
    return -(-_number(values, "nodes") // _number(values, "ecb.inputs"))


def _number(values: Mapping[str, Any], path: str) -> int:
    return int(values[path])
