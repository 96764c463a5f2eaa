# SPDX-License-Identifier: BSD-3-Clause
"""Reads a SimGrid platform file, checks it completely, and writes a safe copy.

SimGrid reads only this copy, because its own parser accepts malformed XML, and its options can make it write files and
load code. Elements keep their lines, so SimGrid's messages refer to the lines of the user's file.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple
from xml.parsers import expat
from xml.sax.saxutils import escape

from hypermon._files import files
from hypermon._inputs.simgrid_xml import clusters, values
from hypermon._inputs.simgrid_xml.elements import ELEMENTS, FILES, OPTIONS, REASONS
from hypermon._inputs.simgrid_xml.routes import Routes
from hypermon.errors import UserError, cut, suggestion

HEAD = '<?xml version="1.0"?><!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">'
FOLDER = "\x1a"  # placeholder that occurs in no value
MOST_OTHER = 10_000_000  # (chosen) largest size of a referenced file, bytes
MOST_DEEP = 50  # (chosen) deepest nesting of elements: SimGrid processes zones recursively
MOST_OPEN = 500_000  # (chosen) largest size of all open elements, bytes: SimGrid's parser has a buffer of 10^6
_CONTROL = re.compile("[\0-\x1f\x7f-\x9f]")  # refused in attributes; text may have line breaks and tabs
_CONTROL_IN_TEXT = re.compile("[\0-\x08\x0b-\x1f\x7f-\x9f]")
_COMMENT = re.compile(rb"<!--.*?-->", re.DOTALL)
# Expat silently drops entities if the document type is external, as SimGrid's is.
_OTHER_ENTITY = re.compile(rb"&(?!(?:amp|lt|gt|quot|apos|#[0-9]+|#x[0-9a-fA-F]+);)")
_QUOTES = {'"': "&quot;", "'": "&apos;"}
_NODES = ("host", "router", "peer", "zone", "AS", "cluster")  # elements that share one name space in SimGrid
_ROUTES = ("route", "zoneRoute", "ASroute")
_KIND = "host, router or zone"


class Rewritten(NamedTuple):
    """A platform file for SimGrid. FOLDER in its text is a placeholder for its folder."""

    text: str
    files: tuple[str, ...]
    """The texts of the files that it names as FOLDER/0, FOLDER/1 and so on."""

    def text_in(self, folder: Path) -> str:
        """Returns the text for a folder. File names are relative to this process's folder, where SimGrid runs."""
        return self.text.replace(FOLDER, _escaped(os.path.relpath(folder)))


def rewritten(content: bytes, file: Path, simgrid: str) -> Rewritten:
    """Returns the safe copy of a platform file for this version of SimGrid.

    Raises a UserError, with the line, if it is no platform file or has parts that are not allowed.
    """
    return _Checked(file, simgrid).read(content)


class _Open(NamedTuple):
    """An open element."""

    element: str
    attributes: Mapping[str, str]
    line: int
    size: int
    routes: Routes | None


