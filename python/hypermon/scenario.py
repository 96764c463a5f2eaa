"""Scenarios: what is run and what is expected of the result. One YAML file each; docs/reference/scenarios.md."""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from hypermon import catalogues, expressions, platforms, programs, worker, yamlfile
from hypermon.errors import UserError, suggestion
from hypermon.platforms import Platform
from hypermon.precedence import Conditional, Given, Layer, decide
from hypermon.schema import Schema, Value, canonical, common_path, nested
from hypermon.yamlfile import Item

KINDS = ("published", "derived", "golden")
SCENARIO_KEYS = ("question", "base", "platform", "presets", "set", "variants", "cases", "expect", "sweep")
CASE_EXAMPLE = "ideal_reader"
LIMITS = "limits."  # parameters that no result depends on
PRESETS = "presets"  # folder below the scenarios with named groups of parameters
OTHERS = (f"{PRESETS}/", f"{catalogues.FOLDER}/")  # folders below the scenarios that hold something else


@dataclass(frozen=True)
class Expectation:
    """What one number of the result must be. `of`, `equals`, `low` and `high` are expressions over the result."""

    of: str
    equals: str | None
    low: str | None
    high: str | None
    within: float
    relative: bool
    kind: str
    reason: str  # the source of a published number, the derivation of a derived one
    where: str


@dataclass(frozen=True)
class Case:
    """One run that `hypermon check` makes of a scenario."""

    settings: Mapping[str, Item]
    presets: tuple[Item, ...]
    expect: tuple[Expectation, ...]
    label: str = ""  # by which expectations of other cases know it

    @property
    def name(self) -> str:
        if self.label:
            return self.label
        presets = [item.value for item in self.presets]
        return " ".join(presets + [f"{path}={item.value}" for path, item in self.settings.items()]) or "default"


@dataclass(frozen=True)
class Variant:
    """Inputs that depend on other parameters."""

    when: Mapping[str, Item]
    settings: Mapping[str, Item]
    source: str
    where: str


@dataclass(frozen=True)
class Words:
    """What one file says of parameters, the nearer later: the size of the machine that it names, presets, settings,
    variants.
    """

    machine: Mapping[str, Item] = field(default_factory=dict)
    presets: tuple[Item, ...] = ()
    settings: Mapping[str, Item] = field(default_factory=dict)
    variants: tuple[Variant, ...] = ()

    def read(self, root: Path, schema: Schema) -> Layer:
        """Checked, every value of its parameter's kind. `root`: the scenarios, whose presets these are."""
        given: dict[str, Given] = {}
        _apply(given, self.machine, schema)
        for item in self.presets:
            _apply(given, read_preset(root, item.text("presets"), item.where), schema)
        _apply(given, self.settings, schema)
        return Layer(given, [_conditional(variant, schema) for variant in self.variants])


@dataclass(frozen=True)
class Spec:
    """A run, resolved: every parameter has a value; those of single boards are there where they differ."""

    scenario: str
    values: Mapping[str, Value]

    def to_json(self) -> str:
        return json.dumps({"scenario": self.scenario, **nested(self.values)}, indent=1, sort_keys=True) + "\n"

    def to_line(self) -> str:
        """The same for a program, with dotted paths: a fifth of the time, which counts in sweeps."""
        return json.dumps({"scenario": self.scenario, **self.values})

    @property
    def simulated(self) -> dict[str, Value]:
        """What a result depends on: all but limits, which end a run or change nothing."""
        return {path: value for path, value in self.values.items() if not path.startswith(LIMITS)}

    @property
    def hash(self) -> str:
        return hashlib.sha256(Spec(self.scenario, self.simulated).to_json().encode()).hexdigest()[:10]


@dataclass(frozen=True)
class Draft:
    """Values for every parameter, each of its kind and within its range."""

    spec: Spec
    given: Mapping[str, Given]

    def checked(self, build: bool = True) -> Spec:
        """The specification, if its values go together. `build`: the user's program is compiled, to be run."""
        said = self.given.get(programs.FILE)
        where = said.where if said else ""
        values = programs.built(self.spec.values, where) if build else programs.known(self.spec.values)
        _check(Spec(self.spec.scenario, values), self.given)
        if values.get("machine.topology") == "xml":
            said = self.given.get("machine.xml")
            platforms.refuse_options(str(values["machine.xml"]), said.where if said else "")
        return Spec(self.spec.scenario, canonical(values))


