"""Commands of other packages: entry points of the group `hypermon.commands`, each a function add(app).

importlib.metadata finds them too, in a third of the time that all else of `hypermon --help` takes: this reads the same
files. It looks into folders only, where pip installs to.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path

import typer

GROUP = "hypermon.commands"


def add(app: typer.Typer) -> None:
    """Adds them all; one that cannot be loaded is said and left out."""
    for name, target in found():
        module, _, function = target.partition(":")
        try:
            register = getattr(importlib.import_module(module), function)
        except (ImportError, AttributeError, ValueError) as error:
            typer.echo(f"warning: command {name} is left out: {target}: {error}", err=True)
        else:
            register(app)


def found() -> list[tuple[str, str]]:
    """Names and MODULE:FUNCTION, by name; of several of a name that which is first on the path."""
    known: dict[str, str] = {}
    for folder in dict.fromkeys(sys.path):
        for file in Path(folder or ".").glob("*.dist-info/entry_points.txt"):
            text = file.read_text(encoding="utf-8", errors="replace")
            if GROUP in text:
                for name, target in _of_group(text):
                    known.setdefault(name, target)
    return sorted(known.items())


def _of_group(text: str) -> Iterator[tuple[str, str]]:
    """Of an entry_points.txt, as PyPA's specification has it."""
    inside = False
    for line in map(str.strip, text.splitlines()):
        if line.startswith("["):
            inside = line == f"[{GROUP}]"
        elif inside and line and not line.startswith(("#", ";")):
            name, _, target = line.partition("=")
            yield name.strip(), target.split("[")[0].strip()
