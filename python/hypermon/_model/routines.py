# SPDX-License-Identifier: BSD-3-Clause
"""What a program's routines took over time, from samples of its profiles: by how much each grew, and its phases."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, NamedTuple, Protocol

from hypermon._model import asked, monitors, series
from hypermon._model.result import Result
from hypermon.errors import UserError, suggestion

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd
    from numpy.typing import NDArray

MEASURES = ("exclusive", "inclusive")
OTHERS = "others"
"""All that an interval has beside the routines that are shown."""
COLUMNS = ("time_s", "process", "routine", "inclusive_s", "exclusive_s")
"""Of a monitor's own profiles (`hypermon.monitors.Monitor.profiles`): a row a routine of a process's sample."""
ARRIVED = "arrived_s"
"""A further column of those that come to an analyst while the program runs: when he had the profile."""


@dataclass(frozen=True)
class Growth:
    """By how much the time in routines grew between two samples, in the mean of the processes.

    Attributes:
        edges_s: The samples' times, s; one more than there are intervals.
        routines: Those that are shown, in the order of the times at which they took theirs, then OTHERS.
        seconds: By routine and interval.
        processes: How many there are.
    """

    edges_s: NDArray[np.float64]
    routines: tuple[str, ...]
    seconds: NDArray[np.float64]
    processes: int


class Phase(NamedTuple):
    """A time in which one routine takes most."""

    routine: str
    begin_s: float
    end_s: float


def growth(result: Result, of: str = "exclusive", names: Sequence[str] = (), most: int = 11) -> Growth:
    """Of a run whose monitor samples profiles, or the counters `timer.exclusive` and `timer.inclusive`.

    Args:
        of: One of MEASURES: time in a routine alone, or with what it calls; nested ones would count twice then, so
            that `names` has to choose.
        names: Patterns (`MPI_*`) of routines; all if not given.
        most: So many of them are shown, those that take the most.

    Raises:
        UserError: The run has no such samples, or none of such routines.
    """
    asked.choice("of", of, MEASURES)
    most, names = asked.integer("most", most, 1), asked.texts("names", names)
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
    """Rows of time_s, process, routine and seconds, by time."""
    own = monitors.part(monitors.of(result["spec"]["monitor"]), HasProfiles.profiles)
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
        before = times[process][times[process] < at[0]]  # it had not been called by then
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
    """One after the other; from the first sample to the last.

    In each interval one routine takes most. Where it is another one than in the interval before, both intervals say
    when the change was: the new one's time in the first one lies before the sample between them, the old one's in the
    second one after it.
    What lasts for less than an interval may be missed.
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
        if found and found[-1].routine == of.routines[new]:  # its last phase may have ended in that interval
            before -= max(0.0, begin - float(of.edges_s[i - 1]))
        change = float(of.edges_s[i] - max(0.0, before) + of.seconds[old, i])
        found.append(Phase(of.routines[old], begin, change))
        begin = change
    return [*found, Phase(of.routines[most[-1]], begin, float(of.edges_s[-1]))]


class Traffic(NamedTuple):
    """What the nodes' interfaces to a network sent together, by second, in the interval that ends then."""

    network: str
    edges_s: NDArray[np.float64]
    bytes_per_s: NDArray[np.float64]


PROGRAMS = "interface.bytes_sent"
OTHERS_SENT = "network.bytes_sent"


def traffic(result: Result) -> list[Traffic]:
    """Of each network whose interfaces were sampled; those of the program's network with its messages."""
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
    """As Networks calls them: network.name, then each lan."""
    spec = result["spec"]
    lans = spec["lan"]
    own = lans if isinstance(lans, list) else [lans]
    return [spec["network"]["name"], *(one["name"] for one in own)]
