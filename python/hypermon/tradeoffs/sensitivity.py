# SPDX-License-Identifier: BSD-3-Clause
"""Sensitivity analysis of numbers with respect to parameters, with SALib."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from hypermon._engine.designs import Designs
from hypermon._engine.sweeping.api import Metrics
from hypermon._model import argument_checks
from hypermon._model import metrics as metric_paths
from hypermon._model.cards import Card, Shown
from hypermon._model.cards import table as card_table
from hypermon._model.words import percent, three_digits
from hypermon.errors import SimulationError, UserError
from hypermon.tradeoffs import dimensions as dimensions_of
from hypermon.tradeoffs.dimensions import Dimension, Vary
from hypermon.tradeoffs.extra import require
from hypermon.tradeoffs.numbers import Numbers
from hypermon.tradeoffs.watching import Report, Watch

if TYPE_CHECKING:
    import pandas as pd

    from hypermon._engine.recording import Recording

LEVELS = 4  # levels of Morris' grid, SALib's default
SOBOL = ("S1", "S1_conf", "ST", "ST_conf")
MORRIS = ("mu", "mu_star", "sigma", "mu_star_conf")


@dataclass(frozen=True, repr=False)
class Sensitivity(Shown):
    """The sensitivity of numbers to parameters.

    Attributes:
        table: One row per number and parameter (index `of`, `parameter`). Sobol: `S1` and `ST`, the shares of the
            variance due to the parameter alone and with all its interactions. Morris: `mu`, `mu_star` and `sigma`, the
            mean, mean magnitude and standard deviation of the parameter's elementary effects. Columns `_conf` are half
            widths of 95 % confidence intervals.
        samples: Every evaluated design with its numbers.
        notes: Remarks, in sentences.
    """

    table: pd.DataFrame
    samples: pd.DataFrame
    notes: tuple[str, ...]

    def summary(self) -> str:
        """Returns the answer: for each number the parameters that change it, the strongest first."""
        most = "ST" if "ST" in self.table else "mu_star"
        sentences = []
        for name, own in self.table[most].groupby(level="of", sort=False):
            found = own.droplevel("of")
            ordered = found[found > 0].sort_values(ascending=False, kind="stable")
            shares = [f"{path} ({percent(v) if most == 'ST' else three_digits(v)})" for path, v in ordered.items()]
            measure = "of the variance" if most == "ST" else "mean change"
            if shares:
                then = f", then {', '.join(shares[1:])}" if shares[1:] else ""
                sentences.append(f"{shares[0].removesuffix(')')} {measure}) matters most for {name}{then}.")
            else:
                sentences.append(f"No parameter changes {name}.")
        return " ".join(sentences)

    def _card(self) -> Card:
        rows = [
            (*index, *(f"{value:.3g}" for value in row))
            for index, row in zip(self.table.index, self.table.itertuples(index=False), strict=True)
        ]
        return Card(
            title=f"Sensitivity to {', '.join(dict.fromkeys(self.table.index.get_level_values('parameter')))}",
            verdict=self.summary(),
            facts=[("designs", str(len(self.samples)))],
            tables=[card_table(("number", "parameter", *map(str, self.table.columns)), rows, more="sensitivity.table")],
            notes=self.notes,
        )


def sobol(
    scenario: str | os.PathLike[str] | Recording | Sequence[Recording],
    vary: Vary,
    of: Metrics,
    *,
    samples: int = 64,
    seed: int = 1,
    settings: Mapping[str, Any] | None = None,
    presets: Sequence[str] = (),
    platform: str | os.PathLike[str] | None = None,
    jobs: int | None = None,
    progress: Report | None = None,
) -> Sensitivity:
    """Sobol's indices of the numbers `of`: the share of their variance that each parameter causes.

    Evaluates `samples` (a power of two) times (parameters + 2) designs. `of` are metrics, as in `hypermon.sweep`.
    `vary` and `progress` are as in `pareto`; `scenario`, `settings`, `presets`, `platform` and `jobs` are as in
    `hypermon.size`. Raises a UserError if an argument is not valid.
    """
    seed = argument_checks.integer("seed", seed, 0, 2**32 - 1)
    samples = argument_checks.integer("samples", samples, 2)
    if samples & (samples - 1):
        raise UserError(f"samples = {samples}: must be a power of two from 2")
    sampling, analysis = require("SALib.sample.sobol", "SALib"), require("SALib.analyze.sobol", "SALib")
    study = _Study(scenario, vary, of, settings, presets, platform, jobs, progress)
    shares = sampling.sample(study.problem, samples, calc_second_order=False, seed=seed)

    def analyse(values: NDArray[np.float64]) -> Mapping[str, Any]:
        found: Mapping[str, Any] = analysis.analyze(study.problem, values, calc_second_order=False, seed=seed)
        return found

    return study.run(shares, analyse, SOBOL)


def morris(
    scenario: str | os.PathLike[str] | Recording | Sequence[Recording],
    vary: Vary,
    of: Metrics,
    *,
    trajectories: int = 10,
    seed: int = 1,
    settings: Mapping[str, Any] | None = None,
    presets: Sequence[str] = (),
    platform: str | os.PathLike[str] | None = None,
    jobs: int | None = None,
    progress: Report | None = None,
) -> Sensitivity:
    """Morris' elementary effects on the numbers `of`: which parameters matter at all, with few designs.

    Evaluates `trajectories` times (parameters + 1) designs on a grid of four levels. The rest is as in `sobol`.
    """
    seed = argument_checks.integer("seed", seed, 0, 2**32 - 1)
    trajectories = argument_checks.integer("trajectories", trajectories, 2)
    sampling, analysis = require("SALib.sample.morris", "SALib"), require("SALib.analyze.morris", "SALib")
    study = _Study(scenario, vary, of, settings, presets, platform, jobs, progress)
    shares = sampling.sample(study.problem, trajectories, num_levels=LEVELS, seed=seed)

    def analyse(values: NDArray[np.float64]) -> Mapping[str, Any]:
        found: Mapping[str, Any] = analysis.analyze(study.problem, shares, values, num_levels=LEVELS, seed=seed)
        return found

    return study.run(shares, analyse, MORRIS)


class _Study:
    """A sensitivity study. SALib's samples are positions in the ranges, 0 to 1, which are mapped to allowed values."""

    def __init__(
        self,
        scenario: str | os.PathLike[str] | Recording | Sequence[Recording],
        vary: Vary,
        of: Metrics,
        settings: Mapping[str, Any] | None,
        presets: Sequence[str],
        platform: str | os.PathLike[str] | None,
        jobs: int | None,
        progress: Report | None,
    ) -> None:
        self._watch = Watch(progress)
        designs = Designs(scenario, settings, presets, "sensitivity", jobs, platform, self._watch.point)
        self._dimensions: list[Dimension] = dimensions_of.read(vary, designs.schema)
        self._of = metric_paths.read_argument("of", of)
        if not self._of:
            raise UserError("of: name a number of the result, as elapsed_s")
        self._numbers = Numbers(designs, self._of)
        self._paths = [d.path for d in self._dimensions]
        self.problem = {
            "num_vars": len(self._paths),
            "names": self._paths,
            "bounds": [[0.0, 1.0]] * len(self._paths),
        }

    def run(self, shares: NDArray[np.float64], analyse: Any, columns: Sequence[str]) -> Sensitivity:
        import pandas as pd

        designs = [
            {d.path: d.at(float(share)) for d, share in zip(self._dimensions, row, strict=True)} for row in shares
        ]
        self._watch.begin(len(designs))
        rows = self._numbers.rows(designs)
        self._watch.end(sum(row["status"] != "ok" for row in rows))
        notes = self._notes()
        for design, row in zip(designs, rows, strict=True):
            missing = ", ".join(name for name in self._of if row.get(name) is None)
            if row["status"] != "ok" or missing:
                shown = ", ".join(f"{path} = {value}" for path, value in design.items())
                raise SimulationError(f"{shown}: {row['error'] or f'the result has no {missing}'}")
        tables = []
        for name in self._of:
            values = np.array([row[name] for row in rows], dtype=float)
            if np.ptp(values) == 0:
                found: Mapping[str, Any] = dict.fromkeys(columns, np.zeros(len(self._paths)))
                notes.append(f"{name} is {values[0]:g} for every design: nothing decides it.")
            else:
                found = analyse(values)
            index = pd.MultiIndex.from_product([[name], self._paths], names=["of", "parameter"])
            tables.append(pd.DataFrame({column: np.asarray(found[column]) for column in columns}, index=index))
        samples = pd.DataFrame([{**d, **{n: r[n] for n in self._of}} for d, r in zip(designs, rows, strict=True)])
        return Sensitivity(pd.concat(tables), samples, tuple(notes))

    def _notes(self) -> list[str]:
        snapped = [d.path for d in self._dimensions if d.is_snapped]
        return [f"Samples of {', '.join(snapped)} were moved to the nearest allowed values."] if snapped else []
