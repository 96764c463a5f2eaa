# SPDX-License-Identifier: BSD-3-Clause
"""The machine on the page is the one that was simulated: its topology by name, and drawn link by link."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

import pytest

from hypermon._model.schema import Schema
from hypermon.report import machine, parts, topology
from hypermon.report.facts import Run
from tests.python.report_data import result


def spec(nodes: int, kind: str, dimensions: str = "", xml: str = "", hosts: str = "") -> dict[str, Any]:
    made: dict[str, Any] = result()["spec"]
    found = {"topology": kind, "dimensions": dimensions, "xml": xml, "hosts": hosts, "messages": "nx2"}
    return made | {"nodes": nodes, "machine": found}


def on_packets(nodes: int, kind: str = "machine", graph: str = "", fan_out: int = 0) -> dict[str, Any]:
    """The machine is a torus; the graph of its packets is what `kind` says."""
    machine = spec(nodes, "torus", str(nodes))
    packets = {"edge_latency_us": 287.5, "edge_mib_per_s": 67.0, "topology": kind, "graph": graph, "fan_out": fan_out}
    return machine | {"machine": machine["machine"] | {"messages": "packets"}, "packets": packets}


def marks(drawing: str) -> Counter[str]:
    return Counter(re.findall(r'class="(node|switch|link around|link)"', drawing))


GRAPH = f"/somewhere/net.txt@sha256:{'0' * 64}"
XML = f"/somewhere/cluster.xml@sha256:{'0' * 64}"
NAMED = [
    (spec(8, "hypercube"), "hypercube of dimension 3"),
    (spec(12, "torus", "4x3"), "torus of 4 × 3"),
    (spec(64, "fat_tree", "16x4;1x2;1x1"), "fat tree of 2\u202flevels (children 16x4, parents 1x2, cables 1x1)"),
    (spec(5, "star"), "star around one switch"),
    (spec(5, "xml", xml=XML), "SimGrid platform cluster.xml"),
    (spec(5, "xml", xml=XML, hosts=XML.replace("cluster.xml", "list")), "SimGrid platform cluster.xml, hosts of list"),
    (spec(1, "hypercube"), ""),
    (on_packets(6), "torus of 6"),
    (on_packets(7, "star"), "star around one switch"),
    (on_packets(8, "star", fan_out=3), "tree of switches, 3\u202fcomputers at each"),
    (on_packets(9, "graph", graph=GRAPH), "network of net.txt"),
]


@pytest.mark.parametrize(("machine_of", "name"), NAMED, ids=[name for _, name in NAMED])
def test_a_topology_is_called_what_it_is(machine_of: dict[str, Any], name: str) -> None:
    assert topology.name(machine_of) == name
    (panel,) = machine.panels(parts.Values(Run(result() | {"spec": machine_of | {"monitor": "none"}}), SCHEMA, VALUES))
    assert panel.title.endswith(name or "1\u202fcompute node")


SCHEMA = Schema({}, (), {})
VALUES = {"workload": "place"}

# Nodes, switches, links, links around (each drawn as two stubs): a node has one link for each dimension and way.
DRAWN = [
    (spec(8, "hypercube"), (8, 0, 8 * 3 // 2, 0)),
    (spec(128, "hypercube"), (128, 0, 128 * 7 // 2, 0)),
    (spec(12, "torus", "4x3"), (12, 0, 3 * 3 + 2 * 4, 3 + 4)),
    (spec(64, "torus", "4x4x4"), (64, 0, 3 * 3 * 16, 3 * 16)),
    (spec(4, "torus", "2x2"), (4, 0, 4, 0)),
    (spec(5, "star"), (5, 1, 5, 0)),
    (on_packets(6), (6, 0, 5, 1)),
    (on_packets(6, "star"), (6, 1, 6, 0)),
    (on_packets(8, "star", fan_out=3), (8, 3 + 1, 8 + 3, 0)),
    (spec(64, "fat_tree", "16x4;1x2;1x1"), (64, 4 + 2, 64 + 4 * 2, 0)),
    (spec(16, "fat_tree", "4x4;2x2"), (16, 4 * 2 + 2 * 2, 16 * 2 + 8 * 2, 0)),
]


@pytest.mark.parametrize(("machine_of", "expected"), DRAWN, ids=[topology.name(made) for made, _ in DRAWN])
def test_every_node_switch_and_link_is_drawn_once(machine_of: dict[str, Any], expected: tuple[int, ...]) -> None:
    drawing = topology.drawing(machine_of)
    found = marks(drawing)
    assert (found["node"], found["switch"], found["link"], found["link around"] // 2) == expected
    for kind, places in (("node", r'cx="([\d.]+)" cy="([\d.]+)"'), ("link", r'class="link" d="(M[^"]+)"')):
        drawn = re.findall(places, drawing)
        assert len(drawn) == len(set(drawn)) == found[kind]


def test_what_only_a_file_knows_or_nobody_could_see_is_not_drawn() -> None:
    assert topology.drawing(spec(5, "xml", xml=XML)) == ""
    assert topology.drawing(spec(4096, "star")) == ""
    assert topology.drawing(spec(1, "star")) == ""
