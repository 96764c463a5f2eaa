# SPDX-License-Identifier: BSD-3-Clause
"""Entry points of installed packages, by group: how other packages add commands and monitors.

importlib.metadata finds them too, in a third of the time that all else of `hypermon --help` takes, and not at all where
one package's are written wrongly: this reads the same files. It looks into folders only, where pip installs to.
"""

from __future__ import annotations

import functools
import os
import sys
from collections.abc import Iterator


def found(group: str) -> list[tuple[str, str]]:
    """Names and MODULE:ATTRIBUTE of a group, by name; of several of a name that which is first on the path."""
    known: dict[str, str] = {}
    for content in _contents(tuple(dict.fromkeys(sys.path))):
        if group.encode() in content:
            for name, target in _of_group(content.decode("utf-8", "replace"), group):
                known.setdefault(name, target)
    return sorted(known.items())


@functools.cache
def _contents(folders: tuple[str, ...]) -> list[bytes]:
    """All lists of entry points below these folders. The current folder, which Python calls "", is none of them."""
    return [content for folder in folders if folder.startswith("/") for content in _files(folder)]


def _files(folder: str) -> Iterator[bytes]:
    """Their contents, without pathlib: of every run it would take three times as long."""
    try:
        names = os.listdir(folder)  # noqa: PTH208
    except OSError:
        return
    for name in names:
        file = f"{folder}/{name}/entry_points.txt"
        if name.endswith(".dist-info") and os.access(file, os.R_OK):
            with open(file, "rb") as opened:  # noqa: PTH123
                yield opened.read()


def _of_group(text: str, group: str) -> Iterator[tuple[str, str]]:
    """Of an entry_points.txt, as PyPA's specification has it."""
    inside = False
    for line in map(str.strip, text.splitlines()):
        if line.startswith("["):
            inside = line == f"[{group}]"
        elif inside and line and not line.startswith(("#", ";")):
            name, _, target = line.partition("=")
            yield name.strip(), target.split("[")[0].strip()
