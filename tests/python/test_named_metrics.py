# SPDX-License-Identifier: BSD-3-Clause
"""`--metric NAME=EXPR` gives a metric a name, which the other options and the output use."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from hypermon.cli.app import app

RATE = "rate=events / elapsed_s"


@pytest.fixture(autouse=True)
def little(scenarios: Path) -> None:
    (scenarios / "little.yaml").write_text("question: Which?\nset: {monitor: software, nodes: 4}\n")


def printed(*arguments: str) -> Any:
    done = CliRunner().invoke(app, [*arguments, "--json"])
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)


def refused(*arguments: str) -> str:
    done = CliRunner().invoke(app, list(arguments))
    assert done.exit_code == 2
    return done.stderr


def test_a_sweep_has_a_column_of_that_name(tmp_path: Path) -> None:
    rows = printed(
        *("sweep", "little", "--vary", "nodes=2,4", "-o", str(tmp_path / "s")),
        *("--metric", RATE, "--metric", "events", "--metric", "elapsed_s"),
    )
    assert [row["rate"] for row in rows] == pytest.approx([row["events"] / row["elapsed_s"] for row in rows])
    assert list(rows[0])[-3:] == ["rate", "events", "elapsed_s"]


def test_tradeoffs_limits_and_minimises_it() -> None:
    asked = ("tradeoffs", "little", "--vary", "port.delay=0:30", "--minimize", "elapsed_s", "--metric", RATE)
    every = printed(*asked, "--maximize", "rate", "--trials", "8")
    rates = [design["rate"] for design in every["designs"]]
    middle = sorted(rates)[len(rates) // 2]
    limited = printed(*asked, "--limit", f"rate={middle}", "--trials", "8")
    assert limited["front"]
    assert all(design["rate"] <= middle for design in limited["front"])


def test_a_sensitivity_is_about_it() -> None:
    found = printed(
        *("tradeoffs", "little", "--vary", "port.delay=0:30", "--vary", "monitor=none,software"),
        *("--minimize", "rate", "--metric", RATE, "--sensitivity", "morris", "--samples", "2"),
    )
    assert {row["of"] for row in found["sensitivity"]} == {"rate"}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ("size", "little", "--metric", "events"),
            "--metric events: must be NAME=EXPR, such as rate='events / elapsed_s'",
        ),
        (("size", "little", "--metric", "rate="), "--metric rate=: must be NAME=EXPR"),
        (
            ("sweep", "little", "--vary", "nodes=2,4", "--metric", RATE, "--metric", "rate=events"),
            "--metric rate=events: rate is given twice",
        ),
        (
            ("tradeoffs", "little", "--vary", "nodes=2,4", "--minimize", "elapsed_s", "--metric", RATE),
            "--metric rate: --minimize, --maximize or --limit must name it",
        ),
    ],
)
def test_a_mistake_is_named(arguments: tuple[str, ...], message: str) -> None:
    assert message in " ".join(refused(*arguments).split())
