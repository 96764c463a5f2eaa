# SPDX-License-Identifier: BSD-3-Clause
"""The command line as users see it."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib.metadata import entry_points
from pathlib import Path

import pytest

from tests.conftest import Hypermon


@pytest.mark.parametrize(
    "command", ["run", "check", "scenarios", "params", *entry_points(group="hypermon.commands").names]
)
def test_help_names_every_command(hypermon: Hypermon, command: str) -> None:
    assert f"\n  {command} " in hypermon("--help").stdout
    assert hypermon(command, "--help").returncode == 0


def test_help_loads_nothing_heavy() -> None:
    code = "import sys\nfrom hypermon.cli import app\nprint(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert not {"matplotlib", "numpy", "yaml", "rich.table"} & set(loaded)


@pytest.mark.usefixtures("fake")
class TestParams:
    def test_result_keys_and_events_are_described(self, hypermon: Hypermon) -> None:
        assert ["elapsed_s", "s", "Longest", "rank."] in [
            x.split() for x in hypermon("params", "result").stdout.splitlines()
        ]
        assert "0x21  tick" in hypermon("params", "events").stdout

    def test_json_lists_the_group(self, hypermon: Hypermon) -> None:
        listed = json.loads(hypermon("params", "port", "--json").stdout)
        assert [p["path"] for p in listed] == [
            "port.nibble_cost_ns",
            "port.delay",
            "port.delay_iteration_ns",
            "port.width_bits",
        ]
        assert listed[0]["unit"] == "ns"

    def test_a_group_begins_with_its_description(self, hypermon: Hypermon) -> None:
        assert hypermon("params", "port").stdout.startswith("port: A part.\n\n")
        assert "A part." not in hypermon("params", "port.delay").stdout

    def test_one_parameter_is_shown_in_full(self, hypermon: Hypermon) -> None:
        shown = hypermon("params", "software.us_per_byte").stdout
        assert "source       calibrated on Table 2 MatMul software" in shown

    def test_a_wrong_name_is_answered_with_the_nearest(self, hypermon: Hypermon) -> None:
        done = hypermon("params", "port.dealy")
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr == "error: port.dealy: no such parameter or group of parameters; did you mean port.delay?\n"


@pytest.mark.usefixtures("fake")
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("run", "table2/plce"), "table2/plce: no such scenario; did you mean table2/place?"),
        (("run", "table2/place", "--set", "nodes"), "--set nodes: must be PATH=VALUE"),
        (("run", "table2/place", "--set", "nodes=3"), "nodes = 3: must be a power of two from 1 to 128 (--set)"),
        (("run", "table2/place", "--set", "nodes=4", "--preset", "port/figure9"), "did you mean port/figure8? (--preset)"),
        (("check", "table3"), "table3: no such scenario"),
    ],
)  # fmt: skip
def test_a_users_mistake_is_one_line_and_exit_2(hypermon: Hypermon, arguments: tuple[str, ...], message: str) -> None:
    done = hypermon(*arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr
    assert done.stderr.startswith("error: ")
    assert done.stderr.count("\n") == 1
    assert list(Path.cwd().iterdir()) == []


def test_scenarios_answer_questions(hypermon: Hypermon) -> None:
    listed = {entry["name"]: entry for entry in json.loads(hypermon("scenarios", "--json").stdout)}
    programs = ("simplex", "life", "matmul", "place")
    assert set(listed) >= {f"{study}/{p}" for study in ("table2", "rates") for p in programs}
    assert all(entry["question"].endswith("?") for entry in listed.values())
    assert len({listed[f"table2/{p}"]["cases"] for p in programs}) == 1


@pytest.mark.usefixtures("fake")
def test_reference_pages_are_written_and_verified(hypermon: Hypermon) -> None:
    assert hypermon("docs", "ref", "--verify").returncode == 1
    assert hypermon("docs", "ref").returncode == 0
    assert (
        "| `ecb.window_ns` | 800 | ns | a multiple of 50 from 50 to 1000000000 |"
        in Path("ref/parameters.md").read_text()
    )
    assert "` sets number 2 alone" in Path("ref/parameters.md").read_text()
    assert "| [ecb](#ecb) | `ecb.inputs` |" in Path("ref/parameters.md").read_text()
    assert hypermon("docs", "ref", "--verify").returncode == 0
    Path("ref/result.md").write_text("edited")
    done = hypermon("docs", "ref", "--verify")
    assert (done.returncode, done.stdout) == (1, "ref/result.md: is out of date, run hypermon docs\n")
