# SPDX-License-Identifier: BSD-3-Clause
"""Every number of `hypermon study hpvm`, with its status."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from hypermon._model.result import Result
from hypermon._model.schema import Schema
from hypermon.report.calibration import CALIBRATED, PREDICTED
from hypermon_studies import blind
from hypermon_studies.cells import DERIVED, UNPUBLISHED, Cell, Value
from hypermon_studies.hpvm import samples as seen
from hypermon_studies.hpvm.runs import (
    ALONE,
    BLOCKED,
    CLOCK,
    COMPETITOR,
    COUNTERS,
    EXCLUSIVE,
    FIGURE_2,
    INSTRUMENTATION,
    INTERVALS,
    MESSAGE_US,
    NEIGHBOUR,
    NODES,
    OTHER_USERS,
    Runs,
    blocked,
    nodes_of,
    other_users,
    polled,
)

BY_NODES, BY_NODE, BYTES, DISTURBED, OVERHEAD, GLOBAL_CLOCK = (
    "Figure 2",
    "Figure 3",
    "Figure 4",
    "disturbed runs",
    "overhead",
    "global clock",
)
ELAPSED, SHARE, CPU, COST = "elapsed", "collective share", "least share of CPU", "cost"
SLOWDOWN = "slowdown"
DISTURBED_CPU = "share of CPU of the disturbed node"
SLOWEST = "the slowest node has the least TimeInColl"
DEFAULTS = {(NEIGHBOUR, "trunks_4to1_at_100"), (COMPETITOR, "two_threads_free")}
"""Named in docs/design/hpvm.md before any was run."""
SEEN_BEFORE = {(COMPETITOR, "one_thread_bound"), (COMPETITOR, "two_threads_bound")}
SHARES_OF_CPU = (55.0, 65.0)  # "around 60%"
FULL_CPU = (98.0, 100.0)  # "nearly 100%"
COST_OF_800_S = (0.0, 100 * 5 / 800)  # "between 0 and 5 seconds on runs of up to 800 seconds"
SECONDS = {1: 831.0, 8: 109.0, 12: 102.0}
SHARES: dict[int, Value] = {8: (100 * 11 / 109, 100 * 19 / 109), 12: 20.0}
FM_BYTES = "messages.bytes_sent"
AFTERWARDS = {(NEIGHBOUR, f"trunks_4to1_at_100_{hosts}_hosts") for hosts in (24, 56)}
_NEIGHBOUR = re.compile(r"trunks_(\d)to1_(?:alone|at_(\d+)(?:_(\d+)_hosts)?)")
_CALIBRATED_BY = re.compile(r"calibrated by ([\d.]+) s on (\d+) node")


def calibrated(schema: Schema) -> dict[int, str]:
    """The constant that was calibrated with the time on each number of nodes, according to the constants' sources."""
    found = {}
    for parameter in schema.parameters.values():
        if match := _CALIBRATED_BY.search(parameter.source):
            if SECONDS.get(int(match[2])) != float(match[1]):
                raise ValueError(f"{parameter.path}: {match[0]}: no such time is published")
            found[int(match[2])] = parameter.path
    return found


def status(published: Value | None) -> str:
    return UNPUBLISHED if published is None else PREDICTED


def title(key: tuple[str, str]) -> str:
    """A case of the two disturbed runs, in words."""
    question, case = key
    if question == NEIGHBOUR:
        parts = _NEIGHBOUR.fullmatch(case)
        assert parts is not None, case
        trunks, load, hosts = parts.groups()
        beside = f"neighbour at {load} %" + (f" on {hosts} hosts" if hosts else "") if load else "no neighbour"
        words = f"trunks of {trunks}:1, {beside}"
    elif case == "calibrated":
        words = "one thread, bound, 80 ms of 140"
    elif case == "none":
        words = "no competitor"
    else:
        number, _, rest = case.partition("_thread")
        how, _, since = rest.lstrip("s_").partition("_from_")
        words = f"{number} thread{'s' * (number == 'two')}, {how}" + (
            f", from {since.removesuffix('_s')} s on" * bool(since)
        )
    return f"{words} (default)" if key in DEFAULTS else words


def all_cells(runs: Runs, schema: Schema) -> Iterator[Cell]:
    yield from _figure_2(runs, calibrated(schema))
    yield from _figure_3(runs)
    yield from _figure_4(runs)
    yield from (blind.marked("hpvm", cell) for cell in _disturbed(runs))
    yield from _overhead(runs)
    yield from _clock(runs[CLOCK, nodes_of(12)])


