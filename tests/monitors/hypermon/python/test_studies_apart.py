# SPDX-License-Identifier: BSD-3-Clause
"""The studies are a package of their own, which hypermon does not use; commands of other packages are found."""

from __future__ import annotations

import ast
import importlib.metadata
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from hypermon._model import entry_points
from hypermon.cli import plugins

ROOT = Path(__file__).parents[4]
SOURCES = ROOT / "python"
STUDIES = "hypermon_studies"
USED = {
    "hypermon": "__version__",
    "hypermon._engine.checks": "the lessons' scenarios are judged",
    "hypermon.cli.common": "options of commands",
    "hypermon._engine.progress": "",
    "hypermon._model.argument_checks": "arguments of coverage from Python",
    "hypermon._model.cards": "how coverage shows itself in a notebook",
    "hypermon.cli.render": "",
    "hypermon.diagnosis": "what is judged against causes that are known",
    "hypermon.diagnosis.rules": "",
    "hypermon.cli.root": "",
    "hypermon._comparing.designs": "what coverage leaves for hypermon compare",
    "hypermon.errors": "",
    "hypermon._files.csvfile": "",
    "hypermon._files.files": "",
    "hypermon._files.outputs": "",
    "hypermon._files.results": "studies replace their own earlier pages and data only",
    "hypermon._printing": "",
    "hypermon._inputs.expectations": "",
    "hypermon._model.expressions": "",
    "hypermon._model.native": "the boards that merging compares",
    "hypermon.pictures": "",
    "hypermon.pictures.library": "",
    "hypermon.pictures.style": "",
    "hypermon._inputs.platforms": "",
    "hypermon.monitors.hpvm.clock": "what HPVM's monitor has collected, on its global clock",
    "hypermon.monitors.hdtrace.timeline": "what processes, servers and disks did",
    "hypermon.timelines.tracks": "",
    "hypermon.monitors.scms.pictures.tree": "the tree at work",
    "hypermon._engine.recording": "",
    "hypermon.report.calibration": "which cells constants were chosen with",
    "hypermon.report.facts": "coverage judges runs as reports do",
    "hypermon.report.provenance": "whether a run is one of Table 2",
    "hypermon.report.rules": "",
    "hypermon._model.result": "",
    "hypermon._engine.runner": "",
    "hypermon._engine.sharing": "the lessons' cases share runs",
    "hypermon._inputs.scenario": "",
    "hypermon._model.schema": "",
    "hypermon._model.shapes": "whether curves repeat themselves",
    "hypermon._engine.sweeping": "runs that are not made twice",
    "hypermon._engine.sweeping.execute": "coverage replays designs as sweeps do",
    "hypermon._engine.sweeping.plan": "",
    "hypermon._engine.sweeping.store": "",
    "hypermon._model.spec": "",
    "hypermon._model.worker": "",
    "hypermon.monitors.hypermon.analysis": "what coverage asks of a recording",
    "hypermon.report.view": "",
    "hypermon.monitors.hypermon.recorded": "",
    "hypermon.monitors.hypermon.registers": "the board's, beside the paper's",
    "hypermon.monitors.hypermon.facts": "",
    "hypermon._model.words": "",
    "hypermon._model.cost": "what a monitor's hardware costs",
    "hypermon._files.places": "",
    "hypermon._files.yamlfile": "what presets say of themselves",
    "hypermon._model.catalogues": "",
    "hypermon._model.monitors": "who is compared",
    "hypermon._model.setups": "how they are set up, and what of them is turned",
    "hypermon.judging.judgement": "how far a picture is from the truth",
    "hypermon.report.chart": "",
    "hypermon.report.rendering": "",
    "hypermon.tradeoffs": "the best of each monitor",
}
"""Modules of hypermon that studies use, and the reason."""


def module(name: str) -> Path:
    """Path of a module without its suffix. The module may have been removed with its monitor."""
    return SOURCES / name.replace(".", "/")


def imported(file: Path) -> Iterator[str]:
    """Modules that a file imports, anywhere in it."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            for alias in node.names:
                inside = f"{node.module}.{alias.name}"
                place = SOURCES / inside.replace(".", "/")
                yield inside if place.is_dir() or place.with_suffix(".py").is_file() else node.module


def test_hypermon_imports_nothing_of_the_studies() -> None:
    files = [file for file in (SOURCES / "hypermon").rglob("*.py") if any(STUDIES in name for name in imported(file))]
    assert files == []


def test_studies_use_the_declared_modules_of_hypermon_and_no_others() -> None:
    files = list((SOURCES / STUDIES).rglob("*.py"))
    used = {name for file in files for name in imported(file) if name.partition(".")[0] == "hypermon"}
    assert len(files) > 10
    assert sorted(used - set(USED)) == []
    there = {name for name in USED if any(module(name).with_suffix(end).exists() for end in ("", ".py"))}
    assert sorted(there - used) == []


def run_alone(code: str, *folders: Path) -> subprocess.CompletedProcess[str]:
    """Runs the code with these folders instead of this tree's Python sources."""
    paths = [str(folder) for folder in folders]
    head = f"import sys; sys.path[:] = {paths} + [p for p in sys.path if p != {str(SOURCES)!r}]\n"
    environment = {**os.environ, "COLUMNS": "100"}
    return subprocess.run(
        [sys.executable, "-c", head + code], capture_output=True, text=True, check=False, env=environment
    )


