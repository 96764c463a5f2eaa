# SPDX-License-Identifier: BSD-3-Clause
"""Folders in which writing fails: on a disk that is too small, and read-only ones."""

from __future__ import annotations

import contextlib
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest


@contextlib.contextmanager
def small_disk(folder: Path, size: int) -> Iterator[Path]:
    """A file system of `size` bytes. Skips the test where none can be made."""
    with _mounted(folder, f"size={size},nr_inodes=1000"):
        yield folder


@contextlib.contextmanager
def read_only_folder(folder: Path) -> Iterator[Path]:
    """A folder in which nobody can write, not even root."""
    if os.geteuid() == 0:
        with _mounted(folder, "ro"):
            yield folder
        return
    folder.mkdir()
    folder.chmod(0o500)
    try:
        yield folder
    finally:
        folder.chmod(0o700)


@contextlib.contextmanager
def _mounted(folder: Path, options: str) -> Iterator[None]:
    folder.mkdir(exist_ok=True)
    command = ["mount", "-t", "tmpfs", "-o", options, "none", str(folder)]
    if os.geteuid() != 0 or subprocess.run(command, capture_output=True, check=False).returncode:
        pytest.skip("a file system can be mounted by root alone")
    try:
        yield
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)
