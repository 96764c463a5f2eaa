# SPDX-License-Identifier: BSD-3-Clause
"""Texts kept on disk between processes, in the user's cache: what a program said of itself. A damaged one is none."""

from __future__ import annotations

import contextlib
import hashlib
import os
from pathlib import Path


def cache() -> Path:
    """The user's cache of hypermon's."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "hypermon"


def place(kind: str, *parts: object) -> Path:
    """Where the text of a kind is kept that belongs to these parts."""
    key = hashlib.sha256("\n".join(map(str, parts)).encode()).hexdigest()[:20]
    return cache() / f"{kind}-{key}.json"


def read(path: Path) -> str | None:
    """The text that was kept there; None if there is none, or it is damaged."""
    try:
        return opened(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None


def write(path: Path, text: str) -> None:
    """Keeps the text; where that cannot be written it only costs the time."""
    import tempfile  # not for what is only read

    with contextlib.suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile("w", dir=path.parent, delete=False, encoding="utf-8") as file:
            file.write(_sealed(text))
        Path(file.name).replace(path)


def _sealed(text: str) -> str:
    """The text after a line with its checksum."""
    return f"{hashlib.sha256(text.encode()).hexdigest()}\n{text}"


def opened(sealed: str) -> str | None:
    """The text that was sealed; None if it is damaged."""
    text = sealed.partition("\n")[2]
    return text if _sealed(text) == sealed else None