class _Checked:
    def __init__(self, file: Path, simgrid: str) -> None:
        self._file = file
        self._simgrid = simgrid
        self._written = [HEAD]
        self._lines = 1  # lines written so far
        self._is_begun = False  # whether a start tag is not closed yet
        self._open: list[_Open] = []
        self._text: list[str] = []
        self._names: dict[str, int] = {}  # the line of each name
        self._links: dict[str, int] = {}
        self._directed: set[str] = set()  # links that consist of two, one for each direction
        self._made: list[str] = []  # prefixes of the names of links that SimGrid makes
        self._outermost = 0
        self._others: list[str] = []  # texts of the referenced files
        self._hosts = 0
        self._parser = expat.ParserCreate()
        self._parser.StartDoctypeDeclHandler = self._doctype
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.CharacterDataHandler = self._characters

    def read(self, content: bytes) -> Rewritten:
        entity = self._entity(content)
        try:
            self._parser.Parse(content, True)
        except expat.ExpatError as error:
            raise self._refused(f"is not XML: {expat.ErrorString(error.code)}", error.lineno) from None
        except (LookupError, ValueError) as error:  # an unknown encoding
            raise self._refused(f"is not XML: {error}") from None
        except UserError as error:
            raise entity or error from None
        if entity is not None:
            raise entity
        if not self._hosts:
            raise self._refused("must be a SimGrid platform: it has no hosts", 1)
        return Rewritten("".join(self._written) + "\n", tuple(self._others))

    def _entity(self, content: bytes) -> UserError | None:
        """Returns an error if the file uses its own entities, which expat drops silently."""
        plain = _COMMENT.sub(lambda comment: b"\n" * comment[0].count(b"\n"), content)
        found = _OTHER_ENTITY.search(plain)
        if found is None:
            return None
        name = plain[found.start() : found.start() + 20].decode("ascii", "replace").split(";")[0]
        return self._refused(f"{_shown(name)}: must name no entity", plain.count(b"\n", 0, found.start()) + 1)

    def _refused(self, what: str, line: int | None = None) -> UserError:
        where = f"{self._file}, line {self._parser.CurrentLineNumber if line is None else line}"
        return UserError(f"machine.xml = {self._file}: {what}", where)

    def _doctype(self, _name: str, _system: str | None, _public: str | None, internal: bool) -> None:
        if internal:
            raise self._refused("<!DOCTYPE>: must declare nothing of its own: remove what is in brackets")

    def _start(self, element: str, attributes: dict[str, str]) -> None:
        within = self._open[-1].element if self._open else ""
        if not within and element != "platform":
            raise self._refused(f"<{cut(element)}>: must be a SimGrid platform, whose first element is <platform>")
        self._check(element, attributes, within)
        self._declare(element, attributes)
        attributes = self._with_copies(element, attributes, within)
        routes = Routes() if attributes.get("routing", "").casefold().startswith("dijkstra") else None
        size = sum(len(value.encode()) + 1 for value in attributes.values())
        self._open.append(_Open(element, attributes, self._parser.CurrentLineNumber, size, routes))
        if len(self._open) > MOST_DEEP or sum(one.size for one in self._open) > MOST_OPEN:
            raise self._refused(f"<{element}>: is nested too deep, or its attributes are too long")
        self._write(f"<{element}" + "".join(f' {key}="{_escaped(value)}"' for key, value in attributes.items()))
        self._is_begun = True
        self._text = []

    def _characters(self, text: str) -> None:
        if _CONTROL_IN_TEXT.search(text):
            raise self._refused(f"must have no control character: {cut(ascii(text.strip()))}")
        self._text.append(text)

    def _end(self, element: str) -> None:
        text = "".join(self._text)
        if element == "trace" and (text.strip() or "file" not in self._open[-1].attributes):
            if wrong := values.profile(text, above_zero=True):
                line = self._open[-1].line + wrong.line - 1
                raise self._refused(f"<trace>: {wrong.what}", line)
            if len(text) > MOST_OPEN:
                raise self._refused("<trace>: is too long")
            self._written.append(">" + _escaped(text))
            self._lines += text.count("\n")
            self._is_begun = False
        elif text.strip():
            raise self._refused(f"<{element}>: must have no text: {cut(text.strip())}")
        self._text = []
        routes = self._open.pop().routes
        if routes is not None and (ends := routes.unconnected()):
            raise self._refused(f"<{element}>: has no route from {_shown(ends[0])} to {_shown(ends[1])}: add <route>s")
        if self._is_begun:
            self._written.append("/>")
            self._is_begun = False
        else:
            self._write(f"</{element}>")

    def _write(self, tag: str) -> None:
        """Writes a tag on the same line as in the user's file, or on the current one if that is later."""
        newlines = max(self._parser.CurrentLineNumber - self._lines, 0)
        self._written.append((">" if self._is_begun else "") + "\n" * newlines + tag)
        self._lines += newlines

    def _check(self, element: str, attributes: Mapping[str, str], within: str) -> None:
        known = ELEMENTS.get(element)
        if known is None:
            why = REASONS.get((element, "")) or f"is not an element that may be there{suggestion(element, ELEMENTS)}"
            raise self._refused(f"<{cut(element)}>: {why}")
        checks = {**known.required, **known.optional}
        for attribute, value in attributes.items():
            if reason := REASONS.get((element, attribute)) or REASONS.get((element, f"{attribute}={value}")):
                raise self._refused(f"<{element}>: {attribute} = {_shown(value)}: {reason}")
            if attribute not in checks:
                raise self._refused(f"<{element}>: {cut(attribute)}: no such attribute{suggestion(attribute, checks)}")
        for attribute, value in attributes.items():
            wrong = "must have no control character" if _CONTROL.search(value) else checks[attribute](value)
            if wrong:
                raise self._refused(f"<{element}>: {attribute} = {_shown(value)}: {wrong}")
        for attribute in known.required:
            if attribute not in attributes:
                raise self._refused(f"<{element}>: {attribute} is missing")
        if element in ("host", "router") and "coordinates" not in attributes and self._is_in_vivaldi():
            raise self._refused(f'<{element}>: coordinates is missing: its zone has routing="Vivaldi"')
        if element == "prop":
            self._check_property(attributes["id"], attributes["value"], within)
        elif element == "host" and int(float(attributes.get("pstate", "0"))) > attributes["speed"].count(","):
            raise self._refused(
                f"<host>: pstate = {attributes['pstate']}: must be the number of one of its speeds, from 0 on"
            )
        elif element == "link_ctn":
            self._check_link(attributes["id"], attributes.get("direction", "NONE"))
        elif element == "host_link":
            for end in ("up", "down"):
                self._check_link(attributes[end], "NONE")
        elif element == "cluster" and (
            wrong := clusters.find_obstacle(attributes, within == "platform", self._simgrid)
        ):
            raise self._refused(f"<cluster>: {wrong}")

    def _is_in_vivaldi(self) -> bool:
        return bool(self._open) and self._open[-1].attributes.get("routing", "").casefold() == "vivaldi"

    def _check_property(self, key: str, value: str, within: str) -> None:
        if within != "config":
            return
        if key not in OPTIONS:
            hint = (
                suggestion(key, OPTIONS) or "; only options of SimGrid that change times may, such as network/TCP-gamma"
            )
            raise self._refused(f"{_shown(key)}: may not be set there{hint}")
        if wrong := OPTIONS[key](value):
            raise self._refused(f"{key} = {_shown(value)}: {wrong}")

    def _with_copies(self, element: str, attributes: dict[str, str], within: str) -> dict[str, str]:
        """Replaces the names of referenced files by those of their copies."""
        copied = dict(attributes)
        for attribute, value in attributes.items():
            key = (element, attribute)
            if element == "prop":
                key = (within, f"prop {attributes['id']}") if attribute == "value" else ("", "")
            if value and key in FILES:
                self._others.append(self._other(f"<{element}>: {attribute} = {_shown(value)}", value, FILES[key]))
                copied[attribute] = f"{FOLDER}/{len(self._others) - 1}"
        return copied

    def _other(self, place: str, name: str, check: Callable[[str], values.Wrong | None]) -> str:
        """Reads and checks a referenced file. Its path is relative to the platform file's folder."""
        file = self._file.parent / name
        try:
            if files.regular(file).stat().st_size > MOST_OTHER:
                raise self._refused(f"{place}: must be a file of at most {MOST_OTHER} bytes")
            text = file.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            raise self._refused(f"{place}: is not UTF-8 text") from None
        except OSError as error:
            raise self._refused(f"{place}: cannot be read: {error.strerror}") from None
        wrong = check(text)
        if found := _CONTROL_IN_TEXT.search(text):
            wrong = values.Wrong(text.count("\n", 0, found.start()) + 1, "must have no control character")
        if wrong is not None:
            raise UserError(f"machine.xml = {self._file}: {place}: {wrong.what}", f"{file}, line {wrong.line}")
        return text

    def _check_link(self, name: str, direction: str) -> None:
        if name.startswith(tuple(self._made)):
            return
        split = name.removesuffix("_UP").removesuffix("_DOWN")
        if name not in self._links and split not in self._directed:
            raise self._refused(
                f"{_shown(name)}: there is no such link before this line{suggestion(name, self._links)}"
            )
        if name in self._directed and direction == "NONE":
            raise self._refused(f"{_shown(name)}: is a SPLITDUPLEX link: direction must be UP or DOWN")
        if name not in self._directed and direction != "NONE":
            raise self._refused(f"{_shown(name)}: is no SPLITDUPLEX link: must have no direction")

    def _declare(self, element: str, attributes: Mapping[str, str]) -> None:
        routes = self._open[-1].routes if self._open else None
        if element in _NODES:
            self._once(self._names, attributes["id"], _KIND)
            if routes is not None:
                routes.add_member(attributes["id"], is_end=element != "router")
        if element in ("link", "backbone"):
            self._once(self._links, attributes["id"], "link")
            if attributes.get("sharing_policy") in ("SPLITDUPLEX", "FULLDUPLEX"):
                self._directed.add(attributes["id"])
        if len(self._open) == 1 and element in (*_NODES, "cabinet"):
            self._outermost += 1
            if self._outermost > 1:
                raise self._refused(f"<{element}>: is a second outermost element: put both into one <zone>")
        if element in _ROUTES and routes is not None:
            routes.add(attributes["src"], attributes["dst"], attributes.get("symmetrical", "YES").upper() == "YES")
        self._hosts += element in ("host", "peer")
        if element == "cluster":
            self._made.append(attributes["id"] + "_")
        if element == "cabinet":
            self._made.append("link_")
        for name in clusters.hosts(attributes) if element in ("cluster", "cabinet") else ():
            self._hosts += 1
            self._once(self._names, name, _KIND)

    def _once(self, known: dict[str, int], name: str, kind: str) -> None:
        if name in known:
            raise self._refused(f"{_shown(name)}: is the name of another {kind}, too, on line {known[name]}")
        known[name] = self._parser.CurrentLineNumber
        if len(known) > values.MOST_HOSTS:
            raise self._refused(f"must have at most {values.MOST_HOSTS} hosts and as many links")


def _shown(value: str) -> str:
    return cut(value if value.isprintable() else ascii(value)[1:-1])


def _escaped(text: str) -> str:
    return escape(text, _QUOTES)
