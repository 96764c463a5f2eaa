# SPDX-License-Identifier: BSD-3-Clause
"""S-expressions, as Supermon's processes write them (sw/monitors/supermon/core/sexpr.hpp has the grammar).

An atom is represented by a `str`, a list by a `list`. Bytes that are no UTF-8 become lone surrogates
(`surrogateescape`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TypeAlias

from hypermon.errors import UserError

Sexpr: TypeAlias = "str | list[Sexpr]"
DEEPEST = 256
"""Deepest nesting of lists."""
_BARE = re.compile(rb"[!#-'*-:<-\[\]-~]+")
_QUOTED = re.compile(rb'"((?:[^\x00-\x1f"\\\x7f]|\\(?:["\\ntr]|x[0-9a-f]{2}))*)"')
_ESCAPE = re.compile(rb'\\(["\\ntr]|x[0-9a-f]{2})')
_BLANKS = re.compile(rb"[ \t\n\r]*")
_PLAIN = {b'"': b'"', b"\\": b"\\", b"n": b"\n", b"t": b"\t", b"r": b"\r"}
_ESCAPED = {value: b"\\" + key for key, value in _PLAIN.items()}


class SexprError(UserError):
    """The text is no s-expression. The message names the byte, counted from 0."""


def parse(text: bytes, where: str = "") -> Sexpr:
    """Parses a text that consists of one expression. Error messages begin with `where`."""

    def refuse(at: int, why: str) -> SexprError:
        return SexprError(f"{where + ': ' if where else ''}malformed s-expression at byte {at}: {why}")

    def blanks(at: int) -> int:
        found = _BLANKS.match(text, at)
        assert found is not None
        return found.end()

    whole: list[Sexpr] = []
    open_: list[tuple[int, list[Sexpr]]] = []
    at = blanks(0)
    while not whole:
        elements = open_[-1][1] if open_ else whole
        if at == len(text):
            raise (
                refuse(open_[-1][0], "the list that begins here does not end")
                if open_
                else refuse(at, "there is no expression")
            )
        if text[at] == ord("("):
            if len(open_) == DEEPEST:
                raise refuse(at, "lists are nested too deep")
            open_.append((at, []))
            at = blanks(at + 1)
            continue
        if text[at] == ord(")") and open_:
            _, done = open_.pop()
            (open_[-1][1] if open_ else whole).append(done)
            at = blanks(at + 1)
            continue
        found = _BARE.match(text, at) or _QUOTED.match(text, at)
        if found is None:
            raise refuse(at, "no atom begins here, or it does not end")
        at = found.end()
        if at < len(text) and text[at] not in b"() \t\n\r":
            raise refuse(at, "an atom that ends here must be followed by a blank or a parenthesis")
        elements.append(_characters(found))
        at = blanks(at)
    if at < len(text):
        raise refuse(at, "more behind the expression")
    return whole[0]


def _characters(found: re.Match[bytes]) -> str:
    if found.re is _BARE:
        return found[0].decode()

    def plain(escape: re.Match[bytes]) -> bytes:
        return _PLAIN[escape[1]] if escape[1] in _PLAIN else bytes([int(escape[1][1:], 16)])

    return _ESCAPE.sub(plain, found[1]).decode(errors="surrogateescape")


def write(expression: Sexpr) -> bytes:
    """Returns the canonical form: unquoted atoms where possible, one space between two expressions."""
    if not isinstance(expression, str):
        return b"(" + b" ".join(write(element) for element in expression) + b")"
    characters = expression.encode(errors="surrogateescape")
    if _BARE.fullmatch(characters):
        return characters
    return b'"' + b"".join(_quoted(bytes([byte])) for byte in characters) + b'"'


def _quoted(byte: bytes) -> bytes:
    if byte in _ESCAPED:
        return _ESCAPED[byte]
    return b"\\x%02x" % byte[0] if byte < b" " or byte == b"\x7f" else byte


def read(path: Path) -> Iterator[Sexpr]:
    """Yields the expressions of a file with one per line. Raises a UserError with file and line for other lines."""
    try:
        lines = path.read_bytes().splitlines()
    except OSError as error:
        raise UserError(f"{path}: cannot be read: {error.strerror}") from None
    for number, line in enumerate(lines, 1):
        yield parse(line, f"{path}, line {number}")
