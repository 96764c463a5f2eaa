# SPDX-License-Identifier: BSD-3-Clause
"""The parameters and result keys that the worker declares (`hypermon-sim --describe`)."""

from __future__ import annotations

import fnmatch
import math
import numbers
import re
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from hypermon._files import files, folders
from hypermon._model import assignments, catalogues
from hypermon._model.activity import METRICS as JUDGED
from hypermon.errors import UserError, cut, suggestion

if TYPE_CHECKING:
    from fractions import Fraction

Value = int | float | bool | str
NUMBERED = re.compile(r"(\w+)\[(0|[1-9][0-9]*)\](.*)")  # disk[2].seek_ms: the parameter disk.seek_ms of disk 2 only


class Implied(NamedTuple):
    """A default that another parameter implies: while that one is `when`, or without `when` neither 0 nor empty."""

    by: str
    value: Value
    when: str

    def applies(self, values: Mapping[str, Value]) -> bool:
        """Does any component have such a value?"""
        found = [values[self.by], *(values[path] for path in singles_of(self.by, values))]
        return self.when in found if self.when else any(found)


class Parameter(NamedTuple):
    """A parameter, as declared in C++. All of its properties come from the declaration."""

    path: str
    type: str
    unit: str
    default: Value
    min: float | None
    max: float | None
    multiple_of: int
    power_of_two: bool
    choices: tuple[str, ...]
    several: bool  # its component may exist several times, each with a value of its own
    behind_ports: bool  # does not change the data that the nodes write, unless there is back-pressure: allows replays
    description: str
    source: str
    # Kind of a text: "file", "folder" or "program" if it names one, "catalogue", "assignments", or "variable" for a
    # single assignment (hypermon._files.files, folders, programs, catalogues, assignments).
    kind: str = ""
    runs: str = ""  # code that hypermon builds, loads or starts for a value; empty: none
    implied: tuple[Implied, ...] = ()  # defaults that other parameters imply; the first that applies

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Parameter:
        return cls(
            path=data["path"],
            type=data["type"],
            unit=data.get("unit") or "",
            default=data["default"],
            min=data.get("min"),
            max=data.get("max"),
            multiple_of=data.get("multiple_of") or 1,
            power_of_two=bool(data.get("power_of_two")),
            choices=tuple(data.get("choices") or ()),
            several=bool(data.get("several")),
            behind_ports=bool(data.get("behind_ports")),
            description=data.get("description") or "",
            source=data.get("source") or "",
            kind=data.get("kind") or "",
            runs=data.get("runs") or "",
            implied=tuple(Implied(one["by"], one["value"], one["when"]) for one in data.get("implied") or ()),
        )

    def of_number(self, number: str) -> Parameter:
        """Returns the parameter of a single component, which has a number."""
        group, _, name = self.path.partition(".")
        text = f"{self.description} Applies to number {number} only; default: {self.path}."
        return self._replace(path=f"{group}[{number}].{name}", description=text)

    def variable(self, single: str) -> Parameter:
        """Returns the parameter for a single variable of assignments."""
        text = f"Value of {single.rpartition('.')[2]} in {self.path}."
        return self._replace(path=single, kind="variable", description=text)

    @property
    def word_bytes(self) -> int:
        """Size of the word whose transfer time this parameter is, bytes. Such a time may be given as a rate.

        0: the parameter is no such time.
        """
        if self.unit != "ns":
            return 0
        from hypermon._model import vocabulary  # imported here, because most runs do not need it

        return next((one.words[self.path] for one in vocabulary.every() if self.path in one.words), 0)

    @property
    def step(self) -> int:
        """Values must be multiples of this number. 0: they need not be integers."""
        return self.multiple_of if self.type == "int" else 0

    @property
    def allowed(self) -> str:
        """The allowed values, in words."""
        if self.type == "bool":
            return "true or false"
        if self.kind == "file":
            return "the path of a file, or empty"
        if self.kind == "program":
            return "paths of sources, of a folder or of a shared object"
        if self.kind == "folder":
            return "the path of a folder, or empty"
        if self.kind == "assignments":
            return "NAME=value words"
        if self.kind == "variable":
            return "text or a number"
        if self.kind == "catalogue":
            return f"one of {', '.join(catalogues.names())}, or a YAML file"
        if self.type == "string":
            return "one of " + ", ".join(self.choices) if self.choices else "text"
        kind = "a power of two" if self.power_of_two else "an integer" if self.type == "int" else "a number"
        if self.multiple_of > 1:
            kind = f"a multiple of {self.multiple_of}"
        bounds = ""
        if self.min is not None and self.max is not None:
            bounds = f" from {number(self.min)} to {number(self.max)}"
        elif self.min is not None:
            bounds = f" of at least {number(self.min)}"
        elif self.max is not None:
            bounds = f" of at most {number(self.max)}"
        return kind + bounds + (f" {self.unit}" if self.unit else "")

    def parse(self, raw: object, where: str) -> Value:
        """Converts `raw` (from YAML, Python or a command line) to a value. Raises a UserError if it is not allowed."""
        raw = plain(raw)
        if isinstance(raw, str) and not files.is_text(raw):
            raise UserError(f"{self.path} = {cut(raw)}: must be UTF-8 text", where)
        if self.type == "bool":
            words = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}
            value = words.get(cut(raw).lower())
            if value is None:
                raise self._refuse(raw, where)
            return value
        if self.kind == "file":
            return files.resolve(self.path, raw, where)
        if self.kind == "program":
            return files.resolve_all(self.path, raw, where, folders.sha256)
        if self.kind == "folder":
            return folders.resolve(self.path, raw, where)
        if self.kind == "assignments":
            return assignments.whole(self.path, raw, where)
        if self.kind == "variable":
            return assignments.one(self.path, raw, where)
        if self.kind == "catalogue":
            return catalogues.resolve(self.path, raw, where)
        if self.type == "string":
            if not isinstance(raw, str) or (self.choices and raw not in self.choices):
                raise self._refuse(raw, where, suggestion(cut(raw), self.choices))
            return str(raw)
        exact = self._number(raw, where)
        if self.type == "int":
            if exact.denominator != 1 or exact.numerator % self.multiple_of:
                raise self._refuse(raw, where)
            if self.power_of_two and (exact < 1 or exact.numerator & (exact.numerator - 1)):
                raise self._refuse(raw, where)
        found = int(exact) if self.type == "int" else float(exact)  # 0.1 is the least of 0.1 and more, as a float
        if (self.min is not None and found < self.min) or (self.max is not None and found > self.max):
            raise self._refuse(raw, where)
        return found

    def _number(self, raw: object, where: str) -> int | Fraction:
        if isinstance(raw, bool):
            raise self._refuse(raw, where)
        if isinstance(raw, numbers.Integral):
            return int(raw)
        from fractions import Fraction  # imported here, because integers do not need it

        if isinstance(raw, numbers.Rational):
            return Fraction(int(raw.numerator), int(raw.denominator))
        if isinstance(raw, numbers.Real) and math.isfinite(raw):
            return Fraction(float(raw))
        if isinstance(raw, str):
            from hypermon._model import units

            try:
                exact = units.parse(raw, self.unit, self.word_bytes, self.step)
            except ValueError as wrong_unit:
                raise self._refuse(raw, where, f"; {wrong_unit}") from None
            if exact is not None:
                return exact
        raise self._refuse(raw, where)

    def _refuse(self, raw: object, where: str, hint: str = "") -> UserError:
        shown = str(raw).lower() if isinstance(raw, bool) else cut(raw)
        return UserError(f"{self.path} = {shown}: must be {self.allowed}{hint}", where)


