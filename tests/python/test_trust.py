# SPDX-License-Identifier: BSD-3-Clause
"""docs/how-to/trust.md: which of a stranger's files run code, and which never do.

The stranger's program makes a file when it is compiled (a compiler option runs a command) and when it is loaded (a
constructor). The first tests show that it does, because the other tests need an attack that works.
"""

from __future__ import annotations

import dataclasses
import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import typer

from hypermon._files import places
from hypermon._inputs import scenario as scenarios
from hypermon._model import worker as workers
from hypermon.cli.app import app
from hypermon.report import repeat
from tests.conftest import Hypermon
from tests.registered import recordable

pytestmark = [
    pytest.mark.worker,
    pytest.mark.usefixtures("worker"),
    pytest.mark.skipif(shutil.which("smpicc") is None, reason="smpicc is not installed"),
]

RECORDED = recordable()
"""Monitors whose runs can be replayed."""
MPI = "#include <mpi.h>\nint main(int c, char** v) { MPI_Init(&c, &v); MPI_Barrier(MPI_COMM_WORLD); return MPI_Finalize(); }\n"


@dataclasses.dataclass(frozen=True)
class Stranger:
    """A stranger's folder with scenarios. `mark` exists if their code has run."""

    folder: Path
    mark: Path

    def scenario(self, name: str, **settings: object) -> Path:
        file = self.folder / f"{name}.yaml"
        given = {"workload": "program", "nodes": 2, "monitor": RECORDED[0] if RECORDED else "none", **settings}
        file.write_text(json.dumps({"question": "May I?", "set": given}))
        return file


