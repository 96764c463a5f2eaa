# SPDX-License-Identifier: BSD-3-Clause
"""Runs that share work give exactly the bytes of runs that share none.

HYPERMON_TEST_CASES  number of programs under each monitor, instead of that of CI
"""

from __future__ import annotations

import json
import os
import random
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from hypermon._engine import checks, recorder, replaying, replays, sharing
from hypermon._engine.pool import Pool
from hypermon._engine.sharing import APART, Outcome, Run
from hypermon._inputs.scenario import find_one
from hypermon._model import worker
from hypermon._model.result import Result
from hypermon._model.spec import Spec
from hypermon.errors import HypermonError, SimulationError
from tests.conftest import Hypermon
from tests.python.random_specs import DRAWN, random_spec
from tests.registered import recordable

CASES = int(os.environ.get("HYPERMON_TEST_CASES", "2"))
RECORDABLE = recordable()


# --- jobs


class Drawn:
    """Random jobs that add other jobs, some of which fail, with counts of them."""

    def __init__(self, seed: int) -> None:
        self.draw = random.Random(seed)
        self.jobs = self.draw.randint(1, 4)
        self.pool = Pool(self.jobs)
        self.lock = threading.Lock()
        self.begun, self.ended, self.inside, self.most = 0, 0, 0, 0

    def add(self, depth: int = 0) -> None:
        fails = self.draw.random() < 0.2
        self.pool.add(partial(self.work, fails), partial(self.then, depth, fails), at_once=self.draw.random() < 0.5)

    def work(self, fails: bool) -> int:
        with self.lock:
            self.begun, self.inside = self.begun + 1, self.inside + 1
            self.most = max(self.most, self.inside)
        time.sleep(1e-4)
        with self.lock:
            self.inside -= 1
        if fails:
            raise SimulationError("drawn")
        return 1

    def then(self, depth: int, fails: bool, outcome: int | HypermonError) -> None:
        assert isinstance(outcome, SimulationError) is fails
        self.ended += 1
        for _ in range(self.draw.randrange(3) if depth < 4 else 0):
            self.add(depth + 1)


def test_each_of_many_jobs_is_done_once_and_never_more_at_a_time_than_asked_for() -> None:
    begun = 0
    for seed in range(50):
        drawn = Drawn(seed)
        for _ in range(seed % 10):
            drawn.add()
        drawn.pool.carry_out()
        assert drawn.begun == drawn.ended
        assert drawn.inside == 0
        assert drawn.most <= drawn.jobs
        begun += drawn.begun
    assert begun > 500


def test_what_is_to_be_done_at_once_is_done_before_all_others() -> None:
    pool = Pool(1)
    done: list[str | HypermonError] = []

    def then(one: str | HypermonError) -> None:
        done.append(one)
        pool.add(lambda: "c", done.append, at_once=True)

    pool.add(lambda: "a", then)
    pool.add(lambda: "b", done.append)
    pool.carry_out()
    assert done == ["a", "c", "b"]


