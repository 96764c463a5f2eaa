# SPDX-License-Identifier: BSD-3-Clause
"""Which points a recording answers, which need the machine, and what that costs (design.md, decision 10)."""

from __future__ import annotations

import math
import re
import statistics
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from hypermon._engine import replays
from hypermon._engine.recording import Recording
from hypermon._engine.replaying import Emissions
from hypermon._engine.runner import RUNS, default_folder
from hypermon._engine.sweeping.store import COSIM, COUNTS, FULL, JUDGED, REPLAY, STORE, Address, Entry, Store, suffices
from hypermon._model import metrics as metric_paths
from hypermon._model import worker
from hypermon._model.result import Result
from hypermon._model.schema import Schema, canonical, common_path
from hypermon._model.spec import Spec
from hypermon.errors import UserError

# Estimates for a plan until the store knows better (assumed: Place on 8 nodes; benchmarks/replay measures).
ASSUMED_S = {COUNTS: 0.002, FULL: 0.3, JUDGED: 0.3}

JUDGING = "a picture is judged by its own run"


@dataclass(frozen=True)
class Group:
    """Points that one recording answers."""

    recorded: Spec
    key: str  # address of the recording: of what the nodes write, whatever the hardware that was there
    members: tuple[str, ...]  # addresses of points


@dataclass(frozen=True)
class Cost:
    """Seconds on all processors in use; None where nothing is known yet."""

    cosim_s: float | None  # of one co-simulation
    replay_s: float  # of one replayed design
    total_s: float | None
    measured: bool  # replay_s: in this store; else assumed


@dataclass(frozen=True)
class ToDo:
    """What the store does not have."""

    cosims: tuple[str, ...]
    recordings: tuple[Group, ...]
    groups: tuple[Group, ...]  # with the points that are left

    @property
    def replays(self) -> int:
        return sum(len(group.members) for group in self.groups)


@dataclass(frozen=True)
class Part:
    """One of several, from 1 on, that together are a sweep: one of a batch system's array of jobs, say."""

    number: int
    of: int

    @classmethod
    def read(cls, text: str) -> Part:
        """`3/8`. A UserError if it is none."""
        numbers = re.fullmatch(r"(\d{1,9})/(\d{1,9})", text.strip())
        if numbers is None or not 1 <= int(numbers[1]) <= int(numbers[2]):
            raise UserError(f"--part {text}: must be PART/PARTS: 1/8, 2/8, ... 8/8")
        return cls(int(numbers[1]), int(numbers[2]))

    def __str__(self) -> str:
        return f"{self.number}/{self.of}"


