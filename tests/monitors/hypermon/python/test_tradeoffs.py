# SPDX-License-Identifier: BSD-3-Clause
"""Trade-offs through Optuna and SALib are right on machines whose answers are known."""

from __future__ import annotations

import itertools
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from hypermon._engine.designs import Designs
from hypermon._model import cost, worker
from hypermon._model import metrics as metric_paths
from hypermon._model.schema import Schema, nested
from hypermon._model.spec import Spec
from hypermon.errors import SimulationError, UserError
from hypermon.tradeoffs import morris, pareto, sobol
from hypermon.tradeoffs.dimensions import Vary, read
from hypermon.tradeoffs.front import Direction
from tests.python.fake_worker import describe

LOST = "ledger.lost_total.nibbles"
DEPTHS = [64, 256, 1024, 4096]
WORDS = [200, 400, 800]
UNOBSERVED_S = 2.0


def numbers(values: Mapping[str, Any]) -> dict[str, Any]:
    """A slow bus and a shallow FIFO lose; the delay costs the program time; only even seeds have a latency."""
    depth, word, delay = (values[path] for path in ("ecb.frame_fifo_frames", "pbx.word_ns", "port.delay"))
    elapsed = UNOBSERVED_S + (0 if values["monitor"] == "none" else 0.1 * delay)
    return {
        LOST: max(0, word * 2 - depth),
        "ledger.generated.nibbles": 4096,
        "elapsed_s": elapsed,
        "latency_us.p99": None if values["seed"] % 2 else 5.0,
    }


@pytest.fixture(autouse=True)
def evaluated(scenarios: Path, monkeypatch: pytest.MonkeyPatch) -> list[list[Spec]]:
    """The scenario `machine`, evaluated by `numbers`. Returns the groups of specifications that were evaluated
    together, in order.
    """
    described = describe()
    like = next(p for p in described["parameters"] if p["path"] == "ecb.inputs")
    for path, value in (
        ("node_fifo_entries", 64),
        ("vector_fifo_entries", 64),
        ("timestamp_bits", 32),
        ("accumulate_bits", 0),
    ):
        described["parameters"].append({**like, "path": f"ecb.{path}", "default": value, "max": 64})
    described["results"].append({"path": "latency_us.p99", "unit": "us", "description": ""})
    for parameter in described["parameters"]:
        parameter["behind_ports"] = parameter["path"].startswith(("ecb.", "pbx."))
    monkeypatch.setattr(worker, "schema", lambda: Schema.from_json(described))
    monkeypatch.setattr(worker, "check", lambda _: None)
    (scenarios / "machine.yaml").write_text("question: Which?\nset: {nodes: 16}\n")
    batches: list[list[Spec]] = []

    def evaluate(
        _: Designs, specs: Sequence[Spec], metrics: Sequence[str], unobserved_s: Sequence[float | None] = ()
    ) -> list[dict[str, Any]]:
        batches.append(list(specs))
        rows = []
        for spec, alone in itertools.zip_longest(specs, unobserved_s):
            found = metric_paths.evaluate(metrics, nested(numbers(spec.values)), spec.values, alone)
            rows.append({"status": "ok", "error": None, **found})
        return rows

    monkeypatch.setattr(Designs, "simulate", evaluate)
    return batches


OF_HARDWARE: Vary = {"ecb.frame_fifo_frames": DEPTHS, "pbx.word_ns": WORDS}
OF_BOTH: Vary = {"port.delay": (0, 30), "port.nibble_cost_ns": (1000.0, 9000.0), "pbx.word_ns": [200, 400]}


