# SPDX-License-Identifier: BSD-3-Clause
"""The topology of a run's machine: a description, and a drawing of nodes, switches and links."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from itertools import pairwise, product
from typing import Any

from hypermon._files.files import path_of
from hypermon._model.words import SPACE, plural, seconds, three_digits

MOST = 128  # (chosen) most nodes of a drawing, of which each is still visible
WIDTH, HEIGHT, EDGE = 560.0, 220.0, 14.0
# Direction of a step in each dimension of a lattice: right, down, into the depth.
_STEPS = ((1.0, 0.0), (0.0, 1.0), (0.42, -0.36))
Point = tuple[float, float]


@dataclass(frozen=True)
class Graph:
    """Positions of nodes and switches, and links between positions. `wraps`: wrap-around links, drawn as two stubs."""

    nodes: Sequence[Point]
    switches: Sequence[Point]
    links: Sequence[tuple[Point, Point]]
    wraps: Sequence[tuple[Point, Point]] = ()


def _kind(spec: Mapping[str, Any]) -> str:
    """Returns the topology of the program's network. `graph` and `switches` exist only on packet networks."""
    machine = spec["machine"]
    if machine["messages"] != "packets":
        return str(machine["topology"])
    packets = spec["packets"]
    kind = str(packets.get("topology", "star"))  # older versions without this parameter had stars only
    if kind == "machine":
        kind = str(machine["topology"])
    return "switches" if kind == "star" and 0 < packets["fan_out"] < int(spec["nodes"]) else kind


def name(spec: Mapping[str, Any]) -> str:
    """Returns a name such as `hypercube of dimension 3`. Empty for a single node."""
    nodes, machine = int(spec["nodes"]), spec["machine"]
    kind, dimensions = _kind(spec), str(machine["dimensions"])
    if kind == "graph":
        file = path_of(str(spec["packets"]["graph"]))
        return f"network of {file.name if file else spec['packets']['graph']}"
    if kind == "xml":
        file = path_of(str(machine["xml"]))
        hosts = path_of(str(machine["hosts"]))
        on_hosts = f", hosts of {hosts.name}" if hosts else ""
        return f"SimGrid platform {file.name if file else machine['xml']}{on_hosts}"
    if nodes == 1:
        return ""
    if kind == "hypercube":
        return f"hypercube of dimension {int(math.log2(nodes))}"
    if kind == "torus":
        return f"torus of {' × '.join(dimensions.split('x'))}"
    if kind == "fat_tree":
        children, *rest = dimensions.split(";")
        sizes = zip(("children", "parents", "cables"), [children, *rest], strict=False)
        parts = [f"{what} {size}" for what, size in sizes]
        return f"fat tree of {plural(len(children.split('x')), 'level')} ({', '.join(parts)})"
    if kind == "switches":
        return f"tree of switches, {plural(spec['packets']['fan_out'], 'computer')} at each"
    return "star around one switch"


MESSAGES = {
    "nx2": "NX/2's messages",
    "smpi": "SimGrid's own messages (SMPI)",
    "packets": "messages on a network of packets",
}


def links(spec: Mapping[str, Any]) -> str:
    """Returns a sentence about the links and messages."""
    network, machine = spec["network"], spec["machine"]
    protocol = MESSAGES[str(machine["messages"])]
    if machine["topology"] == "xml":
        return f"Links as the file says, {protocol}."
    if machine["messages"] == "packets":
        packets = spec["packets"]
        latency = seconds(packets["edge_latency_us"] * 1e-6)
        return f"Edges of {three_digits(packets['edge_mib_per_s'])}{SPACE}MiB/s, {latency} each; {protocol}."
    hop = seconds(network["short_hop_us"] * 1e-6)
    return f"Links of {three_digits(network['bandwidth_mb_per_s'])}{SPACE}MB/s, {hop} a hop; {protocol}."


def drawing(spec: Mapping[str, Any]) -> str:
    """Returns the nodes and links as inline SVG. Empty: there are none or too many, or only a file describes them."""
    graph = _graph(spec)
    if graph is None:
        return ""
    every = [*graph.nodes, *graph.switches]
    left, top = (min(p[i] for p in every) for i in (0, 1))
    wide, high = (max(p[i] for p in every) - low for i, low in ((0, left), (1, top)))
    scale = min((WIDTH - 4 * EDGE) / wide if wide else math.inf, (HEIGHT - 4 * EDGE) / high if high else math.inf, 64.0)
    dot = max(1.6, min(5.5, 0.2 * scale * _closest(graph.nodes)))

    def at(p: Point) -> Point:
        return (2 * EDGE + (p[0] - left) * scale, 2 * EDGE + (p[1] - top) * scale)

    lines = [_line("link", at(a), at(b)) for a, b in graph.links]
    lines += [stub for a, b in graph.wraps for stub in _stubs(at(a), at(b))]
    marks = [f'<circle class="node" cx="{x:.1f}" cy="{y:.1f}" r="{dot:.1f}"/>' for x, y in map(at, graph.nodes)]
    marks += [
        f'<rect class="switch" x="{x - dot:.1f}" y="{y - dot:.1f}" width="{2 * dot:.1f}" height="{2 * dot:.1f}"/>'
        for x, y in map(at, graph.switches)
    ]
    box = f"0 0 {wide * scale + 4 * EDGE:.0f} {high * scale + 4 * EDGE:.0f}"
    title = escape(f"{plural(len(graph.nodes), 'node')}: {name(spec)}")
    width = f"{wide * scale + 4 * EDGE:.0f}"
    return (
        f'<svg class="topology" viewBox="{box}" width="{width}" role="img" aria-labelledby="topology-title">'
        f'<title id="topology-title">{title}</title>{"".join(lines)}{"".join(marks)}</svg>'
    )


