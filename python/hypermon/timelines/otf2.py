# SPDX-License-Identifier: BSD-3-Clause
"""A time line as an OTF2 archive, for tools that read OTF2 (tried: otf2-print).

The archive shows the true behaviour of the program. MPI calls of the ranks are regions in true time, in ps. Each
message is an MpiSend on its sender and an MpiRecv on its receiver, in the communicator MPI_COMM_WORLD. Some information
is not in the events. All tags are 0, blocking and non-blocking sends and receipts differ only in their regions, and
collective operations appear as their messages. A receipt has the time at which the node accepted the data, which may be
before the call that returns them.
"""

from __future__ import annotations

import contextlib
import ctypes
import hashlib
import heapq
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from hypermon._files.scratch import Following, Scratch, Sorted, pieces
from hypermon._model.catalogues import Event
from hypermon._model.native import _core
from hypermon.errors import UserError
from hypermon.timelines import messages, states
from hypermon.timelines.states import Edge

if TYPE_CHECKING:
    from hypermon.timelines.truth import Truth
    from hypermon.timelines.window import Window

ANCHOR = "traces.otf2"  # the file that tools open
PS_PER_SECOND = 10**12
BYTE_ORDERS: tuple[Literal["little", "big"], ...] = ("little", "big")


class End(NamedTuple):
    """One end of a message."""

    ps: int
    send: bool
    peer: int
    length: int


@contextlib.contextmanager
def opened(folder: Path) -> Iterator[tuple[Any, Any]]:
    """Opens an archive in an empty folder for writing. Returns OTF2's library and the archive.

    Raises a UserError if the archive cannot be written, or if the library is not installed.
    """
    try:
        import _otf2
        import otf2
    except ImportError as error:
        raise UserError(f"an OTF2 archive needs the Python package otf2 (no {error.name}): pip install otf2") from None
    with _quiet(_otf2) as messages:
        archive = None
        try:
            archive = otf2.writer.Writer(str(folder), archive_name=Path(ANCHOR).stem, timer_resolution=PS_PER_SECOND)
            archive.creator = "hypermon"
            yield otf2, archive
            archive._realtime_timestamp = 0.0  # otherwise the current date
            archive.close()
            _identify(folder, _identifier(_otf2, folder))
        except _otf2.Error as error:
            if archive is not None:
                archive._handle = None  # its destructor would close it a second time
            raise UserError(f"{folder}: cannot be written: {(*messages, error.description)[0]}") from None


@contextlib.contextmanager
def _quiet(library: Any) -> Iterator[list[str]]:
    """Collects the library's error messages in order, instead of printing them."""
    messages: list[str] = []

    def note(_data: object, _file: object, _line: int, _function: object, code: int, *_text: object) -> int:
        messages.append(library.Error_GetDescription(library.ErrorCode(code)))
        return code

    pointer = ctypes.c_void_p
    callback = ctypes.CFUNCTYPE(
        ctypes.c_int, pointer, pointer, ctypes.c_uint64, pointer, ctypes.c_int, pointer, pointer
    )
    register = library.Config.conf.lib.OTF2_Error_RegisterCallback
    register.argtypes, register.restype = [pointer, pointer], pointer
    own = callback(note)
    before = register(own, None)
    try:
        yield messages
    finally:
        register(before, None)


def write(truth: Truth, folder: Path, window: Window | None = None) -> None:
    """Writes the archive into an empty folder."""
    ends = Following(_ends(truth, window))
    with opened(folder) as (otf2, archive):
        world = archive.definitions
        root = world.system_tree_node(truth.spec.scenario, class_name="machine")
        ranks = []
        for node in range(truth.recording.nodes):
            place = world.system_tree_node(f"node {node}", class_name="node", parent=root)
            name = states.ranks_on(truth.spec, node)
            process = world.location_group(name, system_tree_parent=place)
            ranks.append(world.location(name, group=process))
        regions = _regions(otf2, world, truth.catalogue)
        group = otf2.GroupType
        world.group("", group_type=group.COMM_LOCATIONS, paradigm=otf2.Paradigm.MPI, members=ranks)
        members = world.group("MPI_COMM_WORLD", group_type=group.COMM_GROUP, paradigm=otf2.Paradigm.MPI, members=ranks)
        communicator = world.comm("MPI_COMM_WORLD", group=members)
        for node, rank in enumerate(ranks):
            events = archive.event_writer_from_location(rank)
            open_: list[Any] = []
            for step in _steps(truth, node, ends, window):
                if isinstance(step, End):
                    record = events.mpi_send if step.send else events.mpi_recv
                    record(step.ps, step.peer, communicator, 0, step.length)
                elif step.name is None:
                    events.leave(step.ps, open_.pop())
                else:
                    open_.append(regions[step.name])
                    events.enter(step.ps, open_[-1])


