# SPDX-License-Identifier: BSD-3-Clause
"""Windows of time, such as `1.2s..1.25s`."""

from __future__ import annotations

from dataclasses import dataclass

from hypermon._model import units
from hypermon.errors import UserError

EVER = 1 << 62  # ps: 53 days


@dataclass(frozen=True)
class Window:
    """The true time from `begin_ps` up to, but not including, `end_ps`, ps."""

    begin_ps: int
    end_ps: int

    @staticmethod
    def parse(text: str, where: str = "--window") -> Window:
        """Parses `BEGIN..END`, in seconds or with units. Either end may be omitted. Raises a UserError if not valid."""
        begin, dots, end = text.partition("..")
        if not dots or not (begin.strip() or end.strip()):
            raise UserError(f"{where} {text}: must be BEGIN..END, such as 1.2s..1.25s, 1.2s.. or ..1.25s")
        window = Window(_ps(begin, text, where) if begin.strip() else 0, _ps(end, text, where) if end.strip() else EVER)
        if window.begin_ps >= window.end_ps:
            raise UserError(f"{where} {text}: ends before it begins")
        return window


def _ps(time: str, text: str, where: str) -> int:
    try:
        seconds = units.parse(time, "s")
    except ValueError as error:
        raise UserError(f"{where} {text}: {error}") from None
    if seconds is None or seconds < 0:
        raise UserError(
            f"{where} {text}: {time.strip() or 'nothing'} is not a time; must be BEGIN..END, such as 1.2s..1.25s"
        )
    return int(seconds * 10**12)
