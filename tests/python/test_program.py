# SPDX-License-Identifier: BSD-3-Clause
"""The user's own MPI program (hypermon._inputs.programs, platforms/worker/)."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

import hypermon
from hypermon._engine.calibrating import sealed
from hypermon._inputs import programs
from hypermon._model.result import Result
from hypermon.errors import SimulationError, UserError
from tests.registered import recordable

HERE = Path(__file__).parent / "programs" / "own"
SOURCES = [HERE / "ends.cpp", HERE / "answer.c"]
FLAGS = ("-D_FORTIFY_SOURCE=2", "-DANSWER=42")
WRITTEN = "printf 1\nputs\np\nfputs\nf\nu\nfwrite\nwrite\ncout {rank}\n"
Run = Callable[..., Result]

pytestmark = pytest.mark.worker


@pytest.fixture(scope="module")
def program(worker: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:  # noqa: ARG001 (goes with it)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        return programs.compiled(SOURCES, FLAGS)


@pytest.fixture
def run(program: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs the program on two nodes without a monitor; `how` selects the way in which it ends."""
    monkeypatch.chdir(tmp_path)

    def ended(how: str, **section: object) -> Result:
        return hypermon.run(
            program={"file": program, "arguments": f"'{how}'", **section},
            workload="program",
            nodes=2,
            monitor="none",
            node={"clock_drift_ppm": 0},
            out="out",
        )

    return ended


def test_every_rank_has_its_own_output_and_globals(run: Run) -> None:
    result = run("")
    for rank in (0, 1):
        assert result.output(rank) == WRITTEN.format(rank=rank)
        assert (result.path / f"stderr/rank{rank}.txt").read_text() == f"to stderr {rank}\ncerr {rank}\n"
    assert result.output().startswith("rank 0: printf 1\nrank 0: puts\n")


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ("segv", r"rank 1 crashed: SIGSEGV \(invalid memory access\) at ends.cpp:22"),
        ("fpe", r"rank 1 crashed: SIGFPE .* in main.* at ends.cpp:5\d"),
        ("assert", r"rank 1 crashed: SIGABRT .*\n(.*\n)*.*Assertion `rank == 3' failed"),
        ("throw", r"rank 1 ended with an uncaught exception: a bad day"),
        ("deep", r"rank 1 crashed: SIGSEGV \(stack overflow\) at ends.cpp:1\d"),
        ("strlen", r"rank 1 crashed: SIGSEGV .* in libc.*, called from main.* at ends.cpp:6\d"),
        ("buffer", r"rank 1 crashed: SIG.* in MPI_Send, by its arguments .*, called from main.* at ends.cpp"),
        ("exit", r"rank 1 called exit\(7\)"),
        ("early", r"rank 1 returned before MPI_Finalize"),
        ("abort", r"rank 1 called MPI_Abort with code 5"),
        ("return", r"rank 1 returned status 4"),
        ("wait", r"deadlocked at .*\n  rank 1 waits for MPI_Recv from rank 0"),
    ],
)
def test_a_program_that_fails_is_reported_with_its_rank_and_what_it_wrote_is_kept(
    run: Run, how: str, message: str
) -> None:
    with pytest.raises(SimulationError, match=message) as failed:
        run(how)
    if how not in ("wait", "assert", "buffer"):  # these print more, or nothing
        assert "its last lines on standard error:\n    to stderr 1\n    cerr 1" in str(failed.value)
    assert "what the ranks wrote: out-failed/stdout, out-failed/stderr" in str(failed.value)
    assert Path("out-failed/stdout/rank0.txt").read_text() == WRITTEN.format(rank=0)
    assert not Path("out").exists()


def test_exit_0_after_mpi_finalize_is_a_good_end(run: Run) -> None:
    assert run("exit after the end").output(1) == WRITTEN.format(rank=1)


def test_sleep_takes_simulated_time(run: Run) -> None:
    assert "slept 2.00\n" in run("sleep").output(0)


def test_explicit_time_is_what_the_program_charges_and_zero_is_none(run: Run) -> None:
    charged = run("charge")
    each = 10 * 1e-3  # ten times 1 ms
    assert [rank["compute_s"] for rank in charged["ranks"]] == pytest.approx([each, each])
    assert charged["program"] == {"compute": "explicit", "charges": 20, "charged_s": pytest.approx(2 * each)}
    nothing = run("charge", compute="zero")
    assert [rank["compute_s"] for rank in nothing["ranks"]] == [0, 0]
    assert nothing["program"]["compute"] == "zero"
    assert run("")["program"]["charges"] == 0


