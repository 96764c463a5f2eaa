# SPDX-License-Identifier: BSD-3-Clause
"""The extension module hypermon._core. Without it, the import fails with advice on how to get it."""

from __future__ import annotations

from hypermon.errors import UserError

try:
    from hypermon import _core
except ImportError as error:
    raise UserError(f"the Python module hypermon._core is not built ({error}); run scripts/setup") from error

__all__ = ["_core"]
