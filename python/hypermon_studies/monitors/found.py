# SPDX-License-Identifier: BSD-3-Clause
"""The results of `hypermon study monitors`, and their files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from hypermon_studies.monitors.decisions import Decision, decide
from hypermon_studies.monitors.fronts import Front
from hypermon_studies.monitors.plan import DEFAULT, KNOBS, PARTS, Plan
from hypermon_studies.monitors.runs import Row

NAME = "monitors"
DATA = "runs.csv"
STUDY = "study.json"
HOST = f"{NAME}-host.json"


@dataclass(frozen=True)
class Search:
    """Search for Pareto fronts, with `trials` runs of each candidate. 0: no search."""

    limits: Mapping[str, float]
    trials: int = 0
    seed: int = 1


@dataclass(frozen=True)
class Found:
    """The content of the pages, and the command that repeats the study."""

    plan: Plan
    search: Search
    rows: tuple[Row, ...]
    fronts: tuple[Front, ...]
    command: str
    alone_host_s: float = 0.0

    @property
    def decisions(self) -> list[Decision]:
        """Recommendations among the monitors with default settings, under all programs."""
        return decide(row for row in self.rows if row.part == DEFAULT)

    @property
    def tuned(self) -> list[Decision]:
        """Recommendations among all values of the monitors' knobs, for programs and machines with `--knobs` runs."""
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
            "decisions": [one.to_json(self.plan.request) for one in self.decisions],
            "tuned": [one.to_json(self.plan.request) for one in self.tuned],
        }

    def host(self) -> dict[str, dict[str, float]]:
        """Host time of each part of the study, which is in no result. A run computed by an earlier command has the time
        that it took then; a run that two parts use counts twice.
        """
        took: dict[str, dict[str, float]] = {
            "alone": {"runs": len(self.plan.alone), "host_s": self.alone_host_s},
        }
        for part in PARTS:
            seconds = [row.host_s for row in self.every if row.part == part and not row.failed]
            took[part] = {"runs": len(seconds), "host_s": sum(seconds)}
        return {part: {"runs": one["runs"], "host_s": round(one["host_s"], 1)} for part, one in took.items()}
