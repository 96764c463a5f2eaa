# SPDX-License-Identifier: BSD-3-Clause
"""Scenarios: a run and the expectations of its result, in a YAML file each. See docs/reference/scenarios.md."""

from __future__ import annotations

import enum
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from hypermon._files import files, places, yamlfile
from hypermon._files.files import name_as_text
from hypermon._files.items import Item
from hypermon._inputs import platforms, programs
from hypermon._inputs.platforms import Platform
from hypermon._inputs.programs import own_verilog
from hypermon._model import argument_checks, assignments, catalogues, worker
from hypermon._model.monitors import NOTHING
from hypermon._model.precedence import Conditional, Given, Layer, decide
from hypermon._model.schema import Schema, Value, common_path, is_single, singles_of
from hypermon._model.spec import Spec
from hypermon.errors import UserError, cut, suggestion

if TYPE_CHECKING:
    from hypermon._inputs.expectations import Case

# Modules for scenario files are imported when one is read, since a run of a program alone has none.
SCENARIO_KEYS = ("question", "base", "platform", "presets", "set", "variants", "cases", "expect", "sweep")
ITS_OWN_KEYS = ("question", "base", "variants", "cases", "expect")  # keys that no other YAML file has
LOOKED_AT = (
    "workload",
    "program.",
    "machine.topology",
    "machine.xml",
    own_verilog.LEVEL,
)  # parameters that `Draft.checked` inspects
SUFFIXES = (".yaml", ".yml")
PRESETS = "presets"  # folder below the scenarios with named groups of parameters
WORKLOAD, STREAM, STREAM_FILE = "workload", "stream", "stream.file"
OTHERS = (f"{PRESETS}/", f"{catalogues.FOLDER}/")  # folders below the scenarios that hold something else


class Build(enum.Enum):
    """The parts of the user's code that are compiled while a specification is checked."""

    EVERYTHING = enum.auto()
    HARDWARE = enum.auto()  # only the modules and boards that were named for a replay, which runs no program
    NOTHING = enum.auto()


class Variant(NamedTuple):
    """Settings that apply only for given values of other parameters."""

    when: Mapping[str, Item]
    settings: Mapping[str, Item]
    source: str
    where: str


class Words(NamedTuple):
    """The parameters in one file: the size of its machine, presets, settings and variants. Later ones override."""

    machine: Mapping[str, Item] = NOTHING
    presets: tuple[Item, ...] = ()
    settings: Mapping[str, Item] = NOTHING
    variants: tuple[Variant, ...] = ()

    def read(self, root: Path, schema: Schema) -> Layer:
        """Checks the values and converts them to their parameters' types. `root`: folder of the scenarios."""
        given: dict[str, Given] = {}
        _apply(given, self.machine, schema)
        for item in self.presets:
            _apply(given, read_preset(root, item.text("presets"), item.where, schema), schema)
        _apply(given, self.settings, schema)
        return Layer(given, [_conditional(variant, schema) for variant in self.variants])


class Draft(NamedTuple):
    """Values for every parameter, each of the right type and within its range."""

    spec: Spec
    given: Mapping[str, Given]

    def checked(self, build: Build = Build.EVERYTHING) -> Spec:
        """Returns the specification, if its values fit together."""
        program = self.given.get(programs.FILE)
        where = program.where if program else ""
        whole = assignments.folded(self.spec.values)
        values = (
            programs.with_built_program(whole, where) if build is Build.EVERYTHING else programs.with_known_build(whole)
        )
        values = self._with_objects(values, build)
        spec = Spec(self.spec.scenario, values, self.places)
        check(spec)
        if values.get("machine.topology") == "xml":
            platforms.check_file(str(values["machine.xml"]))
        return spec.canonical().with_places({})

    def decides_apart(self, paths: Iterable[str]) -> bool:
        """Do these parameters influence nothing but themselves?

        This is not so if they lead to a compilation, name files to inspect, or belong to a single component.
        """
        known = worker.schema().parameters
        whole = own_verilog.with_bundled_board(self.spec.values)
        objects = (path for path, value in whole.items() if value and path != programs.FILE)
        if self.spec.has_singles or any(known[common_path(path)].kind == "program" for path in objects):
            return False  # an object may be built from any other parameter
        return not any(path.startswith(LOOKED_AT) or is_single(path) or known[path].kind == "program" for path in paths)

    @property
    def places(self) -> dict[str, str]:
        return {path: str(given.where) for path, given in self.given.items()}

    def _with_objects(self, values: Mapping[str, Value], build: Build) -> Mapping[str, Value]:
        """Compiles the sources other than the program."""
        known = worker.schema().parameters
        values = own_verilog.with_bundled_board(values)
        paths = [path for path, value in values.items() if value and known[common_path(path)].kind == "program"]
        paths = [path for path in paths if path != programs.FILE]
        if not paths:
            return values
        from hypermon._inputs.programs import objects  # imported here, because most runs need none

        if build is not Build.EVERYTHING:
            is_replay = build is Build.HARDWARE
            named = [path for path in paths if is_replay and (path in self.given or not self.spec.values[path])]
            values, paths = objects.with_known_objects(values, [path for path in paths if path not in named]), named
        if objects.TAKES_LONG in paths:
            check(Spec(self.spec.scenario, values, self.places))
        return objects.with_built_objects(
            values, paths, lambda path: self.given[path].where if path in self.given else ""
        )