def _identifier(library: Any, folder: Path) -> int:
    """Returns the random identifier of the archive, which OTF2's interface does not allow to set."""
    reader = library.Reader_Open(str(folder / ANCHOR))
    try:
        identifier: int = library.Reader_GetTraceId(reader)
    finally:
        library.Reader_Close(reader)
    return identifier


def _identify(folder: Path, identifier: int) -> None:
    """Replaces the random identifier that OTF2 gave the archive by one that follows from the archive's content."""
    anchor = folder / ANCHOR
    content = anchor.read_bytes()
    at = max(content.find(identifier.to_bytes(8, order)) for order in BYTE_ORDERS)
    if at < 0:
        raise AssertionError(f"{anchor}: has no identifier {identifier:x}")
    before, behind = content[:at], content[at + 8 :]
    digest = hashlib.sha256(before + behind)
    for file in sorted(path for path in folder.rglob("*") if path.is_file() and path != anchor):
        with file.open("rb") as stream:
            of_file = hashlib.file_digest(stream, "sha256").digest()
        digest.update(str(file.relative_to(folder)).encode() + b"\0" + of_file)
    anchor.write_bytes(before + digest.digest()[:8] + behind)


def _regions(otf2: Any, world: Any, catalogue: Sequence[Event]) -> dict[str, Any]:
    """Defines the regions of the states."""
    user, mpi = otf2.Paradigm.USER, otf2.Paradigm.MPI
    regions = {
        states.PROGRAM: world.region(states.PROGRAM, paradigm=user),
        states.COMPUTING: world.region(states.COMPUTING, paradigm=user),
        states.BLOCKED: world.region(states.BLOCKED, paradigm=mpi),
    }
    for number, name, call in _core.system_calls():
        regions[states.call_name(number)] = world.region(call, description=f"NX/2 {name}", paradigm=mpi)
    for row in catalogue:
        if (called := states.mpi_call(row.point)) and called[0] not in regions:
            regions[called[0]] = world.region(called[0], paradigm=mpi)
        elif row.point == "nx2.syscall_entry" and row.argument("call") is None:
            regions[states.SYSTEM_CALL] = world.region(states.SYSTEM_CALL, paradigm=mpi)
    return regions


def _ends(truth: Truth, window: Window | None) -> Sorted:
    """Returns the ends of all messages with both ends in the window: place, time, 1 for a send, peer, length."""
    ends = Sorted(Scratch(), *(np.int64,) * 5)
    for some in messages.pairs(truth, window):
        sent_ps, received_ps = some.sent["emitted_ps"], some.received["done_ps"]
        shown = some.sent["within"] & some.received["within"]
        if window is not None:
            shown &= (sent_ps >= window.begin_ps) & (received_ps < window.end_ps)
        length = some.sent["length"]
        for end, peer, ps, send in ((some.sent, some.received, sent_ps, 1), (some.received, some.sent, received_ps, 0)):
            columns = (end["place"], ps, np.full(len(ps), send), messages.node_of(peer["place"]), length)
            ends.add(*(column[shown] for column in columns))
    return ends


def _steps(truth: Truth, node: int, ends: Following, window: Window | None) -> Iterator[Edge | End]:
    """Yields a rank's states and messages in order of time."""
    bracketed = states.brackets(truth.of_node(node), truth.catalogue, "emitted_ps", "done_ps")
    edges = states.clipped(states.edges(bracketed), window)
    return heapq.merge(edges, _ends_of(truth, node, ends), key=lambda step: step.ps)


def _ends_of(truth: Truth, node: int, ends: Following) -> Iterator[End]:
    """Yields the message ends of a node. They are in order of time, since a node emits its events one by one."""
    for part in pieces(truth.fates.events[node]):
        _, *columns = ends.before(messages.place_of(node) + part.stop)
        for ps, send, peer, length in zip(*(column.tolist() for column in columns), strict=True):
            yield End(ps, bool(send), peer, length)
