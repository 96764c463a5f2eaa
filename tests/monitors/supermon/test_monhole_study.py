# SPDX-License-Identifier: BSD-3-Clause
"""The study of the monhole's policies: the buffer against a naive one, closed forms, and the page's statements."""

from __future__ import annotations

import itertools
import json
import os
import random
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hypermon._files import results
from hypermon._model.native import _core
from hypermon_studies import cells
from hypermon_studies.cells import Cells
from hypermon_studies.monhole import cells as monhole_cells
from hypermon_studies.monhole import figures as monhole_figures
from hypermon_studies.monhole import page as monhole_page
from hypermon_studies.monhole import runs as monhole_runs
from hypermon_studies.monhole.runs import (
    DRAINS,
    ENTRY_BYTES,
    FILL_DRAIN,
    FILL_READ,
    JITTERED,
    NEVER,
    RATIOS,
    REGULAR,
    REPLACE_DRAIN,
    REPLACE_READ,
    SINKS,
    SOURCES,
    Case,
    expected,
    least_depth,
    most_bytes,
    outcome,
    policy_name,
)
from tests.conftest import Hypermon

DOCS = Path(__file__).parents[3] / "docs"
POLICIES = (REPLACE_READ, FILL_DRAIN, REPLACE_DRAIN, FILL_READ)
HALF = 0.5  # in percentage points: runs begin and end within a period


@pytest.fixture(scope="module")
def found() -> Cells:
    return monhole_cells.all_cells()


def naive(policy: str, depth: int, sinks: int, what: list[tuple[int, int, str, int]]) -> list[tuple[int, int, int]]:
    """For each sink: entries that it read, entries that it read again, and entries that it never reads.

    Args:
        what: Date, write before read, "write" or "read", rank or sink.
    """
    kept: dict[int, list[int]] = {}
    seen: list[list[int]] = [[] for _ in range(sinks)]
    written = 0
    for _, _, kind, who in what:
        if kind == "write":
            written += 1
            own = kept.setdefault(who, [])
            own.append(written)
            if policy in (REPLACE_READ, REPLACE_DRAIN):
                del own[:-1]
            elif policy == FILL_READ:
                del own[:-depth]
        else:
            seen[who] += itertools.chain.from_iterable(kept.values())
            if policy in DRAINS:
                kept.clear()
    there = set(itertools.chain.from_iterable(kept.values()))
    return [(len(set(one)), len(one) - len(set(one)), written - len(set(one) | there)) for one in seen]


def test_the_bound_buffer_does_what_a_naive_one_does() -> None:
    for seed in range(int(os.environ.get("HYPERMON_TEST_CASES", "200"))):
        rng = random.Random(seed)
        policy, depth, sinks = rng.choice(POLICIES), rng.randint(1, 5), rng.randint(1, 4)
        what = sorted(
            (rng.randrange(1000), i, kind, rng.randrange(3 if kind == "write" else sinks))
            for i, kind in enumerate(("write", "read"))
            for _ in range(rng.randint(0, 40))
        )
        writes, reads = ([one for one in what if one[2] == kind] for kind in ("write", "read"))
        told = json.loads(
            _core.monhole(
                policy=policy,
                entries=depth,
                memory=0,
                sinks=sinks,
                write_ps=np.array([at for at, *_ in writes], dtype=np.int64),
                source=np.array([who for *_, who in writes], dtype=np.uint32),
                bytes=np.full(len(writes), 7, dtype=np.int64),
                read_ps=np.array([at for at, *_ in reads], dtype=np.int64),
                sink=np.array([who for *_, who in reads], dtype=np.uint32),
            )
        )
        got = [
            (
                sink["seen"]["entries"],
                sink["repeated"]["entries"],
                sum(sink[how]["entries"] for how in monhole_runs.LOST),
            )
            for sink in told["sinks"]
        ]
        assert got == naive(policy, depth, sinks, what), seed
        assert told["generated"] == {"entries": len(writes), "bytes": 7 * len(writes)}


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"policy": "fill"}, "no such policy: fill"),
        ({"entries": 0}, "fill_k_read: no K"),
        ({"sink": np.zeros(2, dtype=np.uint32)}, "columns of different lengths"),
    ],
)
def test_what_is_no_case_is_refused(wrong: dict[str, Any], message: str) -> None:
    none, nobody = np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.uint32)
    case = {"policy": FILL_READ, "entries": 1, "memory": 0, "sinks": 1, "write_ps": none, "source": nobody}
    with pytest.raises(ValueError, match=message):
        _core.monhole(**{**case, "bytes": none, "read_ps": none, "sink": nobody, **wrong})


