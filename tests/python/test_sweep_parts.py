"""The order in which a sweep does its work, and what its store keeps."""

from __future__ import annotations

from pathlib import Path

import pytest

from hypermon._engine.sweeping.execute import CHUNK, chunks, longest_first
from hypermon._engine.sweeping.plan import Group
from hypermon._engine.sweeping.store import COSIM, COUNTS, FULL, REPLAY, Address, Entry, Store
from hypermon._model import expressions
from hypermon._model.schema import Value
from hypermon._model.spec import Spec


def spec(**values: Value) -> Spec:
    return Spec("some", {"monitor": "hypermon", **{path.replace("__", "."): value for path, value in values.items()}})


def test_the_longest_co_simulations_start_first() -> None:
    specs = {
        "short": spec(nodes=2, place__attempts=100, seed=9, node__tick_ms=1e6),
        "long": spec(nodes=8, place__attempts=100, seed=1, node__tick_ms=1.0),
        "middle": spec(nodes=2, place__attempts=200, seed=1, node__tick_ms=1.0),
    }
    assert longest_first(specs) == ["long", "middle", "short"]


@pytest.mark.parametrize("jobs", [1, 2, 7])
@pytest.mark.parametrize("detail", [COUNTS, FULL])
@pytest.mark.parametrize("n", [1, 3, 6000])
def test_tasks_hold_every_design_once_and_none_holds_too_many(n: int, detail: str, jobs: int) -> None:
    specs = {str(i): spec(pbx__word_ns=i) for i in range(n)}
    made = chunks(Group(spec(), "recording", tuple(specs)), specs, detail, jobs)
    assert [key for chunk in made for key in chunk] == list(specs)
    assert max(map(len, made)) <= CHUNK[detail]
    assert len(made) >= min(n, jobs)  # all processors have something to do


def test_a_whole_result_stands_before_counts_of_the_same_point_and_failures_are_not_kept(tmp_path: Path) -> None:
    store = Store(tmp_path)
    counts, whole = Entry(REPLAY, COUNTS, {"events": 1}), Entry(COSIM, FULL, {"events": 1, "ranks": []})
    failed = Entry(COSIM, FULL, {}, error="deadlock")
    store.open()
    store.put({"a": counts, "c": failed})
    store.put({"a": whole, "b": counts})
    store.put({"a": counts})
    store.put({"c": failed})
    assert store.load() == {"a": whole, "b": counts}
    assert len(list(store.points.iterdir())) == 2  # the same content, the same file


def test_points_that_are_not_what_was_written_are_computed_again(tmp_path: Path) -> None:
    store = Store(tmp_path)
    store.open()
    store.put({"a": Entry(REPLAY, COUNTS, {"events": 1})})
    (file,) = store.points.iterdir()
    file.write_text(file.read_text().replace('"events": 1', '"events": 7'))  # JSON all the same
    assert store.load() == {}


def test_an_address_is_of_the_values_the_versions_and_the_worker(
    fake: Path,
) -> None:
    here = Address({"hypermon": "1"})
    assert here.of(spec(nodes=2, seed=1)) == here.of(spec(seed=1, nodes=2))
    assert here.of(spec(nodes=2, limits__host_s=5)) == here.of(spec(nodes=2, limits__host_s=6))  # of no result
    others = [here.of(spec(nodes=4, seed=1)), Address({"hypermon": "2"}).of(spec(nodes=2, seed=1))]
    others.append(here.of(Spec("another", {"nodes": 2, "seed": 1})))
    fake.write_text(fake.read_text() + "# built again\n")
    others.append(Address({"hypermon": "1"}).of(spec(nodes=2, seed=1)))
    assert len({here.of(spec(nodes=2, seed=1)), *others}) == 5


@pytest.mark.parametrize(
    ("text", "paths"),
    [
        ("monitor.frames.lost / max(1, monitor.frames.built)", ["monitor.frames.lost", "monitor.frames.built"]),
        ("ranks[0].events + ranks[1].events", ["ranks[0].events", "ranks[1].events"]),
        ('lost(ledger, "pbx", "bus_error").events == null', ["ledger"]),
        ("-(a.b)", ["a.b"]),
        ("1 + 2", []),
    ],
)
def test_an_expression_knows_what_it_asks_for(text: str, paths: list[str]) -> None:
    assert expressions.paths(text) == paths
