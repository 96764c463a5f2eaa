# SPDX-License-Identifier: BSD-3-Clause
"""Monitors are folders and packages that register themselves: the list of monitors is queried, and no code needs a
particular one.
"""

from __future__ import annotations

import contextlib
import importlib
import inspect
import json
import os
import pkgutil
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Generic, Protocol

import pytest

import hypermon
from hypermon._comparing.quantities import HasCompared
from hypermon._engine import sharing
from hypermon._engine.extras import HasExtras
from hypermon._engine.load import HasLoad
from hypermon._engine.replays import HasReplays
from hypermon._engine.runner import HasWorkloads
from hypermon._model import monitors
from hypermon._model.cost import HasCosts
from hypermon._model.routines import HasProfiles
from hypermon._model.series import HasTimes
from hypermon._model.setups import HasKnob
from hypermon._model.verdicts import HasVerdict
from hypermon._model.vocabulary import HasVocabulary
from hypermon.cli import plot as cli
from hypermon.judging.from_events import HasEmission
from hypermon.judging.judgement import HasPicture
from hypermon.monitors import Monitor
from hypermon.pictures.plots import HasPictures
from hypermon.report import page
from hypermon.report.rules import HasWords
from hypermon.report.view import HasReport
from hypermon.timelines.sources import HasTimeline
from tests.registered import load, needs

PACKAGE = Path(hypermon.__file__).parent
OURS = tuple(monitors.registered())
"""In this tree."""


