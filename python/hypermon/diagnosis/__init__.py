# SPDX-License-Identifier: BSD-3-Clause
"""`hypermon diagnose`: why is a run slow? Network, host or balance, from its monitor's samples alone."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hypermon._model.cards import BAD, GOOD, NEUTRAL, Card, Shown, table
from hypermon._model.result import Result
from hypermon.diagnosis import activity, rules
from hypermon.diagnosis.activity import Activity
from hypermon.diagnosis.rules import Finding, Judged
from hypermon.errors import UserError
from hypermon.report.source import open_run, sensible

__all__ = ["Diagnosis", "Finding", "diagnose"]


@dataclass(frozen=True, repr=False)
class Diagnosis(Shown):
    """The answer of `hypermon.diagnose`: why a run is slow.

    Attributes:
        verdict: "network", "host", "balance", several of them ("network and host"), or "nothing wrong". "undecided" if
            no cause is shown although the run is slower than its baseline, or if the samples do not suffice.
        causes: The causes that are shown.
        slower: Share by which the run is slower than the baseline; None without a baseline.
        findings: For each cause, whether it is shown, and the counters that say so.
        notes: Further sentences.
        run, baseline: The activity of each process, from the samples.
    """

    verdict: str
    causes: tuple[str, ...]
    slower: float | None
    findings: tuple[Finding, ...]
    notes: tuple[str, ...]
    run: Activity
    baseline: Activity | None

    def to_dict(self) -> dict[str, Any]:
        """Returns the whole diagnosis, as `hypermon diagnose --json` prints it."""
        return {
            "verdict": self.verdict,
            "causes": list(self.causes),
            "slower": self.slower,
            "elapsed_s": self.run.elapsed_s,
            "baseline_elapsed_s": self.baseline.elapsed_s if self.baseline else None,
            "interval_s": self.run.interval_s,
            "clock": self.run.clock,
            "findings": [finding.to_dict() for finding in self.findings],
            "notes": list(self.notes),
            "processes": [vars(process) for process in self.run.processes],
        }

    def __str__(self) -> str:
        return f"{self.verdict}: {self.length()}"

    def _card(self) -> Card:
        rows = [
            (
                finding.cause,
                finding.standing,
                ", ".join(map(str, finding.nodes)),
                f"{finding.takes_s:.3g} s" if finding.standing == rules.SHOWN else "",
                "; ".join(f"{counter}: {text}" for counter, text in finding.counters) or finding.settles,
            )
            for finding in self.findings
        ]
        levels = {rules.NOTHING: GOOD, rules.UNDECIDED: NEUTRAL}
        return Card(
            title=f"Diagnosis of a run on {len(self.run.processes)} processes",
            verdict=f"{self.verdict[:1].upper()}{self.verdict[1:]}: {self.length()}.",
            level=levels.get(self.verdict, BAD),
            tables=[table(("cause", "standing", "nodes", "takes at least", "evidence"), rows)],
            notes=self.notes,
        )

    def length(self) -> str:
        """Run times of the run and of the baseline."""
        if self.baseline is None or self.slower is None:
            return f"the program took {self.run.elapsed_s:.4g} s; no baseline was given"
        than = "slower" if self.slower >= 0 else "faster"
        return (
            f"{100 * abs(self.slower):.1f} % {than} than the baseline"
            f" (the program took {self.run.elapsed_s:.4g} s, the baseline {self.baseline.elapsed_s:.4g} s)"
        )


def diagnose(
    run: Result | str | os.PathLike[str], baseline: Result | str | os.PathLike[str] | None = None
) -> Diagnosis:
    """Says why a run is slow: the network, a host, or the balance of its work (`hypermon diagnose`).

    Use it as the user of a real cluster would: it reads only the samples of the run's monitor, with the monitor's own
    timestamps, and whether MPI polls. Without a baseline, the network is never named. docs/design/diagnosis.md gives
    the reasons for its rules.

    Args:
        run: A run with a monitor that samples counters, at least `cpu.user`, `mpi.time`, and `os.context_switches` or
            `cpu.busy`.
        baseline: A healthy run of the same program on the same number of nodes.

    Returns:
        The verdict, with the counters that show or rule out each cause.

    Raises:
        UserError: A run without samples, or too few; a baseline of another program, of other processes or other work.

    Example:
        >>> print(hypermon.diagnose("slow", baseline="healthy"))  # doctest: +SKIP
        host: 62 % slower than the baseline (the program took 9.7 s, the baseline 6 s)
    """
    results = [_opened(one) for one in (run, baseline) if one is not None]
    with sensible(*results):
        notes = _same_program(*results) if len(results) == 2 else ()
        of = [activity.of_run(result) for result in results]
        judged: Judged = rules.judge(of[0], of[1] if baseline is not None else None)
    return Diagnosis(
        judged.verdict, judged.causes, judged.slower, judged.findings, notes, of[0], of[1] if len(of) == 2 else None
    )


def _opened(source: Result | str | os.PathLike[str]) -> Result:
    return source if isinstance(source, Result) else open_run(Path(source))


def _same_program(run: Result, baseline: Result) -> tuple[str, ...]:
    """Compares the two programs: raises an error if they differ, and returns a note if their parameters differ."""
    for path in ("workload", "nodes"):
        now, before = run["spec"][path], baseline["spec"][path]
        if now != before:
            raise UserError(f"--baseline {baseline.path}: its {path} is {before}, the run's {now}: it must be the same")
    workload = run["spec"]["workload"]
    own = run["spec"].get(workload, {})
    other = baseline["spec"].get(workload, {})
    different = [f"{workload}.{name}" for name in own if own[name] != other.get(name)]
    if not different:
        return ()
    return (f"The baseline's {', '.join(different)} differ{'s' * (len(different) == 1)}.",)
