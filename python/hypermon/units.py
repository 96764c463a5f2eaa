"""Values with units: `0.8 us` for a parameter in ns. Conversions are exact or refused."""

from __future__ import annotations

import re
from fractions import Fraction

# Units that convert into each other, each as a multiple of the first.
_DIMENSIONS: tuple[dict[str, Fraction], ...] = (
    {"ps": Fraction(1), "ns": Fraction(10**3), "us": Fraction(10**6), "ms": Fraction(10**9), "s": Fraction(10**12)},
    {"B": Fraction(1), "KB": Fraction(10**3), "MB": Fraction(10**6), "KiB": Fraction(2**10), "MiB": Fraction(2**20)},
    {"B/s": Fraction(1), "KB/s": Fraction(10**3), "MB/s": Fraction(10**6)},
    {"Hz": Fraction(1), "kHz": Fraction(10**3), "MHz": Fraction(10**6)},
)
_QUANTITY = re.compile(
    r"([-+]?(?:\d[\d_]*\.?\d*|\.\d+)(?:[eE]([-+]?\d+))?)\s*([A-Za-z%][A-Za-z/%]*)?", re.ASCII
)  # ASCII: of other scripts, \d has digits that no reader of a scenario would compare
MOST_DIGITS = 300  # (chosen) of a number: a Fraction computes 1e999999999 exactly, if it takes all memory


def parse(text: str, unit: str) -> Fraction | None:
    """The number that `text` means in `unit`, or None if it is no number. ValueError names a wrong unit, or says that
    the number is too long.
    """
    match = _QUANTITY.fullmatch(text.strip())
    if match is None:
        return None
    if len(match[1]) > MOST_DIGITS or len(match[2] or "") > 4 or abs(int(match[2] or 0)) > MOST_DIGITS:
        raise ValueError(f"more than {MOST_DIGITS} digits")
    number = Fraction(match[1].replace("_", ""))
    given = match[3]
    if given is None or given == unit:
        return number
    for dimension in _DIMENSIONS:
        if unit in dimension:
            if given in dimension:
                return number * dimension[given] / dimension[unit]
            raise ValueError(f"wrong unit {given}: give {unit}, or one of {', '.join(dimension)}")
    raise ValueError(f"wrong unit {given}: " + (f"it is counted in {unit}" if unit else "it has no unit"))


def whole(text: str) -> int | None:
    """The number that `text` writes with digits alone; None if it does not."""
    stripped = text.strip()
    return int(stripped) if stripped.isascii() and stripped.isdigit() and len(stripped) <= MOST_DIGITS else None
