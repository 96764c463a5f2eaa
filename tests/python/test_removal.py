# SPDX-License-Identifier: BSD-3-Clause
"""A part of the program is one folder: without it, everything else configures, builds and passes its tests.

For every monitor and workload, nothing includes it and the rest configures. The rest of some is then linked from the
objects of the complete build, so that a missing symbol is noticed, and quick tests run without the HYPERMON monitor,
the largest part. `tests/removal/run` builds without each part in turn and runs all other tests.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.removal.parts import ROOT, STAYS, belongings, folders, without_rooms

INCLUDE = re.compile(r'^\s*#include "([^"]+)"', re.MULTILINE)
BUILT = (
    "CMakeLists.txt",
    "CMakePresets.json",
    "cmake",
    "base",
    "hw",
    "sw",
    "platforms",
    "waves",
    "benchmarks",
    "examples",
    "tests",
    "python/hypermon/_version.py",
)
READ = ("python", "scenarios", "docs", "pyproject.toml")
LINKED = [f for f in folders() if f in ("sw/monitors/software", "sw/monitors/hypermon", "sw/workloads/program")]
MOST = "sw/monitors/hypermon"
"""The largest part: its quick tests run without it in CI. It is always the same part, so that a failure is caused by
the change under test.
"""
QUICK = ("test_invariants", "test_no_cut_matters", "test_layers")
"""They need no scenario of the tree, and no package but the one beside them."""


def sources() -> Iterator[tuple[str, str]]:
    for top in ("hw", "sw", "platforms", "waves", "python/bindings", "tests", "benchmarks", "examples"):
        for file in sorted((ROOT / top).rglob("*")):
            if file.suffix in {".cpp", ".hpp", ".h", ".inc"}:
                yield str(file.relative_to(ROOT)), file.read_text()


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the files that are built."""
    copy = tmp_path_factory.mktemp("removal") / "tree"
    copy.mkdir()
    for name in BUILT:
        put(name, copy)
    return copy


def put(name: str, to: Path) -> None:
    """Copies a file or folder into a tree."""
    source = ROOT / name
    if source.is_dir():
        left_out = shutil.ignore_patterns("__pycache__", "_core*.so", "corpus")
        shutil.copytree(source, to / name, ignore=left_out, dirs_exist_ok=True)
    elif source.is_file():
        (to / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, to / name)


def run(*command: str | Path, **options: object) -> str:
    done = subprocess.run(  # type: ignore[call-overload]
        command, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False, **options
    )
    assert done.returncode == 0, done.stdout[-3000:]
    return str(done.stdout)


@pytest.fixture
def without(tree: Path, request: pytest.FixtureRequest) -> Iterator[Path]:
    """The copy without a folder and its belongings, which are put back afterwards."""
    gone = [path for path in belongings(request.param) if (tree / path).exists()]
    for path in gone:
        shutil.rmtree(tree / path) if (tree / path).is_dir() else (tree / path).unlink()
    yield tree
    for path in gone:
        put(path, tree)


def test_the_folders_are_those_that_register_something() -> None:
    assert {folder.split("/")[1] for folder in folders()} == {"monitors", "workloads"}
    assert [f for f in folders() if "hypermon_part(" not in (ROOT / f / "CMakeLists.txt").read_text()] == []


@pytest.mark.parametrize("folder", folders())
def test_nothing_outside_a_folder_includes_its_headers(folder: str) -> None:
    gone = belongings(folder)
    own = tuple(f"{path}/" for path in gone)
    outside = [
        f"{file} includes {header}"
        for file, text in sources()
        if file not in gone and not file.startswith(own) and not (folder == STAYS and file.startswith("tests/"))
        for header in INCLUDE.findall(text)
        if header.startswith(own)
    ]
    assert outside == []


@pytest.mark.parametrize("without", folders(), indirect=True)
def test_what_is_left_configures_with_its_tests(without: Path) -> None:
    if shutil.which("cmake") is None:
        pytest.skip("no cmake")
    run("cmake", "-S", without, "-B", without / "build", "-G", "Ninja")


def linked_without(folder: str, tree: Path, build: Path) -> Path:
    """hypermon-sim linked from the objects in `build`, without the folder's archives, and with the lists of `tree`'s
    parts.
    """
    link = run("ninja", "-C", build, "-t", "commands", "hypermon-sim").splitlines()[-1].split()
    command = [word for word in link if word not in {":", "&&"}]
    registered = "__/parts/"  # the lists' own objects: those of `tree` replace them
    gone = tuple(f"{path}/" for path in belongings(folder))
    archives = [w for w in command if w.endswith(".a") and w.startswith(gone)]
    assert archives, "what the folder compiles is joined with what stays"
    kept = [w for w in command if registered not in w and w not in archives]
    made = []
    for name in ("parts", "monitor_kinds", "workload_kinds"):
        made.append(tree / f"{name}.o")
        run("c++", "-std=c++20", "-w", f"-I{tree}", "-c", tree / f"build/parts/{name}.cpp", "-o", made[-1])
    program = tree / "build/bin/hypermon-sim"
    program.parent.mkdir(exist_ok=True)
    kept[kept.index("-o") + 1] = str(program)
    run(kept[0], *map(str, made), *kept[1:], cwd=build)
    return program


def is_not_described(folder: Path, program: Path) -> None:
    described = json.loads(run(program, "--describe"))
    kind = folder.parent.name
    assert folder.name not in {part["name"] for part in described[kind]}
    choices = {p["path"]: p for p in described["parameters"]}[kind.removesuffix("s")]
    assert folder.name not in choices["choices"]
    assert choices["default"] in choices["choices"]
    assert not [p for p in described["parameters"] if p["path"].startswith(folder.name + ".")]


@pytest.mark.worker
@pytest.mark.skipif(shutil.which("ninja") is None, reason="asks ninja how the simulator was linked")
@pytest.mark.parametrize("without", LINKED, indirect=True)
def test_what_is_left_links_and_describes_itself(without: Path, worker: Path, request: pytest.FixtureRequest) -> None:
    folder = request.node.callspec.params["without"]
    run("cmake", "-S", without, "-B", without / "build", "-G", "Ninja")
    program = linked_without(folder, without, worker.resolve().parents[1])
    is_not_described(Path(folder), program)
    if folder == MOST:
        quick_tests_pass(without, program, belongings(folder))


def quick_tests_pass(tree: Path, program: Path, gone: tuple[str, ...]) -> None:
    """Runs the quick tests in the tree, with the Python package without the removed folders."""
    for name in READ:
        put(name, tree)
    for one in gone:
        shutil.rmtree(tree / one, ignore_errors=True)
    page = tree / "docs/design/rooms.md"
    page.write_text(without_rooms(page.read_text(), gone))
    for module in (ROOT / "python/hypermon").glob("_core*.so"):
        (tree / "python/hypermon" / module.name).symlink_to(module.resolve())
    workloads = tree / "build/workloads"
    workloads.unlink(missing_ok=True) if workloads.is_symlink() else shutil.rmtree(workloads, ignore_errors=True)
    workloads.symlink_to(ROOT / "build/release/workloads")
    own = {"PYTHONPATH": str(tree / "python"), "HYPERMON_SIM": str(program), "XDG_CACHE_HOME": str(tree / "cache")}
    few = {"HYPERMON_TEST_RUNS": "8", "HYPERMON_TEST_CASES": "2"}
    there = [tree / f"tests/python/{name}.py" for name in QUICK]
    environment = {**os.environ, **own, **few}
    environment.pop("PYTEST_XDIST_WORKER", None)
    run(sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *there, cwd=tree, env=environment)
