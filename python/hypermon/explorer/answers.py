# SPDX-License-Identifier: BSD-3-Clause
"""The explorer's answers: a design's counts while a slider moves; its buffer over time and the rest when it rests."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from hypermon._engine import unobserved
from hypermon._engine.replaying import replay_spec, require_same_emissions
from hypermon._model import cost, monitors, run_cards, verdicts, vocabulary
from hypermon._model.cards import BAD, NEUTRAL
from hypermon._model.schema import Value, flat
from hypermon._model.spec import Spec
from hypermon._model.words import amount, count, data, figure, percent, seconds
from hypermon.errors import HypermonError
from hypermon.explorer.controls import Controls, Settings

INTERVALS = 400  # (chosen) number of intervals of the time line
KEPT = 32  # (chosen) whole answers that are kept, and as many buffers over time
PENDING = "…"  # a number that follows when the slider rests
MICRO = 1e-6
T = TypeVar("T")


@dataclass(frozen=True)
class Answer:
    """Data of a design that the page shows.

    Attributes:
        verdict: One to three sentences, as `hypermon replay` prints them; or an error.
        level: `good`, `bad` or `neutral`.
        rows: Numbers as text, by their label.
        error: Whether the design cannot be replayed.
    """

    verdict: str
    level: str = NEUTRAL
    rows: Mapping[str, str] = field(default_factory=dict)
    error: bool = False


@dataclass(frozen=True)
class Buffer:
    """The monitor's buffer over time.

    Attributes:
        timeline: `Replays.timeline` without its histogram. None: there is none for this design.
        depth: Depth of the buffer.
        error: Whether the design cannot be replayed.
    """

    timeline: Mapping[str, Any] | None = None
    depth: float | None = None
    error: bool = False


class Kept(Generic[T]):
    """Computes a value for each design, one at a time, and keeps the newest ones. May be called by several threads."""

    def __init__(self, compute: Callable[[Settings], T]) -> None:
        self._compute = compute
        self._kept: OrderedDict[tuple[tuple[str, str], ...], T] = OrderedDict()
        self._lock = threading.Lock()
        self._computing = threading.Lock()

    def known(self, settings: Settings) -> T | None:
        """Returns the value if it is kept."""
        with self._lock:
            return self._kept.get(_key(settings))

    def get(self, settings: Settings, still_wanted: Callable[[], bool]) -> T | None:
        """Returns the value. None: it is no longer wanted."""
        if (known := self.known(settings)) is not None:
            return known
        with self._computing:
            if not still_wanted():
                return None
            found = self.known(settings) or self._compute(settings)
        with self._lock:
            self._kept[_key(settings)] = found
            while len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        return found


class Answers:
    """Answers for the designs of one recording. May be called by several threads."""

    def __init__(self, controls: Controls) -> None:
        self.controls = controls
        self._counting = threading.Lock()
        self._answers = Kept(lambda settings: _or_error(self._rested, settings))
        self._buffers = Kept(self._buffer)

    def moving(self, settings: Settings, still_wanted: Callable[[], bool] = lambda: True) -> Answer | None:
        """Returns the counts of a design, or its whole answer if it is known. None: it is no longer wanted."""
        if (known := self.known(settings)) is not None:
            return known
        with self._counting:
            if not still_wanted():
                return None
            counts = _or_error(self._moving, settings)
        return self.known(settings) or counts  # counts must not replace a whole answer that was found meanwhile

    def rested(self, settings: Settings, still_wanted: Callable[[], bool] = lambda: True) -> Answer | None:
        """Returns the whole answer of a design. None: it is no longer wanted."""
        return self._answers.get(settings, still_wanted)

    def buffer(self, settings: Settings, still_wanted: Callable[[], bool] = lambda: True) -> Buffer | None:
        """Returns a design's buffer over time, which is computed sooner than the whole answer. None: as in `rested`."""
        return self._buffers.get(settings, still_wanted)

    def recorded(self) -> dict[str, str]:
        """Returns the numbers of the recorded run."""
        recording = self.controls.recording
        return rows(flat(recording.result), recording.spec.values)

    def known(self, settings: Settings) -> Answer | None:
        """Returns the whole answer of a design if it is kept."""
        return self._answers.known(settings)

    def _moving(self, settings: Settings) -> Answer:
        spec = self.controls.spec(settings)
        how, recording = self.controls.how, self.controls.recording
        require_same_emissions(recording, spec)
        if not how.COUNTED or not how.counts_apart(spec):
            return Answer(f"Replaying {PENDING}", rows=rows({}, spec.values))
        (numbers,) = how.count(recording, [spec])
        return Answer(f"{_counted(numbers, spec)} {PENDING}", rows=rows(numbers, spec.values))

    def _rested(self, settings: Settings) -> Answer:
        spec = self.controls.spec(settings)
        result = replay_spec(self.controls.recording, spec)
        return Answer(
            verdict=" ".join(verdicts.sentences(result, unobserved.kept_s(spec))),
            level=run_cards.level(result),
            rows=rows(flat(result.to_dict()), spec.values),
        )

    def _buffer(self, settings: Settings) -> Buffer:
        how, recording = self.controls.how, self.controls.recording
        try:
            spec = self.controls.spec(settings)
            require_same_emissions(recording, spec)
            if not how.LEVELS or not how.counts_apart(spec):
                return Buffer()
            timeline = how.timeline(recording, spec, INTERVALS, histogram=False)
        except (HypermonError, MemoryError):  # the whole answer names the error
            return Buffer(error=True)
        depth = spec.values.get(vocabulary.find(spec.values["monitor"]).sized)
        return Buffer(timeline, float(depth) if isinstance(depth, int | float) else None)


