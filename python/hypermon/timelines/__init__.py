# SPDX-License-Identifier: BSD-3-Clause
"""Time lines: events, states and statistics of a run on a common time axis.

Every event of a recording, with its fate in the monitor:

>>> from hypermon import timelines
>>> truth = timelines.truth("runs/place8")
>>> truth.events, truth.violations(), truth.summary()
>>> timelines.write(truth, "place8.pftrace")

The tracks (`hypermon.timelines.tracks.TimeLine`) of a run or of an HDTrace project:

>>> line = timelines.timeline("runs/checkpoint")
>>> timelines.write_tracks(line, "checkpoint.pftrace")
"""

from hypermon.timelines.files import FORMATS, write, write_tracks
from hypermon.timelines.joining import combine, cut
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
    "combine",
    "cut",
    "events",
    "phases",
    "timeline",
    "truth",
    "write",
    "write_tracks",
]
