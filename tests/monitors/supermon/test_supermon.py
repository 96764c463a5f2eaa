# SPDX-License-Identifier: BSD-3-Clause
"""Supermon in whole runs: derived times of queries, clients' logs against samples, deaths, and refused settings."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import hypermon
from hypermon import report
from hypermon._files import sexpr
from hypermon._model.words import SPACE
from hypermon.monitors.supermon import answers
from tests.monitors.supermon import invariants
from tests.python import node_clocks
from tests.python.held_runs import held_run

pytestmark = [pytest.mark.worker, pytest.mark.usefixtures("worker")]
MACHINE = {"workload": "idle", "monitor": "supermon", "machine.topology": "star", "machine.beside": 1, "lan.count": 1}
QUIET = {"node.clock_drift_ppm": 0, "node.clock_offset_us": 0, "node.tick_ms": 1e6, "node.start_spread_us": 0}
SHORT = {"supermon.counters": "memory.message_buffers"}  # always 0, so that answers have the same length
FREE = SHORT | {f"supermon.{cost}": 0 for cost in ("message_us", "parse_ns", "print_ns", "kernel_us")}
HEADERS = 78  # bytes of a segment: tcp.header_bytes


def run(folder: Path, **settings: Any) -> Any:
    return held_run(folder, {**MACHINE, **QUIET, "idle.duration_s": 10.5, **settings}, invariants)


def test_a_query_takes_what_its_messages_do_on_the_wire(tmp_path: Path) -> None:
    # Client and root are on one computer. A byte takes 1 us; each message fits into a segment, and there is no
    # contention. TCP's handshake precedes the first message.
    wire = {"lan.bandwidth_mb_per_s": 1, "lan.latency_us": 100}
    settings = {
        **FREE,
        **wire,
        "nodes": 1,
        "supermon_client.log": True,
        "supermon.counters": "cpu.kernel os.interrupts",
    }
    found = run(tmp_path / "run", **settings)
    (client,) = found["monitor"]["supermon"]["clients"]
    asked = "(query 1 (sink 0) (nodes 0) (kernel cpu.kernel os.interrupts) (monhole))"
    line = (tmp_path / "run" / "answers" / "client0.sexp").read_text().splitlines()[0]
    answer = line.partition(" (answer ")[2].removesuffix(")")
    expected_us = 200 + (len(asked) + HEADERS + 100) + (len("(answer " + answer) + HEADERS + 100)
    assert client["first_s"] == pytest.approx(expected_us * 1e-6, abs=1e-9)
    assert client["queries"] == client["answers"] == 11  # from 1 s to 11 s: the run continues for a second
    assert client["missed_queries"] == 0


def test_every_message_costs_its_sender_and_its_receiver(tmp_path: Path) -> None:
    free = run(tmp_path / "free", **FREE, nodes=1)["monitor"]["supermon"]["clients"][0]["first_s"]
    # Client, root, mon, and back: four messages, each of which costs both ends.
    message = run(tmp_path / "message", **{**FREE, "supermon.message_us": 250}, nodes=1)["monitor"]["supermon"]
    assert message["clients"][0]["first_s"] == pytest.approx(free + 8 * 250e-6, abs=1e-9)
    assert message["mons"]["cpu_s"] == pytest.approx(2 * 11 * 250e-6)
    assert message["supermons"]["cpu_s"] == pytest.approx(4 * 11 * 250e-6)
    kernel = run(tmp_path / "kernel", **{**FREE, "supermon.kernel_us": 250}, nodes=1)["monitor"]["supermon"]
    assert kernel["clients"][0]["first_s"] == pytest.approx(free + 250e-6, abs=1e-9)
    # Each written byte costs its writer: mon's answer, the root's answer, two queries.
    byte = run(tmp_path / "byte", **{**FREE, "supermon.print_ns": 1000}, nodes=1)["monitor"]["supermon"]
    assert byte["mons"]["cpu_s"] == pytest.approx(byte["mons"]["bytes"] * 1e-6)
    assert byte["supermons"]["cpu_s"] == pytest.approx(byte["supermons"]["bytes"] * 1e-6)


@pytest.mark.parametrize("fan_out", [2, 16])
def test_what_a_client_logs_is_what_arrives_as_samples(tmp_path: Path, fan_out: int) -> None:
    counters = ["cpu.kernel", "os.interrupts", "network.bytes_sent"]
    settings = {
        "nodes": 5,
        "supermon.fan_out": fan_out,
        "supermon.counters": " ".join(counters),
        "supermon_client.log": True,
    }
    found = run(tmp_path / "run", **settings, **{"node.tick_ms": 50})
    frame = found.samples.to_pandas()
    logged = [
        (node, counter[0], int(str(value)), round(answer.arrived_s * 1e12))
        for answer in answers.read(tmp_path / "run")
        for node, sample in answer.samples.items()
        for counter in sample["kernel"]
        for value in counter[1:]
    ]
    arrived = [(row.node, row.counter, row.value, row.arrival_ps) for row in frame.itertuples()]
    assert len(logged) == len(arrived) == 11 * 5 * (2 + 2)  # two interfaces
    assert logged == arrived
    assert all(not answer.missing for answer in answers.read(tmp_path / "run"))


def test_each_client_has_its_own_rate_nodes_and_counters(tmp_path: Path) -> None:
    settings = {
        "nodes": 6, "supermon.counters": "cpu.kernel os.interrupts", "supermon_client.count": 3,
        "supermon_client[1].period_s": 0.25, "supermon_client[1].begin_s": 0, "supermon_client[1].end_s": 5,
        "supermon_client[1].nodes": "0,2-4", "supermon_client[1].counters": "os.interrupts",
        "supermon_client[2].clients": 2, "supermon_client[2].counters": "none", "supermon_client[2].period_s": 5,
    }  # fmt: skip
    found = run(tmp_path / "run", **settings)
    clients = found["monitor"]["supermon"]["clients"]
    assert [client["answers"] for client in clients] == [11, 21, 3, 3]
    assert [client["samples"] for client in clients] == [11 * 6, 21 * 4, 3 * 6, 3 * 6]
    assert found["ledger"]["delivered"]["samples"] == found["ledger"]["generated"]["samples"] == 11 * 6 * 2 + 21 * 4


GAPS = [(True, 0, 0), (False, 4, 2.0)]
"""With repair, no client notices a death between two queries. Without it, answers lack nodes at 3 s and 4 s, until the
one at 5 s.
"""


@pytest.mark.parametrize(("repair", "gaps", "longest"), GAPS)
def test_a_dead_supermon_is_taken_over_if_there_is_repair(
    tmp_path: Path, repair: bool, gaps: int, longest: float
) -> None:
    settings = {"nodes": 8, "supermon.fan_out": 4, "supermon.failures": "2.5 supermon 1 2", "supermon.retry_ms": 100}
    own = run(tmp_path / "run", **settings, **{"supermon.repair": repair})["monitor"]["supermon"]
    (failure,) = own["failures"]
    assert (failure["daemons"], failure["nodes"], failure["gaps"]) == (1, 4, gaps)
    assert failure["detected_s"] == pytest.approx(2.5, abs=0.001)
    assert failure["longest_gap_s"] == (None if repair else pytest.approx(longest, abs=0.01))
    assert own["adoptions"] == (4 if repair else 0)
    assert own["clients"][0]["missing_nodes"] == (0 if repair else 2 * 4)
    assert own["incarnations"] == 8 + 3 + 1


def test_a_node_that_is_off_is_missed_when_it_does_not_answer_in_time(tmp_path: Path) -> None:
    settings = {"nodes": 4, "supermon.failures": "2.5 node 3 2", "supermon.timeout_ms": 200, "supermon.retry_ms": 100}
    own = run(tmp_path / "run", **settings)["monitor"]["supermon"]
    (failure,) = own["failures"]
    assert failure["detected_s"] == pytest.approx(3.2, abs=0.01)  # the query at 3 s waits for 0.2 s
    assert own["timeouts"] == 1
    # The node is back at 4.5 s, but TCP retries only at 3.2, 3.6, 4.4 and 6 s (after tcp.retry_ms, and twice that, and
    # so on). Then the connection is made again, and the next query finds the mon.
    assert (failure["gaps"], own["clients"][0]["missing_nodes"]) == (1, 4)
    assert failure["longest_gap_s"] == pytest.approx(3.8, abs=0.02)  # from 3.2 s to the answer at 7 s


def test_a_dead_root_is_missed_by_all_until_it_is_back(tmp_path: Path) -> None:
    own = run(tmp_path / "run", nodes=3, **{"supermon.failures": "2.5 supermon 0 2"})["monitor"]["supermon"]
    (client,) = own["clients"]
    assert (client["unanswered"], client["gaps"], client["missing_nodes"]) == (2, 3, 2 * 3)
    assert client["longest_gap_s"] == pytest.approx(2, abs=0.01)


def test_a_slow_client_misses_its_dates(tmp_path: Path) -> None:
    slow = {"supermon_client.byte_ns": 1e6, "supermon_client.period_s": 0.1, "supermon_client.begin_s": 0}
    (client,) = run(tmp_path / "run", nodes=2, **slow)["monitor"]["supermon"]["clients"]
    assert client["missed_queries"] > client["answers"] > 0


def test_mons_take_the_programs_cpu_time(tmp_path: Path) -> None:
    settings = {"workload": "ring", "ring.steps": 2000, "nodes": 2, "supermon_client.period_s": 0.002,
                "supermon_client.begin_s": 0}  # fmt: skip
    alone = hypermon.run("collection/ring", out=tmp_path / "alone",
                         settings={**MACHINE, **QUIET, **settings, "monitor": "none"})  # fmt: skip
    watched = run(tmp_path / "watched", **settings)
    cpu_s = watched["monitor"]["supermon"]["mons"]["cpu_s"]
    assert cpu_s > 0
    assert alone.elapsed_s + cpu_s / 8 < watched.elapsed_s < alone.elapsed_s + 2 * cpu_s


def test_the_same_run_leaves_the_same_bytes(tmp_path: Path) -> None:
    settings = {"nodes": 9, "supermon.fan_out": 3, "supermon.failures": "1.5 supermon 2 3; 2.2 mon 4 1"}
    first, second = (run(tmp_path / name, **settings) for name in ("a", "b"))
    assert first.text == second.text
    assert (tmp_path / "a" / "samples.arrow").read_bytes() == (tmp_path / "b" / "samples.arrow").read_bytes()


REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"supermon.counters": "cpu.usr"}, "supermon.counters = cpu.usr"),
    ({"supermon_client.counters": "cpu.idle"}, 'supermon_client.counters = "cpu.idle": must be all, none, or of supermon.counters; cpu.idle is not'),
    ({"supermon_client.nodes": "8"}, 'supermon_client.nodes = "8": must be all, or numbers of nodes from 0 to 7'),
    ({"supermon_client.end_s": 0.5}, "supermon_client.end_s = 0.5: must not be earlier than supermon_client.begin_s = 1"),
    ({"supermon.failures": "1 disk 3 1"}, "must be like 10 mon 3 2: the time in s, mon, supermon or node, its number, for how many s"),
    ({"supermon.failures": "1 supermon 1 1"}, "there are supermons 0 to 0"),
    ({"supermon.failures": "1 node 1 1", "workload": "ring"}, "a node can only die where no program runs"),
    ({"supermon.network": "myrinet"}, 'supermon.network = "myrinet": must be a network of the platform'),
    ({"machine.beside": 0, "supermon.root": "beside"}, 'supermon.root = "beside": '),
    ({"supermon_client.place": "9"}, "supermon_client.place"),
    ({"monhole.policy": "fill_k_read"}, "monhole.entries"),
]  # fmt: skip


@pytest.mark.parametrize(("settings", "message"), REFUSED)
def test_what_cannot_be_is_one_clear_error(tmp_path: Path, settings: dict[str, Any], message: str) -> None:
    with pytest.raises(hypermon.UserError) as caught:
        run(tmp_path / "run", nodes=8, **settings)
    assert message in str(caught.value)
    assert not (tmp_path / "run").exists()


def test_its_page_says_what_queries_take_and_what_deaths_did(tmp_path: Path) -> None:
    run(tmp_path / "run", nodes=3, **{"supermon.failures": "2.5 mon 1 2"})
    report.write(tmp_path / "run", tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text().replace(SPACE, " ")
    assert "No query was missed" in page
    assert "The failure of mon 1 left 1 gap in the samples" in page
    assert "It was away for 2 s from 2.5 s on, with 1 node below it." in page


def test_a_log_that_is_none_is_refused_with_its_line_and_byte(tmp_path: Path) -> None:
    folder = tmp_path / "answers"
    folder.mkdir()
    (folder / "client0.sexp").write_text("(at 5 (answer 1))\n(at 6 (answer 2 (sample 0\n")
    read = answers.read(tmp_path)
    assert next(read).arrived_s == pytest.approx(5e-12)
    with pytest.raises(hypermon.UserError, match=r"client0.sexp, line 2: malformed s-expression at byte 16: the list"):
        next(read)
    (folder / "client0.sexp").write_text("(answer 1)\n")
    with pytest.raises(hypermon.UserError, match=r"line 1: must be like \(at 1000000"):
        list(answers.read(tmp_path))
    with pytest.raises(hypermon.UserError, match=r"client1.sexp: cannot be read"):
        list(answers.read(tmp_path, client=1))


def test_what_is_written_is_read_again() -> None:
    for expression in ("a", "", "a b", '\x00\x7f\\"\n', "é", ["a", [], ["b c", ["1"]]], "\udcff"):
        assert sexpr.parse(sexpr.write(expression)) == expression  # type: ignore[arg-type]
    assert sexpr.write(["a", "b c", ["-1", ""]]) == b'(a "b c" (-1 ""))'
    for text, message in ((b"", "byte 0: there is no"), (b"(a", "byte 0: the list"), (b"(a))", "byte 3: more"), (b'"a"b', "byte 3"),
                       (b"(" * 257, "byte 256: lists are nested too deep"), (b"a;", "byte 1"), (b'("\n")', "byte 1")):  # fmt: skip
        with pytest.raises(sexpr.SexprError, match=message):
            sexpr.parse(text)


def test_a_client_on_a_node_waits_by_the_nodes_clock(tmp_path: Path) -> None:
    settings = {**SHORT, "nodes": 2, "supermon_client.place": "0", "supermon_client.period_s": 0.1}
    result = run(tmp_path / "run", **settings, **node_clocks.FAST_OR_SLOW)
    frame = node_clocks.of_node(result, 0)[1:]  # the first query waits for its connection
    drift = node_clocks.drift(frame)
    assert abs(drift) > 5e-6  # with this seed
    assert node_clocks.intervals_s(frame, "stamped_ps") == pytest.approx(0.1, abs=3e-6)
    assert node_clocks.intervals_s(frame, "true_ps").mean() == pytest.approx(0.1 * (1 + drift), abs=1e-8)
    assert result["monitor"]["supermon"]["clients"][0]["missed_queries"] == 0