@dataclass(frozen=True)
class Scenario:
    """A scenario file with a valid structure. `resolve` checks the parameters."""

    name: str
    root: Path
    question: str
    words: tuple[Words, ...]  # of its base, of the scenario, of a sweep's file; later ones override
    cases: tuple[Case, ...]
    where: str = field(default="")
    sweep: Item | None = None  # the section for `hypermon sweep`, read by hypermon._engine.sweeping
    platform: Platform | None = None
    file: Path | None = None
    recorded: Spec | None = None  # specification of a recorded run, whose values replace the defaults

    @property
    def target(self) -> str:
        """The name of the scenario on a command line in the current folder."""
        if self.file is None or self.file.resolve().is_relative_to(self.root.resolve()):
            return self.name
        return str(self.file)

    @property
    def variants(self) -> tuple[Variant, ...]:
        return tuple(variant for words in self.words for variant in words.variants)

    def on(self, platform: str | os.PathLike[str] | None, where: str = "--platform") -> Scenario:
        """Returns the scenario on all nodes of another machine. Without a machine, returns it unchanged."""
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
        """Returns the specification. Later values override earlier ones.

        The order is: the platform, the base, the scenario's presets, settings and variants, the case, and the arguments
        of this call.
        """
        draft = self.draft(schema, settings, presets, case, where)
        return draft.checked(Build.EVERYTHING if build else Build.NOTHING).with_places(draft.places)

    def draft(
        self,
        schema: Schema,
        settings: Mapping[str, object] | None = None,
        presets: Sequence[str] = (),
        case: Case | None = None,
        where: str = "--set",
    ) -> Draft:
        """Like `resolve`, but does not yet check whether the values fit together."""
        ground: dict[str, Given] = {}
        if self.platform is not None:
            refuse_code(self.platform.settings, schema, "a platform")
            _apply(ground, self.platform.settings, schema)
        layers = [Layer(ground), *(words.read(self.root, schema) for words in self.words)]
        if case is not None:
            layers.append(Words(presets=case.presets, settings=case.settings).read(self.root, schema))
        here = _presets(self.root, presets, schema)
        _set(here, settings or {}, schema, where)
        layers.append(Layer(here))
        if self.recorded is not None:
            given = decide(layers, self.recorded.values)
            if found := _implied({**self.recorded.values, **_values(given)}, given, schema):
                given = decide([Layer({}, found), *layers], self.recorded.values)
            _refuse_recorded_code(self.recorded, given, schema, where)
            return Draft(Spec(self.name, {**self.recorded.values, **_values(given)}), given)
        defaults = {path: parameter.default for path, parameter in schema.parameters.items()}
        given = decide(layers, defaults)
        if found := _conditional_defaults(defaults | _values(given), given, schema):
            given = decide([Layer({}, found), *layers], defaults)
        values = defaults | _values(given)
        made_a_stream = WORKLOAD in here and here[WORKLOAD].value == STREAM
        return Draft(Spec(_name_of_stream(values) if made_a_stream else self.name, values), given)


def _name_of_stream(values: Mapping[str, Value]) -> str:
    """Returns the name of a run of a file's events, which has no scenario."""
    path = files.path_of(str(values.get(STREAM_FILE, "")))
    return f"{STREAM}/{name_as_text(path.stem)}" if path is not None else STREAM


