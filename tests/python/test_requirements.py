# SPDX-License-Identifier: BSD-3-Clause
"""requirements/: complete and current for Python 3.11 and 3.13, with a hash for every package and no index."""

from __future__ import annotations

import copy
import re
import sys
import tomllib
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest
from packaging.markers import default_environment
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "requirements"
PYTHONS = ("3.11", "3.13")  # Python versions of Debian 12 and 13
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text())
APART = ("dev", "docs")  # the extras that have a file each
LINE = re.compile(
    r"# Locked by scripts/lock from pyproject\.toml; do not edit\. Contents: [\w ,/]+\."
    r"|-r [a-z]+\.txt"
    r"|(?P<pin>[a-z0-9-]+==[\w.]+( ; [\w.' <>=!]+)?) \\"
    r"|    --hash=sha256:[0-9a-f]{64}(?P<more> \\)?"
)
INSTALLS = re.compile(r"""\bpip['"]?,? ['"]?install\b|\[\*PIP, ['"]install""")


def roots(file: str, project: dict[str, Any]) -> list[str]:
    """The requirements that a file of requirements/ must meet."""
    extras, groups = project["project"]["optional-dependencies"], project["dependency-groups"]
    others = [requirement for name in extras if name not in APART for requirement in extras[name]]
    core, build = project["project"]["dependencies"], project["build-system"]["requires"]
    needed: dict[str, list[str]] = {
        "uv": groups["uv"],
        "build": build + groups["source"],
        "core": core,
        "extras": core + others,
        "dev": core + others + extras["dev"],
        "docs": core + others + extras["docs"],
        "wheel": build + groups["source"] + groups["wheel"],
    }
    return needed[file]


FILES = ("uv", "build", "core", "extras", "dev", "docs", "wheel")


def lines(file: str) -> list[str]:
    """The lines of the file, after those of the file that it includes."""
    found = []
    for line in (FOLDER / f"{file}.txt").read_text().splitlines():
        found += lines(line.removeprefix("-r ").removesuffix(".txt")) if line.startswith("-r ") else [line]
    return found


def environment(python: str) -> dict[str, str]:
    other = {"python_version": python, "python_full_version": f"{python}.2", "extra": ""}
    return {**{name: str(value) for name, value in default_environment().items()}, **other}


def pinned(file: str, python: str) -> dict[str, str]:
    """The versions of the packages that this Python gets on Linux."""
    pins = [Requirement(line.removesuffix("\\")) for line in lines(file) if re.match("[a-z0-9]", line)]
    meant = [pin for pin in pins if pin.marker is None or pin.marker.evaluate(environment(python))]
    versions = {pin.name: str(pin.specifier).removeprefix("==") for pin in meant}
    # A package may occur twice: once in the included file, with the marker of the packages that need it there.
    assert len({(pin.name, pin.specifier) for pin in meant}) == len(versions), f"{file}.txt locks two versions"
    return versions


class Closure:
    """The packages that requirements need, according to the metadata of installed packages."""

    def __init__(self, pins: dict[str, str], python: str, extras: dict[str, list[str]]) -> None:
        self.pins, self.python, self.extras = pins, python, extras
        self.needed: set[tuple[str, str]] = set()
        self.unknown: set[str] = set()  # not installed here in the locked version
        self.wrong: list[str] = []

    def add(self, requirements: list[str], extra: str = "") -> None:
        for text in requirements:
            requirement = Requirement(text)
            if requirement.marker and not requirement.marker.evaluate({**environment(self.python), "extra": extra}):
                continue
            name = canonicalize_name(requirement.name)
            for inner in ("", *requirement.extras):
                if (name, inner) in self.needed:
                    continue
                self.needed.add((name, inner))
                if name == "hypermon":
                    self.add(self.extras.get(inner, []))
                elif name not in self.pins:
                    self.wrong.append(f"no {name}, for {text}")
                elif self._installed(name):
                    self.add(metadata.requires(name) or [], inner)
                else:
                    self.unknown.add(name)
            version = self.pins.get(name)
            if version and not requirement.specifier.contains(version, prereleases=True):
                self.wrong.append(f"{name}=={version} instead of {text}")

    def _installed(self, name: str) -> bool:
        try:
            return metadata.version(name) == self.pins[name]
        except metadata.PackageNotFoundError:
            return False


