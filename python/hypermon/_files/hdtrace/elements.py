# SPDX-License-Identifier: BSD-3-Clause
"""Incremental XML parser for files of any length. Elements know their lines. DTDs and entities are refused."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import NoReturn
from xml.parsers import expat

from hypermon._files import files
from hypermon._files.hdtrace import times
from hypermon.errors import UserError, cut

CHUNK = 1 << 16
DEEPEST = 64  # (chosen) deepest nesting; HDTrace's library writes at most 10


def refuse(path: Path, line: int, why: str) -> NoReturn:
    """Raises a UserError about a mistake in a line."""
    raise UserError(f"{path}: line {line}: {why}")


@dataclass
class Element:
    """An element with its children."""

    name: str
    attributes: dict[str, str]
    line: int
    children: list[Element] = field(default_factory=list)
    text: str = ""

    def all(self, name: str) -> list[Element]:
        """Returns the children of that name."""
        return [child for child in self.children if child.name == name]

    def first(self, name: str) -> Element | None:
        """Returns the first child of that name. None: there is none."""
        return next((child for child in self.children if child.name == name), None)


@dataclass(frozen=True)
class Parsed:
    """Parses the attributes of a file's elements. Each method raises a UserError if a value is not valid."""

    path: Path

    def get(self, element: Element, name: str) -> str:
        """Returns an attribute, which must exist."""
        found = element.attributes.get(name)
        if found is None:
            refuse(self.path, element.line, f"<{cut(element.name)}> has no {name}")
        return found

    def integer(self, element: Element, name: str, least: int = -(1 << 63), most: int = (1 << 63) - 1) -> int:
        """Returns an integer attribute, which must exist and lie within the range."""
        text = self.get(element, name)
        try:
            value = int(text) if len(text) <= 20 and "_" not in text else None
        except ValueError:
            value = None
        if value is None or not least <= value <= most:
            self.wrong(element, name, f"a whole number from {least} to {most}")
        return value

    def time(self, element: Element, name: str) -> int:
        """Returns a time attribute in ps."""
        value = times.parse(self.get(element, name))
        if value is None:
            self.wrong(element, name, "decimal seconds, like 12.345678")
        return value

    def time_or(self, element: Element, name: str, default: int) -> int:
        """Returns a time attribute in ps, or the default if there is none."""
        return self.time(element, name) if name in element.attributes else default

    def wrong(self, element: Element, name: str, allowed: str) -> NoReturn:
        """Raises a UserError about an attribute's value that is not allowed."""
        message = f"<{cut(element.name)}> has {name} = {cut(element.attributes.get(name, ''))!r}: must be {allowed}"
        refuse(self.path, element.line, message)


class Elements:
    """Yields the complete elements at depth `depth` of a file, in sequence. `root`: the outermost element."""

    def __init__(self, path: Path, depth: int, name: str) -> None:
        self.path = path
        self._open: list[Element] = []
        self._depth = depth
        self._name = name
        self.root: Element | None = None
        self._done: list[Element] = []
        parser = self._parser = expat.ParserCreate()
        parser.buffer_text = True
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._text
        parser.StartDoctypeDeclHandler = self._doctype

    def feed(self, data: bytes, last: bool = False) -> list[Element]:
        """Parses more data. Returns the elements that are now complete."""
        try:
            self._parser.Parse(data, last)
        except expat.ExpatError as error:
            message = expat.errors.messages.get(error.code, "not well-formed")
            if last and error.code in _SHORT:
                message = f"the file ends within <{self._name}>" if self._open else f"must be XML with a <{self._name}>"
            refuse(self.path, error.lineno, message)
        except UnicodeError:
            refuse(self.path, self._parser.CurrentLineNumber, "is not text")
        except (ValueError, LookupError) as error:  # an unknown encoding, or one that is no text encoding
            refuse(self.path, self._parser.CurrentLineNumber, str(error))
        done, self._done = self._done, []
        return done

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        line = self._parser.CurrentLineNumber
        if not self._open and name != self._name:
            refuse(self.path, line, f"begins with <{cut(name)}>: must be <{self._name}>")
        if len(self._open) > DEEPEST:
            refuse(self.path, line, f"elements are more than {DEEPEST} deep")
        self._open.append(Element(name, attributes, line))
        self.root = self.root or self._open[0]

    def _end(self, _name: str) -> None:
        done = self._open.pop()
        depth = len(self._open)
        if depth == self._depth:
            self._done.append(done)
        elif depth > self._depth:
            self._open[-1].children.append(done)

    def _text(self, text: str) -> None:
        if not text.isspace():
            self._open[-1].text += text

    def _doctype(self, *_: object) -> None:
        refuse(self.path, self._parser.CurrentLineNumber, "has a document type: HDTrace's files have none")


_SHORT = {
    expat.errors.codes[error]
    for error in (
        expat.errors.XML_ERROR_NO_ELEMENTS,
        expat.errors.XML_ERROR_UNCLOSED_TOKEN,
        expat.errors.XML_ERROR_PARTIAL_CHAR,
    )
}


def read(path: Path, root: str) -> Element:
    """Reads the whole file and returns its root element."""
    elements = Elements(path, 0, root)
    found: list[Element] = []
    for data, last in _chunks(path):
        found += elements.feed(data, last)
    return found[0]


def stream(path: Path, root: str) -> Iterator[tuple[Element, Element]]:
    """Yields each element below the root, together with the root. It is not added to the root's children."""
    elements = Elements(path, 1, root)
    for data, last in _chunks(path):
        for element in elements.feed(data, last):
            assert elements.root is not None
            yield elements.root, element


def _chunks(path: Path) -> Iterator[tuple[bytes, bool]]:
    try:
        with files.regular(path).open("rb") as file:
            while data := file.read(CHUNK):
                yield data, False
            yield b"", True
    except OSError as error:
        raise UserError(f"{path}: cannot be read: {error.strerror}") from None
