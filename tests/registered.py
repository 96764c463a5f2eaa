# SPDX-License-Identifier: BSD-3-Clause
"""Modules with fixed names, by which the folder of a monitor or a workload adds to the tests of all of them.

    tests/monitors/<name>/fuzz.py        TARGETS: functions that read its files (tests/fuzz)
                          invariants.py  statements that are true of all its results (tests/python/result_invariants.py)
                          drawing.py     its random settings, for invariants and cuts (tests/python/random_specs.py);
                                         NEEDS: settings of the machine without which it is refused;
                                         SELDOM: settings with which it samples less often than once in a run
                          mutations.py   its rules, broken on purpose (tests/mutation)
                          loading.py     FILES: its parameters that name files, with settings under which they are read
                                         (tests/python/test_declared_code.py)
                          belongings.py  ALSO: further files that are removed with it (tests/removal)

The modules in tests/workloads/<name>/ are the same.
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
    """Returns the names of all monitors, or of all workloads."""
    if kind == "monitors":
        return list(monitors.registered())
    return sorted(folder.name for folder in (HERE.parent / "sw" / kind).iterdir() if folder.is_dir())


def made(name: str, unit: str = "", tells: tuple[str, ...] = ()) -> Monitor:
    """Makes a monitor that is not registered."""
    one = Monitor()
    one.name, one.unit, one.tells = name, unit, tells
    return one


def observers() -> list[str]:
    """Returns the monitors that receive the program's events: not `none`, and not those that only take samples."""
    return [name for name, one in monitors.registered().items() if one.unit and one.unit != "samples" and not one.own]


def recordable() -> list[str]:
    """Returns the monitors whose runs can be recorded and replayed."""
    return [name for name, one in monitors.registered().items() if monitors.overrides(one, HasReplays.replays)]


def needs(monitor: str) -> dict[str, Any]:
    """Returns the settings of the machine without which the monitor is refused."""
    return dict(getattr(load("monitors", "drawing").get(monitor), "NEEDS", {}))


def load(kind: str, module: str) -> dict[str, ModuleType]:
    """Imports the modules of that name. Returns them by the name of their monitor or workload."""
    having = [name for name in names(kind) if (HERE / kind / name / f"{module}.py").is_file()]
    return {name: importlib.import_module(f"tests.{kind}.{name}.{module}") for name in having}


def all_of(module: str, attribute: str) -> list[Any]:
    """Returns the items of that attribute in the modules of all monitors and workloads."""
    return [one for kind in KINDS for found in load(kind, module).values() for one in getattr(found, attribute, ())]
