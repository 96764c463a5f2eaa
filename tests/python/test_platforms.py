# SPDX-License-Identifier: BSD-3-Clause
"""Platforms: where they are found, what they may set, and which settings override them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hypermon import UserError
from hypermon._engine import sweeping
from hypermon._engine.runner import run
from hypermon._inputs import platforms, scenario
from hypermon._model import worker
from tests.conftest import Hypermon
from tests.python import simgrid_releases
from tests.registered import observers

OWN = """\
description: A little machine.
source: assumed
set: {nodes: 2, node: {tick_ms: 40}, os.syscall_us: 5}
"""


@pytest.fixture
def own(scenarios: Path) -> Path:
    """A platform beside a scenario that names it and changes one of its parameters."""
    (scenarios / "own.yaml").write_text("question: q\nplatform: little.yaml\nset: {os.syscall_us: 6}\n")
    (scenarios / "derived.yaml").write_text("question: q\nbase: own\n")
    (scenarios / "free.yaml").write_text("question: q\n")
    little = scenarios / "little.yaml"
    little.write_text(OWN)
    return little


@pytest.mark.parametrize("name", ["own", "derived"])
def test_a_platform_comes_before_all_that_the_scenario_says(name: str, own: Path) -> None:  # noqa: ARG001
    values = scenario.find_one(name).resolve(worker.schema(), {"node.tick_ms": 20}).values
    assert (values["nodes"], values["node.tick_ms"], values["os.syscall_us"]) == (2, 20, 6)


def test_a_named_platform_replaces_the_scenarios(own: Path, tmp_path: Path) -> None:  # noqa: ARG001
    other = tmp_path / "other.yaml"
    other.write_text("description: d\nsource: [a, b]\nset: {nodes: 4}\n")
    for name in ("own", "free"):
        values = scenario.find_one(name, other).resolve(worker.schema()).values
        assert (values["nodes"], values["node.tick_ms"]) == (4, 50)  # the default
    assert platforms.find(other, "").sources == ("a", "b")
    result = run("free", platform=other, monitor="none", out=tmp_path / "run")
    assert result["spec"]["nodes"] == 4


def test_who_names_a_platform_wants_all_its_nodes_but_may_say_otherwise(own: Path, scenarios: Path) -> None:
    (scenarios / "eight.yaml").write_text("question: q\nset: {nodes: 8, os.syscall_us: 6}\n")
    (scenarios / "both.yaml").write_text("question: q\nbase: eight\nplatform: little.yaml\n")
    named, with_nodes = scenario.find_one("eight", own), scenario.find_one("both")
    assert [each.resolve(worker.schema()).values["nodes"] for each in (named, with_nodes)] == [2, 2]
    values = named.resolve(worker.schema(), {"nodes": 4}).values
    assert (values["nodes"], values["os.syscall_us"]) == (4, 6)


def test_a_sweep_has_a_platform(own: Path, tmp_path: Path) -> None:
    def base(target: str, platform: Path | None) -> object:
        asked = sweeping.make_request(
            target, vary={"seed": [1, 2]}, zips=(), conditions=(), repeats=None, metrics=(), settings={}, presets=(),
            platform=platform,
        )  # fmt: skip
        return asked.points()[0].values["nodes"]

    file = tmp_path / "sweep.yaml"
    file.write_text(f"scenario: free\nplatform: {own}\n")
    assert [base("free", None), base("free", own), base(str(file), None)] == [8, 2, 2]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("nodes: 2", "nodse: 2", "nodse: is not a parameter of the machine; a platform sets nodes, machine, "),
        ("nodes: 2", "seed: 2", "seed: is not a parameter of the machine"),
        ("nodes: 2", "place.attempts: 2", "place.attempts: is not a parameter of the machine"),
        ("nodes: 2", "nodes: 3", "nodes = 3: must be a power of two from 1 to 128 (little.yaml, line 3)"),
        ("tick_ms", "tik_ms", "node.tik_ms: no such parameter; did you mean node.tick_ms? (little.yaml, line 3)"),
        ("source: assumed\n", "", "platform: `source` is missing (little.yaml, line 1)"),
        ("source: ass", "sourc: ass", "platform: no key `sourc`; did you mean source? (little.yaml, line 2)"),
    ],
)
def test_a_mistake_in_a_platform_is_named_with_its_place(
    old: str, new: str, message: str, own: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert old in OWN
    own.write_text(OWN.replace(old, new))
    monkeypatch.chdir(own.parent)
    with pytest.raises(UserError) as refused:
        scenario.find_one("free", "little.yaml").resolve(worker.schema())
    assert message in str(refused.value)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("ipcs2", "platform: ipcs2: no such platform; did you mean ipsc2?"),
        ("none.xml", "platform: none.xml: no such file"),
    ],
)
def test_a_platform_that_there_is_not_is_refused(name: str, message: str, own: Path) -> None:  # noqa: ARG001
    with pytest.raises(UserError, match=message):
        scenario.find_one("free", name)


def test_the_platforms_are_listed_with_what_they_set(hypermon: Hypermon) -> None:
    listed = {entry["name"]: entry for entry in json.loads(hypermon("platforms", "--json").stdout)}
    assert listed["torus64"]["set"]["machine.dimensions"] == "4x4x4"
    assert sorted(listed) == platforms.names()
    table = hypermon("platforms").stdout
    assert all(name in table for name in listed)


@pytest.mark.worker
@pytest.mark.usefixtures("worker")
@pytest.mark.parametrize("name", platforms.names())
def test_every_platform_that_comes_along_runs_a_program(name: str, tmp_path: Path) -> None:
    plain = tmp_path / "plain.yaml"
    plain.write_text("question: q\nset: {workload: life, life: {generations: 3, size: 128}}\n")
    observed = {"monitor": observers()[-1]}
    result = run(str(plain), platform=name, settings=observed, out=tmp_path / "run")
    assert result["ledger"]["delivered"]["events"] > 0
    wanted = platforms.find(name, "").settings["nodes"].value
    assert len(result["ranks"]) == wanted * result["spec"]["cpu"]["ranks_per_node"]
    if name == "ipsc2":  # it repeats the defaults
        assert result["fingerprint"] == run(str(plain), settings=observed, out=tmp_path / "default")["fingerprint"]


@pytest.mark.worker
@pytest.mark.usefixtures("worker")
def test_a_file_that_is_no_simgrid_platform_is_the_users_mistake(tmp_path: Path) -> None:
    plain = tmp_path / "plain.yaml"
    plain.write_text("question: q\nset: {workload: life, monitor: none}\n")
    broken = tmp_path / "broken.xml"
    broken.write_text("<?xml version='1.0'?><platform version='4.1'><zone id='a' routing='Ful'/></platform>\n")
    with pytest.raises(
        UserError, match=r"machine.xml = .*broken.xml: <zone>: routing = Ful: must be one of Full.* line 1\)"
    ):
        run(str(plain), platform=broken, out=tmp_path / "run")


@pytest.mark.worker
@pytest.mark.usefixtures("worker")
@pytest.mark.parametrize(("topology", "parameters"), [("TORUS", "2,2"), ("FAT_TREE", "1;4;1;1")])
def test_a_cluster_with_a_topology_needs_a_zone_on_simgrid_4_alone(
    topology: str, parameters: str, tmp_path: Path
) -> None:
    """SimGrid's own reader crashes there with a segmentation fault; in a zone, the cluster has the same times."""
    plain = _life(4, tmp_path)
    bare, zone = tmp_path / "bare.xml", tmp_path / "zone.xml"
    cluster = _cluster(topology, parameters, 4)
    bare.write_text(f"{_HEAD}{cluster}</platform>\n")
    zone.write_text(f"{_HEAD}{_zone(cluster)}</platform>\n")
    elapsed = run(str(plain), platform=zone, out=tmp_path / "zone").elapsed_s
    if simgrid_releases.before_4():
        assert run(str(plain), platform=bare, out=tmp_path / "bare").elapsed_s == elapsed
        return
    with pytest.raises(
        UserError, match=rf"bare.xml: <cluster>: SimGrid 4.* crashes at a cluster of topology {topology} .*zone"
    ):
        run(str(plain), platform=bare, out=tmp_path / "bare")


