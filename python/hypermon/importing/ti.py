# SPDX-License-Identifier: BSD-3-Clause
"""SimGrid's time-independent traces (`smpirun -trace-ti`) as program scripts: the files and their lines.

Lines are `RANK ACTION ARGUMENTS`, as SimGrid 3.32 writes and replays them; ti_actions.py knows the actions.
"""

from __future__ import annotations

import math
import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from hypermon._files.files import keep, regular
from hypermon.errors import UserError
from hypermon.importing.script import Script, Writer
from hypermon.importing.ti_actions import Line, Rank, RefusedError

_ACTION = re.compile(r"\d{1,10} (?:location .*|[A-Za-z_]+(?: [-+.\deE]+)*)", re.ASCII)  # first line of a trace


def read(source: str | os.PathLike[str], out: str | os.PathLike[str], flops_per_s: float | None = None) -> Script:
    """Imports the trace and writes the script `out`.

    `source`: the list of the ranks' files that smpirun writes, a file of all ranks, or a folder of the ranks' files. As
    for SimGrid, a list may name files in any folder; errors do not show the content of a file that is no trace.
    `flops_per_s`: speed of the nodes, which gives each computation a time. Without it, the script computes in flops, at
    the speed of the hosts of an XML machine. A UserError names file and line.
    """
    if flops_per_s is not None and not (flops_per_s > 0 and math.isfinite(flops_per_s)):
        raise UserError(f"flops_per_s = {flops_per_s}: must be greater than 0")
    source = Path(source)
    files = _files(source)
    keep(Path(out), source, *files)
    ranks, owners = _ranks(source, files)
    made_from = {"kind": "SimGrid time-independent trace", "name": source.name, "flops_per_s": flops_per_s}
    with Writer(out, ranks, made_from) as writer:
        actions = [Rank(writer, rank, ranks, flops_per_s) for rank in range(ranks)]
        for file, owner in zip(files, owners, strict=True):
            for number, words in _actions(file):
                where = f"{file}, line {number}"
                rank = _rank(words, ranks, where)
                if owner is not None and rank != owner:
                    raise UserError(f"{' '.join(words)}: this is rank {owner}'s file", where)
                _read_line(actions[rank], words, where)
        for rank_actions in actions:
            rank_actions.end()
    return Script.open(out)


def _read_line(actions: Rank, words: list[str], where: str) -> None:
    try:
        if len(words) < 2:
            raise RefusedError("must be RANK ACTION ARGUMENTS")
        actions.read(words[1], Line(words[2:], actions.ranks), where)
    except RefusedError as why:
        raise UserError(f"{' '.join(words)}: {why}", where) from None


def _files(source: Path) -> list[Path]:
    """The files of a list, relative to the working folder or else to the list's own folder, as in SimGrid."""
    if source.is_dir():
        files = sorted(path for path in source.iterdir() if path.is_file() and path.suffix == ".txt")
        if not files:
            raise UserError(f"{source}: has no files *.txt, one of each rank")
        return files
    named: list[Path] = []
    for line, words in _lines(source):
        if len(words) != 1:
            if named:
                raise UserError(f"{' '.join(words)}: must be the name of a file", f"{source}, line {line}")
            break
        found = [file for file in (Path(words[0]), source.parent / words[0]) if file.is_file()]
        if not found:
            raise UserError(f"{words[0]}: no such file, from here or from {source.parent}", f"{source}, line {line}")
        named.append(found[0])
    return named or [source]


def _lines(file: Path) -> Iterator[tuple[int, list[str]]]:
    try:
        with regular(file).open(encoding="ascii") as text:
            for number, line in enumerate(text, 1):
                words = line.split()
                if words and not words[0].startswith("#"):
                    yield number, words
    except UnicodeDecodeError as error:
        raise UserError(f"{file}: is not a trace: byte {error.object[error.start]:#x} is not text") from None
    except OSError as error:
        raise UserError(f"{file}: cannot be read: {error.strerror}") from None


def _actions(file: Path) -> Iterator[tuple[int, list[str]]]:
    """The lines of a trace. A list may name any file of the user's: an error shows lines of a trace only."""
    lines = _lines(file)
    for number, words in lines:
        if not _ACTION.fullmatch(" ".join(words)):
            raise UserError(f"{file}: is not a time-independent trace: line {number} is not RANK ACTION NUMBERS")
        yield number, words
        break
    yield from lines


def _ranks(source: Path, files: Sequence[Path]) -> tuple[int, list[int | None]]:
    """Returns the number of ranks (0 to n - 1, all in one file or one file each), and the rank of each file if it has
    only one.
    """
    if len(files) == 1:
        found = {_rank(words, None, f"{files[0]}, line {line}") for line, words in _actions(files[0])}
        if not found or found != set(range(len(found))):
            raise UserError(f"{files[0]}: has no actions of ranks 0 to n - 1")
        return len(found), [None]
    if not source.is_dir():
        return len(files), list(range(len(files)))
    owners: list[int | None] = []
    for file in files:
        line, words = next(_actions(file), (0, []))
        if not words:
            raise UserError(f"{file}: has no actions")
        owner = _rank(words, len(files), f"{file}, line {line}")
        if owner in owners:
            raise UserError(
                f"{' '.join(words)}: {files[owners.index(owner)]} is rank {owner}'s", f"{file}, line {line}"
            )
        owners.append(owner)
    return len(files), owners


def _rank(words: Sequence[str], ranks: int | None, where: str) -> int:
    """Rank of a line."""
    if not (words[0].isascii() and words[0].isdecimal()) or len(words[0]) > len(str(1 << 31)):
        raise UserError(f"{words[0]}: is not a rank; is this a time-independent trace?", where)
    rank = int(words[0])
    if ranks is not None and rank >= ranks:
        raise UserError(f"{' '.join(words)}: there is no rank {rank}, but 0 to {ranks - 1}", where)
    return rank
