# SPDX-License-Identifier: BSD-3-Clause
"""Several targets at once: the answer and the remaining margins must equal those of brute force over a recording."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest

import hypermon
from hypermon._engine import sizing
from hypermon._engine.sizing import keys, targets
from hypermon._model import worker
from hypermon.errors import UserError
from hypermon.monitors.hypermon import frontiers, load, replaying
from hypermon.report import view
from hypermon.report.facts import Run
from tests.conftest import Hypermon
from tests.python.json_paths import paths

pytestmark = [pytest.mark.worker, pytest.mark.usefixtures("worker")]
FIFO, BITS, WORD = "ecb.frame_fifo_frames", "ecb.timestamp_bits", "pbx.word_ns"
LITTLE = {"nodes": 4, "halo.iterations": 2, "halo.size": 8, "reader.kind": "group", "reader.group_ns": 20_000}
DEPTHS, WORDS = range(1, 40), range(200, 6000, 200)


@pytest.fixture(scope="module")
def recording(tmp_path_factory: pytest.TempPathFactory) -> hypermon.Recording:
    return hypermon.record("collection/halo", settings=LITTLE, out=tmp_path_factory.mktemp("recordings") / "halo")


@pytest.fixture(scope="module")
def whole(recording: hypermon.Recording) -> Any:
    """The complete result of a design, by its settings."""

    @cache
    def replayed(*settings: tuple[str, int]) -> hypermon.Result:
        return hypermon.replay(recording, dict(settings))

    return replayed


def value(result: hypermon.Result, name: str) -> float:
    """A target's number, computed independently of the tested code."""
    ledger, frames = result["ledger"], result["monitor"]["frames"]
    unarrived = float("inf")
    if name == "latency_p99":
        return unarrived if result["latency_us"] is None else float(result["latency_us"]["p99"])
    if name == "timestamp_error":
        error = result["timestamp_error_us"]
        return unarrived if error is None else max(abs(error["min"]), abs(error["max"]))
    found: dict[str, float] = {
        "data_lost": ledger["lost_total"]["nibbles"] / ledger["generated"]["nibbles"],
        "events_lost": ledger["lost_total"]["events"] / ledger["generated"]["events"],
        "frames_lost": frames["lost"] / frames["built"],
        "ambiguous_silences": result["monitor"]["ambiguous_silences"],
    }
    return found[name]


def test_a_bit_of_timestamp_is_not_enough_for_events_that_the_decoder_cannot_place(
    recording: hypermon.Recording, whole: Any
) -> None:
    answer = hypermon.size(recording, vary=BITS)
    losing = {bits: whole((BITS, bits))["ledger"]["lost_total"] for bits in range(1, 33)}
    assert losing[1]["nibbles"] == 0  # all data arrive
    assert losing[1]["events"] > 0
    assert answer.value == max(bits for bits, lost in losing.items() if lost["events"]) + 1
    assert {m.target.name: m.binds for m in answer.margins} == {"data_lost": False, "events_lost": True}
    only_data = hypermon.size(recording, vary=BITS, targets={"data_lost": 0})
    assert only_data.value == 1


@pytest.mark.parametrize("seed", range(8))
def test_the_answer_is_that_of_brute_force_for_random_targets(
    recording: hypermon.Recording, whole: Any, seed: int
) -> None:
    random = Random(seed)
    parameter, values = random.choice(((FIFO, DEPTHS), (WORD, WORDS[::-1]), (BITS, range(1, 24))))
    beside = ((WORD, random.choice((800, 3000, 6000))),) if parameter == FIFO else ()
    names = random.sample(("data_lost", "events_lost", "frames_lost", "latency_p99", "timestamp_error"), 3)
    found = {v: whole(*beside, (parameter, v)) for v in values}
    wanted: dict[str, object] = {}
    for name in names:  # limits within the range of results, so that each can be the binding one
        limit = value(random.choice(list(found.values())), name)
        if limit < float("inf") and not (name.endswith("lost") and limit >= 1):
            wanted[name] = f"{100 * limit!r}%" if name.endswith("lost") else limit
    limits = {t.name: t.limit for t in targets.read(None, wanted, worker.schema(), recording.spec)}
    meeting = [all(value(result, name) <= limit for name, limit in limits.items()) for result in found.values()]
    answer = hypermon.size(recording, vary={parameter: list(values)}, targets=wanted, settings=dict(beside))
    runs = [v for i, v in enumerate(values) if meeting[i] and (i == 0 or not meeting[i - 1])]  # where one begins
    if not runs:
        assert answer.value is None
        return
    assert isinstance(answer.value, int)
    assert answer.value in runs
    if len(runs) == 1 or not any("does not always meet" in note for note in answer.notes):
        assert answer.value == runs[0]
    at = list(values).index(answer.value)
    for margin in answer.margins:
        assert margin.value == value(found[answer.value], margin.target.name)
        assert margin.left == margin.target.limit - margin.value >= 0
        if at:
            assert margin.binds == (value(found[values[at - 1]], margin.target.name) > margin.target.limit)
    assert not at or any(margin.binds for margin in answer.margins) or meeting[at - 1]


