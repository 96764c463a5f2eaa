# SPDX-License-Identifier: BSD-3-Clause
"""What a handful of repeats says of all runs: an upper bound for a quantile, without assuming a distribution."""

from __future__ import annotations

import math


def bound_rank(repeats: int, quantile: float, confidence: float) -> int | None:
    """Which of the repeats' values in ascending order (1 is the least) bounds the quantile from above; None: none does.

    The k-th of n independent values is at least the p-quantile with probability P(Binomial(n, p) <= k - 1), whatever
    the distribution: it fails only if k or more of the n lie below that quantile.
    """
    below = 0.0
    for k in range(1, repeats + 1):
        below += math.comb(repeats, k - 1) * quantile ** (k - 1) * (1 - quantile) ** (repeats - k + 1)
        if below >= confidence:
            return k
    return None


def repeats_needed(quantile: float, confidence: float) -> int:
    """The fewest repeats whose largest value bounds the quantile: 1 - p^n >= confidence."""
    needed = max(1, math.ceil(math.log1p(-confidence) / math.log(quantile)))
    return needed if bound_rank(needed, quantile, confidence) is not None else needed + 1