class Schema(NamedTuple):
    """The worker's description of its parameters, results and versions."""

    parameters: Mapping[str, Parameter]
    results: tuple[Mapping[str, Any], ...]
    versions: Mapping[str, str]
    counters: tuple[Mapping[str, str], ...] = ()
    sections: Mapping[str, str] = MappingProxyType({})
    """Descriptions of the groups of parameters, by the first word of their paths."""

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Schema:
        parameters = [Parameter.from_json(entry) for entry in data["parameters"]]
        return cls(
            parameters={parameter.path: parameter for parameter in parameters},
            results=tuple(data["results"]),
            counters=tuple(data["counters"]),
            versions=data["versions"],
            sections=data["sections"],
        )

    @property
    def implied(self) -> list[Parameter]:
        """The parameters whose default depends on others (`Parameter.implied`), those that imply others first."""
        found = [parameter for parameter in self.parameters.values() if parameter.implied]
        paths = {parameter.path for parameter in found}
        return sorted(found, key=lambda parameter: any(one.by in paths for one in parameter.implied))

    def parameter(self, path: str, where: str) -> Parameter:
        """Returns the parameter with this path. Raises a UserError that suggests the nearest valid path."""
        try:
            return self._known(path)[path]
        except KeyError:
            pass
        common = common_path(path)
        if common in self.parameters and self._known(path):
            raise UserError(f"{path}: is the same of all; set {common}", where)
        names = self._known(path) or self.parameters
        members = [name for name in names if name.startswith(path + ".")]
        if members:
            raise UserError(f"{path}: is a group of parameters, set one of {', '.join(members)}", where)
        raise UserError(f"{path}: no such parameter{suggestion(path, names)}", where)

    def result_key(self, path: str, where: str) -> None:
        """Raises a UserError if no result can have the path: `ranks[0].events`, `spec.nodes`, `ledger`.

        Any path below a key that is only described as a whole is accepted.
        """
        if path.startswith(("spec.", "spec[")):
            inside = re.sub(r"\['(.+?)'\]", r".\1", path.removeprefix("spec")).lstrip(".")
            if not any(name.startswith(f"{inside}.") for name in self.parameters):
                self.parameter(inside, where)
            return
        known = [entry["path"] for entry in (*self.results, *JUDGED)]
        described = generic(path)
        if not any(_within(described, name) or _within(name, described) for name in known):
            raise UserError(f"{cut(path)}: the result has no such number{suggestion(path, known)}", where)

    def about_result(self, path: str) -> dict[str, str]:
        """Returns `units` and `description` of a key, named as xarray's attributes.

        The last part of a path in the ledger is its unit.
        """
        for entry in (*self.results, *JUDGED):
            if _within(path, entry["path"].replace("[]", "")):
                unit = entry.get("unit", "")
                return {
                    "units": path.rpartition(".")[2] if unit == "unit, events" else unit,
                    "description": entry["description"],
                }
        return {"units": "", "description": ""}

    def about(self, path: str) -> dict[str, str]:
        """Returns `units` and `description` of a parameter (`nodes`, `spec.nodes`) or of a key of results."""
        known = self.parameters.get(common_path(path.removeprefix("spec.")))
        if known is None:
            return self.about_result(path)
        return {"units": known.unit, "description": known.description}

    def units(self, paths: Iterable[str]) -> dict[str, str]:
        """Returns the units of parameters and results. Empty for other paths."""
        return {path: self.about(path)["units"] for path in paths}

    def describes_result(self, path: str) -> bool:
        """Is the path a key of results, or a group of keys?"""
        return any(_within(entry["path"], generic(path)) for entry in self.results)

    def _known(self, path: str) -> Mapping[str, Parameter]:
        """Returns the parameters that may have this path: those of the single component in it, or all."""
        if (single := assignments.single(path)) and single[1] in self.parameters:
            return {path: self.parameters[single[1]].variable(path)}
        named = NUMBERED.fullmatch(path)
        if named is None:
            return self.parameters
        group, which, _ = named.groups()
        own = [p.of_number(which) for p in self.parameters.values() if p.several and p.path.startswith(group + ".")]
        return {p.path: p for p in own}

    def select(self, pattern: str) -> list[Parameter]:
        """Returns the parameters whose path is `pattern`, lies below it, or matches it as a glob."""
        found = [p for p in self._known(pattern).values() if _matches(p.path, pattern)]
        if not found and NUMBERED.fullmatch(pattern):
            return [self.parameter(pattern, "")]
        if not found:
            groups = {path.split(".")[0] for path in self.parameters if "." in path}
            hint = suggestion(pattern, [*self.parameters, *groups, "result", "events", "code"])
            raise UserError(f"{pattern}: no such parameter or group of parameters{hint}")
        return found


