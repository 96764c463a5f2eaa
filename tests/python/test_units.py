# SPDX-License-Identifier: BSD-3-Clause
"""Values with units are read exactly, or refused with the allowed units."""

from __future__ import annotations

from fractions import Fraction

import pytest

from hypermon._model import units
from hypermon._model.schema import Parameter
from hypermon.errors import UserError


def parameter(path: str, unit: str, kind: str = "int", most: float = 1e9) -> Parameter:
    return Parameter(path, kind, unit, 1, 0.0 if kind == "float" else 1, most, 1, False, (), False, True, "", "")


DEPTH = parameter("ecb.frame_fifo_frames", "frames", most=1 << 24)
WINDOW = parameter("ecb.window_ns", "ns")
PER_BYTE = parameter("software.us_per_byte", "us/B", "float")


@pytest.mark.parametrize(
    ("of", "text", "value"),
    [
        (WINDOW, "1us", 1000),
        (WINDOW, "1 µs", 1000),  # the micro sign
        (WINDOW, "0.5 μs", 500),  # the Greek letter
        (WINDOW, "1ms", 10**6),
        (DEPTH, "1Ki", 1024),
        (DEPTH, "1 Ki frames", 1024),
        (DEPTH, "10k", 10_000),
        (DEPTH, "2 Mi", 1 << 21),
        (DEPTH, "1_024", 1024),
        (PER_BYTE, "5 MB/s", 0.2),
    ],
)
def test_a_value_is_what_its_unit_says(of: Parameter, text: str, value: float) -> None:
    assert of.parse(text, "--set") == value


@pytest.mark.parametrize(
    ("of", "text", "message"),
    [
        (WINDOW, "5 MB/s", "wrong unit MB/s: give ns, or one of ps, ns, us, ms, s, min, h"),
        (WINDOW, "0.3 ps", "must be an integer"),
        (DEPTH, "64KiB", "wrong unit KiB: it is counted in frames, and may end with k, M, G, Ki, Mi, Gi, as 1Ki"),
        (DEPTH, "1K", "wrong unit K: say 1k for 1000, 1Ki for 1024"),
        (DEPTH, "0.3Ki", "must be an integer"),
        (PER_BYTE, "3 ms", "wrong unit ms: give us/B, or a rate, as 5 MB/s"),
        (WINDOW, "٨٠٠", "must be an integer"),  # digits, but not ASCII
        (WINDOW, "1e999999999", "must be an integer"),
    ],
)
def test_an_impossible_value_is_refused_with_the_possible_ones(of: Parameter, text: str, message: str) -> None:
    with pytest.raises(UserError) as caught:
        of.parse(text, "--set")
    assert str(caught.value).startswith(f"{of.path} = {text}: must be ")
    assert message in str(caught.value)


def test_without_a_word_a_rate_is_a_rate() -> None:
    assert units.parse("1.5 MB/s", "KB/s") == 1500
    assert units.parse("100 Mbit/s", "MB/s") == Fraction(25, 2)
