# SPDX-License-Identifier: BSD-3-Clause
"""Platforms: descriptions of machines, each in a YAML file or a SimGrid XML file. See docs/how-to/own-machine.md."""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from hypermon._files import files, places, yamlfile
from hypermon._files.files import Where, path_of
from hypermon._files.items import Item
from hypermon._model import monitors, worker
from hypermon._model.schema import common_path
from hypermon.errors import UserError, cut, suggestion

if TYPE_CHECKING:
    from hypermon._inputs.simgrid_xml.reading import Rewritten

KEYS = ("description", "source", "set")
# Sections of parameters that describe the machine. Those of monitors' hardware are added; those of the program, of
# monitoring and of faults do not belong to a machine.
SECTIONS = (
    "nodes",
    "machine",
    "smpi",
    "node",
    "network",
    "host",
    "lan",
    "tcp",
    "server",
    "disk",
    "packets",
    "pfs",
    "pfs_cache",
    "pfs_disk",
    "pio_cpu",
    "nfs",
    "mpiio",
    "os",
    "cpu",
    "memory",
)
WRITTEN = "platform"  # folder in the run directory while the worker runs
_known: dict[tuple[str, str], Rewritten] = {}


class Platform(NamedTuple):
    """The parameters of a machine. They are checked when a scenario is resolved on it."""

    name: str
    description: str
    sources: tuple[str, ...]
    settings: Mapping[str, Item]


def names() -> list[str]:
    return sorted(file.stem for file in places.machines().glob("*.yaml"))


def find(name: str | os.PathLike[str], where: str) -> Platform:
    """Returns the platform of that name, or of a YAML or XML file. `where`: the place to which a path is relative.

    Raises a UserError if there is no such platform or file, or if the file sets parameters that are not the machine's.
    """
    text = os.fspath(name)
    file = _folder(where) / Path(text).expanduser()
    if file.suffix in {".yaml", ".yml", ".xml"}:
        if not file.is_file():
            raise UserError(f"platform: {text}: no such file", where)
        return _xml(file, where) if file.suffix == ".xml" else read(file, file.stem, text)
    known = names()
    if text not in known:
        hint = suggestion(text, known) or f"; there are {', '.join(known)}, or name a .yaml or .xml file"
        raise UserError(f"platform: {text}: no such platform{hint}", where)
    return read(places.machines() / f"{text}.yaml", text, f"platforms/machines/{text}.yaml")


def refuse_on_recording(name: str | os.PathLike[str] | None) -> None:
    if name is not None:
        raise UserError(f"platform: {os.fspath(name)}: goes with a scenario; a recording was made on its own machine")


def read(file: Path, name: str, shown: str) -> Platform:
    document = yamlfile.read(file, shown)
    top = document.mapping("platform", KEYS)
    for key in KEYS:
        if key not in top:
            raise UserError(f"platform: `{key}` is missing", document.where)
    settings = top["set"].leaves("set")
    for path, item in settings.items():
        if common_path(path).split(".")[0] not in (sections := _sections()):
            raise UserError(
                f"{path}: is not a parameter of the machine; a platform sets {', '.join(sections)}", item.where
            )
    source = top["source"]
    several = source.value if isinstance(source.value, list) else [source]
    return Platform(
        name,
        " ".join(top["description"].text("description").split()),
        tuple(" ".join(item.text("source").split()) for item in several),
        settings,
    )


def _sections() -> tuple[str, ...]:
    return *SECTIONS, *(section for one in monitors.registered().values() for section in one.hardware)


def check_file(machine_xml: str) -> None:
    """Raises a UserError, with the line, if the platform file in machine.xml is not suitable for SimGrid."""
    _for_simgrid(machine_xml, worker.schema().versions["simgrid"])


@contextlib.contextmanager
def written(values: Mapping[str, object], folder: Path) -> Iterator[Path | None]:
    """Writes a checked copy of the machine's SimGrid platform file into `folder` for one run. None: it has no file."""
    if values.get("machine.topology") != "xml":
        yield None
        return
    found = _for_simgrid(str(values["machine.xml"]), worker.schema().versions["simgrid"])
    place = folder / WRITTEN
    with files.naming(place):
        place.mkdir()
        for number, text in enumerate(found.files):
            (place / str(number)).write_text(text, encoding="utf-8")
        (place / "platform.xml").write_text(found.text_in(place.absolute()), encoding="utf-8")
    try:
        yield place / "platform.xml"
    finally:
        shutil.rmtree(place, ignore_errors=True)


def _for_simgrid(machine_xml: str, simgrid: str) -> Rewritten:
    """Returns the checked platform file. It is cached unless it refers to other files, which may change."""
    from hypermon._inputs.simgrid_xml import reading  # imported here, because runs on other machines do not need it

    key = (machine_xml, simgrid)
    if key in _known:
        return _known[key]
    file = path_of(machine_xml)
    if file is None:
        raise UserError(f"machine.xml = {cut(machine_xml)}: must be the path of a SimGrid platform file")
    content = files.content(file, machine_xml)
    found = reading.rewritten(content, file, simgrid)
    if not found.files:
        _known[key] = found
    return found


def _xml(file: Path, where: str) -> Platform:
    """Returns a platform with the network and hosts of a SimGrid file, which uses SimGrid's message model."""
    values = {"machine.topology": "xml", "machine.xml": str(file.absolute()), "machine.messages": "smpi"}
    settings = {path: Item(value, str(file), 0, _folder(where)) for path, value in values.items()}
    return Platform(file.stem, f"SimGrid platform {file.name}", (str(file),), settings)


def _folder(where: str) -> Path:
    return where.folder if isinstance(where, Where) else Path()
