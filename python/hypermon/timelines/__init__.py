"""Time lines: every event of a recording, and what a monitor made of it, on one time axis.

>>> from hypermon import timelines
>>> truth = timelines.truth("runs/place8")
>>> truth.events, truth.violations(), truth.summary()
>>> timelines.write(truth, "place8.pftrace")
"""

from hypermon.timelines.files import FORMATS, write
from hypermon.timelines.truth import Truth, events, truth
from hypermon.timelines.window import Window

__all__ = ["FORMATS", "Truth", "Window", "events", "truth", "write"]
