# SPDX-License-Identifier: BSD-3-Clause
"""The programs of an MPI test suite in MPICH's layout, compiled for one implementation.

The suite's own `configure` and makefiles are not used, because they build libraries of one implementation together with
the tests. Each of its folders has a `testlist` or `testlist.in`, with a line for every run of a program: name, number
of ranks, options.
"""

from __future__ import annotations

import hashlib
import re
import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

FOLDERS = ("attr", "coll", "comm", "datatype", "errhan", "group", "info", "init", "io", "pt2pt", "rma", "topo")
MAIN = "util/run_mpitests.c"  # main() of the programs that only define run(): it reports their errors
HELPERS = ("util/mtest.c", "util/mtest_common.c", "util/mtest_single.c", "util/dtypes.c")
OPTIONS = ("-w", "-O1", "-g1", "-fPIC")  # warnings are allowed, because the tests are not ours
MOST_RANKS = 16  # limit for the reference, which runs as many processes

# Results of the suite's configure; they are the same on all machines and for all implementations of MPI-3.
HAS = (
    "STDARG_H", "STRING_H", "UNISTD_H", "STDLIB_H", "MEMORY_H", "SYS_TIME_H", "SYS_RESOURCE_H", "GETRUSAGE",
    "LONG_DOUBLE", "LONG_LONG", "LONG_LONG_INT", "_BOOL", "MPI_WIN_CREATE", "MPI_INIT_THREAD",
    "MPI_TYPE_CREATE_STRUCT", "MPI2_COMBINERS",
)  # fmt: skip


@dataclass(frozen=True)
class Entry:
    """One line of a list: a program with a number of ranks and arguments."""

    program: str
    """folder/name"""
    ranks: int
    arguments: tuple[str, ...]
    expects_failure: bool
    """True if the run must fail, because its errors are fatal."""
    memory_gb: float = 0
    """Memory of all ranks together, where the list states it."""

    @property
    def name(self) -> str:
        return " ".join((self.program, str(self.ranks), *self.arguments))


@dataclass(frozen=True)
class Source:
    files: tuple[Path, ...]
    options: tuple[str, ...]


def root_of(folder: Path) -> Path | None:
    """The suite's folder within a checkout, or the folder itself."""
    for root in (folder / "test" / "mpi", folder):
        if all((root / helper).is_file() for helper in HELPERS) and any((root / name).is_dir() for name in FOLDERS):
            return root
    return None


def entries(root: Path) -> list[Entry]:
    """Every run of a C program, once. Lists repeat lines for environment variables of the implementation."""
    found: dict[Entry, None] = {}
    for folder in FOLDERS:
        for list_name in ("testlist.in", "testlist"):
            path = root / folder / list_name
            if path.is_file():
                found |= dict.fromkeys(_of_list(root, folder, path.read_text()))
                break
    return list(found)


def _of_list(root: Path, folder: str, text: str) -> Iterator[Entry]:
    sources = _sources(root / folder)
    for line in text.splitlines():
        words = line.split("#")[0].split()
        if len(words) < 2 or not words[1].isdecimal() or not 1 <= int(words[1]) <= MOST_RANKS:
            continue
        if words[0] not in sources:
            continue
        arguments = tuple(word.removeprefix("arg=") for word in words[2:] if word.startswith("arg="))
        is_fatal = "resultTest=TestErrFatal" in words
        memory_gb = max((float(word.removeprefix("mem=")) for word in words[2:] if word.startswith("mem=")), default=0)
        yield Entry(f"{folder}/{words[0]}", int(words[1]), arguments, is_fatal, memory_gb)


def _sources(folder: Path) -> Mapping[str, Source]:
    """The C programs of a folder: one source each, except for those that the makefile builds from several."""
    found = {path.stem: Source((path,), ()) for path in sorted(folder.glob("*.c"))}
    makefile = folder / "Makefile.am"
    text = makefile.read_text().replace("\\\n", " ") if makefile.is_file() else ""
    given = dict(re.findall(r"^(\w+_(?:SOURCES|CPPFLAGS))\s*=(.*)$", text, re.MULTILINE))
    for variable, files in given.items():
        if variable.endswith("_SOURCES"):
            name = variable.removesuffix("_SOURCES")
            paths = tuple(folder / file for file in files.split())
            options = tuple(word for word in given.get(f"{name}_CPPFLAGS", "").split() if word.startswith("-D"))
            if paths and all(path.is_file() and path.suffix == ".c" for path in paths):
                found[name] = Source(paths, options)
    return found


class NotCompiledError(Exception):
    """The compiler's first error."""


@dataclass
class Compiler:
    """One implementation's compiler, with the suite's helpers."""

    command: tuple[str, ...]
    root: Path
    state: Path
    _helpers: list[Path] = field(default_factory=list)

    def program(self, entry: Entry) -> Path:
        """The compiled program; kept in `state` under a digest of its sources."""
        folder, name = entry.program.split("/")
        source = _sources(self.root / folder)[name]
        key = hashlib.sha256("\0".join((*self.command, *source.options, *OPTIONS)).encode())
        for path in source.files:
            key.update(path.read_bytes())
        target = self.state / folder / f"{name}-{key.hexdigest()[:16]}"
        if not target.exists():
            files = [*map(str, source.files), *map(str, self.helpers())]
            if not any(re.search(r"\bmain\s*\(", path.read_text()) for path in source.files):
                files.append(str(self._object(self.root / MAIN)))
            self._run([*source.options, *files, "-o", str(target), "-lm"])
        return target

    def _object(self, path: Path) -> Path:
        target = self.state / f"{path.stem}.o"
        if not target.exists():
            self._run(["-c", str(path), "-o", str(target)])
        return target

    def prepare(self) -> None:
        """Compiles the shared parts, before several programs are compiled at once."""
        self.helpers()
        if (self.root / MAIN).is_file():
            self._object(self.root / MAIN)

    def helpers(self) -> list[Path]:
        if not self._helpers:
            include = self.state / "include"
            (include / "inner").mkdir(parents=True, exist_ok=True)
            defined = "".join(f"#define HAVE_{name} 1\n" for name in HAS)
            threads = "#define THREAD_PACKAGE_NAME THREAD_PACKAGE_POSIX\n"
            (include / "mpitestconf.h").write_text(defined + threads)
            (include / "dtpoolsconf.h").write_text(defined)
            (include / "mtest_mpix.h").write_text("")
            pools = sorted((self.root / "dtpools" / "src").glob("*.c"))
            self._helpers = [self._object(path) for path in [*(self.root / one for one in HELPERS), *pools]]
        return self._helpers

    def _run(self, arguments: list[str]) -> None:
        include = self.state / "include"
        folders = [include, include / "inner", self.root / "include", self.root / "dtpools" / "include"]
        target = Path(arguments[arguments.index("-o") + 1])
        target.parent.mkdir(parents=True, exist_ok=True)
        partial = target.with_suffix(".new")
        arguments[arguments.index("-o") + 1] = str(partial)
        places = [f"-I{one}" for one in folders]
        done = subprocess.run(
            [*self.command, *OPTIONS, *places, *arguments], capture_output=True, text=True, check=False
        )
        if done.returncode != 0:
            partial.unlink(missing_ok=True)
            lines = done.stderr.splitlines()
            wrong = [line for line in lines if "error:" in line or "undefined" in line] or lines or ["no output"]
            raise NotCompiledError(re.sub(r"^\S+?([^/\s]+:)", r"\1", wrong[0]))
        partial.rename(target)
