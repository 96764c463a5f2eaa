# SPDX-License-Identifier: BSD-3-Clause
"""Information about a monitor's own parameters and results that general code needs (`Monitor.vocabulary`)."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import NamedTuple, Protocol

from hypermon._model import monitors
from hypermon._model.monitors import NOTHING


class Vocabulary(NamedTuple):
    """The vocabulary of one monitor. Parameters and results are given by their paths.

    Attributes:
        sized: Default parameter of `hypermon size`, against which losses are plotted.
        emits: Sections of the monitor's parameters that influence its nodes. Its other sections do not.
        slower: Parameters whose larger values mean slower, cheaper hardware.
        words: Parameters that are the time in ns of a number of bytes, which may be given as a rate (`3.6MB/s`).
        metrics: Default metrics of a sweep, which it shows first. The counts of replays suffice for them.
        targets: Short names of results that a sizing target may limit.
        labels: Axis labels of parameters and results, with their unit.
        series: Results that are lists over time, each with the result that is the time between their values.
        harms: Results that are unwanted unless they are zero, with their names in a sentence. A sizing mentions them if
            no target limits them.
        remarks: Sentences that explain results in comparisons of designs.
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


def find(monitor: object) -> Vocabulary:
    """Returns the vocabulary of a monitor."""
    return monitors.part(monitors.find(monitor), HasVocabulary.vocabulary) or Vocabulary()


@functools.cache
def by_monitor() -> Mapping[str, Vocabulary]:
    """Returns the vocabularies of all monitors by name, in the monitors' order."""
    return monitors.parts(HasVocabulary.vocabulary)


def every() -> tuple[Vocabulary, ...]:
    """Returns the vocabularies of all monitors."""
    return tuple(by_monitor().values())
