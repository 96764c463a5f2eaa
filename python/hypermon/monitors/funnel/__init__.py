# SPDX-License-Identifier: BSD-3-Clause
"""A trace funnel: messages of the chips' nodes share links, a formatter and a sink (docs/design/funnel.md)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hypermon.monitors import Monitor

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    import typer

    from hypermon._comparing.quantities import Compared
    from hypermon._engine.load import Loads
    from hypermon._engine.replays import Replays
    from hypermon._engine.runner import Workload
    from hypermon._model.catalogues import Event
    from hypermon._model.cost import Term
    from hypermon._model.schema import Value
    from hypermon._model.vocabulary import Vocabulary
    from hypermon.monitors import Setup
    from hypermon.report.view import View


def _add_chip_waves(app: typer.Typer) -> None:
    from hypermon.monitors.funnel import chip_waves

    chip_waves.add(app)


def _stream() -> Workload:
    from hypermon._engine.streams import run

    return run


class _Funnel(Monitor):
    name = "funnel"
    unit = "bytes"
    order = 3
    hardware = (
        "stimulus",
        "funnel",
        "funnel_source",
        "funnel_protocol",
        "funnel_link",
        "funnel_formatter",
        "funnel_sink",
    )
    tells = ("events",)

    def vocabulary(self) -> Vocabulary:
        from hypermon.monitors.funnel.vocabulary import VOCABULARY

        return VOCABULARY

    def report(self) -> View:
        from hypermon.monitors.funnel.report import VIEW

        return VIEW

    def verdict(self) -> Callable[[Mapping[str, Any]], Sequence[str]]:
        from hypermon.monitors.funnel.verdict import verdict

        return verdict

    def compared(self) -> Compared:
        from hypermon.monitors.funnel import compared

        return compared

    def costs(self) -> Mapping[str, Term]:
        from hypermon.monitors.funnel.costs import TERMS

        return TERMS

    def load(self) -> Loads:
        from hypermon.monitors.funnel import load

        return load

    def replays(self) -> Replays:
        from hypermon.monitors.funnel import replays

        return replays

    def emission(self) -> Callable[[Mapping[str, Value], Event], tuple[float, float]]:
        from hypermon.monitors.funnel.emission import emission

        return emission

    def knob(self) -> Sequence[Setup]:
        from hypermon.monitors.funnel.knob import SETUPS

        return SETUPS

    def commands(self) -> Mapping[str, Callable[[typer.Typer], None]]:
        return {"chip-waves": _add_chip_waves}

    def workloads(self) -> Mapping[str, Callable[[], Workload]]:
        return {"stream": _stream}


MONITOR = _Funnel()
