# SPDX-License-Identifier: BSD-3-Clause
"""HDTrace projects (.proj): the topology, and the communicators, datatypes and files to which the traces refer."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from xml.sax.saxutils import quoteattr

from hypermon._files import files, sums
from hypermon._files.hdtrace import elements
from hypermon._files.hdtrace.elements import Element, Parsed
from hypermon.errors import cut

SUFFIX = ".proj"
SUFFIXES = (SUFFIX, ".trc", ".rel", ".stat")  # suffixes of a project's files
ROOT = "Application"
MOST_NODES = 1_000_000  # (chosen) largest topology
_NO_NAME = re.compile(r"[^a-zA-Z0-9.-]")  # characters that are left out of file names


@dataclass(frozen=True)
class Node:
    """A node of the topology: a host, a process, a layer of a server.

    Attributes:
        path: Names of the nodes from below the root down to this one.
        level: Kind of the node: "Hostname", "Rank", "Thread", ...
        children: The nodes below it, in the file's order.
    """

    path: tuple[str, ...]
    level: str
    children: tuple[Node, ...] = ()

    def walk(self) -> Iterator[Node]:
        """Yields this node and then all nodes below it."""
        yield self
        for child in self.children:
            yield from child.walk()


@dataclass(frozen=True)
class Communicator:
    """A communicator.

    `members`: for each member its rank in MPI_COMM_WORLD, its rank in the communicator, and the communicator's number
    in this rank's trace.
    """

    name: str
    members: tuple[tuple[int, int, int], ...]


@dataclass(frozen=True)
class Datatype:
    """A datatype of a rank, with its number in the rank's trace.

    Attributes:
        combiner: NAMED, CONTIGUOUS, VECTOR, STRUCT, ..., as in MPI_Type_get_envelope, without MPI_COMBINER_.
        attributes: The element's attributes: count, blocklength, stride, oldType, ...
        parts: For STRUCT, the parts as (type, displacement, blocklength).
    """

    number: int
    combiner: str
    name: str
    attributes: Mapping[str, str] = field(default_factory=dict)
    parts: tuple[tuple[int, int, int], ...] = ()


@dataclass(frozen=True)
class File:
    """A file that the program opened. Traces refer to it by name, so its place in the list has no meaning."""

    name: str
    initial_bytes: int = 0
    stripe: str = "64K"


@dataclass(frozen=True)
class Project:
    """The content of a project file.

    Attributes:
        path: The file. None: not written yet.
        name: Name of the application.
        levels: Names of the levels of the topology, from the hosts down.
        nodes: The hosts.
        groups: Names of the statistics groups. Any node may have them.
        datatypes: The datatypes of each rank.
    """

    name: str
    levels: tuple[str, ...]
    nodes: tuple[Node, ...]
    communicators: tuple[Communicator, ...] = ()
    datatypes: Mapping[int, tuple[Datatype, ...]] = field(default_factory=dict)
    files: tuple[File, ...] = ()
    groups: tuple[str, ...] = ()
    description: str = ""
    path: Path | None = None

    def walk(self) -> Iterator[Node]:
        """Yields all nodes, each before the nodes below it."""
        for node in self.nodes:
            yield from node.walk()

    def file_of(self, node: Node, suffix: str, group: str = "") -> Path:
        """Returns the path of a node's file, Project_host_rank_thread[_Group].suffix. The file need not exist."""
        if self.path is None:
            raise ValueError("the project has no file")
        labels = [self.path.stem, *(_NO_NAME.sub("", name) for name in node.path), *([group] if group else [])]
        return self.path.with_name("_".join(labels) + suffix)


def read(path: Path) -> Project:
    """Reads a project. In a run directory, all files that the run wrote for the project are verified, too.

    Raises:
        UserError: The file is no project. The message names the file and the line.
        DamagedError: A file of the project in a run directory is missing, or its checksum is wrong.
    """
    sums.verify_all(path.parent, "run again", (one for suffix in SUFFIXES for one in path.parent.glob(f"*{suffix}")))
    root = elements.read(path, ROOT)
    parsed = Parsed(path)
    topology = root.first("Topology")
    if topology is None:
        elements.refuse(path, root.line, f"<{ROOT}> has no <Topology>")
    levels = tuple(_levels(parsed, topology))
    nodes = _nodes(parsed, topology, (), levels, [0])
    described = root.first("Description")
    return Project(
        name=parsed.get(root, "name"),
        levels=levels,
        nodes=nodes,
        communicators=tuple(_communicators(parsed, root)),
        datatypes=dict(_datatypes(parsed, root)),
        files=tuple(_files(parsed, root)),
        groups=tuple(one.name for list_ in root.all("ExternalStatistics") for one in list_.children),
        description=described.text.strip() if described else "",
        path=path,
    )


def _levels(parsed: Parsed, above: Element) -> Iterator[str]:
    while (level := above.first("Level")) is not None:
        # Files from before October 2009 call the attribute `name` (and the element Node `Label`, its name `value`).
        yield level.attributes.get("type") or parsed.get(level, "name")
        above = level


def _nodes(
    parsed: Parsed, above: Element, path: tuple[str, ...], levels: tuple[str, ...], count: list[int]
) -> tuple[Node, ...]:
    found: dict[str, Node] = {}
    for element in above.children:
        if element.name not in ("Node", "Label"):
            continue
        name = parsed.get(element, "name" if element.name == "Node" else "value")
        count[0] += 1
        if count[0] > MOST_NODES:
            elements.refuse(parsed.path, element.line, f"the topology has more than {MOST_NODES} nodes")
        if name in found:
            elements.refuse(parsed.path, element.line, f"<{element.name}> {cut(name)!r} is there twice")
        level = above.attributes.get("type") if above.name in ("Node", "Label") else None
        level = level or (levels[len(path)] if len(path) < len(levels) else "")
        own = (*path, name)
        found[name] = Node(own, level, _nodes(parsed, element, own, levels, count))
    return tuple(found.values())


