# SPDX-License-Identifier: BSD-3-Clause
"""`hypermon report`: a run or a sweep as one page that needs no network."""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hypermon.report.page import html as html
    from hypermon.report.page import write as write

__all__ = ["html", "write"]


def __getattr__(name: str) -> Any:
    """Pages are loaded when one is asked for: what opens runs and sweeps (`source`) needs none."""
    if name in __all__:
        return getattr(importlib.import_module("hypermon.report.page"), name)
    raise AttributeError(f"module {__name__} has no {name}")


def __dir__() -> list[str]:
    return [*__all__, *(name for name in globals() if name.startswith("__"))]
