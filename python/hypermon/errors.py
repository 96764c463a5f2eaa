"""The ways in which a command can end other than well. Each knows its exit status."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class HypermonError(Exception):
    """Base of all errors that are reported in one line, without a traceback."""

    exit_status = 3


class UserError(HypermonError):
    """Something asked for cannot be: names what, the value, what is allowed and where it was said."""

    exit_status = 2

    def __init__(self, message: str, where: str = "") -> None:
        super().__init__(f"{message} ({where})" if where else message)


class DamagedError(UserError):
    """A file that is not what hypermon wrote: its checksum is another. It can be made again."""


class SimulationError(HypermonError):
    """The simulated program failed or deadlocked, or the worker itself broke."""


def suggestion(wrong: str, valid: Iterable[str]) -> str:
    """`; did you mean X?` for the nearest valid name, or nothing."""
    names = list(valid)
    near = difflib.get_close_matches(wrong, names, n=1, cutoff=0.6)
    if not near:  # a name given without its section
        near = [name for name in names if name.rpartition(".")[2] == wrong][:1]
    return f"; did you mean {near[0]}?" if near else ""