class TestPareto:
    def test_the_front_is_that_of_brute_force(self) -> None:
        def cheaper(a: tuple[float, ...], b: tuple[float, ...]) -> bool:
            return all(x <= y for x, y in zip(a, b, strict=True)) and a != b

        designs = {(d, w): (float(max(0, w * 2 - d)), float(d), 1 / w) for d in DEPTHS for w in WORDS}
        best = [key for key, mine in designs.items() if not any(cheaper(other, mine) for other in designs.values())]
        objectives: dict[str, Direction] = {
            LOST: "minimize",
            "cost.memory_bits": "minimize",
            "cost.bandwidth_bytes_per_s": "minimize",
        }
        front = pareto("machine", OF_HARDWARE, objectives, trials=200).to_pandas()
        assert sorted(zip(front["ecb.frame_fifo_frames"], front["pbx.word_ns"], strict=True)) == sorted(best)
        assert list(front.columns) == [*OF_HARDWARE, *objectives]
        assert front[LOST].is_monotonic_increasing

    def test_the_front_within_limits_is_that_of_brute_force_over_designs_that_keep_them(self) -> None:
        most = 400
        lost = {(d, w): max(0, w * 2 - d) for d in DEPTHS for w in WORDS}
        kept = [design for design, amount in lost.items() if amount <= most]
        objectives: dict[str, Direction] = {"cost.memory_bits": "minimize", "cost.bandwidth_bytes_per_s": "minimize"}
        found = pareto("machine", OF_HARDWARE, objectives, limits={LOST: most}, trials=200)
        front = found.to_pandas()
        depths = {w: min(d for d, word in kept if word == w) for w in WORDS}
        best = [(d, w) for w, d in depths.items() if not any(depths[v] <= d and v > w for v in WORDS)]
        assert sorted(zip(front["ecb.frame_fifo_frames"], front["pbx.word_ns"], strict=True)) == sorted(best)
        assert list(front.columns) == [*OF_HARDWARE, *objectives, LOST]
        assert len(found.all()) > len(kept)  # designs beyond the limit were evaluated, too

    def test_a_front_of_designs_that_all_break_a_limit_is_empty(self) -> None:
        found = pareto("machine", OF_HARDWARE, {LOST: "minimize"}, limits={"elapsed_s": UNOBSERVED_S / 2}, trials=10)
        assert found.to_pandas().empty
        assert not found.all().empty

    def test_the_same_seed_gives_the_same_trials_in_the_same_batches(self, evaluated: list[list[Spec]]) -> None:
        def ask(seed: int) -> tuple[Any, list[int]]:
            evaluated.clear()
            vary: Vary = {"ecb.frame_fifo_frames": (1, 4096, "log"), "ecb.window_ns": (100, 1000), "pbx.word_ns": WORDS}
            found = pareto(
                "machine", vary, {LOST: "minimize", "cost.memory_bits": "minimize"}, trials=20, batch=8, seed=seed
            )
            return found.all(), [len(batch) for batch in evaluated]

        first, sizes = ask(7)
        assert sizes == [8, 8, 4]
        assert first.equals(ask(7)[0])
        assert not first.equals(ask(8)[0])
        assert set(first["ecb.window_ns"] % 50) == {0}

    def test_a_single_objective_is_searched_as_well(self) -> None:
        front = pareto("machine", {"ecb.frame_fifo_frames": DEPTHS}, {"loss": "maximize"}, trials=20).to_pandas()
        assert front.to_dict("records") == [{"ecb.frame_fifo_frames": 64, "loss": (2 * 800 - 64) / 4096}]

    def test_slowdown_is_against_the_program_without_a_monitor_which_hardware_does_not_change(
        self, evaluated: list[list[Spec]]
    ) -> None:
        vary = {"port.delay": [0, 10], "ecb.frame_fifo_frames": DEPTHS}
        found = pareto("machine", vary, {"slowdown": "minimize"}, trials=30, batch=30)
        assert set(found.all()["slowdown"]) == {1.0, (UNOBSERVED_S + 0.1 * 10) / UNOBSERVED_S}
        unobserved = [spec for batch in evaluated for spec in batch if spec.values["monitor"] == "none"]
        assert len(unobserved) == 1

    @pytest.mark.parametrize("trials", [12, 13, 40, 100])
    def test_a_space_of_no_more_designs_than_trials_is_looked_at_completely(
        self, evaluated: list[list[Spec]], trials: int
    ) -> None:
        objectives: dict[str, Direction] = {LOST: "minimize", "cost.memory_bits": "minimize"}
        found = pareto("machine", OF_HARDWARE, objectives, trials=trials)
        assert (found.space, found.evaluated, len(found.all())) == (12, 12, 12)
        assert sum(map(len, evaluated)) == 12
        least = {d: max(0, min(WORDS) * 2 - d) for d in DEPTHS}  # the fastest bus loses least
        best = [d for d in DEPTHS if not any(e < d and least[e] <= least[d] for e in DEPTHS)]
        front = found.to_pandas()
        assert set(zip(front["ecb.frame_fifo_frames"], front[LOST], strict=True)) == {(d, least[d]) for d in best}

    @pytest.mark.parametrize("seed", range(5))
    def test_trials_are_different_designs_and_none_is_evaluated_twice(
        self, evaluated: list[list[Spec]], seed: int
    ) -> None:
        vary: Vary = {"ecb.frame_fifo_frames": (1, 40), "pbx.word_ns": [200, 400]}
        found = pareto("machine", vary, {LOST: "minimize", "cost.memory_bits": "minimize"}, trials=60, seed=seed)
        designs = [(s.values["ecb.frame_fifo_frames"], s.values["pbx.word_ns"]) for batch in evaluated for s in batch]
        assert (found.space, found.evaluated) == (80, 60)
        assert len(set(designs)) == len(designs) == 60
        table = found.all()
        assert len(table) == 60
        for mine in found.to_pandas().itertuples(index=False):
            assert not any(
                other[2] <= mine[2] and other[3] <= mine[3] and (other[2], other[3]) != (mine[2], mine[3])
                for other in table.itertuples(index=False)
            )

    def test_a_trial_without_all_numbers_has_failed_and_the_others_count(self) -> None:
        found = pareto("machine", {"seed": [1, 2]}, {"latency_us.p99": "minimize"}, trials=12)
        assert set(found.all()["seed"]) == {2}
        assert found.failed[0].endswith("the result has no latency_us.p99")
        with pytest.raises(
            SimulationError, match=r"no design has all numbers: trial 0: the result has no latency_us.p99"
        ):
            pareto("machine", {"seed": [1, 3]}, {"latency_us.p99": "minimize"}, trials=3)


