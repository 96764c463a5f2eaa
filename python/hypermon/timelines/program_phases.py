# SPDX-License-Identifier: BSD-3-Clause
"""When a program's phases change, from samples of what its routines took."""

from __future__ import annotations

from collections.abc import Sequence

from hypermon._model import routines
from hypermon._model.result import Result
from hypermon._model.routines import Phase


def phases(result: Result, *, of: str = "exclusive", names: Sequence[str] = (), most: int = 11) -> list[Phase]:
    """The times in which one routine takes most, one after the other; `hypermon.pictures.phases` draws them.

    Args:
        result: Of a run whose monitor samples profiles, or `timer.exclusive` or `timer.inclusive`.
        of: "exclusive" or "inclusive": time in a routine alone, or with what it calls.
        names: Patterns of routines (`MPI_*`); those that take the most if not given.
        most: So many of them; all else is a routine called "others".

    Returns:
        Each with its routine, begin_s and end_s, s; what is shorter than an interval between samples may be missed.

    Raises:
        UserError: The run has no such samples, or no such routines.

    Example:
        >>> result = hypermon.run("tau/phases")  # doctest: +SKIP
        >>> hypermon.timelines.phases(result, of="inclusive", names=["[0-9]*"])[0].routine  # doctest: +SKIP
        '1 positions'
    """
    return routines.phases(routines.growth(result, of, names, most))
