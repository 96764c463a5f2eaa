"""Random settings of TAU's: those of its measurement, whose profiles leave in another way."""

from __future__ import annotations

from tests.monitors.tau.drawing import settings

__all__ = ["OFTEN", "settings"]
OFTEN = 1
