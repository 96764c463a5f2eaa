# SPDX-License-Identifier: BSD-3-Clause
"""Cost for a node to store an event in its trace port."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hypermon._model.catalogues import Event


def emission(values: Mapping[str, Any], event: Event) -> tuple[float, float]:
    """Returns the time before and after the timestamp, us, for the stores of the event's code and data.

    The timestamp is taken at the end of the first store (sw/monitors/funnel/stimulus_port.hpp).
    """
    stores = -(-event.data_bytes // values["stimulus.store_bytes"])
    store_us = values["stimulus.store_ns"] / 1e3
    return store_us, (stores - 1) * store_us
