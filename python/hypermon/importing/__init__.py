# SPDX-License-Identifier: BSD-3-Clause
"""Converts programs and events that were recorded elsewhere to inputs of runs.

>>> from hypermon.importing import ti
>>> script = ti.read("lu.trace", "lu.script", flops_per_s=1e9)
>>> print(script.not_represented)
>>> hypermon.run(trace=script.path)
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hypermon.importing import hdtrace as hdtrace
    from hypermon.importing import otf2 as otf2
    from hypermon.importing import ti as ti

__all__ = ["hdtrace", "otf2", "ti"]


def __getattr__(name: str) -> Any:
    """A module is loaded when it is first used: a run imports this package and needs none of them."""
    if name in __all__:
        return importlib.import_module(f"hypermon.importing.{name}")
    raise AttributeError(f"module {__name__} has no {name}")


def __dir__() -> list[str]:
    return [*__all__, *(name for name in globals() if name.startswith("__"))]
