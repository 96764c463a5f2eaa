# SPDX-License-Identifier: BSD-3-Clause
"""Profiles in files: costs of dumps by closed forms, the fate of profiles, and waiting between processes."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import hypermon
from hypermon.errors import SimulationError, UserError
from hypermon.monitors.tau import profiles
from tests.python import node_clocks

pytestmark = [pytest.mark.worker, pytest.mark.usefixtures("worker")]
HERE = Path(__file__).parent
RIGHT = {"node.clock_drift_ppm": 0, "node.clock_offset_us": 0, "node.start_spread_us": 0}
FREE = {f"tau.{name}": 0 for name in ("timer_us", "gettimeofday_us", "line_us", "byte_ns")}
COSTS = {
    "nfs.scale": 1,
    "nfs.lookup_us": 10,
    "nfs.create_us": 2000,
    "nfs.write_us": 300,
    "nfs.rename_us": 1000,
    "nfs.mb_per_s": 10,
}
MACHINE = {
    "workload": "program",
    "program.file": str(HERE / "dumps.c"),
    "monitor": "tau_nfs",
    "machine.topology": "star",
    "machine.messages": "smpi",
    "tau_files.consumer": "off",
    "nfs.place": "node",
    "nfs.call_us": 5,
    "nfs.copy_mb_per_s": 100,
    **COSTS,
    **RIGHT,
    **FREE,
}


def run(folder: Path, arguments: str, **settings: Any) -> Any:
    given = {name.replace("__", "."): value for name, value in settings.items()}
    return hypermon.run(settings={**MACHINE, "program.arguments": arguments, **given}, out=folder)


def times(result: Any) -> dict[str, dict[str, Any]]:
    return {one["call"]: one for one in result["monitor"]["system_calls"]}


def test_a_dump_is_what_the_server_on_ones_own_node_takes(tmp_path: Path) -> None:
    result = run(tmp_path / "run", "4 1000", nodes=1)
    calls = times(result)
    profiles = result["ledger"]["generated"]
    assert profiles["events"] == 5  # four, and the last one at MPI_Finalize
    own = 5e-6
    assert calls["open"]["time_s"] == pytest.approx(5 * (own + 2010e-6), abs=1e-9)
    assert calls["write"]["time_s"] == pytest.approx(5 * own + profiles["bytes"] / 100e6, abs=1e-9)
    assert calls["close"]["time_s"] == pytest.approx(5 * (own + 300e-6) + profiles["bytes"] / 10e6, abs=1e-9)
    assert calls["rename"]["time_s"] == pytest.approx(4 * (own + 1000e-6), abs=1e-9)
    in_calls = sum(one["time_s"] for one in calls.values())
    assert result["monitor"]["transport_s"] == pytest.approx(in_calls, abs=1e-9)
    of_dumps = result["monitor"]["dump_times"]["of_a_process_s"]
    assert result["elapsed_s"] == pytest.approx(4e-3 + of_dumps, abs=1e-9)  # the last one is after the measured section
    assert result["nfs"]["journal_s"] == pytest.approx(5 * 2000e-6 + 4 * 1000e-6, abs=1e-9)


@pytest.mark.parametrize("lock", [True, False])
def test_changes_of_a_directory_wait_for_each_other_wherever_their_processes_are(tmp_path: Path, lock: bool) -> None:
    settings = {"nodes": 4, "cpu.ranks_per_node": 2, "cpu.processors": 2, "nfs.directory_lock": lock}
    result = run(tmp_path / "run", "3 1000 1", **settings)
    journal = 8 * (2000e-6 + 1000e-6)  # journal time of a dump of all ranks
    for one in result["monitor"]["dump_times"]["dumps"]:
        # also the parts that are not shared: a lookup, writes on the network
        assert journal * 1e3 <= one["all_ms"] <= journal * 1e3 + 5
        assert one["least_ms"] < one["mean_ms"] < one["most_ms"]
    assert result["nfs"]["longest_queue"] <= (4 if lock else 8) + 4  # a write beside


def test_a_server_of_another_speed_is_as_many_times_slower(tmp_path: Path) -> None:
    once = run(tmp_path / "1", "3 1000", nodes=1)
    thrice = run(tmp_path / "3", "3 1000", nodes=1, nfs__scale=3)
    for call, least in (("open", 5e-6), ("close", 5e-6), ("rename", 5e-6)):
        own = times(once)[call]["calls"] * least
        expected = 3 * (times(once)[call]["time_s"] - own)
        assert times(thrice)[call]["time_s"] - own == pytest.approx(expected, abs=1e-5)  # texts differ by a few bytes


def test_a_consumer_reads_whole_profiles_and_the_ledger_says_what_became_of_each(tmp_path: Path) -> None:
    settings = {"tau_files.consumer": "lists", "tau_files.place": "host", "tau_files.period_ms": 20}
    result = run(tmp_path / "run", "40 3000", nodes=2, **settings)
    ledger = result["ledger"]
    lost = {one["cause"]: one["events"] for one in ledger["lost"]}
    assert ledger["delivered"]["events"] + sum(lost.values()) == ledger["generated"]["events"] == 82
    assert lost["overwritten"] > 0
    assert set(lost) <= {"overwritten", "left_behind"}
    rows = np.load(tmp_path / "run" / "profiles.npy")
    arrived = {(int(row["rank"]), int(row["number"])) for row in rows}
    assert len(arrived) == ledger["delivered"]["events"]
    assert (rows["arrival_ps"] > rows["taken_ps"]).all()
    looks = result["monitor"]["consumer"]["looks"]
    assert len(arrived) <= 2 * (looks + 1) * 2  # for each rank at most one for each poll, and its last one
    assert result["latency_us"]["max"] <= 30e3  # a period, and the duration of a poll


def test_who_only_asks_for_attributes_sees_files_as_late_as_its_computer_believes_them(tmp_path: Path) -> None:
    settings = {"tau_files.place": "host", "tau_files.period_ms": 20, "nfs.attributes_s": 0.1}
    lists = run(tmp_path / "lists", "80 3000", nodes=1, **{"tau_files.consumer": "lists", **settings})
    stats = run(tmp_path / "stats", "80 3000", nodes=1, **{"tau_files.consumer": "stats", **settings})
    asked = {one["procedure"]: one["calls"] for one in stats["nfs"]["procedures"]}
    assert asked["readdir"] == asked["getattr"] == 0
    assert 0 < stats["ledger"]["delivered"]["events"] < lists["ledger"]["delivered"]["events"] / 2


def test_nobody_reads_without_a_consumer(tmp_path: Path) -> None:
    ledger = run(tmp_path / "run", "5 1000", nodes=2)["ledger"]
    lost = {one["cause"]: one["events"] for one in ledger["lost"]}
    assert ledger["delivered"]["events"] == 0
    assert lost == {"overwritten": 8, "left_behind": 4}  # at the end, a dump and a last profile of each rank remain


def test_clients_wait_for_a_server_that_is_down_and_say_so(tmp_path: Path) -> None:
    up = run(tmp_path / "up", "3 100000", nodes=2)
    down = run(tmp_path / "down", "3 100000", nodes=2, nfs__outages="0.05 12", nfs__timeo_s=0.5, nfs__retrans=2)
    # Requests at 0.1 s, and again after 0.5, 1 and 2 s. Then, after a major timeout, at 1, 2, 4 and 11.1 s; 2 s later
    # the server is up.
    messages = down["nfs"]["not_responding"]
    assert messages["calls"] == 2
    assert messages["first_s"] == pytest.approx(0.1 + 3.5, abs=1e-3)
    assert messages["longest_s"] == pytest.approx(0.5 + 1 + 2 + 1 + 2 + 4 + 2, abs=0.02)
    assert down["elapsed_s"] - up["elapsed_s"] == pytest.approx(messages["longest_s"], abs=0.02)
    assert down["ledger"]["generated"]["events"] == up["ledger"]["generated"]["events"]


def test_who_waits_for_a_server_is_named_by_its_system_call(tmp_path: Path) -> None:
    with pytest.raises(SimulationError, match=r"(?s)limits.simulated_s = 5.*rank 0 is in open"):
        run(tmp_path / "run", "3 100000", nodes=1, nfs__outages="0.05 1000", limits__simulated_s=5)


def test_equal_dumps_take_what_they_are_said_to(tmp_path: Path) -> None:
    result = run(tmp_path / "run", "7 1000", nodes=2, tau_files__fixed_dump_ms=12.5)
    assert result["elapsed_s"] == pytest.approx(7 * 13.5e-3, abs=1e-6)
    dumps = result["monitor"]["dump_times"]
    assert dumps["least_ms"] == pytest.approx(12.5)
    assert dumps["most_ms"] == pytest.approx(12.5)
    assert all(one["calls"] == 0 for one in result["nfs"]["procedures"])


def test_a_service_that_grows_with_who_waits_makes_dumps_longer(tmp_path: Path) -> None:
    constant = run(tmp_path / "0", "3 1000 1", nodes=8)
    growing = run(tmp_path / "1", "3 1000 1", nodes=8, nfs__waiting_share=0.1)
    assert growing["nfs"]["journal_s"] > 1.1 * constant["nfs"]["journal_s"]
    assert growing["elapsed_s"] > constant["elapsed_s"]


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        (
            {"nfs.place": "off"},
            "monitor = tau_nfs: profiles are exported as files, and the machine has no shared file system",
        ),
        ({"nfs.network": "ethernet"}, 'nfs.network = "ethernet": must be a network'),
        ({"nfs.number": 9}, "nfs.place = node, number = 9"),
        ({"nfs.outages": "1"}, "nfs.outages = 1: must be like 10 2"),
        ({"tau_files.consumer": "lists", "tau_files.place": "node", "tau_files.number": 9}, "tau_files.place = node"),
        ({"tau_files.folder": "x/"}, 'tau_files.folder = "x/": must be a name'),
    ],
)
def test_what_cannot_be_is_refused_by_its_name(tmp_path: Path, settings: dict[str, Any], message: str) -> None:
    with pytest.raises(UserError) as error:
        run(tmp_path / "run", "1 1000", nodes=2, **settings)
    assert message in str(error.value)


@pytest.mark.parametrize("bytes_", [1000, 100_000])
def test_mpi_io_writes_to_stable_storage_and_reads_again(tmp_path: Path, bytes_: int) -> None:
    settings = {"program.file": str(HERE / "writes.c"), "monitor": "none", "mpiio.file_system": "nfs"}
    result = run(tmp_path / "run", str(bytes_), nodes=1, nfs__read_us=50, nfs__threads=8, **settings)
    written, read = map(float, (tmp_path / "run" / "stdout" / "rank0.txt").read_text().split())
    part = min(bytes_, 32768)  # eight threads serve all parts at the same time
    assert written == pytest.approx(300e-6 + part / 10e6, abs=1e-6)
    assert read == pytest.approx(50e-6 + part / 10e6, abs=1e-6)
    asked = {one["procedure"]: one["calls"] for one in result["nfs"]["procedures"]}
    assert asked["write"] == asked["read"] == math.ceil(bytes_ / 32768)
    assert result["nfs"]["written_bytes"] == result["nfs"]["read_bytes"] == bytes_


def test_times_of_sockets_are_those_of_the_mpi_calls(tmp_path: Path) -> None:
    settings = {**RIGHT, **FREE, "monitor": "tau", "nodes": 4, "machine.topology": "star", "machine.messages": "smpi"}
    found = {}
    for name, costs in {
        "plain": {},
        "free": {"ktau.writev_us": 0, "ktau.read_us": 0, "ktau.copy_mb_per_s": 1e6},
    }.items():
        result = hypermon.run(
            "collection/ring", settings={**settings, "ktau.messages": "sockets", **costs}, out=tmp_path / name
        )
        found[name] = times(result)
        elapsed = result["elapsed_s"]
    assert found["plain"]["writev"]["calls"] == found["free"]["writev"]["calls"] > 0
    assert found["plain"]["read"]["calls"] > 0
    sums = {name: sum(one["time_s"] for one in calls.values()) for name, calls in found.items()}
    assert sums["plain"] == pytest.approx(sums["free"], abs=1e-9)  # divided otherwise
    assert sums["plain"] < 4 * elapsed * 1.01
    assert found["free"]["select"]["time_s"] == pytest.approx(sums["free"], rel=1e-3)


@pytest.mark.parametrize("how", ["tau.transport", "program.environment.TAU_TRANSPORT"])
def test_the_plain_monitor_is_told_to_write_files_by_its_parameter_or_the_environment(tmp_path: Path, how: str) -> None:
    settings: dict[str, Any] = {"nodes": 2, "tau_files.consumer": "lists", "tau_files.period_ms": 1}
    named = run(tmp_path / "named", "4 1000", **settings)
    told = run(tmp_path / "told", "4 1000", **settings, **{"monitor": "tau", how: "file"})
    assert told["monitor"]["transport"] == named["monitor"]["transport"] == "file"
    assert told["ledger"] == named["ledger"]
    assert named["ledger"]["lost_total"]["events"] > 0
    assert told["elapsed_s"] == named["elapsed_s"]


def test_dumps_of_a_period_follow_the_clock_of_their_process(tmp_path: Path) -> None:
    settings = {"tau.dump": "period", "tau.period_ms": 50, "tau_files.consumer": "lists", "tau_files.place": "host",
                "tau_files.period_ms": 10}  # fmt: skip
    taken = {}
    for name, clocks in (("right", node_clocks.RIGHT), ("drifts", node_clocks.FAST_OR_SLOW)):
        run(tmp_path / name, "50000 20 1", nodes=1, **settings, **clocks)
        frame = profiles.read(tmp_path / name)
        of_all = frame[frame["routine"] == ".TAU application"]  # the process's own time since its begin
        dumps = of_all[of_all["number"] < of_all["number"].max()]
        assert len(dumps) > 10
        assert (dumps["inclusive_us"] % 50_000 < 25).all()  # a process dumps at the next start of a timer
        taken[name] = dumps.set_index("number")["taken_s"]
    later_s = (taken["drifts"] - taken["right"]).dropna().abs()
    assert later_s.iloc[-1] > 25e-6  # with this seed


def test_a_consumer_on_a_node_polls_by_the_nodes_clock(tmp_path: Path) -> None:
    settings = {"workload": "idle", "idle.duration_s": 2, "tau_files.consumer": "stats", "tau_files.place": "node",
                "tau_files.period_ms": 0.1}  # fmt: skip
    looks = {}
    for name, clocks in (("right", node_clocks.RIGHT), ("ahead", node_clocks.AHEAD),
                         ("drifts", node_clocks.FAST_OR_SLOW)):  # fmt: skip
        given = {key: value for key, value in MACHINE.items() if not key.startswith("program.")}
        result = hypermon.run(
            "collection/ring", settings={**given, "nodes": 1, **settings, **clocks}, out=tmp_path / name
        )
        looks[name] = result["monitor"]["consumer"]["looks"]
    assert looks["right"] == looks["ahead"]
    assert looks["drifts"] != looks["right"]
