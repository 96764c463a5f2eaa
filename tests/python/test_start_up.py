# SPDX-License-Identifier: BSD-3-Clause
"""Commands load few modules and reuse the answers of earlier processes, so that they start quickly."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from hypermon._inputs.programs import versions

HEAVY = {
    "hypermon._model.result_types",
    "hypermon._engine.checks",
    "hypermon._inputs.expectations",
    "hypermon._inputs.programs.building",
    "numpy",
    "pandas",
    "pyarrow",
    "xarray",
    "matplotlib",
    "pydantic",
    "rich",
    "yaml",
    "xml.etree",
    "concurrent.futures",
    "decimal",
    "fractions",
    "logging",
}
PROGRAM = "#include <mpi.h>\nint main(int c, char** v) { MPI_Init(&c, &v); return MPI_Finalize(); }\n"


def loaded(folder: Path, *words: str) -> set[str]:
    """The modules that a command has imported by its end."""
    code = f"""
import atexit, sys
atexit.register(lambda: print("MODULES", *sys.modules))
sys.argv[1:] = {list(words)}
from hypermon.cli import main
main()
"""
    done = subprocess.run([sys.executable, "-c", code], cwd=folder, capture_output=True, text=True, check=True)
    return set(done.stdout.splitlines()[-1].split()[1:])


@pytest.mark.worker
@pytest.mark.usefixtures("worker")
def test_a_run_of_a_program_waits_for_nothing_that_it_does_not_need(tmp_path: Path) -> None:
    (tmp_path / "hello.c").write_text(PROGRAM)
    found = loaded(tmp_path, "run", "--program", "hello.c", "--np", "2")
    assert "hypermon._engine.runner" in found
    assert not HEAVY & found
    assert not {name for name in found if name.startswith("hypermon.cli.")} - {
        f"hypermon.cli.{name}"
        for name in ("common", "complete", "program", "progress", "render", "root", "run", "start", "summary", "tables")
    }


@pytest.mark.usefixtures("fake")
@pytest.mark.parametrize("words", [("--version",), ("params", "nodes")])
def test_what_runs_nothing_waits_for_less(words: tuple[str, ...], tmp_path: Path) -> None:
    found = loaded(tmp_path, *words)
    assert not (HEAVY | {"hypermon.cli.app", "hypermon.cli.run"}) & found


@pytest.mark.worker
@pytest.mark.usefixtures("worker")
def test_recordings_and_sweeps_do_not_wait_for_pandas(tmp_path: Path) -> None:
    """pyarrow would import pandas for each array that it makes (hypermon._files.arrow)."""
    for words in (
        ("record", "collection/ring", "--set", "nodes=2", "--out", "run"),
        ("replay", "run"),
        ("size", "run"),
        ("frontier", "run", "--word-ns", "500,1000"),
        ("sweep", "collection/ring", "--set", "nodes=2", "--vary", "pbx.word_ns=500,1000"),
        ("run", "hpvm/zoom", "--out", "samples"),
        ("run", "collection/ring", "--set", "nodes=2", "--activity", "--out", "activity"),
        ("judge", "activity"),
    ):
        found = loaded(tmp_path, *words)
        assert "pyarrow" in found, words
        assert "pandas" not in found, words


@pytest.mark.worker
@pytest.mark.usefixtures("worker")
def test_the_report_of_a_run_without_series_waits_for_no_arrays(tmp_path: Path) -> None:
    loaded(tmp_path, "run", "collection/ring", "--set", "nodes=2", "--out", "run")
    found = loaded(tmp_path, "report", "run", "-o", "run.html")
    assert "jinja2" in found
    assert not {"numpy", "hypermon.timelines", "hypermon._engine.sweeping"} & found


@pytest.mark.worker
@pytest.mark.usefixtures("worker")
def test_a_comparison_in_words_waits_for_no_picture(tmp_path: Path) -> None:
    for nodes in ("2", "4"):
        loaded(tmp_path, "run", "collection/ring", "--set", f"nodes={nodes}", "--out", nodes)
    assert not {"numpy", "pandas", "matplotlib", "jinja2"} & loaded(tmp_path, "compare", "2", "4")


def test_the_module_is_the_command() -> None:
    done = [
        subprocess.run([*start, "run", "nonsense"], capture_output=True, text=True, check=False)
        for start in ([Path(sys.executable).with_name("hypermon")], [sys.executable, "-m", "hypermon"])
    ]
    assert [one.returncode for one in done] == [2, 2]
    assert done[0].stderr == done[1].stderr != ""


def status_and_output(code: str, *words: str) -> tuple[int, str]:
    """Exit status and output of a program with these arguments."""
    environment = {**os.environ, "COLUMNS": "100"}
    command = [sys.executable, "-c", code, *words]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    return done.returncode, done.stdout + done.stderr


@pytest.mark.parametrize(
    "words",
    [
        *([command, "--help"] for command in ("run", "check", "params", "platforms", "record", "replay", "report")),
        ["sweep", "--help"],
        ["--help"],
        ["-h"],
        [],
    ],
    ids=" ".join,
)
def test_what_is_answered_by_a_part_is_as_of_the_whole_command_line(words: list[str]) -> None:
    whole = status_and_output("from hypermon.cli.app import app; app(prog_name='hypermon')", *words)
    assert (
        status_and_output("import sys; sys.argv[0] = 'hypermon'; from hypermon.cli import main; main()", *words)
        == whole
    )
    assert "Usage: hypermon" in whole[1]


class TestCompilersVersions:
    @pytest.fixture(autouse=True)
    def compiler(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """Makes an smpicc that counts its calls, before a compiler that prints its version."""
        monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
        monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
        versions.query.cache_clear()
        (tmp_path / "cc").symlink_to("/bin/true")
        self.script = tmp_path / "smpicc"
        self.says("1.0")

    def says(self, version: str, compiler: str = "cc") -> None:
        folder = self.script.parent
        self.script.write_text(
            f'#!/bin/sh\necho "$*" >> {folder}/asked\n'
            f"case $1 in -version) echo SimGrid;; -show) echo {folder}/{compiler} -c;; *) echo {version};; esac\n"
        )
        self.script.chmod(0o755)

    def asked(self) -> int:
        """Number of calls since the last query; this process forgets its answer."""
        versions.query.cache_clear()
        log = self.script.parent / "asked"
        count = len(log.read_text().splitlines()) if log.exists() else 0
        log.unlink(missing_ok=True)
        return count

    def test_are_asked_once(self) -> None:
        first = versions.query("smpicc")
        assert (first, self.asked()) == ("SimGrid\n1.0\n", 3)
        assert (versions.query("smpicc"), self.asked()) == (first, 0)

    def test_are_asked_again_when_the_script_changes(self) -> None:
        versions.query("smpicc")
        self.asked()
        self.says("2.0 and more")
        assert versions.query("smpicc") == "SimGrid\n2.0 and more\n"

    def test_are_asked_again_when_another_compiler_has_the_name(self) -> None:
        versions.query("smpicc")
        self.asked()
        (self.script.parent / "cc").unlink()
        (self.script.parent / "cc").symlink_to("/bin/false")
        versions.query("smpicc")
        assert self.asked() > 0

    def test_are_asked_again_in_another_language(self, monkeypatch: pytest.MonkeyPatch) -> None:
        versions.query("smpicc")
        self.asked()
        monkeypatch.setenv("LC_ALL", "de_DE")
        versions.query("smpicc")
        assert self.asked() > 0

    @pytest.mark.parametrize("stand_in", ["ccache", "script"])
    def test_of_what_stands_for_a_compiler_are_asked_each_time(self, stand_in: str) -> None:
        program = self.script.parent / stand_in
        if stand_in == "ccache":
            program.symlink_to("/bin/true")
        else:
            program.write_text("#!/bin/sh\n")
            program.chmod(0o755)
        self.says("1.0", stand_in)
        versions.query("smpicc")
        self.asked()
        versions.query("smpicc")
        assert self.asked() == 3

    def test_that_are_damaged_on_disk_are_asked_again(self) -> None:
        output = versions.query("smpicc")
        self.asked()
        (kept,) = (self.script.parent / "cache" / "hypermon").glob("compiler-*.json")
        kept.write_text(json.dumps({"files": [], "output": "nonsense"}))
        assert (versions.query("smpicc"), self.asked()) == (output, 3)
