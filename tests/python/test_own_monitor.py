# SPDX-License-Identifier: BSD-3-Clause
"""The example of a monitor outside the tree, built against an installed hypermon, works like the built-in ones."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from hypermon._model.schema import flat
from hypermon._model.spec import Spec
from tests.python.result_invariants import INVARIANTS, violations
from tests.python.test_no_cut_matters import SEED, differing, written

ROOT = Path(__file__).parents[2]
pytestmark = [pytest.mark.worker, pytest.mark.usefixtures("worker")]
SETTINGS = ["--set", "monitor=poller", "--set", "lan.count=1", "--set", "machine.beside=1", "--set", "nodes=4"]


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """An environment in which Python finds the example monitor."""
    folder = tmp_path_factory.mktemp("own_monitor")
    example = folder / "example"
    subprocess.run(["cp", "-r", ROOT / "examples/own_monitor", example], check=True)
    prefix = folder / "prefix"
    build = folder / "build"
    pip = [sys.executable, "-m", "pip", "install", "-q", "--no-build-isolation", "--no-deps"]
    commands: list[list[str | Path]] = [
        ["cmake", "--install", ROOT / "build/release", "--component", "dev", "--prefix", prefix],
        ["cmake", "-S", example, "-B", build, f"-DCMAKE_PREFIX_PATH={prefix}"],
        ["cmake", "--build", build],
        [*pip, "--target", folder / "python", example],
    ]
    for command in commands:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
    return {**os.environ, "PYTHONPATH": str(folder / "python")}


def hypermon(environment: dict[str, str], *words: str | Path, status: int = 0) -> str:
    program = "from hypermon.cli import main; main()"
    command = [sys.executable, "-c", program, *map(str, words)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == status, done.stdout + done.stderr
    return done.stdout + done.stderr


def test_it_has_parameters_runs_samples_and_a_page(installed: dict[str, str], tmp_path: Path) -> None:
    assert "poller.period_ms" in hypermon(installed, "params", "poller")
    run = tmp_path / "run"
    counters = "poller.counters=cpu.user mpi.calls queue.unexpected"
    output = hypermon(installed, "run", "collection/halo", *SETTINGS, "--set", counters, "--out", run, "--all")
    assert "No sample was lost." in output
    code = (
        "import hypermon, pathlib, sys; r = hypermon.Result(pathlib.Path(sys.argv[1])); s = r.samples.to_pandas(); g = r['sampling'];"
        "assert g['taken'] == g['delivered'] + g['in_flight'] and len(s) == g['delivered'] > 0;"
        "assert (s.arrival_ps > s.true_ps).all() and (s.arrival_ps.diff().dropna() >= 0).all();"
        "assert set(s.counter) == {'cpu.user', 'mpi.calls', 'queue.unexpected'}"
    )
    subprocess.run([sys.executable, "-c", code, run], env=installed, check=True)
    hypermon(installed, "report", run, "-o", tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text()
    assert "every 10 ms" in page
    assert "Age of a sample, 99th percentile" in page
    assert "No sample was lost." in page
    assert "\u202fevents" not in page
    assert "sampling.delivered" in output


def test_its_samples_can_be_watched(installed: dict[str, str], tmp_path: Path) -> None:
    counters = ("--set", "poller.counters=cpu.user queue.unexpected")
    output = hypermon(installed, "run", "collection/halo", *SETTINGS, *counters, "--watch", "--out", tmp_path / "run")
    header, *lines = output.splitlines()
    assert header.startswith("# arrival_s")
    samples = [line.split("\t") for line in lines if "\t" in line]
    delivered = json.loads((tmp_path / "run/result.json").read_text())["sampling"]["delivered"]
    assert len(samples) == delivered > 0
    assert {sample[2] for sample in samples} == {"cpu.user[0]", "queue.unexpected[0]"}


def test_what_it_asks_for_and_is_not_there_is_one_clear_error(installed: dict[str, str], tmp_path: Path) -> None:
    cases = {
        "poller.counters=cpu.users": "poller.counters = cpu.users: no such counter",
        "poller.network=myrinet": "poller.network = ",
        "machine.beside=0": "machine.beside",
    }
    for setting, expected in cases.items():
        output = hypermon(
            installed, "run", "collection/halo", *SETTINGS, "--set", setting, "--out", tmp_path / "x", status=2
        )
        assert expected in output
        assert "Traceback" not in output
        assert not (tmp_path / "x").exists()


STUDY = ("study", "monitors", "collection/halo", "--nodes", "4", "--monitor", "poller", "--json")


def test_it_appears_among_the_monitors_side_by_side_with_what_it_cannot_do_without(
    installed: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    asked = (*STUDY, "--set", "poller.counters=cpu.user", "--out", "page")

    def told(*more: str) -> Any:
        output = hypermon(installed, *asked, "--platform", "hpvm_nt", *more)
        return json.loads(output.rpartition("host time: ")[0])

    (run,) = told()["runs"]
    assert (run["monitor"], run["failed"]) == ("poller", "")
    ran = ("run", "collection/halo", "--platform", "hpvm_nt", "--set", "nodes=4", "--set", "monitor=poller")
    hypermon(installed, *ran, "--set", "poller.counters=cpu.user", "--activity", "--out", "run")
    (judged,) = json.loads(hypermon(installed, "judge", "run", "--json"))
    assert (run["error_percent"], run["error_s"]) == (judged["error_percent"], judged["error_s"])
    # The error is at most that of the nodes' clocks plus the interval between two samples.
    assert 0 < run["error_s"] < run["stamp_error_us"] * 1e-6 + 10e-3
    assert 0 < run["latency_p50_ms"] < 10
    text = Path("page/monitors.md").read_text()
    assert "| poller | " in text  # the monitor, its slowdown, its error, the state that it is taken for
    assert '"name":"poller' in Path("page/monitors.html").read_text().replace('": ', '":')
    assert ">poller</text>" in Path("page/monitors/defaults-hpvm_nt.svg").read_text()
    without = told("--set", "machine.beside=0")
    reasons = [one["failed"] for one in without["runs"]] + [one["reason"] for one in without["refused"]]
    assert len(reasons) == 1
    assert "machine.beside" in reasons[0]


def test_the_more_often_it_polls_the_truer_is_its_picture(installed: dict[str, str], tmp_path: Path) -> None:
    """CPU time between two samples is right on average; the shorter the interval, the smaller the error."""
    periods_ms = (64, 16, 4, 1)
    for period in periods_ms:
        options = ("--set", "poller.counters=cpu.user", "--set", f"poller.period_ms={period}", "--activity")
        hypermon(installed, "run", "collection/halo", *SETTINGS, *options, "--out", tmp_path / f"{period}")
    found = json.loads(hypermon(installed, "judge", *(tmp_path / f"{period}" for period in periods_ms), "--json"))
    assert {one["source"] for one in found} == {"cpu.user"}
    for quantity in ("error_percent", "error_s"):
        errors = [one[quantity] for one in found]
        assert errors == sorted(errors, reverse=True)
        assert all(one[quantity] < one[quantity.replace("error", "guess")] for one in found)
    assert found[-1]["error_s"] < found[0]["error_s"] / 10
    for one in found:
        age_s = one["live"]["actual"]["age_s"]
        assert 0 < age_s < 1e-4  # a message over the LAN
        assert one["live"]["actual"]["error_s"] > one["error_s"]  # a mean is known only at the end of its interval
        assert one["hole_percent"] == 0


COUNTERS = ("cpu.user", "mpi.calls", "queue.unexpected", "os.context_switches")
SHARED = (
    "cpu.policy=time_slices", "cpu.policy=fair_shares", "cpu.policy=time_slices competitor.count=1 cpu.quantum_ms=3",
    "cpu.policy=kernel_first",
)  # fmt: skip


@pytest.mark.parametrize("case", range(4))
def test_no_cut_of_a_run_with_daemons_and_samples_matters_and_all_that_is_true_of_results_holds(
    installed: dict[str, str], tmp_path: Path, case: int, worker: Path
) -> None:
    r = random.Random(f"{SEED}/poller/{case}")
    words = [f"poller.counters={' '.join(r.sample(COUNTERS, 2))}", f"poller.period_ms={r.choice((0.5, 3, 10))}"]
    words += [f"seed={r.randrange(1000)}", *SHARED[case].split()]
    options = [word for setting in words for word in ("--set", setting)]
    hypermon(installed, "run", "collection/halo", *SETTINGS, *options, "--out", tmp_path / "run")
    specification = (tmp_path / "run/spec.json").read_text()
    (plugin,) = Path(installed["PYTHONPATH"]).rglob("*.so")
    program = (str(worker), "--plugin", str(plugin))
    whole = written(specification, tmp_path / "whole", program=program)
    assert whole["status"] == b"0", whole["stderr"]
    assert any(name.startswith("samples") for name in whole)
    for cut in [str(r.getrandbits(32)) for _ in range(2)]:
        again = written(specification, tmp_path / cut, "--cut", cut, program=program)
        assert differing(whole, again) == []
    result = json.loads((tmp_path / "run/result.json").read_text())
    assert result["sampling"]["delivered"] > 0
    assert violations(result, Spec(result["scenario"], flat(result["spec"]))) == []


def test_its_result_keys_are_those_of_all_and_its_own(installed: dict[str, str], worker: Path) -> None:
    (plugin,) = Path(installed["PYTHONPATH"]).rglob("*.so")
    done = subprocess.run((worker, "--plugin", plugin, "--describe"), capture_output=True, text=True, check=True)
    without = {entry["path"] for entry in json.loads(done.stdout)["results"]} - set(INVARIANTS)
    assert {path for path in without if not path.startswith(("poller.", "monitor."))} == set()
