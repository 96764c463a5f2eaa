"""What each registered monitor brings to tests of all: a module of that name in its folder here."""

from __future__ import annotations

import importlib
from pathlib import Path
from types import ModuleType
from typing import Any

from hypermon._model import monitors


def load(module: str) -> list[ModuleType]:
    """Those that there are, imported."""
    here = Path(__file__).parent
    names = [name for name in monitors.registered() if (here / name / f"{module}.py").is_file()]
    return [importlib.import_module(f"{__name__}.{name}.{module}") for name in names]


def of_monitors(module: str, attribute: str) -> list[Any]:
    """All that the monitors have there, one after the other."""
    return [one for found in load(module) for one in getattr(found, attribute)]
