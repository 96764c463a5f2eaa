# SPDX-License-Identifier: BSD-3-Clause
"""The parameter space of a sweep: values and ranges, products and zips, conditions, and seeds of repeats."""

from __future__ import annotations

import itertools
import math
import numbers
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

from hypermon._model import argument_checks, expressions, units
from hypermon._model.schema import Parameter, Schema, Value, nested, plain
from hypermon.errors import UserError, cut, suggestion

MOST_POINTS = 1_000_000  # (chosen) larger spaces are taken for a mistyped range
SPEC = "spec"  # optional first part of a parameter's path, as in the result
SEED = "seed"  # the parameter that differs between repeats
Number = int | float


@dataclass(frozen=True)
class Placed:
    """A value as the user gave it, and its place. `raw`: a value, a text such as `64:1024:log2`, or several of them."""

    raw: object
    where: str

    @property
    def shown(self) -> str:
        """The text for plans and manifests. A Python function is shown by its name."""
        return f"{getattr(self.raw, '__name__', 'function')}(...)" if callable(self.raw) else str(self.raw)


@dataclass(frozen=True)
class Axis:
    """One varied parameter, or the parameters of a zip, which change together."""

    paths: tuple[str, ...]
    steps: tuple[tuple[Value, ...], ...]

    @property
    def name(self) -> str:
        return "+".join(self.paths)


@dataclass(frozen=True)
class Space:
    """The product of the axes without the points that violate a condition. Every point is run once for each seed."""

    axes: tuple[Axis, ...]
    conditions: tuple[Placed, ...] = ()
    repeats: int | tuple[int, ...] | None = None  # a number of seeds, counted up from the scenario's, or the seeds

    @property
    def paths(self) -> tuple[str, ...]:
        return tuple(path for axis in self.axes for path in axis.paths)

    @property
    def size(self) -> int:
        """Number of points before the conditions are applied."""
        repeats = len(self.repeats) if isinstance(self.repeats, tuple) else self.repeats or 1
        return math.prod(len(axis.steps) for axis in self.axes) * repeats

    def seeds(self, base: int) -> tuple[int | None, ...]:
        """Returns a seed for every repeat. (None,) if nothing is repeated."""
        if self.repeats is None:
            return (None,)
        return self.repeats if isinstance(self.repeats, tuple) else tuple(range(base, base + self.repeats))

    def settings(self) -> Iterator[dict[str, Value]]:
        """Iterates over the product. The last axis changes fastest."""
        for steps in itertools.product(*(axis.steps for axis in self.axes)):
            yield {
                path: v
                for axis, step in zip(self.axes, steps, strict=True)
                for path, v in zip(axis.paths, step, strict=True)
            }

    def admits(self, values: Mapping[str, Value]) -> bool:
        """Do the parameters of a resolved specification meet all conditions?"""
        if not self.conditions:
            return True
        known = self._looked_at <= values.keys()  # a single component's path may be absent
        tree = nested({path: values[path] for path in self._looked_at} if known else values)
        tree[SPEC] = dict(tree)
        try:
            return all(
                given.raw(values) if callable(given.raw) else expressions.evaluate(str(given.raw), tree)
                for given in self.conditions
            )
        except expressions.ExpressionError as error:
            raise UserError(f"where: {error}", self.conditions[0].where) from None

    @cached_property
    def _looked_at(self) -> frozenset[str]:
        """The parameters that appear in the conditions."""
        texts = (str(given.raw) for given in self.conditions if not callable(given.raw))
        return frozenset(path.removeprefix(f"{SPEC}.") for text in texts for path in expressions.paths(text))

    def to_json(self) -> dict[str, Any]:
        return {
            "vary": [
                {path: [step[i] for step in axis.steps] for i, path in enumerate(axis.paths)} for axis in self.axes
            ],
            "where": [given.shown for given in self.conditions],
            "repeats": list(self.repeats) if isinstance(self.repeats, tuple) else self.repeats,
        }


def linear_range(start: Number, stop: Number, step: Number) -> list[Number]:
    """Returns equally spaced numbers, as values of a varied parameter.

    Args:
        start: The first number.
        stop: The upper end. It is included if a step reaches it exactly.
        step: The distance between consecutive numbers.

    Returns:
        start, start + step, ... up to stop.

    Raises:
        UserError: The step is zero, or leads away from the stop.

    Example:
        >>> hypermon.linear_range(1, 2, 0.25)
        [1, 1.25, 1.5, 1.75, 2]
    """
    return [_plain(x) for x in _asked(_linear, start, stop, _exact(step))]


def log2_range(start: Number, stop: Number) -> list[Number]:
    """Returns numbers that double, as values of a varied parameter.

    Args:
        start: The first number.
        stop: The upper end. It is included if a doubling reaches it exactly.

    Returns:
        start, 2 start, 4 start, ... up to stop.

    Raises:
        UserError: The start is not positive, or above the stop.

    Example:
        >>> hypermon.log2_range(64, 1024)
        [64, 128, 256, 512, 1024]
    """
    return [_plain(x) for x in _asked(_doubling, start, stop)]


