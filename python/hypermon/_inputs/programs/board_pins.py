# SPDX-License-Identifier: BSD-3-Clause
"""Pins of a capture board in Verilog (docs/reference/board-pins.md)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

Pins = Mapping[str, Sequence[object]]  # by name: direction ("in", "out" or "inout") and number of bits

_PIN = re.compile(r"\bVL_(IN|OUT|INOUT)(?:8|16|64|W)?\(&(\w+),(\d+),(\d+)")
REQUIRED: Mapping[str, tuple[str, str]] = {
    "clock": ("in", "1"),
    "reset": ("in", "1"),
    "strobe": ("in", "INPUTS"),
    "data": ("in", "INPUTS * WIDTH"),
    "bus_begin": ("in", "1"),
    "bus_end": ("in", "1"),
    "bus_write": ("in", "1"),
    "bus_address": ("in", "4"),
    "bus_written": ("in", "32"),
    "bus_read": ("out", "32"),
}
OPTIONAL: Mapping[str, tuple[str, str]] = {
    "flag": ("in", "INPUTS"),
    "hold": ("out", "INPUTS"),
    "idle": ("out", "1"),
    "skip": ("in", "1"),
    "skip_cycle": ("in", "32"),
    "skip_window": ("in", "64"),
    "aliased": ("out", "INPUTS"),
    "node_overrun": ("out", "INPUTS"),
    "window_lost": ("out", "1"),
    "window_lost_of": ("out", "INPUTS"),
    "window_lost_at": ("out", "TIMESTAMP_BITS"),
    "frame_lost": ("out", "1"),
    "frame_lost_of": ("out", "INPUTS"),
    "frame_lost_at": ("out", "TIMESTAMP_BITS"),
    "frames_waiting": ("out", "32"),
}
ORIGINS: Mapping[str, str] = {
    "INPUTS": "ecb.inputs",
    "INPUTS * WIDTH": "ecb.inputs * port.width_bits",
    "TIMESTAMP_BITS": "ecb.timestamp_bits",
}
# Optional pins that need other pins.
NEEDS: Mapping[str, tuple[str, ...]] = {
    "skip": ("idle", "skip_cycle", "skip_window"),
    "skip_cycle": ("skip",),
    "skip_window": ("skip",),
    "window_lost_of": ("window_lost",),
    "window_lost_at": ("window_lost",),
    "frame_lost_of": ("frame_lost",),
    "frame_lost_at": ("frame_lost",),
}
# Outputs that have a meaning only while another pin is high.
ONLY_WITH: Mapping[str, str] = {
    "window_lost_of": "window_lost",
    "window_lost_at": "window_lost",
    "frame_built_of": "frame_built",
    "frame_lost_of": "frame_lost",
    "frame_lost_at": "frame_lost",
}


def read(header: str) -> dict[str, list[object]]:
    """Returns the pins that the header of a model made by Verilator declares."""
    return {name: [direction.lower(), int(high) - int(low) + 1] for direction, name, high, low in _PIN.findall(header)}


def find_mismatches(pins: Pins, inputs: int, width: int, timestamp_bits: int) -> list[str]:
    """Returns a line for each missing or wrong pin."""
    messages = []
    sizes = {"INPUTS": inputs, "INPUTS * WIDTH": inputs * width, "TIMESTAMP_BITS": timestamp_bits}
    for name, (direction, size) in {**REQUIRED, **OPTIONAL}.items():
        least = sizes.get(size) or int(size)
        most = 64 if size == "TIMESTAMP_BITS" else least  # more bits of the window's number do no harm
        bits = f"{least} to {most}" if most > least else f"{least}"
        named = f" ({ORIGINS[size]})" if size in ORIGINS else ""
        must = (
            f"must be {'an input' if direction == 'in' else 'an output'} of {bits} {'bit' if bits == '1' else 'bits'}"
        )
        if name not in pins:
            if name in REQUIRED:
                messages.append(f"{name}: is missing, {must}{named}")
        elif pins[name][0] != direction or not least <= int(str(pins[name][1])) <= most:
            messages.append(f"{name}: is {_text(pins[name])}, {must}{named}")
    for name, others in NEEDS.items():
        if name in pins and (absent := [other for other in others if other not in pins]):
            messages.append(f"{name}: needs {', '.join(absent)} beside it")
    for name, pin in pins.items():
        if name not in REQUIRED and name not in OPTIONAL and pin[0] != "out":
            messages.append(f"{name}: is {_text(pin)} that nothing drives")
    return messages


def _text(pin: Sequence[object]) -> str:
    kind = {"in": "an input", "out": "an output"}.get(str(pin[0]), "an inout")
    return f"{kind} of {pin[1]} {'bit' if pin[1] == 1 else 'bits'}"
