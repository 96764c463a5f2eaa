# SPDX-License-Identifier: BSD-3-Clause
"""How far a study of many designs is, while batches of them are under way."""

from __future__ import annotations

from collections.abc import Callable

Report = Callable[[int, int], None]
"""Called with designs that have been looked at since, and how many of these have failed."""


class Watch:
    """Turns points that finish within batches into designs that have been looked at, each counted once.

    What a batch needs of others (runs without a monitor) is none of its designs, and a design that was known before is
    one although nothing ran for it.
    """

    def __init__(self, report: Report | None) -> None:
        self._report = report
        self._left = 0  # of the batch under way

    def begin(self, designs: int) -> None:
        self._left = designs

    def point(self, finished: int, _failed: int) -> None:
        self._tell(min(finished, self._left), 0)

    def end(self, failed: int) -> None:
        """The batch is done; `failed` of its designs have not all numbers."""
        self._tell(self._left, failed)

    def _tell(self, finished: int, failed: int) -> None:
        self._left -= finished
        if self._report is not None and (finished or failed):
            self._report(finished, failed)
