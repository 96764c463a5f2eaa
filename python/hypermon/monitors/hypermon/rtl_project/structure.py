# SPDX-License-Identifier: BSD-3-Clause
"""A design's structure: the parameters of the board's Verilog module, and what the RTL does not cover."""

from __future__ import annotations

from collections.abc import Mapping

from hypermon._inputs.programs import rtl
from hypermon._model.schema import Value
from hypermon._model.spec import Spec
from hypermon.errors import UserError

Structure = Mapping[str, int]
"""Values of the parameters of capture_board.v, by name."""
CLOCK_NS = 50
WORD_BITS = 32
_NOT_COVERED: Mapping[str, tuple[object, str]] = {
    "monitor": ("hypermon", "only this monitor has a capture board"),
    **dict.fromkeys(
        (f"erb.{name}_ns" for name in ("skew", "setup", "min_pulse", "narrowing", "pulse")),
        (0, "the bench plays strobes of an ideal event regeneration board"),
    ),
    "ecb.module": ("", "the RTL is that of hypermon's own board"),
    "ecb.rtl": ("", "the RTL is that of hypermon's own board"),
    "ecb.wrap_frames": (False, "the RTL makes no empty frames when the timestamp wraps"),
    "ecb.reset_skew_ns": (0, "the RTL counts from the edge that samples reset; raise reset later instead"),
    "faults.garbage_frames": (0, "the FIFOs of the RTL are empty after a reset"),
    "pbx.burst_start_ns": (0, "the bench begins each burst without a delay"),
    "pbx.register_read_ns": (0, "the bench reads no status and no frame count"),
    "pbx.module": ("", "the RTL ends at the pins of the register bus"),
}
"""Parameters whose value the RTL requires, with the reason. docs/reference/board-pins.md lists them."""


def require_covered(spec: Spec, board: int) -> None:
    """Raises a UserError for a parameter that the RTL or its pins do not cover."""
    values = spec.component("ecb", board)
    for path, (wanted, reason) in _NOT_COVERED.items():
        if values[path] != wanted and not (path == rtl.FILE and rtl.is_bundled_board(values)):
            raise _refused(spec, board, path, f"must be {_shown(wanted)} for RTL: {reason}")
    if int(values["ecb.window_ns"]) % CLOCK_NS:
        raise _refused(spec, board, "ecb.window_ns", f"must be a multiple of the clock period of {CLOCK_NS} ns for RTL")
    if int(values["pbx.word_ns"]) < CLOCK_NS:
        raise _refused(
            spec, board, "pbx.word_ns", f"must be at least {CLOCK_NS} for RTL: the bus has one word in a clock period"
        )


def from_values(values: Mapping[str, Value]) -> Structure:
    """Returns the structure of a board with these values."""

    def number(path: str) -> int:
        return int(values[path])

    width = number("port.width_bits")
    return {
        "INPUTS": number("ecb.inputs"),
        "WIDTH": width,
        "DATA_PER_WORD": max(width, number("ecb.accumulate_bits")) // width,
        "WINDOW_CYCLES": number("ecb.window_ns") // CLOCK_NS,
        "NODE_ENTRIES": number("ecb.node_fifo_entries"),
        "VECTOR_ENTRIES": number("ecb.vector_fifo_entries"),
        "FRAMES": number("ecb.frame_fifo_frames"),
        "BUILDER_CYCLES": number("ecb.builder_cycles"),
        "TIMESTAMP_BITS": number("ecb.timestamp_bits"),
        "STAMP_ON_REQUEST": int(values["ecb.timestamp_policy"] == "on_request"),
        "NODE_STALLS": int(values["ecb.node_fifo_full"] == "stall"),
        "VECTOR_DROPS_OLDEST": int(values["ecb.vector_fifo_full"] == "drop_oldest"),
        "FRAME_DROPS_OLDEST": int(values["ecb.frame_fifo_full"] == "drop_oldest"),
        "FRAME_STALLS": int(values["ecb.frame_fifo_full"] == "stall"),
    }


def data_words(structure: Structure) -> int:
    """Returns the number of data words in a frame."""
    return _words(structure["INPUTS"] * structure["WIDTH"] * structure["DATA_PER_WORD"])


def stamp_words(structure: Structure) -> int:
    """Returns the number of words in a timestamp."""
    return _words(structure["TIMESTAMP_BITS"])


def memory_bits(structure: Structure) -> int:
    """Returns the number of bits in all FIFOs of the RTL."""
    word = structure["WIDTH"] * structure["DATA_PER_WORD"]
    inputs, stamp = structure["INPUTS"], structure["TIMESTAMP_BITS"]
    return (
        structure["FRAMES"] * (inputs * word + inputs + 1 + stamp)
        + inputs * structure["NODE_ENTRIES"] * (word + 1)
        + structure["VECTOR_ENTRIES"] * (inputs + stamp)
    )


def _words(bits: int) -> int:
    return -(-bits // WORD_BITS)


def _refused(spec: Spec, board: int, path: str, reason: str) -> UserError:
    group, _, name = path.partition(".")
    own = f"{group}[{board}].{name}"
    at = own if own in spec.values else path
    return spec.located(UserError(f"{at} = {_shown(spec.values[at])}: {reason}"))


def _shown(value: object) -> str:
    text = str(value).lower() if isinstance(value, bool) else str(value)
    return text.partition("@sha256:")[0] or "empty"
