# SPDX-License-Identifier: BSD-3-Clause
"""Fuzz targets of Supermon: the logs of clients."""

from __future__ import annotations

import tempfile
from pathlib import Path

from hypermon.monitors.supermon import answers
from tests.fuzz.target import Target

WORDS = (b"(at 1 ", b"(answer 1", b"(sample 0 1 2", b"(kernel ", b"(missing 3 5-7)", b"(monhole (entry a 1 2 (b)))", b")", b'"', b"\\x0",
         b"\\n", b" ", b"\xff", b"\n", b"99999999999999999999999999", b"(" * 300, b"1_0", b"-1")  # fmt: skip


def seeds(_: Path) -> list[bytes]:
    return [
        b"(at 1000000 (answer 1 (sample 0 1 999 (kernel (cpu.busy 12 -3) (a 1))) (missing 3 5-7)))\n",
        b'(at 5 (answer 2 (sample 3 2 4 (monhole (entry tau.3 1 2 (tau (file "a b" "\\"x\\" 1\\n")))))))\n(at 6 (answer 3))\n',
        b"",
    ]


def logged(file: Path) -> str:
    """Reads a run's folder whose first client's log is the file."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "answers").mkdir()
        (Path(folder) / "answers" / "client0.sexp").write_bytes(file.read_bytes())
        return repr(list(answers.read(Path(folder))))


TARGETS = (
    Target(
        "supermon-answers",
        ".sexp",
        seeds,
        logged,
        ("_files.sexpr", "monitors.supermon.answers"),
        words=WORDS,
        examples=200,
    ),
)
