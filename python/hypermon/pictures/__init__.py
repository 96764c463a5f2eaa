"""Figures for papers: each function takes plain data and returns a Matplotlib figure; `save` writes SVG, PDF or PNG.

>>> import hypermon
>>> figure = hypermon.pictures.rates([hypermon.run("table2/place", nodes=8)])
>>> hypermon.pictures.save(figure, "rates.svg")
"""

from hypermon.pictures.depth import frontier, loss_against_depth
from hypermon.pictures.latency import latency
from hypermon.pictures.occupancy import occupancy
from hypermon.pictures.runs import bursts, merging, rates, slowdown
from hypermon.pictures.style import save

__all__ = ["bursts", "frontier", "latency", "loss_against_depth", "merging", "occupancy", "rates", "save", "slowdown"]