class TestSensitivity:
    def test_sobol_gives_all_variance_to_the_only_cause(self) -> None:
        found = sobol("machine", OF_BOTH, "elapsed_s", samples=64)
        shares = found.table.loc["elapsed_s"]
        assert shares.loc["port.delay", "S1"] == pytest.approx(1, abs=0.1)
        assert shares.loc["port.delay", "ST"] == pytest.approx(1, abs=0.1)
        assert (shares.loc[["port.nibble_cost_ns", "pbx.word_ns"], ["S1", "ST"]].to_numpy() == 0).all()
        assert len(found.samples) == 64 * (3 + 2)
        assert found.notes == ("Samples of port.delay were moved to the nearest allowed values.",)

    def test_morris_measures_the_step_of_each_parameter(self) -> None:
        found = morris("machine", OF_BOTH, ["elapsed_s", LOST], trajectories=6)
        # elapsed_s is linear in the delay: over the whole range it changes by 0.1 x 30
        assert found.table.loc[("elapsed_s", "port.delay"), "mu_star"] == pytest.approx(0.1 * 30)
        assert found.table.loc[("elapsed_s", "port.delay"), "sigma"] == pytest.approx(0, abs=1e-9)
        assert found.table.loc[("elapsed_s", "pbx.word_ns"), "mu_star"] == 0
        assert len(found.samples) == 6 * (3 + 1)
        # 1024 frames suffice for both word times: the metric is constant, and a note says so
        assert f"{LOST} is 0 for every design: nothing decides it." in found.notes
        assert (found.table.loc[LOST].to_numpy() == 0).all()

    def test_the_same_seed_gives_the_same_samples(self) -> None:
        first = sobol("machine", OF_BOTH, "elapsed_s", samples=8, seed=3)
        assert first.samples.equals(sobol("machine", OF_BOTH, "elapsed_s", samples=8, seed=3).samples)
        assert first.table.equals(sobol("machine", OF_BOTH, "elapsed_s", samples=8, seed=3).table)

    def test_a_design_without_the_number_ends_the_study_and_is_named(self) -> None:
        with pytest.raises(SimulationError, match=r"seed = [13]: the result has no latency_us.p99"):
            morris("machine", {"seed": [1, 3]}, "latency_us.p99")


