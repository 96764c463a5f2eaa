"""The user's own MPI program: its sources become a shared object, which the worker loads for every rank.

Objects are kept below the user's cache and found again by what they are made from: the sources' paths and text, the
headers that these include, the compiler's version and its options. The dynamic linker and SMPI are smpicc's business.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from hypermon import files, mpi_functions, sums
from hypermon.errors import UserError
from hypermon.schema import Value, flat

C = {".c"}
CXX = {".cpp", ".cc", ".cxx", ".c++", ".C"}
# As sw/workloads/CMakeLists.txt builds ours. One copy of the object is loaded per rank; unique symbols of C++ would be
# shared between the copies.
OPTIONS = ("-O2", "-g1")
CXX_OPTIONS = ("-fno-gnu-unique",)
FORMAT = 2  # of the cache
ABOUT = "program.json"  # of a compiled object: what it was made of, and the checksum of both
FILE, ARGUMENTS, CFLAGS = "program.file", "program.arguments", "program.cflags"

Sources = str | os.PathLike[str] | Sequence[str | os.PathLike[str]]


def is_source(name: str | os.PathLike[str]) -> bool:
    """Does the name end as sources or shared objects do?"""
    return Path(name).suffix in C | CXX | {".so"}


def settings(parameters: Mapping[str, Any], arguments: Sequence[str] | None = None) -> dict[str, Any]:
    """Keyword arguments of `hypermon.run` as settings, by dotted paths.

    `program` may be a section as all others, or one or several files; `arguments` are the program's.
    """
    program = parameters.get("program")
    if program is not None and not isinstance(program, Mapping):
        parameters = {**parameters, "program": {"file": program}, "workload": "program"}
    given = flat(parameters)
    if arguments is not None:
        given[ARGUMENTS] = shlex.join(str(word) for word in arguments)
    return given


def built(values: Mapping[str, Value], where: str) -> Mapping[str, Value]:
    """The specification with the shared object in the place of the program's sources; without, if others run."""
    if values.get("workload") != "program":
        return {**values, FILE: ""} if values.get(FILE) else values
    named = files.paths(str(values[FILE]))
    if not named:
        raise UserError("program.file: must be given with workload = program", where)
    if len(named) == 1 and _is_object(named[0]):
        return values
    for path in named:
        if path.suffix not in C | CXX:
            allowed = f"C ({', '.join(sorted(C))}) or C++ sources ({', '.join(sorted(CXX))})"
            raise UserError(f"{FILE} = {path}: must be {allowed}, or one shared object built by smpicc", where)
    try:
        options = tuple(shlex.split(str(values[CFLAGS])))
    except ValueError as error:
        raise UserError(f"{CFLAGS} = {values[CFLAGS]}: {error}", where) from None
    return {**values, FILE: files.resolve(FILE, compiled(named, options), where)}


def known(values: Mapping[str, Value]) -> Mapping[str, Value]:
    """As `built`, for those who do not run it: nothing is compiled. Sources that never were stay what they are."""
    if values.get("workload") != "program":
        return {**values, FILE: ""} if values.get(FILE) else values
    named = files.paths(str(values[FILE]))
    if not named or any(path.suffix not in C | CXX for path in named):
        return values
    with contextlib.suppress(OSError, ValueError):
        made = _kept(_cache(), _address(named, shlex.split(str(values[CFLAGS]))), named)
        return values if made is None else {**values, FILE: files.resolve(FILE, made, "")}
    return values


def located(message: str, values: Mapping[str, Value]) -> str:
    """The message of a crash with source lines in the place of offsets, where addr2line knows them."""
    object_file = files.path_of(str(values.get(FILE, "")))
    if object_file is None or shutil.which("addr2line") is None:
        return message

    def line(found: re.Match[str]) -> str:
        command = ["addr2line", "-s", "-e", str(object_file), found[1]]
        said = subprocess.run(command, capture_output=True, text=True, check=False).stdout.split()
        return f"at {said[0]}" if said and not said[0].startswith("?") else found[0]

    return re.sub(r"\(offset (0x[0-9a-f]+) in the program\)", line, message)


def _is_object(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(4) == b"\x7fELF"


def compiled(sources: Sequence[Path], options: Sequence[str] = ()) -> Path:
    """The shared object made from the sources, now or earlier. A UserError shows what the compiler said."""
    cache, key = _cache(), _address(sources, options)
    made = _kept(cache, key, sources)
    if made is not None:
        return made
    try:
        cache.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=cache, prefix=".") as work:
            return _compile(sources, options, cache / key, _name(sources), Path(work))
    except OSError as error:
        raise UserError(f"{cache}: cannot be written to: {error.strerror}") from None


