# SPDX-License-Identifier: BSD-3-Clause
"""Commands of all monitors that write to files, with their inputs."""

from __future__ import annotations

from pathlib import Path

from hypermon._engine import runner
from tests.fuzz.made import PROGRAM, SCENARIO, SETTINGS, kept, run
from tests.outputs import Writing
from tests.python import little_hdtrace

SET = [word for path, value in SETTINGS.items() for word in ("--set", f"{path}={value}")]


def other() -> Path:
    """A run that differs from `run()`."""
    return kept("other", lambda out: runner.run(SCENARIO, settings=SETTINGS | {"node.tick_ms": 8}, out=out))


def active() -> Path:
    """A run with its ranks' activity."""
    return kept("with activity", lambda out: runner.run(SCENARIO, settings=SETTINGS, activity=True, out=out))


def project() -> Path:
    """An HDTrace project."""
    folder = kept("project", little_hdtrace.make)
    (found,) = folder.glob("*.proj")
    return found


def scenario() -> Path:
    """A scenario whose only case is quick and passes."""
    file = kept("scenarios", Path.mkdir) / "quick.yaml"
    lines = [f"  {path}: {value}" for path, value in SETTINGS.items()]
    expected = "expect:\n  - {of: events, is: events, kind: golden}\n"
    file.write_text("\n".join(["question: Is it quick?", f"base: {SCENARIO}", "set:", *lines, ""]) + expected)
    return file


COMMANDS = (
    Writing("report", lambda: [run()], "<!doctype html>"),
    Writing("plot bursts", lambda: [run()], "<?xml"),
    Writing("compare", lambda: [run(), other()], "<!doctype html>"),
    Writing("judge", lambda: [active()], "<?xml", "plot"),
    Writing(
        "tradeoffs",
        lambda: [SCENARIO, *SET, "--vary", "node.tick_ms=8,16", "--minimize", "elapsed_s", "--trials", "2"],
        "<?xml",
        "plot",
    ),
    Writing("check", lambda: [scenario()], "<?xml", "junit", always_same=False),
    Writing("calibrate", lambda: ["--program", PROGRAM, "--np", 2], "{", "output", always_same=False),
    Writing("timeline", lambda: [project()], "track,"),
)
