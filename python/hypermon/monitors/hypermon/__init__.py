# SPDX-License-Identifier: BSD-3-Clause
"""The HYPERMON monitor, which is hardware."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hypermon.monitors import Monitor, PlotEntry

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    import typer

    from hypermon._comparing.quantities import Compared
    from hypermon._engine.extras import Extras
    from hypermon._engine.load import Loads
    from hypermon._engine.replays import Replays
    from hypermon._engine.runner import Workload
    from hypermon._model.catalogues import Event
    from hypermon._model.cost import Term
    from hypermon._model.schema import Value
    from hypermon._model.vocabulary import Vocabulary
    from hypermon.monitors import Setup
    from hypermon.pictures.plots import Plot
    from hypermon.report.view import View


def _add_capture(app: typer.Typer) -> None:
    from hypermon.monitors.hypermon.cli import capture

    capture.add(app)


def _add_frames(app: typer.Typer) -> None:
    from hypermon.monitors.hypermon.cli import frames

    frames.add(app)


def _add_frontier(app: typer.Typer) -> None:
    from hypermon.monitors.hypermon.cli import frontier

    frontier.add(app)


def _add_rtl(app: typer.Typer) -> None:
    from hypermon.monitors.hypermon.cli import rtl

    rtl.add(app)


def _add_waves(app: typer.Typer) -> None:
    from hypermon.monitors.hypermon.cli import waves

    waves.add(app)


def _plot_frontier() -> Plot:
    from hypermon.monitors.hypermon.pictures.frontier import FRONTIER

    return FRONTIER


def _plot_merging() -> Plot:
    from hypermon.monitors.hypermon.pictures.frames import MERGING

    return MERGING


def _plot_occupancy() -> Plot:
    from hypermon.monitors.hypermon.pictures.occupancy import OCCUPANCY

    return OCCUPANCY


def _plot_rates() -> Plot:
    from hypermon.monitors.hypermon.pictures.frames import RATES

    return RATES


def _stream() -> Workload:
    from hypermon._engine.streams import run

    return run


def _import_capture_class() -> object:
    from hypermon.monitors.hypermon.capturing import Capture

    return Capture


def _import_design_class() -> object:
    from hypermon.monitors.hypermon.capturing import Design

    return Design


def _import_capture() -> object:
    from hypermon.monitors.hypermon.capturing import capture

    return capture


def _import_design() -> object:
    from hypermon.monitors.hypermon.capturing import design

    return design


def _import_frames() -> object:
    from hypermon.monitors.hypermon import frames

    return frames


def _import_frontier() -> object:
    from hypermon.monitors.hypermon.frontiers import frontier

    return frontier


def _import_registers() -> object:
    from hypermon.monitors.hypermon import registers

    return registers


def _import_replaying() -> object:
    from hypermon.monitors.hypermon import replaying

    return replaying


def _import_rtl() -> object:
    from hypermon.monitors.hypermon.rtl_project import rtl

    return rtl


def _import_rtl_class() -> object:
    from hypermon.monitors.hypermon.rtl_project import Rtl

    return Rtl


def _import_waves() -> object:
    from hypermon.monitors.hypermon import waves

    return waves


class _Hypermon(Monitor):
    name = "hypermon"
    unit = "nibbles"
    order = 2
    hardware = ("port", "erb", "ecb", "pbx", "reader", "drain")
    losses: Mapping[str, tuple[str, str, str]] = {
        "frames_lost": ("monitor.frames.lost", "monitor.frames.built", "frames")
    }
    tells = ("events",)

    def vocabulary(self) -> Vocabulary:
        from hypermon.monitors.hypermon.vocabulary import VOCABULARY

        return VOCABULARY

    def report(self) -> View:
        from hypermon.monitors.hypermon.report import VIEW

        return VIEW

    def verdict(self) -> Callable[[Mapping[str, Any]], Sequence[str]]:
        from hypermon.monitors.hypermon.verdict import verdict

        return verdict

    def headline(self) -> Callable[[Mapping[str, Any]], Sequence[str]]:
        from hypermon.monitors.hypermon.verdict import headline

        return headline

    def compared(self) -> Compared:
        from hypermon.monitors.hypermon import compared

        return compared

    def costs(self) -> Mapping[str, Term]:
        from hypermon.monitors.hypermon.costs import TERMS

        return TERMS

    def load(self) -> Loads:
        from hypermon.monitors.hypermon import load

        return load

    def replays(self) -> Replays:
        from hypermon.monitors.hypermon import replays

        return replays

    def emission(self) -> Callable[[Mapping[str, Value], Event], tuple[float, float]]:
        from hypermon.monitors.hypermon.emission import emission

        return emission

    def knob(self) -> Sequence[Setup]:
        from hypermon.monitors.hypermon.knob import SETUPS

        return SETUPS

    def extras(self) -> Extras:
        from hypermon.monitors.hypermon.cli import wave_options

        return wave_options

    def pictures(self) -> Mapping[str, PlotEntry]:
        return {
            "frontier": PlotEntry(
                "Least frame FIFO depth for each drain bandwidth. Needs a recorded run.",
                _plot_frontier,
            ),
            "merging": PlotEntry(
                "Share of merged data against the rate of frames.",
                _plot_merging,
                by="Draw one line for each value of this parameter.",
            ),
            "occupancy": PlotEntry("Occupancy of the frame FIFO over time. Needs a recorded run.", _plot_occupancy),
            "rates": PlotEntry("Frames per second in 100 intervals.", _plot_rates),
        }

    def workloads(self) -> Mapping[str, Callable[[], Workload]]:
        return {"stream": _stream}

    def commands(self) -> Mapping[str, Callable[[typer.Typer], None]]:
        return {
            "capture": _add_capture,
            "frames": _add_frames,
            "frontier": _add_frontier,
            "rtl": _add_rtl,
            "waves": _add_waves,
        }

    def names(self) -> Mapping[str, Callable[[], object]]:
        return {
            "Capture": _import_capture_class,
            "Design": _import_design_class,
            "Rtl": _import_rtl_class,
            "capture": _import_capture,
            "design": _import_design,
            "frames": _import_frames,
            "frontier": _import_frontier,
            "registers": _import_registers,
            "replaying": _import_replaying,
            "rtl": _import_rtl,
            "waves": _import_waves,
        }

    def pages(self) -> Mapping[str, str]:
        from hypermon.monitors.hypermon.reference import pages

        return pages()


MONITOR = _Hypermon()