@dataclass(frozen=True)
class Scenario:
    """A scenario file, its structure checked; parameters are checked by `resolve`."""

    name: str
    root: Path
    question: str
    words: tuple[Words, ...]  # of its base, its own, of a sweep's file: the nearer later
    cases: tuple[Case, ...]
    where: str = field(default="")
    sweep: Item | None = None  # what `hypermon sweep` varies; read by hypermon.sweeping
    platform: Platform | None = None

    @property
    def variants(self) -> tuple[Variant, ...]:
        return tuple(variant for words in self.words for variant in words.variants)

    def on(self, platform: str | os.PathLike[str] | None, where: str = "--platform") -> Scenario:
        """The scenario on all nodes of another machine, or as it is if none is named."""
        if platform is None:
            return self
        chosen = platforms.find(platform, where)
        return replace(self, platform=chosen, words=(*self.words, Words(_size(chosen))))

    def resolve(
        self,
        schema: Schema,
        settings: Mapping[str, object] | None = None,
        presets: Sequence[str] = (),
        case: Case | None = None,
        where: str = "--set",
        build: bool = True,
    ) -> Spec:
        """All that is said of parameters, the nearer word over the farther: the platform, the base, the scenario's own
        presets, settings and variants, the case, and what is given here.
        """
        draft = self.draft(schema, settings, presets, case, where)
        return draft.checked(build)

    def draft(
        self,
        schema: Schema,
        settings: Mapping[str, object] | None = None,
        presets: Sequence[str] = (),
        case: Case | None = None,
        where: str = "--set",
    ) -> Draft:
        """As `resolve`, but nobody has been asked yet whether the values go together."""
        ground: dict[str, Given] = {}
        if self.platform is not None:
            _apply(ground, self.platform.settings, schema)
        layers = [Layer(ground), *(words.read(self.root, schema) for words in self.words)]
        if case is not None:
            layers.append(Words(presets=case.presets, settings=case.settings).read(self.root, schema))
        here = _presets(self.root, presets, schema)
        _set(here, settings or {}, schema, where)
        defaults = {path: parameter.default for path, parameter in schema.parameters.items()}
        given = decide([*layers, Layer(here)], defaults)
        return Draft(Spec(self.name, defaults | _values(given)), given)


def _size(platform: Platform) -> dict[str, Item]:
    """Who names a machine means all of its nodes, whatever was said before of another."""
    return {path: item for path, item in platform.settings.items() if path == "nodes"}


def _conditional(variant: Variant, schema: Schema) -> Conditional:
    when: dict[str, Given] = {}
    given: dict[str, Given] = {}
    _apply(when, variant.when, schema)
    _apply(given, variant.settings, schema)
    return Conditional(_values(when), given, variant.where)


def _apply(values: dict[str, Given], settings: Mapping[str, Item], schema: Schema) -> None:
    for path, item in settings.items():
        values[path] = Given(schema.parameter(path, item.where).parse(item.value, item.where), item.where)


def _presets(root: Path, names: Sequence[str], schema: Schema) -> dict[str, Given]:
    given: dict[str, Given] = {}
    for name in names:
        _apply(given, read_preset(root, name, "--preset"), schema)
    return given


def _set(values: dict[str, Given], settings: Mapping[str, object], schema: Schema, where: str) -> None:
    for path, raw in settings.items():
        values[path] = Given(schema.parameter(path, where).parse(raw, where), where)


def override(base: Spec, schema: Schema, settings: Mapping[str, object], presets: Sequence[str], where: str) -> Spec:
    """A resolved specification with presets and settings over it, to be replayed: no program runs."""
    given = _presets(folder(), presets, schema)
    _set(given, settings, schema, where)
    return Draft(Spec(base.scenario, {**base.values, **_values(given)}), given).checked(build=False)


def _values(given: Mapping[str, Given]) -> dict[str, Value]:
    return {path: said.value for path, said in given.items()}


def _check(spec: Spec, given: Mapping[str, Given]) -> None:
    """Asks the worker whether the values go together; a complaint gets the place of the first that was given."""
    try:
        worker.check(spec.to_line())
    except UserError as error:
        named = re.findall(r"\w+(?:\[\d+\])?(?:\.\w+)?", str(error))
        paths = [path for name in named for path in (name, common_path(name)) if path in given]
        raise UserError(str(error), given[paths[0]].where if paths else "") from None


def folder() -> Path:
    """The scenarios: HYPERMON_SCENARIOS, else those of the source tree, else those of the installed package."""
    given = os.environ.get("HYPERMON_SCENARIOS")
    if given:
        return Path(given)
    here = Path(__file__).resolve().parent
    tree = here.parents[1] / "scenarios"
    return tree if tree.is_dir() else here / "scenarios"


