# SPDX-License-Identifier: BSD-3-Clause
"""Runs whose results are checked against their monitor's invariants."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

import hypermon
from hypermon._model.schema import flat
from hypermon._model.spec import Spec
from tests.python.result_invariants import INVARIANTS, Case


def held_run(folder: Path, settings: Mapping[str, Any], *invariants: ModuleType) -> Any:
    """The result of scenario collection/ring with these settings. Its files stay in the folder."""
    result = hypermon.run("collection/ring", out=folder, settings=settings)
    case = Case(result, Spec(result["scenario"], flat(result["spec"])))
    names = {module.__name__ for module in invariants}
    for holds in {p for found in INVARIANTS.values() for p in found if p.__module__ in names}:
        holds(case)
    return result