def test_an_error_that_is_ours_ends_the_others_and_is_seen() -> None:
    pool = Pool(1)
    done: list[int | HypermonError] = []
    pool.add(lambda: 1 // 0, done.append)
    pool.add(lambda: 1, done.append)
    with pytest.raises(ZeroDivisionError):
        pool.carry_out()
    assert done == []


# --- equal runs, with a worker that only counts

LIKE = """\
question: q
set: {{monitor: none}}
cases:
  - {{set: {{nodes: 4}}, expect: [{{of: elapsed_s, is: {elapsed}, kind: golden}}]}}
  - {{set: {{nodes: 8}}, expect: [{{of: elapsed_s, is: 1.75, kind: golden}}]}}
"""


@pytest.fixture
def alike(scenarios: Path) -> None:
    (scenarios / "one.yaml").write_text(LIKE.format(elapsed=3))
    (scenarios / "other.yaml").write_text(LIKE.format(elapsed=4))


@pytest.mark.usefixtures("alike")
def test_equal_cases_are_one_run_and_each_scenario_has_its_own_verdicts(
    hypermon: Hypermon, runs: Callable[[], int]
) -> None:
    shared = hypermon("check")
    assert (shared.returncode, runs()) == (1, 2)
    apart = hypermon("check", "--no-share")
    assert (apart.returncode, runs()) == (1, 2 + 4)
    summary = "4 cases: 2 simulated, 0 replayed over recordings of those, 2 the same as another"
    assert [line for line in shared.stdout.splitlines() if line != summary] == apart.stdout.splitlines()
    assert shared.stdout.splitlines()[-2] == summary
    assert "3 passed, 1 failed" in apart.stdout


@pytest.mark.usefixtures("alike")
def test_json_says_what_was_shared_and_is_else_the_same(hypermon: Hypermon) -> None:
    shared, apart = (json.loads(hypermon("check", "--json", *how).stdout) for how in ((), ("--no-share",)))
    assert shared.pop("runs") == {"simulated": 2, "replayed": 0, "same": 2}
    assert apart.pop("runs") == {"simulated": 4, "replayed": 0, "same": 0}
    for case in (*shared["cases"], *apart["cases"]):
        case.pop("wall_s")
    assert shared == apart


@pytest.mark.usefixtures("alike")
def test_kept_runs_are_each_case_s_own(hypermon: Hypermon, runs: Callable[[], int]) -> None:
    done = hypermon("check", "--keep", "kept")
    assert runs() == 4
    assert "simulated" not in done.stdout
    assert len(list(Path("kept").glob("*/*/result.json"))) == 4


def test_a_run_that_fails_is_not_shared_so_that_its_error_is_its_own(
    scenarios: Path, hypermon: Hypermon, runs: Callable[[], int]
) -> None:
    for line, name in ((3, "one"), (4, "other")):
        text = "\n" * (line - 1) + "set: {monitor: none, generator.active: 8, fake.behaviour: refuse}\nquestion: q\n"
        (scenarios / f"{name}.yaml").write_text(text)
    done = hypermon("check")
    assert (done.returncode, runs()) == (2, 2)
    for line, name in ((3, "one"), (4, "other")):
        assert f"scenarios/{name}.yaml, line {line}" in done.stdout


@pytest.mark.usefixtures("scenarios")
def test_runs_are_the_same_only_if_every_parameter_is() -> None:
    def spec(**settings: object) -> Spec:
        Path("own.yaml").write_text("question: q\nset: {monitor: none}\n")
        return find_one("own.yaml").resolve(worker.schema(), settings)

    specs = [spec(), spec(seed=2), spec(), spec(seed=2, **{"fake.events": 5}), replace(spec(), scenario="another")]
    planned = sharing.plan([Run(one, Path("out")) for one in specs])
    assert (planned.same, planned.replayed) == ({2: 0, 4: 0}, {})


# --- replays, with the real worker


def hardwares(rng: random.Random, monitor: str, many: int) -> list[Spec]:
    """A program on `many` hardwares, none of which feeds back on it."""
    base = random_spec(rng, monitor)
    specs: list[Spec] = []
    while len(specs) < many:
        spec = DRAWN[monitor].random_hardware(rng, base)
        specs += [spec] if not replays.why_not(spec) and spec not in specs else []
    return specs


def drawn(monitor: str, seed: int) -> list[Spec]:
    """A program on several hardwares, some of them twice, together with other runs."""
    rng = random.Random(f"{monitor}/{seed}")
    specs = [*hardwares(rng, monitor, 4), random_spec(rng, monitor), random_spec(rng)]
    specs += [replace(spec, scenario='quoted "name"/ä') for spec in rng.sample(specs, 2)]
    rng.shuffle(specs)
    return specs


def content_of(outcome: Outcome) -> str:
    return outcome.text if isinstance(outcome, Result) else f"{type(outcome).__name__}: {outcome}"


@pytest.mark.worker
@pytest.mark.usefixtures("worker")
@pytest.mark.parametrize("monitor", RECORDABLE)
def test_shared_results_are_those_of_runs_apart_to_the_byte(
    monitor: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sharing, "WORTH_EVENTS", 0)
    replayed = 0
    for case in range(CASES):
        specs = drawn(monitor, case)
        own = random.Random(case).random() < 0.3
        found = []
        for how in ("shared", "apart"):
            runs = [Run(spec, tmp_path / f"{case}-{how}" / str(i), own and i == 0) for i, spec in enumerate(specs)]
            outcomes, spent = sharing.run_many(runs, 2, shared=sharing.plan(runs) if how == "shared" else APART)
            assert spent.runs == len(runs)
            found.append([content_of(outcome) for outcome in outcomes])
            replayed += spent.replayed
            assert spent.same >= (2 if how == "shared" else 0)
        assert found[0] == found[1], f"drawn({monitor!r}, {case})"
        assert not list(tmp_path.rglob("recording.arrow")), "recordings are gone when nobody needs them any more"
    assert replayed, "or nothing is compared"


@pytest.mark.worker
@pytest.mark.usefixtures("worker")
@pytest.mark.parametrize("monitor", RECORDABLE)
def test_replays_begin_where_they_have_events_enough_together(
    monitor: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    runs = [Run(spec, tmp_path / str(i)) for i, spec in enumerate(hardwares(random.Random(monitor), monitor, 3))]
    ((first, *_), _) = sharing.run_many(runs, 2)
    assert isinstance(first, Result)
    events = 2 * int(first["events"])
    assert events > 0
    for worth, replayed in ((events, 2), (events + 1, 0)):
        monkeypatch.setattr(sharing, "WORTH_EVENTS", worth)
        _, spent = sharing.run_many(runs, 2, shared=sharing.plan(runs))
        assert (spent.simulated, spent.replayed) == (3 - replayed, replayed)


@pytest.mark.worker
@pytest.mark.usefixtures("worker")
@pytest.mark.parametrize("monitor", RECORDABLE)
def test_own_runs_are_neither_replayed_nor_recorded(monitor: str, tmp_path: Path) -> None:
    specs = hardwares(random.Random(monitor), monitor, 3)
    assert sharing.plan([Run(spec, tmp_path) for spec in specs]).replayed == {0: (1, 2)}
    for own, left in ((0, {1: (2,)}), (1, {0: (2,)}), (2, {0: (1,)})):
        planned = sharing.plan([Run(spec, tmp_path, i == own) for i, spec in enumerate(specs)])
        assert planned.replayed == left
    # Other limits need a run of their own, which might not end.
    other = replace(specs[2], values={**specs[2].values, "limits.simulated_s": 999.0})
    assert sharing.plan([Run(spec, tmp_path) for spec in (*specs[:2], other)]).replayed == {0: (1,)}


@pytest.mark.worker
@pytest.mark.usefixtures("worker")
@pytest.mark.parametrize("monitor", RECORDABLE)
def test_what_a_replay_does_not_compute_itself_is_the_recorded_run_s(monitor: str, tmp_path: Path) -> None:
    """A case whose expectations ask for other values of the program gets a run of its own (`checks.asks_of_program`)."""
    (spec,) = hardwares(random.Random(monitor), monitor, 1)
    recording = recorder.record_spec(spec, tmp_path / "run")
    marked = dict.fromkeys(recording.result, "of the recorded run")
    recording.result_text, own = json.dumps(marked | {"spec": {}}), recording.spec
    vars(recording)["spec"] = own
    replayed = replaying._replay(recording, own, tmp_path)
    copied = {key for key, value in json.loads(replayed).items() if value == "of the recorded run"}
    assert copied == recording.result.keys() - checks.OF_THE_HARDWARE - {"scenario", "spec"}


@pytest.mark.parametrize(
    ("expected", "asks"),
    [
        ("{of: elapsed_s, is: 1, kind: golden}", False),
        ("{of: monitor.overrun, is: cases.x.monitor.overrun, kind: golden}", False),
        ("{of: elapsed_s, is: cases.x.elapsed_s, kind: golden}", True),
        ("{of: events, max: '2 * cases.x.ranks[1].events + 1', kind: golden}", True),
        ("{of: logged_bytes / cases.x.events, min: 0, kind: golden}", True),
    ],
)
def test_a_case_that_compares_its_program_with_another_s_is_run_itself(
    scenarios: Path, expected: str, asks: bool
) -> None:
    text = f"question: q\ncases: [{{name: x}}, {{set: {{seed: 2}}, expect: [{expected}]}}]\n"
    (scenarios / "own.yaml").write_text(text)
    x, other = find_one("own").cases
    assert (checks.asks_of_program(x), checks.asks_of_program(other)) == (False, asks)
