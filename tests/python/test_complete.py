# SPDX-License-Identifier: BSD-3-Clause
"""Completions that the shell offers after TAB (hypermon.cli.complete)."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

PROGRAM = [sys.executable, "-c", "from hypermon.cli.app import app; app(prog_name='hypermon')"]


def offered(words: str) -> list[str]:
    """Completions of the last word, requested as bash does."""
    typed = f"hypermon {words}".split(" ")
    asked = {"_HYPERMON_COMPLETE": "complete_bash", "COMP_WORDS": " ".join(typed), "COMP_CWORD": str(len(typed) - 1)}
    done = subprocess.run(PROGRAM, env={**os.environ, **asked}, capture_output=True, text=True, check=True)
    assert done.stderr == ""
    return done.stdout.split()


@pytest.mark.usefixtures("fake")
@pytest.mark.parametrize(
    ("words", "some"),
    [
        ("swe", {"sweep"}),
        ("run table2/p", {"table2/place"}),
        ("run --platform tor", {"torus64"}),
        ("run table2/place --set port.dela", {"port.delay=", "port.delay_iteration_ns="}),
        ("run table2/place -s port.dela", {"port.delay=", "port.delay_iteration_ns="}),
        ("run table2/place --set nosuch", set()),
        ("sweep table2/place --vary port.wi", {"port.width_bits="}),
        ("sweep table2/place --metric elap", {"elapsed_s"}),
        ("check table2/ma", {"table2/matmul"}),
        ("params po", {"port", "port.delay"}),
        ("events m", {"mpi"}),
    ],
)
def test_names_are_offered_where_they_are_asked_for(words: str, some: set[str]) -> None:
    found = offered(words)
    assert some <= set(found)
    assert bool(found) == bool(some)
    assert all(name.startswith(words.rpartition(" ")[2]) for name in found)


@pytest.mark.usefixtures("fake")
def test_what_may_be_chosen_is_offered_behind_a_path() -> None:
    asked = {"_HYPERMON_COMPLETE": "complete_fish", "_TYPER_COMPLETE_FISH_ACTION": "get-args"}
    asked["_TYPER_COMPLETE_ARGS"] = "hypermon run table2/place --set monitor="
    done = subprocess.run(PROGRAM, env={**os.environ, **asked}, capture_output=True, text=True, check=True)
    assert {"monitor=none", "monitor=hypermon"} <= set(done.stdout.split())


@pytest.mark.usefixtures("fake")
def test_runs_are_offered_and_the_folders_that_lead_there() -> None:
    for name, file in (("a", "result.json"), ("b", "recording.arrow"), ("c", "other")):
        Path("runs", name).mkdir(parents=True)
        Path("runs", name, file).touch()
    Path("runs/b/result.json").touch()
    Path("mine.yaml").touch()
    assert offered("report r") == ["runs/"]
    assert offered("report runs/") == ["runs/a", "runs/b", "runs/c/"]
    assert offered("run mi") == ["mine.yaml"]
    assert offered("report nowhere/") == []


@pytest.mark.usefixtures("fake")
def test_a_completion_is_quick() -> None:
    """The limit is five times the import of Typer on the same machine; the minimum of a few alternating tries counts."""

    def cpu_s(ask: Callable[[], object]) -> float:
        before = os.times()
        ask()
        after = os.times()
        return after.children_user + after.children_system - before.children_user - before.children_system

    def complete() -> None:
        offered("sweep table2/place --set port.dela")

    def import_typer() -> None:
        subprocess.run([sys.executable, "-c", "import typer"], check=True)

    complete()  # the worker's description is remembered
    tries = [(cpu_s(complete), cpu_s(import_typer)) for _ in range(7)]
    assert min(one for one, _ in tries) < 5 * min(other for _, other in tries)


@pytest.mark.usefixtures("fake")
@pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not installed")
def test_bash_completes_with_what_show_completion_prints(tmp_path: Path) -> None:
    program = tmp_path / "bin" / "hypermon"
    program.parent.mkdir()
    program.write_text(f"#!{sys.executable}\nfrom hypermon.cli import main\n\nmain()\n")
    program.chmod(0o755)
    environment = {**os.environ, "PATH": f"{program.parent}:{os.environ['PATH']}"}
    words = ["bash", "-c", "hypermon --show-completion bash && true"]  # detects the shell that has called it
    shown = subprocess.run(words, env=environment, capture_output=True, text=True)
    ask = 'COMP_WORDS=(hypermon run table2/pl); COMP_CWORD=2; _hypermon_completion hypermon; echo "${COMPREPLY[@]}"'
    done = subprocess.run(["bash", "-c", f"{shown.stdout}\n{ask}"], env=environment, capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("table2/place\n", "")


# --- names that a shell would execute

HOSTILE = [
    "a$(touch ran)", "a`touch ran`", "a\\$(touch ran)", "a';touch ran;'", 'a";touch ran;"', "a;touch ran", "a|touch ran",
    "a&touch ran", "a\ntouch ran", "a:$(touch ran)", "a[$(touch ran)]", "a{b,c}", "a*", "a?", "a<ran", "a>ran", "a b",
    "a!b", "a#b", "a(touch ran)", "a\x1b[31m", "-a", "=a", "a\\",
]  # fmt: skip


@pytest.fixture
def hostile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with one harmless file and many harmful names, as files, runs and recordings."""
    folder = tmp_path / "sent"
    folder.mkdir()
    for name in HOSTILE:
        (folder / f"{name}.yaml").touch()
        (folder / f"{name}run").mkdir()
        (folder / f"{name}run" / "result.json").touch()
    (folder / "good.yaml").touch()
    monkeypatch.chdir(folder)
    return folder


