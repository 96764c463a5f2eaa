# SPDX-License-Identifier: BSD-3-Clause
"""The phases of a program, from samples of the time in its routines."""

from __future__ import annotations

from collections.abc import Sequence

from hypermon._model import routines
from hypermon._model.result import Result
from hypermon._model.routines import Phase


def phases(result: Result, *, of: str = "exclusive", names: Sequence[str] = (), most: int = 11) -> list[Phase]:
    """Returns a program's phases, in each of which one routine takes the largest share of time.

    `hypermon.pictures.phases` draws them.

    Args:
        result: The result of a run whose monitor samples profiles, or `timer.exclusive` or `timer.inclusive`.
        of: "exclusive" or "inclusive": time in a routine without or with the routines that it calls.
        names: Patterns of routines (`MPI_*`). By default all routines.
        most: Largest number of routines. Those with the most time are used; the rest is a routine called "others".

    Returns:
        The phases in sequence, each with its routine, begin_s and end_s, s. Phases shorter than an interval between
        samples may be missed.

    Raises:
        UserError: The run has no such samples, or no such routines.

    Example:
        >>> result = hypermon.run("tau/phases")  # doctest: +SKIP
        >>> hypermon.timelines.phases(result, of="inclusive", names=["[0-9]*"])[0].routine  # doctest: +SKIP
        '1 positions'
    """
    return routines.phases(routines.growth(result, of, names, most))
