# SPDX-License-Identifier: BSD-3-Clause
"""The order in which a sweep does its work, and the content of its store."""

from __future__ import annotations

import importlib
from pathlib import Path

import pytest

from hypermon._engine.sweeping import store as stores
from hypermon._engine.sweeping.execute import CHUNK, chunks, longest_first
from hypermon._engine.sweeping.plan import Group
from hypermon._engine.sweeping.store import COSIM, COUNTS, FULL, JUDGED, REPLAY, Address, Entry, Store
from hypermon._model import expressions, monitors
from hypermon._model.schema import Value
from hypermon._model.spec import Spec
from hypermon.judging import version as versions
from tests.registered import made


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
    assert len(made) >= min(n, jobs)  # all processors have work


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
    file.write_text(file.read_text().replace('"events": 1', '"events": 7'))  # the file is still JSON
    assert store.load() == {}


def test_what_another_code_has_judged_is_a_whole_result_without_a_picture(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = Store(tmp_path)
    store.open()
    result = {"events": 1, "picture": {"monitor": "none", "error_percent": 7}}
    judged = Entry(COSIM, JUDGED, result, judged_by=versions.version("none"))
    store.put({"a": judged, "b": Entry(COSIM, JUDGED, result)})  # b: before versions were kept
    assert store.load() == {"a": judged, "b": Entry(COSIM, FULL, {"events": 1})}
    assert store.found(["a"], JUDGED) == {"a": judged}
    stores._read.cache_clear()
    monkeypatch.setattr(stores, "judging_version", lambda _: "changed")
    assert store.load() == {"a": Entry(COSIM, FULL, {"events": 1}), "b": Entry(COSIM, FULL, {"events": 1})}
    assert store.found(["a"], JUDGED) is None
    again = Entry(COSIM, JUDGED, result, judged_by="changed")
    store.put({"a": again})
    assert store.load()["a"] == again
    assert store.found(["a"], JUDGED) == {"a": again}
    stores._read.cache_clear()


REGISTERED = """
from hypermon.monitors import Monitor

class Poller(Monitor):
    name = "some_poller"

    def picture(self):
        from some_poller.picture import picture
        return picture

    def report(self):
        from some_poller.page import VIEW
        return VIEW

MONITOR = Poller()
"""


def test_the_version_of_the_judging_code_is_that_of_all_that_draws_a_picture(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "some_poller"
    package.mkdir()
    for name, text in {
        "__init__": REGISTERED,
        "picture": "def picture(result, activity):\n    from some_poller import reading\n",
        "reading": "from . import times\nimport json\n",
        "times": "",
        "page": "import some_poller.picture\n",
    }.items():
        (package / f"{name}.py").write_text(text)
    monkeypatch.syspath_prepend(str(tmp_path))
    kind = importlib.import_module("some_poller").MONITOR
    monkeypatch.setattr(monitors, "find", {"some_poller": kind, "plain": made("plain")}.__getitem__)

    def now() -> tuple[str, str]:
        versions.version.cache_clear()
        versions._imported.cache_clear()
        return versions.version("some_poller"), versions.version("plain")

    seen = [now()]
    for name, moves in {"picture": True, "reading": True, "times": True, "page": False}.items():
        with (package / f"{name}.py").open("a") as file:
            file.write("# changed\n")
        seen.append(now())
        assert (seen[-1] != seen[-2]) == moves, name
    assert len({plain for _, plain in seen}) == 1
    own = versions._closure((f"{versions.__package__}.judgement",))
    assert {
        f"hypermon.judging.{name}" for name in ("curves", "from_events", "from_profiles", "from_samples")
    } <= own.keys()
    assert {"hypermon._model.activity", "hypermon._model.series"} <= own.keys()


def test_an_address_depends_on_values_versions_and_worker(
    fake: Path,
) -> None:
    here = Address({"hypermon": "1"})
    assert here.of_run(spec(nodes=2, seed=1)) == here.of_run(spec(seed=1, nodes=2))
    # limits are part of no result
    assert here.of_run(spec(nodes=2, limits__host_s=5)) == here.of_run(spec(nodes=2, limits__host_s=6))
    others = [here.of_run(spec(nodes=4, seed=1)), Address({"hypermon": "2"}).of_run(spec(nodes=2, seed=1))]
    others.append(here.of_run(Spec("another", {"nodes": 2, "seed": 1})))
    fake.write_text(fake.read_text() + "# built again\n")
    others.append(Address({"hypermon": "1"}).of_run(spec(nodes=2, seed=1)))
    assert len({here.of_run(spec(nodes=2, seed=1)), *others}) == 5


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
