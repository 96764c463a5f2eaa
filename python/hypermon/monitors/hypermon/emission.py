# SPDX-License-Identifier: BSD-3-Clause
"""CPU time of writing an event to a node's performance port."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hypermon._model.catalogues import Event


def emission(values: Mapping[str, Any], event: Event) -> tuple[float, float]:
    """Returns the times before and after the first strobe, which the boards stamp, in us.

    Each datum, also the last one, has its instruction, which ends with its strobe, and then its delay loop
    (hw/hypermon/wiring/port_pace.hpp).
    """
    data = event.sizes["hardware_nibbles"] * 4 / values["port.width_bits"]
    instruction_us = values["port.nibble_cost_ns"] / 1e3
    pitch_us = instruction_us + values["port.delay"] * values["port.delay_iteration_ns"] / 1e3
    return instruction_us, data * pitch_us - instruction_us
