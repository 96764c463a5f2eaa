# SPDX-License-Identifier: BSD-3-Clause
"""The program's calls on files and the servers' disks, on the page of a run under any monitor."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from hypermon._model.words import count, data, plural, seconds
from hypermon.report.drawing import Line, Panel, Part
from hypermon.report.view import Tile


def sentences(result: Mapping[str, Any]) -> list[str]:
    """Returns sentences about the function on files that took most time, and the servers. Empty: none took any."""
    found = _longest(result)
    if found is None:
        return []
    name, function = found
    took = f"{plural(function['calls'], 'call')} of {name} took {seconds(function['seconds'])}"
    servers = _servers(result)
    requests = sum(server["requests"] for server in servers)
    operations = sum(server["disk_operations"] for server in servers)
    busy = max((float(server["disk_busy_s"]) for server in servers), default=0.0)
    disks = (
        f"; {plural(operations, 'disk operation')} kept the busiest disk busy for {seconds(busy)}" if operations else ""
    )
    written = result.get("nfs", {}).get("written_bytes", 0)
    return [
        f"{took}, the longest {seconds(function['longest_s'])}.",
        *([f"The file servers got {plural(requests, 'request')}{disks}."] if requests else []),
        *([f"{data(written)} went to the NFS server."] if written else []),
    ]


def panel(result: Mapping[str, Any]) -> Panel | None:
    """Returns the file servers of the machine, with their requests and disks. None: none got requests."""
    servers = _servers(result)
    if not any(server["requests"] for server in servers):
        return None
    written, read, packets, requests, operations = (
        sum(server[key] for server in servers)
        for key in ("written_bytes", "read_bytes", "data_packets", "requests", "disk_operations")
    )
    server = Part("servers", [Line(plural(requests, "request")), Line(plural(packets, "data packet"))])
    moved = [Line(f"{data(size)} {done}") for size, done in ((written, "written"), (read, "read")) if size]
    return Panel(
        plural(len(servers), "file server"),
        "io",
        [server, Part("disks", [Line(plural(operations, "operation")), *moved])],
        len(servers),
    )


def tiles(result: Mapping[str, Any]) -> list[Tile]:
    """Returns tiles about calls on files, the servers' disks, and the NFS server."""
    shown = []
    if (found := _longest(result)) is not None:
        name, function = found
        note = f"{plural(function['calls'], 'call')}, {seconds(function['seconds'])} in all"
        shown.append(Tile(f"Longest {name}", seconds(function["longest_s"]), note))
    servers = _servers(result)
    if operations := sum(server["disk_operations"] for server in servers):
        written, read = (sum(server[f"{done}_bytes"] for server in servers) for done in ("written", "read"))
        note = f"{data(written)} written, {data(read)} read"
        shown.append(Tile("Disk operations of the servers", count(operations), note))
    if written := result.get("nfs", {}).get("written_bytes", 0):
        shown.append(Tile("Written to the NFS server", data(written)))
    return shown


def _longest(result: Mapping[str, Any]) -> tuple[str, Mapping[str, Any]] | None:
    functions: Mapping[str, Any] = result.get("mpiio", {}).get("functions", {})
    took = {name: one for name, one in functions.items() if one["seconds"]}
    return max(took.items(), key=lambda pair: float(pair[1]["seconds"])) if took else None


def _servers(result: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
    """Returns the results of the machine's file servers. Empty: it has none."""
    servers: Sequence[Mapping[str, Any]] = result.get("piosim", {}).get("servers", ())
    return servers
