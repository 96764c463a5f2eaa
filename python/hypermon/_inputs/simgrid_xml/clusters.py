# SPDX-License-Identifier: BSD-3-Clause
"""Clusters in SimGrid platform files: their hosts, and checks for topologies at which SimGrid crashes."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from hypermon._inputs.simgrid_xml import values

CRASHES_OUTERMOST = ("TORUS", "FAT_TREE")  # topologies of clusters, SimGrid 4.0


class _Shape(NamedTuple):
    groups: int
    """Number of groups of integers in topo_parameters."""
    example: str


_SHAPES = {"TORUS": _Shape(1, "4,4,2"), "FAT_TREE": _Shape(4, "2;4,4;1,2;1,2"), "DRAGONFLY": _Shape(4, "2,1;2,1;2,1;4")}


def hosts(attributes: Mapping[str, str]) -> Iterator[str]:
    """Yields the names of a cluster's or a cabinet's hosts."""
    for numbers in values.ranges(attributes["radical"]) or ():
        for number in numbers:
            yield f"{attributes['prefix']}{number}{attributes['suffix']}"


def find_obstacle(attributes: Mapping[str, str], is_outermost: bool, simgrid: str) -> str:
    """Returns the reason why this version of SimGrid does not support the cluster. Empty: it does."""
    for bandwidth, latency in (("bb_bw", "bb_lat"), ("loopback_bw", "loopback_lat")):
        if latency in attributes and bandwidth not in attributes:
            return f"{latency} = {attributes[latency]}: needs {bandwidth}, too: without it the link has no bandwidth"
    topology = attributes.get("topology", "FLAT")
    if topology not in _SHAPES:
        return ""
    given = attributes.get("topo_parameters", "")
    shown, shape = f'topo_parameters="{given}"', _SHAPES[topology]
    groups = values.groups_of_integers(given)
    if groups is None or len(groups) != shape.groups:
        return f"{shown}: must be integers above 0 for a {topology}, like {shape.example}"
    if is_outermost and topology in CRASHES_OUTERMOST and simgrid.startswith("4."):
        return (
            f"SimGrid {simgrid} crashes at a cluster of topology {topology} that is in no zone: "
            'put it into one, <zone id="world" routing="Full">...</zone>, which changes no time'
        )
    if topology == "FAT_TREE" and [groups[0][0]] * 3 != [len(group) for group in groups[1:]]:
        return f"{shown}: must have as many numbers in each of the last three groups as it has levels"
    if topology == "DRAGONFLY" and groups[0][0] > groups[2][0]:
        return (
            f"{shown}: SimGrid crashes at a DRAGONFLY of {groups[0][0]} groups with {groups[2][0]} routers in a "
            "chassis: must have at most as many groups as such routers"
        )
    wanted = {
        "TORUS": lambda: math.prod(groups[0]),
        "FAT_TREE": lambda: math.prod(groups[1]),
        "DRAGONFLY": lambda: math.prod(group[0] for group in groups),
    }[topology]()
    there = sum(map(len, values.ranges(attributes["radical"]) or ()))
    if wanted > there:
        return f"{shown}: has places for {wanted} hosts; radical = {attributes['radical']} names {there}"
    return ""