def _cache() -> Path:
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "hypermon" / "programs"


def _address(sources: Sequence[Path], options: Sequence[str]) -> str:
    digests = [(str(path), files.sha256(path)) for path in sources]
    return _key([*digests, *options, *OPTIONS, *CXX_OPTIONS, _version(), FORMAT])


def _name(sources: Sequence[Path]) -> str:
    return sources[0].stem + ".so"


def _kept(cache: Path, key: str, sources: Sequence[Path]) -> Path | None:
    """The shared object that was made earlier, if it and its headers are what they were."""
    for made in sorted(cache.glob(f"{key}-*/{ABOUT}")):
        about, found = _about(made), made.parent / _name(sources)
        if about is None or not _is_still(str(found), about["object"]):
            shutil.rmtree(made.parent, ignore_errors=True)  # damaged
        elif all(_is_still(path, digest) for path, digest in about["headers"].items()):
            return found
    return None


def _about(file: Path) -> dict[str, Any] | None:
    """What an object was made of; None if that is damaged."""
    try:
        about: dict[str, Any] = json.loads(sums.read(file.parent, file.name, ""))
    except (OSError, UserError, ValueError):
        return None
    return about


def _compile(sources: Sequence[Path], options: Sequence[str], kept: Path, name: str, work: Path) -> Path:
    """Into a folder named after `kept` and the headers; never changed afterwards."""
    folder = sources[0].parent
    headers: set[Path] = set()
    objects: list[str] = []
    for i, source in enumerate(sources):
        out = work / f"{i}.o"
        is_cxx = source.suffix in CXX
        about = ["-MMD", "-MF", str(work / "headers"), "-MT", "x"]  # without the system's headers
        flags = [*OPTIONS, *(CXX_OPTIONS if is_cxx else ()), f"-I{_include()}", *options, *about]
        _run(["smpicxx" if is_cxx else "smpicc", *flags, "-c", str(source), "-o", str(out)], folder)
        headers |= {folder / path for path in _prerequisites((work / "headers").read_text("utf-8"))} - {source}
        objects.append(str(out))
    result = work / "made"
    result.mkdir()
    linker = "smpicxx" if any(source.suffix in CXX for source in sources) else "smpicc"
    _run([linker, *objects, *OPTIONS, *options, "-o", str(result / name)], folder)
    digests = {str(path): files.sha256(path) for path in sorted(headers)}
    about_it = {
        "sources": [str(path) for path in sources],
        "options": [*OPTIONS, *options],
        "object": files.sha256(result / name),
        "headers": digests,
    }
    (result / ABOUT).write_text(json.dumps(about_it, indent=1) + "\n", encoding="utf-8")
    sums.write(result, [ABOUT])
    final = kept.with_name(f"{kept.name}-{_key(sorted(digests.items()))}")
    if not final.exists():
        try:
            result.rename(final)
        except OSError:  # another process was quicker
            if not final.exists():
                raise
    return final / name


def _run(command: Sequence[str], folder: Path) -> None:
    if shutil.which(command[0]) is None:
        raise UserError(f"{command[0]} is not installed: it comes with SimGrid (Debian: libsimgrid-dev)")
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, errors="replace", check=False)
    if done.returncode:
        absent = mpi_functions.absent(done.stderr)
        why = f"{FILE}: {absent}" if absent else f"{command[0]} does not compile the program"
        raise UserError(f"{why}:\n{done.stderr.rstrip()}")
    sys.stderr.write(done.stderr)  # warnings


def _prerequisites(rule: str) -> list[str]:
    """Of a make rule, as compilers write it."""
    words = rule.partition(":")[2].replace("\\\n", " ").replace("\\ ", "\0").split()
    return [word.replace("\0", " ") for word in words]


def _is_still(path: str, digest: str) -> bool:
    try:
        return files.sha256(Path(path)) == digest
    except OSError:
        return False


def _key(parts: Sequence[object]) -> str:
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:16]


@functools.cache
def _version() -> str:
    """Of SimGrid and of the compilers behind its own."""
    said = [
        subprocess.run([command, *options], capture_output=True, text=True, check=False).stdout
        for command in ("smpicc", "smpicxx")
        if shutil.which(command)
        for options in (["-version"], ["-compiler-version", "-c"])  # -c: it would link nothing otherwise
    ]
    return "".join(said)


def _include() -> Path:
    """The folder of hypermon.h: of the source tree, else of the installed package."""
    here = Path(__file__).resolve().parent
    tree = here.parents[1] / "sw" / "include"
    return tree if tree.is_dir() else here / "include"
