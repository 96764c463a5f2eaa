# SPDX-License-Identifier: BSD-3-Clause
"""Values with units: `0.8 us` for a parameter in ns, `1Ki` for a count, `5 MB/s` for the time of a word.

Conversions are exact or refused, with one exception. A rate that is given for a time (`3.6 MB/s`: 1111.1 ns for 4
bytes) is rounded to an allowed value of the parameter, if this reproduces the rate to the given number of digits.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from fractions import Fraction
from math import floor

_TIMES = {
    "ps": Fraction(1),
    "ns": Fraction(10**3),
    "us": Fraction(10**6),
    "µs": Fraction(10**6),
    "ms": Fraction(10**9),
    "s": Fraction(10**12),
    "min": Fraction(60 * 10**12),
    "h": Fraction(3600 * 10**12),
}
_DATA = {
    "B": Fraction(1),
    "kB": Fraction(10**3),
    "KB": Fraction(10**3),
    "MB": Fraction(10**6),
    "GB": Fraction(10**9),
    "KiB": Fraction(2**10),
    "MiB": Fraction(2**20),
    "GiB": Fraction(2**30),
}
_RATES = {f"{unit}/s": factor for unit, factor in _DATA.items()} | {
    "kbit/s": Fraction(10**3, 8),
    "Mbit/s": Fraction(10**6, 8),
    "Gbit/s": Fraction(10**9, 8),
}
# Groups of convertible units, each as a multiple of the first one in its group.
_DIMENSIONS: tuple[dict[str, Fraction], ...] = (
    _TIMES,
    _DATA,
    _RATES,
    {"Hz": Fraction(1), "kHz": Fraction(10**3), "MHz": Fraction(10**6), "GHz": Fraction(10**9)},
)
_COUNTS = {
    "k": Fraction(10**3),
    "M": Fraction(10**6),
    "G": Fraction(10**9),
    "Ki": Fraction(2**10),
    "Mi": Fraction(2**20),
    "Gi": Fraction(2**30),
}
MOST_DIGITS = 300  # (chosen) longest number: an exact Fraction of 1e999999999 would fill the memory
# ASCII digits only: \d also matches digits of other scripts, which a reader could mistake.
_QUANTITY = re.compile(r"([-+]?(?:[0-9][0-9_]*\.?[0-9]*|\.[0-9]+)(?:[eE]([-+]?[0-9]+))?)\s*([A-Za-zµ%][A-Za-zµ/% ]*)?")


def parse(text: str, unit: str, word_bytes: int = 0, step: int = 0) -> Fraction | None:
    """Converts `text` to a number in `unit`. None: it is not a number.

    Raises a ValueError if the unit is wrong or the number is too long. `word_bytes`: not 0 if the number is the time of
    a word of this size, which may be given as a rate. `step`: the number must be a multiple of it.
    """
    match = _QUANTITY.fullmatch(text.strip().replace("μ", "µ"))  # replaces the Greek letter by the micro sign
    if match is None:
        return None
    if len(match[1]) > MOST_DIGITS or len(match[2] or "") > 4 or abs(int(match[2] or 0)) > MOST_DIGITS:
        raise ValueError(f"more than {MOST_DIGITS} digits")
    number = Fraction(match[1].replace("_", ""))
    given = (match[3] or "").strip()
    if given in ("", unit):
        return number
    if word_bytes and given in _RATES:
        return _time_of(number, match[1], given, unit, word_bytes, step)
    times, _, amount = unit.partition("/")
    if times in _TIMES and amount in _DATA and given in _RATES:  # an inverse rate such as us/B
        _positive(number, given)
        return _DATA[amount] / (number * _RATES[given]) * _TIMES["s"] / _TIMES[times]
    for dimension in _DIMENSIONS:
        if unit in dimension:
            if given in dimension:
                return number * dimension[given] / dimension[unit]
            rates = f", or a rate, as 5 MB/s: {word_bytes} bytes a word" if word_bytes else ""
            raise ValueError(f"wrong unit {given}: give {unit}, or one of {_listed(dimension)}{rates}")
    if times in _TIMES and amount:
        raise ValueError(f"wrong unit {given}: give {unit}, or a rate, as 5 MB/s")
    prefix = given.removesuffix(unit).strip() if unit else given
    if prefix in _COUNTS:
        return number * _COUNTS[prefix]
    if prefix == "K":
        raise ValueError("wrong unit K: say 1k for 1000, 1Ki for 1024")
    counted = f"it is counted in {unit}" if unit else "it has no unit"
    raise ValueError(f"wrong unit {given}: {counted}, and may end with {_listed(_COUNTS)}, as 1Ki")


def is_rate(text: str) -> bool:
    """Does the text end with a unit of data per time?"""
    match = _QUANTITY.fullmatch(text.strip())
    return match is not None and (match[3] or "").strip() in _RATES


def time_of_word(bytes_per_s: Fraction, word_bytes: int, unit: str) -> Fraction:
    """Returns the transfer time of a word at a rate, in a unit of time."""
    _positive(bytes_per_s, "B/s")
    return word_bytes / bytes_per_s * _TIMES["s"] / _TIMES[unit]


def _listed(units: Iterable[str]) -> str:
    return ", ".join(name for name in units if name not in ("µs", "KB", "KB/s"))


def _positive(rate: Fraction, unit: str) -> None:
    if rate <= 0:
        raise ValueError(f"a rate must be above 0 {unit}")


def _time_of(rate: Fraction, written: str, given: str, unit: str, word_bytes: int, step: int) -> Fraction:
    """Returns the time of a word at a rate, rounded to a multiple of `step`.

    The rounded time must reproduce the rate to the given number of digits.
    """
    _positive(rate, given)
    time = time_of_word(rate * _RATES[given], word_bytes, unit)
    if not step or time % step == 0:
        return time
    below = floor(time / step) * step
    rates = {t: time_of_word(Fraction(t), word_bytes, unit) / _RATES[given] for t in (below, below + step) if t}
    nearest = min(rates, key=lambda t: abs(rates[t] - rate))
    mantissa, _, exponent = written.lower().partition("e")
    last_digit = Fraction(10) ** (int(exponent or 0) - len(mantissa.partition(".")[2]))
    if abs(rates[nearest] - rate) <= last_digit / 2:
        return Fraction(nearest)
    ways = " and ".join(f"{t} {unit} is {float(r):.8g} {given}" for t, r in rates.items())
    raise ValueError(f"a word takes a multiple of {step} {unit}: {ways}")


def whole(text: str) -> int | None:
    """Converts a text that consists of digits only. None: it has other characters."""
    stripped = text.strip()
    return int(stripped) if stripped.isascii() and stripped.isdigit() and len(stripped) <= MOST_DIGITS else None
