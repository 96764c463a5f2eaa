# SPDX-License-Identifier: BSD-3-Clause
"""The parameters that the explorer varies, and a design as settings, as an address and as a command.

Ranges, units and choices are those that the parameters declare. The monitor names the sections (`Replays.EXPLORED`).
"""

from __future__ import annotations

import math
import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from urllib.parse import parse_qsl, urlencode

from hypermon._engine import replays
from hypermon._engine.recording import FILE, Recording
from hypermon._engine.replaying import resolve
from hypermon._inputs import scenario
from hypermon._model import vocabulary, worker
from hypermon._model.schema import Parameter, Value, number
from hypermon._model.spec import Spec
from hypermon.errors import UserError

FEW = 64  # (chosen) a slider of at most so many values has each of them
LEAST_REAL = 1e-3  # (chosen) smallest value above zero of a slider for a real number
COMPARE = "compare"  # key of the address: whether the reference design is shown, too
Settings = Mapping[str, str]  # values as text, by path; those of the recorded run are left out


@dataclass(frozen=True)
class Control:
    """A slider or a choice for one parameter."""

    parameter: Parameter
    recorded: Value

    @property
    def path(self) -> str:
        return self.parameter.path

    @property
    def section(self) -> str:
        return self.path.partition(".")[0]

    @property
    def label(self) -> str:
        """The parameter's name on the page, without its unit."""
        monitor_labels = (words.labels.get(self.path, "") for words in vocabulary.every())
        if found := next(filter(None, monitor_labels), ""):
            return found.rpartition(",")[0] or found
        name = self.path.partition(".")[2]
        return name.removesuffix(f"_{self.parameter.unit}").replace("_", " ").replace("fifo", "FIFO")

    @cached_property
    def choices(self) -> tuple[str, ...]:
        """The texts to choose from. Empty: the parameter is a number and has a slider."""
        return ("false", "true") if self.parameter.type == "bool" else self.parameter.choices

    @cached_property
    def steps(self) -> list[str]:
        """The values of the slider: all if they are few, else each power of two and one value between two powers.

        The default and the recorded value are always among them.
        """
        p = self.parameter
        low, high = p.min if p.min is not None else 0.0, p.max if p.max is not None else math.inf
        unit = float(p.multiple_of) if p.type == "int" else 0.0
        if unit and (high - low) / unit <= FEW and not p.power_of_two:
            found = {low + unit * i for i in range(int((high - low) / unit) + 1)}
        else:
            found, at = {low}, max(low, unit or LEAST_REAL)
            while at <= min(high, 2.0**40):
                middle = 1.5 * at
                found |= {at} if p.power_of_two or (unit and middle % unit) or middle > high else {at, middle}
                at *= 2
            found |= {high} if math.isfinite(high) and not p.power_of_two else set()
        values = {_typed(p, value) for value in found} | {p.default, self.recorded}
        return [text(value) for value in sorted(values, key=float)]


def text(value: Value) -> str:
    """Returns a value as it is written in `--set`, without loss."""
    if isinstance(value, bool | str):
        return str(value).lower() if isinstance(value, bool) else value
    short = number(value)
    return short if float(short) == value else repr(value)


def _typed(parameter: Parameter, value: float) -> Value:
    return int(value) if parameter.type == "int" else float(value)


class Controls:
    """The controls of a recording, and the designs that they can express."""

    def __init__(self, recording: Recording) -> None:
        self.recording = recording
        self.how = replays.by(recording)
        self._schema = worker.schema()
        self._values = recording.spec.values
        self.every = [Control(p, self._values[p.path]) for section in self.how.EXPLORED for p in self._section(section)]
        self.recorded = {control.path: text(control.recorded) for control in self.every}

    def _section(self, section: str) -> list[Parameter]:
        return [p for p in self._schema.select(section) if self._is_explored(p)]

    def _is_explored(self, p: Parameter) -> bool:
        """Is it a number or a choice that a replay may change, and that results depend on?"""
        is_text = p.type == "string" and not p.choices
        return p.behind_ports and not is_text and not p.runs and p.path not in self.how.UNEXPLORED

    def settings(self, values: Mapping[str, object]) -> dict[str, str]:
        """Returns the values that differ from the recorded run, in the order of the controls.

        Raises a UserError about a path that has no control, or about a value that is not allowed.
        """
        for path in values:
            if path not in self.recorded:
                self._schema.parameter(path, "address")
                raise UserError(f"{path}: has no control in the explorer", "address")
        found = {}
        for control in self.every:
            if control.path in values:
                value = control.parameter.parse(values[control.path], "")
                if value != control.recorded:
                    found[control.path] = text(value)
        return found

    def spec(self, settings: Settings) -> Spec:
        """Returns the specification of a design."""
        return resolve(self.recording, settings, where="")

    @cached_property
    def reference(self) -> dict[str, str]:
        """The settings of the monitor's reference design: the parameters' defaults, and its presets over them."""
        defaults = {control.path: text(control.parameter.default) for control in self.every}
        spec = scenario.override(self.spec(defaults), self._schema, {}, self.how.REFERENCE[1], "")
        return self.settings({path: text(spec.values[path]) for path in self.recorded})

    def query(self, settings: Settings, compare: bool = False) -> str:
        """Returns the part of the address that holds a design; empty for the recorded one."""
        pairs = [*settings.items(), *([(COMPARE, self.how.REFERENCE[0])] if compare else [])]
        return f"?{urlencode(pairs)}" if pairs else ""

    def from_query(self, query: str) -> tuple[dict[str, str], bool]:
        """Returns the settings in an address, and whether the reference design is shown. Raises a UserError."""
        given = dict(parse_qsl(query.removeprefix("?"), keep_blank_values=True))
        compare = given.pop(COMPARE, None) is not None
        return self.settings(given), compare

    def command(self, settings: Settings) -> str:
        """Returns the command that prints the design's numbers."""
        path = self.recording.path
        words = ["hypermon", "replay", str(path.parent if path.name == FILE else path)]
        return shlex.join(
            [*words, *(word for path, value in settings.items() for word in ("--set", f"{path}={value}"))]
        )
