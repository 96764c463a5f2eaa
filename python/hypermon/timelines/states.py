"""What a rank does, from the events that bracket it: computing, in a system call, blocked in one.

NX/2 brackets every call by syscall_entry and syscall_exit, and by switch_out and switch_in the time in which the
process waits in it (sw/nx2/mpi_calls.cpp). Global operations are the library's, over point-to-point calls, and show as
these. Interrupts are no state of the rank: their events show at the port.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from hypermon.native import _core

if TYPE_CHECKING:
    import pandas as pd

    from hypermon.timelines.window import Window

PROGRAM, COMPUTING, BLOCKED = "program", "computing", "blocked"
BRACKETS = ("process_start", "process_end", "syscall_entry", "syscall_exit", "switch_out", "switch_in")
"""The events that begin and end states."""


class Bracket(NamedTuple):
    """One of BRACKETS: when it begins and ends, its first argument."""

    type: str
    begin_ps: int
    end_ps: int
    argument: int


class Edge(NamedTuple):
    """A state begins, or the innermost one ends (no name)."""

    ps: int
    name: str | None


@cache
def call_name(number: int) -> str:
    for call, name, mpi in _core.system_calls():
        if call == number:
            return f"{name} ({mpi})"
    return f"call {number}"


def brackets(events: pd.DataFrame, begin: str, end: str) -> Iterator[Bracket]:
    """Of a node's events (hypermon.timelines.Truth), with these columns' times."""
    events = events[events["type"].isin(BRACKETS)]
    return map(Bracket, events["type"], events[begin].tolist(), events[end].tolist(), events["arg0"].tolist())


def edges(brackets: Iterable[Bracket]) -> Iterator[Edge]:
    """Properly nested states from a node's brackets in their order, some of which may be missing.

    An end without its beginning is passed over; a state whose end is missing ends where the next one shows that it is
    over. States include the emissions of their brackets.
    """
    open_: list[str] = []  # names, the program first
    now = 0

    def close(depth: int, ps: int) -> Iterator[Edge]:
        while len(open_) > depth:
            open_.pop()
            yield Edge(ps, None)

    def begin(name: str, ps: int) -> Edge:
        open_.append(name)
        return Edge(ps, name)

    for event in brackets:
        now = event.end_ps
        if not open_:
            yield begin(PROGRAM, event.begin_ps)
            yield begin(COMPUTING, event.end_ps if event.type == "process_start" else event.begin_ps)
        if event.type == "syscall_entry":
            yield from close(1, event.begin_ps)
            yield begin(call_name(event.argument), event.begin_ps)
        elif event.type == "syscall_exit" and open_[1] == call_name(event.argument):
            yield from close(1, event.end_ps)
            yield begin(COMPUTING, event.end_ps)
        elif event.type == "switch_out" and len(open_) == 2 and open_[1] != COMPUTING:
            yield begin(BLOCKED, event.begin_ps)
        elif event.type == "switch_in":
            yield from close(2, event.end_ps)
        elif event.type == "process_end":
            yield from close(1, event.begin_ps)
            yield from close(0, event.end_ps)
    yield from close(0, now)


def clipped(edges: Iterable[Edge], window: Window | None) -> Iterator[Edge]:
    """What of the states lies in the window."""
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
