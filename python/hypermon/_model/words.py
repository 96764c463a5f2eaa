# SPDX-License-Identifier: BSD-3-Clause
"""Readable numbers: grouped digits, three significant digits, a suitable unit."""

from __future__ import annotations

import math

from hypermon._model.result import show

SPACE = "\u202f"  # narrow no-break space: groups digits, and keeps a unit with its number
_TIMES = (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6), ("ns", 1e-9))
_BYTES = (("GB", 1e9), ("MB", 1e6), ("KB", 1e3), ("B", 1.0))


def count(value: float) -> str:
    """Formats 1164571 as 1 164 571."""
    return f"{value:,.0f}".replace(",", SPACE)


def three_digits(value: float) -> str:
    """Formats a number with three significant digits, without exponent where the digits are readable."""
    if value == 0 or not math.isfinite(value):
        return f"{value:g}"
    text = f"{value:.3g}"
    if abs(rounded := float(text)) >= 1000:
        return count(rounded) if abs(value) < 1e9 else text
    return (text if "e" not in text else f"{value:.2e}").replace("-", "\u2212")


def figure(value: object) -> str:
    """Formats a parameter's value. Digits are grouped; texts are unchanged."""
    if isinstance(value, int | float) and not isinstance(value, bool) and value == int(value):
        return count(value)
    return show(value)


def _scaled(value: float, units: tuple[tuple[str, float], ...]) -> str:
    rounded = abs(float(f"{value:.3g}"))  # 999.9 ms is 1 s
    name, factor = next(((n, f) for n, f in units if rounded >= f), units[-1])
    return f"{three_digits(value / factor)}{SPACE}{name}"


def seconds(value: float) -> str:
    return _scaled(value, _TIMES) if value else f"0{SPACE}s"


def nanoseconds(value: float) -> str:
    return seconds(value * 1e-9)


def data(value: float) -> str:
    """Formats a number of bytes with a decimal prefix."""
    return _scaled(value, _BYTES)


def percent(share: float) -> str:
    """Formats 0.0171 as 1.71 %. Only exactly 0 and 1 are shown as 0 % and 100 %."""
    if 0 < share < 1e-6:
        return f"less than 0.0001{SPACE}%"
    text = f"{100 * share:.3g}"
    if share < 1 and float(text) >= 100:
        text = f"{math.floor(share * 1e5) / 1e3:g}" if share < 0.99999 else "99.999"
    return f"{float(text):.10g}{SPACE}%"


def per(amount: float, time: float) -> float:
    """Returns an amount per time. 0 if the time is 0."""
    return amount / time if time else 0.0


def rate(per_second: float, what: str) -> str:
    return f"{three_digits(per_second)}{SPACE}{what}/s"


def amount(number: float, unit: str) -> str:
    """Formats a number with its unit. `unit`: the unit in the plural, such as samples."""
    return plural(number, unit.removesuffix("s"), unit)


def plural(number: float, one: str, many: str = "") -> str:
    return f"{count(number)}{SPACE}{one if number == 1 else many or one + 's'}"
