"""A monitor or a workload is one folder: without it, everything else configures and builds.

All are taken away at CMake's level, and by what includes what. Some, or with HYPERMON_REMOVE=all all, are then linked from
what was compiled with them, so that no symbol of theirs can be missed. With HYPERMON_REMOVE=sw/monitors/software (any
folder) everything is built anew.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
INCLUDE = re.compile(r'^\s*#include "([^"]+)"', re.MULTILINE)
SHARED = {"common"}  # what the workloads' programs share is no workload
# HYPERMON's hardware, its waves, and what is tested, measured and shown of them.
HARDWARE = ("hw/hypermon", "waves")
OF_HARDWARE = ("tests", "benchmarks", "examples")
REMOVE = os.environ.get("HYPERMON_REMOVE", "")  # all: every one is linked; a folder: it is built, which takes minutes
SOME = ("sw/monitors/software", "sw/monitors/hypermon", "sw/workloads/program")


def folders() -> list[str]:
    found = [*(ROOT / "sw/monitors").iterdir(), *(ROOT / "sw/workloads").iterdir()]
    return sorted(str(f.relative_to(ROOT)) for f in found if f.is_dir() and f.name not in SHARED)


def removed_with(folder: str) -> tuple[str, ...]:
    """What belongs to a part beside its folder."""
    return (folder, *HARDWARE) if folder == "sw/monitors/hypermon" else (folder,)


def sources() -> Iterator[tuple[str, str]]:
    for top in ("hw", "sw", "platforms", "waves", "python/bindings"):
        for file in sorted((ROOT / top).rglob("*")):
            if file.suffix in {".cpp", ".hpp", ".h", ".inc"}:
                yield str(file.relative_to(ROOT)), file.read_text()


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of what is built."""
    copy = tmp_path_factory.mktemp("removal") / "tree"
    copy.mkdir()
    for name in ("CMakeLists.txt", "CMakePresets.json", "cmake", "hw", "sw", "platforms", "waves", "benchmarks"):
        source = ROOT / name
        shutil.copytree(source, copy / name) if source.is_dir() else shutil.copyfile(source, copy / name)
    return copy


def run(*command: str | Path) -> str:
    done = subprocess.run(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    assert done.returncode == 0, done.stdout[-3000:]
    return done.stdout


@pytest.fixture
def without(tree: Path, request: pytest.FixtureRequest) -> Iterator[Path]:
    """The copy without a folder; which is put back afterwards."""
    gone = removed_with(request.param)
    for path in gone:
        shutil.rmtree(tree / path)
    yield tree
    for path in gone:
        shutil.copytree(ROOT / path, tree / path)


def test_the_folders_are_those_that_register_something() -> None:
    assert {"sw/monitors/none", "sw/monitors/software", "sw/workloads/matmul"} <= set(folders())
    assert [f for f in folders() if "hypermon_part(" not in (ROOT / f / "CMakeLists.txt").read_text()] == []


@pytest.mark.parametrize("folder", folders())
def test_nothing_outside_a_folder_includes_its_headers(folder: str) -> None:
    own = tuple(f"{path}/" for path in removed_with(folder))
    outside = [
        f"{file} includes {header}"
        for file, text in sources()
        if not file.startswith(own)
        for header in INCLUDE.findall(text)
        if header.startswith(own)
    ]
    assert outside == []


@pytest.mark.parametrize("without", folders(), indirect=True)
def test_what_is_left_configures(without: Path) -> None:
    if shutil.which("cmake") is None:
        pytest.skip("no cmake")
    run("cmake", "-S", without, "-B", without / "build", "-G", "Ninja", "-DHYPERMON_TESTS=OFF")


def linked_without(folder: str, tree: Path, build: Path) -> Path:
    """hypermon-sim from what `build` has compiled, but for the folder's archives, and the lists of `tree`'s parts."""
    link = run("ninja", "-C", build, "-t", "commands", "hypermon-sim").splitlines()[-1].split()
    command = [word for word in link if word not in {":", "&&"}]
    registered = "__/parts/"  # the lists' own objects: those of `tree` take their place
    gone = tuple(f"{path}/" for path in removed_with(folder))
    kept = [w for w in command if registered not in w and not (w.endswith(".a") and w.startswith(gone))]
    made = []
    for name in ("parts", "monitor_kinds", "workload_kinds"):
        made.append(tree / f"{name}.o")
        run("c++", "-std=c++20", "-w", f"-I{tree}", "-c", tree / f"build/parts/{name}.cpp", "-o", made[-1])
    program = tree / "build/bin/hypermon-sim"
    program.parent.mkdir(exist_ok=True)
    kept[kept.index("-o") + 1] = str(program)
    done = subprocess.run([kept[0], *map(str, made), *kept[1:]], cwd=build, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
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
@pytest.mark.parametrize("without", folders() if REMOVE == "all" else SOME, indirect=True)
def test_what_is_left_links_and_describes_itself(without: Path, worker: Path, request: pytest.FixtureRequest) -> None:
    folder = request.node.callspec.params["without"]
    run("cmake", "-S", without, "-B", without / "build", "-G", "Ninja", "-DHYPERMON_TESTS=OFF")
    is_not_described(Path(folder), linked_without(folder, without, worker.resolve().parents[1]))


@pytest.mark.worker
@pytest.mark.skipif(REMOVE not in folders(), reason="builds the simulator anew: HYPERMON_REMOVE=sw/monitors/hypermon")
@pytest.mark.parametrize("without", [REMOVE], indirect=True)
def test_what_is_left_builds_from_the_beginning(without: Path) -> None:
    build = without / "build"
    run("cmake", "-S", without, "-B", build, "-G", "Ninja", "-DHYPERMON_TESTS=OFF")
    run("ninja", "-C", build, "hypermon-sim")
    is_not_described(Path(REMOVE), build / "bin/hypermon-sim")
