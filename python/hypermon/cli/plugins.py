# SPDX-License-Identifier: BSD-3-Clause
"""Commands of other packages: entry points of the group `hypermon.commands`, each a function add(app)."""

from __future__ import annotations

import importlib

import typer

from hypermon._model import entry_points
from hypermon._printing import say

GROUP = "hypermon.commands"


def add(app: typer.Typer) -> None:
    """Adds all commands. A command that cannot be loaded is left out with a message."""
    for name, target in entry_points.find_installed(GROUP):
        module, _, function = target.partition(":")
        try:
            register = getattr(importlib.import_module(module), function)
        except (ImportError, AttributeError, ValueError) as error:
            say(f"warning: command {name} is left out: {target}: {error}", err=True)
        else:
            register(app)
