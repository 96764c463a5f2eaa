# SPDX-License-Identifier: BSD-3-Clause
"""Shapes of curves: those that vary, repeat or only drift."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest

from hypermon._model import shapes


def test_the_variation_is_that_of_numpy() -> None:
    numbers = random.Random(1)
    values = [numbers.uniform(1, 9) for _ in range(100)]
    assert shapes.variation(values) == pytest.approx(np.std(values) / np.mean(values), rel=1e-12)


def test_the_autocorrelation_is_that_of_numpy() -> None:
    numbers = random.Random(2)
    values = [numbers.uniform(1, 9) for _ in range(100)]
    apart = np.array(values) - np.mean(values)
    for lag in (0, 1, 7, 99):
        expected = (apart[: len(apart) - lag] * apart[lag:]).sum() / (apart**2).sum()
        assert shapes.autocorrelation(values, lag) == pytest.approx(expected, rel=1e-9, abs=1e-12)


def test_a_sawtooth_has_a_rhythm_and_noise_has_next_to_none() -> None:
    random_numbers = random.Random(3)
    assert shapes.largest_autocorrelation_peak([i % 12 for i in range(100)]) > 0.7
    noise = [shapes.largest_autocorrelation_peak([random_numbers.random() for _ in range(100)]) for _ in range(50)]
    assert max(noise) < 0.4  # 2 / sqrt(100) holds 95 % of single lags; the largest of 50 lags is above it
    assert sorted(noise)[25] < 0.3


def test_a_slow_trend_is_no_rhythm() -> None:
    assert shapes.largest_autocorrelation_peak(list(range(100))) == 0
    assert shapes.largest_autocorrelation_peak([math.exp(i / 30) for i in range(100)]) == 0
    assert shapes.largest_autocorrelation_peak([3.0] * 100) == 0


def test_a_curve_too_long_to_compare_at_every_lag_is_refused() -> None:
    with pytest.raises(ValueError, match="must be at most"):
        shapes.largest_autocorrelation_peak([1.0, 2.0] * shapes.MOST)