def share(result: Result) -> float:
    """Largest share of a rank's elapsed time in MPI calls, in %. Nearly all of these calls are collective."""
    return 100 * max(rank["mpi_s"] for rank in result["ranks"]) / float(result["elapsed_s"])


def _figure_2(runs: Runs, chosen: Mapping[int, str]) -> Iterator[Cell]:
    for n in NODES:
        result, case = runs[FIGURE_2, nodes_of(n)], nodes_of(n)
        seconds = SECONDS.get(n)
        stands = CALIBRATED if n in chosen else status(seconds)
        yield Cell(BY_NODES, ELAPSED, case, "s", result["elapsed_s"], stands, seconds, chosen.get(n, ""))
        if n == 1:
            yield Cell(BY_NODES, "collective share below 1 %", case, "", share(result) < 1, published=True)
        else:
            cell = Cell(BY_NODES, SHARE, case, "%", share(result), status(SHARES.get(n)), SHARES.get(n))
            yield cell
            others = {assumption: other_users(n, assumption) for assumption in OTHER_USERS}
            yield from (cell.under(a, share(runs[key])) for a, key in others.items() if key in runs)


def _figure_3(runs: Runs) -> Iterator[Cell]:
    collective, until = (measured(runs[ALONE]) for measured in (seen.collective_s, seen.seen_s))
    for node in range(len(collective)):
        yield Cell(BY_NODE, "Process Elapsed Time", f"node {node}", "s", until[node], UNPUBLISHED)
        yield Cell(BY_NODE, "TimeInColl", f"node {node}", "s", collective[node], UNPUBLISHED)
    others = {a: seen.collective_s(runs[other_users(8, a)]) for a in OTHER_USERS}
    for quantity, (measure, published) in _COLLECTIVE_TIMES.items():
        cell = Cell(BY_NODE, f"{quantity} TimeInColl", nodes_of(8), "s", measure(collective), PREDICTED, published)
        yield cell
        yield from (cell.under(assumption, measure(times)) for assumption, times in others.items())
    for n in (8, 12):
        ranks = runs[FIGURE_2, nodes_of(n)]["ranks"]
        waiting, computing = ([rank[key] for rank in ranks] for key in ("mpi_s", "compute_s"))
        least = waiting.index(min(waiting)) == computing.index(max(computing))
        yield Cell(BY_NODE, SLOWEST, nodes_of(n), "", least, PREDICTED, True)


_COLLECTIVE_TIMES: Mapping[str, tuple[Callable[[Sequence[float]], float], Value]] = {
    "mean": (lambda times: sum(times) / len(times), (11.0, 19.0)),
    "least": (min, 11.0),
    "largest": (max, 19.0),
    "spread of": (lambda times: max(times) - min(times), 8.0),
}
"""How each number of Figure 3 follows from the times of all nodes, and the published number."""


def _figure_4(runs: Runs) -> Iterator[Cell]:
    (default,) = (key for key in DEFAULTS if key[0] == NEIGHBOUR)
    for key in ((NEIGHBOUR, "trunks_4to1_alone"), default):
        times = seen.sent_mb(runs[key], FM_BYTES)
        yield Cell(BYTES, "sent by all nodes", title(key), "MB", times[-1][1], UNPUBLISHED)
        half = next(at for at, sent in times if 2 * sent >= times[-1][1])
        yield Cell(BYTES, "half of it sent after", title(key), "s", half, UNPUBLISHED)


