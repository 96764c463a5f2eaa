# SPDX-License-Identifier: BSD-3-Clause
"""Sweeps: run a scenario at every point of a parameter space, by replays of recordings where that is exact."""

from hypermon._engine.sweeping.api import evaluate, make_request, results, sweep
from hypermon._engine.sweeping.dataset import Sweep
from hypermon._engine.sweeping.plan import Part, Plan
from hypermon._engine.sweeping.prepared import Prepared
from hypermon._engine.sweeping.request import Request
from hypermon._engine.sweeping.store import Entry

__all__ = ["Entry", "Part", "Plan", "Prepared", "Request", "Sweep", "evaluate", "make_request", "results", "sweep"]
