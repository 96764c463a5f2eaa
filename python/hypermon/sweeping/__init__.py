"""Sweeps: a scenario at every point of a space of parameters, replayed from recordings where that is exact."""

from hypermon.sweeping.api import Prepared, asked, evaluate, sweep
from hypermon.sweeping.dataset import Sweep
from hypermon.sweeping.plan import Plan
from hypermon.sweeping.request import Request

__all__ = ["Plan", "Prepared", "Request", "Sweep", "asked", "evaluate", "sweep"]
