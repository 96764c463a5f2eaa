# SPDX-License-Identifier: BSD-3-Clause
"""`hypermon study monitors`: the same programs under all monitors, in one table."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hypermon._model.schema import Schema
from hypermon_studies import monitors_fronts, monitors_runs
from hypermon_studies.monitors_decisions import Decision, decide
from hypermon_studies.monitors_fronts import Front
from hypermon_studies.monitors_plan import DEFAULT, KNOBS, PARTS, Plan
from hypermon_studies.monitors_runs import Row
from hypermon_studies.placing import Place

NAME = "monitors"
DATA = "runs.csv"
STUDY = "study.json"
HOST = f"{NAME}-host.json"
Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class Search:
    """Search for Pareto fronts, with `trials` runs of each candidate. 0: no search."""

    limits: Mapping[str, float]
    trials: int = 0
    seed: int = 1


@dataclass(frozen=True)
class Found:
    """All that the pages show, and the command that finds it again."""

    plan: Plan
    search: Search
    rows: tuple[Row, ...]
    fronts: tuple[Front, ...]
    command: str
    alone_host_s: float = 0.0

    @property
    def decisions(self) -> list[Decision]:
        """Among monitors as they are set up, under all programs."""
        return decide(row for row in self.rows if row.part == DEFAULT)

    @property
    def tuned(self) -> list[Decision]:
        """Among all steps of their knobs, where these were turned."""
        turned = {row.place for row in self.rows if row.part == KNOBS}
        return decide(row for row in self.rows if row.place in turned)

    @property
    def best(self) -> list[Row]:
        return [front.best for front in self.fronts if front.best is not None]

    @property
    def every(self) -> list[Row]:
        return [*self.rows, *(row for front in self.fronts for row in front.rows)]

    def to_json(self) -> dict[str, Any]:
        return {
            "command": self.command,
            "limits": dict(self.search.limits),
            "runs": [row.to_json() for row in self.every],
            "best": [row.to_json() for row in self.best],
            "limits_hit": [
                {"machine": f.place[0], "program": f.place[1], "monitor": f.candidate.name, "hit": list(f.hit)}
                for f in self.fronts
            ],
            "refused": [
                {"machine": r.place[0], "program": r.place[1], "monitor": r.candidate.name, "set": dict(r.at)}
                | {"reason": r.reason}
                for r in self.plan.refused
            ],
            "decisions": [one.to_json(self.plan.asked) for one in self.decisions],
            "tuned": [one.to_json(self.plan.asked) for one in self.tuned],
        }

    def host(self) -> dict[str, dict[str, float]]:
        """What hosts have taken for it, by part of the study: no part of any result. A run that was computed by an
        earlier command has taken what it took then; one that is asked for twice is counted twice.
        """
        took: dict[str, dict[str, float]] = {
            "alone": {"runs": len(self.plan.alone), "host_s": self.alone_host_s},
        }
        for part in PARTS:
            seconds = [row.host_s for row in self.every if row.part == part and not row.failed]
            took[part] = {"runs": len(seconds), "host_s": sum(seconds)}
        return {part: {"runs": one["runs"], "host_s": round(one["host_s"], 1)} for part, one in took.items()}


def find(
    plan: Plan,
    schema: Schema,
    search: Search,
    command: str,
    jobs: int,
    progress: Progress | None = None,
    searching: Callable[[int], Any] | None = None,
) -> Found:
    """Runs what the plan has, then looks for fronts.

    `progress` is told of runs; `searching`, of how many designs fronts look at, gives what is told of those.
    """
    alone, rows = monitors_runs.run(plan, jobs, progress)
    fronts: Sequence[Front] = ()
    if search.trials:
        designs = search.trials * len(monitors_fronts.begins(plan.asked, rows))
        with searching(designs) if searching is not None else contextlib.nullcontext() as told:
            how = search.limits, search.trials, search.seed, jobs
            fronts = monitors_fronts.look(plan, schema, alone, rows, *how, told)
    alone_host_s = sum(ended.wall_s or 0 for ended in alone.values())
    return Found(plan, search, tuple(rows), tuple(fronts), command, alone_host_s)


def place(out: Path, force: bool = False) -> Place:
    """The study's place in the folder `out`."""
    return Place(out, NAME, DATA, force, (f"{NAME}.html", HOST))


def write(out: Path, found: Found, force: bool = False, *, with_host: bool = True) -> None:
    """Writes `out`/monitors.md, monitors.html and monitors/* (pictures and data), all of it at the end.

    Args:
        with_host: Also write HOST, which is no result. A study that was read from files has none.
    """
    from hypermon_studies import monitors_figures, monitors_html, monitors_page, monitors_picture, monitors_rows

    curves = monitors_picture.curves(found.rows, found.fronts)
    at = place(out, force)
    with at.data() as data:
        (data / DATA).write_text(monitors_rows.as_csv(found), encoding="utf-8")
        (data / STUDY).write_text(monitors_rows.as_json(found), encoding="utf-8")
        pictures = monitors_figures.draw(data, curves)
    at.page(monitors_page.text(found, NAME, pictures))
    at.page(monitors_html.text(found, curves), f"{NAME}.html")
    if with_host:
        at.page(json.dumps(found.host(), indent=1) + "\n", HOST)
