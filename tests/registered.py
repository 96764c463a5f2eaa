# SPDX-License-Identifier: BSD-3-Clause
"""What each monitor and each workload brings to tests of all: modules of agreed names in its folder of tests.

    tests/monitors/<name>/fuzz.py        TARGETS: what it reads from outside (tests/fuzz)
                          invariants.py  what is true of its results (tests/python/result_invariants.py)
                          drawing.py     random settings of it, for invariants and cuts (tests/python/random_specs.py);
                                         NEEDS: settings of the machine without which it is refused;
                                         SELDOM: settings of a monitor that samples less often than a run is long
                          mutations.py   rules of it, broken on purpose (tests/mutation)
                          loading.py     FILES: its parameters that name files, with settings under which they are read
                                         (tests/python/test_declared_code.py)
                          belongings.py  what else goes when it goes (tests/removal)

and likewise tests/workloads/<name>/.
"""

from __future__ import annotations

import importlib
from pathlib import Path
from types import ModuleType
from typing import Any

from hypermon._engine.replays import HasReplays
from hypermon._model import monitors
from hypermon.monitors import Monitor

HERE = Path(__file__).parent
KINDS = ("monitors", "workloads")


def names(kind: str) -> list[str]:
    """Of those that there are."""
    if kind == "monitors":
        return list(monitors.registered())
    return sorted(folder.name for folder in (HERE.parent / "sw" / kind).iterdir() if folder.is_dir())


def made(name: str, unit: str = "", tells: tuple[str, ...] = ()) -> Monitor:
    """A monitor that is registered nowhere."""
    one = Monitor()
    one.name, one.unit, one.tells = name, unit, tells
    return one


def observers() -> list[str]:
    """Monitors that are told of the program's events; `none` is not, nor is one that only takes samples."""
    return [name for name, one in monitors.registered().items() if one.unit and one.unit != "samples" and not one.own]


def recordable() -> list[str]:
    """Monitors whose runs can be recorded and replayed."""
    return [name for name, one in monitors.registered().items() if monitors.has(one, HasReplays.replays)]


def needs(monitor: str) -> dict[str, Any]:
    """Settings of the machine without which the monitor is refused."""
    return dict(getattr(load("monitors", "drawing").get(monitor), "NEEDS", {}))


def load(kind: str, module: str) -> dict[str, ModuleType]:
    """By the name of its part; those that there are, imported."""
    having = [name for name in names(kind) if (HERE / kind / name / f"{module}.py").is_file()]
    return {name: importlib.import_module(f"tests.{kind}.{name}.{module}") for name in having}


def all_of(module: str, attribute: str) -> list[Any]:
    """All that the parts have there, one after the other."""
    return [one for kind in KINDS for found in load(kind, module).values() for one in getattr(found, attribute, ())]
