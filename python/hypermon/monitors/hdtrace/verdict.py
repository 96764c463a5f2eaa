# SPDX-License-Identifier: BSD-3-Clause
"""The verdict on a run under HDTrace."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hypermon._model.words import percent


def verdict(result: Mapping[str, Any]) -> list[str]:
    """Returns a sentence about the share of a node's time that tracing took."""
    monitor, elapsed_s = result["monitor"], result["elapsed_s"]
    if not elapsed_s:
        return []
    took_s = monitor["cpu_s"] / result["spec"]["nodes"] + monitor["flushing_s"] / max(len(monitor["processes"]), 1)
    return [f"Tracing took {percent(took_s / elapsed_s)} of a node's time."]