@pytest.fixture
def stranger(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Stranger:
    folder = tmp_path / "sent"
    folder.mkdir()
    mark = tmp_path / "mark"
    (folder / "a.c").write_text(MPI)
    constructor = (
        f'#include <stdio.h>\n__attribute__((constructor)) static void leave(void) {{ fopen("{mark}", "w"); }}\n'
    )
    (folder / "loaded.c").write_text(constructor + MPI)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("HYPERMON_SCENARIOS", str(folder))
    work = tmp_path / "work"
    work.mkdir()
    monkeypatch.chdir(work)
    return Stranger(folder, mark)


@pytest.fixture
def compiled(stranger: Stranger) -> Path:
    """A scenario whose compiler options run a command."""
    return stranger.scenario(
        "compiled", **{"program.file": "a.c", "program.cflags": f"-wrapper env,sh,-c,:>{stranger.mark}"}
    )


@pytest.fixture
def loaded(stranger: Stranger) -> Path:
    """A scenario whose program runs code as soon as it is loaded."""
    subprocess.run(["smpicc", "loaded.c", "-o", "loaded.so"], cwd=stranger.folder, check=True)
    return stranger.scenario("loaded", **{"program.file": "loaded.so"})


@pytest.fixture
def built(stranger: Stranger) -> Path:
    """A scenario of a folder whose makefile runs a command."""
    (stranger.folder / "app").mkdir()
    (stranger.folder / "app" / "Makefile").write_text(f"app:\n\ttouch {stranger.mark}\n")
    return stranger.scenario("built", **{"program.file": "app"})


@pytest.mark.parametrize("how", ["compiled", "loaded", "built"])
def test_a_run_of_a_strangers_scenario_runs_their_code(
    stranger: Stranger, how: str, hypermon: Hypermon, request: pytest.FixtureRequest
) -> None:
    hypermon("run", str(request.getfixturevalue(how)))
    assert stranger.mark.exists()


RUNNING: dict[str, tuple[str, ...]] = {
    "run": (),
    "record": (),
    "check": (),
    "calibrate": ("--output", "calibration.json"),
    "sweep": ("--vary", "seed=1,2"),
    "size": ("--vary", "ecb.frame_fifo_frames", "--target", "events_lost=0"),
    "frontier": ("--word-ns", "500,800"),
    "tradeoffs": ("--vary", "ecb.frame_fifo_frames=16,32", "--trials", "2", "--minimize", "elapsed_s"),
    "study perturbation": (),
}
"""Commands that take a scenario, with what else they need."""
READING = {"rtl"}
"""Commands that only read the scenario that they take."""


def _commands() -> list[str]:
    """Commands with an argument that may be a scenario, according to their help."""
    found = []

    def visit(name: str, command: Any) -> None:
        for own, inner in getattr(command, "commands", {}).items():
            visit(f"{name} {own}".strip(), inner)
        arguments = [one for one in command.params if one.param_type_name == "argument"]
        texts = [getattr(one, "help", None) or "" for one in arguments]
        if any(re.search(r"scenario|Name, YAML file", text) for text in texts) and not command.hidden:
            found.append(name)

    visit("", typer.main.get_command(app))
    return found


def test_the_page_names_the_commands_that_run_a_scenario() -> None:
    names = {name.split()[0] for name in _commands()} - READING
    tried = {name.split()[0] for name in RUNNING}
    assert names <= tried
    page = (places.TREE / "docs/how-to/trust.md").read_text()
    paragraph = page[page.index("**Running a scenario runs its code") :].split("\n\n")[0]
    named = set(re.findall(r"`([a-z]+)`", paragraph)) - {"make"}
    assert names <= named <= tried


@pytest.mark.parametrize("command", RUNNING)
@pytest.mark.skipif(not RECORDED, reason="no monitor here has recordings")
def test_each_of_these_commands_runs_the_scenarios_code(
    command: str, stranger: Stranger, loaded: Path, hypermon: Hypermon
) -> None:
    if command not in _commands() and command != "check":
        pytest.skip("the command's part is not there")
    done = hypermon(*command.split(), str(loaded), *RUNNING[command])
    assert stranger.mark.exists(), done.stderr


def test_who_only_asks_runs_nothing(
    stranger: Stranger, compiled: Path, loaded: Path, built: Path, hypermon: Hypermon
) -> None:
    vary = ("--vary", "node.tick_ms=20,40", "--vary", "seed=1,2", "--plan")
    commands = [
        ("scenarios",),
        ("platforms",),
        ("params", "program"),
        ("params", "code"),
        ("events",),
        *(("sweep", str(file), *vary) for file in (compiled, loaded, built)),
    ]
    for command in commands:
        done = hypermon(*command)
        assert (done.returncode, done.stderr) == (0, ""), command
        assert not stranger.mark.exists(), command
    assert list(Path.cwd().iterdir()) == []


@pytest.mark.skipif(not RECORDED, reason="no monitor here has a capture board")
@pytest.mark.parametrize("how", ["compiled", "loaded", "built"])
def test_a_scenario_becomes_verilog_without_its_code(
    stranger: Stranger, how: str, hypermon: Hypermon, request: pytest.FixtureRequest
) -> None:
    done = hypermon("rtl", str(request.getfixturevalue(how)), "-o", "board")
    assert (done.returncode, done.stderr) == (0, "")
    assert not stranger.mark.exists()
    assert (Path("board") / "bench.v").exists()


@pytest.fixture
def recorded(stranger: Stranger, loaded: Path, hypermon: Hypermon) -> Path:
    """A recording of the stranger's program, without the mark that recording made."""
    assert hypermon("record", str(loaded), "--out", "run").returncode == 0
    stranger.mark.unlink()
    return Path("run")


@pytest.mark.skipif(not RECORDED, reason="no monitor here has recordings")
def test_what_takes_a_run_or_a_recording_runs_nothing(stranger: Stranger, recorded: Path, hypermon: Hypermon) -> None:
    for command in (
        ["report", recorded, "-o", "page.html"],
        ["plot", "occupancy", recorded, "-o", "picture.svg"],
        ["replay", recorded, "--set", "pbx.word_ns=500"],
        ["frontier", recorded, "--word-ns", "500,800"],
        ["size", recorded, "--vary", "ecb.frame_fifo_frames"],
        ["truth", recorded],
        ["timeline", recorded, "--format", "csv", "-o", "line.csv"],
        ["waves", recorded, "--window", "0s..1ms", "-o", "waves.vcd"],
    ):
        done = hypermon(*map(str, command))
        assert done.returncode == 0, (command, done.stderr)
        assert not stranger.mark.exists(), command


@pytest.mark.skipif(not RECORDED, reason="no monitor here has recordings")
def test_a_recording_is_replayed_where_its_program_is_not(
    stranger: Stranger, recorded: Path, hypermon: Hypermon
) -> None:
    (stranger.folder / "loaded.so").unlink()
    assert hypermon("replay", str(recorded)).returncode == 0


@pytest.mark.usefixtures("compiled")
def test_neither_a_replay_nor_a_report_compiles_what_the_run_names(stranger: Stranger, compiled: Path) -> None:
    schema = workers.schema()
    spec = scenarios.find_one(str(compiled)).resolve(schema, build=False)
    assert str(stranger.folder / "a.c") in str(spec.values["program.file"])
    assert scenarios.override(spec, schema, {"node.tick_ms": 40}, (), "").values["node.tick_ms"] == 40
    assert repeat.command(str(compiled), dict(spec.values), schema) is not None
    assert not stranger.mark.exists()


def test_a_plan_knows_what_was_compiled_before(stranger: Stranger) -> None:
    schema, found = workers.schema(), scenarios.find_one(str(stranger.scenario("plain", **{"program.file": "a.c"})))
    before = found.resolve(schema, build=False)
    made = found.resolve(schema)
    assert made != before
    assert found.resolve(schema, build=False) == made
