# SPDX-License-Identifier: BSD-3-Clause
"""Under every monitor, a run gives the same bytes however its work is divided.

Random programs with random settings (random_specs.py), some on shared processors, run with `hypermon-sim --cut SEED`,
which draws other time steps, lags and batches. Where a monitor's results can also be computed in other ways (replays,
counts), its own tests compare these.

HYPERMON_TEST_CASES  number of runs of each monitor, instead of that of CI
HYPERMON_TEST_SEED   another seed than the fixed one
"""

from __future__ import annotations

import os
import random
import subprocess
from pathlib import Path

import pytest

from hypermon._model import monitors, worker
from tests.python.random_specs import DRAWN, random_spec

pytestmark = [pytest.mark.worker, pytest.mark.usefixtures("worker")]
CASES = int(os.environ.get("HYPERMON_TEST_CASES", "8"))
SEED = int(os.environ.get("HYPERMON_TEST_SEED", "1"))
CUTS = 2
OF_THE_HOST = {"host.json", "wanted.json"}
"""Files that may differ, or that are irrelevant."""


def test_every_monitor_says_how_it_is_drawn() -> None:
    assert list(DRAWN) == list(monitors.registered())


def written(spec: str, out: Path, *options: str, program: tuple[str, ...] | None = None) -> dict[str, bytes]:
    """All files of the worker by name, its exit status and its standard error."""
    out.mkdir(parents=True)
    (out / "wanted.json").write_text(spec, encoding="utf-8")
    command = [*(program or worker.program()), str(out / "wanted.json"), "--out", str(out), *options]
    done = subprocess.run(command, capture_output=True, timeout=120, check=False)
    files = sorted(file for file in out.rglob("*") if file.is_file() and file.name not in OF_THE_HOST)
    ended = {"status": str(done.returncode).encode(), "stderr": done.stderr.replace(os.fsencode(out), b"")}
    return ended | {str(file.relative_to(out)): file.read_bytes() for file in files}


def differing(one: dict[str, bytes], other: dict[str, bytes]) -> list[str]:
    return sorted(name for name in one.keys() | other.keys() if one.get(name) != other.get(name))


@pytest.mark.parametrize("monitor", DRAWN)
def test_no_cut_matters(monitor: str, tmp_path: Path) -> None:
    for case in range(CASES):
        r = random.Random(f"{SEED}/{monitor}/{case}")
        spec = random_spec(r, monitor).to_json()
        whole = written(spec, tmp_path / f"{case}")
        assert whole["status"] in (b"0", b"3"), whole["stderr"]
        assert whole["status"] == b"3" or "result.json" in whole
        for cut in [str(r.getrandbits(32)) for _ in range(CUTS)]:
            again = written(spec, tmp_path / f"{case}-{cut}", "--cut", cut)
            assert differing(whole, again) == [], f"{tmp_path}/{case} with --cut {cut}"
