"""YAML whose every value knows its file and line, so that every complaint can name them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from hypermon.errors import UserError, suggestion
from hypermon.files import Where


@dataclass(frozen=True)
class Item:
    """A scalar (`str`, `int`, `float`, `bool`, None), a list of Items or a mapping of text to Items."""

    value: Any
    file: str
    line: int
    folder: Path = Path()  # of the file

    @property
    def where(self) -> str:
        return Where(f"{self.file}, line {self.line}", self.folder)

    def mapping(self, what: str, keys: Iterable[str] | None = None) -> dict[str, Item]:
        """The mapping, with no keys but `keys`."""
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
        """{ecb: {window_ns: 800}} and {ecb.window_ns: 800} alike as {"ecb.window_ns": Item(800)}."""
        found: dict[str, Item] = {}
        for key, item in self.mapping(what).items():
            path = f"{prefix}{key}"
            inner = item.leaves(what, path + ".") if isinstance(item.value, dict) else {path: item}
            for name, leaf in inner.items():
                if name in found:
                    raise UserError(f"{name}: given twice, first on line {found[name].line}", leaf.where)
                found[name] = leaf
        return found


def read(path: Path, shown: str | None = None) -> Item:
    """The file's only document; `shown` is the name that messages use for the file."""
    name = shown or str(path)
    try:
        text = path.read_text(encoding="utf-8")
        loader = yaml.SafeLoader(text)
        root = loader.get_single_node()
        if root is None:
            raise UserError("is empty", f"{name}, line 1")
        return _convert(root, loader, name, path.parent.absolute())
    except OSError as error:
        raise UserError(f"{name}: cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise UserError(f"{name}: is not UTF-8 text") from None
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = mark.line + 1 if mark else 1
        raise UserError(f"broken YAML: {error.problem or error.context}", f"{name}, line {line}") from None
    except yaml.YAMLError as error:
        raise UserError(f"broken YAML: {str(error).splitlines()[0]}", f"{name}, line 1") from None
    except RecursionError:
        raise UserError("broken YAML: an alias refers to itself", f"{name}, line 1") from None


def _convert(node: yaml.Node, loader: yaml.SafeLoader, file: str, folder: Path) -> Item:
    line = node.start_mark.line + 1
    if isinstance(node, yaml.MappingNode):
        entries: dict[str, Item] = {}
        for key, value in node.value:
            name = str(key.value) if isinstance(key, yaml.ScalarNode) else ""
            where = f"{file}, line {key.start_mark.line + 1}"
            if not name or name == "<<":
                raise UserError("broken YAML: a key must be a word", where)
            if name in entries:
                raise UserError(f"{name}: given twice, first on line {entries[name].line}", where)
            entries[name] = _convert(value, loader, file, folder)
        return Item(entries, file, line, folder)
    if isinstance(node, yaml.SequenceNode):
        return Item([_convert(entry, loader, file, folder) for entry in node.value], file, line, folder)
    value = loader.construct_object(node)
    if not isinstance(value, str | int | float | bool | None) or (isinstance(value, int | float) and ":" in node.value):
        value = node.value  # dates, 1:30:10 (to YAML, a number of base 60) and the like stay the text they were
    return Item(value, file, line, folder)


def _kind(value: object) -> str:
    if isinstance(value, dict):
        return "a mapping"
    if isinstance(value, list):
        return "a list"
    return "nothing" if value is None else f"`{value}`"
