# SPDX-License-Identifier: BSD-3-Clause
"""Printed text shows control characters of names, files and programs as escapes, in every encoding."""

from __future__ import annotations

import ast
import io
import json
import os
import pty
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ET
from collections.abc import Sequence
from pathlib import Path

import pytest

from hypermon import _printing
from hypermon._engine import check_files
from hypermon._engine.checks import Verdict
from hypermon.errors import SimulationError, UserError, cut

SOURCES = Path(__file__).resolve().parents[2] / "python"
COLOUR = "\x1b[38;5;199m"  # a colour that Rich uses for nothing here
EVIL = f"{COLOUR}PWNED\x1b]0;title\a\x7f\x9b31m\u202e\u2066[link=http://evil]x[/link]"
SHOWN = r"\u001b[38;5;199mPWNED\u001b]0;title\u0007\u007f\u009b31m\u202e\u2066[link=http://evil]x[/link]"
IN_YAML = re.sub("[\x00-\x1f\x7f-\x9f]", "", EVIL)  # other control characters are refused there
OF_RICH = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


# --- texts


def test_control_characters_are_shown_as_json_has_them() -> None:
    assert _printing.escaped(EVIL) == SHOWN
    assert _printing.escaped("a\tb\nc\r\n") == "a\tb\nc\\u000d\n"
    assert _printing.one_line("a\tb\nc\u2028") == r"a\u0009b\u000ac\u2028"
    assert _printing.escaped("grün – 北京 😀") == "grün – 北京 😀"
    assert _printing.escaped("\udcff\ufffe") == r"\udcff\ufffe"


@pytest.mark.parametrize("text", [EVIL, "\x00", "a\tb\nc", "\udcff", '"\\'])
def test_what_was_json_stays_json_with_the_same_meaning(text: str) -> None:
    raw = json.dumps(text, ensure_ascii=False)
    assert json.loads(_printing.escaped(raw)) == text


def test_an_error_has_no_control_characters_whoever_shows_it() -> None:
    assert str(UserError(EVIL, EVIL)) == f"{SHOWN} ({SHOWN})"
    assert str(SimulationError(f"a\n{EVIL}")) == f"a\n{SHOWN}"
    assert cut("a\nb") == r"a\u000ab"


@pytest.mark.parametrize(
    ("encoding", "shown"),
    [("ascii", r"gr\u00fcn \u2013 \ud83d\ude00"), ("latin-1", "grün \\u2013 \\ud83d\\ude00"), ("utf-8", "grün – 😀")],
)
def test_what_an_output_cannot_encode_is_shown_as_json_has_it(encoding: str, shown: str) -> None:
    raw = io.BytesIO()
    stream = io.TextIOWrapper(raw, encoding=encoding, errors=_printing.ERRORS)
    output = _printing.Output(stream)
    output.write("grün – 😀")
    output.flush()
    assert raw.getvalue().decode(encoding) == shown
    with pytest.raises(TypeError):
        output.write(b"bytes")  # type: ignore[arg-type]
    assert not hasattr(output, "buffer")


def test_tables_are_aligned_by_what_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    from hypermon.cli import render

    out = io.StringIO()
    screen = _printing.console(width=200, force_terminal=True, color_system=None)
    screen.file = out
    monkeypatch.setattr(render, "terminal", lambda: screen)
    render.show_all(render.table(("a", "b"), [(EVIL, "1"), ("x", "2")], title="[bold]t"), f"line {EVIL}")
    title, _, _, first, second, line = [text.rstrip() for text in out.getvalue().splitlines() if text.strip()]
    assert title == "[bold]t"
    assert first.strip().startswith(SHOWN)
    assert first.rindex("1") == second.rindex("2")
    assert line == f"line {SHOWN}"


# --- commands


DRIVER = """
import json, os, sys
from hypermon.cli import app
from hypermon.cli.start import main
for words in json.loads(sys.argv[1]):
    sys.stdout.flush()
    if not os.fork():
        sys.argv = ["hypermon", *(os.fsdecode(word.encode("utf-8", "surrogateescape")) for word in words)]
        main()
        os._exit(0)
    os.wait()
"""


