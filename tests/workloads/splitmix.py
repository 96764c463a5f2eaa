# SPDX-License-Identifier: BSD-3-Clause
"""The programs' random numbers, computed independently from their definition (sw/workloads/common/random.hpp)."""

from __future__ import annotations

MASK = 2**64 - 1


class SplitMix64:
    def __init__(self, seed: int) -> None:
        self.state = seed & MASK

    def next(self) -> int:
        self.state = (self.state + 0x9E3779B97F4A7C15) & MASK
        z = self.state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
        return z ^ (z >> 31)

    def uniform(self) -> float:
        return (self.next() >> 11) * 2.0**-53

    def below(self, n: int) -> int:
        return self.next() % n


def stream_seed(seed: int, stream: int) -> int:
    return SplitMix64((SplitMix64(seed).next() + stream) & MASK).next()
