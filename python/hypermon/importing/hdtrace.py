# SPDX-License-Identifier: BSD-3-Clause
"""HDTrace projects as program scripts: between MPI calls a rank computes (hdtrace_actions.py).

Traces are read piece by piece, whatever their length: only 32 bytes for each action stay in memory.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from hypermon._files import hdtrace
from hypermon._files.files import keep
from hypermon._files.hdtrace import Datatype, Node, Project
from hypermon.errors import UserError
from hypermon.importing.hdtrace_actions import Communicator, Rank
from hypermon.importing.layouts import Layout, UnknownError, joined
from hypermon.importing.script import SELF, Script, Writer

SUFFIX = ".trc"
BYTES = {
    **dict.fromkeys(("MPI_BYTE", "MPI_CHAR", "MPI_SIGNED_CHAR", "MPI_UNSIGNED_CHAR", "MPI_PACKED"), 1),
    **dict.fromkeys(("MPI_SHORT", "MPI_UNSIGNED_SHORT"), 2),
    **dict.fromkeys(("MPI_INT", "MPI_UNSIGNED", "MPI_FLOAT", "MPI_INTEGER", "MPI_REAL"), 4),
    **dict.fromkeys(("MPI_LONG", "MPI_UNSIGNED_LONG", "MPI_LONG_LONG", "MPI_LONG_LONG_INT", "MPI_DOUBLE"), 8),
    **dict.fromkeys(("MPI_DOUBLE_PRECISION", "MPI_DOUBLE_INT"), 8),
    **dict.fromkeys(("MPI_LONG_DOUBLE", "MPI_DOUBLE_COMPLEX"), 16),
}


def read(source: str | os.PathLike[str], out: str | os.PathLike[str]) -> Script:
    """Imports the project (its .proj file) and writes the script `out`. A UserError names file and line."""
    path = Path(source)
    project = hdtrace.project.read(path)
    nodes = _ranks(project, path)
    traces = [project.file_of(_thread(node), SUFFIX) for node in nodes]
    keep(Path(out), path, *traces)
    files = {file.name: file.initial_bytes for file in project.files if file.initial_bytes > 0}
    made_from = {"kind": "HDTrace project", "name": path.name, "files": files}
    with Writer(out, len(nodes), made_from) as writer:
        comms = _communicators(project, writer, len(nodes))
        ranks = []
        for rank, (node, trace) in enumerate(zip(nodes, traces, strict=True)):
            if len(node.children) > 1:
                writer.report.add("calls of other threads: left out", "/".join(node.path))
            types = _Types(project.datatypes.get(rank, ()))
            ranks.append(Rank(writer, rank, comms[rank], types.layout))
            ranks[-1].read(hdtrace.read_trace(trace), trace)
        largest = [0] * len(ranks)
        for one in ranks:
            for to, size in one.largest_sent.items():
                largest[to] = max(largest[to], size)
        for one, size in zip(ranks, largest, strict=True):
            one.end(size)
    return Script.open(out)


def _ranks(project: Project, path: Path) -> list[Node]:
    """The processes, by their ranks."""
    found: dict[int, Node] = {}
    for node in project.walk():
        if node.level.casefold() == "rank" and node.path[-1].isdecimal():
            found[int(node.path[-1])] = node
    if not found or sorted(found) != list(range(len(found))):
        raise UserError(f"{path}: its topology must have processes (level Rank) 0 to n - 1, and has {sorted(found)}")
    return [found[rank] for rank in sorted(found)]


def _thread(node: Node) -> Node:
    """Returns the thread that made MPI calls, which is the first one. Old projects have no threads."""
    return node.children[0] if node.children else node


def _communicators(project: Project, writer: Writer, ranks: int) -> list[dict[int, Communicator]]:
    """The communicators of each rank, by the numbers in its trace."""
    found: list[dict[int, Communicator]] = [{} for _ in range(ranks)]
    everyone = list(range(ranks))
    number = 0
    has_world = False
    for comm in project.communicators:
        members = [rank for rank, _, _ in sorted(comm.members, key=lambda member: member[1])]
        if any(not 0 <= rank < ranks for rank in members):
            raise UserError(f"{project.path}: communicator {comm.name}: there are ranks 0 to {ranks - 1}")
        if members == everyone and not has_world:
            has_world = True
            made = Communicator(0, members)
        elif len(members) <= 1:
            made = Communicator(SELF, members)
        else:
            number += 1
            writer.report.add("a communicator's creation: it is made at the beginning", comm.name or f"number {number}")
            for rank in everyone:
                writer.add(rank, "comm_create", request=number, values=members if rank in members else [])
            made = Communicator(number, members)
        for rank, _, known_by in comm.members:
            found[rank][known_by] = made
    return found


class _Types:
    """A rank's datatypes."""

    def __init__(self, types: tuple[Datatype, ...]) -> None:
        self._types: Mapping[int, Datatype] = {one.number: one for one in types}

    def layout(self, number: int, depth: int = 0) -> Layout:
        """Layout of one element. Raises UnknownError if the type does not exist or its kind is unknown."""
        one = self._types.get(number)
        if one is None or depth > 32:
            raise UnknownError(f"type {number}")
        attributes = one.attributes
        try:
            if one.combiner == "NAMED":
                return Layout.of_bytes(BYTES[one.name])
            if one.combiner == "STRUCT":
                parts = [(at, self._times(self.layout(of, depth + 1), n)) for of, at, n in one.parts]
                return joined(parts)
            inner = self.layout(int(attributes["oldType"]), depth + 1)
            count = int(attributes["count"])
            if one.combiner == "CONTIGUOUS":
                return inner.repeated(count, inner.extent)
            if one.combiner in ("VECTOR", "HVECTOR"):
                stride = int(attributes["stride"]) * (inner.extent if one.combiner == "VECTOR" else 1)
                return inner.repeated(count, stride, int(attributes["blocklength"]))
        except (KeyError, ValueError) as error:
            raise UnknownError(f"type {number}: {error}") from None
        raise UnknownError(f"{one.combiner.lower()} types")

    @staticmethod
    def _times(layout: Layout, count: int) -> Layout:
        return layout.repeated(count, layout.extent)
