# SPDX-License-Identifier: BSD-3-Clause
"""Time of a program's routines over time, and the program's phases, from samples of its profiles."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, NamedTuple, Protocol

from hypermon._model import argument_checks, monitors, series
from hypermon._model.result import Result
from hypermon.errors import UserError, suggestion

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd
    from numpy.typing import NDArray

MEASURES = ("exclusive", "inclusive")
OTHERS = "others"
"""Name of the remaining time of an interval, which is not in a shown routine."""
COLUMNS = ("time_s", "process", "routine", "inclusive_s", "exclusive_s")
"""Columns of a monitor's own profiles (`hypermon.monitors.Monitor.profiles`), with a row for each routine, process and
sample."""
ARRIVED = "arrived_s"
"""Further column of profiles that arrive while the program runs: the time of arrival."""


@dataclass(frozen=True)
class Growth:
    """Growth of the time in routines between consecutive samples, averaged over the processes.

    Attributes:
        edges_s: Times of the samples, s. There is one more than there are intervals.
        routines: The shown routines, sorted by the mean time at which they ran, and then OTHERS.
        seconds: Growth by routine and interval, s.
        processes: Number of processes.
    """

    edges_s: NDArray[np.float64]
    routines: tuple[str, ...]
    seconds: NDArray[np.float64]
    processes: int


class Phase(NamedTuple):
    """A phase of the program, in which one routine takes the largest share of time."""

    routine: str
    begin_s: float
    end_s: float


def growth(result: Result, of: str = "exclusive", names: Sequence[str] = (), most: int = 11) -> Growth:
    """Computes the growth of routines.

    Args:
        result: A run whose monitor samples profiles, or the counters `timer.exclusive` or `timer.inclusive`.
        of: One of MEASURES: time in a routine without or with the routines that it calls. The second counts nested
            routines twice, so `names` should select some that are not nested.
        names: Patterns (`MPI_*`) of routines. By default all.
        most: Largest number of shown routines. Those with the most time are shown.

    Raises:
        UserError: The run has no such samples, or none of such routines.
    """
    argument_checks.choice("of", of, MEASURES)
    most, names = argument_checks.integer("most", most, 1), argument_checks.texts("names", names)
    frame = _profiles(result, of)
    used = frame[frame["seconds"] > 0]
    known = sorted(used["routine"].unique())
    for name in names:
        if not any(fnmatchcase(one, name) for one in known):
            raise UserError(f"routine {name}: the run has none: {', '.join(known)}{suggestion(name, known)}")
    chosen = [one for one in known if not names or any(fnmatchcase(one, name) for name in names)]
    return _grown(used[used["routine"].isin(chosen)], frame, most)


class HasProfiles(Protocol):
    def profiles(self) -> Callable[[Result], pd.DataFrame | None] | None: ...


def _profiles(result: Result, of: str) -> pd.DataFrame:
    """Returns rows of time_s, process, routine and seconds, sorted by time."""
    own = monitors.part(monitors.find(result["spec"]["monitor"]), HasProfiles.profiles)
    frame = own(result) if own is not None else None
    if frame is not None:
        frame = frame.rename(columns={f"{of}_s": "seconds"})[["time_s", "process", "routine", "seconds"]]
    else:
        name = f"timer.{of}"
        if name not in series.kinds(result):
            raise UserError(f"{result.path}: has no profiles of routines, nor samples of {name}")
        frame = series.timed(result, [name])
        frame["process"] = frame.groupby(["node", "part"], dropna=False).ngroup()
        frame["seconds"] = frame["value"] / series.PS_PER_S
        frame = frame.rename(columns={"item": "routine"})[["time_s", "process", "routine", "seconds"]]
    return frame.sort_values("time_s", kind="stable", ignore_index=True)


def _grown(frame: pd.DataFrame, of_all: pd.DataFrame, most: int) -> Growth:
    import numpy as np

    times: dict[Hashable, NDArray[np.float64]] = {
        process: np.unique(own["time_s"]) for process, own in of_all.groupby("process", sort=True)
    }
    first, last = max(t[0] for t in times.values()), min(t[-1] for t in times.values())
    edges = next(iter(times.values()))
    edges = edges[(edges >= first) & (edges <= last)]
    if len(edges) < 2:
        raise UserError("two samples or more of each process make a difference")
    levels: dict[str, NDArray[np.float64]] = {}
    for (name, process), own in frame.groupby(["routine", "process"], sort=True, observed=True):
        own = own.drop_duplicates("time_s", keep="last")
        at, seconds = own["time_s"].to_numpy(), own["seconds"].to_numpy()
        before = times[process][times[process] < at[0]]  # no entry yet: the routine had not been called
        at, seconds = np.append(before[-1:], at), np.append(np.zeros(len(before[-1:])), seconds)
        routine = str(name)
        levels[routine] = levels.get(routine, np.zeros(len(edges))) + np.interp(edges, at, seconds)
    lengths = np.diff(edges)
    grown = {routine: np.diff(level).clip(min=0) / len(times) for routine, level in levels.items()}
    shown = [one for one in sorted(grown, key=lambda one: (-grown[one].sum(), one)) if grown[one].any()]
    shown = sorted(shown[:most], key=lambda one: float((grown[one] * edges[1:]).sum() / grown[one].sum()))
    rest = (lengths - sum(grown[routine] for routine in shown)).clip(min=0)
    return Growth(edges, (*shown, OTHERS), np.array([*(grown[routine] for routine in shown), rest]), len(times))


def phases(of: Growth) -> list[Phase]:
    """Finds the phases from the first sample to the last, in sequence.

    In each interval one routine takes most of the time. If it changes between two intervals, the time of the change
    follows from the sample between them: the new routine ran just before the sample for its time in the first interval,
    and the old routine just after it for its time in the second interval. Phases shorter than an interval may be
    missed.
    """
    import numpy as np

    most = np.argmax(of.seconds, axis=0)
    found: list[Phase] = []
    begin = float(of.edges_s[0])
    for i in range(1, len(most)):
        old, new = most[i - 1], most[i]
        if new == old:
            continue
        before = of.seconds[new, i - 1]
        if found and found[-1].routine == of.routines[new]:  # its previous phase may have ended here
            before -= max(0.0, begin - float(of.edges_s[i - 1]))
        change = float(of.edges_s[i] - max(0.0, before) + of.seconds[old, i])
        found.append(Phase(of.routines[old], begin, change))
        begin = change
    return [*found, Phase(of.routines[most[-1]], begin, float(of.edges_s[-1]))]


class Traffic(NamedTuple):
    """Rate at which all nodes' interfaces to a network sent, at the ends of the sampling intervals."""

    network: str
    edges_s: NDArray[np.float64]
    bytes_per_s: NDArray[np.float64]


