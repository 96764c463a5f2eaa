# SPDX-License-Identifier: BSD-3-Clause
"""Statistics of repeats: means and confidence intervals."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest

from hypermon._engine.sweeping.repeats import combine_repeats, student


def test_students_quantiles_are_scipys() -> None:
    stats = pytest.importorskip("scipy.stats")
    for degrees in (*range(1, 60), 100, 999, 1000, 1001, 5000, 10**6):  # a sum up to 1000, an expansion beyond
        assert student(degrees) == pytest.approx(stats.t.ppf(0.975, degrees), rel=1e-12)
    assert student(0) == math.inf


def test_the_interval_holds_the_mean_as_often_as_it_says() -> None:
    rng = np.random.default_rng(1)
    points, repeats = 4000, 4
    frame = pd.DataFrame(
        {"x": np.repeat(np.arange(points), repeats), "m": rng.normal(7.0, 2.0, points * repeats), "status": "ok"}
    )
    found = combine_repeats(frame, ["x"], ["m"])
    holds = ((found["m"] - 7.0).abs() <= found["m ±"]).mean()
    assert holds == pytest.approx(0.95, abs=0.012)  # 3.5 standard deviations of 4000 trials
    assert (found["repeats"] == repeats).all()


def test_failed_repeats_are_left_out_and_one_alone_has_no_interval() -> None:
    frame = pd.DataFrame(
        {
            "x": ["a", "a", "a", "b", "b"],
            "m": [1.0, 3.0, None, 5.0, None],
            "flag": [True, False, None, True, None],
            "status": ["ok", "ok", "failed", "ok", "failed"],
        }
    )
    found = combine_repeats(frame, ["x"], ["m", "flag"])
    assert found["x"].tolist() == ["a", "b"]
    assert found["repeats"].tolist() == [2, 1]
    assert found["m"].tolist() == [2.0, 5.0]
    assert found["flag"].tolist() == [0.5, 1.0]
    assert found["m ±"][0] == pytest.approx(student(1) * math.sqrt(2) / math.sqrt(2))
    assert math.isnan(found["m ±"][1])
    (alone,) = combine_repeats(frame, [], ["m"])["repeats"]
    assert alone == 3