@dataclass(frozen=True)
class Plan:
    """Everything that has to be done, and why. Points are known by their address in the store."""

    keys: tuple[str, ...]  # of every point, in order; equal points have equal ones
    specs: Mapping[str, Spec]
    detail: str  # of replays: COUNTS or FULL; JUDGED: of co-simulations, and nothing is replayed
    cosims: Mapping[str, str]  # and why each is one
    groups: tuple[Group, ...]
    decisions: Mapping[str, str]  # varied parameters: REPLAY or COSIM
    finished: frozenset[str]  # in the store
    recorded: frozenset[str]  # recordings in the store
    cost: Cost
    given: Path | None = None  # the recording that answers all points and is not in the store

    def how(self, key: str) -> str:
        return COSIM if key in self.cosims else REPLAY

    def part(self, part: Part) -> Plan:
        """Only what one part does: its share of the co-simulations, and of the replays of each recording. Whatever is
        finished already, the shares are the same.
        """
        mine = set(list(self.cosims)[part.number - 1 :: part.of])
        for group in self.groups:
            first, end = (len(group.members) * number // part.of for number in (part.number - 1, part.number))
            mine.update(group.members[first:end])
        return replace(self, finished=self.finished | (self.specs.keys() - mine))

    def to_do(self) -> ToDo:
        groups = [
            replace(group, members=left)
            for group in self.groups
            if (left := tuple(key for key in group.members if key not in self.finished))
        ]
        return ToDo(
            cosims=tuple(key for key in self.cosims if key not in self.finished),
            recordings=tuple(group for group in groups if group.key not in self.recorded),
            groups=tuple(groups),
        )

    def to_json(self) -> dict[str, Any]:
        left = self.to_do()
        return {
            "points": len(self.keys),
            "finished": sum(key in self.finished for key in self.keys),
            "parameters": dict(self.decisions),
            "co_simulated": len(self.cosims),
            "co_simulated_because": dict(Counter(self.cosims.values())),
            "replayed": sum(len(group.members) for group in self.groups),
            "recordings": len(self.groups),
            "replays": self.detail,
            "to_do": {
                "co_simulations": len(left.cosims),
                "recordings": len(left.recordings),
                "replays": left.replays,
            },
            "cost": asdict(self.cost),
        }


@dataclass(frozen=True)
class Wanted:
    """The points that a plan is made for.

    Attributes:
        specs: The specification of each point.
        base: The scenario's own specification. Its hardware is there when a recording is made.
        metrics: Paths of the numbers of each point.
        varied: Paths of the parameters in which the points differ.
    """

    specs: Sequence[Spec]
    base: Spec
    metrics: Sequence[str]
    varied: Sequence[str] = ()


def make(
    wanted: Wanted,
    schema: Schema,
    store: Store,
    jobs: int,
    record_single: bool = False,
    recording: Recording | None = None,
) -> Plan:
    """The plan for the points. `record_single`: a recording even where it answers one point only, for later ones.

    `recording`: replayed for every point. Raises a UserError if a replay cannot give a metric or a point.
    """
    specs, base, metrics = wanted.specs, wanted.base, wanted.metrics
    address = Address(schema.versions, recording.digest if recording is not None else "")
    judged = metric_paths.judged(metrics)
    countable = metric_paths.countable(metrics, replays.counted(specs))
    detail = JUDGED if judged else COUNTS if countable else FULL
    keys = tuple(address.of(spec) for spec in specs)
    unique = dict(zip(keys, specs, strict=True))
    cosims: dict[str, str] = {}  # and why
    emissions = Emissions(schema)
    alike: dict[str, list[str]] = {}
    for key, spec in unique.items():
        if why := JUDGING if judged else replays.why_not(spec):
            cosims[key] = why
        else:
            alike.setdefault(emissions.of(spec), []).append(key)
    groups: list[Group] = []
    for emitted, members in alike.items():
        if len(members) == 1 and not record_single and recording is None:
            cosims[members[0]] = "no other point has the same emissions"
        else:
            recorded = _recorded(base, unique[members[0]], schema)
            groups.append(Group(recorded, address.of_recording(emitted), tuple(members)))
    if recording is not None and cosims:
        raise UserError(f"{recording.path}: no replay of it can answer this: {next(iter(cosims.values()))}")
    entries = store.load()
    needed = {key: of_cosim(detail) if key in cosims else detail for key in unique}
    finished = frozenset(key for key in unique if key in entries and suffices(entries[key].detail, needed[key]))
    made = frozenset(group.key for group in groups if recording is not None or store.has_recording(group.key))
    plan = Plan(
        keys=keys,
        specs=unique,
        detail=detail,
        cosims=cosims,
        groups=tuple(groups),
        decisions={path: REPLAY if _kept(path, schema) else COSIM for path in wanted.varied},
        finished=finished,
        recorded=made,
        cost=Cost(None, 0, None, False),
        given=None if recording is None else recording.path.absolute(),
    )
    return replace(plan, cost=_cost(plan, entries, store, base, jobs))


def of_cosim(detail: str) -> str:
    """What a co-simulation of a plan gives."""
    return JUDGED if detail == JUDGED else FULL


def _kept(path: str, schema: Schema) -> bool:
    return schema.parameters[common_path(path)].behind_ports


def _recorded(base: Spec, member: Spec, schema: Schema) -> Spec:
    """What to co-simulate for a group: its member's program on the scenario's own hardware, or the member itself."""
    values = {path: value for path, value in base.values.items() if _kept(path, schema)}
    values |= {path: value for path, value in member.values.items() if not _kept(path, schema)}
    spec = Spec(base.scenario, canonical(values))
    if replays.why_not(spec):
        return member
    try:
        worker.check(spec)
    except UserError:
        return member  # the scenario's own hardware does not fit, say, as many nodes
    return spec


def _cost(plan: Plan, entries: Mapping[str, Entry], store: Store, base: Spec, jobs: int) -> Cost:
    simulated = [e.wall_s for e in entries.values() if e.how == COSIM and e.wall_s is not None]
    folders = [store.recording(key) for key in sorted(plan.recorded)] or [default_folder(base)]
    simulated += _walls(folders)
    simulated = simulated or _earlier(base.scenario)
    cosim_s = statistics.fmean(simulated) if simulated else None
    replayed = [e.wall_s for e in entries.values() if e.how == REPLAY and e.detail == plan.detail and e.wall_s]
    replay_s = statistics.fmean(replayed) if replayed else ASSUMED_S[plan.detail]
    left = plan.to_do()
    simulations = len(left.cosims) + len(left.recordings)
    rounds = math.ceil(simulations / jobs)  # a single recording takes its time however many jobs there are
    total = None if simulations and cosim_s is None else rounds * (cosim_s or 0) + left.replays * replay_s / jobs
    return Cost(cosim_s, replay_s, total, bool(replayed))


def _earlier(scenario: str) -> list[float]:
    """What runs and sweeps of the scenario took that lie in the usual place."""
    name = scenario.replace("/", "-")
    runs = [folder for folder in RUNS.glob(f"{name}-*") if re.fullmatch(r"-[0-9a-f]{10}", folder.name[len(name) :])]
    stores = [Store(folder / STORE) for folder in RUNS.glob(f"sweep-{name}-*")]
    recordings = [folder for store in stores if store.recordings.is_dir() for folder in store.recordings.iterdir()]
    entries = [entry for store in stores for entry in store.load().values()]
    return _walls([*runs, *recordings]) + [e.wall_s for e in entries if e.how == COSIM and e.wall_s is not None]


def _walls(folders: Sequence[Path]) -> list[float]:
    return [wall for folder in sorted(folders) if (wall := _wall(folder)) is not None]


def _wall(folder: Path) -> float | None:
    """What one execution took, if it is known."""
    try:
        return float(Result(folder).host["wall_s"])
    except (UserError, OSError, TypeError, ValueError, KeyError):
        return None
