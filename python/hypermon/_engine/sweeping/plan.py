# SPDX-License-Identifier: BSD-3-Clause
"""Plans a sweep: which points are replayed and which are co-simulated, and at what cost (design decision 9)."""

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

# Estimated host time of a replayed design until the store has measured ones (assumed: Place on 8 nodes, from
# benchmarks/replay).
ASSUMED_S = {COUNTS: 0.002, FULL: 0.3, JUDGED: 0.3}

JUDGING = "a picture is judged by its own run"


@dataclass(frozen=True)
class Group:
    """Points that are replayed from one recording."""

    recorded: Spec
    key: str  # address of the recording, which depends on the nodes' data but not on the hardware
    members: tuple[str, ...]  # addresses of points


@dataclass(frozen=True)
class Cost:
    """Expected host time, s. None: unknown."""

    cosim_s: float | None  # host time of one co-simulation
    replay_s: float  # host time of one replayed design
    total_s: float | None  # host time of the remaining work, with all jobs
    measured: bool  # whether replay_s was measured in this store; else it is assumed


@dataclass(frozen=True)
class ToDo:
    """The work that is left: points and recordings that the store lacks."""

    cosims: tuple[str, ...]
    recordings: tuple[Group, ...]
    groups: tuple[Group, ...]  # only with their unfinished points

    @property
    def replays(self) -> int:
        return sum(len(group.members) for group in self.groups)


@dataclass(frozen=True)
class Part:
    """One of several parts of a sweep, numbered from 1. A part can be one job of a batch system's job array."""

    number: int
    of: int

    @classmethod
    def read(cls, text: str) -> Part:
        """Parses a part such as `3/8`. Raises a UserError if it is not valid."""
        numbers = re.fullmatch(r"(\d{1,9})/(\d{1,9})", text.strip())
        if numbers is None or not 1 <= int(numbers[1]) <= int(numbers[2]):
            raise UserError(f"--part {text}: must be PART/PARTS: 1/8, 2/8, ... 8/8")
        return cls(int(numbers[1]), int(numbers[2]))

    def __str__(self) -> str:
        return f"{self.number}/{self.of}"


@dataclass(frozen=True)
class Plan:
    """The work of a sweep. Points are identified by their address in the store."""

    keys: tuple[str, ...]  # address of every point, in order; equal points have equal addresses
    specs: Mapping[str, Spec]
    detail: str  # COUNTS or FULL: detail of the replays; JUDGED: detail of the co-simulations, without replays
    cosims: Mapping[str, str]  # the co-simulated points, each with the reason
    groups: tuple[Group, ...]
    decisions: Mapping[str, str]  # for each varied parameter: REPLAY or COSIM
    finished: frozenset[str]  # points in the store
    recorded: frozenset[str]  # recordings in the store
    cost: Cost
    given: Path | None = None  # the user's recording from which all points are replayed

    def how(self, key: str) -> str:
        return COSIM if key in self.cosims else REPLAY

    def part(self, part: Part) -> Plan:
        """Returns the plan of one part: its share of the co-simulations, and of the replays of each recording.

        The shares do not depend on the points that are already finished.
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
        base: The scenario's own specification. Recordings are made with its hardware.
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
    """Makes the plan for the points.

    `record_single`: makes a recording even if only one point uses it, for later points. `recording`: a recording from
    which every point is replayed. Raises a UserError if a replay of it cannot give a metric or a point.
    """
    specs, base, metrics = wanted.specs, wanted.base, wanted.metrics
    address = Address(schema.versions, recording.digest if recording is not None else "")
    judged = metric_paths.judged(metrics)
    countable = metric_paths.countable(metrics, replays.counted(specs))
    detail = JUDGED if judged else COUNTS if countable else FULL
    keys = tuple(address.of_run(spec) for spec in specs)
    unique = dict(zip(keys, specs, strict=True))
    cosims: dict[str, str] = {}  # each with the reason
    emissions = Emissions(schema)
    alike: dict[str, list[str]] = {}
    for key, spec in unique.items():
        if why := JUDGING if judged else replays.why_not(spec):
            cosims[key] = why
        else:
            alike.setdefault(emissions.text(spec), []).append(key)
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
    needed = {key: cosim_detail(detail) if key in cosims else detail for key in unique}
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


def cosim_detail(detail: str) -> str:
    """Returns the detail of a plan's co-simulations."""
    return JUDGED if detail == JUDGED else FULL


def _kept(path: str, schema: Schema) -> bool:
    return schema.parameters[common_path(path)].behind_ports


def _recorded(base: Spec, member: Spec, schema: Schema) -> Spec:
    """Returns the specification to record for a group.

    It has the member's program and the scenario's own hardware. If these do not fit together, it is the member itself.
    """
    values = {path: value for path, value in base.values.items() if _kept(path, schema)}
    values |= {path: value for path, value in member.values.items() if not _kept(path, schema)}
    spec = Spec(base.scenario, canonical(values))
    if replays.why_not(spec):
        return member
    try:
        worker.check(spec)
    except UserError:
        return member  # the scenario's hardware does not support, for example, as many nodes
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
    rounds = math.ceil(simulations / jobs)  # a single simulation uses one job only
    total = None if simulations and cosim_s is None else rounds * (cosim_s or 0) + left.replays * replay_s / jobs
    return Cost(cosim_s, replay_s, total, bool(replayed))


def _earlier(scenario: str) -> list[float]:
    """Returns the host times of earlier runs and sweeps of the scenario in the default folder."""
    name = scenario.replace("/", "-")
    runs = [folder for folder in RUNS.glob(f"{name}-*") if re.fullmatch(r"-[0-9a-f]{10}", folder.name[len(name) :])]
    stores = [Store(folder / STORE) for folder in RUNS.glob(f"sweep-{name}-*")]
    recordings = [folder for store in stores if store.recordings.is_dir() for folder in store.recordings.iterdir()]
    entries = [entry for store in stores for entry in store.load().values()]
    return _walls([*runs, *recordings]) + [e.wall_s for e in entries if e.how == COSIM and e.wall_s is not None]


def _walls(folders: Sequence[Path]) -> list[float]:
    return [wall for folder in sorted(folders) if (wall := _wall(folder)) is not None]


def _wall(folder: Path) -> float | None:
    """Returns the host time of a run, if it is known."""
    try:
        return float(Result(folder).host["wall_s"])
    except (UserError, OSError, TypeError, ValueError, KeyError):
        return None
