# SPDX-License-Identifier: BSD-3-Clause
"""YAML whose every value knows its file and line. What reads no file does not wait for PyYAML."""

from __future__ import annotations

from pathlib import Path

from hypermon._files.items import Item


def read(path: Path, shown: str | None = None) -> Item:
    """The file's only document; `shown` is the name that messages use for the file."""
    from hypermon._files import yamlreader

    return yamlreader.read(path, shown)
