# SPDX-License-Identifier: BSD-3-Clause
"""Writes the page of a time line that is never completely in memory, and prints the cost as JSON.

It is a program of its own, because peak memory is a property of a process.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

from tests.python.pvfs_like import made_long

from hypermon.report import timeline_page


def peak_mb() -> float:
    """Peak memory of this process so far. `getrusage` reports its parent's instead if that was larger at this process's
    start.
    """
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return float(status.partition("VmHWM:")[2].split()[0]) / 1e3


def main() -> None:
    events, page = int(sys.argv[1]), Path(sys.argv[2])
    imported, begin = peak_mb(), time.process_time()
    line = made_long(events)
    made, gathered = peak_mb(), time.process_time()
    timeline_page.write({"": line}, "Made up like PVFS", page)
    found = {
        "states": sum(len(one.begin_ps) for one in line.states),
        "imported_mb": imported,
        "gathered_mb": made,
        "peak_mb": peak_mb(),
        "gathering_s": gathered - begin,
        "writing_s": time.process_time() - gathered,
        "page_mb": page.stat().st_size / 1e6,
    }
    print(json.dumps(found))


if __name__ == "__main__":
    main()
