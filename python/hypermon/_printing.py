# SPDX-License-Identifier: BSD-3-Clause
"""The module through which hypermon prints everything: control characters in names, files and programs are shown as
escapes.

Terminals and viewers of logs execute control characters: these move the cursor, change the title, or hide text.
"""

from __future__ import annotations

import codecs
import contextlib
import os
import re
import sys
from functools import cache
from typing import TYPE_CHECKING, Any, TextIO

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from rich.console import Console

# C0 except tab and newline, DEL, C1, characters that override the direction of writing, surrogates, and non-characters.
# Characters of the last two kinds can be neither encoded nor part of an XML file.
_CONTROLS = "\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff"
_IN_TEXT = re.compile(f"[{_CONTROLS}]")
_IN_A_LINE = re.compile(f"[{_CONTROLS}\t\n\u2028\u2029]")
_ASK_RICH = {"FORCE_COLOR", "TTY_COMPATIBLE"}  # variables by which Rich decides if an output counts as a terminal
ERRORS = "hypermon.escapes"
"""Name of the error handler (`errors=`) for characters that an encoding lacks."""


def escaped(text: str) -> str:
    r"""Returns the text with control characters escaped as in JSON (`\u001b`), except for tabs and newlines."""
    return text if text.isprintable() else _IN_TEXT.sub(_escape, text)


def one_line(text: str) -> str:
    """Like `escaped`, but also escapes tabs and newlines: for a name, a table's cell or an attribute."""
    return text if text.isprintable() else _IN_A_LINE.sub(_escape, text)


def _escape(found: re.Match[str]) -> str:
    return f"\\u{ord(found[0]):04x}"


def _not_encodable(error: UnicodeError) -> tuple[str, int]:
    """Escapes characters that the output's encoding lacks as in JSON, so that JSON output stays valid."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    units = error.object[error.start : error.end].encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[i]:02x}{units[i + 1]:02x}" for i in range(0, len(units), 2)), error.end


class Output:
    """Standard output or standard error of a command, with control characters escaped.

    It has no `buffer`, because bytes written there would not be escaped.
    """

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        # Rich writes here: its own sequences, around text that is already escaped (`screen`)
        self.rich_proxied_file = stream

    def write(self, text: str) -> int:
        """Writes the text with escapes. Returns its length."""
        if not isinstance(text, str):
            raise TypeError(f"write() argument must be str, not {type(text).__name__}")
        self._stream.write(escaped(text))
        return len(text)

    def writelines(self, lines: list[str]) -> None:
        """Writes each of the texts."""
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        if name == "buffer":
            raise AttributeError("buffer")
        return getattr(self._stream, name)


codecs.register_error(ERRORS, _not_encodable)
_installed = False


def install() -> None:
    """Makes both outputs of this process escape all text, whatever code prints it. For commands only."""
    global _installed
    _installed = True
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:  # was closed when the command was started
            stream = open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123, SIM115 (pathlib costs a short command)
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors=ERRORS)
        setattr(sys, name, Output(stream))


def install_again() -> None:
    """Installs the escaping again on top of Rich's live displays, whose replacements of the outputs pass control
    characters.
    """
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if _installed and not isinstance(stream, Output):
            setattr(sys, name, Output(stream))


def say(text: object = "", *, err: bool = False, end: str = "\n", flush: bool = True) -> None:
    """Prints a line, on standard error if `err`. With `flush`, it is visible at once."""
    stream = sys.stderr if err else sys.stdout
    stream.write(f"{escaped(str(text))}{end}")
    if flush:
        stream.flush()


def passing_on(*, err: bool = False) -> Callable[[bytes], None]:
    """Returns a function that prints a program's output: with escapes on a terminal, otherwise the bytes unchanged.

    Call it before a live display of Rich replaces the outputs.
    """
    stream: Any = sys.stderr if err else sys.stdout
    raw = getattr(getattr(stream, "rich_proxied_file", stream), "buffer", None)
    if stream.isatty() or raw is None:
        return lambda data: say(data.decode("utf-8", "replace"), err=err, end="")

    def write(data: bytes) -> None:
        stream.flush()
        raw.write(data)
        raw.flush()

    return write


@contextlib.contextmanager
def passing(text: str) -> Iterator[None]:
    """Shows a line on standard error during a task, if that is a terminal."""
    stream: Any = sys.stderr
    if not stream.isatty():
        yield
        return
    stream = getattr(stream, "rich_proxied_file", stream)
    stream.write(one_line(text))
    stream.flush()
    try:
        yield
    finally:
        stream.write("\r\033[K")
        stream.flush()


def terminal(stderr: bool = False) -> Console | None:
    """Returns a console if the output is a terminal. Rich is imported only then."""
    stream = sys.stderr if stderr else sys.stdout
    if not _ASK_RICH & os.environ.keys() and not stream.isatty():
        return None
    screen = console(stderr=stderr)
    return screen if screen.is_terminal else None


def console(*, stderr: bool = False, **options: Any) -> Console:
    """Returns a console of Rich that escapes text, so that it writes only its own control sequences."""
    stream: Any = sys.stderr if stderr else sys.stdout
    file = stream.rich_proxied_file if isinstance(stream, Output) else None
    return _escaping()(file=file, stderr=stderr, highlight=False, emoji=False, **options)


@cache
def _escaping() -> type[Console]:
    from rich.console import Console
    from rich.segment import Segment

    class Escaping(Console):
        def render(self, renderable: Any, options: Any = None) -> Iterator[Segment]:
            for segment in super().render(renderable, options):
                text, style, control = segment
                yield segment if control else Segment(escaped(text), style)

    return Escaping