def test_the_load_is_what_comes_over_what_is_read_and_stands_beside_each_depth(recording: hypermon.Recording) -> None:
    result = hypermon.replay(recording, {WORD: 8000, "reader.kind": "ideal"})
    come = result["monitor"]["frames"]["built"] / result["elapsed_s"]
    found = load.compute(result)
    assert found is not None
    assert found.per_s == pytest.approx(come)
    assert found.capacity_per_s == pytest.approx(1e9 / (4 * 8000))  # a frame of four words
    answer = hypermon.size(recording, pbx={"word_ns": 8000}, reader={"kind": "ideal"})
    assert answer.load == found
    assert all(p.load == found for p in answer.near())
    frontier = replaying.frontier(recording, [8000], result_spec(recording, {WORD: 800, "reader.kind": "ideal"}))
    assert frontier["load"] == [found.share]


def test_windows_that_a_full_frame_fifo_stalls_count_in_the_long_run(recording: hypermon.Recording) -> None:
    stalls = {WORD: 8000, "reader.kind": "ideal", FIFO: 1, "ecb.frame_fifo_full": "stall"}
    result = hypermon.replay(recording, stalls)
    found = load.compute(result)
    kept_out = result["monitor"]["windows_lost"]
    assert found is not None
    assert kept_out > 0
    assert found.per_s == pytest.approx((result["monitor"]["frames"]["built"] + kept_out) / result["elapsed_s"])


def result_spec(recording: hypermon.Recording, settings: dict[str, Any]) -> Any:
    return replaying.resolve(recording, settings)


def test_where_more_comes_than_is_read_no_depth_is_enough_in_the_long_run(recording: hypermon.Recording) -> None:
    """The word time at which the load exceeds 1 divides the answers, as it does the report's sentence."""
    ideal = {"reader.kind": "ideal", FIFO: 1}
    share = load.compute(hypermon.replay(recording, {**ideal, WORD: 10_000}))
    assert share is not None
    edge = int(10_000 / share.share)
    for word, lasts in ((edge - 50, True), (edge + 50, False)):
        result = hypermon.replay(recording, {**ideal, WORD: word})
        findings = view.find("hypermon").findings(Run(result))
        assert any("No depth is enough in the long run" in f.change for f in findings) != lasts
        answer = hypermon.size(recording, settings={"reader.kind": "ideal", WORD: word})
        assert ("In the long run no depth of the frame FIFO is enough" in str(answer)) != lasts
        assert replaying.frontier(recording, [word], result_spec(recording, ideal))["lasts"].tolist() == [lasts]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"latency_p90": "1ms"}, "target latency_p90: latency_p90: the result has no such number"),
        ({"latency_p99": "1 MB"}, "target latency_p99 = 1 MB: wrong unit MB: give us, or one of ps, ns"),
        ({"latency_p99": "soon"}, "target latency_p99 = soon: must be a number from 0 in us"),
        ({"latency_p99": -1}, "target latency_p99 = -1: must be a number from 0"),
        ({"events_lost": "100%"}, "events_lost = 100 %: must be a share from 0 to below 100 %"),
        ({"events_lost": True}, "target events_lost = True: must be a number"),
        ({"rates.frames": 1}, "rates.frames: is not one number"),
    ],
)
def test_what_no_target_can_be_is_said_at_once(
    recording: hypermon.Recording, given: dict[str, Any], message: str
) -> None:
    with pytest.raises(UserError) as caught:
        hypermon.size(recording, targets=given)
    assert message in str(caught.value)


