# SPDX-License-Identifier: BSD-3-Clause
"""Reads files for tests/fuzz/judge.py in a separate process, so that signals, hangs and memory use are noticed.

Each line of input names a target and a file; each line of output is the outcome. Anything but an answer or one clear
error counts as a fault.
"""

from __future__ import annotations

import hashlib
import json
import os
import resource
import sys
import traceback
from pathlib import Path

from hypermon.errors import HypermonError
from tests.fuzz.targets import TARGETS

GIB = 1 << 30
MOST_GROWTH_KB = 512 << 10
"""Limits for reading one small file."""


def main() -> None:
    answers = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # whatever is printed
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (GIB, GIB))
    resource.setrlimit(resource.RLIMIT_AS, (10 * GIB, 10 * GIB))
    for line in sys.stdin:
        name, file = json.loads(line)
        print(json.dumps(answer(name, Path(file))), file=answers)


def answer(name: str, file: Path) -> dict[str, str]:
    """Result of reading the file. `what` is "taken" (with the digest of the content that was read), "refused" (with the
    error) or "broken" (with the fault).
    """
    before = forget_peak()
    try:
        reply = {"what": "taken", "text": hashlib.sha256(TARGETS[name].read(file).encode()).hexdigest()}
    except HypermonError as error:
        reply = {"what": "refused", "text": str(error)}
    except OSError as error:
        if error.filename is None:
            return {"what": "broken", "text": traceback.format_exc()}
        reply = {"what": "refused", "text": f"{error.filename}: {error.strerror}"[:300]}  # as cli.common does
    except BaseException:
        return {"what": "broken", "text": traceback.format_exc()}
    grown = peak_kb() - before
    if grown > MOST_GROWTH_KB:
        return {"what": "broken", "text": f"took {grown >> 10} MiB"}
    if not reply["text"].strip() or len(reply["text"]) > 4000:
        return {"what": "broken", "text": f"an error of {len(reply['text'])} characters: {reply['text'][:300]}"}
    return reply


def forget_peak() -> int:
    """The memory that is in use now, kB; peak_kb() counts from here."""
    Path("/proc/self/clear_refs").write_text("5")
    return peak_kb()


def peak_kb() -> int:
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM"))


if __name__ == "__main__":
    main()
