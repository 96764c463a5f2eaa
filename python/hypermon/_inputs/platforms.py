# SPDX-License-Identifier: BSD-3-Clause
"""Platforms: machines as data. One YAML file each, or a SimGrid XML file; docs/how-to/own-machine.md."""

from __future__ import annotations

import functools
import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from hypermon._files import places, yamlfile
from hypermon._files.files import Where, path_of
from hypermon._files.items import Item
from hypermon._model import monitors, worker
from hypermon._model.schema import common_path
from hypermon.errors import UserError, suggestion

KEYS = ("description", "source", "set")
# The parts of a machine, beside the hardware of monitors; not what runs on it, who watches it and what goes wrong.
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
OPTIONS = ("network/", "smpi/", "cpu/", "host/")  # of SimGrid's: those that a platform's file may set
CRASHES_OUTERMOST = ("TORUS", "FAT_TREE")  # topologies of clusters, SimGrid 4.0
# topo_parameters: groups; chassis of a group; routers of a chassis; nodes of a router, all but the last with links.
DRAGONFLY = re.compile(r"\s*(\d+),[^;]*;[^;]*;\s*(\d+),[^;]*;[^;]*")


class Platform(NamedTuple):
    """A machine's parameters; checked when a scenario is resolved on it."""

    name: str
    description: str
    sources: tuple[str, ...]
    settings: Mapping[str, Item]


def names() -> list[str]:
    return sorted(file.stem for file in places.machines().glob("*.yaml"))


def find(name: str | os.PathLike[str], where: str) -> Platform:
    """The platform of that name, or of a YAML or XML file. A file's path starts where `where` says.

    Raises UserError: no such platform or file, or the file sets what is not the machine's.
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
            raise UserError(f"{path}: is not of the machine; a platform sets {', '.join(sections)}", item.where)
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


def refuse_file(machine_xml: str, where: str) -> None:
    """Refuses a platform file that sets options of SimGrid which write files anywhere, or at which SimGrid crashes."""
    file = path_of(machine_xml)
    if file is None:
        return
    from xml.etree import ElementTree  # which runs on other machines do not wait for

    try:
        found = _read_xml(machine_xml, file)
    except (OSError, ElementTree.ParseError):
        return  # SimGrid says what is wrong with it
    for option in found.options:
        if not option.startswith(OPTIONS):
            raise UserError(
                f"machine.xml = {file}: {option}: may not be set there, only {', '.join(OPTIONS)}...", where
            )
    if found.outermost in CRASHES_OUTERMOST and (simgrid := worker.schema().versions["simgrid"]).startswith("4."):
        raise UserError(
            f"machine.xml = {file}: SimGrid {simgrid} crashes at a cluster of topology {found.outermost} that is in no "
            'zone: put it into one, <zone id="world" routing="Full">...</zone>, which changes no time',
            where,
        )
    for parameters in found.dragonflies:
        sizes = DRAGONFLY.fullmatch(parameters)
        if sizes and int(sizes[1]) > int(sizes[2]):
            raise UserError(
                f'machine.xml = {file}: topo_parameters="{parameters}": SimGrid crashes at a DRAGONFLY of {sizes[1]} '
                f"groups with {sizes[2]} routers in a chassis: must have at most as many groups as such routers",
                where,
            )


class _Xml(NamedTuple):
    options: tuple[str, ...]
    outermost: str
    """The topology of a cluster that is in no zone."""
    dragonflies: tuple[str, ...]
    """The topo_parameters of clusters of that topology."""


@functools.lru_cache(maxsize=64)
def _read_xml(_content: str, file: Path) -> _Xml:
    from xml.etree import ElementTree

    root = ElementTree.parse(file).getroot()
    options = [prop.get("id", "") for config in root.iter("config") for prop in config.iter("prop")]
    cluster = root.find("cluster")
    return _Xml(
        (*options, *("<include>" for _ in root.iter("include"))),
        "" if cluster is None else cluster.get("topology", ""),
        tuple(one.get("topo_parameters", "") for one in root.iter("cluster") if one.get("topology") == "DRAGONFLY"),
    )


def _xml(file: Path, where: str) -> Platform:
    """The network and hosts of a SimGrid file, with SimGrid's messages."""
    said = {"machine.topology": "xml", "machine.xml": str(file.absolute()), "machine.messages": "smpi"}
    settings = {path: Item(value, str(file), 1, _folder(where)) for path, value in said.items()}
    return Platform(file.stem, f"SimGrid platform {file.name}", (str(file),), settings)


def _folder(where: str) -> Path:
    return where.folder if isinstance(where, Where) else Path()