def _communicators(parsed: Parsed, root: Element) -> Iterator[Communicator]:
    for list_ in root.all("CommunicatorList"):
        for one in list_.all("Communicator"):
            members = tuple(
                (parsed.integer(rank, "global", 0), parsed.integer(rank, "local", 0), parsed.integer(rank, "cid"))
                for rank in one.all("Rank")
            )
            yield Communicator(one.attributes.get("name", ""), members)


def _datatypes(parsed: Parsed, root: Element) -> Iterator[tuple[int, tuple[Datatype, ...]]]:
    for list_ in root.all("Datatypes"):
        for rank in list_.all("Rank"):
            types = tuple(_datatype(parsed, element) for element in rank.children)
            yield parsed.integer(rank, "name", 0), types


def _datatype(parsed: Parsed, element: Element) -> Datatype:
    parts = tuple(
        (parsed.integer(part, "id"), parsed.integer(part, "displacement"), parsed.integer(part, "blocklen", 0))
        for part in element.all("Type")
    )
    rest = {name: text for name, text in element.attributes.items() if name not in ("id", "name")}
    return Datatype(parsed.integer(element, "id"), element.name, element.attributes.get("name", ""), rest, parts)


def _files(parsed: Parsed, root: Element) -> Iterator[File]:
    for list_ in root.all("FileList"):
        for one in list_.all("File"):
            size, chunk = one.first("InitialSize"), next(_chunk_sizes(one), None)
            text = size.text.strip() if size else "0"
            if not text.isdecimal() or not text.isascii() or len(text) > 18:
                elements.refuse(parsed.path, (size or one).line, f"<InitialSize> is {cut(text)!r}: must be bytes")
            yield File(parsed.get(one, "name"), int(text), chunk.text.strip() if chunk else "64K")


def _chunk_sizes(element: Element) -> Iterator[Element]:
    """Returns the chunk sizes. Files have them either beside the distribution or in it."""
    for child in element.children:
        if child.name == "ChunkSize":
            yield child
        yield from _chunk_sizes(child)


def text_of(project: Project) -> str:
    """Returns the text of a project's file."""
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<{ROOT} name={quoteattr(project.name)} processCount="{_processes(project)}">',
        f"<Description>{_escaped(project.description)}</Description>",
        *_file_lines(project),
        *_topology_lines(project),
        *_communicator_lines(project),
        *_datatype_lines(project),
        "<ExternalStatistics>",
        *(f" <{group}/>" for group in project.groups),
        "</ExternalStatistics>",
        f"</{ROOT}>",
    ]
    return "\n".join(lines) + "\n"


def write(project: Project, path: Path) -> None:
    """Writes a project atomically."""
    with files.writing(path) as partial:
        partial.write_text(text_of(project), encoding="utf-8")


def _escaped(text: str) -> str:
    return quoteattr(text)[1:-1]


def _processes(project: Project) -> int:
    return sum(node.level == "Rank" for node in project.walk())


def _file_lines(project: Project) -> Iterator[str]:
    yield "<FileList>"
    for file in project.files:
        yield f" <File name={quoteattr(file.name)}>"
        yield f"  <InitialSize>{file.initial_bytes}</InitialSize>"
        yield f"  <Distribution><ChunkSize>{_escaped(file.stripe)}</ChunkSize></Distribution>"
        yield " </File>"
    yield "</FileList>"


def _topology_lines(project: Project) -> Iterator[str]:
    yield "<Topology>"
    yield "".join(f"<Level type={quoteattr(level)}>" for level in project.levels) + "</Level>" * len(project.levels)
    for node in project.nodes:
        yield from _node_lines(node, project.levels, " ")
    yield "</Topology>"


def _node_lines(node: Node, levels: tuple[str, ...], indent: str) -> Iterator[str]:
    depth = len(node.path)
    below = {child.level for child in node.children} - {levels[depth] if depth < len(levels) else ""}
    kind = f" type={quoteattr(min(below))}" if below else ""
    if not node.children:
        yield f"{indent}<Node name={quoteattr(node.path[-1])}{kind}/>"
        return
    yield f"{indent}<Node name={quoteattr(node.path[-1])}{kind}>"
    for child in node.children:
        yield from _node_lines(child, levels, indent + " ")
    yield f"{indent}</Node>"


def _communicator_lines(project: Project) -> Iterator[str]:
    yield "<CommunicatorList>"
    for one in project.communicators:
        yield f" <Communicator name={quoteattr(one.name)}>"
        for rank, local, number in one.members:
            yield f'  <Rank global="{rank}" local="{local}" cid="{number}"/>'
        yield " </Communicator>"
    yield "</CommunicatorList>"


def _datatype_lines(project: Project) -> Iterator[str]:
    yield "<Datatypes>"
    for rank, types in project.datatypes.items():
        yield f' <Rank name="{rank}" thread="0">'
        for one in types:
            rest = "".join(f" {name}={quoteattr(text)}" for name, text in one.attributes.items())
            head = f'  <{one.combiner} id="{one.number}" name={quoteattr(one.name)}{rest}'
            if not one.parts:
                yield head + "/>"
                continue
            yield head + ">"
            for number, displacement, length in one.parts:
                yield f'   <Type id="{number}" displacement="{displacement}" blocklen="{length}"/>'
            yield f"  </{one.combiner}>"
        yield " </Rank>"
    yield "</Datatypes>"
