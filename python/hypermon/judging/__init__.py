# SPDX-License-Identifier: BSD-3-Clause
"""Compares a monitor's data of a run with the truth (docs/design/truth.md).

>>> import hypermon
>>> run = hypermon.run("table2/place", nodes=4, monitor="hpvm", activity=True)
>>> judged = hypermon.judge(run)
>>> judged.error_percent, judged.error_s, judged.hole_percent

A `Picture` is the analyst's estimate, from the monitor's data, of the times when each node computed. A monitor may
define a function (`hypermon.monitors.Monitor.picture`) that makes it from a `Result` and its `Activity`, or returns
None without suitable data. Otherwise the picture is made from the run's profiles, events or samples.
"""

from hypermon._model.activity import Activity
from hypermon.judging.curves import Curve
from hypermon.judging.judgement import Judgement, Live, NodeJudgement, judge
from hypermon.judging.picture import NodePicture, Picture, node_picture_from_states

__all__ = [
    "Activity",
    "Curve",
    "Judgement",
    "Live",
    "NodeJudgement",
    "NodePicture",
    "Picture",
    "judge",
    "node_picture_from_states",
]