@pytest.mark.usefixtures("fake", "hostile")
@pytest.mark.parametrize("words", ["run ", "run a", "report ", "report a", "run -", "run =", "check a", "events "])
def test_no_name_is_offered_that_a_shell_would_obey(hostile: Path, words: str) -> None:
    os.chdir(hostile)
    for name in offered(words):
        assert not set(name) & set("$`\\'\";|&\n:[]{}*?<>!#() \x1b")
        assert name[0] not in "-=" or re.fullmatch(r"-\w|--[\w-]+", name)  # options are ours
    if words == "run ":
        assert "good.yaml" in offered(words)


ASKED = {
    "bash": """
{script}
for word in '' a a\\\\; do
  COMP_WORDS=(hypermon run "$word"); COMP_CWORD=2; COMPREPLY=()
  _hypermon_completion hypermon
  eval "set -- ${{COMPREPLY[*]}}"
done
""",
    "zsh": """
autoload -Uz compinit; compinit -u -D
_arguments() {{ local one; for one in "$@"; do [[ $one == *"(("* ]] && eval "ws=( ${{one#*:*:}} )"; done }}
_files() {{ : }}
{script}
for word in '' a 'a\\\\'; do
  words=(hypermon run "$word"); CURRENT=3
  _hypermon_completion
done
""",
    "fish": """
{script}
for word in '' a 'a\\\\'
  for found in (complete --escape --do-complete "hypermon run $word")
    eval "set chosen $found"
  end
end
""",
}


@pytest.mark.usefixtures("fake")
@pytest.mark.parametrize("shell", ASKED)
def test_a_shell_that_completes_runs_nothing_of_a_name(hostile: Path, tmp_path: Path, shell: str) -> None:
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed")
    program = tmp_path / "bin" / "hypermon"
    program.parent.mkdir()
    program.write_text(f"#!{sys.executable}\nfrom hypermon.cli import main\n\nmain()\n")
    program.chmod(0o755)
    environment = {**os.environ, "PATH": f"{program.parent}:{os.environ['PATH']}", "HOME": str(tmp_path)}
    asked = {"_HYPERMON_COMPLETE": f"source_{shell}", "_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION": "1"}
    shown = subprocess.run([str(program)], env=environment | asked, capture_output=True, text=True, check=False)
    assert "complet" in shown.stdout, shown.stderr
    text = ASKED[shell].format(script=shown.stdout)
    done = subprocess.run([shell, "-c", text], env=environment, capture_output=True, text=True, check=False)
    assert not list(hostile.rglob("ran")), done.stderr
