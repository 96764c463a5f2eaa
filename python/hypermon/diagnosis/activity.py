# SPDX-License-Identifier: BSD-3-Clause
"""Activity of each process of a run, from its samples: CPU time, MPI, and CPU time of others on its node."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hypermon._model import series
from hypermon._model.result import Result
from hypermon.diagnosis.together import Together, of_levels
from hypermon.errors import UserError

if TYPE_CHECKING:
    import pandas as pd

CPU, IN_MPI, BUSY, KERNEL, EMISSION = "cpu.user", "mpi.time", "cpu.busy", "cpu.kernel", "cpu.emission"
SWITCHES = "os.context_switches"
PAGES = "memory.pages_read"
BY_NAME, PROGRAM = "process.cpu", "program"
"""CPU time of a node's processes by their names; the program's own."""
BYTES = ("messages.bytes_received", "mpi.bytes_sent")
"""Counters of moved bytes. The first one that was sampled is used."""
FEWEST = 10  # (chosen) intervals: one is at the run's end, and is not whole
NOISE = 0.01  # (chosen) share of a processor's time that daemons and clock errors take without a disturbance
Totals = Mapping[tuple[str, int, int], float]


@dataclass(frozen=True)
class Process:
    """Activity of one process of the program. Times are in s, over the whole run. None: not known.

    Attributes:
        node, part: Node of the process, and its number on the node.
        had_s: CPU time.
        mpi_s: Time in MPI.
        others_s: CPU time of other processes on its node.
        switches: Context switches of its node per s.
        pages: Pages per s that were read from disk while it waited.
        bytes: Bytes moved per s.
        lost_s: Time in which it wanted a processor and had none, or waited for pages.
        work_s: CPU time outside MPI.
    """

    node: int
    part: int
    had_s: float | None
    mpi_s: float | None
    others_s: float | None
    switches: float | None
    pages: float | None
    bytes: float | None
    lost_s: float
    work_s: float | None

    @property
    def key(self) -> tuple[int, int]:
        return self.node, self.part


@dataclass(frozen=True)
class Activity:
    """Activity of a run's processes, from its samples.

    Attributes:
        elapsed_s: Length of the program's run in s, as the monitor knows it, with an error of at most `interval_s`.
        interval_s: Time between two samples of a counter.
        processes: The processes, by node.
        others: For each node the CPU time, s, of other programs' processes, by name. Empty: not sampled.
        together: Joint activity of the processes. None: not known for all.
        unseen_s: Largest time of an undisturbed process that is neither CPU time nor time in MPI: MPI functions that
            were not sampled.
        sampled: The sampled counters.
        moved: The counter in BYTES of `Process.bytes`. Empty: none was sampled.
        clock: Clock of the times.
    """

    elapsed_s: float
    interval_s: float
    processes: tuple[Process, ...]
    others: Mapping[int, Mapping[str, float]]
    together: Together | None
    unseen_s: float
    sampled: frozenset[str]
    moved: str
    clock: str


def of_run(result: Result) -> Activity:
    """Reads only the samples, and the part of the result that a monitor's user knows about the machine.

    Raises:
        UserError: There are no samples, too few of them, or none of any process.
    """
    sampled = frozenset(series.kinds(result))
    moved = next((name for name in BYTES if name in sampled), "")
    used = {CPU, IN_MPI, BUSY, KERNEL, EMISSION, SWITCHES, PAGES, moved} & sampled
    clock = series.best_clock(result)
    if not used & {CPU, IN_MPI}:
        raise UserError(f"{result.path}: diagnosis needs {CPU} and {IN_MPI}; sampled were {', '.join(sorted(sampled))}")
    frame = series.timed(result, used, clock)
    levels = frame.groupby(["counter", "node", "part", "time_s"], observed=True, sort=True)["value"].sum().reset_index()
    begin, end, ends = _lived(result, levels)
    levels = _ended(levels, ends)
    of = {
        (str(key[0]), int(str(key[1])), int(str(key[2]))): _total(group, begin, end)
        for key, group in levels.groupby(["counter", "node", "part"], observed=True, sort=True)
    }
    units = sorted({(node, part) for name, node, part in of if name in (CPU, IN_MPI)})
    polls = result["spec"]["cpu"]["waiting"] == "poll"
    elapsed = end - begin
    lived = {unit: min(ends.get(unit, end), end) - begin for unit in units}
    processes = tuple(_process(of, used, unit, units, elapsed, lived[unit], polls, moved) for unit in units)
    known = all(process.mpi_s is not None for process in processes)
    together = of_levels(levels[levels["counter"] == IN_MPI], elapsed, end) if known else None
    unseen = max((_unseen(process, of, elapsed) for process in processes), default=0.0)
    others = _others(series.timed(result, [BY_NAME], clock), begin, end) if BY_NAME in sampled else {}
    return Activity(elapsed, _interval(levels), processes, others, together, unseen, sampled, moved, clock)


def _others(frame: pd.DataFrame, begin: float, end: float) -> dict[int, dict[str, float]]:
    found: dict[int, dict[str, float]] = {}
    for key, own in frame[frame["item"] != PROGRAM].groupby(["node", "item"], observed=True, sort=True):
        found.setdefault(int(str(key[0])), {})[str(key[1])] = _total(own, begin, end) / series.PS_PER_S
    return found


def _unseen(process: Process, of: Totals, elapsed: float) -> float:
    """Time in s outside CPU time, MPI and kernel work, although together they should fill the run."""
    if process.had_s is None or process.mpi_s is None or process.lost_s:
        return 0.0
    kernel = sum(v for (name, node, _), v in of.items() if name in (KERNEL, EMISSION) and node == process.node)
    return max(0.0, elapsed - process.had_s - process.mpi_s - kernel / series.PS_PER_S)


def _ended(levels: pd.DataFrame, ends: Mapping[tuple[int, int], float]) -> pd.DataFrame:
    """A process that has ended computes no more: it counts as one that waits in MPI."""
    waits = levels["counter"] == IN_MPI
    last = [ends.get(unit, float("inf")) for unit in zip(levels["node"], levels["part"], strict=True)]
    after = (levels["time_s"] - last).clip(lower=0) * series.PS_PER_S
    return levels.assign(value=levels["value"] + after.where(waits, 0.0))


def _lived(result: Result, levels: pd.DataFrame) -> tuple[float, float, Mapping[tuple[int, int], float]]:
    """Returns the begin and the end of the program, and the last activity of each process. The program ended in the
    last interval in which a process did anything; a process that exists at that interval's begin still ran then. It
    began when its processes did: they count from 0, and are always computing or in MPI. The median is used, because a
    process that shares its processor counts waiting twice or not at all.
    """
    begins, ends, most = [], [], 0
    of: dict[tuple[int, int], float] = {}
    alive = levels[levels["counter"].isin([CPU, IN_MPI])]
    for unit, own in alive.groupby(["node", "part"], observed=True):
        first, key = 0.0, (int(str(unit[0])), int(str(unit[1])))
        of[key] = float(own["time_s"].min())  # if it does nothing, it had ended before that
        for _, one in own.groupby("counter", observed=True):
            times, values = one["time_s"].to_numpy(), one["value"].to_numpy()
            grown = [i for i in range(1, len(values)) if values[i] > values[i - 1]]
            most = max(most, len(grown))
            first += float(values[0]) / series.PS_PER_S if len(values) else 0.0
            if grown:
                ends.append(float(times[grown[-1] - 1]))
                of[key] = max(of[key], float(times[grown[-1]]))
        begins.append(float(own["time_s"].min()) - first)
    if most < FEWEST:
        raise UserError(
            f"{result.path}: its samples show the program in {most} intervals; {FEWEST} are needed: sample more often"
        )
    begins.sort()
    return begins[len(begins) // 2], max(ends), of


def _total(group: pd.DataFrame, begin: float, end: float) -> float:
    """The counter's value at the end, extrapolated at the rate before the last sample."""
    before = group[group["time_s"] <= end]
    last = (before if len(before) else group).iloc[-1]
    passed = max(float(last["time_s"]) - begin, 1e-12)
    return float(last["value"]) * (end - begin) / passed