def test_targets_of_losses_are_numbers_or_shares_and_replace_that_nothing_is_lost(
    recording: hypermon.Recording,
) -> None:
    schema = worker.schema()

    def read(loss: float | None, **given: object) -> list[tuple[str, float, str]]:
        return [(t.name, t.limit, t.of or t.unit) for t in targets.read(loss, given, schema, recording.spec)]

    nothing = [("data_lost", 0.0, "data"), ("events_lost", 0.0, "events")]
    assert read(None) == nothing
    assert read(None, latency_p99="1ms") == [*nothing, ("latency_p99", 1000.0, "us")]
    assert read(None, events_lost=12) == [("events_lost", 12.0, "events")]
    assert read(None, frames_lost="0.5 %") == [("frames_lost", 0.005, "frames")]
    assert read(0.1, timestamp_error=2)[2] == ("timestamp_error", 2.0, "us")
    with pytest.raises(UserError, match="events_lost: is given twice"):
        read(0.1, events_lost=0)


def test_a_monitor_that_never_has_a_number_is_said_to(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    software, buffer = {**LITTLE, "monitor": "software"}, {"software.buffer_bytes": [10**6]}
    with pytest.raises(UserError, match=r"no such number \(monitor software, workload halo\)"):
        hypermon.size("collection/halo", vary=buffer, settings=software, targets=["latency_p99<=1ms"])


class TestCommand:
    def test_targets_margins_and_the_load_are_printed(self, recording: hypermon.Recording, command: Hypermon) -> None:
        done = command("size", str(recording.path.parent), "--target", "latency_p99<=5ms", "--target", "events_lost=0")
        assert done.returncode == 0, done.stderr
        lines = [line.split("  ") for line in done.stdout.splitlines()]
        assert lines[0][0].startswith("collection/halo keeps latency_p99 <= 5000 us, events_lost <= 0 events with ")
        assert [line[0] for line in lines[2:5]] == ["target", "latency_p99", "events_lost"]
        assert done.stdout.count("too much") >= 1
        wrong = command("size", str(recording.path.parent), "--target", "latency_p99")
        assert (wrong.returncode, wrong.stdout) == (2, "")
        assert wrong.stderr.startswith("error: --target latency_p99: must be NAME=LIMIT")

    def test_the_keys_that_are_documented_are_those_that_are_printed(
        self, recording: hypermon.Recording, command: Hypermon
    ) -> None:
        name = str(recording.path.parent)
        size = command("size", name, "--json", "--target", "latency_p99=1s")
        none = command("size", name, "--json", "--target", "latency_p99=1ns")
        frontier = command("frontier", name, "--json", "--word-ns=3.6MB/s,500", "--set=reader.kind=ideal")
        assert (size.returncode, none.returncode, frontier.returncode) == (0, 1, 0)
        documented = {key.path for key in keys.SIZE}
        assert plain(paths(json.loads(size.stdout))) | {"notes[]"} == documented
        assert plain(paths(json.loads(none.stdout))) <= documented
        assert paths(json.loads(frontier.stdout)) == {key.path for key in frontiers.FRONTIER}
        assert json.loads(frontier.stdout)["word_ns"] == [1111, 500]


def plain(found: set[str]) -> set[str]:
    """The design has a value for each parameter."""
    return {"design.<parameter>" if path.startswith("design.") else path for path in found}


@pytest.fixture
def command(request: pytest.FixtureRequest) -> Hypermon:
    made: Hypermon = request.getfixturevalue("hypermon")
    return made


def test_the_sizing_package_says_what_it_has() -> None:
    assert {"Design", "Margin", "Probe", "Size", "Target", "size"} == set(sizing.__all__)


@pytest.mark.worker
@pytest.mark.usefixtures("worker")
def test_what_is_sized_by_default_is_the_monitors_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    little: Any = {"nodes": 2, "life": {"generations": 2}}
    software = hypermon.size("table2/life", monitor="software", **little)
    assert (software.parameter, software.unit) == ("software.buffer_bytes", "B")
    assert software.next_cheaper == int(software.value or 0) - 1
    assert hypermon.size("table2/life", **little).parameter == "ecb.frame_fifo_frames"
    with pytest.raises(UserError, match="monitor = none: has no losses"):
        hypermon.size("table2/life", monitor="none", **little)
