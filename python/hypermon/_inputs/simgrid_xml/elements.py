# SPDX-License-Identifier: BSD-3-Clause
"""Allowed elements and attributes of SimGrid platform files.

They are those of SimGrid's document type (version 4.1) except elements that write files, start actors, or cannot work
under hypermon.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from hypermon._inputs.simgrid_xml import values
from hypermon._inputs.simgrid_xml.values import Check, Wrong

_NONE: Mapping[str, Check] = {}


class Element(NamedTuple):
    """The attributes of an element, with a check of each."""

    required: Mapping[str, Check]
    optional: Mapping[str, Check] = _NONE


_POLICY = values.choice("SHARED", "SPLITDUPLEX", "FULLDUPLEX", "FATPIPE")
_SYMMETRICAL = values.choice("YES", "NO", "yes", "no")
_CORES = values.whole(1, 1_000_000)
_GATEWAYS = dict.fromkeys(("src", "dst", "gw_src", "gw_dst"), values.name)
_ENDS = dict.fromkeys(("src", "dst"), values.name)
_ZONE = Element({
    "id": values.name,
    "routing": values.any_case("Full", "Floyd", "Dijkstra", "DijkstraCache", "Cluster", "Vivaldi", "None"),
})  # fmt: skip
_ZONE_ROUTE = Element(_GATEWAYS, {"symmetrical": _SYMMETRICAL})
_BYPASS = Element(_GATEWAYS)
_CLUSTER = {
    "id": values.name, "prefix": values.any_text, "suffix": values.any_text, "radical": values.radical,
    "speed": values.speeds, "bw": values.above_zero, "lat": values.at_least_zero,
}  # fmt: skip

ELEMENTS: Mapping[str, Element] = {
    "platform": Element({"version": values.choice("4", "4.0", "4.1")}),
    "config": Element({}, {"id": values.any_text}),
    "prop": Element({"id": values.name, "value": values.any_text}),
    "zone": _ZONE,
    "AS": _ZONE,
    "host": Element(
        {"id": values.name, "speed": values.speeds},
        {
            "core": _CORES, "pstate": values.whole(0, 999), "coordinates": values.coordinates,
            "speed_file": values.any_text, "availability_file": values.any_text,
        },
    ),
    "disk": Element({"read_bw": values.above_zero, "write_bw": values.above_zero}, {"id": values.name}),
    "host_link": Element({"id": values.name, "up": values.name, "down": values.name}),
    "cluster": Element(
        _CLUSTER,
        {
            "core": _CORES, "sharing_policy": _POLICY,
            "topology": values.choice("FLAT", "TORUS", "FAT_TREE", "DRAGONFLY"), "topo_parameters": values.any_text,
            "bb_bw": values.above_zero, "bb_lat": values.at_least_zero,
            "bb_sharing_policy": values.choice("SHARED", "FATPIPE"), "router_id": values.name,
            "limiter_link": values.above_zero, "loopback_bw": values.above_zero, "loopback_lat": values.at_least_zero,
        },
    ),
    "cabinet": Element(_CLUSTER),
    "peer": Element(
        {
            "id": values.name, "speed": values.speeds, "bw_in": values.above_zero, "bw_out": values.above_zero,
            "coordinates": values.coordinates,
        },
        {"lat": values.at_least_zero, "speed_file": values.any_text, "availability_file": values.any_text},
    ),
    "router": Element({"id": values.name}, {"coordinates": values.coordinates}),
    "backbone": Element({"id": values.name, "bandwidth": values.above_zero, "latency": values.at_least_zero}),
    "link": Element(
        {"id": values.name, "bandwidth": values.above_zero, "latency": values.at_least_zero},
        {
            "sharing_policy": _POLICY, "bandwidth_file": values.any_text,
            "latency_file": values.any_text,
        },
    ),
    "route": Element(_ENDS, {"symmetrical": _SYMMETRICAL}),
    "zoneRoute": _ZONE_ROUTE,
    "ASroute": _ZONE_ROUTE,
    "bypassRoute": Element(_ENDS),
    "bypassZoneRoute": _BYPASS,
    "bypassASroute": _BYPASS,
    "link_ctn": Element({"id": values.name}, {"direction": values.choice("UP", "DOWN", "NONE")}),
    "trace": Element({"id": values.name, "periodicity": values.number}, {"file": values.any_text}),
    "trace_connect": Element(
        {"kind": values.choice("SPEED"), "trace": values.name, "element": values.name},
    ),
}  # fmt: skip

_OFF = "a rank whose host or link is off cannot go on: remove it"
_WIFI = "Wi-Fi needs a rate for each host, which a platform file cannot give: use other links"
_RANKS = "hypermon starts the ranks itself: remove it"
_LINKS = "SimGrid takes profiles of links from files only: use bandwidth_file or latency_file"
REASONS: Mapping[tuple[str, str], str] = {
    ("include", ""): "write the content of that file here",
    ("actor", ""): _RANKS,
    ("process", ""): _RANKS,
    ("host", "state_file"): _OFF,
    ("peer", "state_file"): _OFF,
    ("link", "state_file"): _OFF,
    ("trace_connect", "kind=HOST_AVAIL"): _OFF,
    ("trace_connect", "kind=LINK_AVAIL"): _OFF,
    ("trace_connect", "kind=BANDWIDTH"): _LINKS,
    ("trace_connect", "kind=LATENCY"): _LINKS,
    ("link", "sharing_policy=WIFI"): _WIFI,
    ("zone", "routing=Wifi"): _WIFI,
    ("AS", "routing=Wifi"): _WIFI,
}
"""Reasons for the refusal of elements, attributes, and values of attributes that SimGrid has."""


def _above_zero(text: str) -> Wrong | None:
    return values.profile(text, above_zero=True)


def _at_least_zero(text: str) -> Wrong | None:
    return values.profile(text, above_zero=False)


FILES: Mapping[tuple[str, str], Callable[[str], Wrong | None]] = {
    ("host", "speed_file"): _above_zero,
    ("host", "availability_file"): _above_zero,
    ("peer", "speed_file"): _above_zero,
    ("peer", "availability_file"): _above_zero,
    ("link", "bandwidth_file"): _above_zero,
    ("link", "latency_file"): _at_least_zero,
    ("trace", "file"): _above_zero,
    ("disk", "prop content"): values.files_of_disk,
}
"""Attributes and properties that name other files, with checks of these files' content."""

