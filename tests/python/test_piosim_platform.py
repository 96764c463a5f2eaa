# SPDX-License-Identifier: BSD-3-Clause
"""Platform piosim in runs: several programs share it, waiting is not taken for a standstill, and wrong settings are
refused.
"""

from __future__ import annotations

import csv
import json
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import hypermon
from hypermon._inputs import scenario
from hypermon._model import worker
from hypermon.errors import UserError

pytestmark = [pytest.mark.worker, pytest.mark.usefixtures("worker")]

CHECKPOINT = {
    "workload": "partdiff",
    "nodes": 1,
    "monitor": "none",
    "mpiio.contents": "sizes",
    "partdiff.interlines": 200,  # a matrix of 1609 x 1609 doubles
    "partdiff.iterations": 1,
    "partdiff.checkpoint_every": 1,
    "partdiff.diagonal_every": 0,
    "partdiff.largest_computed": 0,
}


XML = str(Path(__file__).parents[2] / "tests/platforms/cluster.xml")


def run(folder: Path, platform: str = "piosim", **settings: Any) -> Any:
    given = CHECKPOINT | {path.replace("__", "."): value for path, value in settings.items()}
    return hypermon.run("piosim/clients", platform=platform, out=folder, settings=given)


def test_the_preset_of_the_paper_s_simulator_is_the_platform_said_in_full() -> None:
    found = scenario.built_in("piosim/clients")
    as_it_is = replace(found, words=tuple(word._replace(presets=()) for word in found.words))
    schema = worker.schema()
    assert [item.value for word in found.words for item in word.presets] == ["piosim/paper"]
    assert as_it_is.resolve(schema).values == found.resolve(schema).values


def test_programs_beside_each_other_share_network_and_servers(tmp_path: Path) -> None:
    alone = run(tmp_path / "alone")
    words = "interlines=200 iterations=1 checkpoint_every=1 diagonal_every=0 largest_computed=0"
    shared = run(
        tmp_path / "shared",
        neighbour__count=1,
        neighbour__nodes=1,
        neighbour__workload="partdiff",
        neighbour__arguments=words,
    )
    assert shared["piosim"]["stations"] == 3  # two clients, a server
    (one,), (both,) = alone["piosim"]["servers"], shared["piosim"]["servers"]
    assert one["written_bytes"] + one["unwritten_bytes"] == 8 * 1609**2
    assert both["data_packets"] == 2 * one["data_packets"]
    # Both write a file of the same name: data still in the cache are overwritten there.
    assert one["written_bytes"] < both["written_bytes"] < 2 * one["written_bytes"]
    assert both["joined_jobs"] > one["joined_jobs"]
    # Both wait for the server's edge: together they take as long as one after the other.
    assert shared["elapsed_s"] == pytest.approx(2 * alone["elapsed_s"], rel=0.05)


def test_a_rank_that_waits_for_a_disk_is_no_standstill(tmp_path: Path) -> None:
    """Ticks keep SimGrid busy. They check for a standstill whenever nothing else has happened since the last tick."""
    slow = run(
        tmp_path / "slow",
        monitor="software",
        pfs__protocol="pvfs",
        pfs_disk__mib_per_s=0.01,
        partdiff__interlines=20,
        node__tick_ms=10,
    )
    assert slow["elapsed_s"] > 8 * 169**2 / (0.01 * 2**20)  # 22 s: the call returns when the data are on the disk


def test_the_same_run_gives_the_same_bytes(tmp_path: Path) -> None:
    first, second = (run(tmp_path / name, nodes=3, pfs__servers=2) for name in ("first", "second"))
    assert first == second


def test_a_machine_without_packets_has_nothing_of_them(tmp_path: Path) -> None:
    found = run(
        tmp_path / "run", packets__network="off", pfs__servers=0, mpiio__file_system="ideal", machine__messages="smpi"
    )
    assert "piosim" not in found


