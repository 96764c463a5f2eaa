# SPDX-License-Identifier: BSD-3-Clause
"""Reads YAML files into Items (hypermon._files.items) with PyYAML, within limits."""

from __future__ import annotations

import contextlib
import functools
import math
import re
from pathlib import Path
from typing import Any

import yaml
from yaml.composer import Composer

from hypermon._files import places
from hypermon._files.files import Where
from hypermon._files.items import Item
from hypermon.errors import UserError, cut

_COLLECTIONS = ("tag:yaml.org,2002:map", "tag:yaml.org,2002:seq")
MOST_BYTES = 10_000_000  # (chosen) largest file
MOST_DEEP = 50  # (chosen) deepest nesting of mappings and lists
LARGEST = 1e300  # (chosen) largest number: Python refuses to print integers of more than 4300 digits
MOST_REPEATED = 100_000  # (chosen) most values repeated by aliases (`*name`): ten lines could expand to a billion
# Characters that are refused, raw or as escapes: control characters and surrogates.
_NO_TEXT = re.compile("[\0-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")


def read(path: Path, shown: str | None = None) -> Item:
    """Reads the file's only document. `shown`: the file's name in messages."""
    name = shown or str(path)
    try:
        if path.stat().st_size > MOST_BYTES:
            raise UserError(f"{name}: is larger than {MOST_BYTES // 10**6} MB: no YAML file of hypermon's is")
        text = path.read_text(encoding="utf-8")
        loader, root = _composed(text, places.comes_with_hypermon(path))
        if root is None:
            raise UserError("is empty", f"{name}, line 1")
        return _Converter(loader, name, path.parent.absolute()).item(root)
    except OSError as error:
        raise UserError(f"{name}: cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise UserError(f"{name}: is not UTF-8 text") from None
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = mark.line + 1 if mark else 1
        raise UserError(f"broken YAML: {error.problem or error.context}", f"{name}, line {line}") from None
    except yaml.YAMLError as error:
        if (position := getattr(error, "position", None)) is not None:  # the error is about a refused character
            line = text.count("\n", 0, position) + 1
            raise UserError(f"broken YAML: {_no_control(text[position])}", f"{name}, line {line}") from None
        raise UserError(f"broken YAML: {str(error).splitlines()[0]}", f"{name}, line 1") from None
    except (ValueError, OverflowError) as error:  # from the conversion of a value
        raise UserError(f"broken YAML: {error}", f"{name}, line {loader.line + 1}") from None


def _no_control(character: str) -> str:
    return f"must have no control character, such as {character!a}"


@functools.lru_cache(maxsize=128)
def _composed(text: str, ours: bool) -> tuple[Any, yaml.Node | None]:
    """Returns the loader and the nodes of a text. They are cached, since a study reads the same files for each run.

    `ours`: whether the file comes with hypermon. Such files are parsed by libyaml, if PyYAML was built with it, in a
    tenth of the time. libyaml accepts some texts that PyYAML refuses, and differs in line numbers where a value is
    missing. Users' files are therefore parsed by PyYAML.
    """
    if ours and _Quick is not None:
        with contextlib.suppress(yaml.YAMLError, ValueError, OverflowError):  # PyYAML will report the error below
            quick = _Quick(text)
            return quick, quick.get_single_node()
    loader = _Loader(text)
    try:
        return loader, loader.get_single_node()
    except (ValueError, OverflowError) as error:  # for escapes beyond Unicode and long versions
        raise yaml.MarkedYAMLError(problem=str(error), problem_mark=loader.get_mark()) from None


class _Limited(Composer):
    """Refuses deep nesting, at which PyYAML's recursion would exhaust the stack."""

    deep = 0

    def compose_node(self, parent: yaml.Node | None, index: Any) -> yaml.Node | None:
        self.deep += 1
        if self.deep > MOST_DEEP:
            mark = self.peek_event().start_mark  # type: ignore[attr-defined]
            raise yaml.MarkedYAMLError(problem=f"nested more than {MOST_DEEP} deep", problem_mark=mark)
        node = super().compose_node(parent, index)
        self.deep -= 1
        return node


class _Loader(_Limited, yaml.SafeLoader):
    """Loader in pure Python."""


_Quick: Any = None
if yaml.__with_libyaml__:

    class _ByLibyaml(_Limited, yaml.CSafeLoader):
        """Loader that makes the nodes with libyaml."""

        line = 0  # libyaml does not report its position

        def __init__(self, text: str) -> None:
            yaml.CSafeLoader.__init__(self, text)
            Composer.__init__(self)

    _Quick = _ByLibyaml


class _Converter:
    """Converts PyYAML's nodes to Items. An alias refers to the same node, which is converted again, within a limit."""

    def __init__(self, loader: Any, file: str, folder: Path) -> None:
        self._loader = loader
        self._file = file
        self._folder = folder
        self._seen: set[int] = set()
        self._within: set[int] = set()
        self._repeated = 0

    def item(self, node: yaml.Node) -> Item:
        self._count(node)
        if isinstance(node, yaml.ScalarNode):
            return self._made(self._scalar(node), node)
        if node.tag not in _COLLECTIONS:
            raise UserError(f"broken YAML: {cut(ascii(node.tag)[1:-1])}: must have no tag", self._where(node))
        self._within.add(id(node))
        value = self._entries(node) if isinstance(node, yaml.MappingNode) else [self.item(one) for one in node.value]
        self._within.remove(id(node))
        return self._made(value, node)

    def _made(self, value: Any, node: yaml.Node) -> Item:
        written = str(node.value) if isinstance(node, yaml.ScalarNode) else ""
        return Item(value, self._file, node.start_mark.line + 1, self._folder, written)

    def _count(self, node: yaml.Node) -> None:
        if id(node) in self._within:
            raise UserError("broken YAML: an alias refers to itself", self._where(node))
        self._repeated += id(node) in self._seen
        self._seen.add(id(node))
        if self._repeated > MOST_REPEATED:
            raise UserError(f"broken YAML: its aliases repeat more than {MOST_REPEATED} values", self._where(node))

    def _entries(self, node: yaml.MappingNode) -> dict[str, Item]:
        entries: dict[str, Item] = {}
        for key, value in node.value:
            name = str(key.value) if isinstance(key, yaml.ScalarNode) else ""
            self._refuse_control(name, key)
            if not name or name == "<<":
                raise UserError("broken YAML: a key must be a word", self._where(key))
            if name in entries:
                raise UserError(f"{name}: given twice, first on line {entries[name].line}", self._where(key))
            entries[name] = self.item(value)
        return entries

    def _scalar(self, node: yaml.ScalarNode) -> str | int | float | bool | None:
        self._refuse_control(node.value, node)
        if node.tag.endswith(":timestamp"):
            return str(node.value)  # as text, because PyYAML raises an error for dates that do not exist
        try:
            value = self._loader.construct_object(node)
        except (ValueError, LookupError, AttributeError, TypeError):
            kind = node.tag.rpartition(":")[2]
            raise UserError(f"broken YAML: {cut(node.value)}: is not of type {kind}", self._where(node)) from None
        # Numbers that YAML reads differently, such as 1:30:10 (base 60), stay texts.
        numeric = isinstance(value, int | float) and not isinstance(value, bool)
        if numeric and LARGEST < abs(value) < math.inf:
            raise UserError(f"broken YAML: {cut(node.value)}: is beyond {LARGEST:g}", self._where(node))
        if not isinstance(value, str | int | float | bool | None) or (numeric and ":" in node.value):
            return str(node.value)
        return value

    def _refuse_control(self, text: str, node: yaml.Node) -> None:
        if found := _NO_TEXT.search(text):
            raise UserError(f"broken YAML: {cut(ascii(text))}: {_no_control(found[0])}", self._where(node))

    def _where(self, node: yaml.Node) -> str:
        return Where(f"{self._file}, line {node.start_mark.line + 1}", self._folder)