def names(root: Path | None = None, below: str = "") -> list[str]:
    """All scenarios, or those of a folder."""
    root = root or folder()
    files = sorted((root / below).rglob("*.yaml"))
    found = [file.relative_to(root).with_suffix("").as_posix() for file in files]
    return [name for name in found if not name.startswith(OTHERS)]


def preset_names(root: Path | None = None) -> list[str]:
    """All presets."""
    below = (root or folder()) / PRESETS
    return [file.relative_to(below).with_suffix("").as_posix() for file in sorted(below.rglob("*.yaml"))]


def find(name: str) -> list[Scenario]:
    """The scenario of that name or file, or all scenarios of that folder."""
    path = Path(name)
    if path.suffix in {".yaml", ".yml"} and path.is_file():
        return [read(path, path.stem, folder())]
    root = folder()
    below = name.rstrip("/").removeprefix("scenarios/")
    if below and (root / f"{below}.yaml").is_file():
        return [read(root / f"{below}.yaml", below, root)]
    if path.is_dir() and not (root / below).is_dir():
        return [read(root_file, root_file.stem, root) for root_file in sorted(path.rglob("*.yaml"))]
    inside = names(root, below) if below and (root / below).is_dir() else []
    if not inside:
        known = names(root)
        raise UserError(f"{name}: no such scenario{suggestion(name, known) or '; see hypermon scenarios'}")
    return [read(root / f"{inner}.yaml", inner, root) for inner in inside]


def find_one(name: str, platform: str | os.PathLike[str] | None = None) -> Scenario:
    """The one scenario of that name or file, on another machine if `platform` names one."""
    found = find(name)
    if len(found) != 1:
        raise UserError(f"{name}: is a folder of scenarios, name one of {', '.join(s.name for s in found)}")
    return found[0].on(platform)


def of_program(file: object) -> Scenario:
    """No scenario file, only the user's program: every other parameter has its default."""
    if not file:
        raise UserError("nothing to run: name a scenario, or give a program")
    first = file[0] if isinstance(file, list | tuple) else file
    return Scenario(Path(str(first).partition("@")[0]).stem, folder(), "", (), ())


def read_preset(root: Path, name: str, where: str, also: Sequence[str] = ()) -> dict[str, Item]:
    """A named group of parameters: scenarios/presets/NAME.yaml with `description` and `set`. `also`: other names that
    the user could have meant."""
    file = root / PRESETS / f"{name}.yaml"
    if not file.is_file():
        known = [*also, *preset_names(root)]
        raise UserError(f"{name}: no such preset{suggestion(name, known) or '; there are ' + ', '.join(known)}", where)
    top = yamlfile.read(file, _shown(file, root)).mapping("preset", ("description", "set"))
    return _leaves(top)


def read(file: Path, name: str, root: Path) -> Scenario:
    document = yamlfile.read(file, _shown(file, root))
    top = document.mapping("scenario", SCENARIO_KEYS)
    if "question" not in top:
        raise UserError("question: missing; say what the scenario answers", document.where)
    if "cases" in top and "expect" in top:
        raise UserError("expect: goes into the cases if there are any", top["expect"].where)
    if "cases" in top:
        cases = tuple(_case(item) for item in top["cases"].items("cases"))
        _check_labels(cases, top["cases"].items("cases"))
    else:
        cases = (Case({}, (), _expectations(top.get("expect"))),)
    base = _base(top["base"], root) if "base" in top else None
    platform = _platform(top["platform"]) if "platform" in top else None
    variants = tuple(_variant(item) for item in top["variants"].items("variants")) if "variants" in top else ()
    own = Words(_size(platform) if platform else {}, _list(top, "presets"), _leaves(top), variants)
    return Scenario(
        name=name,
        root=root,
        question=" ".join(top["question"].text("question").split()),
        words=(*(base.words if base else ()), own),
        cases=cases,
        where=document.where,
        sweep=top.get("sweep"),
        platform=platform or (base.platform if base else None),
    )


def _base(item: Item, root: Path) -> Scenario:
    """The scenario whose presets, settings and variants come before one's own; it may not have a base itself."""
    name = item.text("base")
    file = root / f"{name}.yaml"
    if not file.is_file():
        raise UserError(f"base: {name}: no such scenario{suggestion(name, names(root))}", item.where)
    if "base" in yamlfile.read(file, _shown(file, root)).mapping("scenario"):
        raise UserError(f"base: {name}: has a base itself", item.where)
    return read(file, name, root)


def _platform(item: Item) -> Platform:
    return platforms.find(item.text("platform"), item.where)


