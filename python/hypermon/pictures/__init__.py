# SPDX-License-Identifier: BSD-3-Clause
"""Figures for papers: each function takes plain data and returns a Matplotlib figure; `save` writes SVG, PDF or PNG.

Beside those of all runs there are those that monitors bring.

>>> import hypermon
>>> figure = hypermon.pictures.latency([hypermon.run("table2/place", nodes=8)])
>>> hypermon.pictures.save(figure, "latency.svg")
"""

from typing import Any

from hypermon.pictures import plots
from hypermon.pictures.depth import loss_against_depth as loss_against_depth
from hypermon.pictures.latency import latency as latency
from hypermon.pictures.over_time import counters as counters
from hypermon.pictures.program_phases import phases as phases
from hypermon.pictures.runs import bursts as bursts
from hypermon.pictures.runs import slowdown as slowdown
from hypermon.pictures.style import save as save


def __getattr__(name: str) -> Any:
    if name == "__all__":
        return sorted(
            ["bursts", "counters", "latency", "loss_against_depth", "phases", "save", "slowdown", *plots.all_plots()]
        )
    if not name.startswith("_") and name in plots.all_plots():
        return plots.find(name).draw
    raise AttributeError(f"module {__name__} has no {name}")


def __dir__() -> list[str]:
    return [*__getattr__("__all__"), *(name for name in globals() if name.startswith("__"))]
