# SPDX-License-Identifier: BSD-3-Clause
"""`hypermon tradeoffs` as users see it."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from typer.testing import CliRunner, Result

from hypermon.cli.app import app
from hypermon.pictures import designs
from hypermon.tradeoffs.watching import Watch

VARY = ("--vary", "port.delay=0:30", "--vary", "monitor=none,software")
ASK = ("tradeoffs", "little", *VARY)


@pytest.fixture(autouse=True)
def little(scenarios: Path) -> None:
    """The fake worker's program under two monitors; a delay slows it down under one of them."""
    (scenarios / "little.yaml").write_text("question: Which?\nset: {nodes: 4, fake.events: 10}\n")


def hypermon(*arguments: str) -> Result:
    """Runs in this process, so that Optuna and SALib are imported only once."""
    return CliRunner().invoke(app, list(arguments))


def told(*arguments: str) -> dict[str, Any]:
    done = hypermon(*ASK, *arguments, "--json")
    assert (done.exit_code, done.stderr) == (0, "")
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_the_front_is_shown_and_every_design_is_in_json() -> None:
    asked = ("--minimize", "elapsed_s", "--maximize", "spec.port.delay", "--trials", "12")
    found = told(*asked)
    front, looked_at = pd.DataFrame(found["front"]), pd.DataFrame(found["designs"])
    assert found["objectives"] == {"elapsed_s": "minimize", "spec.port.delay": "maximize"}
    assert set(looked_at["monitor"]) == {"none", "software"}
    beaten = [
        ((looked_at["elapsed_s"] <= row["elapsed_s"]) & (looked_at["port.delay"] > row["port.delay"])).any()
        for row in found["front"]
    ]
    assert not any(beaten)
    shown = hypermon(*ASK, *asked).stdout.splitlines()
    assert shown[0].startswith(f"Of the 12\u202fdesigns that were tried, {len(front)} are best: elapsed_s ")
    assert shown[2].split() == ["port.delay", "monitor", "elapsed_s", "spec.port.delay"]
    assert shown[-1] == "Each of the others is beaten by one of these, or equals it."


def test_no_design_beyond_a_limit_is_in_the_front() -> None:
    asked = ("--minimize", "elapsed_s", "--maximize", "spec.port.delay", "--trials", "12")
    found = told(*asked, "--limit", "spec.port.delay=10")
    assert found["limits"] == {"spec.port.delay": 10}
    assert max(row["port.delay"] for row in found["front"]) <= 10 < max(row["port.delay"] for row in found["designs"])
    assert hypermon(*ASK, *asked, "--limit", "spec.port.delay=10").stdout.endswith(", or is beyond a limit.\n")


@pytest.mark.parametrize("given", ["elapsed_s", "elapsed_s=much", "=3", "elapsed_s=nan"])
def test_a_limit_is_an_expression_and_a_number(given: str) -> None:
    done = hypermon(*ASK, "--minimize", "elapsed_s", "--limit", given)
    assert (done.exit_code, done.stderr) == (2, f"error: --limit {given}: must be EXPR=NUMBER, such as slowdown=1.01\n")


def test_a_seed_gives_the_same_designs_with_any_number_of_jobs() -> None:
    asked = ("--minimize", "elapsed_s", "--trials", "6", "--seed", "3")
    first = told(*asked, "--jobs", "1")
    assert first == told(*asked, "--jobs", "2")
    assert first["designs"] != told(*asked[:-1], "4")["designs"]


@pytest.mark.parametrize(("method", "samples", "columns"), [("morris", "3", 3 * 3), ("sobol", "4", 4 * 4)])
def test_the_parameter_that_decides_is_told(method: str, samples: str, columns: int) -> None:
    asked = ("--minimize", "spec.port.delay * 2", "--sensitivity", method, "--samples", samples)
    found = told(*asked)
    decides = {row["parameter"]: row["ST" if method == "sobol" else "mu_star"] for row in found["sensitivity"]}
    assert decides["monitor"] == 0
    assert decides["port.delay"] > 0.5
    assert len(found["samples"]) == columns
    shown = hypermon(*ASK, *asked).stdout
    assert shown.startswith("port.delay (")
    assert " matters most for spec.port.delay * 2.\n" in shown
    assert "were moved to the nearest allowed values" in shown


