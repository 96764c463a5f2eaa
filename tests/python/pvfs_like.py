# SPDX-License-Identifier: BSD-3-Clause
"""A made-up run on PVFS for tests and benchmarks: clients write, and servers pass the data to their disks.

Everything follows from the arguments and a seed; it describes no real file system.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

import numpy as np

from hypermon._files.scratch import Few, Scratch, merged
from hypermon.timelines.gathering import Gathering
from hypermon.timelines.tracks import States, Statistic, TimeLine

LAYERS = (("BMI", 3_000_000, 200_000), ("FLOW", 4_000_000, 400_000), ("TROVE", 8_000_000, 1_500_000))
US = 1_000_000  # ps
EACH = 6  # events of a write: call, request, three layers, disk


def made(events: int, clients: int = 16, servers: int = 8, seed: int = 1) -> TimeLine:
    """About `events` states: each write has a client's call, its request, a server's layers, and a disk operation."""
    random = np.random.default_rng(seed)
    writes = max(1, events // (EACH + 1))  # between writes a client computes
    client, server = np.arange(writes) % clients, random.integers(0, servers, writes)
    turn = np.arange(writes) // clients
    computing = random.integers(20, 200, writes) * US
    call = random.integers(100, 400, writes) * US
    begin = np.zeros(writes, np.int64)
    for one in range(clients):
        own = client == one
        begin[own] = np.cumsum(computing[own] + call[own]) - call[own]
    ids = np.uint64(1 << 63) + np.arange(1, writes + 1, dtype=np.uint64) * np.uint64(16)  # use all 64 bits
    none = np.zeros(writes, np.uint64)
    sizes = (random.integers(1, 65, writes) * 4096).astype(np.int64)
    files = np.array(["matrix.0", "matrix.1", "progress"], object)[turn % 3]
    details: dict[str, Any] = {"bytes": sizes, "offset": turn * 65536, "file": files}
    states = []
    for one in range(clients):
        own = client == one
        path = ("run", f"client{one:02}", "rank 0")
        names = ("computing", "MPI_File_write", "write request")
        begins = [begin[own] - computing[own], begin[own], begin[own] + 10 * US]
        ends = [begin[own], begin[own] + call[own], begin[own] + call[own] - 5 * US]
        parts = [
            (begins[0], ends[0], 0, none[own], none[own], None),
            (begins[1], ends[1], 1, ids[own], none[own], own),
            (begins[2], ends[2], 2, ids[own] + np.uint64(1), ids[own], own),
        ]
        states.append(_track(path, names, parts, details))
    disk_begin, disk_end = np.zeros(writes, np.int64), np.zeros(writes, np.int64)
    for one in range(servers):
        own = np.flatnonzero(server == one)
        server_path = ("run", f"server{one}")
        cause = ids[own] + np.uint64(1)
        at = begin[own] + 30 * US
        for number, (layer, longest, shortest) in enumerate(LAYERS, start=2):
            took = random.integers(shortest, longest, len(own)) * 20
            until = at + took
            mine = ids[own] + np.uint64(number)
            parts = [(at, until, 0, mine, cause, own)]
            states.append(_track((*server_path, layer), (f"{layer} write",), parts, details))
            at, cause = at + took // 8, mine
        free = 0
        took = random.integers(20, 120, len(own)) * US
        for index, begins_at, lasts in zip(own[np.argsort(at)], np.sort(at), took, strict=True):
            disk_begin[index] = max(free, begins_at)
            free = disk_end[index] = disk_begin[index] + lasts
        kinds = random.integers(0, 2, len(own))
        parts = [
            (disk_begin[own[kinds == k]], disk_end[own[kinds == k]], k, ids[own[kinds == k]] + np.uint64(5),
             cause[kinds == k], own[kinds == k])
            for k in (0, 1)
        ]  # fmt: skip
        states.append(_track((*server_path, "disk"), ("transfer", "seek and transfer"), parts, details))
    end_ps = int(max([0, *(int(one.end_ps.max(initial=0)) for one in states)]))
    statistics = [
        one
        for number in range(servers)
        for one in _statistics(("run", f"server{number}", "statistics"), states, number, end_ps, random)
    ]
    return TimeLine(tuple(states), tuple(statistics), 0, end_ps)


def made_long(events: int, each: int = 100_000, clients: int = 16, servers: int = 8) -> TimeLine:
    """About `events` states, as a sequence of runs of `each` states. Memory does not grow with their number."""
    passed, kept = Scratch(), Scratch()
    tracks: dict[tuple[str, ...], Gathering] = {}
    statistics: dict[Statistic, Few[Any]] = {}
    at = 0
    for number in range(max(1, events // each)):
        line = made(min(each, events), clients, servers, seed=number + 1)
        further = np.uint64(number * each * 16)
        for one in line.states:
            moved = dataclasses.replace(
                one,
                begin_ps=one.begin_ps + at,
                end_ps=one.end_ps + at,
                id=np.where(one.id > 0, one.id + further, one.id),
                cause=np.where(one.cause > 0, one.cause + further, one.cause),
            )
            tracks.setdefault(one.path, Gathering(one.path, passed)).add(moved)
        for stat in line.statistics:
            about = dataclasses.replace(stat, times_ps=None, values=None)  # type: ignore[arg-type]
            values = (passed.store(stat.times_ps + at), passed.store(stat.values))
            statistics.setdefault(about, Few()).add(values, lambda runs: _values(runs, passed))
        at += line.end_ps + US
    whole = []
    for about, runs in statistics.items():
        times, values = _values(list(runs), kept)
        whole.append(dataclasses.replace(about, times_ps=times, values=values))
    return TimeLine(tuple(one.states(kept) for one in tracks.values()), tuple(whole), 0, at)


def _values(runs: Sequence[Any], scratch: Scratch) -> tuple[Any, Any]:
    """Times and values of all runs."""
    n = sum(len(times) for times, _ in runs)
    rooms = (scratch.room(np.int64, n), scratch.room(np.float64, n))
    for columns in merged(runs):
        for room, column in zip(rooms, columns, strict=True):
            room.append(column)
    return rooms[0].array(), rooms[1].array()


def _track(
    path: tuple[str, ...], names: tuple[str, ...], parts: list[tuple[Any, ...]], details: dict[str, Any]
) -> States:
    """One track made of parts. A part has begin, end, name, id, cause, and the writes that it belongs to (None: no
    write).
    """
    begin, end = (np.concatenate([part[i] for part in parts]).astype(np.int64) for i in (0, 1))
    name = np.concatenate([np.full(len(part[0]), part[2], np.int32) for part in parts])
    own, cause = (np.concatenate([part[i] for part in parts]).astype(np.uint64) for i in (3, 4))
    order = np.argsort(begin, kind="stable")
    columns = {}
    for key, column in details.items():
        blank: Any = "" if column.dtype == object else -1
        pieces = [np.full(len(part[0]), blank, column.dtype) if part[5] is None else column[part[5]] for part in parts]
        columns[key] = np.concatenate(pieces)[order]
    return States(path, begin[order], end[order], names, name[order], own[order], cause[order], columns)


def _statistics(
    path: tuple[str, ...], states: list[States], server: int, end_ps: int, random: np.random.Generator
) -> list[Statistic]:
    """Operations pending in TROVE, exact, and power, sampled."""
    (trove,) = (one for one in states if one.path[1:] == (f"server{server}", "TROVE"))
    times = np.concatenate([[0], trove.begin_ps, trove.end_ps])
    steps = np.concatenate([[0], np.ones(len(trove.begin_ps)), -np.ones(len(trove.end_ps))])
    order = np.argsort(times, kind="stable")
    times, pending = times[order], np.cumsum(steps[order])
    last = np.append(np.flatnonzero(np.diff(times)), len(times) - 1)
    sampled = np.arange(0, end_ps, max(1, end_ps // 1000), dtype=np.int64)
    watts = 180 + 60 * random.random(len(sampled)).round(2)
    return [
        Statistic((*path, "pending in TROVE"), "", times[last], pending[last], True),
        Statistic((*path, "power"), "W", sampled, watts, False),
    ]