def differences(file: str, python: str, project: dict[str, Any]) -> tuple[list[str], set[str]]:
    """Missing and superfluous packages of a file of requirements/, and the packages whose requirements are unknown
    here.
    """
    pins = pinned(file, python)
    closure = Closure(pins, python, project["project"]["optional-dependencies"])
    closure.add(roots(file, project))
    surplus = [] if closure.unknown else sorted(set(pins) - {name for name, _ in closure.needed})
    return closure.wrong + [f"{name} is not needed" for name in surplus], closure.unknown


def test_there_is_no_other_file_and_setup_installs_only_these() -> None:
    assert {path.name for path in FOLDER.iterdir()} == {f"{file}.txt" for file in FILES}
    texts = {path.name: path.read_text() for path in (ROOT / "scripts").iterdir()}
    # The second one installs the oldest and the newest versions on purpose.
    assert {name for name, text in texts.items() if INSTALLS.search(text)} == {"python-packages", "test-bounds"}


@pytest.mark.parametrize("file", FILES)
def test_every_package_has_a_hash_and_nothing_names_an_index(file: str) -> None:
    expected = "pin"
    for number, line in enumerate((FOLDER / f"{file}.txt").read_text().splitlines(), 1):
        found = LINE.fullmatch(line)
        assert found, f"{file}.txt, line {number}: {line}"
        assert ("hash" if "--hash" in line else "pin") == expected, f"{file}.txt, line {number}: {line}"
        expected = "hash" if found["pin"] or found["more"] else "pin"
    assert expected == "pin"


@pytest.mark.parametrize("python", PYTHONS)
@pytest.mark.parametrize("file", FILES)
def test_all_that_pyproject_needs_is_locked_and_nothing_else(file: str, python: str) -> None:
    wrong, unknown = differences(file, python, PROJECT)
    assert wrong == [], f"requirements/{file}.txt is not up to date: run scripts/lock"
    here = f"{sys.version_info.major}.{sys.version_info.minor}"
    made_here = Path(sys.prefix) == ROOT / ".venv" and (ROOT / ".venv/made-from-dev").exists()
    if file in ("build", "core", "extras", "dev") and python == here and made_here:
        assert unknown == set(), "the environment does not have the locked versions: run scripts/setup --all"


@pytest.mark.parametrize("python", PYTHONS)
def test_a_change_of_pyproject_without_scripts_lock_is_found(python: str) -> None:
    added: dict[str, Any] = copy.deepcopy(PROJECT)
    added["project"]["dependencies"].append("another-package>=1")
    assert "no another-package, for another-package>=1" in differences("dev", python, added)[0]

    raised: dict[str, Any] = copy.deepcopy(PROJECT)
    raised["project"]["optional-dependencies"]["dev"].append("numpy>=1000")
    version = pinned("core", python)["numpy"]
    assert f"numpy=={version} instead of numpy>=1000" in differences("dev", python, raised)[0]

    built: dict[str, Any] = copy.deepcopy(PROJECT)
    built["build-system"]["requires"].append("another-package>=1")
    assert "no another-package, for another-package>=1" in differences("build", python, built)[0]

    removed: dict[str, Any] = copy.deepcopy(PROJECT)
    removed["dependency-groups"]["uv"] = []
    assert differences("uv", python, removed)[0] == ["uv is not needed"]


def test_a_package_has_the_same_version_everywhere() -> None:
    versions = {python: {} for python in PYTHONS}  # type: dict[str, dict[str, str]]
    for python, known in versions.items():
        for file in FILES:
            for name, version in pinned(file, python).items():
                assert known.setdefault(name, version) == version, f"{file}.txt: {name} for Python {python}"
    both = versions["3.11"].keys() & versions["3.13"].keys()
    assert {name: versions["3.11"][name] for name in both} == {name: versions["3.13"][name] for name in both}
    assert {"mypy", "numpy", "pandas-stubs", "ruff", "typer"} <= both
