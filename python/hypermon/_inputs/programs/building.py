# SPDX-License-Identifier: BSD-3-Clause
"""Builds a folder to a shared object with make, CMake or configure, and SimGrid's compilers.

The build runs in a private copy, so the user's folder is only read. The copy is made of a parent folder if the build
needs files from there. The object is kept together with the folder's files after the build, which the ranks find in
their working folder. Files beside the program are at the top of it.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from hypermon._files import files, folders
from hypermon._inputs.programs import cache, compilers, executables, wrappers
from hypermon._inputs.programs.workspace import FILES
from hypermon._printing import passing
from hypermon.errors import UserError

FORMAT = 2  # version of the cache's format
MAKEFILES = ("GNUmakefile", "makefile", "Makefile")  # in make's order of precedence
SHOWN_LINES = 25  # (chosen) lines that are shown of a failed build
# Compilers that are not MPI's. A makefile with CC = gcc is meant to be used with mpicc.
_ORDINARY = re.compile(
    r"(?:\S*/)?(?:g?cc|gcc|clang|icc|icx|[gc]\+\+|clang\+\+|icpc|icpx|gfortran|f77|f90|f95|ifort|ifx)(?:-[\d.]+)?"
)


_INCLUDED = re.compile(r"^ *(?:-|s)?include[ \t]+([^#\n]+)", re.MULTILINE)


@dataclass(frozen=True)
class Folder:
    """A folder to build, with the options of the build."""

    path: Path
    root: Path  # folder to copy: the folder itself or a parent
    sha256: str  # hash of the root
    make: str  # program.make
    executable: str  # program.executable
    options: tuple[str, ...]  # program.cflags
    where: str

    @property
    def key(self) -> str:
        """Key in the cache."""
        about = [
            str(self.path),
            str(self.root),
            self.sha256,
            self.make,
            self.executable,
            self.options,
            compilers.version(True),
            FORMAT,
        ]
        return cache.key([*about, compilers.OPTIONS, compilers.CXX_OPTIONS])


def find_build(folder: Folder) -> cache.Made | None:
    """Returns the result of an earlier build of the folder. None: there is none."""
    return cache.kept(folder.key)


def build_folder(folder: Folder) -> cache.Made:
    """Builds the folder unless it was built before. `about["files"]` is the digest of FILES beside the object.

    Raises a UserError if the folder has no makefile or the like, if the build fails, or if it does not make exactly one
    program.
    """
    found = find_build(folder)
    if found is not None:
        return found
    with cache.work_of(folder.key) as work:
        if (found := find_build(folder)) is not None:  # built by the process that held the lock
            return found
        source, made = work / "source", work / "made"
        place = source / folder.path.relative_to(folder.root)
        folders.copy(folder.root, source, sources=True)
        if folders.digest(source, sources=True) != folder.sha256:
            raise UserError(f"program.file = {folder.root}: its content changes while it is copied", folder.where)
        outputs = _build(folder, place, source, work)
        name = executables.choose(_files(outputs), folder.executable, folder.path, folder.where)
        program = next(output / name for output in outputs if (output / name).is_file())
        (made / "bin").mkdir(parents=True)
        shutil.copy2(program, made / "bin" / program.name)
        shutil.copy2(work / "log", made / "build.log")
        _take_files(place, program.parent, made / FILES)
        digest = folders.digest(made / FILES)
        about = {"folder": str(folder.path), "sha256": folder.sha256, "make": folder.make, "files": digest}
        return cache.keep(folder.key, made, f"bin/{program.name}", {}, {**about, "options": list(folder.options)})


def root_above(path: Path) -> Path:
    """Returns the folder that a build in `path` needs: `path`, or the parent from which its makefiles include files."""
    found = path
    for makefile in (path / name for name in MAKEFILES if (path / name).is_file()):
        for words in _INCLUDED.findall(makefile.read_text(encoding="utf-8", errors="replace")):
            for word in words.split():
                included = Path(os.path.normpath(path / word))
                if not Path(word).is_absolute() and included.is_file():
                    found = Path(os.path.commonpath([found, included.parent]))
    return path if Path.home().is_relative_to(found) else found  # never copies the whole home folder


def _build(folder: Folder, source: Path, root: Path, work: Path) -> list[Path]:
    """Builds, and returns the folders of the outputs. `source`: the copy of the folder, in that of the root."""
    words = _words(folder)
    wrappers.write(work / "compilers", {root: folder.root, work / "build": folder.path / "build"}, folder.options)
    environment = wrappers.environment(work / "compilers")
    run = _Runner(folder, source, root, work, environment)
    place = _Place.from_arguments(words)
    if not source.joinpath(*place.folders).resolve().is_relative_to(root.resolve()):
        raise UserError(
            f"program.make = {folder.make}: leads out of {folder.root}; program.root names the folder that is copied, "
            "which may be one above program.file",
            folder.where,
        )
    if makes := place.words(source):
        _require("make", folder)
        run("make", *_variables(run, makes), *words)
        return [root]
    if (source / "CMakeLists.txt").is_file():
        _require("cmake", folder)
        options = [word for word in words if word.startswith("-")]
        targets = [word for word in words if not word.startswith("-")]
        languages = {"C": "smpicc", "CXX": "smpicxx"} | ({"Fortran": "smpif90"} if shutil.which("gfortran") else {})
        if not shutil.which("make") and shutil.which("ninja"):
            environment["CMAKE_GENERATOR"] = "Ninja"
        named = [f"-DCMAKE_{language}_COMPILER={compiler}" for language, compiler in languages.items()]
        run("cmake", "-S", ".", "-B", str(work / "build"), *named, *options, pretending=True)
        targets = ["--target", *targets] if targets else []
        run("cmake", "--build", str(work / "build"), "--parallel", str(os.cpu_count() or 1), *targets)
        return [work / "build", root]
    if (source / "configure").is_file():
        _require("make", folder)
        options = [word for word in words if word.startswith("-")]
        run("sh", "./configure", *options, pretending=True)
        run("make", *(word for word in words if not word.startswith("-")))
        return [root]
    one_of = ", ".join((MAKEFILES[-1], "CMakeLists.txt", "configure"))
    raise UserError(
        f"program.file = {folder.path}: has none of {one_of}: give its sources, or a folder that has", folder.where
    )


def _require(tool: str, folder: Folder) -> None:
    if shutil.which(tool) is None:
        raise UserError(f"{tool} is not installed, and {folder.path} is built by it (Debian: {tool})", folder.where)


@dataclass(frozen=True)
class _Runner:
    """Runs the commands of a build. Their output goes to a log."""

    folder: Folder
    source: Path
    root: Path
    work: Path
    environment: Mapping[str, str]

    def __call__(self, *command: str, pretending: bool = False) -> None:
        """Runs a command. `pretending`: the compilers make ordinary programs, for the tests of configure."""
        tool = "configure" if command[0] == "sh" else command[0]
        environment = {**self.environment, **(compilers.PRETENDS if pretending else {})}
        with (self.work / "log").open("ab") as log, passing(f"building {self.folder.path}: {tool} ..."):
            log.write(f"$ {shlex.join(command)}\n".encode())
            log.flush()
            done = subprocess.run(
                command,
                cwd=self.source,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                check=False,
            )
        if done.returncode:
            raise UserError(self._failed(tool, done.returncode))

    def value(self, *command: str) -> str:
        """Returns the output of a command, even if it fails."""
        done = subprocess.run(
            command,
            cwd=self.source,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            errors="backslashreplace",
            check=False,
        )
        return done.stdout

    def _failed(self, tool: str, status: int) -> str:
        log = cache.folder() / f"{self.folder.key}.log"
        log_text = (self.work / "log").read_text(encoding="utf-8", errors="replace")
        log_text = log_text.replace(str(self.work / "build"), str(self.folder.path / "build"))
        log_text = log_text.replace(str(self.source), str(self.folder.path)).replace(
            str(self.root), str(self.folder.root)
        )
        with files.writing(log, streams=False) as part:
            part.write_text(log_text, encoding="utf-8")
        lines = log_text.rstrip().splitlines()
        more = f", of which these are the last {SHOWN_LINES} lines" if len(lines) > SHOWN_LINES else ""
        end = "\n".join(lines[-SHOWN_LINES:])
        summary = f"program.file = {self.folder.path}: {tool} ended with status {status}"
        hint = (
            ""
            if "../" not in log_text
            else (
                f"\n  The build had a copy of {self.folder.root} and nothing above it; program.root names a folder "
                "above it that is copied instead."
            )
        )
        return f"{summary}; its whole output is in {log}{more}:\n{end}{hint}"


def _words(folder: Folder) -> list[str]:
    try:
        return shlex.split(folder.make)
    except ValueError as error:
        raise UserError(f"program.make = {folder.make}: {error}", folder.where) from None


@dataclass(frozen=True)
class _Place:
    """The folder and the makefile of make, as far as its arguments name them."""

    folders: list[str]  # each relative to the one before
    makefiles: list[str]

    @classmethod
    def from_arguments(cls, words: Sequence[str]) -> _Place:
        found = cls([], [])
        for i, word in enumerate(words):
            if match := re.fullmatch(r"(?:-C|--directory=?)(.*)", word):
                found.folders.append(match[1] or "".join(words[i + 1 : i + 2]))
            elif match := re.fullmatch(r"(?:-f|--(?:make)?file=?)(.*)", word):
                found.makefiles.append(match[1] or "".join(words[i + 1 : i + 2]))
        return found

    def words(self, source: Path) -> list[str]:
        """Returns make's options for the folders and makefiles, or for the makefile found there. Empty: no makefile."""
        folder = source.joinpath(*self.folders)
        makefiles = self.makefiles or [name for name in MAKEFILES if (folder / name).is_file()][:1]
        return [*(f"-C{name}" for name in self.folders), *(f"-f{name}" for name in makefiles)] if makefiles else []


