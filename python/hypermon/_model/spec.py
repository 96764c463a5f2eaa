# SPDX-License-Identifier: BSD-3-Clause
"""A run as it is asked for: every parameter with its value."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from hypermon._model.schema import Value, common_path, nested
from hypermon.errors import UserError

LIMITS = "limits."  # parameters that no result depends on


@dataclass(frozen=True)
class Spec:
    """A run, resolved: every parameter has a value; those of single ones of several are there where they differ."""

    scenario: str
    values: Mapping[str, Value]
    said: Mapping[str, str] = field(default_factory=dict, compare=False, repr=False)
    """Where each parameter was given that somebody gave, for errors; nothing else depends on it."""

    def located(self, error: UserError) -> UserError:
        """The worker's complaint, with the place of the first parameter in it that was given."""
        named = re.findall(r"\w+(?:\[\d+\])?(?:\.\w+)?", str(error))
        paths = [path for name in named for path in (name, common_path(name)) if path in self.said]
        return UserError(str(error), self.said[paths[0]] if paths else "")

    def to_json(self) -> str:
        return json.dumps({"scenario": self.scenario, **nested(self.values)}, indent=1, sort_keys=True) + "\n"

    def to_line(self) -> str:
        """The same for a program, with dotted paths: a fifth of the time, which counts in sweeps."""
        return json.dumps({"scenario": self.scenario, **self.values})

    @property
    def simulated(self) -> dict[str, Value]:
        """What a result depends on: all but limits, which end a run or change nothing."""
        return {path: value for path, value in self.values.items() if not path.startswith(LIMITS)}

    @property
    def hash(self) -> str:
        return hashlib.sha256(Spec(self.scenario, self.simulated).to_json().encode()).hexdigest()[:10]
