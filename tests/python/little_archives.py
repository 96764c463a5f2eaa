# SPDX-License-Identifier: BSD-3-Clause
"""OTF2 archives of MPI programs, as Score-P writes them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import otf2

RESOLUTION = 10**9  # ticks of 1 ns


class Comms(NamedTuple):
    world: Any
    self: Any


# a rank's writer: its events, and a function that writes a call
Write = Callable[[Any, Comms, Callable[..., None]], None]


def archive(folder: Path, *programs: Write) -> Path:
    with otf2.writer.open(str(folder), timer_resolution=RESOLUTION) as out:
        world = out.definitions
        node = world.system_tree_node("machine")
        ranks = [
            world.location(f"rank {r}", group=world.location_group(f"rank {r}", system_tree_parent=node))
            for r in range(len(programs))
        ]
        kinds, mpi = otf2.GroupType, otf2.Paradigm.MPI
        world.group("", group_type=kinds.COMM_LOCATIONS, paradigm=mpi, members=ranks)
        members = world.group("all", group_type=kinds.COMM_GROUP, paradigm=mpi, members=ranks)
        alone = world.group("", group_type=kinds.COMM_SELF, paradigm=mpi, members=[])
        comms = Comms(world.comm("MPI_COMM_WORLD", group=members), world.comm("MPI_COMM_SELF", group=alone))
        for rank, program in zip(ranks, programs, strict=True):
            events = out.event_writer_from_location(rank)

            def call(name: str, begin: int, end: int, write: Callable[[], None] = lambda: None) -> None:
                region = world.region(name, paradigm=mpi)
                events.enter(begin, region)  # noqa: B023 (called at once)
                write()
                events.leave(end, region)  # noqa: B023

            program(events, comms, call)
    return folder / "traces.otf2"


def exchange(folder: Path) -> Path:
    """An archive of two ranks, with a message and a collective operation."""

    def rank(number: int) -> Write:
        def program(events: Any, comms: Comms, call: Callable[..., None]) -> None:
            call("MPI_Init", 10, 20)
            if number == 0:
                call("MPI_Send", 1000, 1500, lambda: events.mpi_send(1100, 1, comms.world, 7, 64))
            else:
                call("MPI_Recv", 1200, 2500, lambda: events.mpi_recv(2400, 0, comms.world, 7, 64))
            call("MPI_Finalize", 9000, 9100)

        return program

    return archive(folder, rank(0), rank(1))
