# SPDX-License-Identifier: BSD-3-Clause
"""YAML files whose values know their file and line. PyYAML is loaded only when a file is read."""

from __future__ import annotations

from pathlib import Path

from hypermon._files.items import Item


def read(path: Path, shown: str | None = None) -> Item:
    """Reads the file's only document. `shown`: the file's name in messages."""
    from hypermon._files import yamlreader

    return yamlreader.read(path, shown)
