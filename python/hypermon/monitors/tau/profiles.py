# SPDX-License-Identifier: BSD-3-Clause
"""Profiles that left their processes while the program ran, as they arrived: profiles.npy and profiles.json of a run's
directory."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hypermon._files import files, sums
from hypermon._model.result import AGAIN, Result
from hypermon._model.routines import ARRIVED
from hypermon._model.routines import COLUMNS as COLUMNS_OF_ROUTINES
from hypermon.errors import UserError

if TYPE_CHECKING:
    import pandas as pd

ROWS = "profiles.npy"
NAMES = "profiles.json"
COLUMNS = {  # columns of the frame: unit, description
    "arrived_s": ("s", "True time at which the consumer could read the profile."),
    "taken_s": ("s", "True time at which the process dumped the profile."),
    "rank": ("", "Rank of the process."),
    "thread": ("", "Thread of the process: always 0."),
    "number": (
        "",
        "Number of the profile among those of its process, from 0 on. The last profile is that of the process's end.",
    ),
    "routine": ("", "Routine or MPI function of the row."),
    "calls": ("", "Calls of the routine since the process began."),
    "subroutines": ("", "Calls by the routine of other routines since the process began."),
    "inclusive_us": (
        "us",
        "Time in the routine and the routines that it called, since the process began, by the process's clock.",
    ),
    "exclusive_us": ("us", "Time in the routine alone, since the process began, by the process's clock."),
}


def read(folder: Path) -> pd.DataFrame:
    """Returns a row for each routine of each profile, in the order of the profiles' arrival; units are in
    `attrs["units"]`.

    Raises:
        UserError: The run has no such profiles, or the files have another format.
    """
    import pandas as pd

    rows, names = folder / ROWS, folder / NAMES
    if not sums.has_file(folder, ROWS, AGAIN):
        raise UserError(f"{folder}: has no profiles: none left its process while the program ran")
    for name in (ROWS, NAMES):
        if sums.has_file(folder, name, AGAIN):
            sums.verify(folder, name, AGAIN)
    with files.untrusted_read(rows, "profiles"):
        array, routines = _rows(rows), _routines(names)
        frame = pd.DataFrame(
            {
                "arrived_s": array["arrival_ps"] * 1e-12,
                "taken_s": array["taken_ps"] * 1e-12,
                "rank": array["rank"].astype("int64"),
                "thread": array["thread"].astype("int64"),
                "number": array["number"].astype("int64"),
                "routine": pd.Categorical.from_codes(array["routine"].astype("int64"), categories=pd.Index(routines)),
                "calls": array["calls"].astype("int64"),
                "subroutines": array["subroutines"].astype("int64"),
                "inclusive_us": array["inclusive_ps"] * 1e-6,
                "exclusive_us": array["exclusive_ps"] * 1e-6,
            }
        )
    frame.attrs["units"] = {name: unit for name, (unit, _) in COLUMNS.items()}
    return frame


def of_routines(result: Result) -> pd.DataFrame | None:
    """Returns the time of the program's routines over time, as charts need it. None: no profile left its process."""
    folder = result.folder
    if not result.has_file(ROWS):
        return None
    frame = read(folder)
    names = {"taken_s": "time_s", "rank": "process"}
    return frame.assign(inclusive_s=frame["inclusive_us"] * 1e-6, exclusive_s=frame["exclusive_us"] * 1e-6).rename(
        columns=names
    )[[*COLUMNS_OF_ROUTINES, ARRIVED]]


def _rows(path: Path) -> Any:
    import numpy as np

    array = np.load(files.regular(path), mmap_mode="r", allow_pickle=False)
    if array.ndim != 1 or array.dtype.names is None:
        raise UserError(f"{path}: has no rows of profiles")
    return array


def _routines(path: Path) -> list[str]:
    found = json.loads(files.regular(path).read_text(encoding="utf-8"))["routines"]
    return [str(name) for name in found]
