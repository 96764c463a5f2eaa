# SPDX-License-Identifier: BSD-3-Clause
"""Describes a sweep's plan in text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypermon._engine.sweeping.store import COUNTS, REPLAY

if TYPE_CHECKING:
    from hypermon._engine.sweeping.plan import Plan
    from hypermon._engine.sweeping.prepared import Prepared


def describe(prepared: Prepared) -> str:
    """Describes the plan: the number of points, the parameters that need co-simulations, and the expected time."""
    plan, space = prepared.plan, prepared.request.space
    parts = [f"{len(axis.steps)} {axis.name}" for axis in space.axes]
    if space.repeats is not None:
        parts.append(f"{len(space.seeds(0))} repeats")
    product = " x ".join(parts) + (
        " where " + " and ".join(c.shown for c in space.conditions) if space.conditions else ""
    )
    lines = [f"sweep of {prepared.request.scenario.name}: {_count(len(plan.keys), 'point')} = {product}"]
    lines += [
        f"  {path}: {'a replay is exact' if how == REPLAY else 'needs a co-simulation: it changes what the nodes emit'}"
        for path, how in plan.decisions.items()
    ]
    what = "counts only" if plan.detail == COUNTS else "whole results"
    left = plan.to_do()
    because: dict[str, int] = plan.to_json()["co_simulated_because"]
    if plan.groups:
        replayed = sum(len(group.members) for group in plan.groups)
        lines.append(f"replayed      {replayed:>7,} ({what}) from {_count(len(plan.groups), 'recording')}")
    lines += [f"co-simulated  {n:>7,}: {why}" for why, n in because.items()]
    finished = len(plan.finished)
    lines.append(
        f"to do         {_count(len(left.cosims), 'co-simulation')}, {_count(len(left.recordings), 'recording')}, "
        f"{_count(left.replays, 'replay')}" + (f"; {finished:,} finished before" if finished else "")
    )
    return "\n".join([*lines, f"cost          {_cost(plan, prepared.jobs)}"])


def expected(plan: Plan) -> str:
    """Returns the text that is shown until the first point is finished: the first step, and the expected time."""
    begin = "recording" if plan.to_do().recordings else "computing"
    total = plan.cost.total_s
    return f"{begin}; cost unknown until the first run ends" if total is None else f"{begin}; {_duration(total)} in all"


def _cost(plan: Plan, jobs: int) -> str:
    cost, left = plan.cost, plan.to_do()
    parts = []
    if left.cosims or left.recordings:
        parts.append(
            "co-simulation: " + ("length unknown" if cost.cosim_s is None else f"{cost.cosim_s:.3g} s each (measured)")
        )
    if left.replays:
        parts.append(f"replay: {cost.replay_s:.3g} s each ({'measured' if cost.measured else 'assumed'})")
    if not parts:
        return "nothing to compute"
    total = "unknown" if cost.total_s is None else f"about {_duration(cost.total_s)}"
    return f"{total} with {_count(jobs, 'job')} ({'; '.join(parts)})"


def _count(n: int, what: str) -> str:
    return f"{n:,} {what}{'' if n == 1 else 's'}"


def _duration(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.2g} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"
