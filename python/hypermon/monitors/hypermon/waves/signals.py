# SPDX-License-Identifier: BSD-3-Clause
"""The signals of a machine's capture boards, and choosing among them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Literal

from hypermon._model.native import _core
from hypermon._model.spec import Spec
from hypermon.errors import UserError, suggestion


@dataclass(frozen=True)
class Signal:
    """A signal. `path` consists of its scopes in the SystemC design and its name: `board0.ecb.frame_fifo.level`."""

    path: str
    kind: Literal["event", "value", "level", "state"]
    """An `event` happens at an instant and has no value, a `level` is a number to be drawn as a curve, a `state` one of
    `names`."""
    bits: int
    names: tuple[str, ...] = ()

    @property
    def board(self) -> str:
        return self.path.partition(".")[0]


def signals(spec: Spec) -> list[Signal]:
    """All signals of the machine, in the order in which files have them."""
    return [Signal(path, kind, bits, tuple(names)) for path, kind, bits, names in _core.wave_signals(spec.to_json())]


def choose(every: Sequence[Signal], globs: Sequence[str], option: str = "--signals") -> list[bool]:
    """Returns the signals that a list of globs selects; all for an empty list. Raises a UserError for a glob that
    selects none.

    `*` and `?` also match dots; brackets are ordinary characters. A scope selects all signals in it.
    """
    if not globs:
        return [True] * len(every)
    chosen = [False] * len(every)
    for glob in globs:
        found = [matches(s.path, glob) for s in every]
        if not any(found):
            near = suggestion(glob, _paths_and_scopes(every))
            raise UserError(f"{option} {glob}: no such signal{near}")
        chosen = [a or b for a, b in zip(chosen, found, strict=True)]
    return chosen


def matches(path: str, glob: str) -> bool:
    """True if the glob matches the path, as in `choose`."""
    return _compiled(glob).fullmatch(path) is not None


@cache
def _compiled(glob: str) -> re.Pattern[str]:
    return re.compile(re.escape(glob).replace(r"\*", ".*").replace(r"\?", ".") + r"(\..*)?")


def _paths_and_scopes(every: Sequence[Signal]) -> list[str]:
    names: dict[str, None] = {}
    for signal in every:
        parts = signal.path.split(".")
        for i in range(len(parts)):
            names[".".join(parts[: i + 1])] = None
    return list(names)