PROGRAMS = "interface.bytes_sent"
OTHERS_SENT = "network.bytes_sent"


def traffic(result: Result) -> list[Traffic]:
    """Returns the traffic of each network whose interfaces were sampled, including the program's messages."""
    import numpy as np

    try:
        counted = [name for name in (PROGRAMS, OTHERS_SENT) if name in series.kinds(result)]
    except UserError:  # no samples at all
        return []
    if not counted:
        return []
    frame = series.timed(result, counted)
    frame["network"] = np.where(frame["counter"] == PROGRAMS, 0, frame["part"])
    names = _networks(result)
    found = []
    for number in sorted(frame["network"].unique().tolist()):
        own = frame[frame["network"] == number]
        levels = [series._levels(of) for _, of in own.groupby(["node", "counter"], sort=True, observed=True)]
        edges, level = series._sum(levels, grows=True)
        kept = series._apart(edges)
        found.append(Traffic(names[number], edges[kept], np.diff(level[kept]) / np.diff(edges[kept])))
    return found


def _networks(result: Result) -> list[str]:
    """Returns the names of the networks in the worker's order: network.name, then each lan."""
    spec = result["spec"]
    lans = spec["lan"]
    own = lans if isinstance(lans, list) else [lans]
    return [spec["network"]["name"], *(one["name"] for one in own)]
