# SPDX-License-Identifier: BSD-3-Clause
"""Invariants of every judgement, in random runs with random settings under all monitors.

HYPERMON_TEST_RUNS   number of runs of each monitor instead of CI's
HYPERMON_TEST_SEED   another seed than the fixed one; a failure names the run's own
"""

from __future__ import annotations

import json
import os
import random
from pathlib import Path

import numpy as np
import pytest

from hypermon._engine import runner
from hypermon._model.activity import ACTUAL, AGES, PIECES, Activity
from hypermon._model.result import Result
from hypermon.errors import UserError
from hypermon.judging import Judgement, NodePicture, Picture, judge
from hypermon.judging.judgement import ACCOUNTING, of_picture
from hypermon.judging.judgement import picture as drawn_by
from tests.python.random_specs import DRAWN, random_spec

pytestmark = [pytest.mark.worker, pytest.mark.usefixtures("worker")]
RUNS = int(os.environ.get("HYPERMON_TEST_RUNS", "4"))
SEED = int(os.environ.get("HYPERMON_TEST_SEED", "0"))
FEW = 60
"""In some runs only this many pieces of time are kept, so that the activity is on a grid."""
ROUNDING = 1e-6


@pytest.mark.parametrize("monitor", DRAWN)
def test_of_every_judgement(monitor: str, tmp_path: Path) -> None:
    broken = []
    for seed in range(SEED, SEED + RUNS):
        spec = random_spec(random.Random(f"{monitor}/{seed}"), monitor)
        result = runner.simulate(
            spec, tmp_path / f"{seed}", leaves=runner.Leaves(activity=FEW if seed % 4 == 3 else PIECES)
        )
        broken += [f"HYPERMON_TEST_SEED={seed}: {violation}" for violation in violations(result)]
    assert broken == []


def violations(result: Result) -> list[str]:
    """Invariants that the judgement violates."""
    activity = Activity(result.path)
    try:
        found = judge(result)
    except UserError as error:
        empty = all(rank.begin_ps == rank.end_ps for rank in activity.ranks)
        return [] if empty else [f"is not judged: {error}"]
    broken = [*_of_numbers(found), *_of_nodes(found), *_of_live(found)]
    if json.dumps(judge(result).to_dict()) != json.dumps(found.to_dict(), allow_nan=False):
        broken.append("another judgement the second time")
    seen = drawn_by(result, activity)
    if seen is None:
        if (found.source, found.error_percent, found.live) != (ACCOUNTING, found.guess_percent, {}):
            broken.append("who sees nothing does not guess")
    elif not seen.in_hindsight:
        broken += _of_states(result, found, seen, activity)
    itself = of_picture(
        result, activity, Picture("itself", [NodePicture(one) for one in found.truth], in_hindsight=False)
    )
    if itself.error_percent > ROUNDING or (itself.error_s or 0.0) > 1e-12:
        broken.append(f"the truth is {itself} away from itself")
    return broken


def _of_numbers(found: Judgement) -> list[str]:
    broken = []
    for name in ("error_percent", "hole_percent", "guess_percent", "computing_percent"):
        if not 0 <= getattr(found, name) <= 100 + ROUNDING:
            broken.append(f"{name} = {getattr(found, name)}")
    if (found.error_s is None) != (found.computing_percent == 0) or (found.error_s or 0.0) < 0:
        broken.append(f"error_s = {found.error_s} where {found.computing_percent} % is computed")
    if (found.error_s is None) != (found.guess_s is None):
        broken.append("error_s and guess_s are not of the same truth")
    if found.guess_percent > 2 * min(found.computing_percent, 100 - found.computing_percent) + ROUNDING:
        broken.append(f"a guess of {found.computing_percent} % is {found.guess_percent} % wrong")
    return broken


def _of_nodes(found: Judgement) -> list[str]:
    broken = []
    weights = [node.section_s for node in found.nodes]
    for name in ("error_percent", "hole_percent", "computing_percent"):
        mean = np.average([getattr(node, name) for node in found.nodes], weights=weights)
        if abs(mean - getattr(found, name)) > ROUNDING:
            broken.append(f"{name} is {getattr(found, name)}, its nodes' mean is {mean}")
    elapsed_s = (found.end_ps - found.begin_ps) * 1e-12
    for node in found.nodes:
        if not 0 <= node.section_s <= elapsed_s * (1 + ROUNDING):
            broken.append(f"node {node.node}: a section of {node.section_s} s in {elapsed_s} s")
        if not all(0 <= part <= 100 + ROUNDING for part in (node.error_percent, node.hole_percent)):
            broken.append(f"node {node.node}: {node}")
    return broken


def _of_live(found: Judgement) -> list[str]:
    broken = []
    ages = [found.live[age].age_s for age in AGES if age in found.live]
    if list(found.live) != [age for age in (*AGES, ACTUAL) if age in found.live] or ages != sorted(ages):
        broken.append(f"live is {list(found.live)}, at {ages} s")
    for age, live in found.live.items():
        if not (0 <= live.error_percent <= 100 + ROUNDING and live.age_s >= 0 and (live.error_s or 0.0) >= 0):
            broken.append(f"live at {age}: {live}")
        if (live.error_s is None) != (found.error_s is None):
            broken.append(f"live at {age}: not of the same truth")
    return broken


def _of_states(result: Result, found: Judgement, seen: Picture, activity: Activity) -> list[str]:
    """At most the ranks in their sections compute, so that the time error is at least the excess or the lack of
    computing.
    """
    broken = []
    for node in found.nodes:
        if node.seen_percent > 100 + ROUNDING:
            broken.append(f"node {node.node}: {node.seen_percent} % are seen to compute")
        if node.error_percent < abs(node.seen_percent - node.computing_percent) - ROUNDING:
            broken.append(f"node {node.node}: {node}")
    coarse = of_picture(result, activity, seen, max(1, (found.end_ps - found.begin_ps) // 7))
    if coarse.error_percent > found.error_percent + ROUNDING:
        broken.append(f"means are {coarse.error_percent} % wrong, and what they are of {found.error_percent} %")
    return broken
