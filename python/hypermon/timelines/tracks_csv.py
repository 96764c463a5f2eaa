# SPDX-License-Identifier: BSD-3-Clause
"""Writes a time line of tracks as CSV, with a row for every state."""

from __future__ import annotations

from typing import IO, TYPE_CHECKING

import numpy as np

from hypermon._files import csvfile
from hypermon._files.scratch import let_go, pieces
from hypermon.timelines import slices

if TYPE_CHECKING:
    from hypermon.timelines.tracks import TimeLine

COLUMNS = ("track", "name", "begin_ps", "end_ps", "id", "cause")


def write(line: TimeLine, file: IO[bytes]) -> None:
    """Writes the states, sorted by track and time, without statistics. Missing details are empty."""
    import pandas as pd

    own = list(dict.fromkeys(name for states in line.states for name in states.details))
    file.write(csvfile.text([(*COLUMNS, *own)]).encode())
    for states in line.states:
        for part in pieces(len(states.begin_ps)):
            columns = {
                "track": " / ".join(states.path),
                "name": [states.names[name] for name in states.name[part].tolist()],
                "begin_ps": states.begin_ps[part],
                "end_ps": states.end_ps[part],
                "id": states.id[part],
                "cause": states.cause[part],
            }
            table = pd.DataFrame(columns, index=range(part.stop - part.start)).reindex(columns=[*COLUMNS, *own])
            for name, column in states.details.items():
                text = pd.Series(np.asarray(column[part]), dtype=object)
                table[name] = text.where(~text.isin([slices.NONE, ""]))
            csvfile.write_frame(table, file, header=False)
            let_go(*states.arrays())
