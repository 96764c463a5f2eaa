# SPDX-License-Identifier: BSD-3-Clause
"""Event catalogues: files, values, mistakes, and runs that use them."""

from __future__ import annotations

import json
import threading
from collections import Counter
from pathlib import Path

import pytest

from hypermon import timelines
from hypermon._engine import recorder
from hypermon._engine.recording import Recording
from hypermon._files import yamlfile
from hypermon._model import catalogues
from hypermon._model.catalogues import Event
from hypermon.errors import UserError
from hypermon.monitors.hypermon import frames, replaying
from hypermon.timelines import states
from hypermon.timelines.states import Bracket
from tests.conftest import Hypermon

ROOT = Path(__file__).resolve().parents[4]
MESSAGES = ROOT / "examples/own_events/messages.yaml"


def resolved(path: Path | str, where: str = "--set") -> str:
    return catalogues.resolve("instrumentation.catalogue", path, where)


def test_the_built_in_catalogue_and_its_file_are_one() -> None:
    assert resolved(ROOT / "scenarios/catalogues/nx2.yaml") == resolved("nx2") == "nx2"


@pytest.mark.parametrize("name", catalogues.names())
def test_a_catalogue_that_comes_with_hypermon_is_one_by_name_file_and_value(name: str) -> None:
    value = resolved(name)
    assert resolved(f"{ROOT}/scenarios/catalogues/{name}.yaml") == value
    assert resolved(value) == value
    assert catalogues.name_of(value) == name


def test_a_path_in_a_scenario_starts_from_that_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "own.yaml").write_text("events: [{name: mark, point: user}]\n")
    (tmp_path / "scenario.yaml").write_text("set: {instrumentation.catalogue: own.yaml}\n")
    item = (
        yamlfile.read(tmp_path / "scenario.yaml").mapping("scenario")["set"].leaves("set")["instrumentation.catalogue"]
    )
    assert catalogues.name_of(resolved(item.value, item.where)) == "own"
    monkeypatch.chdir(tmp_path)
    assert resolved("own.yaml") == resolved(item.value, item.where)


BROKEN = {
    "code: 0x33": "events[1].code = 51: must be a byte whose two nibbles differ (0x01 to 0xFE, without 0x11, 0x22, ...)",
    "point: nx2.tick": "events[1].point = nx2.tick: is that of tick too; a point emits one event",
    "arguments: {a: 3}": "events[1].arguments.a = 3: must be 1, 2 or 4 bytes",
    "argument: {a: 4}": "events[1].argument: no such key; there are name, point, class, code, arguments, cost_us",
}


@pytest.mark.parametrize("line", BROKEN)
def test_a_mistake_in_a_file_has_its_line(line: str, tmp_path: Path) -> None:
    file = tmp_path / "own.yaml"
    point = "" if line.startswith("point") else "    point: user.0\n"
    file.write_text(f"events:\n  - {{name: tick, point: nx2.tick}}\n  - name: note\n{point}    {line}\n")
    with pytest.raises(UserError) as mistake:
        resolved(file)
    assert str(mistake.value) == f"{BROKEN[line]} ({file}, line {4 + bool(point)})"


def test_what_is_no_catalogue_is_refused_with_what_there_is() -> None:
    with pytest.raises(UserError, match=r"^instrumentation.catalogue = mpj: no such catalogue; did you mean mpi\?"):
        resolved("mpj")
    with pytest.raises(UserError, match=r"catalogue = none.yaml: no such file \(--set\)$"):
        resolved("none.yaml")
    with pytest.raises(UserError, match="must be the name of a catalogue or a YAML file"):
        catalogues.resolve("instrumentation.catalogue", 3, "--set")


def test_the_command_line_prints_a_catalogue_and_the_points(hypermon: Hypermon) -> None:
    assert "events: codes differ in at least 4 bits" in hypermon("events", str(MESSAGES)).stdout
    known = json.loads(hypermon("events", "--points", "--json").stdout)
    assert {"mpi.MPI_Send.enter", "mpi.MPI_Alltoall.leave"} < {point["point"] for point in known["points"]}
    broken = hypermon("events", "nothing")
    assert (broken.returncode, broken.stderr[:47]) == (2, "error: CATALOGUE = nothing: no such catalogue; ")


def brackets(*steps: tuple[str, str]) -> list[Bracket]:
    return [Bracket(point, 10 * i, 10 * i + 1, call or states.SYSTEM_CALL) for i, (point, call) in enumerate(steps)]


