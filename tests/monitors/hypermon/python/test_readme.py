# SPDX-License-Identifier: BSD-3-Clause
"""Answers in README have the numbers of the runs shown, and the commands that the demo suggests work as typed."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from hypermon._inputs import scenario

ROOT = Path(__file__).resolve().parents[4]
README = (ROOT / "README.md").read_text(encoding="utf-8")
NUMBER = re.compile(r"(?<![\w.])\d+(?:\.\d+)?")


def answers() -> list[tuple[str, str]]:
    """Commands and output of each question, and the answer below them."""
    return re.findall(r"^\*\*[^*]+\?\*\*(.*?)^\*Answer: (.*?)\*$", README, re.M | re.S)


def numbers(text: str) -> set[float]:
    """The values in the text: 3.50 in a table equals 3.5 in a sentence."""
    return {float(number) for number in NUMBER.findall(text)}


def test_there_are_five_questions_with_answers() -> None:
    assert len(answers()) == 5


@pytest.mark.parametrize(("shown", "answer"), answers(), ids=range(len(answers())))
def test_the_numbers_of_an_answer_are_in_what_was_run(shown: str, answer: str) -> None:
    run = "\n".join(re.findall(r"^```(?:sh|text)\n(.*?)^```$", shown, re.M | re.S))
    assert numbers(answer)
    assert numbers(answer) <= numbers(run.replace("=", " "))


def first_block() -> list[str]:
    """The commands of README's first block, without their comments."""
    block = re.search(r"```sh\n(.*?)```", README, re.S)
    assert block is not None
    return [line.partition("#")[0].strip() for line in block[1].splitlines()]


def next_commands() -> list[str]:
    """The commands that the demo ends with."""
    end = (ROOT / "scripts" / "demo").read_text(encoding="utf-8").partition("<<'END'")[2]
    return [line.partition("#")[0].strip() for line in end.splitlines() if line.startswith("  ")]


def typed(commands: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    """Runs the commands in a shell without this project's environment."""
    shell = ["env", "-i", f"HOME={folder}", "PATH=/usr/local/bin:/usr/bin:/bin", "LANG=C.UTF-8", "bash", "-e"]
    return subprocess.run(
        shell, input="\n".join(commands), cwd=folder, capture_output=True, text=True, check=False, timeout=300
    )


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """A folder with the environment that `scripts/setup` makes."""
    if not (ROOT / ".venv" / "bin" / "activate").is_file():
        pytest.skip("scripts/setup makes the environment")
    (tmp_path / ".venv").symlink_to(ROOT / ".venv")
    return tmp_path


def test_the_command_and_the_package_are_found_after_the_first_block(clone: Path) -> None:
    demo, activate, test = first_block()
    assert (demo, test) == ("scripts/demo", "scripts/test")
    done = typed([activate, "command -v hypermon", "python -c 'import hypermon'"], clone)
    assert done.returncode == 0, done.stderr
    missing = typed(["command -v hypermon"], clone)
    assert missing.returncode != 0  # without the line in between, the command is not found


@pytest.mark.worker
@pytest.mark.usefixtures("worker")
def test_what_the_demo_says_next_works_as_typed(clone: Path) -> None:
    activate, *commands = next_commands()
    assert activate == first_block()[1]
    assert len(commands) == 2
    if "table2/matmul" not in scenario.names():
        pytest.skip("a part is not there")
    study = ".venv/bin/hypermon study perturbation table2/matmul --set nodes=2 --set matmul.size=16 --out runs/demo"
    done = typed([study, activate, *commands], clone)
    assert done.returncode == 0, done.stderr
    assert (clone / "demo.html").is_file()
    assert "table2/matmul" in done.stdout
