# SPDX-License-Identifier: BSD-3-Clause
"""Packages that only trade-offs need."""

from __future__ import annotations

import importlib
from typing import Any

from hypermon.errors import UserError


def require(module: str, package: str) -> Any:
    """Imports the module. Raises a UserError with the package to install if it is missing."""
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] != module.partition(".")[0]:
            raise
        raise UserError(f"{package} is not installed: pip install 'hypermon[tradeoffs]'") from None
