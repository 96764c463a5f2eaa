# SPDX-License-Identifier: BSD-3-Clause
"""HDTrace's times: decimal seconds, optionally followed by s or ms. They are converted to whole picoseconds."""

from __future__ import annotations

import re

PS_PER_SECOND = 10**12
PS_PER_NS = 1000
PS_PER_US = 10**6
FARTHEST_S = 10**12  # (chosen) largest time, beyond any clock
_TIME = re.compile(r"(-?)(\d{1,15})(?:\.(\d{1,12}))?(ms|s|)", re.ASCII)


def parse(text: str) -> int | None:
    """Converts a text to picoseconds. None: it is no time."""
    found = _TIME.fullmatch(text)
    if found is None:
        return None
    sign, whole, part, unit = found.groups()
    ps = int(whole) * PS_PER_SECOND + int((part or "").ljust(12, "0"))
    if ps > FARTHEST_S * PS_PER_SECOND:
        return None
    if unit == "ms":
        ps //= 1000
    return -ps if sign else ps


def text(ps: int) -> str:
    """Formats a time as decimal seconds in whole ns, without trailing zeros, as HDTrace's Java library does."""
    sign, ns = ("-", -(ps // PS_PER_NS)) if ps < 0 else ("", ps // PS_PER_NS)
    whole, part = divmod(ns, 10**9)
    return f"{sign}{whole}.{part:09d}".rstrip("0").rstrip(".")


def stamp(ps: int) -> str:
    """Formats a time of a trace, with six decimals (the resolution of gettimeofday)."""
    sign, us = ("-", -(ps // PS_PER_US)) if ps < 0 else ("", ps // PS_PER_US)
    return f"{sign}{us // 10**6}.{us % 10**6:06d}"


def fixed(ps: int) -> str:
    """Formats a header's adjustment as HDTrace's C library does, with ten digits and nine decimals."""
    ns = abs(ps) // PS_PER_NS
    return f"{'-' if ps < 0 else ''}{ns // 10**9:010d}.{ns % 10**9:09d}"
