# SPDX-License-Identifier: BSD-3-Clause
"""Compiles one or several sources to a shared object.

The object is found in the cache by its inputs: the paths and texts of the sources, the included headers, the versions
and options of the compilers, and the objects, archives and modules that options name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from hypermon._files import files
from hypermon._inputs.programs import cache, compilers
from hypermon._inputs.programs.compilers import CXX_OPTIONS, OPTIONS

FORMAT = 4  # version of the cache's format
_FOLDERS = ("-I", "-L", "-J", "-isystem", "-iquote", "-idirafter")  # compiler options that name a folder
_FILES = ("-include", "-imacros")


def compiled(sources: Sequence[Path], options: Sequence[str] = ()) -> Path:
    """Compiles the sources unless they were compiled before. Raises a UserError with the compiler's messages."""
    key = _key(sources, options)
    found = cache.kept(key)
    if found is not None:
        return found.object
    with cache.work() as work:
        return _compile(sources, options, key, work)


def find_build(sources: Sequence[Path], options: Sequence[str] = ()) -> Path | None:
    """Returns the shared object if the sources were compiled before. None: they were not."""
    made = cache.kept(_key(sources, options))
    return made.object if made else None


def _key(sources: Sequence[Path], options: Sequence[str]) -> str:
    digests = [(str(path), files.sha256(path)) for path in sources]
    fortran = any(compilers.choose(path) == "smpif90" for path in sources)
    return cache.key([*digests, *options, *OPTIONS, *CXX_OPTIONS, compilers.version(fortran), FORMAT])


def _compile(sources: Sequence[Path], options: Sequence[str], key: str, work: Path) -> Path:
    folder = sources[0].parent
    compilers.require(sources)
    headers: set[Path] = set()
    objects: list[str] = []
    for i, source in enumerate(sources):
        out = work / f"{i}.o"
        compiler = compilers.choose(source)
        about = ["-MMD", "-MF", str(work / "headers"), "-MT", "x"]  # without the system's headers
        own = {"smpicxx": CXX_OPTIONS, "smpif90": (f"-J{work}",)}.get(compiler, ())  # -J: modules
        place, given = folder, options
        if compiler == "smpif90":  # modules in the working folder would take precedence over all others
            place, given = work, _absolute(options, folder)
        flags = [compiler, *OPTIONS, *own, *compilers.headers(compiler), *given]
        if compiler == "smpif90":
            compilers.run([*flags, "-c", str(source), "-o", str(out)], place)
            flags += ["-cpp", "-fsyntax-only"]  # gfortran lists prerequisites only when it preprocesses
        compilers.run([*flags, *about, "-c", str(source), "-o", str(out)], place)
        read = {place / path for path in _prerequisites((work / "headers").read_text("utf-8"))}
        headers |= {path for path in read - {source} if not path.is_relative_to(work)}
        objects.append(str(out))
    result, name = work / "made", sources[0].stem + ".so"
    result.mkdir()
    used = {compilers.choose(source) for source in sources}
    linker = next(compiler for compiler in ("smpif90", "smpicxx", "smpicc") if compiler in used)
    libraries = ["-lstdc++"] if used >= {"smpif90", "smpicxx"} else []
    compilers.run([linker, *objects, *OPTIONS, *options, *libraries, "-o", str(result / name)], folder)
    read = headers | set(_named(options, folder))
    digests = {str(path): files.sha256(path) for path in sorted(read)}
    about_it = {"sources": [str(path) for path in sources], "options": [*OPTIONS, *options]}
    return cache.keep(key, result, name, digests, about_it).object


def _absolute(options: Sequence[str], folder: Path) -> list[str]:
    """Returns the options with absolute paths. `folder`: the folder to which relative paths refer."""
    found: list[str] = []
    named = False  # the word before names this one's kind
    for word in options:
        joined = re.fullmatch(rf"({'|'.join((*_FOLDERS, *_FILES))})([^=].*)", word)
        if named and found[-1] in ("-I", "-L", "-J"):
            found[-1] += str(folder / word)
        elif named or (not word.startswith("-") and (folder / word).is_file()):
            found.append(str(folder / word))
        else:
            found.append(f"{joined[1]}{folder / joined[2]}" if joined else word)
        named = word in (*_FOLDERS, *_FILES)
    return found


def _named(options: Sequence[str], folder: Path) -> Iterator[Path]:
    """Yields the user's objects, archives and libraries in the options, and the modules in folders of the options."""
    words = _absolute(options, folder)
    named = {option: [Path(word[2:]) for word in words if word.startswith(option)] for option in ("-I", "-L")}
    yield from (Path(word) for word in words if not word.startswith("-") and Path(word).is_file())
    for place in named["-L"]:
        for library in (word[2:] for word in words if word.startswith("-l")):
            yield from (path for end in ("a", "so") if (path := place / f"lib{library}.{end}").is_file())
    for place in named["-I"]:
        if place.is_dir():
            yield from (path for path in place.iterdir() if path.suffix in (".mod", ".smod") and path.is_file())


def _prerequisites(rule: str) -> list[str]:
    """Returns the prerequisites of a make rule that a compiler has written."""
    words = rule.partition(":")[2].replace("\\\n", " ").replace("\\ ", "\0").split()
    return [word.replace("\0", " ") for word in words]
