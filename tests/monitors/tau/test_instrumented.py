# SPDX-License-Identifier: BSD-3-Clause
"""Functions that the compiler instruments (-finstrument-functions), in C, C++ and Fortran, in TAU's profiles."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

import hypermon
from hypermon._files import tau
from tests.python import both_ways

pytestmark = [pytest.mark.worker, pytest.mark.usefixtures("worker")]
HERE = Path(__file__).parent / "instrumented"
MACHINE = {
    "node.clock_drift_ppm": 0,
    "node.start_spread_us": 0,
    "machine.messages": "smpi",
    "machine.topology": "star",
}
Numbers = dict[str, tuple[float, float, float]]


def run(
    program: Path, out: Path, ranks: int = 2, monitor: str = "tau", cflags: str = "", **settings: Any
) -> hypermon.Result:
    """Runs the program, which hypermon compiles unless it is an object."""
    if program.suffix != ".so":
        settings["program.cflags"] = cflags
    return hypermon.run(program=program, out=out, settings={"nodes": ranks, "monitor": monitor, **MACHINE, **settings})


def numbers(result: hypermon.Result, rank: int = 0) -> Numbers:
    """Calls, calls of others, and inclusive microseconds, by name; without MPI's functions."""
    routines = tau.read(result.path / "profiles" / f"profile.{rank}.0.0").routines
    return {
        one.name: (one.calls, one.subroutines, one.inclusive)
        for one in routines
        if one.name != ".TAU application" and not one.name.startswith("MPI_")
    }


INSTRUMENTED: dict[str, Any] = {"cflags": "-finstrument-functions", "tau.timer_us": 0, "tau.gettimeofday_us": 0}


def test_functions_of_c_have_their_calls_and_times_whatever_longjmp_leaves(tmp_path: Path) -> None:
    """deep(3) works 10 us on each of four levels. Each of three jumps() works 1 us before the longjmp, twice; 2 and 5
    us. main calls deep, guarded twice, work, bracketed, and three of MPI's functions.
    """
    result = run(HERE / "calls.c", tmp_path / "run", **INSTRUMENTED)
    expected: Numbers = {
        "main": (1, 8, 53),
        "deep": (4, 4 + 3, 40),
        "work": (4 + 6 + 2, 0, 53),
        "guarded": (2, 2, 6),
        "jumps": (6, 6 + 4, 6),
        "bracketed": (1, 1, 5),
        "by hand": (1, 1, 5),
    }
    for rank in range(2):
        found = numbers(result, rank)
        assert found.keys() == expected.keys()
        for name, (calls, subroutines, inclusive) in expected.items():
            assert found[name][:2] == (calls, subroutines), name
            if name != "main":  # MPI's time is included
                assert found[name][2] == pytest.approx(inclusive, abs=1), name


def test_functions_of_cplusplus_have_their_names_and_end_where_exceptions_leave_them(tmp_path: Path) -> None:
    """run(i) turns a machine i + 1 times, which then breaks. Static objects before and after main are not included."""
    found = numbers(run(HERE / "throws.cpp", tmp_path / "run", **INSTRUMENTED))
    own = "(anonymous namespace)::"
    turns = 1 + 2 + 3
    expected: Numbers = {
        "main": (1, 2 + 3 + 3, 0),
        f"{own}run(int)": (3, 3 * 3, turns),
        f"{own}run(double)": (3, 3, 6),
        f"{own}Machine::Machine()": (3, 0, 0),
        f"{own}Machine::~Machine()": (3, 0, 0),
        f"{own}Machine::turn(int)": (turns, turns + (turns - 3), turns),
        f"{own}work(double)": (turns + 3, 0, turns + 6),
    }
    assert found.keys() == expected.keys()
    for name, (calls, subroutines, inclusive) in expected.items():
        assert found[name][:2] == (calls, subroutines), name
        if name != "main":
            assert found[name][2] == pytest.approx(inclusive, abs=1), name


@pytest.mark.skipif(shutil.which("gfortran") is None, reason="needs gfortran")
def test_subroutines_of_fortran_have_the_compilers_names(tmp_path: Path) -> None:
    found = numbers(run(HERE / "modules.f90", tmp_path / "run", **INSTRUMENTED))
    assert {name: of[:2] for name, of in found.items()} == {
        "main": (1, 1),
        "MAIN__": (1, 2 * 2 + 3),
        "__kernels_MOD_sweep": (2, 2 * 3),
        "__kernels_MOD_plane": (2 * 3, 0),
        "beside_": (2, 0),
    }


@pytest.mark.parametrize("source", ["calls.c", "throws.cpp"])
def test_where_nobody_keeps_times_they_change_nothing(source: str, tmp_path: Path) -> None:
    plain, instrumented = (
        run(HERE / source, tmp_path / f"run{len(flags)}", monitor="none", cflags=flags)
        for flags in ("", "-finstrument-functions")
    )
    assert plain["fingerprint"] == instrumented["fingerprint"]
    assert plain["elapsed_s"] == instrumented["elapsed_s"] > 0


def test_each_costs_a_timer(tmp_path: Path) -> None:
    """The timer of main begins before the rank is measured. Of MPI's three, the first begins before the measured
    section and the last ends after it.
    """
    settings = {**INSTRUMENTED, "tau.gettimeofday_us": 0}
    free, dear = (run(HERE / "calls.c", tmp_path / str(us), 1, **{**settings, "tau.timer_us": us}) for us in (0, 4))
    timers = 4 + 12 + 2 + 6 + 1 + 1 + 2
    assert round((dear["elapsed_s"] - free["elapsed_s"]) * 1e6) == timers * 4


def test_a_stripped_program_has_addresses_where_it_has_no_symbols(tmp_path: Path) -> None:
    program = both_ways.compiled(str(HERE / "calls.c"), tmp_path, "-finstrument-functions")
    subprocess.run(["strip", program], check=True)
    found = numbers(run(program, tmp_path / "run", 1, **INSTRUMENTED))
    assert {"main", "by hand"} < found.keys()
    others = found.keys() - {"main", "by hand"}
    assert len(others) == 5  # static functions
    assert all(name.startswith("0x") for name in others)
    assert sorted(found[name][0] for name in others) == [1, 2, 4, 6, 12]
