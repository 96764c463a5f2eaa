# SPDX-License-Identifier: BSD-3-Clause
"""Runs of which a study needs only numbers, by question and case."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from hypermon._engine import sweeping
from hypermon._model.spec import Spec
from hypermon.errors import SimulationError
from hypermon_studies.placing import PICTURES

Key = tuple[str, str]  # question, and case of the question
Numbers = Mapping[Key, Mapping[str, float]]
"""Numbers of each run, by the names that the study gives them."""


@dataclass(frozen=True)
class Plan:
    """Runs of some or all parts of a study, by question and case."""

    specs: Mapping[Key, Spec]
    parts: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.specs)

    def lost(self, parts: Iterable[str]) -> tuple[str, ...]:
        """Patterns of the files that only data of all these parts have, if the plan lacks one of the parts."""
        return () if self.parts == tuple(parts) else PICTURES


def numbers(
    runs: Plan, metrics: Mapping[str, str], jobs: int, progress: Callable[[int, int], None] | None = None
) -> Numbers:
    """Returns the numbers of each run. Runs that this build of the simulator has computed before are not repeated.

    Args:
        metrics: Paths in the result, by the study's names of the numbers.

    Raises:
        SimulationError: A run failed; the message names the first failed case.
    """
    found = sweeping.evaluate(list(runs.specs.values()), list(metrics.values()), jobs=jobs, progress=progress)
    rows = dict(zip(runs.specs, found, strict=True))
    failed = [f"{', '.join(key)}: {row['error']}" for key, row in rows.items() if row["status"] != "ok"]
    if failed:
        raise SimulationError(f"{len(failed)} of {len(rows)} runs failed: {failed[0]}")
    return {key: {name: row[path] for name, path in metrics.items()} for key, row in rows.items()}
