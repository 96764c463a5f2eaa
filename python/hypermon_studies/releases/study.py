# SPDX-License-Identifier: BSD-3-Clause
"""`hypermon study releases`: are the results with two releases of SimGrid and SystemC identical, bit for bit?

Two builds cannot share a process, and may be on different machines: one writes its results to a file, and the other
reads it.
"""

from __future__ import annotations

import gzip
import json
import re
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hypermon._engine import checks, runner
from hypermon._files import files, outputs
from hypermon._inputs import scenario
from hypermon._model.result import Result, is_number
from hypermon._model.schema import Schema
from hypermon.errors import UserError

NAME = "releases"
RUNS, DIFFERENCES = "runs.csv", "differences.csv"
MOST_BYTES = 100_000_000  # (chosen) largest size of a build's unpacked file
NOT_COMPARED = ("versions", "scenario", "spec")  # the specification is compared as a whole
DIFFERS_ENTIRELY = float("inf")

Values = Mapping[str, Any]
"""Values of a result, by path with the numbers of list elements: numbers, texts, None."""


@dataclass(frozen=True)
class Measured:
    """A run's result."""

    specification: str
    """Hash of the specification."""
    fingerprint: str
    elapsed_s: float
    values: Values


@dataclass(frozen=True)
class Build:
    """Results of one build of hypermon."""

    versions: Mapping[str, str]
    runs: Mapping[str, Measured]

    @property
    def name(self) -> str:
        return f"SimGrid {self.versions['simgrid']}"


@dataclass(frozen=True)
class Difference:
    """A value of a run that differs between two builds."""

    run: str
    path: str
    before: Any
    after: Any

    @property
    def key(self) -> str:
        """The result key as in `hypermon params result`."""
        return re.sub(r"\[\d+\]", "[]", self.path)

    @property
    def relative(self) -> float:
        """Difference relative to the larger number; infinite for words and for values that only one build has."""
        if not (is_number(self.before) and is_number(self.after)):
            return DIFFERS_ENTIRELY
        before, after = float(self.before), float(self.after)
        return abs(before - after) / max(abs(before), abs(after))


