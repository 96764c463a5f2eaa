# SPDX-License-Identifier: BSD-3-Clause
"""Invariants of the result keys of the platform of packets."""

from __future__ import annotations

import math

from tests.python.result_invariants import Case, invariant

OWN = "piosim.servers[]."
MIB = 1 << 20


def has_packets(case: Case) -> bool:
    assert ("piosim" in case.result) == (case.parameter("packets.network") != "off")
    return "piosim" in case.result


@invariant("piosim.stations", "piosim.messages", "piosim.message_bytes", "piosim.packets", "piosim.longest_queue")
def messages_are_cut_into_packets(case: Case) -> None:
    if has_packets(case):
        found = case["piosim"]
        assert found["stations"] >= case.parameter("nodes")
        if case.parameter("packets.network") == "packets":
            least = math.ceil(found["message_bytes"] / case.parameter("packets.packet_bytes"))
            assert max(least, found["messages"]) <= found["packets"] <= least + found["packets"]
            assert (found["longest_queue"] > 0) == (found["packets"] > 0)


@invariant("piosim.busiest_interface_s", "piosim.busiest_switch_s", "piosim.steps")
def no_part_of_the_network_is_busy_without_bytes(case: Case) -> None:
    if has_packets(case):
        found = case["piosim"]
        for part in ("interface", "switch"):
            most = found["message_bytes"] / (case.parameter(f"packets.{part}_mib_per_s") * MIB)
            assert 0 <= found[f"busiest_{part}_s"] <= 2 * most + 1e-9  # a message of a station to itself passes twice
        assert found["steps"] >= 0


@invariant("piosim.edges_passed", "piosim.busiest_edge_s", "piosim.busiest_uplink_s")
@invariant(*("piosim.edges[]." + key for key in ("first", "second", "packets", "busy_s")))
def edges_serve_the_packets_that_pass(case: Case) -> None:
    if has_packets(case):
        found = case["piosim"]
        edges = found["edges"]
        names = [frozenset((edge["first"], edge["second"])) for edge in edges]
        assert all(len(ends) == 2 for ends in names)
        if edges:
            assert sum(edge["packets"] for edge in edges) == found["edges_passed"]
            assert max(edge["busy_s"] for edge in edges) == max(found["busiest_edge_s"], found["busiest_uplink_s"])
        for edge in edges:
            assert (edge["packets"] > 0) >= (edge["busy_s"] > 0)
        if case.parameter("packets.topology") != "graph":
            uplink = case.parameter("packets.uplink_mib_per_s") or case.parameter("packets.edge_mib_per_s")
            for part, rate in (("edge", case.parameter("packets.edge_mib_per_s")), ("uplink", uplink)):
                assert 0 <= found[f"busiest_{part}_s"] <= found["message_bytes"] / (rate * MIB) + 1e-9


@invariant(*(OWN + key for key in ("station", "requests", "data_packets", "most_pending", "flow_stalls", "stopped_s")))
def servers_get_what_clients_send(case: Case) -> None:
    if has_packets(case):
        servers = case["piosim.servers"]
        assert len(servers) == case.parameter("pfs.servers")
        assert sum(s["requests"] + s["data_packets"] for s in servers) <= case["piosim.packets"]
        for number, server in enumerate(servers):
            own = case.parameter("pfs.place") == "own"
            assert server["station"] == (case["piosim.stations"] - len(servers) if own else 0) + number
            assert (server["most_pending"] > 0) == (server["cache_jobs"] > 0)
            if case.parameter("pfs.protocol") == "simulator":
                assert server["flow_stalls"] == 0
            else:
                assert server["stopped_s"] == 0


@invariant(*(OWN + key for key in ("cache_jobs", "joined_jobs", "cache_longest_queue", "cache_most_bytes")))
@invariant(*(OWN + key for key in ("disk_operations", "average_seeks", "short_seeks")))
@invariant(*(OWN + key for key in ("read_bytes", "written_bytes", "unwritten_bytes", "disk_busy_s")))
def disks_do_what_caches_hand_on(case: Case) -> None:
    if has_packets(case):
        for server in case["piosim.servers"]:
            assert server["disk_operations"] <= server["cache_jobs"] - server["joined_jobs"]  # some jobs may still wait
            if "aggregation" not in case.parameter("pfs_cache.model"):
                assert server["joined_jobs"] == 0
            assert server["average_seeks"] + server["short_seeks"] <= server["disk_operations"]
            assert 0 <= server["cache_longest_queue"] <= server["cache_jobs"]
            if case.parameter("pfs_cache.model") != "none":
                assert server["cache_most_bytes"] < case.parameter("pfs_cache.memory_mib") * MIB
            assert 0 <= server["unwritten_bytes"] <= server["cache_most_bytes"]
            moved = server["read_bytes"] + server["written_bytes"]
            assert moved <= server["disk_operations"] * case.parameter("pfs.granularity_bytes")
            if case.parameter("pfs_disk.model") != "refined":
                assert server["average_seeks"] == server["short_seeks"] == 0
            else:
                least = moved / (case.parameter("pfs_disk.mib_per_s") * MIB)
                seeks = server["average_seeks"] * case.parameter("pfs_disk.seek_ms") * 1e-3
                assert least + seeks <= server["disk_busy_s"] + server["disk_operations"] * 1e-9
