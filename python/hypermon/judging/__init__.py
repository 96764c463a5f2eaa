# SPDX-License-Identifier: BSD-3-Clause
"""How far is an analyst's picture of a run from the truth? (docs/design/truth.md)

>>> import hypermon
>>> run = hypermon.run("table2/place", nodes=4, monitor="hpvm", activity=True)
>>> judged = hypermon.judge(run)
>>> judged.error_percent, judged.error_s, judged.hole_percent

A monitor's own picture is made by a function (`hypermon.monitors.Monitor.picture`): of a `Result` and its `Activity` it
gives a `Picture`, or None if the run left nothing for one. Without it a picture is made of what the run left: profiles,
events or samples.
"""

from hypermon._model.activity import Activity
from hypermon.judging.curves import Curve
from hypermon.judging.judgement import Judgement, Live, OfNode, judge
from hypermon.judging.picture import Picture, Seen, of_states

__all__ = ["Activity", "Curve", "Judgement", "Live", "OfNode", "Picture", "Seen", "judge", "of_states"]
