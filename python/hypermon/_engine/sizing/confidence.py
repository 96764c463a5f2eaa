# SPDX-License-Identifier: BSD-3-Clause
"""Distribution-free upper confidence bounds for a quantile, from a few repeats."""

from __future__ import annotations

import math


def bound_rank(repeats: int, quantile: float, confidence: float) -> int | None:
    """Returns the rank of the repeat whose value bounds the quantile from above. Rank 1 is the least. None: none does.

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
    """Returns the least number of repeats whose largest value bounds the quantile: 1 - p^n >= confidence."""
    needed = max(1, math.ceil(math.log1p(-confidence) / math.log(quantile)))
    return needed if bound_rank(needed, quantile, confidence) is not None else needed + 1
