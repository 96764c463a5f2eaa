"""What a design costs: bits of memory on the capture boards, and the bandwidth of the bus behind them."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping
from typing import Any

from hypermon._model import expressions
from hypermon._model.schema import Value, nested
from hypermon.errors import UserError

Cost = str | Callable[[Mapping[str, Value]], float]
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


TERMS: dict[str, tuple[str, Callable[[Mapping[str, Value]], float]]] = {
    "memory_bits": ("bits", memory_bits),
    "bandwidth_bytes_per_s": ("B/s", bandwidth_bytes_per_s),
}


def evaluate(cost: Cost, values: Mapping[str, Value]) -> float:
    """A cost of a resolved specification: a function of its values, or an expression over parameters and costs.

    `"cost.memory_bits + 64 * cost.bandwidth_bytes_per_s / 1e6"`, `"ecb.frame_fifo_frames / pbx.word_ns"`.
    """
    if callable(cost):
        return float(cost(values))
    names = {**nested(values), "cost": terms(values)}
    try:
        value = expressions.evaluate(cost, names)
    except expressions.ExpressionError as error:
        known = ", ".join(f"cost.{name}" for name in TERMS)
        raise UserError(
            f"cost: {error}".split("; it has")[0] + f": must be arithmetic over parameters, {known}"
        ) from None
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise UserError(f"cost = {cost}: must be a number, is {value}")
    return float(value)


def terms(values: Mapping[str, Value]) -> dict[str, float]:
    """The costs that this machine has: one without capture boards has none of theirs."""
    found = {}
    for name, (_, term) in TERMS.items():
        with contextlib.suppress(KeyError):
            found[name] = term(values)
    return found


def unit(cost: Cost) -> str:
    """The unit of a cost that is a term alone; nothing is known of others."""
    return TERMS[cost.removeprefix("cost.")][0] if isinstance(cost, str) and cost.removeprefix("cost.") in TERMS else ""


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
