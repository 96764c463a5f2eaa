# SPDX-License-Identifier: BSD-3-Clause
"""tests/mpi_suite/run FOLDER: runs an MPI test suite under hypermon and reports what passes (docs/design/mpi.md, The
test suite).
"""

from __future__ import annotations

import argparse
import fnmatch
import json
import re
import sys
import time
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path
from typing import Any

import yaml

from tests.mpi_suite.outcomes import MODES, REFERENCE, Limits, Outcome, Runner
from tests.mpi_suite.suite import Entry, entries, root_of

HERE = Path(__file__).parent
TREE = HERE.parents[1]
KNOWN = HERE / "known.yaml"

Results = dict[tuple[str, str], Outcome]
"""Outcomes by the entry's name and mode."""


class State:
    """Results of earlier runs, one JSON line each, so that an interrupted run can continue."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._path = folder / "results.jsonl"
        self._kept: dict[tuple[str, str, str], Outcome] = {}
        if self._path.exists():
            for line in self._path.read_text().splitlines():
                try:
                    one = json.loads(line)
                except json.JSONDecodeError:  # the incomplete last line of a killed run
                    continue
                self._kept[one["entry"], one["mode"], one["version"]] = Outcome(
                    one["passes"], one["how"], one.get("cpu_limit_s")
                )

    def get(self, entry: Entry, runner: Runner) -> Outcome | None:
        """None: no result is kept, or only that of a run with a smaller limit of CPU time."""
        kept = self._kept.get((entry.name, runner.mode, runner.version))
        too_short = kept is not None and kept.cpu_limit_s is not None and kept.cpu_limit_s < runner.limits.cpu_s
        return None if too_short else kept

    def keep(self, entry: Entry, runner: Runner, outcome: Outcome) -> None:
        line = {"entry": entry.name, "mode": runner.mode, "version": runner.version, **vars(outcome)}
        with self._path.open("a") as file:
            file.write(json.dumps(line) + "\n")


class Known:
    """The known failures: by program and mode, or by the message with which hypermon refuses a program."""

    def __init__(self, path: Path) -> None:
        self.programs: dict[tuple[str, str], str] = {}
        self._refusals: list[tuple[re.Pattern[str], str]] = []
        for group in yaml.safe_load(path.read_text()):
            if "says" in group:
                self._refusals.append((re.compile(group["says"]), group["reason"]))
            for program in group.get("programs", ()):
                for mode in group.get("modes", MODES):
                    if (program, mode) in self.programs:
                        raise SystemExit(f"error: {path}: {program}, {mode}: listed twice")
                    self.programs[program, mode] = group["reason"]

    def reason(self, entry: Entry, mode: str, outcome: Outcome) -> str | None:
        """The reason of a known failure; None if it is not known."""
        if (entry.program, mode) in self.programs:
            return self.programs[entry.program, mode]
        return next((reason for pattern, reason in self._refusals if pattern.search(outcome.how)), None)


def run_all(wanted: Sequence[Entry], runners: Sequence[Runner], state: State, jobs: int, is_quick: bool) -> Results:
    """Runs the reference first: programs that fail there are not run elsewhere. With `is_quick`, the reference runs
    last, for the programs that failed elsewhere.
    """
    reference, *modes = runners
    results: Results = {}
    if not is_quick:
        run_one(wanted, reference, state, jobs, results)
    for runner in modes:
        run_one([e for e in wanted if is_quick or results[e.name, REFERENCE].passes], runner, state, jobs, results)
    if is_quick:
        failed = {name for (name, _), outcome in results.items() if not outcome.passes}
        results |= {(entry.name, REFERENCE): Outcome(True, "not run") for entry in wanted if entry.name not in failed}
        run_one([entry for entry in wanted if entry.name in failed], reference, state, jobs, results)
    return results


def run_one(todo: Sequence[Entry], runner: Runner, state: State, jobs: int, results: Results) -> None:
    """Runs the entries in one mode, except those whose results are kept, and prints its progress."""
    left: dict[str, list[Entry]] = {}
    for entry in todo:
        kept = state.get(entry, runner)
        if kept is None:
            left.setdefault(entry.program, []).append(entry)
        else:
            results[entry.name, runner.mode] = kept
    if left:
        runner.prepare()
    begin, shown = time.monotonic(), 0.0

    def run(own: list[Entry]) -> list[tuple[Entry, Outcome]]:
        return [(entry, runner.outcome(entry)) for entry in own]

    with ThreadPoolExecutor(jobs) as pool:
        for future in as_completed([pool.submit(run, own) for own in left.values()]):
            for entry, outcome in future.result():
                state.keep(entry, runner, outcome)
                results[entry.name, runner.mode] = outcome
            if time.monotonic() - shown > 10:
                shown = time.monotonic()
                done = sum((entry.name, runner.mode) in results for entry in todo)
                print(f"{runner.mode}: {done} of {len(todo)}, {shown - begin:.0f} s", file=sys.stderr, flush=True)
    passed = sum(results[entry.name, runner.mode].passes for entry in todo)
    print(f"{runner.mode}: {passed} of {len(todo)} runs pass", file=sys.stderr, flush=True)


def compared(
    wanted: Sequence[Entry], modes: Sequence[str], results: Results, known: Known
) -> dict[str, dict[str, Any]]:
    """For each mode the entries that pass, fail for a known reason, fail for no known reason, or have not ended."""
    report: dict[str, dict[str, Any]] = {}
    for mode in modes:
        runs = [entry for entry in wanted if results[entry.name, REFERENCE].passes]
        failed = [entry for entry in runs if not results[entry.name, mode].passes]
        reasons = {entry.name: known.reason(entry, mode, results[entry.name, mode]) for entry in failed}
        unknown = [entry for entry in failed if reasons[entry.name] is None]
        unfinished = [entry for entry in unknown if results[entry.name, mode].cpu_limit_s is not None]
        still_failing = {entry.program for entry in failed}
        listed = {program for program, of in known.programs if of == mode} & {entry.program for entry in runs}
        report[mode] = {
            "runs": len(runs),
            "pass": len(runs) - len(failed),
            "known_failures": Counter(reason for reason in reasons.values() if reason is not None),
            "unknown_failures": {e.name: results[e.name, mode].how for e in unknown if e not in unfinished},
            "unfinished": [entry.name for entry in unfinished],
            "listed_but_passing": sorted(listed - still_failing),
        }
    return report


def parser() -> argparse.ArgumentParser:
    p = argparse.ArgumentParser(
        prog="tests/mpi_suite/run",
        description="Runs the C programs of an MPI test suite in MPICH's layout under the reference (Debian's mpich)"
        " and under hypermon with each value of machine.messages, and compares with the known failures. The suite is"
        " not part of the project: fetch it yourself. Exit status: 0 if all failures are known, 1 if others are found or"
        " programs have not ended within the limit of CPU time, 2 for a mistake in the call.",
    )
    p.add_argument("folder", type=Path, help="a checkout of the suite (of MPICH, or its folder test/mpi)")
    p.add_argument("--modes", default=",".join(MODES), help="values of machine.messages (default: %(default)s)")
    p.add_argument("--only", default="*", metavar="PATTERN", help="programs to run, as folder/name (default: all)")
    p.add_argument("--state", type=Path, default=TREE / "build" / "mpi-suite", help="folder for compiled programs and"
                   " results; a run that was interrupted goes on from there (default: build/mpi-suite)")  # fmt: skip
    p.add_argument("--worker", type=Path, default=TREE / "build" / "release" / "bin" / "hypermon-sim")
    p.add_argument("--known", type=Path, default=KNOWN, help="known failures (default: tests/mpi_suite/known.yaml)")
    p.add_argument("--json", type=Path, metavar="FILE", help="also writes the comparison and every result there")
    p.add_argument("--quick", action="store_true", help="run under the reference only what fails under hypermon")
    p.add_argument("--jobs", type=int, default=2, help="programs at once (default: %(default)s)")
    p.add_argument("--cpu", type=int, default=300, metavar="S", help="limit of a run's CPU time; on a slow machine"
                   " some programs need two minutes (default: %(default)s)")  # fmt: skip
    p.add_argument("--memory", type=float, default=6, metavar="GB", help="limit of a process's memory; programs whose list"
                   " states that they need more are not run (default: %(default)s)")  # fmt: skip
    return p


def main() -> int:
    p = parser()
    a = p.parse_args()
    modes = a.modes.split(",")
    if unknown := [mode for mode in modes if mode not in MODES]:
        p.error(f"--modes {unknown[0]}: must be of {', '.join(MODES)}")
    root = root_of(a.folder.resolve())
    if root is None:
        p.error(f"{a.folder}: not a checkout of an MPI test suite (no util/mtest.c with folders of tests)")
    if not a.worker.is_file():
        p.error(f"{a.worker}: not there; build it by scripts/setup")
    selected = [entry for entry in entries(root) if fnmatch.fnmatch(entry.program, a.only)]
    if not selected:
        p.error(f"--only {a.only}: the suite has no such program")
    wanted = [entry for entry in selected if entry.memory_gb <= a.memory]
    limits = Limits(a.cpu, a.memory)
    runners = [Runner(mode, root, a.state.resolve(), a.worker.resolve(), limits) for mode in (REFERENCE, *modes)]
    if missing := [command for runner in runners if (command := runner.missing())]:
        p.error(f"{missing[0]} is not installed (Debian's packages mpich, libmpich-dev, libsimgrid-dev)")
    known = Known(a.known)
    results = run_all(wanted, runners, State(a.state), a.jobs, a.quick)
    report = compared(wanted, modes, results, known)
    for mode, own in report.items():
        print(f"{mode}: {own['pass']} of {own['runs']} runs that pass under the reference pass")
        for reason, count in own["known_failures"].most_common():
            print(f"  {count:3} fail: {reason}")
        for name, how in own["unknown_failures"].items():
            print(f"  FAILS {name}: {how}")
        for name in own["unfinished"]:
            print(f"  NOT ENDED {name}: after {a.cpu} s of CPU time; a larger --cpu decides whether it fails")
        if own["listed_but_passing"]:
            print(f"  listed as failing, but pass: {', '.join(own['listed_but_passing'])}")
    for entry in selected:
        if entry not in wanted:
            print(f"NOT RUN {entry.name}: needs {entry.memory_gb:g} GB; a larger --memory runs it")
    if a.json:
        runs = [{"entry": name, "mode": mode, **vars(outcome)} for (name, mode), outcome in sorted(results.items())]
        a.json.write_text(json.dumps({"modes": report, "runs": runs}, indent=1) + "\n")
    return 1 if any(own["unknown_failures"] or own["unfinished"] for own in report.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