def test_mpi_calls_are_states_with_the_system_calls_in_them() -> None:
    found = states.edges(
        brackets(
            ("nx2.process_start", ""),
            ("mpi.MPI_Recv.enter", ""),
            ("nx2.syscall_entry", "crecv"),
            ("nx2.switch_out", ""),
            ("nx2.switch_in", ""),
            ("nx2.syscall_exit", "crecv"),
            ("mpi.MPI_Recv.leave", ""),
            ("mpi.MPI_Send.enter", ""),
            ("nx2.process_end", ""),
        )
    )
    assert [(edge.ps, edge.name) for edge in found] == [
        (0, "program"),
        (1, "computing"),
        (10, None),
        (10, "MPI_Recv"),
        (20, "crecv"),
        (30, "blocked"),
        (41, None),
        (51, None),
        (61, None),
        (61, "computing"),
        (70, None),
        (70, "MPI_Send"),
        (80, None),
        (81, None),
    ]


LIFE = {"nodes": 4, "life.generations": 4, "port.delay": 0}  # its messages do not depend on times


# A run ----------------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Recording:
    settings = {**LIFE, "instrumentation.catalogue": str(MESSAGES), "drain.keep_frames": True}
    return recorder.record("table2/life", settings=settings, out=tmp_path_factory.mktemp("recording") / "run")


@pytest.mark.worker
def test_a_recording_and_its_frame_files_are_complete_without_the_catalogues_file(recorded: Recording) -> None:
    names = {event.name for event in catalogues.events(resolved(MESSAGES))}
    truth = timelines.truth(recorded)
    assert set(truth.events["type"].unique()) <= names
    assert set(truth.events["type"].unique()) >= {"sent", "done", "tick"}
    decoded = frames.decode(recorded.path.parent / "board0.hmf")
    delivered = truth.events[truth.events["lost_cause"].isna()]
    assert Counter(decoded.names[code] for code in decoded.events["type"].tolist()) == Counter(delivered["type"])


@pytest.mark.worker
def test_a_replay_gives_the_same_result_and_needs_the_same_catalogue(recorded: Recording) -> None:
    assert replaying.replay(recorded).text == recorded.result_text
    with pytest.raises(
        UserError, match=r"^instrumentation.catalogue = nx2: the data that the nodes write depend on it"
    ):
        replaying.replay(recorded, {"instrumentation.catalogue": "nx2"})


@pytest.mark.worker
def test_what_is_not_emitted_costs_nothing(recorded: Recording) -> None:
    nx2 = recorder.record("table2/life", settings=LIFE, out=recorded.path.parent.parent / "nx2")
    for ours, theirs in (("sent", "send_start"), ("done", "data_done")):
        counts = [
            (run.events["type"] == name).sum()
            for run, name in ((timelines.truth(recorded), ours), (timelines.truth(nx2), theirs))
        ]
        assert counts[0] == counts[1] > 0
    assert recorded.result["events"] < nx2.result["events"] / 3
    assert recorded.result["elapsed_s"] < nx2.result["elapsed_s"]


@pytest.mark.worker
def test_runs_with_different_catalogues_are_replayed_side_by_side(recorded: Recording) -> None:
    nx2 = Recording(recorded.path.parent.parent / "nx2")
    texts: dict[str, str] = {}

    def replay(name: str, source: Recording) -> None:
        texts[name] = replaying.replay(source).text

    threads = [threading.Thread(target=replay, args=(name, run)) for name, run in (("nx2", nx2), ("own", recorded))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert texts == {"nx2": nx2.result_text, "own": recorded.result_text}


@pytest.mark.worker
def test_mpi_call_by_call_every_call_returns_and_says_what_it_moves(recorded: Recording) -> None:
    settings = {**LIFE, "instrumentation.catalogue": "mpi"}
    mpi = timelines.truth(recorder.record("table2/life", settings=settings, out=recorded.path.parent.parent / "mpi"))
    counts = Counter(mpi.events["type"])
    assert counts["Send"] > 0
    for event in mpi.catalogue:
        if event.point.startswith("mpi.") and event.point.endswith(".enter") and event.name != "Finalize":
            assert counts[event.name] == counts[f"{event.name}.leave"]
    # A call sent or exchanged every NX/2 message, and its event gives the same number of bytes.
    nx2 = timelines.truth(Recording(recorded.path.parent.parent / "nx2"))
    sent = nx2.events.loc[nx2.events["type"] == "send_start", "arg0"]
    assert set(mpi.events.loc[mpi.events["type"] == "Send", "arg1"]) <= set(sent & 0xFFFFFF)
    names = {e.name for e in states.edges(states.brackets(mpi.of_node(1), mpi.catalogue, "emitted_ps", "done_ps"))}
    assert {"program", "computing", "MPI_Send"} <= names


def test_an_event_knows_where_its_data_are() -> None:
    row: Event = next(event for event in catalogues.events(resolved(MESSAGES)) if event.name == "sent")
    assert (row.argument("peer"), row.argument("bytes"), row.argument("tag")) == ("arg0", "arg1", None)
    assert (row.data_bytes, *row.sizes.items()) == (1 + 1 + 2, ("software_bytes", 6), ("hardware_nibbles", 16))
