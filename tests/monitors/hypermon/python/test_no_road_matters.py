# SPDX-License-Identifier: BSD-3-Clause
"""A run gives the same bytes however its work is divided and whichever way it is computed.

Small programs under random hardware (random_specs.py: every parameter, policy, reader, fault and format) are
co-simulated, recorded, replayed completely and counted, each time with other time steps, lags and batches of rows.
`hypermon-sim --cut SEED` and `hypermon._core.Replay(cut=SEED)` draw the division.

HYPERMON_TEST_CASES  number of designs, instead of that of a CI run
HYPERMON_TEST_SEED   another seed than the fixed one
"""

from __future__ import annotations

import itertools
import os
import random
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import hypermon
from hypermon import _core
from hypermon._engine import recorder, recording, runner, sweeping
from hypermon._engine.recording import Bursts, Recording
from hypermon._engine.streams import run as streams
from hypermon._inputs import scenario
from hypermon._model import worker
from hypermon._model.metrics import evaluate
from hypermon._model.result import RESULT, Result
from hypermon._model.schema import Value, flat
from hypermon._model.spec import Spec
from hypermon.errors import SimulationError, UserError
from hypermon.monitors.hypermon import replaying
from tests.monitors.hypermon.little_programs import hardware, program, resolved

pytestmark = [pytest.mark.worker, pytest.mark.usefixtures("worker")]

CASES = int(os.environ.get("HYPERMON_TEST_CASES", "48"))
SEED = int(os.environ.get("HYPERMON_TEST_SEED", "1"))
DESIGNS = 8  # number of designs for each program
FILES = ("statistics.csv", *(f"board{b}.hmf" for b in range(8)))
FAILURE = "failure"
Outcome = dict[str, bytes]  # result.json and the other output files of the hardware, by name; or the failure


def co_simulated(spec: Spec, cut: int | None, out: Path, *options: str) -> Outcome:
    out.mkdir(parents=True)
    (out / "spec-wanted.json").write_text(spec.to_json(), encoding="utf-8")
    cut_option = () if cut is None else ("--cut", str(cut))
    command = [str(worker.find()), str(out / "spec-wanted.json"), "--out", str(out), *cut_option, *options]
    try:
        done = subprocess.run(command, capture_output=True, timeout=60, check=False)
    except subprocess.TimeoutExpired:
        return {FAILURE: b"does not end"}
    return outcome(out) if done.returncode == 0 else {FAILURE: b"status %d: %s" % (done.returncode, done.stderr)}


def outcome(folder: Path) -> Outcome:
    return {name: (folder / name).read_bytes() for name in (RESULT, *FILES) if (folder / name).exists()}


def recorded(spec: Spec, cut: int | None, out: Path) -> Recording:
    assert FAILURE not in co_simulated(spec, cut, out, "--record")
    recording.assemble(out)
    return Recording(out)


def batches(r: random.Random, source: Recording) -> Iterator[Bursts]:
    """The recording's rows in batches of random sizes."""
    most = r.choice([1, 3, 100, 100_000])
    for whole in source.batches():
        begin = 0
        while begin < len(whole):
            rows = slice(begin, min(begin + r.randint(1, most), len(whole)))
            offsets = whole.offsets[rows.start : rows.stop + 1]
            yield Bursts(
                node=whole.node[rows], first_ps=whole.first_ps[rows], spacing_ps=whole.spacing_ps[rows],
                offsets=np.ascontiguousarray(offsets - offsets[0]), data=whole.data[offsets[0] : offsets[-1]],
                message=whole.message[rows], side=whole.side[rows],
            )  # fmt: skip
            begin = rows.stop


def replayed(source: Recording, spec: Spec, r: random.Random, out: Path) -> Outcome:
    """A replay with other batches and time steps than hypermon.replay() uses."""
    out.mkdir(parents=True)
    run = _core.Replay(spec.to_json(), str(out), cut=r.getrandbits(32))
    run.program_ends(source.program_end_ps)
    for b in batches(r, source):
        run.add(node=b.node, first_ps=b.first_ps, offsets=b.offsets, data=b.data, message=b.message, side=b.side)
    text = run.finish(
        recorded=source.result_text, scenario=spec.scenario, begin_ps=source.begin_ps, end_ps=source.end_ps
    )
    (out / RESULT).write_text(text, encoding="utf-8")
    return outcome(out)


