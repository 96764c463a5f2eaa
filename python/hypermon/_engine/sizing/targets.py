# SPDX-License-Identifier: BSD-3-Clause
"""Targets of a sizing question: upper limits for losses, latency, timestamp errors and other results."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from hypermon._engine import replays
from hypermon._engine.designs import amounts
from hypermon._model import expressions, monitors, units, vocabulary
from hypermon._model import metrics as metric_paths
from hypermon._model.monitors import NOTHING
from hypermon._model.schema import Schema, number
from hypermon._model.spec import Spec
from hypermon.errors import UserError, suggestion

GENERATED, DELIVERED = "ledger.generated.events", "ledger.delivered.events"
LOSSES = ("data_lost", "events_lost")  # monitors may add further ones
# Short names of results. All other results are named by their paths.
ALIASES = {
    "latency_p50": "latency_us.p50",
    "latency_p99": "latency_us.p99",
    "latency_max": "latency_us.max",
    "causality_violations": "causality_violations",
}
ERROR = "timestamp_error"
Given = Mapping[str, object]
Row = Mapping[str, Any]


def losses() -> tuple[str, ...]:
    """Returns the names of all losses, including those of the monitors."""
    return *LOSSES, *(name for one in monitors.registered().values() for name in one.losses)


def names() -> tuple[str, ...]:
    """Returns the short names of targets."""
    return *losses(), *aliases(), ERROR


def aliases() -> Mapping[str, str]:
    """Returns the paths of results by their short names, including those of the monitors."""
    return ALIASES | {name: path for one in vocabulary.every() for name, path in one.targets.items()}


@dataclass(frozen=True)
class Target:
    """A number of the result that must be at most `limit`.

    Attributes:
        name: The name as requested: a short name, a path into the result, or arithmetic.
        limit: The limit in `unit`. A share (0 to 1) if `of` is not empty.
        metrics: Paths of the results from which the value is computed.
    """

    name: str
    limit: float
    unit: str
    metrics: tuple[str, ...]
    of: str = ""  # the whole that a share refers to: "data", "events", ...

    def countable(self, spec: Spec) -> bool:
        """Can the counts of a replay of such a design give the target's value?"""
        return metric_paths.countable(self.metrics, replays.counted([spec]))

    def value(self, row: Row) -> float | None:
        """Returns the target's value. None: the result has none, as the latency of a run without events."""
        found = [row[metric] for metric in self.metrics]
        if any(one is None for one in found):
            return None
        if self.of:
            lost, all_there_were = found
            return float(lost / all_there_were) if all_there_were else 0.0
        return float(max(-found[0], found[1]) if self.name == ERROR else found[0])

    def missed(self, value: float | None) -> bool:
        """Is the target missed? A missing value, as the latency of events that never arrived, counts as missed."""
        return value is None or value > self.limit

    def show(self, value: float | None) -> str:
        if value is None:
            return "none"
        if self.of:
            return f"{number(float(f'{100 * value:.4g}'))} %"
        return f"{number(value if value == int(value) else float(f'{value:.6g}'))} {self.unit}".rstrip()


def read(
    target_loss: float | None, given: Given, schema: Schema, base: Spec, named: Mapping[str, str] = NOTHING
) -> list[Target]:
    """Returns the requested targets. Raises a UserError about the first one that is not valid.

    Adds the targets that neither data nor events are lost, unless a loss is given. `named`: user-defined metrics.
    """
    found = [_read(name.strip(), raw, schema, base, named) for name, raw in given.items()]
    if target_loss is None and not any(name in given for name in (*losses(), metric_paths.LOSS)):
        target_loss = 0.0
    if target_loss is not None:
        both = ("data_lost", "events_lost")
        twice = [name for name in both if name in given]
        if twice:
            raise UserError(f"{twice[0]}: is given twice, because target_loss limits the data and the events")
        found = [_loss(name, target_loss, True, base) for name in both] + found
    return found


def pairs(given: Sequence[str]) -> dict[str, object]:
    """Parses the targets of a command line, `NAME=LIMIT` or `NAME<=LIMIT`."""
    found: dict[str, object] = {}
    for text in given:
        name, equals, limit = text.partition("<=" if "<=" in text else "=")
        if not equals or not name.strip() or not limit.strip():
            raise UserError(f"--target {text}: must be NAME=LIMIT, such as events_lost=0 or latency_p99=1ms")
        if name.strip() in found:
            raise UserError(f"--target {text}: {name.strip()} is given twice")
        found[name.strip()] = limit.strip()
    return found


def _read(name: str, raw: object, schema: Schema, base: Spec, named: Mapping[str, str]) -> Target:
    if name in (*losses(), metric_paths.LOSS):
        percent = isinstance(raw, str) and raw.strip().endswith("%")
        text = raw.strip().removesuffix("%") if isinstance(raw, str) else raw
        limit = _limit(name, text, "") / (100 if percent else 1)
        if name == metric_paths.LOSS:  # a share, with or without a percent sign
            return replace(_loss("data_lost", limit, True, base), name=name)
        return _loss(name, limit, percent, base)
    if name == ERROR:
        return Target(name, _limit(name, raw, "us"), "us", ("timestamp_error_us.min", "timestamp_error_us.max"))
    path = named.get(name, aliases().get(name, name))
    unit = metric_paths.about(path, schema)["unit"]
    try:
        (metric,) = metric_paths.check([path], schema, "")
    except (expressions.ExpressionError, UserError) as error:
        known = f"; there are {', '.join(names())}, and every number of the result (hypermon params result)"
        raise UserError(f"target {name}: {error}{suggestion(name, names()) or known}") from None
    return Target(name, _limit(name, raw, unit), unit, (metric,))


def _loss(name: str, limit: float, share: bool, base: Spec) -> Target:
    if share and not 0 <= limit < 1:
        raise UserError(f"{name} = {number(100 * limit)} %: must be a share from 0 to below 100 %")
    own_unit = ""
    if name == "data_lost":
        lost, generated = amounts(base)
    elif name == "events_lost":
        amounts(base)  # raises an error if the monitor has no losses
        lost, generated = "ledger.lost_total.events", GENERATED
    else:
        own = monitors.find(base.values["monitor"]).losses
        if name not in own:
            raise UserError(f"{name}: monitor = {base.values['monitor']} has no {name.removesuffix('_lost')}")
        lost, generated, own_unit = own[name]
    if share:
        return Target(name, limit, "", (lost, generated), of=name.removesuffix("_lost"))
    unit = own_unit or lost.rpartition(".")[2]
    return Target(name, limit, unit, (lost,))


def _limit(name: str, raw: object, unit: str) -> float:
    """Parses a number that may have a unit, and converts it to `unit`."""
    hint = f" in {unit}, as {5 if unit == 'us' else 1} {unit}" if unit else ""
    try:
        exact = units.parse(str(raw), unit)  # as text, so that True is refused: it is not a number
    except ValueError as error:
        raise UserError(f"target {name} = {raw}: {error}") from None
    if exact is None or exact < 0:
        raise UserError(f"target {name} = {raw}: must be a number from 0{hint}")
    return float(exact)