@pytest.mark.worker
@pytest.mark.usefixtures("worker")
@pytest.mark.parametrize(
    ("parameters", "nodes", "allowed"),
    [
        ("1,1;1,1;1,1;4", 4, True),
        ("2,1;2,1;2,1;1", 8, True),
        ("3,1;1,1;3,1;1", 9, True),
        ("2,1;2,1;1,1;1", 4, False),
        ("3,1;2,1;2,1;1", 12, False),
        (" 10,1;1,1; 9,1;1", 90, False),
    ],
)
def test_a_dragonfly_has_a_router_in_each_chassis_for_every_group(
    parameters: str, nodes: int, allowed: bool, tmp_path: Path
) -> None:
    """To reach group g, SimGrid uses router number g of the chassis, which may not exist."""
    plain = _life(nodes, tmp_path)
    file = tmp_path / "dragonfly.xml"
    file.write_text(f"{_HEAD}{_zone(_cluster('DRAGONFLY', parameters, nodes))}</platform>\n")
    if allowed:
        assert run(str(plain), platform=file, out=tmp_path / "run").elapsed_s > 0
        return
    with pytest.raises(
        UserError, match=r"dragonfly.xml: <cluster>: topo_parameters=.* must have at most as many groups as"
    ):
        run(str(plain), platform=file, out=tmp_path / "run")
    assert not (tmp_path / "run").exists()


_HEAD = '<?xml version="1.0"?>\n<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">\n<platform version="4.1">'


def _cluster(topology: str, parameters: str, nodes: int) -> str:
    kind = f'topology="{topology}" topo_parameters="{parameters}" loopback_bw="1GBps" loopback_lat="1us"'
    hosts = f'prefix="n" suffix="" radical="0-{nodes - 1}"'
    return f'<cluster id="c" {hosts} speed="1Gf" bw="2.8MBps" lat="10us" {kind}/>'


def _zone(inside: str) -> str:
    return f'<zone id="world" routing="Full">{inside}</zone>'


def _life(nodes: int, folder: Path) -> Path:
    file = folder / "plain.yaml"
    life = "life: {generations: 3, size: 128}"
    file.write_text(f"question: q\nset: {{workload: life, monitor: none, nodes: {nodes}, {life}}}\n")
    return file


@pytest.mark.worker
@pytest.mark.usefixtures("worker")
def test_clocks_that_are_finer_than_deltas_and_not_yet_at_zero_cost_no_event(tmp_path: Path) -> None:
    settings = {"monitor": observers()[-1]}
    result = run(
        "collection/pingpong", platform="ethernet", settings=settings, out=tmp_path / "run"
    )  # by 1 ns, and by 100 us
    assert result["spec"]["node"]["clock_resolution_ns"] == 1
    assert result["ledger"]["generated"]["events"] > 16
    assert result["ledger"]["lost_total"]["events"] == 0
