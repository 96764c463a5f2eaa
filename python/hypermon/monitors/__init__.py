# SPDX-License-Identifier: BSD-3-Clause
"""The monitors, each in a folder. `Monitor` is the base class of monitors, including those of other packages.

`PlotEntry` describes a monitor's figure, `Setup` a monitor's setup in comparisons of monitors.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from hypermon._model.monitors import NOTHING, PlotEntry, Registered
from hypermon._model.setups import Setup
from hypermon.errors import suggestion

if TYPE_CHECKING:  # at run time, methods import the objects that they return when they are called
    import numpy as np
    import pandas as pd
    from numpy.typing import NDArray

    from hypermon._comparing.quantities import Compared
    from hypermon._engine.extras import Extras
    from hypermon._engine.load import Loads
    from hypermon._engine.replays import Replays
    from hypermon._engine.runner import Workload
    from hypermon._model.activity import Activity
    from hypermon._model.catalogues import Event
    from hypermon._model.cost import Term
    from hypermon._model.result import Result
    from hypermon._model.schema import Value
    from hypermon._model.vocabulary import Vocabulary
    from hypermon.judging.picture import Picture
    from hypermon.report.view import View
    from hypermon.timelines.tracks import TimeLine

__all__ = ["Monitor", "PlotEntry", "Setup"]


class Monitor(Registered):
    """A value of the parameter `monitor`, and its Python side.

    A subclass sets the attributes and overrides the methods that it needs. Each method imports in its body what it
    returns: hypermon calls it only when it needs the object. Names that a subclass adds begin with `_`.
    """

    def __init_subclass__(cls) -> None:
        """Raises a TypeError for an unknown name, and for data in the place of a method."""
        for name in (name for name in vars(cls) if not name.startswith("_")):
            if not hasattr(Monitor, name):
                near = suggestion(name, [known for known in dir(Monitor) if not known.startswith("_")])
                raise TypeError(f"{cls.__name__}.{name}: hypermon.monitors.Monitor has none{near}")
            if callable(getattr(Monitor, name)) != callable(getattr(cls, name)):
                kind = "a method" if callable(getattr(Monitor, name)) else "a value"
                raise TypeError(f"{cls.__name__}.{name}: must be {kind}, as in hypermon.monitors.Monitor")

    def vocabulary(self) -> Vocabulary | None:
        """Names and roles of the monitor's parameters and results, for general code
        (`hypermon._model.vocabulary.Vocabulary`)."""
        return None

    def report(self) -> View | None:
        """The monitor's part of the page of a run (`hypermon.report.view.View`)."""
        return None

    def verdict(self) -> Callable[[Mapping[str, Any]], Sequence[str]] | None:
        """A function of a result that gives the monitor's own sentences of the run's answer, on the terminal and on the
        run's page (`hypermon._model.verdicts`): the occupancy of its buffers, say. It imports nothing that is slow."""
        return None

    def headline(self) -> Callable[[Mapping[str, Any]], Sequence[str]] | None:
        """Like `verdict`, for sentences that come before all others, such as a comparison of hardware with a model."""
        return None

    def timeline(self) -> Callable[[Result], TimeLine | None] | None:
        """A function that makes the time line of one of the monitor's runs (`hypermon.timelines.TimeLine`), or gives
        None if the run left nothing for one."""
        return None

    def pictures(self) -> Mapping[str, PlotEntry]:
        """Figures for papers, by their name in `hypermon plot` and `hypermon.pictures`. Each entry loads a
        `hypermon.pictures.plots.Plot`."""
        return NOTHING

    def compared(self) -> Compared | None:
        """The monitor's own results in a comparison (`hypermon._comparing.quantities.Compared`)."""
        return None

    def costs(self) -> Mapping[str, Term]:
        """Costs of the monitor's hardware, by the name after `cost.` (`hypermon._model.cost.Term`)."""
        return NOTHING

    def load(self) -> Loads | None:
        """The module that computes the load of the monitor's hardware (`hypermon._engine.load.Loads`)."""
        return None

    def replays(self) -> Replays | None:
        """Replays: results from a recording, without a co-simulation (`hypermon._engine.replays.Replays`)."""
        return None

    def extras(self) -> Extras | None:
        """The monitor's own options of `hypermon run`, and the run that they request
        (`hypermon._engine.extras.Extras`)."""
        return None

    def workloads(self) -> Mapping[str, Callable[[], Workload]]:
        """Workloads that run without a program, by the value of `workload`: each function gives a
        `hypermon._engine.runner.Workload`."""
        return NOTHING

    def times(self) -> Callable[[Result, pd.DataFrame], NDArray[np.int64]] | None:
        """A function of a result and its samples' frame that gives the monitor's own times of the samples, ps, beside
        its stamps."""
        return None

    def profiles(self) -> Callable[[Result], pd.DataFrame | None] | None:
        """A function of a result that gives the monitor's own profiles of the program's routines: a frame with
        `hypermon._model.routines.COLUMNS`, or None if the run left none."""
        return None

    def picture(self) -> Callable[[Result, Activity], Picture | None] | None:
        """A function of a `hypermon.Result` and its run's `hypermon.judging.Activity` that gives the analyst's picture
        of when the program computed (`hypermon.judging.Picture`), or None if the run left nothing for one. Without such
        a function a picture is made of profiles, of events or of samples."""
        return None

    def emission(self) -> Callable[[Mapping[str, Value], Event], tuple[float, float]] | None:
        """A function of a specification's values and a row of its catalogue (`hypermon._model.catalogues.Event`) that
        gives how long a node is busy with that event: us before and us after the instant that the monitor stamps,
        without the time that the catalogue declares. Pictures made of events subtract both."""
        return None

    def knob(self) -> Sequence[Setup]:
        """Setups of the monitor for comparisons, with the parameters to vary (`hypermon.monitors.Setup`)."""
        return ()
