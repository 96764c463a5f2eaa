# SPDX-License-Identifier: BSD-3-Clause
"""`hypermon.size`: the designs that it evaluates, and its answers."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from typer import testing

from hypermon._engine.designs import Designs
from hypermon._engine.load import Load
from hypermon._engine.sizing import Size, harms, size, targets
from hypermon._model import worker
from hypermon._model.schema import Schema
from hypermon._model.spec import Spec
from hypermon.cli.app import app
from hypermon.errors import SimulationError, UserError
from hypermon.monitors.hypermon import costs, load
from hypermon.monitors.hypermon.vocabulary import VOCABULARY
from tests.python.fake_worker import describe

LOST, GENERATED = "ledger.lost_total.nibbles", "ledger.generated.nibbles"
LOST_EVENTS = "ledger.lost_total.events"
NIBBLES = 1_000_000
HARMLESS = (*harms.COUNTS, *VOCABULARY.harms, *(path for _, _, paths in harms.WORSE for path in paths))
LEAST = {1: 1000, 2: 1200, 3: 900, 4: 1300, 5: 1100}  # frames that the run of each seed needs at 800 ns a word

# Parameters that cost memory besides the frame FIFO.
PROTOTYPE = {
    "ecb.node_fifo_entries": 64,
    "ecb.vector_fifo_entries": 64,
    "ecb.timestamp_bits": 32,
    "ecb.accumulate_bits": 0,
}


def needed(seed: int, word_ns: int) -> int:
    """Frames needed: in proportion to the word time, and at least one."""
    return max(1, math.ceil(LEAST[seed] * word_ns / 800))


@pytest.fixture
def looked_at(scenarios: Path, monkeypatch: pytest.MonkeyPatch) -> list[list[Spec]]:
    """A scenario `machine`, evaluated by `needed`. Returns the groups of specifications that were evaluated together,
    in order.
    """
    described = describe()
    like = next(p for p in described["parameters"] if p["path"] == "ecb.inputs")
    described["parameters"] += [
        {**like, "path": path, "default": value, "max": 64} for path, value in PROTOTYPE.items()
    ]
    described["results"] += [
        {"path": "monitor.ambiguous_silences", "unit": "", "description": ""},
        {"path": "latency_us.max", "unit": "us", "description": ""},
    ]
    for parameter in described["parameters"]:
        parameter["behind_ports"] = parameter["path"].startswith(("ecb.", "pbx."))
    monkeypatch.setattr(worker, "schema", lambda: Schema.from_json(described))
    monkeypatch.setattr(worker, "check", lambda _: None)
    (scenarios / "machine.yaml").write_text("question: How deep?\nset: {nodes: 16}\n")
    batches: list[list[Spec]] = []

    def evaluate(_: Designs, specs: Sequence[Spec], metrics: Sequence[str]) -> list[dict[str, Any]]:
        batches.append(list(specs))
        return [row(spec.values, metrics) for spec in specs]

    monkeypatch.setattr(Designs, "evaluate", evaluate)
    monkeypatch.setattr(Designs, "counted_together", lambda *_: True)
    # this small schema lacks the load's keys
    monkeypatch.setattr(load, "compute", lambda _: Load(800, 1000, "frames", ""))
    return batches


def row(values: Mapping[str, Any], metrics: Sequence[str]) -> dict[str, Any]:
    """Each missing frame loses a nibble, and each nibble an event."""
    missing = needed(values["seed"], values["pbx.word_ns"]) - values["ecb.frame_fifo_frames"]
    return numbers(metrics, max(0, missing), NIBBLES)


def numbers(metrics: Sequence[str], lost: float, generated: int) -> dict[str, Any]:
    known = dict.fromkeys(load.METRICS, 0) | {
        LOST: lost,
        GENERATED: generated,
        LOST_EVENTS: lost,
        targets.GENERATED: generated,
        targets.DELIVERED: generated - lost,
    }
    known |= dict.fromkeys(HARMLESS, 0)
    return {"status": "ok", "error": None, **{metric: known[metric] for metric in metrics}}


@pytest.mark.usefixtures("looked_at")
class TestOneParameter:
    def test_the_least_depth_without_loss(self) -> None:
        answer = size("machine")
        assert answer.value == LEAST[1]
        assert answer.settings == {"ecb.frame_fifo_frames": LEAST[1]}
        assert str(answer) == "machine loses nothing with ecb.frame_fifo_frames = 1000 frames."

    def test_a_share_may_be_lost(self) -> None:
        answer = size("machine", target_loss=0.0005)
        assert answer.value == LEAST[1] - 0.0005 * NIBBLES
        assert "loses at most 0.05 % of its data" in str(answer)

    def test_the_settings_are_part_of_the_question(self) -> None:
        assert size("machine", settings={"pbx": {"word_ns": 400}}).value == LEAST[1] / 2

    def test_the_slowest_bus_is_the_cheapest(self) -> None:
        answer = size("machine", vary="pbx.word_ns")  # 1024 frames
        assert answer.value == max(word for word in range(1, 1000) if needed(1, word) <= 1024)

    def test_only_listed_values_are_looked_at(self) -> None:
        answer = size("machine", vary={"ecb.frame_fifo_frames": "256:4096:log2"})
        assert answer.value == 1024
        assert set(answer.to_pandas()["ecb.frame_fifo_frames"]) == {256, 512, 1024, 2048, 4096}

    def test_the_evidence_has_both_sides_of_the_answer(self) -> None:
        evidence = size("machine").to_pandas().set_index("ecb.frame_fifo_frames")["loss"]
        assert evidence[LEAST[1]] == 0
        assert evidence[LEAST[1] - 1] == 1 / NIBBLES
        assert evidence.index.is_monotonic_increasing

    def test_an_unreachable_target_is_answered_with_the_best_loss(self) -> None:
        answer = size("machine", vary={"ecb.frame_fifo_frames": [10, 200, 700]})
        assert (answer.value, answer.reached) == (None, False)
        assert answer.best_loss == (LEAST[1] - 700) / NIBBLES
        assert str(answer) == (
            "No ecb.frame_fifo_frames that was tried loses nothing in machine: the nearest has data_lost 0.03 %, "
            "events_lost 0.03 %."
        )

    def test_the_cheap_end_is_said_to_be_one(self) -> None:
        answer = size("machine", vary={"ecb.frame_fifo_frames": [2000, 3000]})
        assert answer.value == 2000
        assert answer.notes == ("It is the cheapest ecb.frame_fifo_frames that was tried.",)


def test_without_any_known_cost_the_end_that_loses_is_the_cheap_one(
    looked_at: list[list[Spec]], monkeypatch: pytest.MonkeyPatch
) -> None:
    def evaluate(_: Designs, specs: Sequence[Spec], metrics: Sequence[str]) -> list[dict[str, Any]]:
        looked_at.append(list(specs))
        return [numbers(metrics, spec.values["port.delay"] in range(37), 1) for spec in specs]

    monkeypatch.setattr(Designs, "evaluate", evaluate)
    assert size("machine", vary="port.delay").value == 37
    designs = [spec.to_json() for batch in looked_at for spec in batch]
    assert max(Counter(designs).values()) <= 2  # counts, then at most once the complete result
    assert len(designs) - len(set(designs)) <= 10  # only near the answer
    beside = size("machine", vary={"port.delay": None, "nodes": [4, 8]}, cost="nodes")
    assert beside.settings == {"port.delay": 37, "nodes": 4}
    assert all(probe.settings.keys() == {"port.delay", "nodes"} for probe in beside.probes)


@pytest.mark.parametrize("listed", [None, [5, 30]])
def test_what_no_target_limits_is_mentioned(
    looked_at: list[list[Spec]], monkeypatch: pytest.MonkeyPatch, listed: list[int] | None
) -> None:
    """A timestamp of few bits loses nothing, but silences can become too long to be measured."""
    assert not looked_at

    def evaluate(_: Designs, specs: Sequence[Spec], metrics: Sequence[str]) -> list[dict[str, Any]]:
        found = [numbers(metrics, 0, NIBBLES) for _ in specs]
        for row, spec in zip(found, specs, strict=True):
            silences = 1343 if int(spec.values["ecb.timestamp_bits"]) < 16 else 0
            more = {"monitor.ambiguous_silences": silences, "latency_us.max": 900.0 if silences else 700.0}
            row |= {path: value for path, value in more.items() if path in metrics}
        return found

    monkeypatch.setattr(Designs, "evaluate", evaluate)
    answer = size("machine", vary={"ecb.timestamp_bits": listed})
    note = (
        "Results without a target: 1343 ambiguous silences, after which timestamps can be wrong"
        " (in the unchanged scenario: 0); a largest latency of 900 us (in the unchanged scenario: 700 us)."
    )
    assert note in answer.notes
    asked = {"data_lost": 0, "ambiguous_silences": 0, "latency_max": "1 ms"}
    assert not any(
        "Results without a target" in note for note in size("machine", vary={"ecb.timestamp_bits": [30]}).notes
    )
    assert not any(
        "Results without a target" in n
        for n in size("machine", vary={"ecb.timestamp_bits": listed}, targets=asked).notes
    )


def test_a_loss_that_rises_with_the_depth_is_said(looked_at: list[list[Spec]], monkeypatch: pytest.MonkeyPatch) -> None:
    assert not looked_at

    def evaluate(_: Designs, specs: Sequence[Spec], metrics: Sequence[str]) -> list[dict[str, Any]]:
        return [numbers(metrics, spec.values["ecb.frame_fifo_frames"] in (*range(8), 23), 1) for spec in specs]

    monkeypatch.setattr(Designs, "evaluate", evaluate)
    answer = size("machine", vary={"ecb.frame_fifo_frames": "1:40:1"})
    assert answer.value == 24
    assert "does not always meet the targets" in str(answer)


@pytest.mark.usefixtures("looked_at")
class TestSeveralParameters:
    WORDS = (200, 400, 800, 1600)
    COST = "ecb.frame_fifo_frames + 4000 * 200 / pbx.word_ns"

    def brute_force(self) -> dict[int, float]:
        return {word: needed(1, word) + 4000 * 200 / word for word in self.WORDS}

    def ask(self, **more: Any) -> Size:
        return size("machine", vary={"ecb.frame_fifo_frames": None, "pbx.word_ns": self.WORDS}, cost=self.COST, **more)

    def test_the_cheapest_design_is_that_of_brute_force(self) -> None:
        answer = self.ask()
        best = min(self.WORDS, key=self.brute_force().__getitem__)
        assert answer.settings == {"ecb.frame_fifo_frames": needed(1, best), "pbx.word_ns": best}
        assert answer.cost == self.brute_force()[best]
        assert f"and pbx.word_ns = {best}, at a cost of" in str(answer)

    def test_the_whole_frontier_is_there(self) -> None:
        frontier = {d.settings["pbx.word_ns"]: d for d in self.ask().frontier}
        assert {word: d.settings["ecb.frame_fifo_frames"] for word, d in frontier.items()} == {
            word: needed(1, word) for word in self.WORDS
        }
        assert {word: d.cost for word, d in frontier.items()} == self.brute_force()

    def test_what_is_unreachable_for_some_is_marked(self) -> None:
        vary = {"ecb.frame_fifo_frames": [300, 600], "pbx.word_ns": self.WORDS}
        answer = size("machine", vary=vary, cost=self.COST)
        assert [d.reached for d in answer.frontier] == [True, True, False, False]
        assert answer.settings["pbx.word_ns"] == min((200, 400), key=lambda w: {200: 300, 400: 600}[w] + 4000 * 200 / w)

    def test_a_second_parameter_without_values_goes_around_its_own(self) -> None:
        answer = size("machine", vary=["ecb.frame_fifo_frames", "pbx.word_ns"], cost="cost.memory_bits")
        words = [int(d.settings["pbx.word_ns"]) for d in answer.frontier]
        assert (min(words), max(words)) == (800 / 4, 800 * 4)
        assert "pbx.word_ns was searched exactly: every integer from 200 to 3200 ns." in str(answer)
        assert answer.settings["pbx.word_ns"] == 200  # only memory has a cost: the fastest bus is best

    def test_of_an_integer_no_value_is_skipped(self, looked_at: list[list[Spec]]) -> None:
        answer = size("machine", vary=["ecb.frame_fifo_frames", "pbx.word_ns"], cost=self.COST)
        costs_of = {word: needed(1, word) + 4000 * 200 / word for word in range(200, 3201)}
        best = min(costs_of, key=costs_of.__getitem__)
        assert answer.settings == {"ecb.frame_fifo_frames": needed(1, best), "pbx.word_ns": best}
        assert answer.cost == costs_of[best]
        assert len(answer.frontier) < 200  # out of 3001
        assert sum(map(len, looked_at)) < 3001

    def test_a_cost_that_turns_is_looked_at_for_each_value_or_on_a_grid_that_is_named(self) -> None:
        turning = "ecb.frame_fifo_frames + abs(pbx.word_ns - 777)"
        some = size("machine", vary=["ecb.frame_fifo_frames", "pbx.word_ns"], cost=turning)
        assert len(some.frontier) == 25
        assert (
            "pbx.word_ns was tried on a grid: 25 values from 200 to 3200 ns, each about 1.122 times the one before."
            " A value between them may be cheaper." in str(some)
        )
        vary = {"ecb.frame_fifo_frames": None, "port.delay": None}  # out of the values 6 to 80
        every = size("machine", vary=vary, cost="ecb.frame_fifo_frames + abs(port.delay - 33)", port={"delay": 20})
        assert every.settings["port.delay"] == 33
        assert "port.delay was searched exactly: every integer from 5 to 80" in str(every)
        assert "does not change in one direction" in str(every)

    def test_a_grid_of_a_parameter_that_is_no_integer_is_named_with_its_step(self) -> None:
        answer = size("machine", vary=["ecb.frame_fifo_frames", "node.tick_ms"], cost="ecb.frame_fifo_frames")
        assert "node.tick_ms was tried on a grid: 25 values from 12.5 to 200 ms, each about 1.122 times" in str(answer)

    def test_the_progress_has_a_total_that_it_reaches(self) -> None:
        told: list[tuple[int, int]] = []
        answer = size(
            "machine",
            vary=["ecb.frame_fifo_frames", "pbx.word_ns"],
            cost=self.COST,
            progress=lambda looked_at, expected: told.append((looked_at, expected)),
        )
        assert all(0 < looked_at <= expected for looked_at, expected in told)
        assert told == sorted(told, key=lambda pair: pair[0])
        assert told[-1][0] >= len(answer.probes)

    def test_a_named_cost_has_its_unit(self) -> None:
        answer = size("machine", cost=lambda values: costs.memory_bits(values))
        assert (answer.cost, answer.cost_unit) == ((1000 * 4 + 4096 / 32 + 64 * 48 / 32) * 32, "")
        answer = size("machine", vary=["pbx.word_ns"], cost="cost.bandwidth_bytes_per_s")
        assert answer.cost_unit == "B/s"
        assert answer.cost == pytest.approx(4e9 / int(answer.value or 0))


class TestSeeds:
    def test_five_seeds_bound_the_median_by_their_largest(self, looked_at: list[list[Spec]]) -> None:
        answer = size("machine", repeats=5)
        assert answer.per_seed == LEAST
        assert answer.value == max(LEAST.values())
        assert answer.bounded
        assert str(answer).startswith("With 95 % confidence, at least 50 % of runs like machine lose nothing with ")
        assert {spec.values["seed"] for spec in looked_at[0]} == set(LEAST)  # all seeds advance together

    @pytest.mark.usefixtures("looked_at")
    def test_less_confidence_takes_a_lower_order_statistic(self) -> None:
        # Of five repeats, the fourth fails with probability 6/32, the third with 16/32.
        assert size("machine", repeats=5, confidence=0.8).value == sorted(LEAST.values())[3]
        assert size("machine", repeats=5, confidence=0.5).value == sorted(LEAST.values())[2]

    @pytest.mark.usefixtures("looked_at")
    def test_too_few_repeats_say_how_many_are_needed(self) -> None:
        answer = size("machine", repeats=5, quantile=0.9)
        assert not answer.bounded
        assert answer.value == max(LEAST.values())
        # 0.9^28 > 5 % >= 0.9^29
        assert "5 repeats are too few for a bound with that confidence: 29 are needed." in str(answer)
        assert str(answer).startswith("Each of 5 runs of machine loses nothing with")


@pytest.mark.usefixtures("looked_at")
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"target_loss": 1.5}, "target_loss = 1.5: must be a share"),
        ({"repeats": 0}, "repeats = 0: must be an integer of at least 1"),
        ({"confidence": 1.0}, "confidence = 1.0: must be a share between 0 and 1"),
        ({"vary": "ecb.framefifo_frames"}, "did you mean ecb.frame_fifo_frames?"),
        ({"vary": "monitor"}, "monitor: is one of none, software, hypermon: a size is a number"),
        ({"vary": "node.tick_ms"}, "node.tick_ms: is a number from 0.1 to 1000000 ms: name the values to evaluate"),
        ({"vary": []}, "vary: name a parameter to size"),
        ({"vary": ["ecb.frame_fifo_frames", "pbx.word_ns"]}, "cost: name the cost that is minimised"),
        ({"cost": "cost.memory"}, "cost: "),
        ({"settings": {"monitor": "none"}}, "monitor = none: has no losses; must be one of "),
    ],
)
def test_what_cannot_be_asked_is_answered_at_once(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(UserError) as caught:
        size("machine", **arguments)
    assert message in str(caught.value)


@pytest.mark.usefixtures("looked_at")
def test_a_design_that_fails_ends_the_search_and_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def evaluate(_: Designs, specs: Sequence[Spec], __: Sequence[str]) -> list[dict[str, Any]]:
        return [{"status": "failed", "error": "deadlock: rank 0", LOST: None, GENERATED: None} for _ in specs]

    monkeypatch.setattr(Designs, "evaluate", evaluate)
    with pytest.raises(SimulationError, match=r"ecb.frame_fifo_frames = 1: deadlock: rank 0"):
        size("machine")


@pytest.mark.usefixtures("looked_at")
class TestCommand:
    @staticmethod
    def run(*arguments: str) -> testing.Result:
        """Runs the command in this process, where the designs are evaluated by `needed`."""
        return testing.CliRunner().invoke(app, ["size", "machine", *arguments])

    def test_the_answer_and_its_evidence_are_printed(self) -> None:
        done = self.run("--vary", "ecb.frame_fifo_frames=100:1000:100", "--target-loss", "0.05%")
        assert (done.exit_code, done.stderr) == (0, "")
        lines = done.stdout.splitlines()
        # 1000 are needed, and 500 of a million may be lost
        assert (
            lines[0]
            == "machine loses at most 0.05 % of its data and of its events with ecb.frame_fifo_frames = 500 frames."
        )
        assert ["400", "0.06", "%", "0.06", "%", "80", "%"] in [line.split() for line in lines]
        assert ["500", "0.05", "%", "0.05", "%", "80", "%"] in [line.split() for line in lines]

    def test_seeds_and_the_frontier_have_tables(self) -> None:
        words = ("--vary", "ecb.frame_fifo_frames", "--vary", "pbx.word_ns=400,800", "--cost", "cost.memory_bits")
        done = self.run(*words, "--repeats", "2", "--set", "seed=2")
        lines = [line.split() for line in done.stdout.splitlines()]
        assert ["400", str(needed(2, 400)), str(cost_of(needed(2, 400))), "80", "%"] in lines
        assert ["800", str(needed(2, 800)), str(cost_of(needed(2, 800))), "80", "%"] in lines
        assert ["2", str(needed(2, 400))] in lines
        assert ["3", str(needed(3, 400))] in lines

    def test_json_has_everything(self) -> None:
        done = self.run("--vary", "ecb.frame_fifo_frames=1000,1200", "--repeats", "2", "--json")
        answer = json.loads(done.stdout)
        assert (answer["value"], answer["bounded"], answer["per_seed"]) == (1200, False, {"1": 1000, "2": 1200})
        assert {(p["settings"]["ecb.frame_fifo_frames"], p["seed"], p["loss"]) for p in answer["probes"]} == {
            (depth, seed, max(0, LEAST[seed] - depth) / NIBBLES) for depth in (1000, 1200) for seed in (1, 2)
        }

    def test_an_unreachable_target_has_exit_status_1(self) -> None:
        done = self.run("--vary", "ecb.frame_fifo_frames=100,500")
        assert (done.exit_code, done.stderr) == (1, "")
        assert done.stdout.startswith(
            "No ecb.frame_fifo_frames that was tried loses nothing in machine: the nearest has data_lost 0.05 %"
        )

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            (("--target-loss", "much"), "--target-loss much: must be a share, such as 0.1% or 0.001"),
            (
                ("--vary", "ecb.frame_fifo"),
                "ecb.frame_fifo: no such parameter; did you mean ecb.frame_fifo_frames? (vary)",
            ),
            (("--vary", "ecb.frame_fifo_frames=5:x"), "ecb.frame_fifo_frames = 5:x: must be START:STOP:STEP"),
        ],
    )
    def test_a_mistake_is_one_line(self, arguments: tuple[str, ...], message: str) -> None:
        done = self.run(*arguments)
        assert (done.exit_code, done.stdout) == (2, "")
        assert done.stderr.startswith(f"error: {message}")
        assert done.stderr.count("\n") == 1


def cost_of(depth: int) -> int:
    """Bits: frames of four words, 16 node FIFOs of 64 times 4 bits, 64 vectors with timestamps."""
    return depth * 128 + 16 * 64 * 4 + 64 * (16 + 32)
