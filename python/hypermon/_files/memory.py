# SPDX-License-Identifier: BSD-3-Clause
"""Available memory, and the refusal of work that needs more."""

from __future__ import annotations

import resource
from pathlib import Path

from hypermon.errors import UserError

_MEMINFO = Path("/proc/meminfo")
_CGROUP = Path("/sys/fs/cgroup")


def available() -> int | None:
    """Returns the number of bytes that this process can still allocate. None: unknown.

    It is the least of the free memory of the host, of the control group and under the process's own limit.
    """
    found = [left for left in (_of_machine(), _of_control_group(), _under_limit()) if left is not None]
    return max(0, min(found)) if found else None


def require(size: int, what: str, instead: str = "") -> None:
    """Raises a UserError if fewer than `size` bytes are available.

    Args:
        size: Bytes that the work needs.
        what: The work, as the subject of the message.
        instead: A remedy for the message.
    """
    left = available()
    if left is not None and size > left:
        hint = f"; {instead}" if instead else ""
        raise UserError(f"{what} needs about {size_text(size)} of memory; {size_text(left)} are available{hint}")


def size_text(size: int) -> str:
    """Formats a number of bytes."""
    return f"{size / 1e9:.1f} GB" if size >= 1e9 else f"{size / 1e6:.0f} MB"


def _of_machine() -> int | None:
    return _line(_MEMINFO, "MemAvailable:", 1024)


def _line(path: Path, name: str, unit: int) -> int | None:
    try:
        for line in path.read_text(encoding="ascii").splitlines():
            if line.startswith(name):
                return int(line.split()[1]) * unit
    except (OSError, ValueError, IndexError):
        pass
    return None


def _of_control_group() -> int | None:
    """Returns the free memory under the limits of control groups (version 2). Page cache counts as free memory."""
    try:
        limit = int((_CGROUP / "memory.max").read_text(encoding="ascii"))
        used = int((_CGROUP / "memory.current").read_text(encoding="ascii"))
    except (OSError, ValueError):  # no control group, or no limit ("max")
        return None
    return limit - used + (_line(_CGROUP / "memory.stat", "file ", 1) or 0)


def _under_limit() -> int | None:
    """Returns the free memory under the limit of the address space (ulimit -v)."""
    limit, _ = resource.getrlimit(resource.RLIMIT_AS)
    used = _line(Path("/proc/self/status"), "VmSize:", 1024)
    return None if limit == resource.RLIM_INFINITY or used is None else limit - used
