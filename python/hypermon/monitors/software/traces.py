# SPDX-License-Identifier: BSD-3-Clause
"""Records of the program's processes (software.traces = process): trace.npy of a run's directory."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from hypermon._files import files, sums
from hypermon._model.result import AGAIN, Result
from hypermon.errors import UserError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

FILE = "trace.npy"
ROW = (
    *((name, "<i8") for name in ("made_ps", "stamp_ps", "arrived_ps")),
    *(("of", "<u8"), ("rank", "<u4"), ("kind", "<u4")),
)
"""Columns of a row: the true time at which it was made, its corrected timestamp, its arrival on the file server (-1: it
stayed in memory), and its subject: the number of an MPI function or routine, a message's bytes, a flush's duration in
ps, or a mark's value.
"""
KINDS = (
    *("enter", "leave", "routine_enter", "routine_leave", "send", "receive"),
    *("collective_begin", "collective_end", "flush", "mark"),
)
"""Kinds by the number in a row."""


SIZES = {
    **{"send": "message_bytes", "receive": "message_bytes"},
    **{"collective_begin": "collective_begin_bytes", "collective_end": "collective_end_bytes"},
}
"""The parameters that say how long records are; of other kinds `region_bytes`."""
PS_PER_US = 1e6


def read(folder: Path) -> NDArray[np.void]:
    """Returns a row for each record, by rank and in order.

    Raises:
        UserError: The run has no such trace, or the file has another format.
    """
    import numpy as np

    path = folder / FILE
    if not sums.has_file(folder, FILE, AGAIN):
        raise UserError(f"{folder}: has no trace of processes: software.traces was not process")
    sums.verify(folder, FILE, AGAIN)
    with files.untrusted_read(path, "a trace"):
        array: NDArray[np.void] = np.load(files.regular(path), mmap_mode="r", allow_pickle=False)
        if array.ndim != 1 or array.dtype != np.dtype(list(ROW)):
            raise UserError(f"{path}: has no rows of records")
        if len(array) and int(array["kind"].max()) >= len(KINDS):
            raise UserError(f"{path}: has records of unknown kinds")
    return array


def costs_ps(result: Result) -> NDArray[np.int64]:
    """CPU time of making a record, ps, by the number of its kind; a flush's is its length."""
    import numpy as np

    software = result["spec"]["software"]
    sizes = [software[SIZES.get(kind, "region_bytes")] for kind in KINDS]
    costs = np.rint((software["record_us"] + software["us_per_byte"] * np.array(sizes)) * PS_PER_US).astype(np.int64)
    return np.where(np.array(KINDS) == "flush", 0, costs)
