# SPDX-License-Identifier: BSD-3-Clause
"""Parameters that are NAME=value words, as environment variables; each one may be given and varied by itself.

`program.environment` is all of them as one text; `program.environment.NAME` is one, and holds over the text.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping

from hypermon.errors import UserError, cut

PREFIX = "program.environment."
_ONE = re.compile(r"(program\.environment)\.([A-Za-z_][A-Za-z0-9_]*)")
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


def single(path: str) -> re.Match[str] | None:
    """The parameter and the name, of a path of a single one."""
    # Of the hundreds of paths of every specification hardly one is.
    return _ONE.fullmatch(path) if path.startswith(PREFIX) else None


def whole(parameter: str, raw: object, where: str) -> str:
    """The words, quoted as for a shell and in the order of their names, the last of a name."""
    if not isinstance(raw, str):
        raise UserError(f"{parameter} = {cut(raw)}: must be NAME=value words", where)
    return _joined(_read(parameter, raw, where))


def one(parameter: str, raw: object, where: str) -> str:
    """A single value."""
    if isinstance(raw, bool) or not isinstance(raw, str | int | float) or "\0" in str(raw):
        raise UserError(f"{parameter} = {cut(raw)}: must be text or a number", where)
    return str(raw)


def folded(values: Mapping[str, int | float | bool | str]) -> dict[str, int | float | bool | str]:
    """With the single ones in the whole text of their parameter."""
    singles = {path: one for path in values if (one := single(path))}
    found = {path: value for path, value in values.items() if path not in singles}
    for path, one in singles.items():
        parameter = one[1]
        words = {**_read(parameter, str(found[parameter]), ""), one[2]: str(values[path])}
        found[parameter] = _joined(words)
    return found


def _joined(words: Mapping[str, str]) -> str:
    return shlex.join(f"{name}={value}" for name, value in sorted(words.items()))


def _read(parameter: str, text: str, where: str) -> dict[str, str]:
    try:
        words = [word.partition("=") for word in shlex.split(text)]
    except ValueError as error:
        raise UserError(f"{parameter} = {cut(text)}: {error}", where) from None
    for name, equals, _ in words:
        if not equals or not _NAME.fullmatch(name):
            raise UserError(f"{parameter} = {cut(text)}: {cut(name)}{equals} must be NAME=value", where)
    return {name: value for name, _, value in words}
