# SPDX-License-Identifier: BSD-3-Clause
"""Costs of a trace funnel: bits of memory in its FIFOs and buffers, wires of its links, bandwidth of its sinks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from hypermon._model.cost import Term
from hypermon._model.schema import Value

CONTROL_WIRES = 2
"""Wires of a link for the signals valid and ready, beside data and byte count (docs/design/funnel.md)."""


def trace_memory_bits(values: Mapping[str, Value]) -> int:
    """Returns the bits in the FIFOs of sources, links and funnels, and in the sinks' buffers."""
    word = _number(values, "funnel_link.width_bits")
    nodes = _number(values, "nodes")
    sources = sum(
        8 * _of_source(values, node, "fifo_bytes") + word * _of_source(values, node, "link_words")
        for node in range(nodes)
    )
    behind = sum(len(funnels) for funnels in _trees(values)) * word * _number(values, "funnel_link.fifo_words")
    return sources + behind + len(_trees(values)) * 8 * _number(values, "funnel_sink.buffer_bytes")


def trace_wires(values: Mapping[str, Value]) -> int:
    """Returns the wires of all links of sources and between funnels: data, number of valid bytes, valid and ready."""
    width = _number(values, "funnel_link.width_bits")
    link = width + (width // 8 - 1).bit_length() + CONTROL_WIRES
    return link * (_number(values, "nodes") + sum(len(funnels) for funnels in _trees(values)))


def trace_bytes_per_s(values: Mapping[str, Value]) -> float:
    """Returns the total rate at which the sinks of all chips can send data, bytes/s."""
    burst_ns = float(_number_or_float(values, "funnel_sink.burst_ns"))
    return len(_trees(values)) * _number(values, "funnel_sink.burst_bytes") * 1e9 / burst_ns


TERMS: Mapping[str, Term] = {
    "trace_memory_bits": Term("bits", trace_memory_bits),
    "trace_wires": Term("wires", trace_wires),
    "trace_bytes_per_s": Term("B/s", trace_bytes_per_s),
}


def _trees(values: Mapping[str, Value]) -> list[list[int]]:
    """Returns for each chip the numbers of inputs of its funnels, from the sources to the root."""
    return [list(_tree(sources, _number(values, "funnel_link.inputs"))) for sources in _chips(values)]


def _chips(values: Mapping[str, Value]) -> list[int]:
    nodes, of_chip = _number(values, "nodes"), _number(values, "funnel.sources")
    return [min(of_chip, nodes - first) for first in range(0, nodes, of_chip)]


def _tree(inputs: int, most: int) -> Iterator[int]:
    while True:
        level = [min(most, inputs - first) for first in range(0, inputs, most)]
        yield from level
        if len(level) == 1:
            return
        inputs = len(level)


def _of_source(values: Mapping[str, Value], node: int, name: str) -> int:
    own = f"funnel_source[{node}].{name}"
    return _number(values, own if own in values else f"funnel_source.{name}")


def _number(values: Mapping[str, Any], path: str) -> int:
    return int(values[path])


def _number_or_float(values: Mapping[str, Any], path: str) -> float:
    return float(values[path])
