# SPDX-License-Identifier: BSD-3-Clause
"""Why a run is slow: the rules, argued in docs/design/diagnosis.md, fixed before the held-out runs were made."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from hypermon.diagnosis.activity import BUSY, BY_NAME, CPU, IN_MPI, PAGES, SWITCHES, Activity, Process
from hypermon.errors import UserError

NETWORK, HOST, BALANCE = "network", "host", "balance"
CAUSES = (NETWORK, HOST, BALANCE)
NOTHING, UNDECIDED = "nothing wrong", "undecided"
SHOWN, RULED_OUT, OPEN, UNSAID = "shown", "ruled out", "not ruled out", "cannot be said"

NAMED = 0.1  # (chosen) a cause is named if it takes a tenth of the run; without a baseline see _balance
SAME_WORK = 0.25  # (chosen) share of the computing: if the baseline's differs by more, it did other work


@dataclass(frozen=True)
class Finding:
    """The finding about one cause.

    Attributes:
        cause: One of CAUSES.
        standing: SHOWN, RULED_OUT, OPEN or UNSAID.
        takes_s: Lower bound of the cause's share of the run, s.
        at_most_s: Upper bound of that share, s. None: not known.
        nodes: The affected nodes.
        counters: Counters, each with its meaning here.
        settles: A measurement that would settle an open cause.
    """

    cause: str
    standing: str
    takes_s: float = 0.0
    at_most_s: float | None = None
    nodes: tuple[int, ...] = ()
    counters: tuple[tuple[str, str], ...] = ()
    settles: str = ""

    def to_dict(self) -> dict[str, Any]:
        return {
            "cause": self.cause,
            "standing": self.standing,
            "takes_s": self.takes_s,
            "at_most_s": self.at_most_s,
            "nodes": list(self.nodes),
            "counters": [{"counter": name, "shows": text} for name, text in self.counters],
            "settles": self.settles,
        }


@dataclass(frozen=True)
class Judged:
    """The verdict (NOTHING, UNDECIDED, or the causes that are shown) and the finding about each cause."""

    causes: tuple[str, ...]
    slower: float | None
    findings: tuple[Finding, ...]

    @property
    def verdict(self) -> str:
        if self.causes:
            return " and ".join(self.causes)
        if self.slower is not None:
            return UNDECIDED if self.slower >= NAMED else NOTHING
        return UNDECIDED if any(finding.standing == UNSAID for finding in self.findings) else NOTHING


def judge(run: Activity, baseline: Activity | None) -> Judged:
    """Judges a run, alone or against a baseline of the same program."""
    if baseline is None:
        found = (_network(run, None), _host(run, None), _balance(run, None))
        return Judged(tuple(f.cause for f in found if f.standing == SHOWN), None, found)
    _comparable(run, baseline)
    longer = run.elapsed_s - baseline.elapsed_s
    found = (_network(run, baseline), _host(run, baseline), _balance(run, baseline))
    slow = longer >= max(NAMED * baseline.elapsed_s, 2 * run.interval_s, 2 * baseline.interval_s)
    shown = tuple(f.cause for f in found if f.standing == SHOWN) if slow else ()
    return Judged(shown, longer / baseline.elapsed_s, found)


def _comparable(run: Activity, baseline: Activity) -> None:
    if [p.key for p in run.processes] != [p.key for p in baseline.processes]:
        raise UserError(
            f"--baseline: was sampled on {len(baseline.processes)} processes, the run on {len(run.processes)}:"
            " both must be of the same nodes and processes"
        )
    work, before = _work(run), _work(baseline)
    if work and before and abs(sum(work) - sum(before)) > SAME_WORK * max(sum(before), baseline.elapsed_s):
        raise UserError(
            f"--baseline: computed {sum(before):.3g} s on all nodes, the run {sum(work):.3g} s ({CPU}, {IN_MPI}):"
            " a run with other work cannot be its baseline"
        )


def _work(of: Activity) -> list[float]:
    """Work of each process; empty if that of any is unknown."""
    found = [p.work_s for p in of.processes if p.work_s is not None]
    return found if len(found) == len(of.processes) else []


def _lacking(run: Activity, baseline: Activity | None) -> list[tuple[str, str]]:
    """Reasons why the joint activity of the processes is unknown."""
    for of, whose in ((run, ""), (baseline, " of the baseline")):
        if of is None:
            continue
        if missing := [name for name in (CPU, IN_MPI) if name not in of.sampled]:
            return [(name, f"was not sampled{whose}") for name in missing]
        if of.together is None:
            return [(IN_MPI, f"was not sampled of all processes{whose}")]
        if of.unseen_s >= NAMED * of.elapsed_s:
            return [
                (IN_MPI, f"not all functions were sampled{whose}: {of.unseen_s:.3g} s are neither there nor CPU time")
            ]
    return []


def _undecided(cause: str, counters: Sequence[tuple[str, str]]) -> Finding:
    return Finding(cause, UNSAID, counters=tuple(counters), settles="a run that samples them")


def _host(run: Activity, baseline: Activity | None) -> Finding:
    """Processes that waited for a processor or for pages while others computed on their node."""
    missing = [name for name in (CPU, IN_MPI) if name not in run.sampled]
    if not missing and not run.sampled & {SWITCHES, BUSY}:
        missing = [f"{SWITCHES} or {BUSY}"]
    if missing:
        return _undecided(HOST, [(name, "was not sampled") for name in missing])
    before = {p.key: p.lost_s for p in baseline.processes} if baseline else {}
    lost = {p.key: p.lost_s - before.get(p.key, 0.0) for p in run.processes}
    struck = [p for p in run.processes if lost[p.key] >= NAMED * run.elapsed_s]
    shown = struck or [max(run.processes, key=lambda p: lost[p.key])]
    counters = [
        (CPU, f"{_where(p)} had {_percent(1 - p.lost_s / run.elapsed_s)} of the CPU that it wanted") for p in shown
    ]
    for p in shown:
        if p.switches is not None:
            counters.append((SWITCHES, f"{p.switches:.3g}/s on node {p.node}"))
        if p.others_s is not None:
            counters.append(
                (BUSY, f"others took {_percent(p.others_s / run.elapsed_s)} of a processor on node {p.node}")
            )
        if p.pages is not None:
            counters.append((PAGES, f"{p.pages:.3g}/s for {_where(p)}"))
    for node in sorted({p.node for p in struck} & run.others.keys()):
        name, took = max(run.others[node].items(), key=lambda other: other[1])
        counters.append((BY_NAME, f"{name} took {_percent(took / run.elapsed_s)} of a processor on node {node}"))
    if not struck:
        least = 1 - shown[0].lost_s / run.elapsed_s
        all_of_it = "all" if least == 1 else f"{_percent(least)} or more"
        counters[0] = (CPU, f"every process had {all_of_it} of the CPU that it wanted")
    most = max(lost.values())
    return Finding(
        HOST, SHOWN if struck else RULED_OUT, max(0.0, most), max(0.0, most),
        tuple(sorted({p.node for p in struck})), tuple(counters),
    )  # fmt: skip


def _where(p: Process) -> str:
    return f"node {p.node}'s process" + (f" {p.part}" if p.part else "")


def _balance(run: Activity, baseline: Activity | None) -> Finding:
    """Time that processes wait while another one computes: the excess of the busiest process's computing over the mean.

    Time that disturbed processes lost outside MPI for lack of a processor is subtracted, because it belongs to the
    host.
    """
    if (lacking := _lacking(run, baseline)) or run.together is None:
        return _undecided(BALANCE, lacking)
    uneven, computing, work = run.together.uneven_s, run.together.computing_s, _work(run)
    lost = sum(p.lost_s * (1 - (p.mpi_s or 0.0) / run.elapsed_s) for p in run.processes)
    counters = [(CPU, f"each process computes for {min(work):.3g} to {max(work):.3g} s")] if work else []
    if baseline is None or baseline.together is None:
        most = uneven
        takes = max(0.0, most - lost)
        shown = takes > computing and takes >= NAMED * run.elapsed_s
        beside = f"; all processes compute at once for {computing:.3g} s"
    else:
        most = max(0.0, uneven - baseline.together.uneven_s)
        takes = max(0.0, most - lost)
        shown = takes >= NAMED * baseline.elapsed_s
        beside = f" (baseline {baseline.together.uneven_s:.3g} s)"
    text = f"others wait {uneven:.3g} s while one process computes"
    if lost > NAMED * run.elapsed_s:
        text += f", at most {lost:.3g} s of them" if shown else ","
        text += " because it lacks a processor"
    text += beside
    busiest = run.processes[work.index(max(work))] if work and shown else None
    counters.append((IN_MPI, text))
    nodes = () if busiest is None else (busiest.node,)
    return Finding(BALANCE, SHOWN if shown else RULED_OUT, takes, most, nodes, tuple(counters))


def _network(run: Activity, baseline: Activity | None) -> Finding:
    """Time in which all processes are in MPI, so that none waits for another's computing.

    Against a baseline, the time that processes lost in MPI for lack of a processor is subtracted: others may have
    waited for them.
    """
    if (lacking := _lacking(run, baseline)) or run.together is None:
        return _undecided(NETWORK, lacking)
    nobody, limit = run.together.nobody_s, NAMED * run.elapsed_s
    text = f"all processes are in MPI at once for {_percent(nobody / run.elapsed_s)} of the run"
    if baseline is None or baseline.together is None:
        if nobody < limit:
            return Finding(NETWORK, RULED_OUT, 0.0, nobody, (), ((IN_MPI, text),))
        settles = "this run with --baseline RUN, an undisturbed run of the same program"
        return Finding(NETWORK, OPEN, 0.0, nobody, (), ((IN_MPI, text),), settles)
    limit = NAMED * baseline.elapsed_s
    most = max(0.0, nobody - baseline.together.nobody_s)
    waited = sum(p.lost_s * (p.mpi_s or 0.0) / run.elapsed_s for p in run.processes)
    least = max(0.0, most - waited)
    counters = [
        (IN_MPI, f"all processes are in MPI at once for {nobody:.3g} s (baseline {baseline.together.nobody_s:.3g} s)")
    ]
    rates = [sum(p.bytes or 0.0 for p in of.processes) / 1e6 for of in (run, baseline)]
    if run.moved == baseline.moved and all(rates):
        counters.append((run.moved, f"{rates[0]:.4g} MB/s on all nodes (baseline {rates[1]:.4g} MB/s)"))
    standing = SHOWN if least >= limit else RULED_OUT if most < limit else OPEN
    settles = "the run without the competing processes on its hosts" if standing == OPEN else ""
    return Finding(NETWORK, standing, least, most, (), tuple(counters), settles)


def _percent(share: float) -> str:
    return f"{100 * share:.3g} %"