def _or_error(answer: Callable[[Settings], Answer], settings: Settings) -> Answer:
    """Returns the answer. A design that cannot be replayed has the error as its verdict."""
    try:
        return answer(settings)
    except HypermonError as error:
        return Answer(str(error), level=BAD, error=True)
    except MemoryError:
        return Answer("not enough memory on this machine for this design", level=BAD, error=True)


def _key(settings: Settings) -> tuple[tuple[str, str], ...]:
    return tuple(sorted(settings.items()))


def _counted(numbers: Mapping[str, Any], spec: Spec) -> str:
    unit = monitors.find(spec.values["monitor"]).unit
    lost, generated = numbers[f"ledger.lost_total.{unit}"], numbers[f"ledger.generated.{unit}"]
    return f"{count(lost)} of {amount(generated, unit)} ({percent(lost / generated if generated else 0)}) lost"


def rows(numbers: Mapping[str, Any], values: Mapping[str, Value]) -> dict[str, str]:
    """Returns the numbers of a design as text, by their label. Those that are not counted yet are PENDING.

    `numbers`: a result, or counts, by path. `values`: the design's parameters.
    """
    own = monitors.find(values["monitor"])
    found = {f"{unit} lost": _lost(numbers, unit) for unit in dict.fromkeys(("events", own.unit)) if unit}
    words = vocabulary.find(values["monitor"])
    for path in words.metrics:
        name, _, unit = words.labels.get(path, path.partition(".")[2].replace(".", " ")).partition(", ")
        found[name] = f"{figure(numbers[path])} {unit}".rstrip() if path in numbers else PENDING
    is_whole = "latency_us" in numbers or "latency_us.max" in numbers
    for key, name in (("p50", "median"), ("p99", "99th percentile"), ("max", "longest")):
        found[f"latency, {name}"] = _time([numbers.get(f"latency_us.{key}")], is_whole)
    ends = [numbers.get(f"timestamp_error_us.{end}") for end in ("min", "max")]
    found["timestamp error, largest"] = _time(ends, is_whole)
    own_terms = monitors.part(own, cost.HasCosts.costs) or {}
    for name, value in cost.terms(values).items():
        if name not in own_terms:
            continue
        unit = own_terms[name].unit
        label = name.removesuffix("_bits").removesuffix("_bytes_per_s").replace("_", " ")
        found[f"cost: {label}"] = f"{data(value)}/s" if unit == "B/s" else f"{figure(value)} {unit}".rstrip()
    return found


def _lost(numbers: Mapping[str, Any], unit: str) -> str:
    lost, generated = numbers.get(f"ledger.lost_total.{unit}"), numbers.get(f"ledger.generated.{unit}")
    if lost is None or generated is None:
        return PENDING
    return f"{count(lost)} ({percent(lost / generated)})" if lost else count(lost)


def _time(found: Sequence[float | None], is_whole: bool) -> str:
    """Formats the largest absolute value of times in us. A whole result may have none of them."""
    known = [abs(value) for value in found if value is not None]
    return seconds(MICRO * max(known)) if known else "none" if is_whole else PENDING