GRAPH = """
node0 left
node1 left
node2 right
node3 right
left right 33.5   # half of an edge's rate
server0 left
server1 right
"""
# Four nodes and two servers: settings, and the number of the graph's edges.
ON_GRAPHS = [
    ({}, 4 + 2),  # the platform's star
    ({"packets.fan_out": 3}, 4 + 2 + 2),  # two switches below a root
    ({"machine.topology": "hypercube"}, 4 + 2),  # the servers hang on nodes
    ({"machine.topology": "torus", "machine.dimensions": "2x3", "machine.places": "0-3"}, 3 + 2 * 3 + 2),
    ({"machine.topology": "fat_tree", "machine.dimensions": "2x2;1x2;1x2"}, 4 + 2 * 2 * 2 + 2),
    ({"machine.topology": "hypercube", "packets.topology": "star"}, 4 + 2),
    ({"packets.topology": "graph"}, 7),
]


@pytest.mark.parametrize(("settings", "edges"), ON_GRAPHS)
def test_files_and_messages_go_over_every_graph(settings: dict[str, Any], edges: int, tmp_path: Path) -> None:
    if settings.get("packets.topology") == "graph":
        (tmp_path / "net.txt").write_text(GRAPH)
        settings = settings | {"packets.graph": str(tmp_path / "net.txt")}
    found = run(tmp_path / "run", nodes=4, pfs__servers=2, **settings)["piosim"]
    assert found["stations"] == 6
    assert len(found["edges"]) == edges
    assert sum(edge["packets"] for edge in found["edges"]) == found["edges_passed"] >= found["packets"]
    assert sum(server["written_bytes"] + server["unwritten_bytes"] for server in found["servers"]) == 8 * 1609**2
    for server in ("server0", "server1"):
        (own,) = (edge for edge in found["edges"] if server in (edge["first"], edge["second"]))
        assert own["busy_s"] > 0


def test_an_outage_of_the_server_s_edge_lengthens_the_run(tmp_path: Path) -> None:
    without = run(tmp_path / "without")
    out = run(tmp_path / "out", packets__outages="server0/switch0:0-2000")
    assert out["elapsed_s"] == pytest.approx(without["elapsed_s"] + 2, rel=0.01)


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({"packets.network": "off", "mpiio.file_system": "ideal"}, "pfs.servers = 1: must be 0 with packets.network"),
        ({"pfs.servers": 2, "pfs.place": "nodes"}, "pfs.servers = 2: must be at most nodes = 1 with pfs.place = nodes"),
        ({"pfs.distribution": "varying_stripe"}, 'pfs.strips = "": must be SERVER:BYTES words'),
        (
            {"pfs_cache.memory_mib": 0.5},
            "pfs_cache.memory_mib = 0.5: must be more than the data that arrive at once, 1000000 B",
        ),
        ({"pfs_disk.order": "sstf"}, "pfs_disk.order"),
        ({"packets.topology": "graph"}, 'packets.graph = "": must name a file with packets.topology = "graph"'),
        ({"packets.graph": __file__}, f"packets.graph = {__file__}"),
        ({"packets.topology": "graph", "packets.graph": __file__}, "must be two ends"),
        ({"packets.outages": "node0/node7:1-2"}, "node0/node7:1-2: the network has no such edge"),
        (
            {"packets.network": "ideal", "packets.outages": "node0/switch0:1-2"},
            'packets.outages = "node0/switch0:1-2": must be empty with packets.network = "ideal"',
        ),
        (
            {"machine.topology": "xml", "machine.xml": XML, "machine.messages": "smpi"},
            'packets.topology = "machine": must be star or graph with machine.topology = "xml"',
        ),
        (
            {"machine.topology": "torus", "machine.dimensions": "2000x2000", "machine.places": "0"},
            'machine.dimensions = "2000x2000": the network of packets would have more than 1000000 edges',
        ),
    ],
)
def test_what_does_not_go_together_is_refused(settings: dict[str, Any], says: str, tmp_path: Path) -> None:
    with pytest.raises(UserError) as error:
        hypermon.run("piosim/clients", platform="piosim", out=tmp_path / "run", settings=CHECKPOINT | settings)
    assert says in str(error.value)
    assert not (tmp_path / "run").exists()


