# SPDX-License-Identifier: BSD-3-Clause
"""Places of the files that come with hypermon, in the source tree or in the installed package."""

from __future__ import annotations

import os
from pathlib import Path

_PACKAGE = Path(__file__).resolve().parents[1]
TREE = _PACKAGE.parents[1]
"""The source tree, if the package is in one."""


def scenarios() -> Path:
    """Returns the folder of the scenarios: HYPERMON_SCENARIOS, or that which comes with hypermon."""
    given = os.environ.get("HYPERMON_SCENARIOS")
    return Path(given) if given else _own_scenarios()


def machines() -> Path:
    """Returns the folder of the platforms."""
    return _either("platforms/machines", "machines")


def comes_with_hypermon(file: Path) -> bool:
    """Is the file a scenario or a platform that comes with hypermon?"""
    return file.is_relative_to(machines()) or file.is_relative_to(_own_scenarios())


def headers() -> Path:
    """Returns the folder of hypermon.h."""
    return _either("sw/include", "include")


def hardware() -> Path:
    """Returns the folder of the C++ headers of the capture hardware."""
    return TREE if (TREE / "hw" / "hypermon").is_dir() else _PACKAGE / "hardware"


def views() -> Path:
    """Returns the folder of the views of waveforms."""
    return _either("waves/views", "wave_views")


def rtl() -> Path:
    """Returns the folder of the capture board's Verilog."""
    return _either("hw/hypermon/rtl", "rtl")


def worker() -> Path:
    """Returns the executable hypermon-sim of an installed package. That of the source tree is elsewhere."""
    return _PACKAGE / "bin" / "hypermon-sim"


def compilers() -> Path:
    """Returns the folder of SimGrid's compilers, if the package includes SimGrid (cmake/wheel.cmake)."""
    return _PACKAGE / "simgrid" / "bin"


def _own_scenarios() -> Path:
    return _either("scenarios", "scenarios")


def _either(in_tree: str, installed: str) -> Path:
    tree = TREE / in_tree
    return tree if tree.is_dir() else _PACKAGE / installed
