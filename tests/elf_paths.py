# SPDX-License-Identifier: BSD-3-Clause
"""Folders in which the dynamic linker searches a binary's libraries: its DT_RPATH and DT_RUNPATH."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterable
from pathlib import Path

ORIGIN = re.compile(r"\$ORIGIN(/|$)|\$\{ORIGIN\}(/|$)")


def binaries(folder: Path) -> list[Path]:
    """All ELF files in the folder and below it, without symbolic links."""
    files = (file for file in folder.rglob("*") if file.is_file() and not file.is_symlink())
    return sorted(file for file in files if _is_elf(file))


def _is_elf(file: Path) -> bool:
    with file.open("rb") as opened:
        return opened.read(4) == b"\x7fELF" and int.from_bytes(opened.read(14)[12:14], "little") in (2, 3)


def elements(binary: Path) -> list[str]:
    """The elements of a binary's search paths."""
    output = subprocess.run(
        ["readelf", "--dynamic", "--wide", binary], capture_output=True, text=True, check=True
    ).stdout
    found = re.findall(r"\((?:RPATH|RUNPATH)\).*\[(.*)\]$", output, re.MULTILINE)
    return [element for path in found for element in path.split(":")]


def of_current_folder(files: Iterable[Path]) -> dict[str, list[str]]:
    """Search paths that depend on the user's current folder (empty or relative), by binary."""
    wrong = {
        str(file): [one for one in elements(file) if not one.startswith("/") and not ORIGIN.match(one)]
        for file in files
    }
    return {file: found for file, found in wrong.items() if found}