def test_calibrated_time_is_the_measured_means_of_the_regions_that_were_measured(run: Run, program: Path) -> None:
    made = hypermon.calibrate(
        program={"file": program, "arguments": "calibrate"}, workload="program", nodes=2, path="c.json"
    )
    loop = next(region for region in made.regions if region["from"] == region["to"])
    assert loop["count"] == 2 * 9  # between two of ten barriers, on two ranks
    assert "ends.cpp" in loop["from_place"]
    data = json.loads(made.path.read_text())
    data["regions"] = [{**loop, "mean_ns": 2e6}]
    made.path.write_text(sealed(data))
    result = run("charge", compute="calibrated", calibration=made.path, compute_factor=1.5)
    assert [rank["compute_s"] for rank in result["ranks"]] == pytest.approx([9 * 2e-3 * 1.5] * 2)
    found = result["program"]
    assert (found["compute"], found["charges"], found["regions"]) == ("calibrated", 18, 1)
    assert found["unmeasured_passes"] == 2 * found["unmeasured_regions"] > 0  # each rank passes the others once
    data["sha256"] = "0" * 64
    made.path.write_text(sealed(data))
    with pytest.raises(UserError, match=r"program.calibration = .*c.json: was measured with another program"):
        run("charge", compute="calibrated", calibration=made.path)
    made.path.write_text(sealed(data).replace("2000000.0", "2000001.0"))
    with pytest.raises(UserError, match=r"program.calibration = .*c.json: is damaged"):
        run("charge", compute="calibrated", calibration=made.path)
    with pytest.raises(UserError, match=r"program.calibration: must be given"):
        run("charge", compute="calibrated")


def test_what_is_compiled_is_kept_until_a_source_a_header_or_an_option_changes(
    worker: Path,  # noqa: ARG001 (says that there is smpicc)
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    source, header = tmp_path / "answer.c", tmp_path / "ends.h"
    source.write_text((HERE / "answer.c").read_text())
    header.write_text("int answer(void);\n")
    first = programs.compiled([source], ["-DANSWER=1"])
    born = first.stat().st_mtime_ns
    assert programs.compiled([source], ["-DANSWER=1"]) == first
    assert first.stat().st_mtime_ns == born
    assert programs.compiled([source], ["-DANSWER=2"]) != first
    header.write_text("int answer(void); /* changed */\n")
    assert programs.compiled([source], ["-DANSWER=1"]) != first


def test_a_compilers_complaint_is_shown_as_it_is(hypermon: Callable[..., object], worker: Path) -> None:  # noqa: ARG001
    done = hypermon("run", "--program", str(HERE / "answer.c"))
    assert done.returncode == 2  # type: ignore[attr-defined]
    assert 'error: #error "no ANSWER"' in done.stderr  # type: ignore[attr-defined]
    assert "Traceback" not in done.stderr  # type: ignore[attr-defined]


def test_the_command_line_takes_sources_ranks_and_arguments(
    run: Run,  # noqa: ARG001 (its folder)
    hypermon: Callable[..., object],
    program: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(program.parents[3]))  # compiled already
    words = ["--program", str(SOURCES[0]), str(SOURCES[1]), "--cflags", " ".join(FLAGS), "--np", "4", "--out", "cli"]
    done = hypermon("run", *words, "--show-output", "3", "--", "charge", "two words")
    assert done.returncode == 0, done.stderr  # type: ignore[attr-defined]
    shown = done.stdout  # type: ignore[attr-defined]
    assert "ends: program on 4 nodes" in shown
    assert "compute time     explicit: 40 charges" in shown
    assert shown.endswith(WRITTEN.format(rank=3))
    spec = json.loads(Path("cli/spec.json").read_text())
    assert spec["program"]["arguments"] == "charge 'two words'"


@pytest.mark.skipif(not recordable(), reason="no recordings")
def test_a_scenario_file_names_a_program_beside_it_and_its_recording_replays(run: Run, program: Path) -> None:
    run("")  # makes a file that nothing else needs, but that is in its folder
    below = Path("below")
    below.mkdir()
    (below / "mine.so").write_bytes(program.read_bytes())
    (below / "s.yaml").write_text("question: Does it run?\nset: {workload: program, program.file: mine.so, nodes: 2}\n")
    recorded = hypermon.record("below/s.yaml", out="recorded")
    again = hypermon.replay(recorded)
    assert again["events"] == recorded.result["events"] > 0
    assert again["ledger"] == recorded.result["ledger"]
