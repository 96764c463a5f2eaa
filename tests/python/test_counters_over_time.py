# SPDX-License-Identifier: BSD-3-Clause
"""Counters over time: the chart and its numbers for made-up samples."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from hypermon._model import series
from hypermon._model.result import Result
from hypermon.errors import UserError
from hypermon.pictures import over_time
from tests.conftest import Hypermon
from tests.python import little_samples

# The last interval is after the program's end: there nothing grows.
STEADY = {
    "cpu.user": lambda at: 0.25 * at,
    "messages.bytes_received": lambda at: 1000 * at,
    "queue.posted": lambda _: 3,
}
FASTER = {**STEADY, "messages.bytes_received": lambda at: 3000 * at}


@pytest.fixture
def run(tmp_path: Path) -> Path:
    items = {"messages.bytes_received": ["short", "long"]}
    return little_samples.run(tmp_path / "run", [STEADY, FASTER], 5, items=items, stamped_off_s=2.0).path


def of_run(run: Path, names: list[str], **more: object) -> list[series.Series]:
    return series.of_run(Result(run), names, **more)  # type: ignore[arg-type]


def test_what_grows_is_a_rate_and_times_are_shares(run: Path) -> None:
    share, moved, posted = (of_run(run, [name])[0] for name in STEADY)
    assert share.unit == ""
    assert share.value[:-1] == pytest.approx(0.25)
    assert moved.unit == "B/s"
    assert moved.value[:-1] == pytest.approx(1000)
    assert posted.unit == "receives"
    assert set(posted.value) == {3}
    assert len(posted.value) == len(moved.value) + 1  # an interval has two ends


def test_a_line_a_node_or_all_together(run: Path) -> None:
    apart = of_run(run, ["messages.bytes_received"])
    assert [one.node for one in apart] == [0, 1]
    (together,) = of_run(run, ["messages.bytes_received"], together=True)
    assert together.value[:-1] == pytest.approx(4000)
    assert together.node is None


def test_an_item_alone(run: Path) -> None:
    assert of_run(run, ["messages.bytes_received:short"])[0].value == pytest.approx(0)
    assert of_run(run, ["messages.bytes_received:long"])[0].value[:-1] == pytest.approx(1000)


def test_a_sum_adds_the_values_of_nodes_at_the_same_time() -> None:
    """Node 1 is read half an interval later: in between, half of the growth has occurred."""
    a = np.arange(0.0, 5), np.arange(0.0, 5)
    b = np.arange(0.5, 5), 10 * np.arange(0.5, 5)
    times, values = series._sum([a, b], grows=True)
    assert list(times) == [1, 2, 3, 4]
    assert list(values) == [11, 22, 33, 44]


def test_no_rate_is_of_the_moment_between_two_sweeps_that_meet() -> None:
    """The counter is read every 200 ms from 2 s on, and also every second: at 3 s and 4 s it is read twice."""
    times = np.sort(np.concatenate([np.arange(0, 6.0), 0.0005 + np.arange(2, 4.9, 0.2)]))
    found = series._series("cpu.user", "ps", True, 0, times, 0.4e12 * times)
    assert found.value == pytest.approx(0.4)
    assert np.diff(found.time_s).min() > 0.1
    assert found.time_s[-1] == 5


def test_times_are_the_monitors_or_true(run: Path) -> None:
    stamped, true = (of_run(run, ["queue.posted"], clock=clock)[0].time_s for clock in ("stamped", "true"))
    assert stamped - true == pytest.approx(2.0)
    with pytest.raises(UserError, match=r"the run's monitor is none, which has no global clock"):
        of_run(run, ["queue.posted"], clock="global")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--counter", "cpu.usr"], "counter cpu.usr: the run has no samples of it: cpu.user, messages.bytes_received, "
         "queue.posted; did you mean cpu.user?"),
        (["--counter", "messages.bytes_received:shrt"], "has no such item: long, short; did you mean short?"),
        (["--node", "2"], "node 2: cpu.user was not sampled there: nodes 0 to 1 were"),
    ],
)  # fmt: skip
def test_bad_input_is_one_line(
    run: Path, tmp_path: Path, hypermon: Hypermon, arguments: list[str], message: str
) -> None:
    ended = hypermon("plot", "counters", str(run), *arguments, "-o", str(tmp_path / "a.svg"))
    assert ended.returncode == 2
    assert message in ended.stderr
    assert ended.stderr.count("\n") == 1
    assert not (tmp_path / "a.svg").exists()


def test_two_runs_over_each_other_and_their_numbers(run: Path, tmp_path: Path, hypermon: Hypermon) -> None:
    before = little_samples.run(tmp_path / "before", [STEADY, STEADY], 3).path
    options = ["--counter", "messages.bytes_received", "--sum", "--baseline", str(before)]
    picture, numbers = tmp_path / "a.svg", tmp_path / "a.csv"
    for out in (picture, numbers):
        assert hypermon("plot", "counters", str(run), *options, "-o", str(out)).returncode == 0
    text = picture.read_text()
    assert "run: all nodes together" in text
    assert "before: all nodes together" in text
    frame = pd.read_csv(numbers)
    assert list(frame.columns) == list(over_time.COLUMNS)
    assert frame.groupby("run")["value"].median().to_dict() == pytest.approx({"run": 4000, "before": 2000})


def test_other_pictures_have_no_counters(run: Path, tmp_path: Path, hypermon: Hypermon) -> None:
    ended = hypermon("plot", "latency", str(run), "--sum", "-o", str(tmp_path / "a.svg"))
    assert ended.returncode == 2
    assert "error: no such option: --sum" in ended.stderr


def test_a_counter_that_is_zero_everywhere_says_so(tmp_path: Path) -> None:
    idle = {**STEADY, "messages.bytes_received": lambda _: 0}
    items = {"messages.bytes_received": ["short", "long"]}
    run = little_samples.run(tmp_path / "run", [idle, idle], 5, items=items)
    figure = over_time.counters([run], ["messages.bytes_received", "queue.posted"])
    texts = [[one.get_text() for one in axes.texts] for axes in figure.axes]
    assert texts == [["zero in every sample"], []]
