# SPDX-License-Identifier: BSD-3-Clause
"""Errors with which a command can end, each with its exit status."""

from __future__ import annotations

import re
from collections.abc import Iterable

from hypermon._printing import escaped, one_line

MOST_SHOWN = 200  # (chosen) characters of a value that a message repeats
MOST_SAID = 8000  # (chosen) characters of a message: a compiler's complaint fits
_LONG_WORD = re.compile(r"\S{1001,}")  # longer than any existing path


class HypermonError(Exception):
    """Base of all errors that are reported in one line, without a traceback. Control characters are escapes in it."""

    exit_status = 3

    def __init__(self, message: str) -> None:
        super().__init__(escaped(message))


class UserError(HypermonError):
    """A request that cannot be fulfilled. The message names its subject, the value, the allowed values and the
    place.
    """

    exit_status = 2

    def __init__(self, message: str, where: str = "") -> None:
        short = _shortened(_LONG_WORD.sub(lambda word: cut(word[0]), message), MOST_SAID)
        super().__init__(f"{short} ({where})" if where else short)


class DamagedError(UserError):
    """A file with a wrong checksum, which hypermon has not written in this form. It can be made again."""


class SimulationError(HypermonError):
    """The simulated program failed or deadlocked, or the worker itself crashed."""


def cut(value: object, most: int = MOST_SHOWN) -> str:
    """Formats a value for a message: on one line, shortened in the middle if it is longer than `most` characters."""
    try:
        text = str(value)
    except ValueError:  # an integer of more than 4300 digits
        text = "a number of thousands of digits"
    return _shortened(one_line(text), most)


def _shortened(text: str, most: int) -> str:
    if len(text) <= most:
        return text
    return f"{text[: most * 2 // 3]}...{text[-most // 6 :]} ({len(text)} characters)"


def suggestion(wrong: str, valid: Iterable[str]) -> str:
    """`; did you mean X?` for the nearest valid name, or nothing."""
    if len(wrong) > MOST_SHOWN:  # too long for a misspelt name, and slow to compare
        return ""
    import difflib  # imported only after a mistake

    names = list(valid)
    near = difflib.get_close_matches(wrong, names, n=1, cutoff=0.6)
    if not near:  # the name may lack its section
        near = [name for name in names if name.rpartition(".")[2] == wrong][:1]
    return f"; did you mean {near[0]}?" if near else ""