_COLLECTIVES = (
    "allgather", "allgatherv", "allreduce", "alltoall", "alltoallv", "barrier", "bcast", "gather", "reduce",
    "reduce_scatter", "scatter",
)  # fmt: skip
_SOLVER = values.choice("maxmin", "fairbottleneck", "bmf")
_OPTIMISATION = values.choice("Lazy", "Full")
OPTIONS: Mapping[str, Check] = {
    "network/model": values.choice("LV08", "CM02", "SMPI", "Constant"),
    "network/optim": _OPTIMISATION,
    "network/solver": _SOLVER,
    "network/crosstraffic": values.yes_or_no,
    "network/maxmin-selective-update": values.yes_or_no,
    "network/TCP-gamma": values.pieces,
    "network/weight-S": values.pieces,
    "network/bandwidth-factor": values.pieces,
    "network/latency-factor": values.pieces,
    "network/loopback-bw": values.above_zero,
    "network/loopback-lat": values.at_least_zero,
    "cpu/model": values.choice("Cas01"),
    "cpu/optim": values.choice("Lazy", "Full", "TI"),
    "cpu/solver": _SOLVER,
    "cpu/maxmin-selective-update": values.yes_or_no,
    "host/model": values.choice("default", "compound", "ptask_L07"),
    "host/solver": _SOLVER,
    "smpi/async-small-thresh": values.pieces,
    "smpi/send-is-detached-thresh": values.pieces,
    "smpi/bw-factor": values.pieces,
    "smpi/lat-factor": values.pieces,
    "smpi/os": values.pieces,
    "smpi/ois": values.pieces,
    "smpi/or": values.pieces,
    "smpi/init": values.pieces,
    "smpi/iprobe": values.pieces,
    "smpi/iprobe-cpu-usage": values.pieces,
    "smpi/test": values.pieces,
    "smpi/wtime": values.pieces,
    "smpi/buffering": values.choice("zero", "infty"),
    "smpi/coll-selector": values.word,
    "smpi/barrier-collectives": values.yes_or_no,
    "smpi/barrier-finalization": values.yes_or_no,
    "smpi/finalization-barrier": values.yes_or_no,
    "smpi/grow-injected-times": values.yes_or_no,
    "smpi/simulate-computation": values.yes_or_no,
    **{f"smpi/{collective}": values.word for collective in _COLLECTIVES},
}  # fmt: skip
"""SimGrid's options that a platform file may set. They only influence times; none names a file or loads code."""
