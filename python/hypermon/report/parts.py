# SPDX-License-Identifier: BSD-3-Clause
"""Parts of a run's machine, with their parameters and losses."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from hypermon._model.schema import Schema, Value
from hypermon._model.words import count, figure, plural
from hypermon.report.drawing import Line
from hypermon.report.facts import Run


@dataclass(frozen=True)
class Values:
    """The parameters of a run, with their defaults."""

    run: Run
    schema: Schema
    values: Mapping[str, Value] = field(default_factory=dict)

    def line(self, path: str, text: str = "{}") -> Line:
        """Returns a line with the parameter's value in the place of {} in `text`."""
        value = self.values[path]
        known = self.schema.parameters.get(path)
        default = known.default if known else value
        single = any(
            own.split("].")[-1] == path.partition(".")[2] and own.startswith(path.partition(".")[0] + "[")
            for own in self.run.singles()
        )
        unit = f" {known.unit}" if known and known.unit else ""
        title = f"{path} = {_value(value)}{unit}" + (f", default {_value(default)}{unit}" if value != default else "")
        shown = text.format(_value(value)) + (" *" if single else "")
        return Line(shown, value != default or single, title, single)

    def __getitem__(self, path: str) -> Value:
        return self.values[path]


def _value(value: Value) -> str:
    return value.replace("_", " ") if isinstance(value, str) else figure(value)


def lost(run: Run, *stages: str) -> str:
    """Returns the losses at these stages in words. Without stages, returns all losses."""
    entries = [entry for entry in run.result["ledger"]["lost"] if not stages or entry["stage"] in stages]
    units = sum(entry[run.unit] for entry in entries)
    if units:
        return f"{count(units)} {run.unit} lost"
    events = sum(entry["events"] for entry in entries)
    return f"{plural(events, 'event')} lost" if events else ""
