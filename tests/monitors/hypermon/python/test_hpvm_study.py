# SPDX-License-Identifier: BSD-3-Clause
"""The study of HPVM's paper: its runs, its evaluation of samples, and the status of its numbers."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest

import hypermon
from hypermon._inputs import scenario
from hypermon._model import worker as workers
from hypermon.report.calibration import CALIBRATED, PREDICTED
from hypermon_studies.cells import UNPUBLISHED, Cell, Cells
from hypermon_studies.hpvm import cells as hpvm_cells
from hypermon_studies.hpvm import page as hpvm_page
from hypermon_studies.hpvm import runs as hpvm_runs
from hypermon_studies.hpvm import samples as seen
from hypermon_studies.hpvm.runs import COMPETITOR, COUNTERS, NEIGHBOUR

pytestmark = [pytest.mark.worker, pytest.mark.usefixtures("worker")]
ROOT = Path(__file__).parents[4]
SIZE, BLOCK = 1900, 32


def test_every_assumption_of_the_facts_is_run_and_one_of_each_kind_is_the_default() -> None:
    cases = {key: spec.values for key, spec in hpvm_runs.plan(workers.schema()).specs.items()}
    beside = [
        v for (of, _), v in cases.items() if of == NEIGHBOUR and (v["neighbour.count"], v["neighbour.nodes"]) == (1, 8)
    ]
    assert len(beside) == 9
    cables = {"8x8;1x8;1x1": 1, "8x8;1x4;1x1": 2, "8x8;1x2;1x1": 4}
    assert {
        (cables[str(v["machine.dimensions"])], str(v["neighbour.arguments"]).split("number_ns=")[1]) for v in beside
    } == set(product((1, 2, 4), ("276", "92", "0")))
    competitors = [
        {
            name: v.get(f"competitor[1].{name}", v[f"competitor.{name}"])
            for name in ("begin_s", "threads", "processors", "busy_ms")
        }
        | {"rank": v["cpu.rank_processors"]}
        for (of, _), v in cases.items()
        if of == COMPETITOR
    ]
    always = [c for c in competitors if c["begin_s"] == 0 and c["busy_ms"] == 0]
    assert sorted((c["threads"], c["rank"]) for c in always) == sorted(product((1, 2), ("", "0")))
    assert all(c["rank"] == c["processors"] for c in competitors)
    assert sorted(of for of, _ in hpvm_cells.DEFAULTS) == [COMPETITOR, NEIGHBOUR]
    assert set(cases) >= hpvm_cells.DEFAULTS


def test_another_process_leaves_a_rank_98_percent_of_its_processor(tmp_path: Path) -> None:
    for assumption in hpvm_runs.OTHER_USERS:
        small = {"cholesky.size": SIZE, "cholesky.block": BLOCK, "hpvm.interval_s": 0.1}
        settings = {**hpvm_runs.OTHER_USERS[assumption], **small}
        result = hypermon.run("hpvm/competitor", settings=settings, out=tmp_path / assumption)
        shares = [rank["used_s"] / result["elapsed_s"] for rank in result["cpu"]["ranks"] if rank is not None]
        assert len(shares) == 8
        disturbed = {3} if "one node" in assumption else set(range(8))
        assert all(0.975 < share < 0.99 for node, share in enumerate(shares) if node in disturbed), shares
        assert all(share > 0.99 for node, share in enumerate(shares) if node not in disturbed), shares


@pytest.mark.parametrize("name", hpvm_runs.SCENARIOS)
def test_a_scenario_without_a_case_is_the_default(name: str) -> None:
    specs = hpvm_runs.plan(workers.schema()).specs
    (default,) = (specs[key] for key in hpvm_cells.DEFAULTS if key[0] == name.rpartition("/")[2])
    plain = scenario.built_in(name).resolve(workers.schema())
    assert {path: value for path, value in plain.values.items() if value != default.values[path]} == {}


def test_cases_are_said_in_words_and_no_two_alike() -> None:
    assert hpvm_cells.title((NEIGHBOUR, "trunks_2to1_at_25")) == "trunks of 2:1, neighbour at 25 %"
    assert hpvm_cells.title((NEIGHBOUR, "trunks_2to1_alone")) == "trunks of 2:1, no neighbour"
    assert (
        hpvm_cells.title((NEIGHBOUR, "trunks_4to1_at_100_24_hosts")) == "trunks of 4:1, neighbour at 100 % on 24 hosts"
    )
    assert hpvm_cells.title((COMPETITOR, "two_threads_free")) == "two threads, free (default)"
    assert hpvm_cells.title((COMPETITOR, "two_threads_free_from_27_s")) == "two threads, free, from 27 s on"
    assert hpvm_cells.title((COMPETITOR, "one_thread_bound")) == "one thread, bound"
    keys = list(hpvm_runs.plan(workers.schema()).cases)
    assert len({hpvm_cells.title(key) for key in keys}) == len(keys)


def test_a_time_is_calibrated_if_a_constants_source_says_so() -> None:
    schema = workers.schema()
    assert hpvm_cells.calibrated(schema) == {1: "cholesky.multiply_add_ns", 8: "cholesky.cache_gain"}
    path = "cholesky.block"
    other = schema.parameters[path]._replace(source="calibrated by 103 s on 12 nodes")
    with pytest.raises(ValueError, match="no such time is published"):
        hpvm_cells.calibrated(schema._replace(parameters={**schema.parameters, path: other}))


@pytest.mark.parametrize("values", list(COUNTERS))
def test_so_many_counters_are_read_of_a_node_as_the_overhead_says(values: int, tmp_path: Path) -> None:
    settings = {"nodes": 2, "monitor": "hpvm", "cholesky.size": 200, "hpvm.counters": COUNTERS[values]}
    result = hypermon.run("hpvm/cholesky", settings=settings, out=tmp_path / "run")
    assert result["monitor"]["values_a_sweep"] == 2 * values


@pytest.fixture(scope="module")
def disturbed(tmp_path_factory: pytest.TempPathFactory) -> hypermon.Result:
    """A small Cholesky on 4 nodes, one of which has two processors for three threads."""
    given = {
        "nodes": 4,
        "cholesky.size": SIZE,
        "competitor[1].nodes": "2",
        "competitor[1].threads": 2,
        "hpvm.interval_s": 0.25,
        "hpvm.counters": "host mpi_collectives fm_data_transfer",
    }
    return hypermon.run("hpvm/competitor", settings=given, out=tmp_path_factory.mktemp("hpvm") / "run")


def test_shares_of_cpu_are_what_the_processors_gave(disturbed: hypermon.Result) -> None:
    used = [rank["used_s"] / disturbed["elapsed_s"] for rank in disturbed["cpu"]["ranks"] if rank]
    shares = seen.cpu_shares(disturbed)
    assert shares == pytest.approx(used, abs=0.03)  # time slices of 120 ms over some seconds
    assert shares.index(min(shares)) == 2
    switches = seen.switches_per_s(disturbed)
    assert switches.index(max(switches)) == 2


def test_collective_time_is_what_ranks_waited_until_their_last_sample(disturbed: hypermon.Result) -> None:
    # a rank that waits for its processor is also waiting in MPI
    waited = [rank["mpi_s"] for rank in disturbed["ranks"]]
    collective = seen.collective_s(disturbed)
    assert seen.seen_s(disturbed) == pytest.approx(4 * [disturbed["elapsed_s"]], abs=0.3)
    for node in (0, 1, 3):
        assert waited[node] - 0.3 < collective[node] <= waited[node]
    assert collective[2] < min(collective[node] for node in (0, 1, 3)) / 2


def test_what_all_have_sent_grows_to_what_cholesky_sends(disturbed: hypermon.Result) -> None:
    times, sent = zip(*seen.sent_mb(disturbed, hpvm_cells.FM_BYTES), strict=True)
    assert list(times) == sorted(times)
    assert list(sent) == sorted(sent)
    numbers = sum(min(BLOCK, SIZE - begin) * (SIZE - begin) for begin in range(0, SIZE, BLOCK))
    broadcast = 3 * 8 * numbers  # a tree: each other rank receives it once
    reduced = 8 * 4 * 3 * -(-SIZE // BLOCK)  # upper bound: one number to each other rank
    assert 0.95 * broadcast < sent[-1] * 1e6 <= broadcast + reduced


def test_what_is_off_by_more_than_the_target_is_missed_and_the_rest_is_not() -> None:
    table, default, other = hpvm_cells.DISTURBED, "two threads, free (default)", "one thread, bound"
    cells = Cells(
        [
            Cell("a", "within", "x", "s", 101.9, PREDICTED, 100.0),
            Cell("a", "beyond", "x", "s", 102.1, PREDICTED, 100.0),
            Cell("a", "in the range", "x", "s", 12.0, PREDICTED, (11.0, 19.0)),
            Cell("a", "below the range", "x", "s", 10.7, PREDICTED, (11.0, 19.0)),
            Cell("a", "fact", "x", "", False, PREDICTED, True),
            Cell("a", "not published", "x", "s", 1.0, UNPUBLISHED),
            Cell(table, "share", default, "%", 67.0, CALIBRATED, (55.0, 65.0)),
            Cell(table, "share", other, "%", 50.0, PREDICTED, (55.0, 65.0)),
        ]
    )
    missed = [line.split(" [")[0].removeprefix("| ") for line in hpvm_page.misses(cells).splitlines()[2:]]
    assert missed == ["beyond", "below the range", "fact", "share"]


def test_the_default_is_argued_where_the_page_says() -> None:
    assert "## What is predicted, and the default\n" in (ROOT / "docs/design/hpvm.md").read_text(encoding="utf-8")