def _process(
    of: Totals,
    used: Iterable[str],
    unit: tuple[int, int],
    units: Iterable[tuple[int, int]],
    elapsed: float,
    lived: float,
    polls: bool,
    moved: str,
) -> Process:
    node = unit[0]

    def seconds(name: str) -> float | None:
        found = of.get((name, *unit)) if name in used else None
        return None if found is None else found / series.PS_PER_S

    def of_node(name: str) -> float:
        return sum(value for (counter, where, _), value in of.items() if counter == name and where == node)

    had, in_mpi = seconds(CPU), seconds(IN_MPI)
    others = None
    if BUSY in used and had is not None:
        own = sum(of.get((CPU, *one), 0.0) for one in units if one[0] == node)
        others = max(0.0, of_node(BUSY) - own - of_node(KERNEL) - of_node(EMISSION)) / series.PS_PER_S
    switches = of_node(SWITCHES) / elapsed if SWITCHES in used else None
    read = of.get((PAGES, *unit))
    pages = None if read is None else read / elapsed
    disturbed = bool(switches) if others is None else others > NOISE * elapsed
    lost, work = 0.0, had
    if had is not None and in_mpi is not None:
        outside = max(0.0, elapsed - in_mpi)
        if disturbed and polls:  # all of its time is computing and polling, so that it always wants a processor
            lost = max(0.0, lived - had)
            work = outside * (1 - lost / elapsed)
        else:
            work = min(had, outside)
            lost = outside - work if disturbed or pages else 0.0
    data = of.get((moved, *unit))
    return Process(*unit, had, in_mpi, others, switches, pages, None if data is None else data / elapsed, lost, work)


def _interval(levels: pd.DataFrame) -> float:
    """Median interval between samples of one counter."""
    gaps = levels.groupby(["counter", "node", "part"], observed=True)["time_s"].diff()
    return float(gaps.median())