@pytest.mark.parametrize(
    ("given", "share", "value"),
    [
        ((50, 1000), 0.0, 50),
        ((50, 1000), 1.0, 1000),
        ((50, 1000), 0.5, 500),  # 525 is equally near to 550; the lower one is chosen
        ((100, 10_000, "log"), 0.5, 1000),
        ([400, 800, 1600], 0.34, 800),
        ([400, 800, 1600], 1.0, 1600),
    ],
)
def test_shares_of_a_range_are_allowed_values(given: Any, share: float, value: int) -> None:
    assert read({"ecb.window_ns": given}, Schema.from_json(describe()))[0].at(share) == value


@pytest.mark.parametrize(
    ("vary", "message"),
    [
        ({}, "vary: name parameters"),
        ({"ecb.windw_ns": (50, 100)}, "did you mean ecb.window_ns?"),
        ({"ecb.window_ns": (50, 110)}, "ecb.window_ns = 110: must be a multiple of 50"),
        ({"ecb.window_ns": (100, 50)}, "ecb.window_ns = (100, 50): the low end must be below the high end"),
        ({"port.delay": (0, 50, "log")}, "at equal ratios the low end must be above 0"),
        ({"port.delay": (1, 50, "lag")}, "the third can only be 'log'"),
        ({"monitor": ["none", "hypermno"]}, "monitor = hypermno: must be one of"),
        ({"monitor": "none"}, "monitor = none: must be a range (low, high) or a list"),
        ({"nodes": [4, 4]}, "nodes: must have two values or more, each once"),
    ],
)
def test_what_cannot_be_varied_is_answered_at_once(vary: Any, message: str) -> None:
    with pytest.raises(UserError) as caught:
        pareto("machine", vary, {LOST: "minimize"}, trials=1)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (lambda: pareto("machine", {"nodes": [4, 8]}, {LOST: "min"}), f"objectives: {LOST} = min: must be one of minimize, maximize"),  # type: ignore[dict-item]
        (lambda: pareto("machine", {"nodes": [4, 8]}, {"cost.memory": "minimize"}), "cost.memory_bits, cost.bandwidth_bytes_per_s"),
        (lambda: pareto("machine", {"nodes": [4, 8]}, {}), "pareto: needs an objective"),
        (lambda: sobol("machine", {"nodes": [4, 8]}, "elapsed_s", samples=12), "samples = 12: must be a power of two from 2"),
        (lambda: morris("machine", {"nodes": [4, 8]}, [], trajectories=2), "of: name a number of the result"),
    ],
)  # fmt: skip
def test_what_cannot_be_asked_for_is_answered_at_once(ask: Any, message: str) -> None:
    with pytest.raises(UserError) as caught:
        ask()
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("module", "package", "ask"),
    [
        ("optuna", "Optuna", lambda: pareto("machine", {"nodes": [4, 8]}, {"elapsed_s": "minimize"})),
        ("SALib.sample.sobol", "SALib", lambda: sobol("machine", {"nodes": [4, 8]}, "elapsed_s")),
        ("SALib.sample.morris", "SALib", lambda: morris("machine", {"nodes": [4, 8]}, "elapsed_s")),
    ],
)
def test_a_missing_extra_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, module: str, package: str, ask: Any
) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(UserError, match=rf"{package} is not installed: pip install 'hypermon\[tradeoffs\]'"):
        ask()


def test_cost_is_of_the_resolved_design() -> None:
    table = pareto("machine", {"nodes": [16, 32]}, {"cost.memory_bits": "minimize"}, trials=8).all()
    bits = dict(zip(table["nodes"], table["cost.memory_bits"], strict=True))
    assert bits[32] == 2 * bits[16]
    assert cost.unit("cost.memory_bits") == "bits"