def counted(source: Recording, spec: Spec) -> dict[str, Any]:
    return replaying.count(source, [spec])[0]


def by_all_roads(source: Recording, spec: Spec, seed: str, out: Path) -> str:
    """The ways whose results differ, and the differences; empty if there are none."""
    r = random.Random(seed)
    expected = co_simulated(spec, None, out / "run")
    if FAILURE in expected:
        return f"co-simulated: {expected[FAILURE].decode()}"
    cut = r.getrandbits(32)
    roads: dict[str, Callable[[], Outcome]] = {
        f"co-simulated with --cut {cut}": lambda: co_simulated(spec, cut, out / "cut"),
    }
    if not replaying.why_not(spec):
        roads["replayed"] = lambda: outcome(replaying.replay_spec(source, spec, out / "replayed").path)
        roads["replayed with another cut"] = lambda: replayed(source, spec, r, out / "replayed-cut")
        roads["co-simulated and recorded"] = lambda: co_simulated(spec, None, out / "recorded", "--record")
    found = [f"{road}: {what}" for road, result in roads.items() if (what := difference(expected, result()))]
    if not replaying.why_not(spec):
        whole = flat(Result(out / "run").to_dict())
        numbers = counted(source, spec)
        found += [f"counted: {m} is {n}, not {whole[m]}" for m, n in numbers.items() if n != whole[m]]
    return "\n".join(found)


def difference(expected: Outcome, found: Outcome) -> str:
    if FAILURE in found:
        return found[FAILURE].decode()
    if expected.keys() != found.keys():
        return f"files {sorted(expected)} and {sorted(found)}"
    for name, content in expected.items():
        if found[name] != content:
            lines = zip(content.splitlines(), found[name].splitlines(), strict=False)
            return f"{name}: " + next((f"{a!r}, {b!r}" for a, b in lines if a != b), "its length")[:300]
    return ""


def simpler(spec: Spec, base: Spec, differs: Callable[[Spec], str]) -> tuple[dict[str, Value], str]:
    """The settings without which the difference disappears, and the difference."""
    schema = worker.schema()
    settings = {path: value for path, value in spec.values.items() if value != base.values.get(path)}
    what = differs(spec)
    for path in list(settings):
        fewer = {p: value for p, value in settings.items() if p != path}
        try:
            if still := differs(scenario.override(base, schema, fewer, (), "")):
                settings, what = fewer, still
        except hypermon.UserError:
            continue
    return settings, what


