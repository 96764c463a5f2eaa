# SPDX-License-Identifier: BSD-3-Clause
"""`hypermon report`: self-contained pages about runs and sweeps."""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hypermon.report.page import html as html
    from hypermon.report.page import write as write

__all__ = ["html", "write"]


def __getattr__(name: str) -> Any:
    """Loads the modules of pages on demand, since modules that only open runs and sweeps (`source`) need none."""
    if name in __all__:
        return getattr(importlib.import_module("hypermon.report.page"), name)
    raise AttributeError(f"module {__name__} has no {name}")


def __dir__() -> list[str]:
    return [*__all__, *(name for name in globals() if name.startswith("__"))]