@pytest.mark.parametrize("ratio", RATIOS)
@pytest.mark.parametrize(("policy", "depth"), [*((p, 0) for p in POLICIES[:3]), (FILL_READ, 3), (FILL_READ, 8)])
def test_one_sink_and_regular_traffic_are_as_the_closed_form_says(policy: str, depth: int, ratio: Fraction) -> None:
    case = Case(policy, ratio, 1, depth)
    lost, repeated = expected(case)
    assert 100 * outcome(case).worst_lost == pytest.approx(100 * lost, abs=HALF)
    assert 100 * outcome(case).repeated == pytest.approx(100 * repeated, abs=HALF)


@pytest.mark.parametrize("ratio", RATIOS)
def test_k_is_what_comes_between_two_reads(ratio: Fraction) -> None:
    assert least_depth(ratio, 4, REGULAR) == REGULAR.most(ratio)
    needed = least_depth(ratio, 4, JITTERED)
    assert needed <= JITTERED.most(ratio)
    assert outcome(Case(FILL_READ, ratio, 4, needed, JITTERED)).worst_lost == 0
    if needed > 1:
        assert outcome(Case(FILL_READ, ratio, 4, needed - 1, JITTERED)).worst_lost > 0


@pytest.mark.parametrize("ratio", RATIOS[::2])
@pytest.mark.parametrize("policy", POLICIES)
def test_memory_stays_below_its_bound(policy: str, ratio: Fraction) -> None:
    depth = 3 if policy == FILL_READ else 0
    cases = [
        Case(policy, ratio, 1, depth, JITTERED),
        Case(policy, ratio, 1, depth, JITTERED, away=(20, 40)),
        Case(policy, ratio, 2, depth, JITTERED, (3, 5)),
        Case(policy, ratio, 2, depth, JITTERED, (NEVER, NEVER), memory=9 * ENTRY_BYTES),
    ]
    for case in cases:
        bound = most_bytes(case)
        assert bound is not None
        assert 0 < outcome(case).peak_bytes <= bound
    unlimited = Case(policy, ratio, 1, depth, JITTERED, (NEVER,))
    told = outcome(unlimited).told
    if policy == FILL_DRAIN:
        assert most_bytes(unlimited) is None
        assert told["peak"]["bytes"] == told["generated"]["bytes"] == told["left_behind"]["bytes"]
    else:
        assert most_bytes(unlimited) == SOURCES * max(1, depth) * ENTRY_BYTES


def test_a_drain_gives_every_entry_to_one_sink_alone() -> None:
    told = outcome(Case(FILL_DRAIN, Fraction(2), 4, traffic=JITTERED)).told
    assert sum(sink["seen"]["entries"] for sink in told["sinks"]) == told["read"]["entries"]
    assert told["read_again"]["entries"] == 0


def test_the_paper_s_sentences_hold(found: Cells) -> None:
    claims = found.cells_of(monhole_cells.CLAIMS)
    assert len(claims) == 6
    assert all(cell.ours is True and cell.published is True for cell in claims)


def test_nobody_loses_anything_with_the_best_policy(found: Cells) -> None:
    assert len(found.cells_of(monhole_cells.BEST)) == 2 * len(RATIOS) * len(SINKS)
    for traffic, ratio, sinks in itertools.product((REGULAR, JITTERED), RATIOS, SINKS):
        best = monhole_runs.best(ratio, sinks, traffic)
        assert outcome(best).worst_lost == 0
        cell = found.at(monhole_cells.BEST, policy_name(best.policy), monhole_cells.point(traffic, ratio, sinks))
        if best.policy in DRAINS:
            assert sinks == 1
        else:
            assert cell.ours == max(1, best.depth)


def test_the_page_says_what_the_cells_say(found: Cells, tmp_path: Path) -> None:
    page = monhole_page.text(cells.read(cells.text(found)), "monhole")
    assert "| 4 | FILL-DRAIN (4) | FILL(4)-READ | FILL(4)-READ | FILL(4)-READ |" in page
    assert "For one reader use FILL-DRAIN or REPLACE-DRAIN" in page
    assert max(map(len, page.split("\n\n|")[0].splitlines())) <= 120
    monhole_figures.draw(tmp_path, found)
    assert sorted(path.stem for path in tmp_path.iterdir()) == sorted([*monhole_figures.NAMES] * 2)


def test_the_command_writes_the_page_and_data_of_docs(
    hypermon: Hypermon, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = hypermon("study", "monhole", "--out", "studies")
    assert done.returncode == 0, done.stderr
    files = sorted(path for path in Path("studies").rglob("*") if path.is_file() and path.name != results.LIST)
    assert len(files) == 6
    assert [f.name for f in files if f.read_bytes() != (DOCS / f).read_bytes()] == []
    assert "page studies/monhole.md" in done.stdout
