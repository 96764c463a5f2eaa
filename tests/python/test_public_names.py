# SPDX-License-Identifier: BSD-3-Clause
"""Public names of `import hypermon` document their arguments, results and exceptions, and their examples run."""

from __future__ import annotations

import dataclasses
import inspect
import re
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import hypermon
from hypermon._reference import api

FUNCTIONS = [name for name in api.public() if isinstance(getattr(hypermon, name), types.FunctionType)]


def function(name: str) -> Callable[..., Any]:
    found: Callable[..., Any] = getattr(hypermon, name)
    return found


def test_what_commands_do_functions_do_too() -> None:
    assert {"calibrate", "check", "compare", "counters", "platforms", "run", "scenarios", "size", "sweep"} <= set(
        FUNCTIONS
    )
    assert "truth" in FUNCTIONS
    assert set(FUNCTIONS) <= set(dir(hypermon))


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_public_function_says_what_it_takes_gives_and_raises(name: str) -> None:
    sections = api.sections(inspect.getdoc(function(name)) or "")
    taken = list(inspect.signature(function(name)).parameters)
    assert [*sections] == ["", *(["Args"] if taken else []), "Returns", "Raises", "Example"]
    assert re.findall(r"^(\w+): ", sections.get("Args", ""), re.M) == taken
    assert all(re.match(r"\w+Error: ", line) for line in sections["Raises"].splitlines() if line[0] != " ")


def test_what_a_public_function_returns_is_of_a_public_class() -> None:
    """`isinstance` and annotations need the class."""
    returned = {name: str(inspect.signature(function(name)).return_annotation) for name in FUNCTIONS}
    classes = {name: re.findall(r"(?<![.\w])[A-Z]\w+", text) for name, text in returned.items()}
    assert classes["size"] == ["Size"]
    unknown = {name: [one for one in found if one not in api.public()] for name, found in classes.items()}
    assert {name: found for name, found in unknown.items() if found not in ([], ["Number"])} == {}


PLACES = {"baseline", "keep", "out", "path", "platform", "recordings_folder", "scenario", "scenarios"}
PLACES |= {"script_out", "source", "sources", "target"}


def called() -> dict[str, Callable[..., Any]]:
    """All public callables: functions, classes, those of public modules, and methods."""
    found: dict[str, Any] = {name: getattr(hypermon, name) for name in api.public()}
    modules = {name: of for name, of in found.items() if isinstance(of, types.ModuleType)}
    found |= {
        f"{name}.{inner}": getattr(of, inner)
        for name, of in modules.items()
        for inner in of.__dict__.get("__all__", ())
        if hasattr(of, inner)  # a module may not have been imported yet
    }
    classes = {name: of for name, of in found.items() if inspect.isclass(of)}
    found |= {f"{name}.{inner}": f for name, of in classes.items() for inner, f in vars(of).items() if inner[0] != "_"}
    return {name: of for name, of in found.items() if inspect.isfunction(of) or inspect.isclass(of)}


def test_whatever_takes_a_path_takes_every_kind_of_path() -> None:
    taken = {
        f"{name}({parameter.name}: {parameter.annotation})"
        for name, of in called().items()
        if not (inspect.isclass(of) and dataclasses.is_dataclass(of))  # hypermon makes its objects, not users
        and not (inspect.isclass(of) and issubclass(of, tuple | Exception))
        for parameter in inspect.signature(of).parameters.values()
        if parameter.name in PLACES or "Path" in str(parameter.annotation)
    }
    assert len(taken) > 30
    assert [one for one in sorted(taken) if "os.PathLike[str]" not in one and "Source" not in one] == []


def test_the_reference_page_has_every_public_name_and_what_modules_offer() -> None:
    page = (Path(__file__).parents[2] / "docs" / "reference" / "api.md").read_text()
    headings = re.findall(r"^##+ hypermon\.(.+)", page, re.M)
    assert [name for name in api.public() if name not in headings and name != "__version__"] == []
    assert [name for name in called() if name.count(".") == 1 and name[0].islower() and name not in headings] == []
    assert {"importing.ti.read", "judging.node_picture_from_states", "monitors.Monitor"} <= set(headings)
    assert len(headings) == len(set(headings))
    assert re.findall(r"^(?!- )\w+(?:, \w+)+: .*", page, re.M) == []  # names with a description that are in no list
