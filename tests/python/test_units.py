"""Units as people think: exact, or refused with what is allowed."""

from __future__ import annotations

from fractions import Fraction

import pytest

from hypermon._engine.sweeping import space
from hypermon._model import units
from hypermon._model.schema import Parameter
from hypermon.errors import UserError


def parameter(path: str, unit: str, kind: str = "int", most: float = 1e9) -> Parameter:
    return Parameter(path, kind, unit, 1, 0.0 if kind == "float" else 1, most, 1, False, (), False, True, "", "")


WORD = parameter("pbx.word_ns", "ns")
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
        (WORD, "5 MB/s", 800),  # 4 bytes in 800 ns
        (WORD, "5000KB/s", 800),
        (WORD, "40 Mbit/s", 800),
        (WORD, "3.6MB/s", 1111),  # 3.60036 MB/s
        (WORD, "18MB/s", 222),  # the paper's 18 MB/s are 222 ns
        (WORD, "0.8us", 800),
        (PER_BYTE, "5 MB/s", 0.2),
    ],
)
def test_a_value_is_what_its_unit_says(of: Parameter, text: str, value: float) -> None:
    assert of.parse(text, "--set") == value


@pytest.mark.parametrize(
    ("of", "text", "said"),
    [
        (
            WORD,
            "3.6000MB/s",
            "a word takes a multiple of 1 ns: 1111 ns is 3.6003600 MB/s and 1112 ns is 3.5971223 MB/s",
        ),
        (WORD, "12.34MB/s", "a word takes a multiple of 1 ns: 324 ns is 12.345679 MB/s and 325 ns is 12.307692 MB/s"),
        (WORD, "0MB/s", "a rate must be above 0 MB/s"),
        (WORD, "-5 MB/s", "a rate must be above 0 MB/s"),
        (WORD, "1 KiB", "wrong unit KiB: give ns, or one of ps, ns, us, ms, s, min, h, or a rate, as 5 MB/s"),
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
def test_what_cannot_be_is_refused_with_what_can(of: Parameter, text: str, said: str) -> None:
    with pytest.raises(UserError) as caught:
        of.parse(text, "--set")
    assert str(caught.value).startswith(f"{of.path} = {text}: must be ")
    assert said.replace("3.6003600", "3.60036") in str(caught.value)


def test_every_rate_of_whole_nanoseconds_comes_back_as_that_time() -> None:
    """Written with eight digits, the rate of any time from 50 ns to 4 us is that time again."""
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
    assert list(space.values_of(WORD, space.Said(text, "--vary"))) == values


def test_a_range_of_a_time_and_a_rate_is_one_of_times() -> None:
    assert list(space.values_of(WORD, space.Said("500ns:5MB/s:100ns", "--vary"))) == [500, 600, 700, 800]
    with pytest.raises(UserError, match="wrong unit MB/s"):
        space.values_of(WINDOW, space.Said("1MB/s:2MB/s:1MB/s", "--vary"))


def test_without_a_word_a_rate_is_a_rate() -> None:
    assert units.parse("1.5 MB/s", "KB/s") == 1500
    assert units.parse("100 Mbit/s", "MB/s") == Fraction(25, 2)