def test_where_no_parameter_matters_that_is_the_answer() -> None:
    asked = ("--minimize", "spec.nodes", "--sensitivity", "morris", "--samples", "2")
    assert hypermon(*ASK, *asked).stdout.startswith("No parameter changes spec.nodes.\n")


@pytest.mark.parametrize("more", [(), ("--sensitivity", "morris", "--samples", "2"), ("--maximize", "spec.port.delay")])
def test_a_picture_is_drawn(more: tuple[str, ...]) -> None:
    done = hypermon(*ASK, "--minimize", "elapsed_s", *more, "--trials", "4", "--plot", "it.png")
    assert (done.exit_code, done.stderr) == (0, "")
    assert done.stdout.splitlines()[-1] == "picture it.png"
    assert Path("it.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("little", *VARY), "--minimize or --maximize: must name a number of the result, such as --minimize elapsed_s"),
        (("little", "--minimize", "elapsed_s"), "--vary: must name a parameter, such as --vary nodes=4:16"),
        (("little", *VARY, "--minimize", "elapsd_s"), "elapsd_s: the result has no such number; did you mean elapsed_s?"),
        (("little", *VARY, "--minimize", "spec"), "spec: is not one number; there are spec.nodes, spec.seed, spec.monitor, "),
        (("little", *VARY, "--minimize", "elapsed_s", "--maximize", "elapsed_s"), "--maximize elapsed_s: given twice"),
        (("little", *VARY, "--vary", "port.delay=1,2", "--minimize", "elapsed_s"), "--vary port.delay: given twice"),
        (("little", "--vary", "port.delay=1:2:log:3", "--minimize", "elapsed_s"), "--vary port.delay=1:2:log:3: must be PATH=LOW:HIGH"),
        (("little", "--vary", "port.delay", "--minimize", "elapsed_s"), "--vary port.delay: must be PATH=LOW:HIGH"),
        (("little", "--vary", "port.delay=9:1", "--minimize", "elapsed_s"), "port.delay = (9, 1): the low end must be below the high end"),
        (("little", "--vary", "port.dealy=1:9", "--minimize", "elapsed_s"), "did you mean port.delay?"),
        (("little", *VARY, "--minimize", "elapsed_s", "--plot", "it.gif"), "it.gif: must end with one of .svg, .pdf, .png"),
        (("little", *VARY, "--minimize", "elapsed_s", "--samples", "4"), "--samples: applies only to --sensitivity"),
        (("little", *VARY, "--minimize", "elapsed_s", "--sensitivity", "sobol", "--samples", "5"), "samples = 5: must be a power of two"),
        (("litle", *VARY, "--minimize", "elapsed_s"), "litle: no such scenario; did you mean little?"),
    ],
)  # fmt: skip
def test_a_mistake_is_one_line_and_nothing_is_written(arguments: tuple[str, ...], message: str) -> None:
    done = hypermon("tradeoffs", *arguments)
    assert (done.exit_code, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert message in done.stderr
    assert [path.name for path in Path.cwd().iterdir() if not path.name.startswith(".")] == []


def test_a_missing_extra_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "optuna", None)
    done = hypermon(*ASK, "--minimize", "elapsed_s")
    assert (done.exit_code, done.stderr) == (
        2,
        "error: Optuna is not installed: pip install 'hypermon[tradeoffs]'\n",
    )


def test_designs_are_counted_once_whatever_ran_for_them() -> None:
    told: list[tuple[int, int]] = []
    watch = Watch(lambda finished, failed: told.append((finished, failed)))
    watch.begin(4)
    watch.point(3, 1)
    watch.point(2, 0)  # more runs than designs: also runs without a monitor
    watch.end(1)
    watch.begin(2)  # all known before
    watch.end(0)
    assert [sum(column) for column in zip(*told, strict=True)] == [4 + 2, 1]


def test_objectives_of_several_orders_of_magnitude_have_logarithmic_axes() -> None:
    table = pd.DataFrame({"nodes": [1, 2, 3], "a": [1.0, 10.0, 1000.0], "b": [1.0, 2.0, 3.0], "c": [0.0, 10.0, 1000.0]})
    figure = designs.front(table, table[:1], ["a", "b", "c"])
    scales = {(axes.get_xlabel(), axes.get_ylabel()): (axes.get_xscale(), axes.get_yscale()) for axes in figure.axes}
    assert scales[("a", "b")] == ("log", "linear")
    assert scales[("b", "c")] == ("linear", "linear")
