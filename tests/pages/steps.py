# SPDX-License-Identifier: BSD-3-Clause
"""The steps of a page, in order.

A fence of `sh` or `python` is run, and must end with status 0, or with the status named in its last line in a comment
`# exit status 3`. Comments on lines of their own say more:

    <!-- not run: REASON -->      the following fence is not run
    <!-- file: NAME -->           the reader writes the following fence to that file
    <!-- output: example -->      the lines up to `<!-- end of output -->` are the output of the block before
    <!-- output: example | F -->  the same, filtered by the shell command F
    <!-- output: COMMAND -->      the output of a command that the page does not show
    <!-- console: COMMAND -->     the same, with the command
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from markdown_it import MarkdownIt
from markdown_it.token import Token

RUN = {"sh", "python"}
CONTENTS = {"", "c", "cmake", "cpp", "text", "yaml"}  # languages of fences without commands: files, or printed text
COMMANDS = ("$ ", "hypermon ", "scripts/", "python ")  # first words of a fence with commands
END = "end of output"
STATUS = "# exit status "


class PageError(Exception):
    """A fault of a page, and its line."""

    def __init__(self, line: int, message: str) -> None:
        super().__init__(f"{line}: {message}")


@dataclass(frozen=True)
class Run:
    """A block to be run; `language` is a key of RUN."""

    line: int
    language: str
    code: str

    @property
    def status(self) -> int:
        """The exit status with which the block must end."""
        _, comment, number = self.code.rstrip().splitlines()[-1].rpartition(STATUS)
        return int(number) if self.language == "sh" and comment and number.isdigit() else 0


@dataclass(frozen=True)
class Output:
    """Shows the output of the previous block, in the lines from `first` up to but not including `end` (counted from 0)."""

    line: int
    first: int
    end: int
    command: str = ""  # command shown above the output; empty if none is shown
    through: str = ""  # a filter; empty if there is none


@dataclass(frozen=True)
class File:
    """The text that the reader writes to a file."""

    line: int
    name: str
    text: str


@dataclass(frozen=True)
class NotRun:
    """A block that is not run, and the reason."""

    line: int
    reason: str
    code: str


Step = Run | Output | File | NotRun


def steps(page: str) -> list[Step]:
    """The steps of a page's text. Raises PageError for a block of unknown kind, or for a marker without a block."""
    return list(_steps(iter([token for token in MarkdownIt("commonmark").parse(page) if _concerns(token)])))


def _steps(left: Iterator[Token]) -> Iterator[Step]:
    ran = False
    for token in left:
        if token.type == "fence":
            if (run := _run(token)) is not None:
                yield run
                ran = True
            continue
        line, (word, _, text) = _line(token), map(str.strip, _comment(token).partition(":"))
        if word in ("not run", "file"):
            yield _marked(line, word, text, next(left, None))
        elif word in ("output", "console") and text:
            of, _, through = map(str.strip, text.partition("|"))
            if of != "example":
                yield Run(line, "sh", text)
            elif not ran or word == "console":
                raise PageError(line, "there is no block before it that was run")
            first, end = _span(token)[1], _end(line, left)
            yield Output(line, first, end, text if word == "console" else "", through if of == "example" else "")
        else:
            raise PageError(line, f"<!-- {_comment(token)} -->: no such marker, or of nothing")


def _run(fence: Token) -> Run | None:
    """The block as a step; None if it has no commands."""
    line, language, code = _line(fence), fence.info.strip(), fence.content
    if language in RUN and code.strip():
        return Run(line, language, code)
    if language not in CONTENTS or code.startswith(COMMANDS):
        raise PageError(line, f"a block of {language or 'no language'} is not run: must be one of {sorted(RUN)}")
    return None


def _marked(line: int, word: str, text: str, fence: Token | None) -> NotRun | File:
    if not text:
        raise PageError(line, f"{word}: must say {'why' if word == 'not run' else 'which'}")
    if fence is None or fence.type != "fence" or (fence.info.strip() in RUN) != (word == "not run"):
        raise PageError(line, f"{word}: what follows is no such block")
    return NotRun(line, text, fence.content) if word == "not run" else File(line, text, fence.content)


def _end(line: int, left: Iterator[Token]) -> int:
    for token in left:
        if token.type != "fence":
            if _comment(token) != END:
                break
            return _span(token)[0]
    raise PageError(line, f"no <!-- {END} -->")


def _concerns(token: Token) -> bool:
    return token.type == "fence" or (token.type == "html_block" and token.content.lstrip().startswith("<!--"))


def _comment(token: Token) -> str:
    return token.content.strip().removeprefix("<!--").removesuffix("-->").strip()


def _span(token: Token) -> tuple[int, int]:
    assert token.map is not None  # blocks have one
    return token.map[0], token.map[1]


def _line(token: Token) -> int:
    return _span(token)[0] + 1