def python(code: str, path: Path, cwd: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Runs the code with the modules in the folder `path` before all installed ones."""
    command = [sys.executable, "-W", "error", "-c", code]
    surroundings = os.environ | {"PYTHONPATH": str(path)} | environment
    return subprocess.run(command, cwd=cwd, env=surroundings, capture_output=True, text=True, check=False)


def test_monitors_are_listed_in_their_order() -> None:
    orders = [(one.order, one.name) for one in monitors.registered().values()]
    assert orders == sorted(orders)
    assert monitors.NOBODY in OURS


def test_a_monitor_that_only_the_worker_knows_has_nothing_here() -> None:
    another = monitors.find("another")
    assert (type(another), another.name, another.unit) == (Monitor, "another", "")
    assert monitors.part(another, HasReplays.replays) is None


class Asked(
    HasCompared, HasCosts, HasEmission, HasExtras, HasKnob, HasLoad, HasPicture, HasPictures, HasProfiles, HasReplays,
    HasReport, HasTimeline, HasTimes, HasVerdict, HasVocabulary, HasWords, HasWorkloads, cli.HasPictures, page.HasTimeline,
    sharing.HasReplays, Protocol,
):  # fmt: skip
    """All methods that general code calls, as it declares them."""


MONITOR: Asked = Monitor()  # mypy compares the two classes


def test_every_protocol_that_general_code_asks_by_is_compared_with_the_class() -> None:
    folders = (
        module for module in pkgutil.walk_packages(hypermon.__path__, "hypermon.") if "monitors" not in module.name
    )
    found = {
        one
        for module in folders
        for one in vars(importlib.import_module(module.name)).values()
        if inspect.isclass(one) and one.__name__.startswith("Has") and issubclass(one, Protocol)
    }
    assert found == set(Asked.__mro__) - {Asked, Protocol, Generic, object}


def methods() -> list[str]:
    return [name for name, of in inspect.getmembers(Monitor, inspect.isfunction) if not name.startswith("_")]


@pytest.mark.parametrize("monitor", OURS)
def test_a_monitor_gives_all_that_it_registers_and_says_without_importing_it_what_it_overrides(monitor: str) -> None:
    one = monitors.find(monitor)
    for name in methods():
        given = getattr(one, name)()
        assert (given is None or given in ({}, ())) != monitors.overrides(one, getattr(Monitor, name)), name
        for found in given.values() if isinstance(given, Mapping) else ():
            assert not callable(found) or list(inspect.signature(found).parameters) in ([], ["app"])
            assert not callable(found) or inspect.signature(found).parameters or found() is not None


def dependents(name: str) -> list[str]:
    """Monitors that are removed together with this one."""
    also = getattr(load("monitors", "belongings").get(name), "ALSO", ())
    return [one for one in OURS if f"python/hypermon/monitors/{one}" in also]


def copied(folder: Path) -> Path:
    """A copy of the package."""
    left_out = shutil.ignore_patterns("__pycache__", "_core*.so")
    shutil.copytree(PACKAGE, folder / "python" / "hypermon", ignore=left_out)
    for module in PACKAGE.glob("_core*.so"):
        (folder / "python" / "hypermon" / module.name).symlink_to(module.resolve())
    for beside in ("scenarios", "platforms", "sw", "waves"):
        (folder / beside).symlink_to(PACKAGE.parents[1] / beside)
    return folder / "python"


@contextlib.contextmanager
def without(name: str, path: Path, aside: Path) -> Iterator[None]:
    """Within the context, the copy is as if the monitor's folder had never existed."""
    aside.mkdir()
    folders = [path / "hypermon" / "monitors" / one for one in (name, *dependents(name))]
    for folder in folders:
        folder.rename(aside / folder.name)
    try:
        yield
    finally:
        for folder in folders:
            (aside / folder.name).rename(folder)


EVERY_MODULE = """
import importlib, pkgutil, hypermon
from hypermon._model import monitors
for module in pkgutil.walk_packages(hypermon.__path__, "hypermon."):
    importlib.import_module(module.name)
print(*monitors.registered())
"""
WITHOUT_IT = """
import json, os, sys
from pathlib import Path
import hypermon
from hypermon import UserError, report
from hypermon._model import cost
from hypermon._model import monitors
from hypermon.cli.app import app
from typer.testing import CliRunner

removed, *left = sys.argv[1:]
needs = json.loads(os.environ["NEEDS"])  # of the machine, by monitor
assert CliRunner().invoke(app, ["--help"]).exit_code == 0
listed = json.loads(CliRunner().invoke(app, ["params", "--json"]).output)
assert "monitor" in {one["path"] for one in listed}
for command, word in (("run", "--wave-trigger"), ("plot", "occupancy"), ("--help", "frontier")):
    output = CliRunner().invoke(app, [command, "--help"]).output
    assert (word in output) == ("hypermon" in left), output
runs = {}
for monitor in left:
    runs[monitor] = hypermon.run("table2/life", nodes=2, monitor=monitor, life={"generations": 2}, settings=needs[monitor], out=monitor)
    report.write(monitor, f"{monitor}.html")
    assert len(Path(f"{monitor}.html").read_text()) > 100_000
if len(runs) > 1:
    hypermon.compare(*runs.values()).save("compared.html")
swept = hypermon.sweep("table2/life", vary={"seed": [1, 2]}, settings={"nodes": 2, "monitor": left[-1], "life.generations": 2, **needs[left[-1]]},
                       metrics=["elapsed_s"], out="swept", progress=lambda *_: None)
assert not len(swept.failed)
if not any(monitors.parts(cost.HasCosts.costs).values()):
    assert not cost.known()
    for wanted in (lambda: hypermon.timelines.truth("none"), lambda: hypermon.size("table2/life", cost="cost.memory_bits")):
        try:
            wanted()
        except UserError as error:
            print(error)
        else:
            raise AssertionError("it needs the monitor that is not there")
"""


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One copy for all tests, because Python keeps its compiled modules beside it."""
    return copied(tmp_path_factory.mktemp("copy"))


@pytest.mark.worker
@pytest.mark.usefixtures("worker")
@pytest.mark.parametrize("name", OURS)
def test_the_package_without_a_monitors_folder_does_all_that_the_others_do(
    name: str, copy: Path, tmp_path: Path
) -> None:
    left = [one for one in OURS if one not in (name, *dependents(name))]
    needed = json.dumps({one: needs(one) for one in left})
    code = f"import sys; sys.argv[1:] = {[name, *left]}\n{WITHOUT_IT}"
    with without(name, copy, tmp_path / "aside"):
        done = python(EVERY_MODULE, copy, tmp_path, PYTHONDONTWRITEBYTECODE="")
        assert done.returncode == 0, done.stderr
        assert done.stdout.split() == left
        done = python(code, copy, tmp_path, PYTHONDONTWRITEBYTECODE="", NEEDS=needed)
        assert done.returncode == 0, done.stderr


# A package outside of hypermon.


def installed(folder: Path, module: str, target: str = "poller:MONITOR") -> Path:
    """A package as pip installs it: a module and its metadata."""
    folder.mkdir()
    (folder / "poller.py").write_text(f"from pathlib import Path\nfrom hypermon.monitors import Monitor\n{module}\n")
    about = folder / "poller-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: poller\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text(f"[{monitors.GROUP}]\npoller = {target}\n")
    return folder


def poller(*body: str) -> str:
    """A module with a monitor whose class has these lines."""
    return "\n    ".join(("class Poller(Monitor):", *body)) + "\nMONITOR = Poller()"


LISTED = """
from hypermon._model import monitors, worker
from hypermon.errors import UserError
try:
    print(*monitors.registered(), [path.name for path in monitors.plugins()], worker.program()[1:])
except UserError as error:
    print(error)
"""


def test_a_package_outside_registers_its_monitor_and_the_workers_part_of_it(tmp_path: Path) -> None:
    plugin = tmp_path / "libpoller.so"
    plugin.touch()
    path = installed(tmp_path / "site", poller('name = "poller"', 'unit = "bytes"', f"plugin = Path({str(plugin)!r})"))
    done = python(LISTED, path, tmp_path)
    assert done.stderr == ""
    assert done.stdout.strip() == f"{' '.join(OURS)} poller ['libpoller.so'] {['--plugin', str(plugin)]}"


@pytest.mark.parametrize(
    ("module", "target", "message"),
    [
        (
            "MONITOR = 1",
            "poller:MONITOR",
            "poller:MONITOR (hypermon.monitors): must be an object of a subclass of hypermon.monitors.Monitor",
        ),
        ("MONITOR = Monitor", "poller:MONITOR", "must be an object of a subclass of hypermon.monitors.Monitor"),
        (
            'MONITOR = Monitor("poller", report="poller:VIEW")',
            "poller",
            "cannot be imported: TypeError: Monitor() takes no arguments",
        ),
        (
            poller('name = "poller"', "def reprot(self): ..."),
            "poller",
            "cannot be imported: TypeError: Poller.reprot: hypermon.monitors.Monitor has none; did you mean report?",
        ),
        (
            poller('name = "poller"', 'report = "poller:VIEW"'),
            "poller",
            "TypeError: Poller.report: must be a method, as in hypermon.monitors.Monitor",
        ),
        (
            poller('name = "poller"', "def unit(self): ..."),
            "poller",
            "TypeError: Poller.unit: must be a value, as in hypermon.monitors.Monitor",
        ),
        (poller('unit = "bytes"'), "poller", "has no name, the value of the parameter monitor"),
        ("MONITOR = 1", "poller:OTHER", "cannot be imported: AttributeError: module 'poller' has no attribute 'OTHER'"),
        ("import not_there", "poller:MONITOR", "cannot be imported: ModuleNotFoundError: No module named 'not_there'"),
        (poller('name = "none"'), "poller", "monitor none: is registered twice (hypermon.monitors)"),
        (poller('name = "poller"', 'plugin = Path("gone.so")'), "poller", "gone.so: no such file; it is to be built"),
    ],
)
def test_what_is_wrong_with_such_a_package_is_said_in_one_line(
    module: str, target: str, message: str, tmp_path: Path
) -> None:
    done = python(LISTED, installed(tmp_path / "site", module, target), tmp_path)
    assert done.stderr == ""
    assert done.stdout.startswith("monitor ")
    assert done.stdout.strip().endswith(message)
    assert done.stdout.count("\n") == 1
