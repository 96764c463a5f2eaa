# SPDX-License-Identifier: BSD-3-Clause
"""Computing times of the program according to TAU's profiles."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypermon._files.tau import profile as profile_files
from hypermon._model.result import Result
from hypermon._model.routines import COLUMNS
from hypermon.judging import from_profiles
from hypermon.monitors.tau import profiles

if TYPE_CHECKING:
    import pandas as pd

    from hypermon.judging import Activity, Picture


def picture(result: Result, activity: Activity) -> Picture | None:
    """The picture of the profiles that left their processes during the run, or else of those written at its end."""
    frame = profiles.of_routines(result)
    return from_profiles.picture(_last(result) if frame is None else frame, activity)


def _last(result: Result) -> pd.DataFrame:
    """Last profile of each process. It contains the time since the process's begin, which gives the time at which it
    was taken.
    """
    import pandas as pd

    rows = []
    for (rank, _, _), file in profile_files.find(result.folder).items():
        routines = profile_files.read(file).routines
        end_s = max((one.inclusive for one in routines), default=0.0) * 1e-6
        rows += [(end_s, rank, one.name, one.inclusive * 1e-6, one.exclusive * 1e-6) for one in routines]
    return pd.DataFrame(rows, columns=list(COLUMNS))
