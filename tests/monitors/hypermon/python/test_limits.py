# SPDX-License-Identifier: BSD-3-Clause
"""No run lasts for ever: limits.*, and the watchdog that notices simulated time standing still."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

import hypermon
from hypermon._engine import recorder, runner, sweeping
from hypermon._inputs import scenario
from hypermon._model import worker as workers
from hypermon._model.spec import Spec
from hypermon.monitors.hypermon import replaying

pytestmark = [pytest.mark.worker, pytest.mark.usefixtures("worker")]
GENERATOR = {"workload": "generator", "nodes": 2, "generator.active": 2, "generator.events": 200}

POLLS = """
#include <hypermon.h>
#include <mpi.h>
#include <unistd.h>
int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, done = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Request none = MPI_REQUEST_NULL;
  if (rank == 1)
    for (;;) %s;
  MPI_Recv(&done, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
"""
TEST = "MPI_Test(&none, &done, MPI_STATUS_IGNORE)"


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def spec_of(**settings: object) -> Spec:
    chosen = GENERATOR | {path.replace("__", "."): value for path, value in settings.items()}
    return scenario.find_one("bandwidth/one_node").resolve(workers.schema(), chosen)


# Under a monitor each call would be an event, which takes time.
FREE_CALLS = {"machine.messages": "smpi", "monitor": "none", "limits.steps_at_once": 10_000}


def failure(does: str, **parameters: object) -> str:
    """The error of a program whose rank 1 executes `does` for ever."""
    Path("forever.c").write_text(POLLS % does)
    with pytest.raises(hypermon.SimulationError) as error:
        hypermon.run(program="forever.c", nodes=2, settings=parameters)
    assert not any(p.name.startswith(".") for p in Path("runs").iterdir())
    return str(error.value)


def test_polling_without_time_is_noticed_and_names_rank_and_call() -> None:
    message = failure(TEST, **FREE_CALLS)
    assert message.startswith("simulated time stands still at 0.0")
    assert (
        "s: rank 1 has called MPI more often than limits.steps_at_once allows there, the last time MPI_Test" in message
    )


def test_the_same_run_is_noticed_at_the_same_place() -> None:
    assert failure(TEST, **FREE_CALLS) == failure(TEST, **FREE_CALLS)


def test_polling_that_takes_simulated_time_ends_at_its_limit() -> None:
    message = failure(TEST, **{"limits.simulated_s": 0.5})
    assert message.startswith("limits.simulated_s = 0.5: the program has not ended by then")
    assert "\n  rank 0 is in MPI_Recv" in message


@pytest.mark.parametrize("messages", ["smpi", "nx2"])
@pytest.mark.parametrize("does", ["sleep(4000000000u)", "hypermon_charge(1e19, 1)", "hypermon_charge(1e19, 1e300)"])
def test_dates_beyond_what_picoseconds_reach_end_the_run(does: str, messages: str) -> None:
    message = failure(does, **{"machine.messages": messages, "monitor": "none"})
    assert message.startswith("simulated time would pass 9 million seconds, the largest time in picoseconds")
    assert "\n  rank 0 is in MPI_Recv" in message
    assert "\n  rank 1 is in its own code" in message


def test_a_program_that_never_calls_ends_with_the_hosts_time() -> None:
    began = time.monotonic()
    message = failure("done++", **{"limits.host_s": 0.7})
    assert message.startswith("limits.host_s = 0.7: the simulation has taken longer: 0.0")
    assert "s are simulated; rank 1 is under way\n  rank 0 is in MPI_Recv" in message
    assert "\n  rank 1 is in its own code" in message
    assert time.monotonic() - began < 20  # the compiler's included


def test_a_deadlock_is_no_matter_of_limits() -> None:
    assert "the program deadlocked at" in failure(
        "MPI_Recv(&done, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE)"
    )


def test_a_generator_beyond_its_simulated_time_says_what_its_ranks_do() -> None:
    whole = runner.simulate(spec_of(), Path("whole"))
    limit = whole["elapsed_s"] / 2
    with pytest.raises(hypermon.SimulationError, match=r"limits.simulated_s = .*: the program has not ended by then\n"):
        runner.simulate(spec_of(limits__simulated_s=limit), Path("half"))
    assert [p.name for p in Path().iterdir()] == ["whole"]


def test_a_limit_that_is_not_reached_changes_no_result() -> None:
    free = spec_of()
    near = spec_of(limits__simulated_s=5, limits__host_s=50, limits__steps_at_once=100_000)
    assert free.hash == near.hash
    results = [runner.simulate(spec, Path(f"run{i}")).to_dict() for i, spec in enumerate((free, near))]
    assert [result.pop("spec")["limits"]["simulated_s"] for result in results] == [0, 5]
    assert results[0] == results[1]


def test_a_replay_is_held_to_the_limits_of_its_run() -> None:
    recorded = recorder.record_spec(spec_of(), Path("run"))
    end_s = recorded.end_ps * 1e-12
    again = replaying.replay_spec(recorded, spec_of(limits__simulated_s=end_s * 1.01))
    assert again["monitor"] == recorded.result["monitor"]
    for late in (
        {"limits__simulated_s": end_s * 0.99},
        {"limits__host_s": 1e-9},
    ):
        with pytest.raises(hypermon.SimulationError, match="limits"):
            replaying.replay_spec(recorded, spec_of(**late))
        with pytest.raises(hypermon.SimulationError, match="limits"):
            replaying.count(recorded, [spec_of(**late)])


def test_a_sweep_does_not_simulate_again_for_another_limit() -> None:
    specs = [spec_of(limits__host_s=60 + i) for i in range(3)]
    rows = sweeping.evaluate(specs, ["events"], recordings_folder="store")
    assert {row["status"] for row in rows} == {"ok"}
    assert len(list(Path("store").rglob("result.json"))) <= 1
