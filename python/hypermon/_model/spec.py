# SPDX-License-Identifier: BSD-3-Clause
"""A run as it is asked for: every parameter with its value."""

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
LIMITS = "limits."  # parameters that no result depends on


class Derived(NamedTuple):
    """A specification is as another, but for some values."""

    root: Spec
    changes: Mapping[str, Value]


class Wanted(NamedTuple):
    """A choice of parameters, and what is said of them by the changes to them."""

    paths: list[str]
    texts: dict[tuple[tuple[str, Value], ...], str]


@dataclass(frozen=True)
class Spec:
    """A run, resolved: every parameter has a value; those of single ones of several are there where they differ."""

    scenario: str
    values: Mapping[str, Value]
    said: Mapping[str, str] = field(default_factory=dict, compare=False, repr=False)
    """Where each parameter was given that somebody gave, for errors; nothing else depends on it."""
    _derived: Derived | None = field(default=None, init=False, compare=False, repr=False)
    """Thousands of designs differ in a few of hundreds of values: what follows from the others is made once."""

    def changed(self, changes: Mapping[str, Value]) -> Spec:
        """The same with other values of some of its parameters."""
        made = Spec(self.scenario, {**self.values, **changes}, {**self.said, **dict.fromkeys(changes, "")})
        if self._derived is not None or self.has_singles or any(is_single(path) for path in changes):
            return made
        object.__setattr__(made, "_derived", Derived(self, changes))
        return made

    def saying(self, said: Mapping[str, str]) -> Spec:
        """The same, given at other places; not read again."""
        made = Spec(self.scenario, self.values, said)
        made.__dict__.update({name: self.__dict__[name] for name in ("native", "_derived") if name in self.__dict__})
        return made

    def canonical(self) -> Spec:
        """Without what is said of a single one and is so of all."""
        values = canonical(self.values) if self.has_singles else self.values
        return self if len(values) == len(self.values) else Spec(self.scenario, values, self.said)

    @cached_property
    def has_singles(self) -> bool:
        """Has a single one of several, or of assignments, a value of its own?"""
        return any(is_single(path) for path in self.values)

    @cached_property
    def native(self) -> Specification:
        """It for `hypermon._core`, read once. A UserError if its values do not go together."""
        from hypermon._model.native import _core

        try:
            if self._derived is not None:
                return self._derived.root.native.changed(json.dumps(self._derived.changes))
            return _core.Specification(self.to_line())
        except _core.BadSpecification as error:
            raise UserError(str(error)) from None

    def __getstate__(self) -> dict[str, Any]:
        """For another process, which makes the rest again."""
        return {name: getattr(self, name) for name in ("scenario", "values", "said", "_derived")}

    def located(self, error: UserError) -> UserError:
        """The worker's complaint, with the place of the first parameter in it that was given if it names no line."""
        if _NAMES_A_LINE.search(str(error)):
            return error
        named = re.findall(r"\w+(?:\[\d+\])?(?:\.\w+)?", str(error))
        paths = [path for name in named for path in (name, common_path(name)) if path in self.said]
        return UserError(str(error), self.said[paths[0]] if paths else "")

    def to_json(self) -> str:
        return json.dumps({"scenario": self.scenario, **nested(self.values)}, indent=1, sort_keys=True) + "\n"

    def to_line(self) -> str:
        """The same for a program, with dotted paths: a fifth of the time, which counts in sweeps."""
        return json.dumps({"scenario": self.scenario, **self.values})

    def text_of(self, is_wanted: Callable[[str], bool]) -> str:
        """The parameters that are wanted: equal texts, equal values."""
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
        """`simulated` as JSON, its keys in order."""
        if self._derived is None:
            return json.dumps(self.simulated, sort_keys=True)
        root, changes = self._derived
        own = {path: _piece(path, value) for path, value in changes.items() if _is_simulated(path)}
        return "{" + ", ".join({**root._simulated_pieces, **own}.values()) + "}"

    @property
    def simulated(self) -> dict[str, Value]:
        """What a result depends on: all but limits, which end a run or change nothing."""
        return {path: value for path, value in self.values.items() if _is_simulated(path)}

    @property
    def hash(self) -> str:
        return hashlib.sha256(Spec(self.scenario, self.simulated).to_json().encode()).hexdigest()[:10]


def _is_simulated(path: str) -> bool:
    return not path.startswith(LIMITS)


def _piece(path: str, value: Value) -> str:
    return f"{json.dumps(path)}: {json.dumps(value)}"
