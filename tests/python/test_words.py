# SPDX-License-Identifier: BSD-3-Clause
"""Numbers in words: digits that a person reads at once, and a unit that suits the rounded number."""

from __future__ import annotations

import pytest

from hypermon._model.words import data, seconds, three_digits


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (999.4, "999"),
        (999.6, "1 000"),
        (1234567, "1 230 000"),
        (-999.9, "-1 000"),
        (2.5e9, "2.5e+09"),
        (0.0123, "0.0123"),
    ],
)
def test_three_digits_have_no_exponent_where_digits_can_be_read(value: float, text: str) -> None:
    assert three_digits(value).replace("\u202f", " ").replace("\u2212", "-") == text


@pytest.mark.parametrize(
    ("value", "text"), [(0.9994, "999 ms"), (0.9996, "1 s"), (-0.0009999, "-1 ms"), (8.2e-11, "0.082 ns"), (0.0, "0 s")]
)
def test_a_time_has_the_unit_of_its_rounded_number(value: float, text: str) -> None:
    assert seconds(value).replace("\u202f", " ").replace("\u2212", "-") == text


def test_bytes_that_round_up_have_the_next_prefix() -> None:
    assert data(999_600).replace("\u202f", " ") == "1 MB"
