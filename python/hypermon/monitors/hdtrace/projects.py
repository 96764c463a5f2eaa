# SPDX-License-Identifier: BSD-3-Clause
"""Operations on HDTrace projects: summary, conversion, and correction of clocks."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from hypermon._files import csvfile, files, outputs, sums
from hypermon._files.hdtrace import project as projects
from hypermon._files.hdtrace import times
from hypermon.errors import UserError, cut, suggestion

KINDS = ("csv", "hdtrace")
SUFFIXES = (".trc", ".rel")
_ADJUSTMENT = re.compile(rb"""timeAdjustment=(['"])([^'"]*)\1""")
HEAD = 1 << 16  # largest size of a header


def find(path: Path) -> Path:
    """Returns the project's file: `path`, or that in a run directory. Raises a UserError unless there is just one."""
    if not path.is_dir():
        return path
    found = [*sorted(path.glob(f"*{projects.SUFFIX}")), *sorted(path.glob(f"hdtrace/*{projects.SUFFIX}"))]
    if len(found) != 1:
        count_text = "no HDTrace project" if not found else f"{len(found)} HDTrace projects"
        raise UserError(f"{path}: has {count_text} ({projects.SUFFIX}); name the file")
    return found[0]


def summary(path: Path) -> dict[str, Any]:
    """Returns the main numbers of the project."""
    from hypermon.timelines import hdtrace

    project = projects.read(path)
    line = hdtrace.read(path)
    tracks = [
        {
            "path": "/".join(one.path[1:]),
            "states": len(one.begin_ps),
            "related": int(np.count_nonzero(one.cause)),
            "time_s": float((one.end_ps - one.begin_ps).sum()) / times.PS_PER_SECOND,
        }
        for one in line.states
    ]
    statistics = [
        {
            "path": "/".join(one.path[1:]),
            "unit": one.unit,
            "values": len(one.values),
            "mean": float(one.values.mean()) if len(one.values) else 0.0,
        }
        for one in line.statistics
    ]
    return {
        "name": project.name,
        "processes": sum(node.level == "Rank" for node in project.walk()),
        "communicators": len(project.communicators),
        "files": [one.name for one in project.files],
        "states": sum(one["states"] for one in tracks),
        "span_s": (line.end_ps - line.begin_ps) / times.PS_PER_SECOND,
        "tracks": tracks,
        "statistics": statistics,
    }


def convert(path: Path, out: Path, to: str, force: bool = False) -> None:
    """Converts the project. `to`: one of KINDS. `force`: replaces a folder even if it holds other files."""
    from hypermon.timelines import hdtrace

    if to not in KINDS:
        raise UserError(f"--to = {to}: must be {' or '.join(KINDS)}{suggestion(to, KINDS)}")
    files.keep(out, path, path.parent)
    if to == "hdtrace":
        hdtrace.require(out, force)
    else:
        outputs.require(out)
    line = hdtrace.read(path)
    if to == "hdtrace":
        hdtrace.write(line, out, force)
        return
    with files.writing(out) as partial, partial.open("w", newline="", encoding="utf-8") as file:
        csvfile.write_rows(file, [("track", "state", "begin_ps", "end_ps", "id", "cause")])
        for one in line.states:
            track = "/".join(one.path)
            columns = (
                one.name.tolist(),
                one.begin_ps.tolist(),
                one.end_ps.tolist(),
                one.id.tolist(),
                one.cause.tolist(),
            )
            states = zip(*columns, strict=True)
            csvfile.write_rows(file, ((track, one.names[name], *others) for name, *others in states))


def fix_offsets(path: Path, offsets: Sequence[str]) -> list[tuple[Path, str]]:
    """Adds offsets to the adjustments in the hosts' files, in all or none.

    Returns the changed files with their new adjustments.
    """
    project = projects.read(path)
    hosts = {node.path[0] for node in project.nodes}
    shifts: dict[str, int] = {}
    for offset in offsets:
        host, equals, text = offset.partition("=")
        ps = times.parse(text)
        if not equals or ps is None:
            raise UserError(f"--offset {cut(offset)}: must be HOST=SECONDS, like node00=-0.000125")
        if host not in hosts:
            raise UserError(f"--offset {cut(offset)}: the project has no host {host}{suggestion(host, hosts)}")
        if host in shifts:
            raise UserError(f"--offset {cut(offset)}: {host} is given twice")
        shifts[host] = ps
    planned: list[tuple[Path, bytes, bytes, str]] = []
    for node in project.walk():
        if node.path[0] not in shifts:
            continue
        names = [project.file_of(node, suffix) for suffix in SUFFIXES]
        # Without the power meter's files, which have another clock than the node.
        names += [project.file_of(node, ".stat", group) for group in project.groups if group != "Energy"]
        for file in names:
            if file.is_file():
                planned.append(_planned(file, shifts[node.path[0]]))
    for file, head, rest, _ in planned:
        with files.writing(file, streams=False) as partial:
            partial.write_bytes(head + rest)
    sums.renew(path.absolute().parent.parent, (f"{path.absolute().parent.name}/{file.name}" for file, *_ in planned))
    return [(file, offset) for file, _, _, offset in planned]


def _planned(file: Path, shift: int) -> tuple[Path, bytes, bytes, str]:
    """Returns the file, its new header, its remaining content, and the new adjustment."""
    content = file.read_bytes()
    head, rest = content[:HEAD], content[HEAD:]
    found = _ADJUSTMENT.search(head)
    value = times.parse(found[2].decode(errors="replace")) if found else None
    if found is None or value is None:
        raise UserError(f"{file}: its header has no timeAdjustment in decimal seconds")
    adjustment = times.fixed(value + shift)
    changed = head[: found.start(2)] + adjustment.encode() + head[found.end(2) :]
    if file.suffix == ".stat":  # the header contains its own length
        digits, _, below = changed.partition(b"\n")
        if not digits.isdigit():
            raise UserError(f"{file}: its first line must be the length of its header")
        length = int(digits) + len(adjustment) - len(found[2])
        changed = f"{length:0{len(digits)}d}\n".encode() + below
    return file, changed, rest, adjustment