def _disturbed(runs: Runs) -> Iterator[Cell]:
    for key, result in runs.items():
        if key[0] not in (NEIGHBOUR, COMPETITOR):
            continue
        alone = (NEIGHBOUR, key[1].rpartition("_at_")[0] + "_alone") if "_at_" in key[1] else ALONE
        case, shares = title(key), [100 * s for s in seen.cpu_shares(result)]
        seconds = float(result["elapsed_s"])
        assumed = "run before its prediction was written down" if key in SEEN_BEFORE else ""
        assumed = "added when the other results were known" if key in AFTERWARDS else assumed
        if key[1].endswith(("none", "_alone")):
            yield Cell(DISTURBED, ELAPSED, case, "s", seconds, CALIBRATED, SECONDS[8], "cholesky.cache_gain")
            yield Cell(DISTURBED, CPU, case, "%", min(shares), PREDICTED, FULL_CPU)
            continue
        more = 100 * (seconds / float(runs[alone]["elapsed_s"]) - 1)
        cell = Cell(DISTURBED, ELAPSED, case, "s", seconds, UNPUBLISHED, None, assumed)
        yield cell
        if key in BLOCKED:
            yield cell.under(EXCLUSIVE, float(runs[blocked(key)]["elapsed_s"]))
        yield Cell(DISTURBED, SLOWDOWN, case, "%", more, UNPUBLISHED, None, assumed)
        if key[0] == NEIGHBOUR:
            yield Cell(DISTURBED, CPU, case, "%", min(shares), PREDICTED, FULL_CPU)
            least = max(seen.switches_per_s(result)) <= 1.01 * max(seen.switches_per_s(runs[alone]))
            yield Cell(DISTURBED, "no more context switches a second", case, "", least, PREDICTED, True)
            continue
        yield _share_of_cpu(key, case, shares[3])
        if key in DEFAULTS:
            collective = seen.collective_s(result)
            yield Cell(DISTURBED, SLOWEST, case, "", collective.index(min(collective)) == 3, PREDICTED, True)
        yield Cell(
            DISTURBED, "least share of CPU of the others", case, "%", min(shares[:3] + shares[4:]), PREDICTED, FULL_CPU
        )


def _share_of_cpu(key: tuple[str, str], case: str, ours: float) -> Cell:
    """The published share calibrates one competitor, and has chosen the default among four."""
    if key[1] == "calibrated":
        return Cell(DISTURBED, DISTURBED_CPU, case, "%", ours, CALIBRATED, SHARES_OF_CPU, "competitor.busy_ms")
    if key in DEFAULTS:
        rests = "the nearest of four simulated competitors"
        return Cell(DISTURBED, DISTURBED_CPU, case, "%", ours, CALIBRATED, SHARES_OF_CPU, rests)
    return Cell(DISTURBED, DISTURBED_CPU, case, "%", ours, PREDICTED, SHARES_OF_CPU)


def _overhead(runs: Runs) -> Iterator[Cell]:
    for nodes in (8, 1):
        base = float(runs[FIGURE_2, nodes_of(nodes)]["elapsed_s"])
        for counters in COUNTERS:
            for interval in INTERVALS:
                if (key := polled(counters, interval, nodes)) in runs:
                    known = COST_OF_800_S if (counters, interval) == (50, 1.0) else None
                    cost = 100 * (float(runs[key]["elapsed_s"]) / base - 1)
                    yield Cell(
                        OVERHEAD, COST, key[1], "%", cost, status(known), known, "hpvm.query_us, hpvm.counter_us"
                    )
    base = float(runs[FIGURE_2, nodes_of(8)]["elapsed_s"])
    alone, *others = (
        100 * (float(runs[INSTRUMENTATION, case]["elapsed_s"]) / base - 1)
        for case in (nodes_of(8), *(f"{cost:g} us" for cost in MESSAGE_US))
    )
    rests = "1 us a message on each side"
    cell = Cell(OVERHEAD, COST, "instrumentation alone, 8 nodes", "%", alone, PREDICTED, COST_OF_800_S, rests)
    yield cell
    for cost, slowed in zip(MESSAGE_US, others, strict=True):
        yield cell.under(f"{cost:g} us a message on each side", slowed)


def _clock(result: Result) -> Iterator[Cell]:
    clock: Mapping[str, Any] = result["monitor"]["clock"]
    case = f"12 nodes, {result['spec']['idle']['duration_s']:g} s"
    yield Cell(GLOBAL_CLOCK, "promised error", case, "us", clock["bound_us"])
    yield Cell(GLOBAL_CLOCK, "true error", case, "us", clock["error_us"])
    yield Cell(
        GLOBAL_CLOCK, "error of offsets from the start alone", case, "us", clock["start_alone_error_us"], UNPUBLISHED
    )
    hundredth = clock["error_us"] <= clock["start_alone_error_us"] / 100
    fact = "true error below a hundredth of the error from the start alone"
    yield Cell(GLOBAL_CLOCK, fact, case, "", hundredth, DERIVED, True)
    yield Cell(GLOBAL_CLOCK, "readings outside the promised error", case, "", clock["outside"], DERIVED, 0.0)
