# SPDX-License-Identifier: BSD-3-Clause
"""TAU's profiles through monholes: who receives them and when, costs of a dump for its process, and the effect of
deaths.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import hypermon
from hypermon._files import tau
from hypermon.errors import UserError
from hypermon.monitors.supermon import answers
from hypermon.monitors.tau import profiles
from tests.monitors.supermon import invariants
from tests.monitors.tau_supermon import invariants as own_invariants
from tests.python.held_runs import held_run

pytestmark = [pytest.mark.worker, pytest.mark.usefixtures("worker")]
RANKS = 8
ITERATIONS = 6
LU = {"workload": "lu", "nodes": 2, "cpu.ranks_per_node": 4, "cpu.processors": 4, "lu.points": 16,
      "lu.iterations": ITERATIONS, "machine.topology": "star", "machine.messages": "smpi", "machine.beside": 2,
      "lan.count": 1}  # fmt: skip
FAST = {"supermon_client.period_s": 0.001, "supermon_client.begin_s": 0, "supermon.linger_s": 0.1}
KEPT = {"monhole.policy": "fill_drain"}


def run(folder: Path, **settings: Any) -> Any:
    return held_run(folder, {**LU, **FAST, "monitor": "tau_supermon", **settings}, invariants, own_invariants)


def causes(found: Any) -> dict[tuple[str, str], int]:
    return {(loss["stage"], loss["cause"]): loss["events"] for loss in found["ledger"]["lost"] if loss["events"]}


def test_every_profile_of_every_dump_arrives_if_the_buffers_keep_them(tmp_path: Path) -> None:
    found = run(tmp_path / "run", **KEPT, **{"supermon_client.log": True})
    assert found["ledger"]["generated"]["events"] == RANKS * (ITERATIONS + 1)  # and the last one
    assert found["ledger"]["delivered"] == found["ledger"]["generated"]
    frame = profiles.read(tmp_path / "run")
    dumps = frame.drop_duplicates(["rank", "number"])
    assert sorted(zip(dumps["rank"], dumps["number"], strict=True)) == [
        (rank, number) for rank in range(RANKS) for number in range(ITERATIONS + 1)
    ]
    assert (dumps["arrived_s"] > dumps["taken_s"]).all()
    # The client's log has TAU's text, byte for byte: the last one equals the profile that the process wrote at its end.
    texts: dict[str, object] = {}
    for answer in answers.read(tmp_path / "run"):
        for sample in answer.samples.values():
            for entry in sample.get("monhole", []):
                parts = {str(part[0]): part for part in entry[4][1:]}
                texts[str(parts["rank"][1])] = parts["file"][2]
    for rank in range(RANKS):
        assert texts[str(rank)] == (tmp_path / "run" / "profiles" / f"profile.{rank}.0.0").read_text()


def test_the_sink_makes_the_directories_and_files_that_the_processes_cannot(tmp_path: Path) -> None:
    run(tmp_path / "run", **KEPT, **{"tau.folders": True})
    sink = tmp_path / "run" / "sink"
    names = sorted(str(path.relative_to(sink)) for path in sink.rglob("*") if path.is_file())
    assert names == sorted(f"MULTI__TIME/{kind}.{rank}.0.0" for kind in ("dump", "profile") for rank in range(RANKS))
    last = (sink / "MULTI__TIME" / "profile.3.0.0").read_bytes()
    assert last == (tmp_path / "run" / "profiles" / "profile.3.0.0").read_bytes()
    assert tau.read(sink / "MULTI__TIME" / "profile.3.0.0")


def test_a_slow_client_misses_what_is_overwritten_and_nothing_else(tmp_path: Path) -> None:
    # The client queries once, when the program has ended.
    slow = {"supermon_client.begin_s": 0, "supermon_client.period_s": 1000, "supermon.linger_s": 0.05}
    late = run(tmp_path / "late", **slow)
    assert late["ledger"]["delivered"]["events"] == 0  # queried at 0 s: nothing had been written
    assert causes(late) == {("monhole", "overwritten"): RANKS * ITERATIONS, ("monhole", "left_behind"): RANKS}
    kept = run(tmp_path / "kept", **slow, **KEPT)
    assert causes(kept) == {("monhole", "left_behind"): RANKS * (ITERATIONS + 1)}
    often = run(tmp_path / "often")
    assert often["ledger"]["delivered"]["events"] + causes(often).get(("monhole", "overwritten"), 0) == RANKS * (
        ITERATIONS + 1
    )
    assert often["monitor"]["read_again"] > 0


def test_what_dies_with_a_mon_is_said(tmp_path: Path) -> None:
    begin = run(tmp_path / "whole", **KEPT).elapsed_s
    dead = {"supermon.failures": f"{begin / 2} mon 1 {begin / 4}", "supermon_client.period_s": 1000}
    found = run(tmp_path / "dead", **KEPT, **dead)
    lost = causes(found)
    assert lost["monhole", "died"] > 0
    assert lost["monhole", "no_mon"] == found["monitor"]["monhole_writes"]["failed"] > 0
    assert sum(lost.values()) + found["ledger"]["delivered"]["events"] == found["ledger"]["generated"]["events"]


def test_a_full_socket_and_a_mon_that_must_have_taken_it_keep_the_process_waiting(tmp_path: Path) -> None:
    slow = {**KEPT, "supermon.take_us": 3000}
    room = run(tmp_path / "room", **slow)
    full = run(tmp_path / "full", **slow, **{"supermon.socket_bytes": 100})
    taken = run(tmp_path / "taken", **slow, **{"supermon.writer_waits": "taken"})
    assert room["monitor"]["monhole_writes"]["waited_s"] == 0
    waits = [one["monitor"]["monhole_writes"] for one in (full, taken)]
    assert all(wait["longest_wait_s"] >= 2 * 3000e-6 for wait in waits)  # behind others of the node
    assert full.elapsed_s > room.elapsed_s
    assert full["ledger"]["delivered"]["events"] == room["ledger"]["delivered"]["events"]


def test_a_mon_that_is_a_process_takes_one_processor_and_one_in_the_kernel_stops_all(tmp_path: Path) -> None:
    costs = {**KEPT, "supermon.take_us": 2000, "supermon_client.period_s": 1000}
    times = {share: run(tmp_path / str(share), **costs, **{"supermon.mon_shares": share}) for share in (True, False)}
    none = hypermon.run("collection/ring", out=tmp_path / "tau", settings={**LU, "monitor": "tau"})
    assert none.elapsed_s < times[True].elapsed_s < times[False].elapsed_s
    assert times[True]["cpu"]["nodes"]


def test_system_data_and_profiles_come_over_the_same_channel(tmp_path: Path) -> None:
    found = run(tmp_path / "run", **KEPT, **{"supermon.counters": "network.bytes_sent cpu.user"})
    samples = found.samples.to_pandas()
    assert set(samples["counter"]) == {"network.bytes_sent", "cpu.user"}
    assert found["sampling"]["delivered"] == len(samples)


def test_the_same_run_leaves_the_same_bytes(tmp_path: Path) -> None:
    first, second = (run(tmp_path / name, **{"supermon.failures": "0.01 mon 1 0.01"}) for name in ("a", "b"))
    assert first.text == second.text


@pytest.mark.parametrize("how", ["tau.transport", "program.environment.TAU_TRANSPORT"])
def test_the_plain_monitor_is_told_to_use_monholes_by_its_parameter_or_the_environment(
    tmp_path: Path, how: str
) -> None:
    slow = {"supermon_client.period_s": 1000}
    named = run(tmp_path / "named", **slow)
    told = hypermon.run(
        "collection/ring", settings={**LU, **FAST, **slow, "monitor": "tau", how: "monhole"}, out=tmp_path / "told"
    )
    assert told["monitor"]["transport"] == named["monitor"]["transport"] == "monhole"
    assert told["ledger"] == named["ledger"]
    assert named["ledger"]["lost_total"]["events"] > 0
    assert told["elapsed_s"] == named["elapsed_s"]


def test_the_plain_monitor_s_monholes_are_checked_as_supermon_s_are(tmp_path: Path) -> None:
    wrong = {"tau_control.overhead_percent": 5, "tau_control.client": 7}
    for settings in ({"monitor": "tau_supermon"}, {"monitor": "tau", "tau.transport": "monhole"}):
        with pytest.raises(UserError, match=r"tau_control\.client = 7: there are clients 0 to 0"):
            hypermon.run("collection/ring", settings={**LU, **FAST, **settings, **wrong}, out=tmp_path / "no")
