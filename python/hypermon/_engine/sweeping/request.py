# SPDX-License-Identifier: BSD-3-Clause
"""Requests for sweeps: from Python, the command line, a YAML file, or a scenario's section `sweep`."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from hypermon._engine import replaying, replays, unobserved
from hypermon._engine.recording import Recording, is_recording
from hypermon._engine.sweeping import space as spaces
from hypermon._engine.sweeping.space import SEED, Placed, Space
from hypermon._files import yamlfile
from hypermon._files.items import Item
from hypermon._inputs import platforms
from hypermon._inputs import scenario as scenarios
from hypermon._inputs.scenario import Build, Draft, Scenario, Words
from hypermon._model import catalogues
from hypermon._model import metrics as metric_paths
from hypermon._model.precedence import Given
from hypermon._model.schema import Schema, Value, common_path
from hypermon._model.spec import Spec
from hypermon.errors import UserError

SECTION_KEYS = ("vary", "zip", "where", "repeats", "metrics")
FILE_KEYS = ("scenario", "question", "platform", "set", "presets", *SECTION_KEYS)


@dataclass(frozen=True)
class Section:
    """The parameters to vary and the metrics to keep, as the user gave them. Nothing is checked yet."""

    vary: Mapping[str, Placed] = field(default_factory=dict)
    zips: Sequence[Placed] = ()
    conditions: Sequence[Placed] = ()
    repeats: Placed | None = None
    metrics: Placed | None = None

    @classmethod
    def from_values(
        cls,
        where: str,
        vary: Mapping[str, object],
        zips: Sequence[object] = (),
        conditions: Sequence[str | Callable[[Mapping[str, Value]], bool]] = (),
        repeats: object = None,
        metrics: Sequence[str] = (),
    ) -> Section:
        """Makes a section of plain values from one place, which error messages name as `where`."""
        return cls(
            vary={path: Placed(values, where) for path, values in vary.items()},
            zips=[Placed(paths, where) for paths in zips],
            conditions=[Placed(text, where) for text in conditions],
            repeats=None if repeats is None else Placed(repeats, where),
            metrics=Placed([Placed(metric, where) for metric in metrics], where) if metrics else None,
        )

    def over(self, other: Section) -> Section:
        """Returns this section, completed by the other one. Varied parameters and zips come from the same section."""
        own = bool(self.vary)
        return Section(
            vary=self.vary if own else other.vary,
            zips=self.zips if own or self.zips else other.zips,
            conditions=self.conditions or other.conditions,
            repeats=self.repeats or other.repeats,
            metrics=self.metrics or other.metrics,
        )


@dataclass(frozen=True)
class Point:
    """One run of a sweep."""

    index: int
    varied: Mapping[str, Value]
    repeat: int
    spec: Spec


@dataclass(frozen=True)
class Request:
    """A sweep whose parameter space is valid."""

    scenario: Scenario
    settings: Mapping[str, object]
    presets: Sequence[str]
    space: Space
    metrics: tuple[str, ...]
    schema: Schema
    where: str  # place of the settings, for error messages
    target: str = ""  # name of the scenario, the recording or the sweep's file, as given
    platform: str | None = None  # the requested platform, as given
    recording: Recording | None = None  # the recording from which every point is replayed

    def points(self, build: bool = True) -> tuple[Spec, list[Point]]:
        """Returns the scenario's own specification, and all points in order.

        Raises a UserError about the first point that is not valid. `build`: compiles the user's code.
        """
        needed = Build.EVERYTHING if self.recording is None else Build.HARDWARE
        compiled = needed if build else Build.NOTHING
        draft = self.scenario.draft(self.schema, self.settings, self.presets, where=self.where)
        base = draft.checked(compiled)
        answered = _Answered(self.recording, self.schema)
        seeds = self.space.seeds(int(base.values.get(SEED, 0)))
        depends = {common_path(path) for variant in self.scenario.variants for path in variant.when}
        if "machine.messages" in self.space.paths or draft.spec.values.get("machine.messages", "nx2") != "nx2":
            depends.update(catalogues.DEPENDS)
        depends.update(one.by for parameter in self.schema.implied for one in parameter.implied)
        varied_paths = (*map(common_path, self.space.paths), *((SEED,) if self.space.repeats is not None else ()))
        one_by_one = not depends.isdisjoint(varied_paths)
        apart = not one_by_one and draft.decides_apart(self.space.paths)
        root = base.with_places(draft.places)
        found: list[Point] = []
        for varied in self.space.settings():
            for repeat, seed in enumerate(seeds):
                settings = dict(varied) if seed is None else {**varied, SEED: seed}
                point = self._draft(settings) if one_by_one else self._changed(draft, settings)
                if not self.space.admits(point.spec.values):
                    continue
                try:
                    spec = self._apart(root, settings) if apart else point.checked(compiled)
                    answered.require(spec)
                except UserError as error:
                    values = ", ".join(f"{path} = {value}" for path, value in settings.items())
                    raise UserError(f"point {len(found)} ({values}): {error}") from None
                found.append(Point(len(found), varied, repeat, spec))
        if not found:
            raise UserError("where: no point meets it", self.space.conditions[0].where)
        return base, found

    def unobserved(self, points: Sequence[Point]) -> list[Spec]:
        """Returns the specification of each point's program without a monitor."""
        found = []
        for point in points:
            seed = {SEED: point.spec.values[SEED]} if self.space.repeats is not None else {}
            own = unobserved.of_program(point.varied, self.schema)
            found.append(self._draft({**own, **seed, **unobserved.WITHOUT}).checked())
        return found

    def _draft(self, settings: Mapping[str, Value]) -> Draft:
        return self.scenario.draft(self.schema, {**self.settings, **settings}, self.presets, where=self.where)

    @staticmethod
    def _changed(draft: Draft, settings: Mapping[str, Value]) -> Draft:
        """Like `_draft`, but ten times as fast. Valid if no variant of the scenario depends on varied parameters."""
        spec = Spec(draft.spec.scenario, {**draft.spec.values, **settings})
        return Draft(spec, {**draft.given, **{path: Given(v, "") for path, v in settings.items()}})

    @staticmethod
    def _apart(root: Spec, settings: Mapping[str, Value]) -> Spec:
        """Like `checked` of such a draft. Valid if no other parameter is derived from varied parameters."""
        spec = root.changed(settings)
        scenarios.check(spec)
        return spec.with_places({})


