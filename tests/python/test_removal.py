"""A monitor or a workload is one folder: without it, everything else configures and builds.

All are taken away at CMake's level, and by what includes what; some, or with HYPERMON_REMOVE_ALL=1 all, are built too.
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
BUILT = ("sw/monitors/software", "sw/workloads/program")


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


@pytest.mark.worker
@pytest.mark.skipif(shutil.which("ccache") is None, reason="builds the simulator anew: only with what ccache keeps")
@pytest.mark.parametrize("without", folders() if os.environ.get("HYPERMON_REMOVE_ALL") else BUILT, indirect=True)
def test_what_is_left_builds_and_describes_itself(without: Path, request: pytest.FixtureRequest) -> None:
    folder = Path(request.node.callspec.params["without"])
    cache = json.loads((without / "CMakePresets.json").read_text())["configurePresets"]
    options = [f"-D{k}={v}" for k, v in cache[0].get("cacheVariables", {}).items() if isinstance(v, str)]
    build = without / "build"
    run("cmake", "-S", without, "-B", build, "-G", "Ninja", *options, "-DHYPERMON_TESTS=OFF")
    run("ninja", "-C", build, "hypermon-sim")
    described = json.loads(run(build / "bin/hypermon-sim", "--describe"))
    kind = folder.parent.name
    assert folder.name not in {part["name"] for part in described[kind]}
    choices = {p["path"]: p for p in described["parameters"]}[kind.removesuffix("s")]
    assert folder.name not in choices["choices"]
    assert choices["default"] in choices["choices"]