@pytest.mark.parametrize("number", range(-(-CASES // DESIGNS)))
def test_no_cut_and_no_road_matters(number: int, tmp_path: Path) -> None:
    r = random.Random(f"{SEED}/{number}")
    name, settings = program(r)
    base = resolved(name, settings)
    own = hardware(r, base)
    source = recorded(own, None, tmp_path / "source")
    again = recorded(own, r.getrandbits(32), tmp_path / "again")
    assert again.path.read_bytes() == source.path.read_bytes()
    for design in range(DESIGNS):
        tries = itertools.count()

        def differs(spec: Spec, name: str = f"{SEED}/{number}/{design}", tries: Iterator[int] = tries) -> str:
            return by_all_roads(source, spec, name, tmp_path / f"{name.replace('/', '-')}-{next(tries)}")

        spec = hardware(r, base, applies_back_pressure=r.random() < 0.3)
        if differs(spec):
            least, what = simpler(spec, base, differs)
            pytest.fail(f"{name} with {settings} and {least}: {what}")


SHARED: Mapping[str, Sequence[Value]] = {
    "cpu.policy": ("time_slices", "fair_shares"),
    "cpu.quantum_ms": (0.3, 1, 7.5),
    "cpu.context_switch_us": (0, 5, 130),
    "cpu.processors": (1, 1, 2),
    "competitor.count": (1, 2),
    "competitor.nodes": ("all", "1-2"),
    "competitor.threads": (1, 2, 3),
    "competitor.priority": (-1, 0, 0),
    "competitor.begin_s": (0, 0.011),
    "competitor.end_s": (0, 0.1),
}


@pytest.mark.parametrize("number", range(max(1, CASES // 12)))
def test_no_cut_and_no_road_matters_where_processes_share_processors(number: int, tmp_path: Path) -> None:
    r = random.Random(f"{SEED}/shared/{number}")
    name, settings = program(r)
    shared = {path: r.choice(values) for path, values in SHARED.items()}
    base = resolved(name, {**settings, **shared})
    source = recorded(base, None, tmp_path / "source")
    spec = hardware(r, base, applies_back_pressure=number % 2 == 1)
    assert by_all_roads(source, spec, f"{SEED}/shared/{number}", tmp_path) == "", (name, settings, shared)


@pytest.mark.parametrize("number", range(max(1, CASES // 24)))
def test_no_road_of_a_sweep_matters(number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    r = random.Random(f"{SEED}/sweep/{number}")
    name, settings = program(r)
    base = resolved(name, settings)
    vary, fixed = next(space for space in spaces(r, base) if is_legal(name, settings, *space))
    whole = ["latency_us.p99", "ledger.delivered.nibbles", "monitor.garbage_nibbles", "monitor.drain.bytes_kept"]
    for metrics in (sorted(replaying.COUNTED), whole):
        swept = hypermon.sweep(
            name, vary=vary, metrics=metrics, settings=settings | fixed, out=f"sweep{len(metrics)}"
        )  # fmt: skip
        for n, row in enumerate(swept.to_arrow().to_pylist()):
            own = settings | fixed | {path: row[path] for path in vary}
            try:
                run = runner.run(name, settings=own, out=f"run{len(metrics)}-{n}").to_dict()
            except SimulationError:  # beyond limits.simulated_s
                assert row["status"] == "failed", own
            else:
                assert {m: row[m] for m in metrics} == evaluate(metrics, run, {}), own


def spaces(r: random.Random, base: Spec) -> Iterator[tuple[dict[str, list[Value]], dict[str, Value]]]:
    """Parameters to vary, and settings taken from another design."""
    while True:
        others = [hardware(r, base) for _ in range(DESIGNS)]
        values = {
            path: list(dict.fromkeys(s.values.get(path, value) for s in others)) for path, value in base.values.items()
        }
        vary = {path: values[path][:3] for path in r.sample([path for path in values if len(values[path]) > 1], 2)}
        own = others[0].values.items()
        yield vary, {path: value for path, value in own if value != base.values.get(path) and path not in vary}


def is_legal(
    name: str, settings: Mapping[str, Any], vary: Mapping[str, Sequence[Value]], fixed: Mapping[str, Value]
) -> bool:
    """True if each value can be combined with every other."""
    asked: dict[str, Any] = {"zips": (), "conditions": (), "repeats": None, "presets": (), "metrics": ["elapsed_s"]}
    try:
        request = sweeping.make_request(name, vary=vary, settings={**settings, **fixed}, **asked)
        sweeping.Prepared(request, Path("planned"), jobs=1)
    except UserError:
        return False
    return True


@pytest.mark.parametrize("number", range(max(1, CASES // 24)))
def test_no_cut_of_a_stream_matters(number: int, tmp_path: Path) -> None:
    r = random.Random(f"{SEED}/stream/{number}")
    events = tmp_path / "events.csv"
    time_us = 0.0
    rows = []
    for _ in range(2000):
        time_us += r.expovariate(1 / 60)
        rows.append(f"{round(1000 * time_us)},{r.randrange(4)},{r.randrange(16)}")
    events.write_text("time,node,datum\n" + "\n".join(rows) + "\n", encoding="utf-8")
    base = streams.resolve(events, {"nodes": 4, "port.delay": 0})
    source = recorder.record_spec(base, tmp_path / "source")
    for design in range(DESIGNS):
        spec = hardware(r, base)
        expected = outcome(runner.simulate(spec, tmp_path / f"{design}-run").path)
        assert not difference(expected, outcome(replaying.replay_spec(source, spec, tmp_path / f"{design}").path))
        assert not difference(expected, replayed(source, spec, r, tmp_path / f"{design}-cut"))
        of_run = flat(Result(tmp_path / f"{design}-run").to_dict())
        assert counted(source, spec) == {metric: of_run[metric] for metric in replaying.COUNTED}