def _conditional_defaults(values: Mapping[str, Value], given: Mapping[str, Given], schema: Schema) -> list[Conditional]:
    """Returns the defaults that differ from the parameters' own ones for these values."""
    found = _implied(values, given, schema)
    name = catalogues.not_given(values)
    if name != catalogues.BUILT_IN:
        catalogue = {catalogues.PARAMETER: Given(catalogues.resolve(catalogues.PARAMETER, name, ""), "")}
        found.append(Conditional({path: values[path] for path in catalogues.DEPENDS}, catalogue, ""))
    return found


def _implied(values: Mapping[str, Value], given: Mapping[str, Given], schema: Schema) -> list[Conditional]:
    """Returns the defaults that given parameters imply (`Parameter.implied`). A recorded value is no given one."""
    found = []
    values, given = dict(values), dict(given)
    for parameter in schema.implied:
        common = [one.by for one in parameter.implied]
        paths = [path for by in dict.fromkeys(common) for path in (by, *singles_of(by, values))]
        where = [given[path].where for path in paths if path in given]
        value = next((one.value for one in parameter.implied if one.applies(values)), parameter.default)
        if where and parameter.path not in given and value != values[parameter.path]:
            when = {path: values[path] for path in paths}
            given[parameter.path] = Given(value, where[0])
            values[parameter.path] = value
            found.append(Conditional(when, {parameter.path: given[parameter.path]}, where[0]))
    return found


def _size(platform: Platform) -> dict[str, Item]:
    """Returns the machine's number of nodes. Naming a machine selects all of its nodes, over earlier settings."""
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


def refuse_code(settings: Mapping[str, Item], schema: Schema, kind: str) -> None:
    """Raises a UserError if a file of that kind sets a parameter that makes hypermon run code."""
    for path, item in settings.items():
        if (known := schema.parameters.get(common_path(path))) is not None and known.runs:
            raise UserError(
                f"{path}: runs code, which {kind} may not set; set it in a scenario or with --set", item.where
            )


def _presets(root: Path, names: Sequence[str], schema: Schema) -> dict[str, Given]:
    given: dict[str, Given] = {}
    for name in argument_checks.texts("presets", names):
        _apply(given, read_preset(root, name, "--preset", schema), schema)
    return given


def _set(values: dict[str, Given], settings: Mapping[str, object], schema: Schema, where: str) -> None:
    for path, raw in settings.items():
        values[path] = Given(schema.parameter(path, where).parse(raw, where), where)


def _refuse_recorded_code(recorded: Spec, given: Mapping[str, Given], schema: Schema, where: str) -> None:
    """Raises a UserError if the hardware of a replay would be code that the recording names, and not its user."""
    for path, value in recorded.values.items():
        parameter = schema.parameters[common_path(path)]
        if value and parameter.runs and parameter.behind_ports and path not in given:
            raise UserError(
                f"{path} = {value}: is named only by the recording, and a replay loads no file that only a recording"
                f" names; set {path} yourself (empty: none)",
                where,
            )


def override(base: Spec, schema: Schema, settings: Mapping[str, object], presets: Sequence[str], where: str) -> Spec:
    """Returns a specification for a replay, overridden by presets and settings. No program is compiled.

    Raises:
        UserError: A setting is wrong, or the recording names code for the replay's hardware.
    """
    given = _presets(places.scenarios(), presets, schema)
    _set(given, settings, schema, where)
    for one in _implied({**base.values, **_values(given)}, given, schema):
        given |= one.given
    _refuse_recorded_code(base, given, schema, where)
    return Draft(Spec(base.scenario, {**base.values, **_values(given)}), given).checked(Build.HARDWARE)


def _values(given: Mapping[str, Given]) -> dict[str, Value]:
    return {path: item.value for path, item in given.items()}


def check(spec: Spec) -> None:
    """Lets the worker check whether the values fit together."""
    try:
        worker.check(spec)
    except UserError as error:
        raise spec.located(error) from None


def names(root: Path | None = None, below: str = "") -> list[str]:
    """Returns the names of all scenarios, or of those in a folder."""
    root = root or places.scenarios()
    files = sorted((root / below).rglob("*.yaml"))
    found = [file.relative_to(root).with_suffix("").as_posix() for file in files]
    return [name for name in found if not name.startswith(OTHERS)]


