# SPDX-License-Identifier: BSD-3-Clause
"""What the general parts say and ask of a monitor's own parameters and results (`Monitor.vocabulary`)."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import NamedTuple, Protocol

from hypermon._model import monitors
from hypermon._model.monitors import NOTHING


class Vocabulary(NamedTuple):
    """Of one monitor, by paths of its parameters and results.

    Attributes:
        sized: The parameter that `hypermon size` sizes if nobody names one, and losses are drawn against.
        emits: Sections of parameters that decide what its nodes do; its other ones do not.
        slower: Parameters of which more is slower, cheaper hardware.
        words: Parameters in ns that are the time of so many bytes, which a rate says too (`3.6MB/s`).
        metrics: Results that a sweep keeps if nobody names any, and shows first; counts of replays suffice for them.
        targets: Names of their own for results that a design may be held to.
        labels: What axes call parameters and results, with their unit.
        series: Results that are lists over time, and the result that is the time from one of their values to the next.
        harms: Results of which any amount is unwanted, and their names in a sentence. A sizing mentions them where no
            target limits them.
        remarks: Sentences that explain results that are compared between designs.
    """

    sized: str = ""
    emits: tuple[str, ...] = ()
    slower: tuple[str, ...] = ()
    words: Mapping[str, int] = NOTHING
    metrics: tuple[str, ...] = ()
    targets: Mapping[str, str] = NOTHING
    labels: Mapping[str, str] = NOTHING
    series: Mapping[str, str] = NOTHING
    harms: Mapping[str, str] = NOTHING
    remarks: Mapping[str, str] = NOTHING


class HasVocabulary(Protocol):
    def vocabulary(self) -> Vocabulary | None: ...


def of(monitor: object) -> Vocabulary:
    """That of a monitor."""
    return monitors.part(monitors.of(monitor), HasVocabulary.vocabulary) or Vocabulary()


@functools.cache
def by_monitor() -> Mapping[str, Vocabulary]:
    """Those of all, in the monitors' order."""
    return monitors.parts(HasVocabulary.vocabulary)


def every() -> tuple[Vocabulary, ...]:
    """The same without names."""
    return tuple(by_monitor().values())