def printed(commands: Sequence[Sequence[str]], terminal: bool = False, **environment: str) -> str:
    """Both outputs of the commands together, on a terminal or in a pipe."""
    command = [sys.executable, "-c", DRIVER, json.dumps(commands)]
    environment = {**os.environ, "COLUMNS": "300", "TERM": "xterm-256color", **environment}
    if not terminal:
        done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=True)
        return done.stdout.decode("utf-8", "surrogateescape")
    master, slave = pty.openpty()
    with subprocess.Popen(command, env=environment, stdin=slave, stdout=slave, stderr=slave):
        os.close(slave)
        output = b""
        while True:
            try:
                more = os.read(master, 1 << 16)
            except OSError:  # the last process has closed it
                break
            if not more:
                break
            output += more
    os.close(master)
    return output.decode("utf-8", "surrogateescape").replace("\r\n", "\n")


def foreign_controls(output: str) -> list[str]:
    """Control characters that Rich has not written."""
    return FORBIDDEN.findall(OF_RICH.sub("", output).replace("\r", ""))


@pytest.fixture
def hostile(scenarios: Path) -> list[list[str]]:
    """Commands with control characters in files, file names and arguments."""
    quoted, refused = json.dumps(IN_YAML), json.dumps(EVIL)
    (scenarios / "question.yaml").write_text(
        f"question: {quoted}\nset: {{monitor: none, nodes: 4}}\n"
        f"expect: [{{of: elapsed_s, is: 0, kind: published, source: {quoted}}}]\n"
    )
    (scenarios / "refused.yaml").write_text(f"question: {refused}\nset: {{nodes: 4}}\n")
    (scenarios / "value.yaml").write_text(f"question: q\nset: {{nodes: {quoted}}}\n")
    (scenarios / "key.yaml").write_text(f"question: q\n{quoted}: 1\n")
    (scenarios / f"name{EVIL.replace('/', '')}.yaml").write_text("question: q\nset: {monitor: none, nodes: 4}\n")
    Path("evil").mkdir()
    folder = f"evil/{EVIL.replace('/', '')}"
    return [
        ["scenarios"],
        ["run", "question", "--out", folder],
        ["run", "question", "--out", "other"],
        ["run", "refused"],
        ["run", "value"],
        ["run", "key"],
        ["run", f"name{EVIL.replace('/', '')}", "--out", "named"],
        ["run", EVIL],
        ["run", "question", "--set", f"{EVIL}=1"],
        ["run", "question", "--set", f"nodes={EVIL}"],
        ["run", "question", f"--{EVIL}"],
        [EVIL],
        ["check", "question", "--junit", "junit.xml"],
        ["check", "question", "--all"],
        ["compare", folder, "other"],
        ["compare", folder, "other", "--out", f"{folder}.html"],
        ["plot", "latency", folder, "--out", f"{folder}.svg"],
        ["sweep", "question", "--vary", "nodes=2,4", "--plan"],
        ["sweep", "question", "--vary", f"nodes={EVIL}"],
        ["platforms", "--json"],
        ["events", EVIL],
        ["import", "ti", f"{folder}.txt", "--out", "script"],
    ]


@pytest.mark.parametrize("terminal", [True, False], ids=["terminal", "pipe"])
def test_no_command_prints_control_characters_that_it_was_given(hostile: list[list[str]], terminal: bool) -> None:
    output = printed(hostile, terminal)
    assert "Traceback" not in output
    assert COLOUR not in output
    assert foreign_controls(output) == []
    assert "\n".join(line for line in output.splitlines() if r"\u001b[38;5;199mPWNED" in line)
    junit = ET.parse("junit.xml").getroot()
    assert FORBIDDEN.findall(ET.tostring(junit, encoding="unicode")) == []


