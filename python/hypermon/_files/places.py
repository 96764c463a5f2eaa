# SPDX-License-Identifier: BSD-3-Clause
"""Where the files lie that come with hypermon: in the source tree, else in the installed package."""

from __future__ import annotations

import os
from pathlib import Path

_PACKAGE = Path(__file__).resolve().parents[1]
TREE = _PACKAGE.parents[1]
"""The source tree, if the package is one's."""


def scenarios() -> Path:
    """The scenarios: HYPERMON_SCENARIOS, else those that come with hypermon."""
    given = os.environ.get("HYPERMON_SCENARIOS")
    return Path(given) if given else _own_scenarios()


def machines() -> Path:
    """The platforms."""
    return _either("platforms/machines", "machines")


def comes_with_hypermon(file: Path) -> bool:
    """A scenario or a platform of hypermon's own?"""
    return file.is_relative_to(machines()) or file.is_relative_to(_own_scenarios())


def headers() -> Path:
    """The folder of hypermon.h."""
    return _either("sw/include", "include")


def views() -> Path:
    """The views of waves."""
    return _either("waves/views", "wave_views")


def worker() -> Path:
    """The executable hypermon-sim of an installed package; the source tree's is elsewhere."""
    return _PACKAGE / "bin" / "hypermon-sim"


def compilers() -> Path:
    """The folder of SimGrid's compilers, if the package brings a SimGrid of its own (cmake/wheel.cmake)."""
    return _PACKAGE / "simgrid" / "bin"


def _own_scenarios() -> Path:
    return _either("scenarios", "scenarios")


def _either(in_tree: str, installed: str) -> Path:
    tree = TREE / in_tree
    return tree if tree.is_dir() else _PACKAGE / installed