def test_data_of_two_phase_accesses_go_at_once_or_by_mpi_s_protocol(tmp_path: Path) -> None:
    def sent(data: str) -> dict[str, int]:
        settings = {
            "noncontig.access": "collective",
            "noncontig.hints": "romio_cb_write=enable",
            "mpiio.two_phase_data": data,
            "packet_messages.list": True,
        }
        result = hypermon.run("piosim/collective", settings=settings, out=tmp_path / data)
        assert result["mpiio"]["two_phase"]["messages"] == 4 * 3  # each rank has a quarter of each aggregator's domain
        with (tmp_path / data / "messages.csv").open() as file:
            return Counter(message["algorithm"] for message in csv.DictReader(file))

    assert sent("plain") == {"plain": 12}
    assert sent("mpi") == {"announcement": 12, "acknowledgement": 12, "rendezvous": 12}


def test_an_aggregator_reads_what_it_overwrites_if_it_always_reads(tmp_path: Path) -> None:
    def written_over(reads: str, **settings: Any) -> Any:
        given = {
            "noncontig.access": "collective",
            "mpiio.two_phase_reads": reads,
            "mpiio.sizes": f"noncontig.dat={16 * 2**20}",
        }
        return hypermon.run("piosim/collective", settings=given | settings, out=tmp_path / (reads + str(len(settings))))

    def read_bytes(result: Any) -> int:
        return sum(server["read_bytes"] for server in result["piosim"]["servers"])

    holes, always = written_over("holes"), written_over("always")
    assert read_bytes(holes) == 0  # all blocks together have no holes
    assert holes["mpiio"]["requests"]["two_phase_reads_before"] == 0
    assert read_bytes(always) == 16 * 2**20
    assert always["mpiio"]["requests"]["two_phase_reads_before"] == always["mpiio"]["requests"]["two_phase"]
    assert always["elapsed_s"] > holes["elapsed_s"]
    disabled = written_over("always", **{"noncontig.hints": "romio_cb_write=enable romio_ds_write=disable"})
    assert read_bytes(disabled) == 0
    assert disabled["elapsed_s"] == holes["elapsed_s"]


def test_interfaces_of_nodes_and_of_ranks_are_the_same_with_one_rank_on_each_node(tmp_path: Path) -> None:
    def bytes_of(interfaces: str) -> str:
        run(tmp_path / interfaces, nodes=3, pfs__servers=2, pfs__place="nodes", packets__interfaces=interfaces)
        result = json.loads((tmp_path / interfaces / "result.json").read_bytes())
        return json.dumps({key: result[key] for key in result if key not in ("spec", "fingerprint", "host")})

    assert bytes_of("node") == bytes_of("rank")


def test_ranks_of_a_node_share_an_interface_or_have_one_each(tmp_path: Path) -> None:
    def ring(interfaces: str) -> Any:
        settings = {
            "monitor": "none",
            "machine.messages": "packets",
            "packets.network": "packets",
            "packets.interfaces": interfaces,
            "machine.topology": "star",
            "nodes": 2,
            "cpu.ranks_per_node": 2,
            "cpu.processors": 2,
            # with another model it matters which steps of two ranks use one processor at once
            "pio_cpu.model": "ideal",
        }
        return hypermon.run("collection/ring", settings=settings, out=tmp_path / interfaces)

    node, rank = ring("node"), ring("rank")
    # In a step of the ring, the interface of two ranks handles one message to the other node, one from it, and twice
    # one between the two ranks. The interface of a single rank handles one in each direction. Rank 0 also gathers a
    # small message of each rank.
    assert node["piosim"]["busiest_interface_s"] == pytest.approx(2 * rank["piosim"]["busiest_interface_s"], rel=0.02)
    assert node["piosim"]["edges"] == rank["piosim"]["edges"]
    assert node["elapsed_s"] > rank["elapsed_s"]


def test_a_rank_s_files_pass_its_own_interface(tmp_path: Path) -> None:
    """Two ranks and two servers: an interface shared by both ranks carries the bytes of both servers."""
    settings: dict[str, Any] = {"cpu__ranks_per_node": 2, "cpu__processors": 2, "pfs__servers": 2}
    node = run(tmp_path / "node", packets__interfaces="node", **settings)["piosim"]
    rank = run(tmp_path / "rank", packets__interfaces="rank", **settings)["piosim"]
    assert node["edges"][0]["packets"] == rank["edges"][0]["packets"]
    assert node["busiest_interface_s"] == pytest.approx(2 * rank["busiest_interface_s"], rel=0.05)