@pytest.fixture(scope="module")
def core_alone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sources without the studies, and the tests that do not need them."""
    folder = tmp_path_factory.mktemp("core")
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(SOURCES / "hypermon", folder / "hypermon", ignore=ignored)
    return folder


def test_without_the_studies_every_module_of_hypermon_can_be_imported(core_alone: Path) -> None:
    done = run_alone(
        "import importlib, pkgutil, hypermon\n"
        f"assert hypermon.__file__.startswith({str(core_alone)!r}), hypermon.__file__\n"
        "names = [m.name for m in pkgutil.walk_packages(hypermon.__path__, 'hypermon.') if '_core' not in m.name]\n"
        "for name in names: importlib.import_module(name)\n"
        f"assert {STUDIES!r} not in sys.modules\n"
        "print(len(names))",
        core_alone,
    )
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 100


def test_without_the_studies_there_is_a_command_line_without_them(core_alone: Path) -> None:
    code = "from hypermon.cli import main; sys.argv = ['hypermon', '--help']; main()"
    done = run_alone(code, core_alone)
    assert done.returncode == 0, done.stderr
    assert "  sweep " in done.stdout
    assert "  study " not in done.stdout
    warning = f"warning: command study is left out: {STUDIES}.commands:add: No module named '{STUDIES}'"
    assert done.stderr.splitlines() == [warning]


def test_tests_of_the_core_do_not_need_the_studies() -> None:
    """Only the studies' own tests import them."""
    of_studies = {
        file.stem for file in (ROOT / "tests").rglob("*.py") if any(STUDIES in name for name in imported(file))
    }
    own = (
        "blind",
        "cells",
        "coverage",
        "coverage_from_python",
        "growth",
        "hpvm_study",
        "left_out",
        "mechanisms",
        "merging",
        "monhole_policies",
        "monhole_study",
        "monitors_programs",
        "monitors_study",
        "monitors_study_page",
        "papers",
        "published",
        "piosim_study",
        "releases",
        "scms_study",
        "studies",
        "study_answers",
        "tau_study",
    )
    assert of_studies == {f"test_{name}" for name in own if any((ROOT / "tests").rglob(f"test_{name}.py"))}


def test_commands_are_the_entry_points_that_the_standard_library_finds() -> None:
    points = importlib.metadata.entry_points(group=plugins.GROUP)
    assert entry_points.find_installed(plugins.GROUP) == sorted((point.name, point.value) for point in points)
    assert "study" in dict(entry_points.find_installed(plugins.GROUP))


def install(folder: Path, name: str, entry_points: str, module: str) -> Path:
    """Makes a package as pip installs it."""
    (folder / f"{name}-1.0.dist-info").mkdir(parents=True)
    (folder / f"{name}-1.0.dist-info" / "entry_points.txt").write_text(entry_points)
    (folder / f"{name}.py").write_text(module)
    return folder


OWN = """\
# of another group: a name is no command
[console_scripts]
mine = mine:main

[ hypermon.commands.others ]
x = x:y

[hypermon.commands]
; with extras, which pip has installed
mine = mine:add [more]
broken=mine:none
"""
MODULE = """
import typer
def add(app):
    @app.command()
    def mine(): typer.echo("mine it is")
"""


def test_a_package_of_ones_own_adds_a_command(tmp_path: Path) -> None:
    folder = install(tmp_path / "site", "mine", OWN, MODULE)
    done = run_alone(
        "from hypermon.cli import main; sys.argv = ['hypermon', 'mine']; main()", folder, SOURCES, tmp_path / "no"
    )
    assert (done.returncode, done.stdout) == (0, "mine it is\n")
    assert done.stderr == "warning: command broken is left out: mine:none: module 'mine' has no attribute 'none'\n"


def test_a_description_that_is_no_text_hides_no_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = install(tmp_path, "mine", OWN, MODULE)
    (folder / "bad-1.0.dist-info").mkdir()
    (folder / "bad-1.0.dist-info" / "entry_points.txt").write_bytes(b"[hypermon.commands]\n\xff\xfe\n")
    monkeypatch.setattr(sys, "path", [str(folder)])
    assert ("mine", "mine:add") in entry_points.find_installed(plugins.GROUP)
