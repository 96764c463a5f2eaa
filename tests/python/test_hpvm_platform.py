# SPDX-License-Identifier: BSD-3-Clause
"""HPVM's cluster: its messages take the documented times, also next to a second network."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import hypermon
from hypermon import UserError

pytestmark = [pytest.mark.worker, pytest.mark.usefixtures("worker")]
PING = {"pingpong.least_bytes": 1, "pingpong.most_bytes": 2**20, "pingpong.repeats": 2}


def pings(folder: Path, **settings: object) -> dict[int, float]:
    """Seconds in one direction, by number of bytes."""
    name = str(len(list(folder.iterdir())))
    given = {
        "nodes": 2,
        "monitor": "none",
        **PING,
        **{key.replace("__", "."): value for key, value in settings.items()},
    }
    hypermon.run("collection/pingpong", platform="hpvm_nt", out=folder / name, settings=given)
    return {int(size): seconds for size, seconds, _ in np.load(folder / name / "answer.txt")}


def test_a_message_takes_mpi_fms_latency_and_bandwidth(tmp_path: Path) -> None:
    found = pings(tmp_path)
    assert found[1] == pytest.approx(12e-6, rel=0.02)  # FM's 9 us, and 1.5 us of CPU on each side; 16 B of header
    large = 2**20
    assert (found[large] - found[1]) / large == pytest.approx(1 / 80e6, rel=0.01)


def test_a_network_beside_changes_no_date_of_the_program(tmp_path: Path) -> None:
    with_lan, alone = pings(tmp_path), pings(tmp_path, lan__count=0, machine__beside=0)
    assert with_lan == alone


def test_giganet_is_another_transport_of_the_same_messages(tmp_path: Path) -> None:
    out = tmp_path / "giganet"
    given = {"nodes": 2, "monitor": "none", **PING}
    hypermon.run("collection/pingpong", platform="hpvm_nt", out=out, presets=["hpvm/giganet"], settings=given)
    seconds = np.load(out / "answer.txt")[:, 1]
    assert seconds[0] == pytest.approx(13e-6, rel=0.02)


@pytest.mark.parametrize("nodes", [8, 12])
def test_the_node_that_computes_longest_waits_least(nodes: int) -> None:
    ranks = hypermon.run("hpvm/cholesky", settings={"nodes": nodes, "cholesky.size": 1000})["ranks"]
    computing, waiting = ([rank[key] for rank in ranks] for key in ("compute_s", "mpi_s"))
    assert waiting.index(min(waiting)) == computing.index(max(computing))


@pytest.mark.parametrize(("places", "cables"), [("6-7", 2), ("7-8", 4)])
def test_places_say_who_shares_a_switch(places: str, cables: int, tmp_path: Path) -> None:
    out = tmp_path / "out"
    given = {"nodes": 2, "monitor": "none", "machine.places": places, **PING}
    hypermon.run("collection/pingpong", platform="hpvm_nt", presets=["hpvm/trunks_4to1"], out=out, settings=given)
    assert np.load(out / "answer.txt")[0, 1] == pytest.approx((cables * 4.5 + 3) * 1e-6, rel=0.02)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"machine.places": "4-12"}, "must be 8 places, for nodes, neighbours and computers beside; these are 9"),
        ({"machine.places": "4-10,4"}, "must be a place for each; one is there twice"),
        ({"machine.places": "57-64"}, "must be places from 0 to 63, like 0,4-7"),
        ({"machine.places": "0-7", "machine.topology": "star"}, 'must be empty with machine.topology = "star"'),
        (
            {"nodes": 64, "machine.links": "exclusive", "machine.messages": "nx2"},
            "must be shared with machine.messages",
        ),
        ({"machine.places": ""}, "nodes = 8: must be the product of machine.dimensions"),
    ],
)
def test_places_and_links_that_do_not_fit_are_refused(given: dict[str, object], message: str, tmp_path: Path) -> None:
    with pytest.raises(UserError) as error:
        hypermon.run("hpvm/cholesky", presets=["hpvm/trunks_4to1"], out=tmp_path / "out", settings=given)
    assert message in str(error.value)


def test_an_exchange_that_is_only_charged_takes_as_long_as_one_that_is_computed(tmp_path: Path) -> None:
    given = {"nodes": 4, "monitor": "none", "alltoall.numbers": 1000, "alltoall.repeats": 3}
    elapsed = {}
    for largest in (999, 1000):
        out = tmp_path / str(largest)
        settings = {**given, "alltoall.largest_computed": largest}
        elapsed[largest] = hypermon.run("collection/alltoall", platform="hpvm_nt", out=out, settings=settings)[
            "elapsed_s"
        ]
        assert (out / "answer.txt").exists() == (largest == 1000)
    assert elapsed[999] == elapsed[1000]


@pytest.mark.parametrize(("number_ns", "share"), [(92, 0.5), (276, 0.25)])
def test_the_neighbour_exchanges_for_the_share_of_its_time_that_its_scenario_says(
    number_ns: float, share: float, tmp_path: Path
) -> None:
    given = {"nodes": 8, "monitor": "none", "alltoall.numbers": 131072, "alltoall.largest_computed": 0}
    settings = {**given, "alltoall.repeats": 5, "alltoall.number_ns": number_ns}
    rank = hypermon.run("collection/alltoall", platform="hpvm_nt", out=tmp_path / "out", settings=settings)["ranks"][0]
    assert rank["mpi_s"] / rank["elapsed_s"] == pytest.approx(share, rel=0.01)
