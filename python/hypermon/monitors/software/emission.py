# SPDX-License-Identifier: BSD-3-Clause
"""CPU time of recording an event."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hypermon._model.catalogues import Event


def emission(values: Mapping[str, Any], event: Event) -> tuple[float, float]:
    """us before and behind its stamp: CPU time of its bytes, begun with a look at the clock."""
    return 0.0, values["software.us_per_byte"] * event.sizes["software_bytes"]
