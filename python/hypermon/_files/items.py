# SPDX-License-Identifier: BSD-3-Clause
"""Values that know their file and line, for error messages."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from hypermon._files.files import Where
from hypermon.errors import UserError, cut, suggestion


@dataclass(frozen=True)
class Item:
    """A scalar (`str`, `int`, `float`, `bool`, None), a list of Items or a mapping of text to Items."""

    value: Any
    file: str
    line: int  # 0: the file as a whole
    folder: Path = Path()  # folder of the file
    written: str = field(default="", compare=False)  # a scalar's text in the file

    @property
    def where(self) -> str:
        return Where(f"{self.file}, line {self.line}" if self.line else self.file, self.folder)

    def mapping(self, what: str, keys: Iterable[str] | None = None) -> dict[str, Item]:
        """Returns the mapping. Raises a UserError if it has other keys than `keys`."""
        if not isinstance(self.value, dict):
            raise UserError(f"{what}: must be a mapping (`key: value`), not {_kind(self.value)}", self.where)
        if keys is not None:
            valid = list(keys)
            for key, item in self.value.items():
                if key not in valid:
                    hint = suggestion(key, valid) or f"; there are {', '.join(valid)}"
                    raise UserError(f"{what}: no key `{key}`{hint}", item.where)
        return self.value

    def items(self, what: str) -> list[Item]:
        if not isinstance(self.value, list):
            raise UserError(f"{what}: must be a list, not {_kind(self.value)}", self.where)
        return self.value

    def text(self, what: str) -> str:
        if not isinstance(self.value, str) or not self.value.strip():
            raise UserError(f"{what}: must be text, not {_kind(self.value)}", self.where)
        return self.value.strip()

    def leaves(self, what: str, prefix: str = "") -> dict[str, Item]:
        """Flattens a mapping: {node: {tick_ms: 50}} and {node.tick_ms: 50} become {"node.tick_ms": Item(50)}."""
        found: dict[str, Item] = {}
        for key, item in self.mapping(what).items():
            path = f"{prefix}{key}"
            inner = item.leaves(what, path + ".") if isinstance(item.value, dict) else {path: item}
            for name, leaf in inner.items():
                if name in found:
                    raise UserError(f"{name}: given twice, first on line {found[name].line}", leaf.where)
                found[name] = leaf
        return found


def _kind(value: object) -> str:
    if isinstance(value, dict):
        return "a mapping"
    if isinstance(value, list):
        return "a list"
    return "nothing" if value is None else f"`{cut(value)}`"
