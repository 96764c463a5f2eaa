# SPDX-License-Identifier: BSD-3-Clause
"""Progress of a study that evaluates designs in batches."""

from __future__ import annotations

from collections.abc import Callable

Report = Callable[[int, int], None]
"""Called with the number of newly evaluated designs, and of failed ones among them."""


class Watch:
    """Converts finished points of batches to evaluated designs, each of which counts once.

    Additional runs of a batch (without a monitor) do not count. A design that was known before counts, although nothing
    runs for it.
    """

    def __init__(self, report: Report | None) -> None:
        self._report = report
        self._left = 0  # designs left in the current batch

    def begin(self, designs: int) -> None:
        self._left = designs

    def point(self, finished: int, _failed: int) -> None:
        self._tell(min(finished, self._left), 0)

    def end(self, failed: int) -> None:
        """Ends the batch, of which `failed` designs lack a number."""
        self._tell(self._left, failed)

    def _tell(self, finished: int, failed: int) -> None:
        self._left -= finished
        if self._report is not None and (finished or failed):
            self._report(finished, failed)
