# SPDX-License-Identifier: BSD-3-Clause
"""Boards and modules in SystemC can be built outside the source tree, with an installed hypermon or a wheel's headers."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

import hypermon
from hypermon._files import places
from hypermon._model import worker
from hypermon._model.schema import Value
from tests.monitors.hypermon.python.test_own_boards import LITTLE, SCENARIO

pytestmark = [pytest.mark.worker, pytest.mark.usefixtures("worker")]


def build_folder() -> Path:
    return worker.find().resolve().parents[1]


def done(*command: str | Path, status: int = 0, **environment: str) -> str:
    ran = subprocess.run(command, env={**os.environ, **environment}, capture_output=True, text=True, check=False)
    assert ran.returncode == status, ran.stdout + ran.stderr
    return ran.stdout + ran.stderr


@pytest.fixture(scope="module")
def prefix(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("installed")
    done("cmake", "--install", build_folder(), "--component", "dev", "--prefix", folder)
    return folder


def another_systemc(folder: Path) -> Path:
    (folder / "sysc" / "kernel").mkdir(parents=True)
    numbers = (("MAJOR", 9), ("MINOR", 8), ("PATCH", 7))
    text = "".join(f"#define SC_VERSION_{part} {number}\n" for part, number in numbers)
    (folder / "sysc" / "kernel" / "sc_ver.h").write_text(text)
    return folder


@pytest.mark.parametrize(
    ("example", "parameter", "made"),
    [("own_board", "ecb.module", "own_board.so"), ("own_probe", "pbx.module", "own_probe.so")],
)
def test_an_example_is_built_against_the_installed_tree_alone(
    example: str, parameter: str, made: str, prefix: Path, tmp_path: Path
) -> None:
    source = prefix / "share" / "hypermon" / "examples" / example
    build = tmp_path / "build"
    done("cmake", "-S", source, "-B", build, f"-DCMAKE_PREFIX_PATH={prefix}", "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON")
    done("cmake", "--build", build)
    commands = json.loads((build / "compile_commands.json").read_text())
    arguments = [argument for command in commands for argument in shlex.split(command["command"])]
    assert [one for one in arguments if Path(one.removeprefix("-I")).is_relative_to(places.TREE)] == []
    outside: dict[str, Value] = {parameter: str(build / made)}
    inside: dict[str, Value] = {parameter: str(build_folder() / "examples" / example / made)}
    a = hypermon.run(SCENARIO, settings=LITTLE | outside, out=tmp_path / "outside")
    b = hypermon.run(SCENARIO, settings=LITTLE | inside, out=tmp_path / "inside")
    assert a["ledger"] == b["ledger"]
    assert a["latency_us"] == b["latency_us"]


def test_the_package_names_the_systemc_that_it_needs(prefix: Path, tmp_path: Path) -> None:
    source = prefix / "share" / "hypermon" / "examples" / "own_board"
    needed = worker.schema().versions["systemc"].partition("-")[0]
    for folder, found in ((another_systemc(tmp_path / "other"), "SystemC 9.8.7 in "), (tmp_path, "")):
        with_it = [f"-DCMAKE_PREFIX_PATH={prefix}", f"-DSYSTEMC_INCLUDE_DIR={folder if found else ''}"]
        if not found:
            with_it.append("-DCMAKE_FIND_ROOT_PATH=/nowhere")
            with_it.append("-DCMAKE_FIND_ROOT_PATH_MODE_INCLUDE=ONLY")
        output = " ".join(done("cmake", "-S", source, "-B", tmp_path / f"b{len(found)}", *with_it, status=1).split())
        assert f"hypermon was built with SystemC {needed}; found {found or 'no SystemC'}" in output


def test_the_headers_command_prints_what_a_board_is_built_with(tmp_path: Path) -> None:
    options = shlex.split(done(sys.executable, "-m", "hypermon.headers"))
    board = tmp_path / "board.so"
    source = places.TREE / "examples" / "own_board" / "board.cpp"
    done("g++", *options, "-shared", source, "-o", board)
    hypermon.run(SCENARIO, settings=LITTLE | {"ecb.module": str(board)}, out=tmp_path / "run")


def test_the_headers_command_refuses_another_systemc(tmp_path: Path) -> None:
    needed = worker.schema().versions["systemc"].partition("-")[0]
    other = another_systemc(tmp_path)
    assert done(sys.executable, "-m", "hypermon.headers", status=2, CPATH=str(other)) == (
        f"error: hypermon was built with SystemC {needed}; g++ finds SystemC 9.8.7 (Debian: libsystemc-dev)\n"
    )