def log_range(start: Number, stop: Number, points: int) -> list[Number]:
    """Returns numbers at equal ratios, as values of a varied parameter.

    Args:
        start: The first number.
        stop: The last number. Both ends are included.
        points: Number of values.

    Returns:
        The numbers. If both ends are integers, they are rounded to integers, without duplicates.

    Raises:
        UserError: An end is not positive, or there are fewer than two points.

    Example:
        >>> hypermon.log_range(100, 1000, 3)
        [100, 316, 1000]
    """
    spaced = _asked(_logarithmic, start, stop, argument_checks.integer("points", points, 2, MOST_POINTS))
    if all(isinstance(plain(end), numbers.Integral) for end in (start, stop)):
        return list(dict.fromkeys(round(x) for x in spaced))
    return [float(x) for x in spaced]


def read(
    vary: Mapping[str, Placed],
    zips: Sequence[Placed],
    conditions: Sequence[Placed],
    repeats: Placed | None,
    schema: Schema,
) -> Space:
    """Returns the requested space. Raises a UserError about the first mistake."""
    values = {path: values_of(schema.parameter(path, given.where), given) for path, given in vary.items()}
    space = Space(
        axes=_axes(values, zips),
        conditions=tuple(_condition(given, schema) for given in conditions),
        repeats=None if repeats is None else _repeats(repeats, schema),
    )
    if repeats is not None and SEED in vary:
        raise UserError(f"repeats: {SEED} is varied already", repeats.where)
    if not space.axes and space.repeats is None:
        raise UserError("nothing to vary: give --vary PATH=VALUES or --repeats N")
    if space.size > MOST_POINTS:
        raise UserError(f"the sweep has {space.size} points: must be at most {MOST_POINTS}")
    return space


def values_of(parameter: Parameter, given: Placed) -> tuple[Value, ...]:
    """Returns the requested values of one parameter, in the order given, without duplicates."""
    found: dict[Value, None] = {}
    for value in _values(parameter, given.raw, given.where):
        if value in found:
            raise UserError(f"{parameter.path}: {value} is given twice", given.where)
        found[value] = None
    if not found:
        raise UserError(f"{parameter.path}: no values to vary it over", given.where)
    return tuple(found)


def _values(parameter: Parameter, raw: object, where: str) -> Iterator[Value]:
    if isinstance(raw, Placed):
        yield from _values(parameter, raw.raw, raw.where)
    elif isinstance(raw, str):
        for text in raw.split(","):
            if ":" in text and parameter.type in ("int", "float"):
                yield from _range(parameter, text.strip(), where)
            else:
                yield parameter.parse(text.strip(), where)
    elif hasattr(raw, "tolist"):  # a NumPy array or scalar
        yield from _values(parameter, raw.tolist(), where)
    elif isinstance(raw, Iterable):
        for one in raw:
            yield from _values(parameter, one, where)
    else:
        yield parameter.parse(raw, where)


def _range(parameter: Parameter, text: str, where: str) -> Iterator[Value]:
    """Parses a range: 64:1024:64 (steps), 64:65536:log2 (doubling), 1:1000:log7 (seven values at equal ratios)."""
    forms = "must be START:STOP:STEP, START:STOP:log2 or START:STOP:logN for N values"
    parts = [part.strip() for part in text.split(":")]
    if len(parts) != 3:
        raise UserError(f"{parameter.path} = {cut(text)}: {forms}", where)
    of_rates = bool(parameter.word_bytes) and all(units.is_rate(part) for part in parts[:2])
    unit = "B/s" if of_rates else parameter.unit
    how = parts[2]
    try:
        if of_rates:
            start, stop = (units.parse(part, unit) or Fraction(0) for part in parts[:2])
        else:
            start, stop = (_end(parameter, part, where) for part in parts[:2])
        if how == "log2":
            exact = _doubling(start, stop)
        elif how.startswith("log"):
            points = units.whole(how[3:])
            if points is None:
                raise UserError(f"{parameter.path} = {cut(text)}: {forms}", where)
            exact = _logarithmic(start, stop, points)
        else:
            step = units.parse(how, unit)
            if step is None:
                raise UserError(f"{parameter.path} = {cut(text)}: {forms}", where)
            exact = _linear(start, stop, step)
        if of_rates:  # spaced as rates, each rounded to the nearest allowed time
            exact = [units.time_of_word(rate, parameter.word_bytes, parameter.unit) for rate in exact]
        if of_rates or (how.startswith("log") and how != "log2"):
            exact = _rounded(parameter, exact)
    except ValueError as error:
        raise UserError(f"{parameter.path} = {cut(text)}: {error}", where) from None
    for value in exact:
        yield parameter.parse(_plain(value), where)


def _end(parameter: Parameter, text: str, where: str) -> Fraction:
    """Parses an end of a range, exactly as written. It must be an allowed value of the parameter."""
    exact = units.parse(text, parameter.unit, parameter.word_bytes, parameter.step)
    return exact or Fraction(parameter.parse(text, where))