def preset_names(root: Path | None = None) -> list[str]:
    """Returns the names of all presets."""
    below = (root or places.scenarios()) / PRESETS
    return [file.relative_to(below).with_suffix("").as_posix() for file in sorted(below.rglob("*.yaml"))]


def find(name: str | os.PathLike[str]) -> list[Scenario]:
    """Finds the scenario of that name or file, or all scenarios of that folder.

    An existing path takes precedence over a built-in name; a message says so if both exist. A name that begins with
    `.`, `/` or `~`, or ends with .yaml, is a path. `scenarios/NAME` is a built-in name unless such a path exists.
    """
    name = os.fspath(name)
    root, path = places.scenarios(), Path(os.path.expanduser(name))  # noqa: PTH111 (Path's raises for unknown users)
    is_path = name.startswith((".", "/", "~")) or path.suffix in SUFFIXES
    below = "" if is_path else name.rstrip("/").removeprefix("scenarios/")
    built_in = _built_in(root, below)
    own = _own(path, root)
    if own and built_in and own[0].file != built_in[0].file:
        import logging  # imported here, because few runs need it

        log = logging.getLogger(__name__)
        log.warning("%s: is taken as the path here; the built-in is scenarios/%s", cut(name), below)
    if own or built_in:
        return own or built_in
    if _is_folder(path) or _is_file(path):
        raise UserError(f"{name}: {'has no scenario in it (.yaml)' if path.is_dir() else 'is not a scenario (.yaml)'}")
    if is_path:
        raise UserError(f"{cut(name)}: no such file or folder")
    if _is_file(path.with_name(f"{path.name}.yaml")):
        raise UserError(f"{name}: no such scenario; did you mean {name}.yaml?")
    raise UserError(f"{cut(name)}: no such scenario{suggestion(name, names(root)) or '; see hypermon scenarios'}")


def _built_in(root: Path, below: str) -> list[Scenario]:
    if not below or not _is_inside(below):
        return []
    if _is_file(root / f"{below}.yaml"):
        return [] if below.startswith(OTHERS) else [_read_built_in(root, below)]
    return [_read_built_in(root, inner) for inner in names(root, below)] if _is_folder(root / below) else []


def _read_built_in(root: Path, name: str) -> Scenario:
    return read(root / f"{name}.yaml", name_as_text(name), root)


def _own(path: Path, root: Path) -> list[Scenario]:
    """Returns the scenarios at a path. Built-in scenarios keep their names."""
    if not _is_folder(path):
        return [read(path, name_as_text(path.stem), root)] if path.suffix in SUFFIXES and _is_file(path) else []
    if path.resolve().is_relative_to(root.resolve()):
        below = path.resolve().relative_to(root.resolve()).as_posix()
        return [_read_built_in(root, inner) for inner in names(root, below)]
    files = (file.relative_to(path) for suffix in SUFFIXES for file in path.rglob(f"*{suffix}") if file.is_file())
    visible = sorted(file for file in files if not any(part.startswith(".") for part in file.parts))
    scenarios = [file for file in visible if not _is_other(path / file)]
    return [read(path / file, name_as_text(file.with_suffix("").as_posix()), root) for file in scenarios]


def _is_other(file: Path) -> bool:
    """Is the YAML file of another kind, such as a sweep, platform, preset or catalogue, or not hypermon's?"""
    top = yamlfile.read(file).value
    return not isinstance(top, dict) or "scenario" in top or not any(key in top for key in ITS_OWN_KEYS)


def built_in(name: str, platform: str | os.PathLike[str] | None = None) -> Scenario:
    """Returns the built-in scenario of that name. Files in the current folder are ignored."""
    return _read_built_in(places.scenarios(), name).on(platform)


def find_one(name: str | os.PathLike[str], platform: str | os.PathLike[str] | None = None) -> Scenario:
    """Returns the scenario of that name or file, on another machine if `platform` names one."""
    found = find(name)
    if len(found) != 1:
        raise UserError(f"{name}: is a folder of scenarios, name one of {', '.join(s.name for s in found)}")
    return found[0].on(platform)


def find_or_program(name: str | os.PathLike[str] | None, settings: Mapping[str, object]) -> Scenario:
    """Returns the scenario of that name or file, or without a name one for the program or stream in the settings."""
    if name is not None:
        return find_one(name)
    if settings.get(WORKLOAD) == STREAM:
        return Scenario(STREAM, places.scenarios(), "", (), ())
    return of_program(settings.get(programs.FILE))


