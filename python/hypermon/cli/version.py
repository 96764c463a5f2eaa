# SPDX-License-Identifier: BSD-3-Clause
"""The versions of hypermon and of the libraries that it was built with."""

from __future__ import annotations

import platform

from hypermon._version import __version__
from hypermon.errors import HypermonError

# names that differ from the worker's; the worker lists hypermon itself as well
NAMES = {"simgrid": "SimGrid", "systemc": "SystemC"}


def text() -> str:
    """Returns hypermon's version, and the libraries' versions of its worker and module, or the reason why they are
    unknown.
    """
    try:
        from hypermon._model import worker
        from hypermon._model.native import _core

        versions = worker.schema().versions
        built = [*(f"{name} {versions[key]}" for key, name in NAMES.items() if key in versions), _core.compiler]
        made_with = f"built with {', '.join(built)}"
    except HypermonError as error:
        made_with = str(error)
    return f"hypermon {__version__}\n{made_with}\nPython {platform.python_version()}"
