# SPDX-License-Identifier: BSD-3-Clause
"""What there is to do on a page, in its order.

A fence of `sh` or `python` is run, and has to end with status 0, or with the one that its last line names in a
comment `# exit status 3`. Comments on lines of their own say more:

    <!-- not run: REASON -->      the fence that follows is not run
    <!-- file: NAME -->           the fence that follows is what the reader writes to that file
    <!-- output: example -->      up to `<!-- end of output -->` there is the output of the block before
    <!-- output: example | F -->  as the shell command F filters it
    <!-- output: COMMAND -->      the output of a command that the page does not show
    <!-- console: COMMAND -->     the same, with the command
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from markdown_it import MarkdownIt
from markdown_it.token import Token

RUN = {"sh", "python"}
CONTENTS = {"", "c", "cmake", "cpp", "text", "yaml"}  # of fences that hold no commands: files, or what was printed
COMMANDS = ("$ ", "hypermon ", "scripts/", "python ")  # how such a one would begin that does
END = "end of output"
STATUS = "# exit status "


class PageError(Exception):
    """What is wrong on a page, and in which line."""

    def __init__(self, line: int, message: str) -> None:
        super().__init__(f"{line}: {message}")


@dataclass(frozen=True)
class Run:
    """Something to run; `language` is of RUN."""

    line: int
    language: str
    code: str

    @property
    def status(self) -> int:
        """With which it has to end."""
        _, comment, number = self.code.rstrip().splitlines()[-1].rpartition(STATUS)
        return int(number) if self.language == "sh" and comment and number.isdigit() else 0


@dataclass(frozen=True)
class Output:
    """Shows, in the lines from `first` on and before `end` (counted from 0), the output of what was run last."""

    line: int
    first: int
    end: int
    command: str = ""  # is shown above it; empty: none is
    through: str = ""  # a filter; empty: none


@dataclass(frozen=True)
class File:
    """What the reader writes to a file."""

    line: int
    name: str
    text: str


@dataclass(frozen=True)
class NotRun:
    """What is not run, and why."""

    line: int
    reason: str
    code: str


Step = Run | Output | File | NotRun


def steps(page: str) -> list[Step]:
    """Of the text of a page. Raises PageError: a block that nobody knows how to run, or a marker of nothing."""
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
    """None: it holds no commands."""
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
