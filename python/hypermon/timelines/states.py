# SPDX-License-Identifier: BSD-3-Clause
"""The states of a rank, from the events at their begin and end: computing, MPI call, system call, blocked in one.

The events nx2.syscall_entry and nx2.syscall_exit mark a system call of NX/2; nx2.switch_out and nx2.switch_in mark the
time in which the process waits in it (sw/os/system_call.hpp). The events mpi.<function>.enter and .leave mark an MPI
call. The states depend on which of these points are in the run's catalogue. Without points of MPI calls, a collective
operation appears as the point-to-point calls of its implementation. Interrupts are no states of the rank; their events
are shown among the others.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from hypermon._model.catalogues import Event
from hypermon._model.native import _core

if TYPE_CHECKING:
    import pandas as pd

    from hypermon._model.spec import Spec
    from hypermon.timelines.window import Window

PROGRAM, COMPUTING, BLOCKED, SYSTEM_CALL = "program", "computing", "blocked", "system call"
BRACKETS = tuple(
    f"nx2.{name}"
    for name in ("process_start", "process_end", "syscall_entry", "syscall_exit", "switch_out", "switch_in")
)
"""The points of NX/2 at which states begin or end."""


class Bracket(NamedTuple):
    """An event at one of BRACKETS or of an MPI call: begin and end of its emission, and the call (nx2.syscall_*)."""

    point: str
    begin_ps: int
    end_ps: int
    call: str = SYSTEM_CALL


class Edge(NamedTuple):
    """The begin of a state or, without a name, the end of the innermost one."""

    ps: int
    name: str | None


def ranks_on(spec: Spec, node: int) -> str:
    """Returns the name of a node's track."""
    each = int(spec.values.get("cpu.ranks_per_node", 1))
    ranks = f"rank {node}" if each == 1 else f"ranks {node * each} to {node * each + each - 1}"
    return f"{ranks} on node {node}"


@cache
def call_name(number: int) -> str:
    for call, name, mpi in _core.system_calls():
        if call == number:
            return f"{name} ({mpi})"
    return f"call {number}"


def mpi_call(point: str) -> tuple[str, bool] | None:
    """Returns the MPI function, and whether it is entered, if the point is one of an MPI call."""
    group, _, rest = point.partition(".")
    function, _, side = rest.partition(".")
    return (function, side == "enter") if group == "mpi" else None


def brackets(pieces: Iterable[pd.DataFrame], catalogue: Sequence[Event], begin: str, end: str) -> Iterator[Bracket]:
    """Yields the brackets in a node's events (hypermon.timelines.Truth.of_node). `begin`, `end`: names of columns."""
    rows = {row.name: row for row in catalogue if row.point in BRACKETS or mpi_call(row.point)}
    for piece in pieces:
        events = piece[piece["type"].isin(rows)]
        columns = [events[name].tolist() for name in ("type", begin, end, "arg0", "arg1", "arg2")]
        for name, begin_ps, end_ps, *args in zip(*columns, strict=True):
            column = rows[name].argument("call")
            call = call_name(args[int(column.removeprefix("arg"))]) if column else SYSTEM_CALL
            yield Bracket(rows[name].point, begin_ps, end_ps, call)


def delivered(pieces: Iterable[pd.DataFrame]) -> Iterator[pd.DataFrame]:
    """Yields the events that the monitor delivered."""
    for piece in pieces:
        yield piece[piece["monitor_ps"].notna()].astype({"monitor_ps": "int64", "error_ps": "int64"})


def edges(brackets: Iterable[Bracket]) -> Iterator[Edge]:
    """Yields properly nested states from a node's brackets, in order. Some brackets may be missing.

    An end without a begin is ignored. A state without an end lasts until a later bracket shows that it is over. States
    include the emission times of their brackets.
    """
    open_: list[str] = []  # names of the open states: the program; computing or a call; states within the call
    now = 0

    def close(depth: int, ps: int) -> Iterator[Edge]:
        while len(open_) > depth:
            open_.pop()
            yield Edge(ps, None)

    def begin(name: str, ps: int) -> Edge:
        open_.append(name)
        return Edge(ps, name)

    def leave(depth: int, name: str, ps: int) -> Iterator[Edge]:
        """Ends the call at that depth, if it is the open one."""
        if open_[depth : depth + 1] == [name]:
            yield from close(depth, ps)
            if depth == 1:
                yield begin(COMPUTING, ps)

    for event in brackets:
        now = event.end_ps
        if not open_:
            yield begin(PROGRAM, event.begin_ps)
            yield begin(COMPUTING, event.end_ps if event.point == "nx2.process_start" else event.begin_ps)
        in_mpi = 2 if open_[1].startswith("MPI_") else 1  # depth of a system call
        if called := mpi_call(event.point):
            if called[1]:
                yield from close(1, event.begin_ps)
                yield begin(called[0], event.begin_ps)
            else:
                yield from leave(1, called[0], event.end_ps)
        elif event.point == "nx2.syscall_entry":
            yield from close(in_mpi, event.begin_ps)
            yield begin(event.call, event.begin_ps)
        elif event.point == "nx2.syscall_exit":
            yield from leave(in_mpi, event.call, event.end_ps)
        elif event.point == "nx2.switch_out" and open_[-1] not in (COMPUTING, BLOCKED):
            yield begin(BLOCKED, event.begin_ps)
        elif event.point == "nx2.switch_in" and open_[-1] == BLOCKED:
            yield from close(len(open_) - 1, event.end_ps)
        elif event.point == "nx2.process_end":
            yield from close(1, event.begin_ps)
            yield from close(0, event.end_ps)
    yield from close(0, now)


def clipped(edges: Iterable[Edge], window: Window | None) -> Iterator[Edge]:
    """Cuts the states to the window."""
    if window is None:
        yield from edges
        return
    open_: list[str] = []
    inside = False
    for edge in edges:
        if not inside and edge.ps > window.begin_ps:
            inside = True
            yield from (Edge(window.begin_ps, name) for name in open_)
        if edge.ps >= window.end_ps:
            break
        if edge.name is None:
            open_.pop()
        else:
            open_.append(edge.name)
        if inside:
            yield edge
    if inside:
        yield from (Edge(window.end_ps, None) for _ in open_)