def _list(entry: Mapping[str, Item], key: str) -> tuple[Item, ...]:
    return tuple(entry[key].items(key)) if key in entry else ()


def _leaves(entry: Mapping[str, Item]) -> dict[str, Item]:
    return entry["set"].leaves("set") if "set" in entry else {}


def _shown(file: Path, root: Path) -> str:
    """`scenarios/table2/place.yaml`, wherever the source tree lies; other files as they were named."""
    return f"{root.name}/{file.relative_to(root).as_posix()}" if file.is_relative_to(root) else str(file)


def _variant(item: Item) -> Variant:
    entry = item.mapping("variant", ("when", "set", "source"))
    _require(entry, ("when", "set"), "variant", item)
    source = entry["source"].text("source") if "source" in entry else ""
    return Variant(entry["when"].leaves("when"), entry["set"].leaves("set"), source, item.where)


def _case(item: Item) -> Case:
    entry = item.mapping("case", ("name", "set", "presets", "expect"))
    label = entry["name"].text("name") if "name" in entry else ""
    if label and not label.isidentifier():
        raise UserError(
            f"name: {label}: must be letters, digits and _, as in cases.{CASE_EXAMPLE}", entry["name"].where
        )
    return Case(_leaves(entry), _list(entry, "presets"), _expectations(entry.get("expect")), label)


def _check_labels(cases: Sequence[Case], items: Sequence[Item]) -> None:
    """Names are given once, and expectations compare with cases that there are."""
    labels: list[str] = []
    for case, item in zip(cases, items, strict=True):
        if case.label and case.label in labels:
            raise UserError(f"name: {case.label}: given twice", item.where)
        labels.append(case.label)
    for expectation in (e for case in cases for e in case.expect):
        for text in (expectation.of, expectation.equals, expectation.low, expectation.high):
            for label in expressions.members_of("cases", text or "0"):
                if label not in labels:
                    known = [name for name in labels if name]
                    raise UserError(f"cases.{label}: no such case{suggestion(label, known)}", expectation.where)


def _expectations(item: Item | None) -> tuple[Expectation, ...]:
    return tuple(_expectation(entry) for entry in item.items("expect")) if item is not None else ()


def _expectation(item: Item) -> Expectation:
    entry = item.mapping("expectation", ("of", "is", "min", "max", "within", "kind", "source", "because"))
    _require(entry, ("of", "kind"), "expectation", item)
    kind = entry["kind"].text("kind")
    if kind not in KINDS:
        raise UserError(f"kind: {kind}: must be one of {', '.join(KINDS)}", entry["kind"].where)
    if ("is" in entry) == ("min" in entry or "max" in entry):
        raise UserError("expectation: needs either `is` or `min` and/or `max`", item.where)
    if "within" in entry and "is" not in entry:
        raise UserError("within: only goes with `is`", entry["within"].where)
    needed = {"published": "source", "derived": "because"}.get(kind)
    if needed:
        _require(entry, (needed,), f"{kind} expectation", item)
    within, relative = _tolerance(entry.get("within"))
    return Expectation(
        of=_expression(entry["of"], "of"),
        equals=_expression(entry["is"], "is") if "is" in entry else None,
        low=_expression(entry["min"], "min") if "min" in entry else None,
        high=_expression(entry["max"], "max") if "max" in entry else None,
        within=within,
        relative=relative,
        kind=kind,
        reason=entry[needed].text(needed) if needed else "",
        where=item.where,
    )


def _require(entry: Mapping[str, Item], keys: Iterable[str], what: str, item: Item) -> None:
    for key in keys:
        if key not in entry:
            raise UserError(f"{what}: `{key}` is missing", item.where)


def _expression(item: Item, what: str) -> str:
    value = item.value
    if isinstance(value, bool) or value is None:
        return {True: "true", False: "false", None: "null"}[value]
    text = repr(value) if isinstance(value, int | float) else item.text(what)
    try:
        expressions.parse(text)
    except expressions.ExpressionError as error:
        raise UserError(f"{what}: {error}", item.where) from None
    return text


def _tolerance(item: Item | None) -> tuple[float, bool]:
    if item is None:
        return 0.0, False
    raw: Any = item.value
    text = str(raw).strip()
    relative = text.endswith("%")
    try:
        value = float(text.removesuffix("%"))
    except ValueError:
        value = -1.0
    if isinstance(raw, bool) or not value >= 0:
        raise UserError(f"within: {raw}: must be a share like `2 %` or a number, not negative", item.where)
    return (value / 100, True) if relative else (value, False)
