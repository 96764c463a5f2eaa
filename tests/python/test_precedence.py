# SPDX-License-Identifier: BSD-3-Clause
"""The more specific setting wins, in the order given in docs/reference/scenarios.md, wherever settings are made."""

from __future__ import annotations

import itertools
import random
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pytest
import yaml

from hypermon._engine import sweeping
from hypermon._files import places
from hypermon._inputs import scenario
from hypermon._inputs.scenario import Scenario
from hypermon._model import worker
from hypermon.errors import UserError

PAGE = Path(__file__).parents[2] / "docs/reference/scenarios.md"
ORDER = re.findall(r"^\d+\. ([^:\n]+)", PAGE.read_text(), re.MULTILINE)
DEFAULTS = {"place.attempts": 1000, "node.tick_ms": 50, "fake.events": 1000, "os.syscall_us": 100, "nodes": 8}
CHOICES = (1, 2, 4, 8, 16)
FILES = {"the base's": "base", "the scenario's": "own", "a sweep's file": "sweep", "the case's": "case"}
Words = dict[str, int]
Rng = random.Random


@dataclass
class Assignments:
    """The assignments to parameters at every place of the page's list, in order: `(when, set)`."""

    places: dict[str, list[tuple[Words, Words]]] = field(default_factory=dict)

    def holds(self) -> list[Words]:
        """Outcomes in which exactly those conditions hold on which the outcome rests, found by trying all."""
        pairs = [pair for place in ORDER for pair in self.places.get(place, ())]
        conditional = [i for i, (when, _) in enumerate(pairs) if when]
        found = []
        for applied in itertools.product((False, True), repeat=len(conditional)):
            chosen = dict(zip(conditional, applied, strict=True))
            outcome = dict(DEFAULTS)
            for i, (_, settings) in enumerate(pairs):
                outcome |= settings if chosen.get(i, True) else {}
            if all(all(outcome[path] == v for path, v in pairs[i][0].items()) == chosen[i] for i in conditional):
                found.append(outcome)
        return found


def words(rng: Rng, most: int = 3, paths: tuple[str, ...] = tuple(DEFAULTS)) -> Words:
    return {path: rng.choice(CHOICES) for path in rng.sample(paths, rng.randint(0, min(most, len(paths))))}


def invent(rng: Rng, root: Path, number: int) -> tuple[Assignments, dict[str, dict[str, object]]]:
    """Random settings in random places, and the files that make them."""
    given = Assignments({"the default": [({}, {})]})
    files: dict[str, dict[str, object]] = {name: {} for name in FILES.values()}
    for place in ORDER[1:]:
        file = next((name for text, name in FILES.items() if text in place), None)
        if rng.random() < 0.4:
            continue
        if "variants" in place:
            pairs = [(words(rng, 2) or {"nodes": 8}, words(rng)) for _ in range(rng.randint(1, 3))]
            assert file is not None
            files[file]["variants"] = [{"when": when, "set": settings} for when, settings in pairs]
        elif "preset" in place:
            pairs = [({}, words(rng)) for _ in range(rng.randint(1, 2))]
            names = [f"{number}-{ORDER.index(place)}-{i}" for i in range(len(pairs))]
            for name, (_, settings) in zip(names, pairs, strict=True):
                (root / f"presets/{name}.yaml").write_text(yaml.safe_dump({"set": settings}))
            files.setdefault(file or place, {})["presets"] = names
        elif place == "the platform":
            pairs = [({}, words(rng, 2, ("node.tick_ms", "os.syscall_us")))]
            (root / "machine.yaml").write_text(yaml.safe_dump({"description": "d", "source": "s", "set": pairs[0][1]}))
            files["base"]["platform"] = str(root / "machine.yaml")
        else:
            pairs = [({}, words(rng))]
            files.setdefault(file or place, {})["set"] = pairs[0][1]
        given.places[place] = pairs
    return given, files


def write(root: Path, files: Mapping[str, dict[str, object]]) -> Scenario:
    case = {key: value for key, value in files["case"].items() if key in ("set", "presets")}
    (root / "base.yaml").write_text(yaml.safe_dump({"question": "q", **files["base"]}))
    (root / "own.yaml").write_text(yaml.safe_dump({"question": "q", "base": "base", "cases": [case], **files["own"]}))
    (root / "sweep.yaml").write_text(yaml.safe_dump({"scenario": "own", **files["sweep"]}))
    return scenario.find_one("own")


