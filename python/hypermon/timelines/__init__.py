# SPDX-License-Identifier: BSD-3-Clause
"""Time lines: what stands on one time axis.

Of a recording every event, and what a monitor made of it:

>>> from hypermon import timelines
>>> truth = timelines.truth("runs/place8")
>>> truth.events, truth.violations(), truth.summary()
>>> timelines.write(truth, "place8.pftrace")

Of any run that has one, and of HDTrace projects, the tracks (`hypermon.timelines.tracks.TimeLine`):

>>> line = timelines.timeline("runs/checkpoint")
>>> timelines.write_tracks(line, "checkpoint.pftrace")
"""

from hypermon.timelines.files import FORMATS, write, write_tracks
from hypermon.timelines.joining import beside, cut
from hypermon.timelines.program_phases import phases
from hypermon.timelines.sources import timeline
from hypermon.timelines.tracks import States, Statistic, Texts, TimeLine
from hypermon.timelines.truth import Truth, events, truth
from hypermon.timelines.window import Window

__all__ = [
    "FORMATS",
    "States",
    "Statistic",
    "Texts",
    "TimeLine",
    "Truth",
    "Window",
    "beside",
    "cut",
    "events",
    "phases",
    "timeline",
    "truth",
    "write",
    "write_tracks",
]
