# SPDX-License-Identifier: BSD-3-Clause
"""The values of attributes in a SimGrid platform file.

A check returns the allowed values in words, or nothing if the value is allowed. Units are checked by SimGrid, which
reports the line of an unknown unit.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import NamedTuple

Check = Callable[[str], str]

MOST_HOSTS = 1_000_000  # (chosen) largest cluster: SimGrid makes all hosts before it reports any error
_NUMBER = re.compile(r"([+-]?\d+(?:\.\d*)?(?:[eE][+-]?\d+)?)([A-Za-z]*)", re.ASCII)
_PLAIN = r"\d+(?:\.\d*)?(?:[eE][+-]?\d+)?"
_PIECES = re.compile(rf"{_PLAIN}(?::{_PLAIN})*(?:;{_PLAIN}(?::{_PLAIN})*)*", re.ASCII)
_RANGE = re.compile(r"(\d{1,9})(?:-(\d{1,9}))?", re.ASCII)
_WORD = re.compile(r"[A-Za-z0-9_-]+", re.ASCII)
_FINITE = 1e300


def any_text(_value: str) -> str:
    return ""


def name(value: str) -> str:
    return "" if value else "must not be empty"


def _amount(value: str) -> float | None:
    """Returns the number before the unit. None: there is no number, or it is too large."""
    found = _NUMBER.fullmatch(value)
    number = float(found[1]) if found else math.inf
    return number if abs(number) < _FINITE else None


def above_zero(value: str) -> str:
    amount = _amount(value)
    return "" if amount is not None and amount > 0 else "must be a number above 0, with a unit"


def at_least_zero(value: str) -> str:
    amount = _amount(value)
    return "" if amount is not None and amount >= 0 else "must be a number of at least 0, with a unit"


def number(value: str) -> str:
    found = _NUMBER.fullmatch(value)
    return "" if found and not found[2] and _amount(value) is not None else "must be a number"


def speeds(value: str) -> str:
    wrong = any(above_zero(one.strip()) for one in value.split(","))
    return "must be speeds above 0 with a unit, separated by commas" if wrong else ""


def whole(least: int, most: int) -> Check:
    def check(value: str) -> str:
        right = re.fullmatch(r"\d{1,9}(\.0+)?", value, re.ASCII) and least <= int(float(value)) <= most
        return "" if right else f"must be an integer from {least} to {most}"

    return check


def coordinates(value: str) -> str:
    right = len(value.split()) == 3 and not any(number(one) for one in value.split())
    return "" if right else "must be three numbers, separated by blanks"


def ranges(radical: str) -> list[range] | None:
    """Parses the numbers of a cluster's hosts, as SimGrid counts them. None: the text is not valid."""
    found = [_RANGE.fullmatch(one) for one in radical.split(",")]
    return [range(int(one[1]), int(one[2] or one[1]) + 1) for one in found if one] if all(found) else None


def radical(value: str) -> str:
    numbers = ranges(value)
    right = numbers and all(numbers) and sum(map(len, numbers)) <= MOST_HOSTS
    return "" if right else f"must be numbers of at most {MOST_HOSTS} hosts, like 0-15,20"


def groups_of_integers(text: str) -> list[list[int]] | None:
    """Parses groups of positive integers: commas separate integers, semicolons groups. None: the text is not valid."""
    groups = [[one.strip() for one in group.split(",")] for group in text.split(";")]
    if not all(re.fullmatch(r"\d{1,6}", one, re.ASCII) and int(one) for group in groups for one in group):
        return None
    return [[int(one) for one in group] for group in groups]


def choice(*allowed: str) -> Check:
    return lambda value: "" if value in allowed else f"must be one of {', '.join(allowed)}"


def any_case(*allowed: str) -> Check:
    check, spelled = choice(*allowed), {one.casefold(): one for one in allowed}
    return lambda value: check(spelled.get(value.casefold(), value))


def word(value: str) -> str:
    return "" if _WORD.fullmatch(value) else "must be a word"


def pieces(value: str) -> str:
    """Checks a number, or a piecewise function of the message size, in the form of SMPI's options."""
    right = _PIECES.fullmatch(value) and all(float(one) < _FINITE for one in re.split("[:;]", value))
    return "" if right else "must be numbers, like 0.97 or 0:1e-6:0;1024:2e-6:1e-10"


yes_or_no = choice("yes", "no", "on", "off", "true", "false", "1", "0")


class Wrong(NamedTuple):
    """A mistake in a line of text."""

    line: int
    what: str


def profile(text: str, above_zero: bool) -> Wrong | None:
    """Returns the mistake in a profile, which has lines with a time and a value. SimGrid's random kinds are refused."""
    before, some = -1.0, False
    for number_of_line, line in enumerate(text.splitlines(), 1):
        words = line.split()
        if not words or words[0][0] in "#%":
            continue
        if len(words) == 2 and words[0] in ("PERIODICITY", "LOOPAFTER") and not number(words[1]):
            continue
        if len(words) != 2 or number(words[0]) or number(words[1]) or not 0 <= float(words[0]) > before:
            return Wrong(number_of_line, "must be a date in seconds after the one before, and a value")
        if float(words[1]) < 0 or (above_zero and float(words[1]) == 0):
            return Wrong(number_of_line, f"the value must be {'above' if above_zero else 'at least'} 0")
        before, some = float(words[0]), True
    return None if some else Wrong(1, "must have lines with a date in seconds and a value")


def files_of_disk(text: str) -> Wrong | None:
    """Returns the mistake in a disk's list of files, which has lines with a name and a number of bytes."""
    for number_of_line, line in enumerate(text.splitlines(), 1):
        words = line.split()
        if words and (len(words) != 2 or not re.fullmatch(r"\d{1,18}", words[1], re.ASCII)):
            return Wrong(number_of_line, "must be the name of a file and its number of bytes")
    return None
