# SPDX-License-Identifier: BSD-3-Clause
"""The conclusion of a sweep in sentences: the designs without losses, and the least buffer for each other choice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from hypermon._model import monitors, vocabulary
from hypermon._model.result import is_number, show
from hypermon._model.schema import common_path

Row = Mapping[str, Any]
MOST_NAMED = 8
"""(chosen) Values of another parameter for which the least buffer is named."""


def conclude(rows: Sequence[Row], varied: Sequence[str], metrics: Sequence[str], monitor: str | None) -> list[str]:
    """Returns sentences about finished points. `monitor`: the monitor of all points. None: it is varied."""
    done = [row for row in rows if row["status"] == "ok"]
    if not done or not metrics:
        return []
    kinds = {str(row["monitor"]) for row in done} if monitor is None else {monitor}
    losses = [path for path in metrics if path in _losses(kinds)]
    if losses:
        return _of_losses(done, varied, losses, kinds)
    return _of_numbers(done, varied, metrics[0])


def _losses(kinds: set[str]) -> set[str]:
    """Returns the paths of all results that count losses."""
    found = {"ledger.lost_total.events"}
    for kind in kinds:
        monitor = monitors.find(kind)
        found |= {f"ledger.lost_total.{monitor.unit}", *(lost for lost, _, _ in monitor.losses.values())}
    return found


def _of_losses(done: Sequence[Row], varied: Sequence[str], losses: Sequence[str], kinds: set[str]) -> list[str]:
    lossless: dict[tuple[Any, ...], bool] = {}
    for row in done:  # a point counts as lossless only if all its repeats are
        design = tuple(row[path] for path in varied)
        lossless[design] = lossless.get(design, True) and not any(row[path] for path in losses)
    good = [design for design, is_good in lossless.items() if is_good]
    sentences = [f"{len(good)} of {len(lossless)} designs {'loses' if len(good) == 1 else 'lose'} nothing."]
    sized = {vocabulary.find(kind).sized for kind in kinds}
    at = next((i for i, path in enumerate(varied) if common_path(path) in sized), None)
    if at is not None and good:
        sentences += _least(lossless, varied, at)
    return sentences


def _least(lossless: Mapping[tuple[Any, ...], bool], varied: Sequence[str], at: int) -> list[str]:
    """Returns sentences with the least lossless value of one parameter, for each choice of the others."""
    by_others: dict[tuple[Any, ...], list[tuple[Any, bool]]] = {}
    for design, good in lossless.items():
        by_others.setdefault(design[:at] + design[at + 1 :], []).append((design[at], good))
    found: dict[tuple[Any, ...], str] = {}
    for others, values in by_others.items():
        least = None
        for value, good in sorted(values, reverse=True):
            if not good:
                break
            least = value
        found[others] = "none" if least is None else show(least)
    names = [*varied[:at], *varied[at + 1 :]]
    if not names:
        return [f"Least {varied[at]} without loss: {found[()]}."]
    named = [f"{', '.join(map(show, others))}: {least}" for others, least in list(found.items())[:MOST_NAMED]]
    more = f"; {len(found) - MOST_NAMED} more" if len(found) > MOST_NAMED else ""
    return [f"Least {varied[at]} without loss for each {' and '.join(names)}: {'; '.join(named)}{more}."]


def _of_numbers(done: Sequence[Row], varied: Sequence[str], metric: str) -> list[str]:
    known = [row for row in done if is_number(row[metric])]
    if not known or not varied:
        return []
    least, most = (pick(known, key=lambda row: row[metric]) for pick in (min, max))
    if least[metric] == most[metric]:
        return [f"{metric} is {show(least[metric])} at every point."]
    where = [", ".join(f"{path} = {show(row[path])}" for path in varied) for row in (least, most)]
    return [f"{metric} is least with {where[0]}: {show(least[metric])}; most with {where[1]}: {show(most[metric])}."]