def plain(value: object) -> object:
    """Converts a scalar of NumPy, pandas or xarray to Python's type. Returns other values unchanged."""
    return value.item() if getattr(value, "ndim", None) == 0 and hasattr(value, "item") else value


def generic(path: str) -> str:
    """Converts a path to the form in which it is described: `ranks[0].events` to `ranks[].events`."""
    return re.sub(r"\[[^\]]*\]", "[]", path)


def _within(path: str, group: str) -> bool:
    return path == group or path.startswith((f"{group}.", f"{group}["))


def _matches(path: str, pattern: str) -> bool:
    prefix = pattern.rstrip(".")
    glob = pattern.replace("[", "[[]") if NUMBERED.fullmatch(pattern) else pattern  # [2]: no set of characters
    return path == prefix or path.startswith(prefix + ".") or fnmatch.fnmatchcase(path, glob)


def common_path(path: str) -> str:
    """Returns the common parameter: `disk.seek_ms` for `disk[2].seek_ms`, and all assignments for a variable."""
    if single := assignments.single(path):
        return single[1]
    named = NUMBERED.fullmatch(path) if "[" in path else None
    return named[1] + named[3] if named else path


def singles_of(path: str, values: Iterable[str]) -> list[str]:
    """Returns those of the paths that are this parameter for a single component."""
    return [one for one in values if "[" in one and common_path(one) == path]


def is_single(path: str) -> bool:
    """Is the path a parameter of a single component (disk[2].seek_ms), or a single variable of assignments?"""
    return "[" in path or path.startswith(assignments.PREFIX)


def canonical(values: Mapping[str, Value]) -> dict[str, Value]:
    """Removes parameters of single components whose value is the same as the common one."""
    found = dict(values)
    for path in filter(is_single, values):
        if (common := common_path(path)) != path and values[common] == values[path]:
            del found[path]
    return found


def number(value: float) -> str:
    """Formats a number without trailing zeros, and without exponent where the digits are readable."""
    if isinstance(value, bool):
        return str(value).lower()
    if value == int(value) and abs(value) < 1e15:
        return str(int(value))
    return f"{value:.10g}"


def nested(values: Mapping[str, Value]) -> dict[str, Any]:
    """Converts {"node.tick_ms": 50} to {"node": {"tick_ms": 50}}."""
    tree: dict[str, Any] = {}
    for path, value in values.items():
        *sections, name = path.split(".")
        branch = tree
        for section in sections:
            branch = branch.setdefault(section, {})
        branch[name] = value
    return tree


def flat(tree: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    """Converts {"node": {"tick_ms": 50}} (or dotted keys, or a mixture) to {"node.tick_ms": 50}."""
    values: dict[str, Any] = {}
    for key, value in tree.items():
        path = f"{prefix}{key}"
        if isinstance(value, Mapping):
            values.update(flat(value, path + "."))
        else:
            values[path] = value
    return values
