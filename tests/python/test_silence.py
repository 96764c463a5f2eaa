# SPDX-License-Identifier: BSD-3-Clause
"""Memory does not grow with silence: a program that only computes emits a tick every 50 ms for as long as it runs."""

from __future__ import annotations

from pathlib import Path

import pytest

import hypermon
from hypermon._model import monitors
from hypermon._model.result import Result
from tests.registered import needs, observers

pytestmark = [pytest.mark.worker, pytest.mark.usefixtures("worker")]

COMPUTES = """
#include <hypermon.h>
#include <mpi.h>
#include <stdlib.h>
int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  hypermon_charge(1, 1e9 * atof(argv[1]));
  MPI_Finalize();
  return 0;
}
"""
TICK_S = 0.05
SHORT, LONG = 20_000, 80_000  # ticks
MOST_BYTES = 2 << 20  # allowed difference: the effect of allocators and histograms, not of the run's length


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("computes.c").write_text(COMPUTES)


def run(ticks: int, **settings: object) -> Result:
    chosen = {"program.arguments": f"{ticks * TICK_S}", **settings}
    return hypermon.run(program="computes.c", nodes=1, settings=chosen, out=f"run{ticks}")


@pytest.mark.parametrize("monitor", monitors.registered())
def test_memory_does_not_grow_with_ticks(monitor: str) -> None:
    grows_by_little({"monitor": monitor, **needs(monitor)})


def grows_by_little(settings: dict[str, object]) -> None:
    short, long = run(SHORT, **settings), run(LONG, **settings)
    if settings["monitor"] in observers():
        assert long["events"] - short["events"] >= 0.99 * (LONG - SHORT)
    assert long.host["max_rss_bytes"] - short.host["max_rss_bytes"] < MOST_BYTES
