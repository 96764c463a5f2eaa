# SPDX-License-Identifier: BSD-3-Clause
"""Event catalogues: the events that the nodes emit, with their points, data, codes and costs.

A value of `instrumentation.catalogue` is `nx2`, the name of a catalogue under scenarios/catalogues, or a YAML file. It
is resolved to `nx2` or to the whole catalogue as JSON, so that runs, recordings and frame files are self-contained.
docs/how-to/own-events.md describes the files. Their content is checked in C++ (catalogue_json.hpp).
"""

from __future__ import annotations

import functools
import itertools
import json
import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from hypermon._files import places, yamlfile
from hypermon._files.files import Where, name_as_text
from hypermon._files.items import Item
from hypermon._model.monitors import NOBODY
from hypermon.errors import UserError, suggestion

if TYPE_CHECKING:

    class Resolved(Protocol):
        """The parts of a specification that this module needs."""

        @property
        def values(self) -> Mapping[str, object]: ...


PARAMETER = "instrumentation.catalogue"
BUILT_IN = "nx2"
OF_SMPI = "mpi"
DEPENDS = ("machine.messages", "monitor")
"""Parameters that determine the default catalogue."""
FOLDER = "catalogues"
KEYS = ("name", "events")


class Event(NamedTuple):
    """A row of a catalogue: the event that a point emits."""

    name: str
    point: str
    event_class: str
    code: int
    arguments: Mapping[str, int]
    """The event's data, in order, with the size of each in bytes."""
    cost_us: float
    data_bytes: int
    emitted: str
    source: str
    sizes: Mapping[str, int]
    """Size of the event when it leaves the node, by monitor and unit: `software_bytes`."""

    @property
    def data(self) -> str:
        """The event's data as text: `peer:2 bytes:4`."""
        return " ".join(f"{item}:{size}" for item, size in self.arguments.items())

    def argument(self, item: str) -> str | None:
        """Returns the column (arg0 to arg2) that holds the datum. None: the event does not carry it."""
        names = list(self.arguments)
        return f"arg{names.index(item)}" if item in names else None


def resolve(parameter: str, raw: object, where: str) -> str:
    """Resolves a catalogue to the parameter's value. `raw`: a name, a path, or a value that is already resolved.

    Raises a UserError if there is no such catalogue, or about the mistake in it and its place.
    """
    if not isinstance(raw, str | os.PathLike):
        raise UserError(f"{parameter} = {raw}: must be the name of a catalogue or a YAML file", where)
    text = os.fspath(raw)
    if text == BUILT_IN or text.startswith("{"):
        return _value(text, parameter, where)
    if Path(text).suffix in {".yaml", ".yml"}:
        folder = where.folder if isinstance(where, Where) else Path()
        path = folder / Path(text).expanduser()
        if not path.is_file():
            raise UserError(f"{parameter} = {text}: no such file", where)
        return _of_file(path, text)
    if text not in names():
        hint = suggestion(text, names()) or f"; there are {', '.join(names())}, or name a YAML file"
        raise UserError(f"{parameter} = {text}: no such catalogue{hint}", where)
    return _of_file(places.scenarios() / FOLDER / f"{text}.yaml", f"scenarios/{FOLDER}/{text}.yaml")


def not_given(values: Mapping[str, object]) -> str:
    """Returns the name of the default catalogue of a run with these parameters. It covers the communication.

    Messages of SMPI and of a packet network do not have the steps of NX/2. Without a monitor, no events are needed.
    """
    return OF_SMPI if values.get("machine.messages", "nx2") != "nx2" and values["monitor"] != NOBODY else BUILT_IN


def names() -> list[str]:
    """Returns the names of the catalogues that come with hypermon."""
    return sorted({BUILT_IN, *(file.stem for file in (places.scenarios() / FOLDER).glob("*.yaml"))})


@functools.cache
def events(value: str) -> tuple[Event, ...]:
    """Returns the rows of a catalogue from its resolved value. A row's index is the number of its event type."""
    from hypermon._model.native import _core

    rows = json.loads(_core.describe_catalogue(value))
    named = set(Event._fields)
    return tuple(
        Event(
            event_class=row.pop("class"),
            sizes={name: row.pop(name) for name in [*row] if name not in named},
            **row,
        )
        for row in rows
    )


def size_names(rows: Sequence[Event]) -> list[str]:
    """Returns the column names for `Event.sizes` in a table."""
    return [name.replace("_bytes", " B").replace("_", " ") for name in (rows[0].sizes if rows else ())]


def events_of(spec: Resolved) -> tuple[Event, ...]:
    """Returns the rows of a run's catalogue. A run of an old version, without the parameter, has the built-in one."""
    return events(str(spec.values.get(PARAMETER, BUILT_IN)))


def points() -> dict[str, Any]:
    """Returns the instrumentation points and their data.

    `points` lists the places where events can be emitted (`point`, `class`, `emitted`, `data`). `data` describes each
    datum.
    """
    from hypermon._model.native import _core

    described: dict[str, Any] = json.loads(_core.describe_points())
    return described


def quality(rows: Sequence[Event]) -> str:
    """Returns a sentence about how well the codes of these events can be told from other data."""
    apart = min((((a.code ^ b.code).bit_count()) for a, b in itertools.combinations(rows, 2)), default=8)
    return (
        f"{len(rows)} events: codes differ in at least {apart} bits; a random byte is a code with probability"
        f" {len(rows)}/256"
    )


def name_of(value: str) -> str:
    """Returns a short name of a resolved value."""
    return str(json.loads(value)["name"]) if value.startswith("{") else value


def _of_file(path: Path, shown: str) -> str:
    document = yamlfile.read(path, shown)
    top = document.mapping("catalogue", KEYS)
    name = top["name"].text("name") if "name" in top else name_as_text(path.stem)
    text = json.dumps({"name": name, **{key: _plain(item) for key, item in top.items() if key != "name"}})
    try:
        return _value(text)
    except UserError as error:
        raise UserError(str(error), _place(document, str(error))) from None


def _value(text: str, parameter: str = "", where: str = "") -> str:
    from hypermon._model.native import _core

    try:
        return _core.catalogue_value(text)
    except _core.BadSpecification as error:
        raise UserError(f"{parameter}: {error}" if parameter else str(error), where) from None


def _plain(item: Item) -> Any:
    if isinstance(item.value, dict):
        return {key: _plain(inner) for key, inner in item.value.items()}
    if isinstance(item.value, list):
        return [_plain(inner) for inner in item.value]
    return item.value


def _place(document: Item, complaint: str) -> str:
    """Returns the place in the file of the value with which an error message begins: `events[3].code = 51: ...`."""
    found = document
    for key, number in re.findall(r"(\w+)|\[(\d+)\]", re.split(r"[ :]", complaint, maxsplit=1)[0]):
        inner = found.value.get(key) if key and isinstance(found.value, dict) else None
        if number and isinstance(found.value, list):
            inner = found.value[int(number)]
        if inner is None:
            break
        found = inner
    return found.where