def _rounded(parameter: Parameter, values: Iterable[Fraction]) -> list[Fraction]:
    """Rounds the values of an integer parameter, and removes duplicates."""
    if parameter.type != "int":
        return list(values)
    step = parameter.multiple_of
    return list(dict.fromkeys(Fraction(round(value / step) * step) for value in values))


def _linear(start: Fraction, stop: Fraction, step: Fraction) -> list[Fraction]:
    if step == 0 or (stop - start) / step < 0:
        raise ValueError("steps of that size do not lead from the one end to the other")
    count = (stop - start) // step + 1
    if count > MOST_POINTS:
        raise ValueError(f"has {count} values: must be at most {MOST_POINTS}")
    return [start + i * step for i in range(count)]


def _doubling(start: Fraction, stop: Fraction) -> list[Fraction]:
    if not 0 < start <= stop:
        raise ValueError("must start above 0 and not end below its start")
    values = [start]
    while values[-1] * 2 <= stop:
        values.append(values[-1] * 2)
    return values


def _logarithmic(start: Fraction, stop: Fraction, points: int) -> list[Fraction]:
    if not 0 < start < stop:
        raise ValueError("must start above 0 and end above its start")
    if not 2 <= points <= MOST_POINTS:
        raise ValueError(f"must have from 2 to {MOST_POINTS} values")
    ratio = float(stop / start)
    inner = [Fraction(float(start) * ratio ** (i / (points - 1))) for i in range(1, points - 1)]
    return [start, *inner, stop]  # the ends stay exact


def _asked(spaced: Callable[..., list[Fraction]], start: object, stop: object, *more: object) -> list[Fraction]:
    """Makes a range between two numbers. Raises a UserError if it is not valid."""
    try:
        return spaced(_exact(start), _exact(stop), *more)
    except ValueError as error:
        raise UserError(f"a range from {cut(start)} to {cut(stop)}: {error}") from None


def _exact(value: object) -> Fraction:
    """Converts 0.1 to a tenth, not to the nearest binary fraction."""
    value = plain(value)
    if isinstance(value, bool) or not isinstance(value, numbers.Real) or not math.isfinite(value):
        raise UserError(f"{cut(value)}: an end or a step of a range must be a number")
    return Fraction(str(value))


def _plain(value: Fraction) -> Number:
    return value.numerator if value.denominator == 1 else float(value)


def _axes(values: Mapping[str, tuple[Value, ...]], zips: Sequence[Placed]) -> tuple[Axis, ...]:
    """Returns the axes in order. A zip has the place of its first parameter."""
    zip_of: dict[str, tuple[str, ...]] = {}
    for given in zips:
        paths = _zip_paths(given)
        for path in paths:
            if path not in values:
                hint = suggestion(path, values) or f"; there are {', '.join(values)}"
                raise UserError(f"zip: {path} is not varied{hint}", given.where)
            if path in zip_of:
                raise UserError(f"zip: {path} is given twice", given.where)
            zip_of[path] = paths
        lengths = {path: len(values[path]) for path in paths}
        if len(set(lengths.values())) > 1:
            counts = ", ".join(f"{path} has {n}" for path, n in lengths.items())
            raise UserError(f"zip: needs as many values of each: {counts}", given.where)
    axes = dict.fromkeys(zip_of.get(path, (path,)) for path in values)
    return tuple(Axis(paths, tuple(zip(*(values[path] for path in paths), strict=True))) for paths in axes)


def _zip_paths(given: Placed) -> tuple[str, ...]:
    raw = given.raw.split(",") if isinstance(given.raw, str) else given.raw
    if not isinstance(raw, Iterable):
        raise UserError(f"zip: {raw}: must be paths that are varied together", given.where)
    paths = tuple(str(path.raw if isinstance(path, Placed) else path).strip() for path in raw)
    if len(paths) < 2:
        raise UserError(f"zip: {','.join(paths)}: needs two paths or more", given.where)
    return paths


def _condition(given: Placed, schema: Schema) -> Placed:
    """Reads a condition: an expression over existing parameters, or a function of them."""
    if callable(given.raw):
        return given
    try:
        used = expressions.paths(str(given.raw))
    except expressions.ExpressionError as error:
        raise UserError(f"where: {error}", given.where) from None
    for path in used:
        schema.parameter(path.removeprefix(f"{SPEC}."), given.where)
    return given


def _repeats(given: Placed, schema: Schema) -> int | tuple[int, ...]:
    """Reads the number of repeats, or the seeds."""
    raw = plain(given.raw)
    several = not isinstance(raw, numbers.Real) and (not isinstance(raw, str) or "," in raw or ":" in raw)
    if not several:
        count = units.whole(str(raw)) if isinstance(raw, str | numbers.Integral) else None
        if not count:
            raise UserError(
                f"repeats = {cut(raw)}: must be how many, an integer of at least 1, or the seeds: 1,5,9 or 1:5:1",
                given.where,
            )
        return count
    return tuple(int(seed) for seed in values_of(schema.parameter(SEED, given.where), given))