def of_program(file: object) -> Scenario:
    """Returns a scenario without a file, for the user's program. All other parameters have their defaults."""
    if not file:
        raise UserError("nothing to run: name a scenario, or give a program")
    first = file[0] if isinstance(file, list | tuple) else file
    typed = os.path.expanduser(str(first).partition("@")[0])  # noqa: PTH111 (Path.expanduser raises for unknown users)
    path = Path(os.path.abspath(typed))  # noqa: PTH100 (gives `.` a name)
    return Scenario(name_as_text(path.name if path.is_dir() else path.stem), places.scenarios(), "", (), ())


def of_recording(recorded: Spec) -> Scenario:
    """Returns the scenario of a recorded run. The run's values replace the defaults, and no program runs."""
    return Scenario(recorded.scenario, places.scenarios(), "", (), (), recorded=recorded)


def _is_inside(name: str) -> bool:
    """Does a name, taken relative to a folder, stay within it?"""
    return not name.startswith("/") and ".." not in Path(name).parts and "\0" not in name


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:  # too long for a file name
        return False


def _is_folder(path: Path) -> bool:
    try:
        return path.is_dir()
    except OSError:
        return False


def read_preset(root: Path, name: str, where: str, schema: Schema, also: Sequence[str] = ()) -> dict[str, Item]:
    """Reads a preset, scenarios/presets/NAME.yaml with `description` and `set`.

    `also`: other names that the user could have meant, for the error message.
    """
    from hypermon._inputs.expectations import leaves

    file = root / PRESETS / f"{name}.yaml"
    if not _is_inside(name) or not _is_file(file):
        known = [*also, *preset_names(root)]
        raise UserError(f"{name}: no such preset{suggestion(name, known) or '; there are ' + ', '.join(known)}", where)
    settings = leaves(yamlfile.read(file, _shown(file, root)).mapping("preset", ("description", "set")))
    refuse_code(settings, schema, "a preset")
    return settings


def read(file: Path, name: str, root: Path) -> Scenario:
    from hypermon._inputs.expectations import cases, leaves, presets

    document = yamlfile.read(file, _shown(file, root))
    top = document.mapping("scenario", SCENARIO_KEYS)
    if "question" not in top:
        raise UserError("question: missing; say what the scenario answers", document.where)
    base = _base(top["base"], root) if "base" in top else None
    platform = _platform(top["platform"]) if "platform" in top else None
    variants = tuple(_variant(item) for item in top["variants"].items("variants")) if "variants" in top else ()
    own = Words(_size(platform) if platform else {}, presets(top), leaves(top), variants)
    return Scenario(
        name=name,
        root=root,
        question=" ".join(top["question"].text("question").split()),
        words=(*(base.words if base else ()), own),
        cases=cases(top),
        where=document.where,
        sweep=top.get("sweep"),
        platform=platform or (base.platform if base else None),
        file=file,
    )


def _base(item: Item, root: Path) -> Scenario:
    """Returns the base scenario, whose presets, settings and variants can be overridden. It must not have a base."""
    name = item.text("base")
    file = root / f"{name}.yaml"
    if not _is_inside(name) or not _is_file(file):
        raise UserError(f"base: {name}: no such scenario{suggestion(name, names(root))}", item.where)
    if "base" in yamlfile.read(file, _shown(file, root)).mapping("scenario"):
        raise UserError(f"base: {name}: has a base itself", item.where)
    return read(file, name, root)


def _platform(item: Item) -> Platform:
    return platforms.find(item.text("platform"), item.where)


def _shown(file: Path, root: Path) -> str:
    """Returns a file's name for messages. Built-in files are shown as `scenarios/table2/place.yaml`."""
    return f"{root.name}/{file.relative_to(root).as_posix()}" if file.is_relative_to(root) else str(file)


def _variant(item: Item) -> Variant:
    from hypermon._inputs.expectations import require

    entry = item.mapping("variant", ("when", "set", "source"))
    require(entry, ("when", "set"), "variant", item)
    source = entry["source"].text("source") if "source" in entry else ""
    return Variant(entry["when"].leaves("when"), entry["set"].leaves("set"), source, item.where)
