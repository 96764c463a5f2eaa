# SPDX-License-Identifier: BSD-3-Clause
"""The versions of hypermon and of the libraries that it was built with."""

from __future__ import annotations

import platform

from hypermon._version import __version__
from hypermon.errors import HypermonError

NAMES = {"simgrid": "SimGrid", "systemc": "SystemC"}  # as the worker calls them; itself it calls hypermon


def text() -> str:
    """hypermon's version; what its worker and module were built with, or why that cannot be said."""
    try:
        from hypermon._model import worker
        from hypermon._model.native import _core

        versions = worker.schema().versions
        built = [*(f"{name} {versions[key]}" for key, name in NAMES.items() if key in versions), _core.compiler]
        made_with = f"built with {', '.join(built)}"
    except HypermonError as error:
        made_with = str(error)
    return f"hypermon {__version__}\n{made_with}\nPython {platform.python_version()}"
