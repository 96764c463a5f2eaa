# SPDX-License-Identifier: BSD-3-Clause
"""The specification of a run: every parameter with its value."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from hypermon._model.schema import Value, canonical, common_path, is_single, nested
from hypermon.errors import UserError

if TYPE_CHECKING:
    from hypermon._core import Specification

_NAMES_A_LINE = re.compile(r", line \d+\)$")
LIMITS = "limits."  # prefix of parameters that do not influence results


class Derived(NamedTuple):
    """The origin of a specification that equals another one except for some values."""

    root: Spec
    changes: Mapping[str, Value]


class Wanted(NamedTuple):
    """A selection of parameters, with the cached text of their values for each set of changes."""

    paths: list[str]
    texts: dict[tuple[tuple[str, Value], ...], str]


@dataclass(frozen=True)
class Spec:
    """A resolved run: every parameter has a value.

    Parameters of single components appear only where they differ from the common one.
    """

    scenario: str
    values: Mapping[str, Value]
    places: Mapping[str, str] = field(default_factory=dict, compare=False, repr=False)
    """The place where each given parameter was given. It is used for error messages only."""
    _derived: Derived | None = field(default=None, init=False, compare=False, repr=False)
    """The specification from which this one was made. Thousands of designs differ in a few values only, so they share
    the work on the others."""

    def changed(self, changes: Mapping[str, Value]) -> Spec:
        """Returns a copy with other values of some parameters."""
        made = Spec(self.scenario, {**self.values, **changes}, {**self.places, **dict.fromkeys(changes, "")})
        if self._derived is not None or self.has_singles or any(is_single(path) for path in changes):
            return made
        object.__setattr__(made, "_derived", Derived(self, changes))
        return made

    def component(self, section: str, number: int) -> dict[str, Value]:
        """Returns the values as they hold for one component, under the common paths: cpu[1].speed as cpu.speed."""
        own = f"{section}[{number}]."
        values = {path: value for path, value in self.values.items() if "[" not in path}
        return values | {f"{section}.{path[len(own) :]}": v for path, v in self.values.items() if path.startswith(own)}

    def with_places(self, places: Mapping[str, str]) -> Spec:
        """Returns a copy with other places of the parameters. Cached data are kept."""
        made = Spec(self.scenario, self.values, places)
        made.__dict__.update({name: self.__dict__[name] for name in ("native", "_derived") if name in self.__dict__})
        return made

    def canonical(self) -> Spec:
        """Returns a copy without parameters of single components whose value is the same as the common one."""
        values = canonical(self.values) if self.has_singles else self.values
        return self if len(values) == len(self.values) else Spec(self.scenario, values, self.places)

    @cached_property
    def has_singles(self) -> bool:
        """Whether a single component, or a single variable of assignments, has a value of its own."""
        return any(is_single(path) for path in self.values)

    @cached_property
    def native(self) -> Specification:
        """The specification's object in `hypermon._core`. Raises a UserError if the values do not fit together."""
        from hypermon._model.native import _core

        try:
            if self._derived is not None:
                return self._derived.root.native.changed(json.dumps(self._derived.changes))
            return _core.Specification(self.to_line())
        except _core.BadSpecification as error:
            raise UserError(str(error)) from None

    def __getstate__(self) -> dict[str, Any]:
        """State for another process, without cached data."""
        return {name: getattr(self, name) for name in ("scenario", "values", "places", "_derived")}

    def located(self, error: UserError) -> UserError:
        """Adds to an error of the worker the place of the first given parameter in it, unless it names a line."""
        if _NAMES_A_LINE.search(str(error)):
            return error
        named = re.findall(r"\w+(?:\[\d+\])?(?:\.\w+)?", str(error))
        paths = [path for name in named for path in (name, common_path(name)) if path in self.places]
        return UserError(str(error), self.places[paths[0]] if paths else "")

    def to_json(self) -> str:
        return json.dumps({"scenario": self.scenario, **nested(self.values)}, indent=1, sort_keys=True) + "\n"

    def to_line(self) -> str:
        """Returns the specification as JSON with dotted paths. Takes a fifth of the time of `to_json`."""
        return json.dumps({"scenario": self.scenario, **self.values})

    def text_of(self, is_wanted: Callable[[str], bool]) -> str:
        """Returns the selected parameters as text. Equal texts mean equal values."""
        root, changes = self._derived or (self, {})
        wanted = root._wanted.get(is_wanted)
        if wanted is None:
            wanted = root._wanted[is_wanted] = Wanted([path for path in sorted(root.values) if is_wanted(path)], {})
        own = tuple(item for item in changes.items() if is_wanted(item[0]))
        if own not in wanted.texts:
            wanted.texts[own] = repr([(path, self.values[path]) for path in wanted.paths])
        return wanted.texts[own]

    @cached_property
    def _wanted(self) -> dict[Callable[[str], bool], Wanted]:
        return {}

    @cached_property
    def _simulated_pieces(self) -> dict[str, str]:
        return {path: _piece(path, value) for path, value in sorted(self.simulated.items())}

    @property
    def simulated_text(self) -> str:
        """`simulated` as JSON with sorted keys."""
        if self._derived is None:
            return json.dumps(self.simulated, sort_keys=True)
        root, changes = self._derived
        own = {path: _piece(path, value) for path, value in changes.items() if _is_simulated(path)}
        return "{" + ", ".join({**root._simulated_pieces, **own}.values()) + "}"

    @property
    def simulated(self) -> dict[str, Value]:
        """The parameters that influence results: all but limits, which only end a run."""
        return {path: value for path, value in self.values.items() if _is_simulated(path)}

    @property
    def hash(self) -> str:
        return hashlib.sha256(Spec(self.scenario, self.simulated).to_json().encode()).hexdigest()[:10]


def _is_simulated(path: str) -> bool:
    return not path.startswith(LIMITS)


def _piece(path: str, value: Value) -> str:
    return f"{json.dumps(path)}: {json.dumps(value)}"