@pytest.fixture
def root(scenarios: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (scenarios / "presets").mkdir()
    monkeypatch.setattr(scenario, "check", lambda *_: None)  # this test does not check whether values can be combined
    return scenarios


def agrees(outcome: Mapping[str, object], possible: list[Words]) -> bool:
    return {path: outcome[path] for path in DEFAULTS} in possible


def test_the_page_lists_every_place() -> None:
    files = [place for place in ORDER if any(text in place for text in FILES)]
    assert len(files) == 3 + 3 + 2 + 2
    others = [place for place in ORDER if place not in files]
    assert others == ["the default", "the platform", "`--preset`", "`--set`", "what a sweep varies"]


@pytest.mark.parametrize("swept", [False, True])
def test_the_nearest_of_random_settings_wins(root: Path, swept: bool) -> None:
    rng = random.Random(7)
    refused = 0
    for number in range(150):
        given, files = invent(rng, root, number)
        absent = ("the case's",) if swept else ("a sweep's file", "what a sweep varies")
        given.places = {p: pairs for p, pairs in given.places.items() if not any(text in p for text in absent)}
        presets = files.get("`--preset`", {}).get("presets", [])
        settings = files.get("`--set`", {}).get("set", {})
        varied = files.get("what a sweep varies", {}).get("set", {}) or {"fake.verbose": True}
        assert isinstance(presets, list)
        assert isinstance(settings, dict)
        assert isinstance(varied, dict)
        if swept:
            settings = {path: value for path, value in settings.items() if path not in varied}
            given.places["`--set`"] = [({}, settings)]
        possible = given.holds()
        found = write(root, files)
        try:
            if swept:
                asked = sweeping.make_request(
                    str(root / "sweep.yaml"), vary={path: [v] for path, v in varied.items()}, zips=(), conditions=(),
                    repeats=None, metrics=(), settings=settings, presets=presets,
                )  # fmt: skip
                outcome = asked.points()[1][0].spec.values
            else:
                outcome = found.draft(worker.schema(), settings, presets, found.cases[0]).spec.values
        except UserError as error:
            refused += "it cannot be said whether this one applies" in str(error)
            continue
        assert agrees(outcome, possible), (given, outcome, possible)
    assert refused < 30


def variant(when: str, settings: str) -> str:
    return f"{{when: {{{when}}}, set: {{{settings}}}}}"


def resolve(text: str, **settings: object) -> Mapping[str, object]:
    file = places.scenarios() / "one.yaml"
    file.write_text(f"question: q\n{text}")
    return scenario.find_one("one").resolve(worker.schema(), settings).values


def test_what_a_scenario_sets_holds_against_the_variants_of_its_base(root: Path) -> None:
    (root / "base.yaml").write_text(
        f"question: q\nset: {{nodes: 4}}\nvariants: [{variant('nodes: 4', 'place.attempts: 108117')}]\n"
    )
    assert resolve("base: base\nset: {place.attempts: 800}\n")["place.attempts"] == 800
    assert resolve("base: base\nset: {nodes: 2}\n")["place.attempts"] == 1000  # then the condition does not hold
    own = f"base: base\nset: {{place.attempts: 800}}\nvariants: [{variant('nodes: 4', 'place.attempts: 900')}]\n"
    assert resolve(own)["place.attempts"] == 900


@pytest.mark.usefixtures("root")
def test_a_variant_may_rest_on_another_wherever_that_stands() -> None:
    first, second = variant("port.delay: 7", "fake.events: 77"), variant("nodes: 2", "port.delay: 7")
    for text in (f"[{first}, {second}]", f"[{second}, {first}]"):
        assert resolve(f"variants: {text}\n", nodes=2)["fake.events"] == 77
        assert resolve(f"variants: {text}\n")["fake.events"] == 1000


@pytest.mark.usefixtures("root")
def test_of_two_variants_that_exclude_each_other_the_first_holds() -> None:
    text = (
        f"variants: [{variant('fake.events: 1000', 'port.delay: 1')}, {variant('port.delay: 20', 'fake.events: 1')}]\n"
    )
    values = resolve(text)
    assert (values["port.delay"], values["fake.events"]) == (1, 1000)


@pytest.mark.usefixtures("root")
def test_a_variant_that_undoes_its_own_condition_is_refused_with_its_place() -> None:
    with pytest.raises(UserError, match=r"cannot be said whether this one applies.*\(scenarios/one.yaml, line 3\)"):
        resolve(f"variants:\n  - {variant('port.delay: 20', 'port.delay: 1')}\n")


@pytest.mark.usefixtures("root")
def test_what_is_varied_is_not_set_as_well() -> None:
    (places.scenarios() / "one.yaml").write_text("question: q\nsweep: {vary: {port.delay: [1, 2]}}\n")
    with pytest.raises(UserError, match=r"port.delay: is varied \(.*one.yaml, line 2\): it cannot be set as well"):
        sweeping.make_request(
            "one", vary={}, zips=(), conditions=(), repeats=None, metrics=(), settings={"port.delay": 3}, presets=()
        )
