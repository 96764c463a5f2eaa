# SPDX-License-Identifier: BSD-3-Clause
"""The TAU profile of a thread: routines with their calls and times, and user events."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple, NoReturn
from xml.sax.saxutils import escape, unescape

from hypermon._files import files, sums
from hypermon.errors import UserError, cut

FUNCTIONS = re.compile(r"(\d{1,9}) templated_functions(?:_(\S+))?")
COLUMNS = re.compile(
    r"# Name Calls Subrs Excl Incl (SumExclSqr )?ProfileCalls\s*(?:#\s*)?(<metadata>.*</metadata>)?\s*"
)
ATTRIBUTE = re.compile(r"<attribute><name>(.*?)</name><value>(.*?)</value></attribute>")
NUMBER = r"(-?\d+(?:\.\d*)?(?:[eE][-+]?\d{1,3})?)"
ROUTINE = re.compile(
    rf'"(.*)" (\d{{1,19}}) (\d{{1,19}}) {NUMBER} {NUMBER}(?: {NUMBER})? (\d{{1,19}})(?: GROUP="(.*)")?\s*'
)
AGGREGATES = re.compile(r"(\d{1,9}) aggregates")
EVENTS = re.compile(r"(\d{1,9}) userevents")
EVENT_COLUMNS = "# eventname numevents max min mean sumsqr"
EVENT = re.compile(rf'"(.*)" (\d{{1,19}}) {NUMBER} {NUMBER} {NUMBER} {NUMBER}\s*')
NAME = re.compile(r"profile\.(\d{1,9})\.(\d{1,9})\.(\d{1,9})")
METRIC = "MULTI_TIME"


class Routine(NamedTuple):
    """A line of a profile.

    Attributes:
        name: Name as written in the file, including a mark for a disabled timer.
        calls, subroutines: Number of calls of the routine, and of calls that it made.
        exclusive, inclusive: Metric without and with the called routines, in the metric's unit (us for time).
        group: Groups of the routine. Empty: the file has none.
    """

    name: str
    calls: int
    subroutines: int
    exclusive: float
    inclusive: float
    group: str = ""


class UserEvent(NamedTuple):
    """A user event with statistics of its samples."""

    name: str
    samples: int
    maximum: float
    minimum: float
    mean: float
    square_sum: float


class Profile(NamedTuple):
    """A profile file. `metric`: the text after `templated_functions_` in its first line, which may be empty."""

    routines: tuple[Routine, ...]
    events: tuple[UserEvent, ...] = ()
    metadata: tuple[tuple[str, str], ...] = ()
    metric: str = METRIC


class _Lines:
    """Reads the complete lines of a file."""

    def __init__(self, path: Path) -> None:
        self._path = path
        with files.untrusted_read(path, "a profile of TAU's"):
            text = files.regular(path).read_text(encoding="utf-8")
        *whole, rest = text.split("\n")
        self._lines = iter(whole)
        self._rest = rest  # text after the last newline, which is incomplete
        self._number = 0

    def next(self, what: str) -> str:
        """Returns the next line. `what`: the expected content, for the error message."""
        self._number += 1
        line = next(self._lines, "")
        if not line:
            reason = f"{cut(self._rest)}: has no end" if self._rest else f"{what} expected"
            self.fail(f"{reason}: the profile is cut")
        return line

    def match(self, pattern: re.Pattern[str], what: str) -> re.Match[str]:
        line = self.next(what)
        found = pattern.fullmatch(line)
        if found is None:
            self.fail(f"{cut(line)}: {what} expected")
        return found

    def optional(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        """Matches the next line, if there is one. Raises an error if it does not match."""
        self._number += 1
        line = next(self._lines, "")
        found = pattern.fullmatch(line)
        if line and found is None:
            self.fail(f"{cut(line)}: nothing of a profile")
        return found

    def end(self) -> None:
        for line in self._lines:
            self._number += 1
            if line.strip():
                self.fail(f"{cut(line)}: behind the profile's end")
        if self._rest.strip():
            self.fail(f"{cut(self._rest)}: has no end: the profile is cut")

    def fail(self, reason: str) -> NoReturn:
        raise UserError(f"{self._path}, line {self._number}: {reason}")


def read(path: Path) -> Profile:
    """Reads a TAU profile. Raises a UserError with the line if the file is not valid or truncated."""
    lines = _Lines(path)
    functions = lines.match(FUNCTIONS, "the number of templated_functions")
    columns = lines.match(COLUMNS, "# Name Calls Subrs Excl Incl ProfileCalls")
    squares = columns[1] is not None
    routines = tuple(_routine(lines, squares) for _ in range(int(functions[1])))
    aggregates = lines.optional(AGGREGATES)
    if aggregates is not None and int(aggregates[1]):
        lines.fail("aggregates, which no TAU writes")
    events: tuple[UserEvent, ...] = ()
    if aggregates is not None and (counted := lines.optional(EVENTS)) is not None:
        if int(counted[1]):
            lines.match(re.compile(re.escape(EVENT_COLUMNS) + r"\s*"), EVENT_COLUMNS)
        events = tuple(_event(lines) for _ in range(int(counted[1])))
    lines.end()
    metadata = tuple((unescape(name), unescape(value)) for name, value in ATTRIBUTE.findall(columns[2] or ""))
    return Profile(routines, events, metadata, functions[2] or "")


def _routine(lines: _Lines, squares: bool) -> Routine:
    found = lines.match(ROUTINE, '"name" calls subroutines exclusive inclusive 0 GROUP="..."')
    name, calls, subroutines, exclusive, inclusive, square, profiled, group = found.groups()
    if (square is not None) != squares:
        lines.fail("other columns than the profile's second line says")
    if int(profiled):
        lines.fail("has profiles of each call, which hypermon does not read")
    return Routine(
        name, int(calls), int(subroutines), _number(lines, exclusive), _number(lines, inclusive), group or ""
    )


def _event(lines: _Lines) -> UserEvent:
    name, samples, *numbers = lines.match(
        EVENT, "an event's name, number, maximum, minimum, mean, sum of squares"
    ).groups()
    maximum, minimum, mean, square_sum = (_number(lines, one) for one in numbers)
    return UserEvent(name, int(samples), maximum, minimum, mean, square_sum)


def _number(lines: _Lines, text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        lines.fail(f"{cut(text)}: too large a number")
    return number


def text_of(profile: Profile) -> str:
    """Returns the profile in TAU's format."""
    metric = f"_{profile.metric}" if profile.metric else ""
    attributes = "".join(
        f"<attribute><name>{escape(name)}</name><value>{escape(value)}</value></attribute>"
        for name, value in profile.metadata
    )
    lines = [
        f"{len(profile.routines)} templated_functions{metric}",
        f"# Name Calls Subrs Excl Incl ProfileCalls # <metadata>{attributes}</metadata>",
        *(
            f'"{one.name}" {one.calls} {one.subroutines} {one.exclusive:.16G} {one.inclusive:.16G} 0 '
            f'GROUP="{one.group}" '
            for one in profile.routines
        ),
        "0 aggregates",
    ]
    if profile.events:
        lines += [f"{len(profile.events)} userevents", EVENT_COLUMNS]
        lines += [
            f'"{one.name}" {one.samples} {one.maximum:.16G} {one.minimum:.16G} {one.mean:.16G} {one.square_sum:.16G}'
            for one in profile.events
        ]
    return "\n".join(lines) + "\n"


def write(path: Path, profile: Profile) -> None:
    """Writes a profile atomically."""
    with files.writing(path) as partial:
        partial.write_text(text_of(profile), encoding="utf-8")


def find(folder: Path) -> dict[tuple[int, int, int], Path]:
    """Finds the profiles in a folder, or in a run directory. Returns them sorted by node, context and thread.

    Raises a UserError if there is none.
    """
    for place in (folder / "profiles", folder):
        found = {
            (int(match[1]), int(match[2]), int(match[3])): file
            for file in _files(place)
            if (match := NAME.fullmatch(file.name)) is not None
        }
        if found or place != folder:
            sums.verify_all(place, "run again", found.values())
        if found:
            return dict(sorted(found.items()))
    raise UserError(f"{folder}: has no profile of TAU's (profile.<node>.<context>.<thread>)")


def _files(folder: Path) -> Iterable[Path]:
    return folder.iterdir() if folder.is_dir() else ()
