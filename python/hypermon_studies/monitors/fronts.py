# SPDX-License-Identifier: BSD-3-Clause
"""Fronts: for each monitor, its designs that no other of its designs beats, under the same limits.

Each search has the same number of trials and the same seed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from hypermon._engine.sweeping.store import Entry
from hypermon._model.schema import Schema, number
from hypermon.errors import SimulationError, UserError
from hypermon_studies.monitors import runs as monitors_runs
from hypermon_studies.monitors.columns import BY_KEY, ERROR, LATENCY, MEMORY, SLOWDOWN
from hypermon_studies.monitors.plan import DEFAULT, FRONTS, Candidate, Place, Plan, Request
from hypermon_studies.monitors.runs import Row

OBJECTIVES = (ERROR, LATENCY, SLOWDOWN)
"""Columns that are minimised. The best design has the smallest value of the first; among equals, of the next."""
# the median latency, ms, of data that arrive only after the run: monitors_columns.latency
AFTER_THE_RUN = "500 * elapsed_s"


class Limit(NamedTuple):
    """A limit of designs: a column's number. It is `factor` times the excess of `metric` over `least`. Without a
    metric, it is relative to the program's time without a monitor.
    """

    metric: str
    factor: float = 1
    least: float = 0

    def most(self, value: float) -> float:
        return self.least + value / self.factor


LIMITED: Mapping[str, Limit] = {
    SLOWDOWN: Limit("", 100, 1),
    MEMORY: Limit("footprint.nodes.fullest_memory_bytes"),
    "volume_bytes": Limit("logged_bytes"),
    "stored_bytes": Limit("footprint.stored_bytes"),
}
LIMITS: Mapping[str, float] = {SLOWDOWN: 1.0, MEMORY: 16e6}
"""Issue 19: slowdown below 1 %, 16 MB a node."""


@dataclass(frozen=True)
class Front:
    """Front of a candidate on a machine.

    Attributes:
        rows: Every evaluated design that has all numbers.
        best: The design within all limits with the smallest error. None: no design is within them.
        chosen: The designs in `rows` that no other one within the limits beats.
        hit: Limits without which a better design would be allowed.
        failed: Number of designs without all numbers, and the first error.
    """

    place: Place
    candidate: Candidate
    rows: tuple[Row, ...]
    best: Row | None
    chosen: tuple[Row, ...]
    hit: tuple[str, ...]
    failed: tuple[str, ...]


def limits_of(given: Sequence[str]) -> dict[str, float]:
    """Returns the limits, some of which are given as KEY=NUMBER; `none` removes one."""
    found = dict(LIMITS)
    for text in given:
        key, equals, limit = (part.strip() for part in text.partition("="))
        if not equals or key not in LIMITED:
            raise UserError(f"--limit {text}: must be KEY=NUMBER, KEY one of {', '.join(LIMITED)}")
        if limit == "none":
            found.pop(key, None)
            continue
        try:
            found[key] = float(limit)
        except ValueError:
            raise UserError(f"--limit {text}: must be a number or none") from None
    return found


def limits_text(limits: Mapping[str, float]) -> str:
    """The limits in words."""
    parts = [f"{BY_KEY[key].title} of at most {number(most)} {BY_KEY[key].unit}" for key, most in limits.items()]
    return " and ".join(parts) or "no limit"


def search(
    plan: Plan,
    schema: Schema,
    alone: Mapping[Place, Entry],
    rows: Sequence[Row],
    limits: Mapping[str, float],
    trials: int,
    seed: int,
    jobs: int,
    progress: Callable[[int, int], None] | None = None,
) -> list[Front]:
    """Searches from each default that `begins` returns."""
    found = []
    for one in rows_to_vary(plan.request, rows):
        searched = _search(plan.request, one, alone[one.place], limits, trials, seed, jobs, progress)
        known = [row for row in rows if (row.place, row.candidate) == (one.place, one.candidate) and not row.failed]
        found.append(_front(plan, schema, alone[one.place], known, *searched, limits, jobs))
    return found


def rows_to_vary(request: Request, rows: Sequence[Row]) -> list[Row]:
    """Rows of the candidates that ended with their defaults and can vary, where designs are requested."""
    return [
        row
        for row in rows
        if row.part == DEFAULT and not row.failed and row.candidate.setup.vary and request.is_tuned(row.place)
    ]


def _search(
    request: Request,
    default: Row,
    alone: Entry,
    limits: Mapping[str, float],
    trials: int,
    seed: int,
    jobs: int,
    progress: Callable[[int, int], None] | None,
) -> tuple[list[dict[str, Any]], list[dict[str, Any]], tuple[str, ...]]:
    """Returns all designs, those of the front, and the failures."""
    from hypermon import tradeoffs

    scenario, given = request.scenario(default.place)
    setup = default.candidate.setup
    slowdown = f"elapsed_s / {alone.result['elapsed_s']!r}"  # tradeoffs' own has the program run alone for each design
    metrics = ["picture.error_percent", default.latency_metric or AFTER_THE_RUN, slowdown]
    try:
        front = tradeoffs.pareto(
            scenario,
            setup.vary,
            dict.fromkeys(metrics, "minimize"),
            limits={LIMITED[key].metric or slowdown: LIMITED[key].most(most) for key, most in limits.items()},
            trials=trials,
            seed=seed,
            settings=default.candidate.settings(given, {}),
            presets=(*setup.presets, *request.presets),
            jobs=jobs,
            progress=progress,
        )
    except SimulationError as error:
        return [], [], (str(error),)
    paths = list(front.vary)
    return _designs(front.all(), paths), _designs(front.to_pandas(), paths), front.failed


def _designs(table: Any, paths: Sequence[str]) -> list[dict[str, Any]]:
    """Returns each design once, with the types of a specification."""
    rows = table[paths].astype(object).drop_duplicates().to_dict("records")
    return [{path: getattr(value, "item", lambda v=value: v)() for path, value in row.items()} for row in rows]


def _front(
    plan: Plan,
    schema: Schema,
    alone: Entry,
    known: Sequence[Row],
    designs: Sequence[Mapping[str, Any]],
    best_of: Sequence[Mapping[str, Any]],
    failed: tuple[str, ...],
    limits: Mapping[str, float],
    jobs: int,
) -> Front:
    """`known`: its defaults, and its knob's steps where that is turned: one of them may be the best."""
    place, candidate = known[0].place, known[0].candidate
    specs = [plan.request.resolve(schema, place, candidate, design) for design in designs]
    rows = []
    for design, spec, ended in zip(designs, specs, monitors_runs.results(specs, jobs), strict=True):
        assert not ended.error  # the search had all numbers of it
        rows.append(monitors_runs.row(place, candidate, FRONTS, design, spec, ended, alone))
    best, hit = judge([*known, *rows], limits)
    chosen = tuple(row for row in rows if row.at in list(best_of))
    return Front(place, candidate, tuple(rows), best, chosen, hit, failed)


def judge(known: Sequence[Row], limits: Mapping[str, float]) -> tuple[Row | None, tuple[str, ...]]:
    """Returns the best design within the limits, and each limit without which another design would be better."""
    best = min((row for row in known if not exceeded_limits(row, limits)), key=order, default=None)
    better = [row for row in known if best is None or order(row) < order(best)]
    return best, tuple(key for key in limits if any(exceeded_limits(row, limits) == [key] for row in better))


def order(row: Row) -> tuple[float, ...]:
    """Sort key: better rows come first, rows without the number last."""
    return tuple(float("inf") if row[key] is None else float(row[key] or 0) for key in OBJECTIVES)


def exceeded_limits(row: Row, limits: Mapping[str, float]) -> list[str]:
    """The limits that the design exceeds."""
    return [key for key, most in limits.items() if (row[key] or 0) > most]