@pytest.mark.parametrize(
    "environment",
    [
        {"PYTHONIOENCODING": "ascii"},
        {"PYTHONIOENCODING": "latin-1"},
        {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
    ],
    ids=["ascii", "latin-1", "C"],
)
def test_no_encoding_ends_a_command_with_a_traceback(scenarios: Path, environment: dict[str, str]) -> None:
    (scenarios / "grün.yaml").write_text(
        "question: Wie grün – 北京 😀?\nset: {monitor: none, nodes: 4}\n", encoding="utf-8"
    )
    odd = os.fsdecode(b"\xff\xfe")
    Path(f"{odd}.yaml").symlink_to(scenarios / "grün.yaml")
    commands = [
        ["scenarios"],
        ["run", "grün", "--out", "r"],
        ["run", f"{odd}.yaml"],
        ["run", "grün", "--set", f"nodes={odd}"],
        ["run", odd],
        ["run", "grün", "--out", odd],
        ["check", "grün"],
        ["compare", odd, "r"],
        ["compare", odd, "r", "--out", f"{odd}.html"],
        ["params", "port"],
        ["--help"],
    ]
    for terminal in (True, False):
        output = printed(commands, terminal, **environment)
        assert "Traceback" not in output
        assert "PWNED" not in output
    assert (Path(f"{odd}.html")).is_file()
    assert os.path.isfile(os.path.join(odd, "result.json"))  # noqa: PTH113, PTH118 (as the command named it)


def test_a_closed_output_is_no_error(scenarios: Path) -> None:
    (scenarios / "simple.yaml").write_text("question: q\nset: {monitor: none, nodes: 4}\n")
    command = f"{sys.executable} -c 'from hypermon.cli import main; main()' run simple >&-"
    done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


# --- JUnit


@pytest.mark.parametrize("text", [EVIL, "\ud800", "\ufffe\uffff", "\x00", "]]>&<\"'\r\n"])
def test_junit_is_well_formed_whatever_stands_in_it(text: str) -> None:
    where = f"{text}.yaml, line 3"
    verdicts = [
        Verdict(text, text, text, text, text, text, text, False, None, text, where, text),
        Verdict(text, text, "run", text, text, text, text, False, SimulationError(text), text, where, text),
    ]
    written = check_files.junit(verdicts)
    written.encode("utf-8")
    suite = ET.fromstring(written.encode("utf-8"))
    assert len(suite.findall("testcase/*")) == 2
    assert FORBIDDEN.findall(written) == []


# --- all output goes through it


def printing(source: str) -> list[str]:
    """Calls in a module that print directly, or that open another way to an output."""
    found = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call):
            name = ast.unparse(node.func)
            if name in ("print", "typer.echo", "click.echo", "rich.print") or name.endswith("Console"):
                found.append(name)
        if isinstance(node, ast.Attribute):
            name = ast.unparse(node)
            if re.fullmatch(r"sys\.(__)?std(out|err)(__)?\.(write|writelines|buffer)|sys\.__std\w+__", name):
                found.append(name)
    return found


def test_everything_is_printed_in_one_place() -> None:
    assert printing("print(1)\nsys.stdout.buffer.write(b'')\nrich.console.Console()\ntyper.echo('')\n") != []
    files = [path for path in SOURCES.glob("hypermon*/**/*.py") if path.name != "_printing.py"]
    assert {str(path): found for path in files if (found := printing(path.read_text(encoding="utf-8")))} == {}


def test_a_command_of_others_cannot_print_control_characters() -> None:
    code = (
        "import sys, typer\nfrom hypermon import _printing\n_printing.install()\n"
        f"text = {EVIL!r}\nprint(text)\nsys.stderr.write(text)\ntyper.echo(text)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert FORBIDDEN.findall(done.stdout + done.stderr) == []
    assert done.stdout.startswith(f"{SHOWN}\n")
    assert done.stderr == SHOWN


# --- ranks

PROGRAM = r"""
#include <mpi.h>
#include <stdio.h>
int main(int c, char** v) {
  MPI_Init(&c, &v);
  fprintf(c > 1 ? stderr : stdout, "bell \a escape \033[38;5;199mPWNED \x9b \xff <tag> ]]>\r\n");
  if (c > 1) *(volatile int*)0 = 1;
  return MPI_Finalize();
}
"""


@pytest.mark.worker
@pytest.mark.usefixtures("worker")
@pytest.mark.skipif(shutil.which("smpicc") is None, reason="smpicc is not installed")
def test_what_ranks_print_is_shown_with_escapes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("loud.c").write_text(PROGRAM)
    Path("loud.yaml").write_text(
        "question: Loud?\nset: {workload: program, program.file: loud.c, program.arguments: x, nodes: 2, monitor: none}\n"
        "expect: [{of: elapsed_s, max: 1, kind: golden}]\n"
    )
    run = ["run", "--program", "loud.c", "--np", "2", "--set", "monitor=none"]
    for terminal in (False, True):
        quiet = [] if terminal else ["--quiet"]  # a pipe gets the program's bytes unchanged
        output = printed(
            [[*run, "--show-output"], [*run, *quiet, "--", "x"], ["check", "loud.yaml", "--junit", "j.xml"]], terminal
        )
        assert output.count(r"bell \u0007 escape \u001b[38;5;199mPWNED") >= 3
        assert COLOUR not in output
        assert foreign_controls(output) == []
    (failed,) = ET.parse("j.xml").getroot().iter("error")
    assert "PWNED" in failed.get("message", "")