def _variables(run: _Runner, place: Sequence[str]) -> list[str]:
    """Returns settings that replace the makefile's ordinary compilers by SimGrid's.

    For CC = gcc -std=c99 this is CC=smpicc -std=c99. Compilers with MPI's names are found through the wrappers.
    Variables that the makefile does not set come from the environment.
    """
    names = " ".join(wrappers.VARIABLES)
    probe = run.work / "probe.mk"
    probe.write_text(
        f"hypermon-probe:\n\t@:$(foreach name,{names},$(info hypermon $(origin $(name)) $(name) $($(name))))\n",
        encoding="utf-8",
    )
    output = run.value("make", "--no-print-directory", *place, "-f", str(probe), "hypermon-probe")
    found: list[str] = []
    for line in output.splitlines():
        match line.split(maxsplit=4):
            case ["hypermon", "file", name, compiler, *rest] if _ORDINARY.fullmatch(compiler):
                found.append(f"{name}={' '.join([wrappers.VARIABLES[name], *rest])}")
    return found


def _files(outputs: Sequence[Path]) -> dict[str, Path]:
    """Returns all files below these folders, by relative name."""
    found: dict[str, Path] = {}
    for output in outputs:
        for at, inner, names in os.walk(output):
            inner[:] = [name for name in inner if name != "CMakeFiles"]
            for path in (Path(at) / name for name in names):
                if path.is_file() and not path.is_symlink():
                    found.setdefault(str(path.relative_to(output)), path)
    return found


def _take_files(source: Path, beside: Path, to: Path) -> None:
    """Copies the folder's files after the build, without objects, and then the files beside the program."""
    folders.copy(source, to, sources=True)
    if beside != source:
        folders.copy(beside, to, sources=True)
