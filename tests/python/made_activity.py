# SPDX-License-Identifier: BSD-3-Clause
"""Made-up activities, for tests of hypermon.judging."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from hypermon._model import activity as activities
from hypermon._model.activity import Activity

ROW = [("begin_ps", "<i8"), ("end_ps", "<i8"), ("time_ps", "<i8"), ("rank", "<u4"), ("state", "<u4")]


class MadeRank(NamedTuple):
    """A rank's node, its measured section, and its computing intervals within and outside the section."""

    node: int
    begin_ps: int
    end_ps: int
    computes: Sequence[tuple[int, int]]


def made(folder: Path, nodes: int, ranks: Sequence[MadeRank], end_ps: int, step_ps: int = 0) -> Activity:
    """Writes the activity as the worker would. Ranks that compute whole steps are on a grid."""
    folder.mkdir(exist_ok=True)
    rows = [(*piece, piece[1] - piece[0], number, 0) for number, rank in enumerate(ranks) for piece in rank.computes]
    np.save(folder / "activity.npy", np.array(rows, ROW))
    work = {"program_ps": 0, "monitor_ps": 0, "system_ps": 0}
    of_ranks = [{"node": rank.node, "begin_ps": rank.begin_ps, "end_ps": rank.end_ps, **work} for rank in ranks]
    about = {"nodes": nodes, "step_ps": step_ps, "end_ps": end_ps, "ranks": of_ranks}
    (folder / "activity.json").write_text(json.dumps(about))
    activities.assemble(folder)
    return Activity(folder)
