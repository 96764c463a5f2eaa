"""Entry points of installed packages, by group: how other packages add commands and monitors.

importlib.metadata finds them too, in a third of the time that all else of `hypermon --help` takes, and not at all where
one package's are written wrongly: this reads the same files. It looks into folders only, where pip installs to.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path


def found(group: str) -> list[tuple[str, str]]:
    """Names and MODULE:ATTRIBUTE of a group, by name; of several of a name that which is first on the path."""
    known: dict[str, str] = {}
    for folder in dict.fromkeys(sys.path):
        for file in Path(folder or ".").glob("*.dist-info/entry_points.txt"):
            text = file.read_text(encoding="utf-8", errors="replace")
            if group in text:
                for name, target in _of_group(text, group):
                    known.setdefault(name, target)
    return sorted(known.items())


def _of_group(text: str, group: str) -> Iterator[tuple[str, str]]:
    """Of an entry_points.txt, as PyPA's specification has it."""
    inside = False
    for line in map(str.strip, text.splitlines()):
        if line.startswith("["):
            inside = line == f"[{group}]"
        elif inside and line and not line.startswith(("#", ";")):
            name, _, target = line.partition("=")
            yield name.strip(), target.split("[")[0].strip()
