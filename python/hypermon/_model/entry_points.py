# SPDX-License-Identifier: BSD-3-Clause
"""Entry points of installed packages, by which other packages add commands and monitors.

This module replaces importlib.metadata, which is slow (a third of the time of everything else in `hypermon --help`) and
fails if one package's file is malformed. It reads the same files, but only in folders, to which pip installs.
"""

from __future__ import annotations

import functools
import os
import sys
from collections.abc import Iterator


def find_installed(group: str) -> list[tuple[str, str]]:
    """Returns the names and MODULE:ATTRIBUTE of a group, sorted by name. The first on the path wins for equal names."""
    known: dict[str, str] = {}
    for content in _contents(tuple(dict.fromkeys(sys.path))):
        if group.encode() in content:
            for name, target in _of_group(content.decode("utf-8", "replace"), group):
                known.setdefault(name, target)
    return sorted(known.items())


@functools.cache
def _contents(folders: tuple[str, ...]) -> list[bytes]:
    """Returns the content of all lists of entry points below these folders, without the current folder ("")."""
    return [content for folder in folders if folder.startswith("/") for content in _files(folder)]


def _files(folder: str) -> Iterator[bytes]:
    """Reads the lists of entry points of a folder. Avoids pathlib, which takes three times as long, in every run."""
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
    """Returns the entries of a group in an entry_points.txt (format: PyPA specification)."""
    inside = False
    for line in map(str.strip, text.splitlines()):
        if line.startswith("["):
            inside = line == f"[{group}]"
        elif inside and line and not line.startswith(("#", ";")):
            name, _, target = line.partition("=")
            yield name.strip(), target.split("[")[0].strip()
