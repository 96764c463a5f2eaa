# SPDX-License-Identifier: BSD-3-Clause
"""CPU time of recording an event."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hypermon._model.catalogues import Event


def emission(values: Mapping[str, Any], event: Event) -> tuple[float, float]:
    """Times before and after the stamp in us: CPU time of the record's bytes, after a read of the clock."""
    return 0.0, values["software.us_per_byte"] * event.sizes["software_bytes"]
