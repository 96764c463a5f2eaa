# SPDX-License-Identifier: BSD-3-Clause
"""Every result key that a header declares is registered by its part and written by its code."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from hypermon._model import worker

ROOT = Path(__file__).parents[2]
FLOORS = ("base", "hw", "sw", "platforms")
STRUCT = re.compile(r"^\s*struct (\w+) \{$")
KEY = re.compile(r"\b(?:ResultKey<.*>|ResultGroup|ResultList) (\w+)[{;]")
MEMBER = re.compile(r"^\s*(?:std::array<ResultKey<\w+>, \d+>|(\w+Keys)) (\w+)\{")
END = re.compile(r"^\s*\} ?(\w*);")
OBJECT = re.compile(r"^inline constexpr (\w+) (\w+)\{\};$", re.MULTILINE)
PATH = re.compile(r'"([a-z_0-9]+(?:\[\])?(?:\.[a-z_0-9]+(?:\[\])?)*)", "[^"]*",')
WRITTEN_BY_PYTHON = {"stream_keys": ROOT / "python/hypermon/_engine/streams/run.py"}
"""Keys that the command writes into a result of the worker."""


def members(source: str) -> dict[str, list[str]]:
    """The members that are keys, by struct at the top of the header: `levels.cpu_s`."""
    found: dict[str, list[str]] = {}
    inside: list[list[str]] = []
    names: list[str] = []
    for line in source.splitlines():
        if start := STRUCT.match(line):
            names.append(start[1])
            inside.append([])
        elif inside and (end := END.match(line)):
            own, name = inside.pop(), names.pop()
            if inside:
                inside[-1] += [f"{end[1]}.{member}" for member in own]
            else:
                found[name] = own
        elif inside and (key := KEY.search(line)):
            inside[-1].append(key[1])
        elif inside and (member := MEMBER.match(line)):
            inside[-1].append(member[2])
    return {name: own for name, own in found.items() if own}


def headers() -> Iterator[tuple[Path, str]]:
    for floor in FLOORS:
        for file in sorted((ROOT / floor).rglob("*keys.hpp")):
            yield file, file.read_text()


def writers() -> str:
    """All code that can write a value, with aliases of objects and members replaced by full names: `keys.cpu_s`."""
    texts = []
    for floor in FLOORS:
        for file in sorted((ROOT / floor).rglob("*.[ch]pp")):
            if file.name.endswith("_part.cpp") or file.name.endswith("keys.hpp"):
                continue
            texts += [with_aliases(function) for function in re.split(r"^}", file.read_text(), flags=re.MULTILINE)]
    return "\n".join(texts)


def with_aliases(function: str) -> str:
    aliases = re.findall(r"const (?:auto|\w+Keys)& (\w+) = (\w+_keys(?:\.\w+)*);", function)
    for name, meant in aliases:
        function = re.sub(rf"(?<![\w.]){name}\b(?! =)", meant, function)
    return function


def unwritten(code: str) -> list[str]:
    missing = []
    for file, source in headers():
        objects = dict(OBJECT.findall(source))
        for struct, own in members(source).items():
            by_python = WRITTEN_BY_PYTHON.get(objects.get(struct, ""))
            for member in own:
                if by_python is not None:
                    used = f'"{member}"' in by_python.read_text()
                else:  # a struct without an object is the type of members, and a function's parameter `keys`
                    used = re.search(rf"\b{objects.get(struct, 'keys')}\.{re.escape(member)}\b", code) is not None
                if not used:
                    missing.append(f"{file.relative_to(ROOT)}: {struct}::{member}")
    return missing


def test_every_declared_key_is_written() -> None:
    assert unwritten(writers()) == []


def test_a_key_that_is_not_written_is_found() -> None:
    code = writers()
    assert unwritten(code.replace("run_keys.elapsed_s(", "(")) == ["base/run_keys.hpp: RunKeys::elapsed_s"]
    assert unwritten(code.replace("run_keys.ranks.events(", "(")) == ["base/run_keys.hpp: RunKeys::ranks.events"]


def test_every_declared_key_is_registered() -> None:
    """A part that forgets keys_of() one of its structs leaves them out of the schema."""
    declared = {path for _, source in headers() for path in PATH.findall(re.sub(r"\n\s*", " ", source))}
    assert declared == {entry["path"] for entry in worker.schema().results}


def test_nothing_but_keys_writes_a_result() -> None:
    """Code that writes a value must not contain the path of its key."""
    named = re.compile(r'\bresult(?:s)?\["')
    files = [file for floor in FLOORS for file in sorted((ROOT / floor).rglob("*.[ch]pp"))]
    assert [str(file.relative_to(ROOT)) for file in files if named.search(file.read_text())] == []
