# SPDX-License-Identifier: BSD-3-Clause
"""The time of a word on the bus may be given as a rate."""

from __future__ import annotations

import pytest

from hypermon._engine.sweeping import space
from hypermon.errors import UserError
from tests.python.test_units import parameter

WORD = parameter("pbx.word_ns", "ns")
WINDOW = parameter("ecb.window_ns", "ns")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("5 MB/s", 800),  # 4 bytes in 800 ns
        ("5000KB/s", 800),
        ("40 Mbit/s", 800),
        ("3.6MB/s", 1111),  # 3.60036 MB/s
        ("18MB/s", 222),  # the paper's 18 MB/s are 222 ns
        ("0.8us", 800),
    ],
)
def test_a_rate_is_the_time_of_four_bytes(text: str, value: float) -> None:
    assert WORD.parse(text, "--set") == value


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "3.6000MB/s",
            "a word takes a multiple of 1 ns: 1111 ns is 3.60036 MB/s and 1112 ns is 3.5971223 MB/s",
        ),
        ("12.34MB/s", "a word takes a multiple of 1 ns: 324 ns is 12.345679 MB/s and 325 ns is 12.307692 MB/s"),
        ("0MB/s", "a rate must be above 0 MB/s"),
        ("-5 MB/s", "a rate must be above 0 MB/s"),
        ("1 KiB", "wrong unit KiB: give ns, or one of ps, ns, us, ms, s, min, h, or a rate, as 5 MB/s"),
    ],
)
def test_a_rate_that_cannot_be_is_refused_with_what_can(text: str, message: str) -> None:
    with pytest.raises(UserError) as caught:
        WORD.parse(text, "--set")
    assert str(caught.value).startswith(f"{WORD.path} = {text}: must be ")
    assert message in str(caught.value)


def test_every_rate_of_whole_nanoseconds_comes_back_as_that_time() -> None:
    """The rate of any time from 50 ns to 4 us, written with eight digits, is read as that time."""
    for word_ns in range(50, 4000, 7):
        assert WORD.parse(f"{4000 / word_ns:.8g} MB/s", "") == word_ns


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("2MB/s:8MB/s:2MB/s", [2000, 1000, 667, 500]),  # steps of the rate, not of the time
        ("1MB/s:8MB/s:log2", [4000, 2000, 1000, 500]),
        ("2MB/s:8MB/s:log3", [2000, 1000, 500]),
        ("3.6MB/s,500ns", [1111, 500]),
    ],
)
def test_ranges_of_rates_are_spaced_as_rates(text: str, values: list[int]) -> None:
    assert list(space.values_of(WORD, space.Placed(text, "--vary"))) == values


def test_a_range_of_a_time_and_a_rate_is_one_of_times() -> None:
    assert list(space.values_of(WORD, space.Placed("500ns:5MB/s:100ns", "--vary"))) == [500, 600, 700, 800]
    with pytest.raises(UserError, match="wrong unit MB/s"):
        space.values_of(WINDOW, space.Placed("1MB/s:2MB/s:1MB/s", "--vary"))