class _Answered:
    """Checks which points a recording answers."""

    def __init__(self, recording: Recording | None, schema: Schema) -> None:
        self._recording = recording
        if recording is not None:
            self._emissions = replaying.Emissions(schema)
            self._recorded = self._emissions.text(recording.spec)

    def require(self, spec: Spec) -> None:
        """Raises a UserError if there is a recording and no replay of it gives this point."""
        if self._recording is None:
            return
        if replays.why_not(spec) or self._emissions.text(spec) != self._recorded:
            replaying.require_same_emissions(self._recording, spec)


def make(
    target: str | Recording,
    schema: Schema,
    asked: Section,
    settings: Mapping[str, object] | None = None,
    presets: Sequence[str] = (),
    where: str = "hypermon.sweep",
    platform: str | os.PathLike[str] | None = None,
) -> Request:
    """Makes the request for a sweep.

    `target`: a scenario, which may have a section `sweep`, the YAML file of a sweep, or a recording. `asked` overrides
    its section.
    """
    recording = None
    if isinstance(target, Recording) or is_recording(Path(target)):
        platforms.refuse_on_recording(platform)
        recording = target if isinstance(target, Recording) else Recording(target)
        scenario, section = scenarios.of_recording(recording.spec), Section()
    else:
        scenario, section = find(str(target))
        scenario = scenario.on(platform)
    section = asked.over(section)
    space = spaces.read(section.vary, section.zips, section.conditions, section.repeats, schema)
    for path in settings or {}:
        if path in space.paths:
            raise UserError(f"{path}: is varied ({section.vary[path].where}): it cannot be set as well", where)
    return Request(
        scenario=scenario,
        settings=settings or {},
        presets=presets,
        space=space,
        metrics=_metrics(section.metrics, schema),
        schema=schema,
        where=where,
        target=target if isinstance(target, str) else str(target.path),
        platform=None if platform is None else os.fspath(platform),
        recording=recording,
    )


def find(target: str) -> tuple[Scenario, Section]:
    """Returns the scenario, with the settings of the sweep's file, and the section `sweep` of the file or scenario."""
    path = Path(os.path.expanduser(target))  # noqa: PTH111 (Path.expanduser raises for unknown users)
    if path.suffix in {".yaml", ".yml"} and path.is_file():
        document = yamlfile.read(path)
        if "scenario" in document.mapping("sweep"):
            return _file(document)
    scenario = scenarios.find_one(target)
    if scenario.sweep is None:
        return scenario, Section()
    return scenario, _section(scenario.sweep.mapping("sweep", SECTION_KEYS))


def _file(document: Item) -> tuple[Scenario, Section]:
    top = document.mapping("sweep", FILE_KEYS)
    name = top["scenario"].text("scenario")
    try:
        scenario = scenarios.find_one(name)
    except UserError as error:
        raise UserError(f"scenario: {error}", top["scenario"].where) from None
    if "platform" in top:
        scenario = scenario.on(top["platform"].text("platform"), top["platform"].where)
    own = dataclasses.replace(
        scenario,
        question=" ".join(top["question"].text("question").split()) if "question" in top else scenario.question,
        words=(
            *scenario.words,
            Words(
                presets=tuple(top["presets"].items("presets")) if "presets" in top else (),
                settings=top["set"].leaves("set") if "set" in top else {},
            ),
        ),
    )
    return own, _section(top)


def _section(entry: Mapping[str, Item]) -> Section:
    return Section(
        vary={path: _placed(item) for path, item in entry["vary"].leaves("vary").items()} if "vary" in entry else {},
        zips=[_placed(item) for item in entry["zip"].items("zip")] if "zip" in entry else (),
        conditions=_several(entry["where"], "where") if "where" in entry else (),
        repeats=_placed(entry["repeats"]) if "repeats" in entry else None,
        metrics=Placed(_metrics_of(entry["metrics"]), entry["metrics"].where) if "metrics" in entry else None,
    )


def _placed(item: Item) -> Placed:
    value: Any = item.value
    return Placed([_placed(inner) for inner in value] if isinstance(value, list) else value, item.where)


def _several(item: Item, what: str) -> list[Placed]:
    """Reads a text or a list of texts."""
    items = item.value if isinstance(item.value, list) else [item]
    return [Placed(inner.text(what), inner.where) for inner in items]


def _metrics_of(item: Item) -> list[Placed]:
    """Reads metrics: a text, a list of texts, or a mapping of names to texts."""
    if not isinstance(item.value, dict):
        return _several(item, "metrics")
    named = item.mapping("metrics").items()
    return [Placed(metric_paths.Named(name, inner.text(name)), inner.where) for name, inner in named]


def _metrics(given: Placed | None, schema: Schema) -> tuple[str, ...]:
    if given is None:
        known = {entry["path"] for entry in schema.results}
        return tuple(metric for metric in metric_paths.default() if metric in known)
    assert isinstance(given.raw, list)
    checked = [metric_paths.check([one.raw], schema, one.where)[0] for one in given.raw]
    return tuple(dict.fromkeys(checked))
