# SPDX-License-Identifier: BSD-3-Clause
"""tests/readers/run: other projects' programs read the files that hypermon writes (docs/design/hdtrace.md, Readers of
others).
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import hypermon
from hypermon._files import hdtrace, tau

HERE = Path(__file__).parent
INTERNAL = ("--add-exports", "java.xml/com.sun.xml.internal.stream=ALL-UNNAMED")
"""HDTrace's reader uses a class of the JDK that newer versions do not export."""
TRACED = {
    "nodes": 2, "pfs.servers": 2, "monitor": "hdtrace", "hdtrace.sample_ms": 5, "hdtrace.offsets": "ends",
    "power.meter_ms": 5, "partdiff.interlines": 100, "partdiff.iterations": 4, "partdiff.checkpoint_every": 2,
}  # fmt: skip
PROFILED = {"nodes": 2, "monitor": "tau", "workload": "lu", "lu.problem": "S", "lu.iterations": 5}
PPROF = ("pprof.cpp", "function_data.cpp", "user_event_data.cpp")
ROUTINE = re.compile(r" *[\d.]+ +\S+ +\S+ +(\S+) +\S+ +\S+ (.*)")  # share, exclusive, inclusive, calls, others', name


class Tried(NamedTuple):
    """A file that a program has read, or refused."""

    program: str
    file: Path
    read: str
    """The content that the program found there, or its reason to refuse the file."""
    written: str
    """The content according to hypermon's own reader."""


def built(*command: str | Path) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise SystemExit(f"error: {command[0]} fails:\n{done.stderr[-2000:]}")


def needed(program: str, package: str) -> str:
    found = shutil.which(program)
    if found is None:
        raise SystemExit(f"error: {program} is not installed (Debian: {package})")
    return found


def entries_of(file: Path) -> int:
    """Number of entries in a file of an HDTrace project, by hypermon's own reader."""
    if file.suffix == ".stat":
        return len(hdtrace.read_statistics(file).times_ps)
    if file.suffix == ".trc":
        return len(list(hdtrace.read_trace(file)))
    return len(hdtrace.read_relations(file).operations)


def by_hdtrace(sources: Path, scratch: Path) -> Iterator[Tried]:
    """HDTrace's reader, from a checkout of its repository."""
    java, javac = needed("java", "default-jdk"), needed("javac", "default-jdk")
    root = sources / "HDTraceFormat" / "src"
    if not root.is_dir():
        raise SystemExit(f"error: --hdtrace {sources}: has no folder HDTraceFormat/src")
    classes = scratch / "classes"
    built(javac, "-nowarn", *INTERNAL, "-encoding", "ISO-8859-1", "-sourcepath", root, "-d", classes,
          HERE / "Read.java")  # fmt: skip
    run = hypermon.run("piosim/partdiff", presets=["piosim/real"], settings=TRACED, out=scratch / "traced")
    files = sorted(file for file in (run.folder / "hdtrace").iterdir() if file.suffix != ".info")
    command: list[str | Path] = [java, *INTERNAL, "-cp", classes, "Read", *files]
    printed = subprocess.run(command, capture_output=True, text=True, check=True)
    outcomes = dict(line.split("\t")[1:] for line in printed.stdout.splitlines() if line.count("\t") == 2)
    for file in files:
        written = "0" if file.suffix == ".proj" else str(entries_of(file))
        yield Tried("HDTrace's reader", file, outcomes.get(str(file), "nothing"), written)


def by_tau(sources: Path, scratch: Path) -> Iterator[Tried]:
    """TAU's pprof, from a checkout of its repository."""
    utils = sources / "utils"
    if not all((utils / name).is_file() for name in PPROF):
        raise SystemExit(f"error: --tau {sources}: has no utils/pprof.cpp with what belongs to it")
    pprof = scratch / "pprof"
    built(needed("g++", "g++"), "-w", "-DTAU_DOT_H_LESS_HEADERS", "-I", utils, "-o", pprof,
          *(utils / name for name in PPROF))  # fmt: skip
    run = hypermon.run("collection/ring", settings=PROFILED, out=scratch / "profiled")
    folder = run.folder / "profiles"
    for file in sorted(folder.iterdir()):
        node = file.name.split(".")[1]
        command: list[str | Path] = [pprof, "-n", "1000", node]
        printed = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)
        yield Tried("TAU's pprof", file, calls_printed(printed.stdout, node), calls_written(file))


def calls_printed(text: str, node: str) -> str:
    part = text.partition(f"NODE {node};CONTEXT 0;THREAD 0:")[2].partition("NODE ")[0]
    found = Counter({m[2].strip(): int(float(m[1])) for m in map(ROUTINE.fullmatch, part.splitlines()) if m})
    return f"{len(found)} routines, {found.total()} calls"


def calls_written(file: Path) -> str:
    routines = tau.read(file).routines
    return f"{len(routines)} routines, {sum(one.calls for one in routines)} calls"


def main() -> int:
    p = argparse.ArgumentParser(
        prog="tests/readers/run",
        description="Builds readers of others, has them read fresh files of hypermon's, and compares what they found"
        " with what hypermon's own readers find. Fetch the repositories yourself: they are no part of the project."
        " Exit status: 0 if all agree, 1 if a file is refused or read otherwise, 2 for a mistake in the call.",
    )
    p.add_argument("--hdtrace", type=Path, metavar="FOLDER", help="checkout of HDTrace's repository (hdtrace-piosim)")
    p.add_argument("--tau", type=Path, metavar="FOLDER", help="checkout of TAU's repository (tau2)")
    a = p.parse_args()
    if a.hdtrace is None and a.tau is None:
        p.error("name a reader: --hdtrace FOLDER or --tau FOLDER")
    with tempfile.TemporaryDirectory() as scratch:
        tried: list[Tried] = []
        if a.hdtrace is not None:
            tried += by_hdtrace(a.hdtrace.resolve(), Path(scratch))
        if a.tau is not None:
            tried += by_tau(a.tau.resolve(), Path(scratch))
    differing = [one for one in tried if one.read != one.written]
    for one in differing:
        print(f"{one.program}: {one.file.name}: reads {one.read}; hypermon: {one.written}")
    for program, count in Counter(one.program for one in tried).items():
        wrong = sum(one.program == program for one in differing)
        print(f"{program}: {count - wrong} of {count} files are read as they are")
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
