# SPDX-License-Identifier: BSD-3-Clause
"""`hypermon study coverage`: is a monitor good enough? It observes the paper's four programs and eight others.

The nodes' data are recorded once for each program and kept; another design of the hardware is a replay.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hypermon._engine.recording import Recording
from hypermon._engine.runner import RUNS
from hypermon._engine.sweeping import execute
from hypermon._engine.sweeping import plan as plans
from hypermon._engine.sweeping.plan import Plan
from hypermon._engine.sweeping.store import Store
from hypermon._inputs import platforms
from hypermon._inputs.scenario import built_in
from hypermon._model.schema import Schema, common_path, nested
from hypermon._model.spec import Spec
from hypermon.errors import SimulationError, UserError
from hypermon.monitors.hypermon.analysis import sufficient_depth
from hypermon.monitors.hypermon.recorded import Recorded
from hypermon.report import rules, view
from hypermon.report.calibration import PROGRAMS
from hypermon.report.facts import Run
from hypermon_studies.collection import COLLECTION

STORE = RUNS / "coverage"
NODES = {False: (4, 16), True: (4, 8, 16)}  # by --full
# Short runs of the paper's programs, with the same communication pattern (chosen: some 0.1 s of host time each).
QUICK: Mapping[str, Mapping[str, object]] = {
    "simplex": {"simplex.problems": 1},
    "life": {"life.generations": 60},
    "matmul": {"matmul.size": 64},
    "place": {"place.attempts": 6000, "place.accepted": 1500},
}
TWO_TO_THE_K = ("simplex", "place")  # these programs refuse other numbers of ranks
PAIRS = ("pingpong", "workers")
ROWS = ("life", "matmul", "cg", "fft")  # a row for every node: larger on machines that have more nodes
METRICS = ("rates.frames", "timestamp_error_us.max")  # more than counts: replays give whole results
DISTURBS = 0.1  # (chosen) slowdown above which the monitor disturbs the program

GOOD, SLOWS, MISLEADS, LOSES = "good", "disturbs", "misleads", "loses"


@dataclass(frozen=True)
class Covered:
    """A program under the monitor, and its results."""

    program: str
    run: Run  # the run, and the same one without a monitor

    @property
    def nodes(self) -> int:
        return int(self.run.spec["nodes"])

    @property
    def lost_share(self) -> float:
        """Share of lost events."""
        ledger = self.run.result["ledger"]
        generated = int(ledger["generated"]["events"])
        return int(ledger["lost_total"]["events"]) / generated if generated else 0.0

    @property
    def slowdown(self) -> float:
        return self.run.slowdown or 0.0

    @property
    def verdict(self) -> str:
        if self.run.anything_lost:
            return LOSES
        if any(f.level == rules.PROBLEM for f in view.find(self.run.kind).findings(self.run)):
            return MISLEADS
        return SLOWS if self.slowdown > DISTURBS else GOOD

    @property
    def limit(self) -> str:
        """Title of the most important finding about the run, problems first; empty if there is none."""
        found = [f for f in view.find(self.run.kind).findings(self.run) if f.level != rules.GOOD]
        return found[0].title if found else ""

    @property
    def advice(self) -> str:
        found = [f for f in view.find(self.run.kind).findings(self.run) if f.level == rules.PROBLEM]
        return " ".join(part for f in found for part in (f.text, f.change) if part)


@dataclass(frozen=True)
class Request:
    """All runs: the program, the specification, and the same specification without a monitor."""

    specs: tuple[tuple[str, Spec, Spec], ...]
    settings: Mapping[str, object]
    presets: tuple[str, ...]
    platform: str | None
    left_out: tuple[str, ...]
    full: bool = False


def make_request(
    schema: Schema, settings: Mapping[str, object], presets: Sequence[str], full: bool, platform: str | None = None
) -> Request:
    """Every program on every machine size, the platform's own if there is one, resolved; a UserError if the design
    cannot be.
    """
    if "workload" in settings:
        raise UserError(f"workload = {settings['workload']}: the study runs all of its programs", "--set")
    machine = platforms.find(platform, "--platform").settings if platform is not None else {}
    given = settings["nodes"] if "nodes" in settings else machine["nodes"].value if "nodes" in machine else None
    sizes = NODES[full] if given is None else (int(schema.parameter("nodes", "").parse(given, "--set")),)
    found, left_out = [], []
    for nodes in sizes:
        for program in (*PROGRAMS, *COLLECTION):
            if why := _why_not(program, nodes):
                left_out.append(f"{program}, nodes = {nodes}: {why}")
                continue
            folder = "table2" if program in PROGRAMS else "collection"
            own = {**({} if full else QUICK.get(program, {})), "monitor": "hypermon", **settings, "nodes": nodes}
            scenario = built_in(f"{folder}/{program}", platform)
            spec = scenario.resolve(schema, own, presets)
            if spec.values["monitor"] == "none":
                raise UserError("monitor = none: there is nothing to cover", "--set")
            size = f"{program}.size"
            if program in ROWS and size not in settings and int(spec.values[size]) < nodes:
                spec = scenario.resolve(schema, {**own, size: 2 ** (nodes - 1).bit_length()}, presets)
            found.append((program, spec, _unobserved(spec, schema)))
    return Request(tuple(found), dict(settings), tuple(presets), platform, tuple(left_out), full)


def _why_not(program: str, nodes: int) -> str:
    if program in TWO_TO_THE_K and nodes & (nodes - 1):
        return "runs on 2^k nodes only"
    return "needs two nodes" if program in PAIRS and nodes < 2 else ""


def _unobserved(spec: Spec, schema: Schema) -> Spec:
    """The run without a monitor, with the default hardware, so that all designs are compared with one run."""
    kept = {path: value for path, value in spec.values.items() if not schema.parameters[common_path(path)].behind_ports}
    defaults = {path: parameter.default for path, parameter in schema.parameters.items()}
    return Spec(spec.scenario, {**defaults, **kept, "monitor": "none"})


class Prepared:
    """The runs, and which of them the store has."""

    def __init__(self, request: Request, schema: Schema, store: Path = STORE, jobs: int | None = None) -> None:
        self.request = request
        self._schema = schema
        self._jobs = jobs or os.cpu_count() or 1
        self._store = Store(store)
        first = request.specs[0][1]
        defaults = {path: parameter.default for path, parameter in schema.parameters.items()}
        base = Spec(first.scenario, {**defaults, "monitor": "hypermon"})
        specs = [spec for _, observed, alone in request.specs for spec in (observed, alone)]
        self.plan: Plan = plans.make(
            plans.Wanted(specs, base, METRICS), schema, self._store, self._jobs, record_single=True
        )

    def __len__(self) -> int:
        left = self.plan.to_do()
        return len(left.cosims) + left.replays

    def run(self, on_done: Callable[[int, int], None] | None = None) -> list[Covered]:
        """Runs all programs, ordered by machine size and then by program."""
        self._store.open()
        entries = execute.run(self.plan, self._store, self._schema.versions, self._jobs, None, on_done)
        keys = iter(self.plan.keys)
        found = []
        for program, observed, alone in self.request.specs:
            results: list[dict[str, Any]] = []
            mine = next(keys)
            for spec, key in ((observed, mine), (alone, next(keys))):
                if entries[key].error:
                    raise SimulationError(f"{program} on {spec.values['nodes']} nodes: {entries[key].error}")
                results.append({**entries[key].result, "spec": nested(spec.values)})
            found.append(Covered(program, Run(results[0], self._recorded(mine, results[0]), results[1])))
        return found

    def _recorded(self, key: str, result: Mapping[str, Any]) -> Recorded | None:
        """The sufficient depth of the frame FIFO, if frames were lost and a recording exists."""
        if "frames" not in result["monitor"] or not result["monitor"]["frames"]["lost"]:
            return None
        for group in self.plan.groups:
            if key in group.members:
                recording = Recording(self._store.recording(group.key))
                return Recorded(enough=sufficient_depth(recording, self.plan.specs[key]))
        return None
