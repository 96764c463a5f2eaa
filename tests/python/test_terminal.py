# SPDX-License-Identifier: BSD-3-Clause
"""Terminal output of commands: help in groups, errors in one style, the conclusion of a sweep."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from hypermon._engine.sweeping import conclusion
from hypermon._model import vocabulary

Hypermon = Callable[..., "subprocess.CompletedProcess[str]"]


def test_commands_are_in_groups_and_no_help_is_cut(hypermon: Hypermon) -> None:
    output = hypermon("--help").stdout
    groups = re.findall(r"^([A-Z][a-z ]+):$", output, re.M)
    assert groups == ["Options", "Run", "Explore designs", "Examine results", "Monitors", "Data", "Further commands"]
    assert "..." not in output.partition("\nRun:\n")[2]
    assert re.search(r"^Explore designs:\n  explore .*\n  sweep .*\n  size ", output, re.M)
    assert re.search(r"^Monitors:\n(  .*\n)*  frontier ", output, re.M)


def test_parameters_have_their_source(hypermon: Hypermon, worker: Path) -> None:
    assert worker.exists()
    assert "HYPERMON sec. 5.1" in hypermon("params", "pbx").stdout


ROWS = [
    {"status": "ok", "depth": depth, "word": word, "ledger.lost_total.events": lost, "elapsed_s": float(depth)}
    for depth, word, lost in [(1, 1, 5), (2, 1, 0), (4, 1, 0), (1, 2, 0), (2, 2, 3), (4, 2, 0), (1, 3, 9), (4, 3, 9)]
]


def test_a_sweep_ends_with_the_least_value_from_which_on_nothing_is_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vocabulary, "find", lambda _: vocabulary.Vocabulary(sized="depth"))
    metrics = ["ledger.lost_total.events"]
    assert conclusion.conclude(ROWS, ["depth", "word"], metrics, "hypermon") == [
        "4 of 8 designs lose nothing.",
        "Least depth without loss for each word: 1: 2; 2: 4; 3: none.",  # 2: depth 1 works by chance, as depth 2 loses
    ]
    assert conclusion.conclude(ROWS[:3], ["depth"], metrics, "hypermon")[1] == "Least depth without loss: 2."
    failed = [{**row, "status": "failed"} for row in ROWS]
    assert conclusion.conclude(failed, ["depth"], metrics, "hypermon") == []


def test_a_sweep_without_losses_names_the_ends_of_its_first_number() -> None:
    assert conclusion.conclude(ROWS, ["depth", "word"], ["elapsed_s"], "hypermon") == [
        "elapsed_s is least with depth = 1, word = 1: 1; most with depth = 4, word = 1: 4."
    ]
    same = [{**row, "elapsed_s": 2.5} for row in ROWS]
    assert conclusion.conclude(same, ["depth"], ["elapsed_s"], "hypermon") == ["elapsed_s is 2.5 at every point."]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["run", "--nosuch"], "no such option: --nosuch (Possible options: --out); see hypermon run --help"),
        (["nosuch"], "no such command 'nosuch'; see hypermon --help"),
        (
            ["size", "x", "--repeats", "0"],
            "invalid value for '--repeats': 0 is not in the range x>=1; see hypermon size --help",
        ),
        (["plot", "loss"], "missing argument 'RUN_OR_SWEEP...'; see hypermon plot loss --help"),
        (["run", "nosuch"], "nosuch: no such scenario; see hypermon scenarios"),
    ],
)
def test_all_errors_have_one_style(words: list[str], message: str) -> None:
    code = "import sys; sys.argv[0] = 'hypermon'; from hypermon.cli import main; main()"
    done = subprocess.run([sys.executable, "-c", code, *words], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (2, "", f"error: {message}\n")
