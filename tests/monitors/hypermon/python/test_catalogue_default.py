# SPDX-License-Identifier: BSD-3-Clause
"""The default event catalogue of a run, and the message for a run whose catalogue does not show communication."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

import hypermon
from hypermon._engine import recorder, sweeping
from hypermon._inputs import scenario
from hypermon._model import catalogues
from hypermon._model import worker as workers
from hypermon._model.spec import Spec
from hypermon.importing import replay
from hypermon.monitors.hypermon import replaying
from hypermon.report import rules, view
from hypermon.report.facts import Run
from tests.conftest import Hypermon
from tests.python import report_data

pytestmark = [pytest.mark.worker, pytest.mark.usefixtures("worker")]
ROOT = Path(__file__).resolve().parents[4]
CATALOGUE = catalogues.PARAMETER
SMPI = {"machine.messages": "smpi"}
PINGPONG = {"nodes": 2, "pingpong.most_bytes": 64, "pingpong.repeats": 3}


def spec_of(target: str = "collection/pingpong", platform: str | None = None, **settings: object) -> Spec:
    chosen = {path.replace("__", "."): value for path, value in settings.items()}
    return scenario.find_one(target, platform).resolve(workers.schema(), chosen)


def name_of(spec: Spec) -> str:
    return catalogues.name_of(str(spec.values[CATALOGUE]))


@pytest.mark.parametrize(
    ("settings", "name"),
    [
        ({}, "nx2"),
        ({"machine__messages": "nx2"}, "nx2"),
        ({"machine__messages": "smpi"}, "mpi"),
        ({"machine__messages": "smpi", "monitor": "software"}, "mpi"),
        ({"machine__messages": "smpi", "monitor": "none"}, "nx2"),  # no monitor sees anything, and nothing is saved
        ({"machine__messages": "smpi", "instrumentation__catalogue": "nx2"}, "nx2"),
        ({"machine__messages": "nx2", "instrumentation__catalogue": "mpi"}, "mpi"),
        ({"platform": "ethernet"}, "mpi"),
    ],
)
def test_a_catalogue_that_is_not_given_sees_the_messages_that_there_are(settings: dict[str, object], name: str) -> None:
    spec = spec_of(**settings)  # type: ignore[arg-type]
    assert name_of(spec) == name
    assert spec.values[CATALOGUE] == catalogues.resolve(CATALOGUE, name, "")


def test_a_variant_meets_the_catalogue_that_the_run_has(tmp_path: Path) -> None:
    file = tmp_path / "own.yaml"
    file.write_text(
        "question: q\nset: {workload: pingpong, nodes: 2, monitor: software}\nvariants:\n"
        "  - {when: {instrumentation.catalogue: mpi}, set: {seed: 7}}\n"
    )
    assert [spec_of(str(file), machine__messages=m).values["seed"] for m in ("nx2", "smpi")] == [1, 7]


@pytest.mark.parametrize("vary", [{"machine.messages": ["nx2", "smpi"]}, {"monitor": ["none", "software"], **SMPI}])
def test_every_point_of_a_sweep_has_its_own(vary: Mapping[str, object]) -> None:
    axes = {path: values for path, values in vary.items() if isinstance(values, list)}
    settings = {path: value for path, value in vary.items() if path not in axes} | PINGPONG
    asked = sweeping.make_request(
        "collection/pingpong",
        vary=axes,
        zips=(),
        conditions=(),
        repeats=None,
        metrics=(),
        settings=settings,
        presets=(),
    )
    _, points = asked.points()
    assert [name_of(point.spec) for point in points] == ["nx2", "mpi"]
    assert points[1].spec == scenario.find_one("collection/pingpong").resolve(
        workers.schema(), {**settings, **points[1].varied}
    )


def test_an_imported_script_has_it_too(tmp_path: Path) -> None:
    from hypermon.importing import ti

    (tmp_path / "ti.txt").write_text("0 init\n0 finalize\n1 init\n1 finalize\n")
    ti.read(tmp_path / "ti.txt", tmp_path / "script.hms", 1e9)
    asked = {"machine.messages": "smpi", "monitor": "software"}
    assert [name_of(replay.specify(tmp_path / "script.hms", settings=s)) for s in ({}, asked)] == ["nx2", "mpi"]


def test_mpi_calls_are_seen_by_default_where_messages_are_smpis(tmp_path: Path) -> None:
    result = hypermon.run("collection/pingpong", settings={**PINGPONG, **SMPI}, out=tmp_path / "run")
    calls = 2 * 2 * 2 * 3  # at least: enter and leave of a send and a receive on two nodes, three times
    assert result["events"] > calls
    assert "warnings" not in result.to_dict()


def test_a_catalogue_that_sees_no_communication_is_said_in_result_summary_and_replay(
    tmp_path: Path, hypermon: Hypermon
) -> None:
    settings = {**PINGPONG, **SMPI, CATALOGUE: "nx2"}
    ours = recorder.record("collection/pingpong", settings=settings, out=tmp_path / "run")
    (warning,) = ours.result["warnings"]
    assert warning.startswith(
        "instrumentation.catalogue = nx2: with machine.messages = smpi only nx2.process_start, nx2.process_end, "
        "nx2.tick, user can occur, nothing of the program's communication is seen"
    )
    assert replaying.replay(ours).text == ours.result_text
    options = [option for path, value in settings.items() for option in ("--set", f"{path}={value}")]
    done = hypermon("run", "collection/pingpong", *options, "--out", str(tmp_path / "again"))
    assert f"warning: {warning}" in done.stdout


def test_a_catalogue_none_of_whose_events_occurs_is_said(tmp_path: Path) -> None:
    (tmp_path / "own.yaml").write_text("events:\n  - {name: sent, point: nx2.send_start}\n")
    settings = {**PINGPONG, **SMPI, CATALOGUE: str(tmp_path / "own.yaml"), "monitor": "software"}
    result = hypermon.run("collection/pingpong", settings=settings, out=tmp_path / "run")
    assert result["events"] == 0
    assert result["warnings"][0].startswith(f"{CATALOGUE} = own: with machine.messages = smpi none of its events")


@pytest.mark.parametrize("monitor", ["software", "hypermon"])
def test_the_report_says_what_the_result_warns_of(monitor: str) -> None:
    made = report_data.result()
    made["warnings"] = ["instrumentation.catalogue = nx2: nothing is seen"]
    finding = rules.unseen(Run(made))
    assert finding is not None
    assert (finding.level, finding.text[:36]) == (rules.PROBLEM, "instrumentation.catalogue = nx2: not")
    made["spec"]["monitor"] = monitor
    if monitor == "software":
        made["monitor"] |= {"buffer_bytes": [0]}
        made["spec"] |= {"software": {"buffer_bytes": 1, "traces": "node", "when_full": "drop"}}
    assert finding in view.find(monitor).findings(Run(made))
    assert rules.unseen(Run(report_data.result())) is None
