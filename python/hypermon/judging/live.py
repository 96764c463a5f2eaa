# SPDX-License-Identifier: BSD-3-Clause
"""The picture while the program runs: at each instant, the latest state that has arrived is assumed to continue."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from hypermon._model.activity import AGES
from hypermon._model.result import Result
from hypermon.judging.curves import Curve, curve_from_slopes
from hypermon.judging.picture import NEVER, NodePicture, Picture

QUANTILES = dict(zip(AGES, (0.5, 0.99, 1.0), strict=True))


def ages(result: Result, seen: Picture, end_ps: int) -> Mapping[str, int]:
    """Returns quantiles of the latency of the picture's data, ps.

    Quantiles that are NEVER are left out, and so are all if no data arrived before the end. If the picture has no times
    of arrival, these are the latencies in the result.
    """
    told = [node.arrivals for node in seen.nodes if node is not None and node.arrivals is not None]
    if not told:
        sampling = result.get("sampling") or {}
        latencies = result.get("latency_us") or sampling.get("age_us") or {}
        return {age: round(float(latencies[age]) * 1e6) for age in AGES if latencies.get(age) is not None}
    times, of_each = np.concatenate(told).T
    if not (times + of_each < end_ps).any():
        return {}
    of_each = np.sort(of_each)
    found = {age: int(of_each[math.ceil(share * len(of_each)) - 1]) for age, share in QUANTILES.items()}
    return {age: value for age, value in found.items() if value < NEVER}


def mean_age(seen: Picture) -> int | None:
    """Returns the mean latency of the data that arrived, ps. None: the picture has no times of arrival."""
    told = [node.arrivals[:, 1] for node in seen.nodes if node is not None and node.arrivals is not None]
    came = np.concatenate(told) if told else np.zeros(0)
    came = came[came < NEVER]
    return round(float(came.mean())) if len(came) else None


def with_latency(nodes: Sequence[NodePicture], in_hindsight: bool, age_ps: int, end_ps: int) -> list[Curve]:
    """Returns the curves if all data have the latency `age_ps`."""
    return [lagging(node.curve, _known_ps(node.curve, in_hindsight) + age_ps, end_ps) for node in nodes]


def with_actual_latencies(
    nodes: Sequence[NodePicture], in_hindsight: bool, otherwise_ps: int, end_ps: int
) -> list[Curve]:
    """Returns the curves with the actual latencies. Nodes without times of arrival have the latency `otherwise_ps`."""
    curves = []
    for node in nodes:
        at = _known_ps(node.curve, in_hindsight)
        age: NDArray[np.int64] | int = otherwise_ps
        if node.arrivals is not None and len(node.arrivals):
            last = np.searchsorted(node.arrivals[:, 0], at, side="right") - 1
            age = node.arrivals[np.maximum(last, 0), 1]
        curves.append(lagging(node.curve, at + age, end_ps))
    return curves


def _known_ps(curve: Curve, in_hindsight: bool) -> NDArray[np.int64]:
    """Returns the time at which each piece of a curve becomes true: its begin for a state, its end for a mean."""
    return curve.times_ps[1:] if in_hindsight else curve.times_ps[:-1]


def lagging(curve: Curve, known_ps: NDArray[np.int64], end_ps: int) -> Curve:
    """Returns the curve that an analyst draws who learns each piece of `curve` at the time in `known_ps`.

    A piece that arrives after a later one has no effect. Before the first piece arrives, no rank computes.
    """
    order = np.argsort(known_ps, kind="stable")
    known, latest = known_ps[order], np.maximum.accumulate(order)
    soon = known < end_ps
    return curve_from_slopes(np.append(known[soon], end_ps), curve.slopes()[latest[soon]])
