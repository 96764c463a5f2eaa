# SPDX-License-Identifier: BSD-3-Clause
"""Parameters that consist of NAME=value words, such as environment variables. Each word can be set and varied alone.

`program.environment` holds all of them as one text. `program.environment.NAME` is a single one, which overrides the
text.
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
    """Splits the path of a single variable into parameter and name. None: it is another path."""
    # The prefix is compared first, because hardly any path of a specification is one of a variable.
    return _ONE.fullmatch(path) if path.startswith(PREFIX) else None


def whole(parameter: str, raw: object, where: str) -> str:
    """Returns the words, quoted as for a shell and sorted by name. The last of several words with a name counts."""
    if not isinstance(raw, str):
        raise UserError(f"{parameter} = {cut(raw)}: must be NAME=value words", where)
    return _joined(_read(parameter, raw, where))


def one(parameter: str, raw: object, where: str) -> str:
    """Checks the value of a single variable."""
    if isinstance(raw, bool) or not isinstance(raw, str | int | float) or "\0" in str(raw):
        raise UserError(f"{parameter} = {cut(raw)}: must be text or a number", where)
    return str(raw)


def folded(values: Mapping[str, int | float | bool | str]) -> dict[str, int | float | bool | str]:
    """Merges single variables into the text of their parameter."""
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