def _line(kind: str, a: Point, b: Point) -> str:
    return f'<path class="{kind}" d="M{a[0]:.1f} {a[1]:.1f}L{b[0]:.1f} {b[1]:.1f}"/>'


def _stubs(a: Point, b: Point) -> Iterator[str]:
    """Yields the two stubs of a wrap-around link, which point away from each other."""
    away = math.dist(a, b) / EDGE
    for end, other in ((a, b), (b, a)):
        out = tuple(end[i] + (end[i] - other[i]) / away for i in (0, 1))
        yield _line("link around", end, (out[0], out[1]))


def _closest(nodes: Sequence[Point]) -> float:
    """Returns the least distance of consecutive nodes, which is the least of all distances in these drawings."""
    return min((math.dist(a, b) for a, b in pairwise(nodes)), default=1.0)


def _graph(spec: Mapping[str, Any]) -> Graph | None:
    nodes, machine, kind = int(spec["nodes"]), spec["machine"], _kind(spec)
    if kind in ("xml", "graph") or not 1 < nodes <= MOST:
        return None
    if kind == "switches":
        return _switches(nodes, int(spec["packets"]["fan_out"]))
    if kind == "hypercube":
        return _lattice([2] * int(math.log2(nodes)))
    sizes = [[int(n) for n in part.split("x")] for part in str(machine["dimensions"]).split(";") if part]
    if kind == "torus":
        return _lattice(sizes[0])
    return _tree(*sizes[:2]) if kind == "fat_tree" else _tree([nodes])


def _switches(nodes: int, fan_out: int) -> Graph:
    """Returns nodes at switches, in order, with a root above the switches. The last switch may have fewer nodes."""
    places: list[Point] = [(float(n), 0.0) for n in range(nodes)]
    height = max(2.0, nodes / 8)
    groups = [places[first : first + fan_out] for first in range(0, nodes, fan_out)]
    switches: list[Point] = [((group[0][0] + group[-1][0]) / 2, -height) for group in groups]
    root: Point = ((nodes - 1) / 2, -2 * height)
    links = [(node, switch) for group, switch in zip(groups, switches, strict=True) for node in group]
    return Graph(places, [*switches, root], [*links, *((switch, root) for switch in switches)])


def _lattice(sizes: Sequence[int]) -> Graph:
    """Returns a torus. A hypercube is a torus of size 2 in each dimension, without wrap-around links."""
    steps: list[Point] = []
    span = [0.0, 0.0]
    for i, size in enumerate(sizes):
        x, y = _STEPS[i % 3]
        if i >= 3:  # beside or below the drawing of the previous dimensions
            x, y = (span[0] + 1.2, 0.0) if (i % 2) else (0.0, span[1] + 1.2)
        steps.append((x, y))
        span = [span[0] + abs(x) * (size - 1), span[1] + abs(y) * (size - 1)]

    def place(where: Sequence[int]) -> Point:
        return tuple(sum(n * step[i] for n, step in zip(where, steps, strict=True)) for i in (0, 1))  # type: ignore[return-value]

    every = [tuple(reversed(where)) for where in product(*(range(size) for size in reversed(sizes)))]
    links, wraps = [], []
    for where in every:
        for i, size in enumerate(sizes):
            if where[i] + 1 < size:
                links.append((place(where), place((*where[:i], where[i] + 1, *where[i + 1 :]))))
            elif size > 2:
                wraps.append((place((*where[:i], 0, *where[i + 1 :])), place(where)))
    return Graph([place(where) for where in every], (), links, wraps)


def _tree(children: Sequence[int], parents: Sequence[int] = ()) -> Graph:
    """Returns a fat tree. A switch of level i+1 has children[i] below it; each of those has parents[i] switches above.

    A position in a level is identified by digits: the child for each level above, and the switch for each level below.
    """
    up = [*parents, *[1] * (len(children) - len(parents))]
    wide = math.prod(children) - 1
    rows: list[dict[tuple[int, ...], Point]] = []
    for level in range(len(children) + 1):
        digits = [*children[level:][::-1], *up[:level][::-1]]
        keys = list(product(*(range(n) for n in digits)))
        pitch = wide / len(keys) if level else 1.0
        rows.append({key: ((i + 0.5 * bool(level)) * pitch, -level * max(2.0, wide / 8)) for i, key in enumerate(keys)})
    links = []
    for level in range(len(children)):
        above = len(children) - level - 1  # digits of the levels above this switch's own
        for key, place in rows[level].items():
            for switch in range(up[level]):
                links.append((place, rows[level + 1][(*key[:above], switch, *key[above + 1 :])]))
    return Graph(list(rows[0].values()), [p for row in rows[1:] for p in row.values()], links)
