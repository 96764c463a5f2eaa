# SPDX-License-Identifier: BSD-3-Clause
"""Sizes of real machines from recordings must equal those from whole replays and co-simulations."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import hypermon
from hypermon._engine.workers import Job, Workers
from hypermon.errors import UserError
from tests.conftest import Hypermon

pytestmark = [pytest.mark.worker, pytest.mark.usefixtures("worker")]
FIFO = "ecb.frame_fifo_frames"
PLACE16 = {"nodes": 16, "place.attempts": 800, "place.accepted": 200}


@pytest.fixture(scope="module")
def recordings(tmp_path_factory: pytest.TempPathFactory) -> list[hypermon.Recording]:
    """Two seeds of a short Place, whose nodes write faster than the prototype's bus reads."""
    folder = tmp_path_factory.mktemp("recordings")
    return [
        hypermon.record("table2/place", settings={**PLACE16, "seed": seed}, out=folder / str(seed)) for seed in (1, 2)
    ]


@pytest.fixture
def command(request: pytest.FixtureRequest) -> Hypermon:
    """The command line; the name `hypermon` is the package here."""
    made: Hypermon = request.getfixturevalue("hypermon")
    return made


def test_one_frame_less_than_the_answer_loses_and_the_answer_does_not(recordings: list[hypermon.Recording]) -> None:
    answer = hypermon.size(recordings[0], settings={"pbx.word_ns": 600})
    assert isinstance(answer.value, int)
    lost = {
        depth: hypermon.replay(recordings[0], {FIFO: depth, "pbx.word_ns": 600})["monitor"]["frames"]["lost"]
        for depth in (answer.value - 1, answer.value)
    }
    assert lost[answer.value - 1] > 0
    assert lost[answer.value] == 0


def test_the_slowest_bus_for_a_share_that_may_be_lost(recordings: list[hypermon.Recording]) -> None:
    answer = hypermon.size(recordings[0], 0.01, {"pbx.word_ns": range(300, 1600, 50)})
    assert isinstance(answer.value, int)
    for word_ns, meets in ((answer.value, True), (answer.value + 50, False)):
        ledger = hypermon.replay(recordings[0], {"pbx.word_ns": word_ns})["ledger"]
        assert (ledger["lost_total"]["nibbles"] <= 0.01 * ledger["generated"]["nibbles"]) == meets


def test_recordings_are_repeats(recordings: list[hypermon.Recording]) -> None:
    both = hypermon.size(recordings, settings={"pbx.word_ns": 600}, confidence=0.7)
    alone = [hypermon.size(recording, settings={"pbx.word_ns": 600}).value for recording in recordings]
    assert both.per_seed == {1: alone[0], 2: alone[1]}
    assert both.value == max(int(value or 0) for value in alone)
    assert both.bounded  # with two repeats, the larger one bounds the median with probability 3/4


def test_recordings_of_the_same_seed_are_no_repeats(recordings: list[hypermon.Recording]) -> None:
    with pytest.raises(UserError, match="two of them have the same seed"):
        hypermon.size([recordings[0], recordings[0]])
    with pytest.raises(UserError, match="repeats = 3: there are 2 recordings, one is one repeat"):
        hypermon.size(recordings, repeats=3)


def test_a_recording_is_not_sized_for_what_the_nodes_writing_depends_on(recordings: list[hypermon.Recording]) -> None:
    with pytest.raises(UserError, match=r"port.delay = .*: the data that the nodes write depend on it"):
        hypermon.size(recordings[0], vary="port.delay")


def test_a_scenario_is_recorded_once_for_each_seed_and_sized_like_its_recording(
    recordings: list[hypermon.Recording], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    runs: list[Path] = []
    simulate = Workers.run

    def counted(self: Workers, job: Job, *more: Any) -> None:
        runs.append(job.spec_file)
        simulate(self, job, *more)

    monkeypatch.setattr(Workers, "run", counted)
    answer = hypermon.size("table2/place", settings={**PLACE16, "pbx.word_ns": 600}, repeats=2)
    assert answer.per_seed == hypermon.size(recordings, settings={"pbx.word_ns": 600}).per_seed
    assert len(runs) == 2


def test_the_frontier_has_the_same_depths(recordings: list[hypermon.Recording], command: Hypermon) -> None:
    """The frontier uses another method: one pass over unlimited FIFOs instead of a search over limited ones."""
    words = [300, 600, 900]
    answer = hypermon.size(recordings[0], vary={FIFO: None, "pbx.word_ns": words}, cost="cost.memory_bits")
    shown = command("frontier", str(recordings[0].path), "--word-ns", "300:900:300", "--json")
    points = json.loads(shown.stdout)
    assert points["word_ns"] == words
    assert points["least_depth"] == [design.settings[FIFO] for design in answer.frontier]
    assert all(bound >= least for bound, least in zip(points["bound"], points["least_depth"], strict=True))
    # Python returns the same columns as arrays and as a table.
    arrays = hypermon.replaying.frontier(recordings[0], words)
    assert {name: column.tolist() for name, column in arrays.items()} | {
        "reader_depth": points["reader_depth"]
    } == points
    assert points["reader_depth"] == points["least_depth"]  # the reader in use is ideal
    table = hypermon.frontier(recordings[0], words)
    assert table.to_dict("list") == points
    assert set(table.attrs["units"]) == set(points)


def test_the_frontier_is_printed_and_drawn(
    recordings: list[hypermon.Recording], command: Hypermon, tmp_path: Path
) -> None:
    picture = tmp_path / "frontier.svg"
    done = command("frontier", str(recordings[0].path.parent), "--word-ns", "500", "-o", str(picture))
    assert done.returncode == 0, done.stderr
    lines = [line.split() for line in done.stdout.splitlines()]
    assert lines[1][:2] == ["500", "8.00"]  # 4 bytes in 500 ns
    assert picture.read_text().startswith("<?xml")
    wrong = command("frontier", str(recordings[0].path), "--word-ns", "0")
    assert (wrong.returncode, wrong.stdout) == (2, "")
    assert wrong.stderr.startswith("error: pbx.word_ns = 0: must be an integer from 1")