def plan(schema: Schema, scenarios: Sequence[str] = ()) -> dict[str, checks.Planned]:
    """Returns the middle case of each scenario under each monitor; of all scenarios if none is named."""
    asked = [scenario.find_one(name) for name in scenarios or scenario.names()]
    cases: dict[tuple[str, str], list[checks.Planned]] = {}
    for planned in checks.plan(asked, schema):
        cases.setdefault((planned.scenario.name, str(planned.spec.values["monitor"])), []).append(planned)
    chosen = [alike[(len(alike) - 1) // 2] for alike in cases.values()]
    return {f"{p.scenario.name}: {p.case.name}": p for p in chosen}


def measure(planned: Mapping[str, checks.Planned], jobs: int, on_done: Callable[[int], None] | None = None) -> Build:
    """Runs them all, `jobs` at a time.

    Raises:
        HypermonError: The first run that failed.
    """
    with TemporaryDirectory(prefix="hypermon-releases-") as folder:
        tasks = [(p.spec, p.folder(Path(folder))) for p in planned.values()]
        results = runner.require(runner.run_many(tasks, jobs, on_done))
        runs = {
            name: Measured(p.spec.hash, str(result["fingerprint"]), float(result["elapsed_s"]), values(result))
            for (name, p), result in zip(planned.items(), results, strict=True)
        }
        return Build(dict(results[0]["versions"]), runs)


def values(result: Result) -> dict[str, Any]:
    """Returns all values of a result except those of its request and its origin."""
    return {
        path: value for key, part in result.items() if key not in NOT_COMPARED for path, value in _leaves(key, part)
    }


def _leaves(path: str, value: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(value, Mapping) and value:
        for key, part in value.items():
            yield from _leaves(f"{path}.{key}", part)
    elif isinstance(value, list) and value:
        for i, part in enumerate(value):
            yield from _leaves(f"{path}[{i}]", part)
    else:
        yield path, value


def differences(before: Build, after: Build) -> list[Difference]:
    """Differences between the runs that both builds have, in order.

    Raises:
        UserError: A run was asked for otherwise.
    """
    found = []
    for name, one in before.runs.items():
        if name not in after.runs:
            continue
        other = after.runs[name]
        if one.specification != other.specification:
            raise UserError(f"{name}: {before.name} and {after.name} ran other specifications: measure both again")
        paths = dict.fromkeys((*one.values, *other.values))
        pairs = ((path, one.values.get(path), other.values.get(path)) for path in paths)
        found += [Difference(name, path, a, b) for path, a, b in pairs if a != b]
    return found


@dataclass(frozen=True)
class Key:
    """A result key, and its values that differ."""

    runs: tuple[str, ...]
    values: int
    worst: Difference


def by_key(found: Sequence[Difference], of_run: bool = False) -> dict[tuple[str, ...], Key]:
    """Returns the first of the largest differences of each key, or of each run and key."""
    groups: dict[tuple[str, ...], list[Difference]] = {}
    for one in found:
        groups.setdefault((one.run, one.key) if of_run else (one.key,), []).append(one)
    return {
        name: Key(tuple(dict.fromkeys(one.run for one in group)), len(group), max(group, key=lambda one: one.relative))
        for name, group in groups.items()
    }


def require(file: Path, force: bool = False) -> None:
    """Raises a UserError if `save` may not write the file, because a file that it did not write is there."""
    if outputs.require_replaceable(file) is not None and not force:
        read(file)


def save(build: Build, file: Path) -> None:
    """Writes a file for `read`: compressed JSON, with equal bytes for equal results."""
    told = {
        "versions": dict(build.versions),
        "runs": {
            name: {
                "specification": run.specification,
                "fingerprint": run.fingerprint,
                "elapsed_s": run.elapsed_s,
                "values": dict(run.values),
            }
            for name, run in build.runs.items()
        },
    }
    with files.naming(file):
        file.parent.mkdir(parents=True, exist_ok=True)
    with files.writing(file, streams=False) as partial:
        partial.write_bytes(gzip.compress(json.dumps(told).encode(), mtime=0))


def read(file: Path) -> Build:
    """Reads a file that `save` wrote.

    Raises:
        UserError: The file cannot be read, or has another format.
    """
    try:
        with gzip.open(file) as unpacked:
            text = unpacked.read(MOST_BYTES + 1)
        if len(text) > MOST_BYTES:
            raise ValueError(f"unpacks to more than {MOST_BYTES // 10**6} MB")
        told = json.loads(text)
        json.dumps(told, ensure_ascii=False).encode()  # half a character cannot be written again
        versions, runs = told["versions"], told["runs"]
        return Build(_words(versions), {name: _measured(**run) for name, run in runs.items()})
    except OSError as error:
        raise UserError(f"{file}: cannot be read: {error.strerror or error}") from None
    except (EOFError, zlib.error, ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise UserError(f"{file}: is not what `hypermon study {NAME}` writes: {error}") from None


def _words(told: Any) -> dict[str, str]:
    if not all(isinstance(word, str) for word in told.values()) or "simgrid" not in told:
        raise ValueError("versions are words, SimGrid's among them")
    return dict(told)


def _measured(specification: str, fingerprint: str, elapsed_s: float, values: dict[str, Any]) -> Measured:
    if not isinstance(specification, str) or not isinstance(fingerprint, str) or not is_number(elapsed_s):
        raise ValueError("a run has two hashes and a time")
    if any(isinstance(value, list | dict) and value for value in values.values()):
        raise ValueError("a run's values are numbers and words")
    return Measured(specification, fingerprint, elapsed_s, values)


def both(before: Build, after: Build) -> list[str]:
    """The runs that both builds made."""
    return [name for name in before.runs if name in after.runs]
