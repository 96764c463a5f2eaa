# SPDX-License-Identifier: BSD-3-Clause
"""One or several sources become a shared object.

It is found again by what it was made from: the sources' paths and text, the headers that these include, the compilers'
versions and their options.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from hypermon._files import files
from hypermon._inputs.programs import cache, compilers
from hypermon._inputs.programs.compilers import CXX_OPTIONS, OPTIONS

FORMAT = 3  # of what is kept


def compiled(sources: Sequence[Path], options: Sequence[str] = ()) -> Path:
    """The shared object made from the sources, now or earlier. A UserError shows what the compiler said."""
    key = _key(sources, options)
    found = cache.kept(key)
    if found is not None:
        return found.object
    with cache.work() as work:
        return _compile(sources, options, key, work)


def known(sources: Sequence[Path], options: Sequence[str] = ()) -> Path | None:
    """The same if it was made earlier."""
    made = cache.kept(_key(sources, options))
    return made.object if made else None


def _key(sources: Sequence[Path], options: Sequence[str]) -> str:
    digests = [(str(path), files.sha256(path)) for path in sources]
    fortran = any(compilers.of(path) == "smpif90" for path in sources)
    return cache.key([*digests, *options, *OPTIONS, *CXX_OPTIONS, compilers.version(fortran), FORMAT])


def _compile(sources: Sequence[Path], options: Sequence[str], key: str, work: Path) -> Path:
    folder = sources[0].parent
    compilers.require(sources)
    headers: set[Path] = set()
    objects: list[str] = []
    for i, source in enumerate(sources):
        out = work / f"{i}.o"
        compiler = compilers.of(source)
        about = ["-MMD", "-MF", str(work / "headers"), "-MT", "x"]  # without the system's headers
        own = {"smpicxx": CXX_OPTIONS, "smpif90": (f"-J{work}",)}.get(compiler, ())  # -J: modules
        flags = [compiler, *OPTIONS, *own, *compilers.headers(compiler), *options]
        if compiler == "smpif90":
            compilers.run([*flags, "-c", str(source), "-o", str(out)], folder)
            flags += ["-cpp", "-fsyntax-only"]  # gfortran names prerequisites only where it preprocesses
        compilers.run([*flags, *about, "-c", str(source), "-o", str(out)], folder)
        read = {folder / path for path in _prerequisites((work / "headers").read_text("utf-8"))}
        headers |= {path for path in read - {source} if not path.is_relative_to(work)}
        objects.append(str(out))
    result, name = work / "made", sources[0].stem + ".so"
    result.mkdir()
    used = {compilers.of(source) for source in sources}
    linker = next(compiler for compiler in ("smpif90", "smpicxx", "smpicc") if compiler in used)
    libraries = ["-lstdc++"] if used >= {"smpif90", "smpicxx"} else []
    compilers.run([linker, *objects, *OPTIONS, *options, *libraries, "-o", str(result / name)], folder)
    digests = {str(path): files.sha256(path) for path in sorted(headers)}
    about_it = {"sources": [str(path) for path in sources], "options": [*OPTIONS, *options]}
    return cache.keep(key, result, name, digests, about_it).object


def _prerequisites(rule: str) -> list[str]:
    """Of a make rule, as compilers write it."""
    words = rule.partition(":")[2].replace("\\\n", " ").replace("\\ ", "\0").split()
    return [word.replace("\0", " ") for word in words]
