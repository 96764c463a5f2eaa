# SPDX-License-Identifier: BSD-3-Clause
"""Place so small that it takes a tenth of a second, at the port's full rate. Many tests record it."""

from __future__ import annotations

from typing import Any

SCENARIO = "table2/place"
LITTLE: dict[str, Any] = {
    "nodes": 4,
    "place.attempts": 600,
    "place.accepted": 80,
    "place.temperatures": 8,
    "place.reheats": 1,
    "port.delay": 0,
}
