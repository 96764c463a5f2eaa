# SPDX-License-Identifier: BSD-3-Clause
"""Every event of a recording with its fate in a monitor: its timestamp and time of delivery, or the place of its loss.

Times are integer picoseconds (`_ps`), so that sums and comparisons are exact.
"""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Unpack, cast

import numpy as np
from numpy.typing import NDArray

from hypermon._engine import replaying
from hypermon._engine.recording import Recording
from hypermon._engine.replaying import Fates
from hypermon._files import memory
from hypermon._files.scratch import Scratch, Sorted
from hypermon._model import argument_checks, catalogues, run_cards, verdicts
from hypermon._model.cards import Card, Shown
from hypermon._model.result import Result
from hypermon.timelines import messages

if TYPE_CHECKING:
    import pandas as pd

    from hypermon._core import EventColumns
    from hypermon._model.spec import Spec
    from hypermon.parameters import Parameters
    from hypermon.timelines.window import Window

SIDES = ("none", "send", "receive")
SPURIOUS = ("node", "type", "monitor_ps", "delivered_ps", "number")
BYTES_OF_AN_EVENT = 200  # (measured) memory per event while the table of all events is made
MESSAGE_COLUMNS = {
    "message": np.uint64,
    "sender": np.uint16,
    "receiver": np.uint16,
    "sent_ps": np.int64,
    "received_ps": np.int64,
    "flight_ps": np.int64,
    "monitor_flight_ps": np.int64,
    "software_flight_ps": np.int64,
}


@dataclass(frozen=True, repr=False)
class Truth(Shown):
    """All events of a recording with their fates in one monitor. Tables have their columns' units in `attrs["units"]`.

    Memory does not grow with the recording, except for the tables. `events` takes about 100 bytes per event, and twice
    as much while it is made. `pieces()` gives the same rows in tables of bounded length.

    `events` has a row for each burst of the recording, in order, with these columns:
    - `node`, `type` (the catalogue's name), `arg0` to `arg2`, `message` (0: none) and `side` (none, send, receive);
    - true times: `emitted_ps`, the begin of the event's emission, `done_ps`, the end of its emission, and `true_ps`,
      when its first datum left the node;
    - `monitor_ps`, the monitor's timestamp, `error_ps` = monitor_ps - true_ps, and `delivered_ps`, when the monitor had
      the whole event; missing if it was lost;
    - `software_ps`, the time of the node's own drifting clock at `emitted_ps`, and `software_error_ps`;
    - `lost_stage` and `lost_cause`, as in the ledger; missing if it was delivered.

    `messages` has a row for each message with both ends in the recording, in the order of the sends: `message`,
    `sender`, `receiver`, the true times `sent_ps` and `received_ps` of the two events, and the time of flight by true
    time (`flight_ps`), by the monitor's timestamps (`monitor_flight_ps`, missing if an end was lost) and by software
    timestamps (`software_flight_ps`). A negative time of flight is an order violation.

    `spurious` has the events that were decoded but never emitted: `node`, `type`, `monitor_ps`, `delivered_ps`.
    """

    recording: Recording
    spec: Spec
    result: Result
    fates: Fates

    @cached_property
    def events(self) -> pd.DataFrame:
        """A row for each burst of the recording."""
        return self._whole(self.pieces(), BYTES_OF_AN_EVENT * len(self))

    @cached_property
    def messages(self) -> pd.DataFrame:
        """A row for each message with both ends in the recording."""
        return self._whole(self.message_pieces())

    @cached_property
    def spurious(self) -> pd.DataFrame:
        """A row for each event that was decoded but never emitted."""
        found = [one for node in range(self.recording.nodes) for one in self.fates.spurious_of_node(node)]
        pieces = cast("list[dict[str, NDArray[Any]]]", found)
        column = {name: np.concatenate([one[name] for one in pieces] or [np.empty(0, np.int64)]) for name in SPURIOUS}
        order = np.argsort(column.pop("number"), kind="stable")
        column = {name: values[order] for name, values in column.items()}
        column["node"] = column["node"].astype(np.uint16)
        return _with_units(self._typed(column))

    @property
    def catalogue(self) -> tuple[catalogues.Event, ...]:
        """The catalogue of the events."""
        return catalogues.events_of(self.spec)

    def __reduce__(self) -> tuple[Callable[[Recording, Spec], Truth], tuple[Recording, Spec]]:
        """Copying and unpickling replay the recording, instead of storing its events."""
        return _replayed, (self.recording, self.spec)

    def _card(self) -> Card:
        return Card(
            title=f"Truth of {self.spec.scenario}: {run_cards.subject(self.result['spec'])}",
            verdict=" ".join(verdicts.sentences(self.result)),
            level=run_cards.level(self.result),
            notes=["Tables: events, messages, spurious, violations(), summary()."],
        )

    def __len__(self) -> int:
        """Number of events."""
        return sum(self.fates.events)

    def pieces(self) -> Iterator[pd.DataFrame]:
        """Yields the rows of `events`, in tables of some ten thousand rows."""
        frame = _Frames(self)
        return map(frame.make, self.fates.in_order())

    def of_node(self, node: int) -> Iterator[pd.DataFrame]:
        """Yields the rows of one node, like `pieces()`."""
        frame = _Frames(self)
        return map(frame.make, self.fates.of_node(node))

    def spurious_of_node(self, node: int) -> Iterator[pd.DataFrame]:
        """The rows of `spurious` for one node, in tables of some ten thousand rows."""
        for one in self.fates.spurious_of_node(node):
            yield self._typed({name: column for name, column in one.items() if name != "number"})

    def message_pieces(self, violations: bool = False) -> Iterator[pd.DataFrame]:
        """The rows of `messages`, or only the order violations, in one or more tables of some ten thousand rows."""
        import pandas as pd

        rows = Sorted(Scratch(), np.int64, *MESSAGE_COLUMNS.values(), np.bool_)
        found = False
        for some in messages.pairs(self):
            chosen = some[_is_violation(some)] if violations else some
            found = found or len(chosen.message) > 0
            nodes = (messages.node_of(end["place"]).astype(np.uint16) for end in (chosen.sent, chosen.received))
            times = (end["true_ps"] for end in (chosen.sent, chosen.received))
            flights = (chosen.flight_ps, chosen.monitor_flight_ps, chosen.software_flight_ps)
            rows.add(chosen.sent["row"], chosen.message, *nodes, *times, *flights, chosen.seen)
        for _, *columns, seen in itertools.chain(rows.pieces(), () if found else [rows.empty()]):
            table: dict[str, Any] = dict(zip(MESSAGE_COLUMNS, columns, strict=True))
            table["monitor_flight_ps"] = pd.arrays.IntegerArray(table["monitor_flight_ps"], ~seen)
            yield _with_units(pd.DataFrame(table, copy=False))

    def violations(self) -> pd.DataFrame:
        """The messages that were received before they were sent by the monitor's timestamps or by software's."""
        wrong = (self.messages["monitor_flight_ps"] < 0).fillna(False) | (self.messages["software_flight_ps"] < 0)
        return self.messages[wrong.to_numpy(bool)]

    def summary(self) -> pd.DataFrame:
        """Returns a row for each node, and one for `all`.

        The columns are the numbers of events, of delivered and of lost ones, and for the monitor (over delivered
        events) and for software timestamps (over all events) the least, mean and greatest timestamp error in µs, and
        the number of order violations, which count at a message's receiver.
        """
        return self.overview()[0]

    def overview(self) -> tuple[pd.DataFrame, int]:
        """The summary, and the number of messages with both ends in the recording."""
        import pandas as pd

        nodes = self.recording.nodes
        monitor, software = _Errors(nodes), _Errors(nodes)
        for events in self.pieces():
            node = events["node"].to_numpy(np.int64)
            delivered = events["error_ps"].notna().to_numpy()
            monitor.add(node[delivered], events["error_ps"].to_numpy(np.int64, na_value=0)[delivered])
            software.add(node, events["software_error_ps"].to_numpy(np.int64))
        wrong = {"monitor": np.zeros(nodes, np.int64), "software": np.zeros(nodes, np.int64)}
        found = 0
        for some in messages.pairs(self):
            receiver = messages.node_of(some.received["place"])
            found += len(receiver)
            for clock, flight_ps in (("monitor", some.monitor_flight_ps), ("software", some.software_flight_ps)):
                wrong[clock] += np.bincount(receiver[flight_ps < 0], minlength=nodes)
        everything = slice(None)
        rows = [
            {
                "events": int(software.count[which].sum()),
                "delivered": int(monitor.count[which].sum()),
                "lost": int((software.count[which] - monitor.count[which]).sum()),
                **monitor.statistics("monitor", which),
                "monitor_violations": int(wrong["monitor"][which].sum()),
                **software.statistics("software", which),
                "software_violations": int(wrong["software"][which].sum()),
            }
            for which in [*(slice(node, node + 1) for node in range(nodes)), everything]
        ]
        index = pd.Index([*map(str, range(nodes)), "all"], name="node")
        return _with_units(pd.DataFrame(rows, index=index)), found

    def is_within(self, window: Window | None, events: pd.DataFrame) -> NDArray[np.bool_]:
        """True for each event whose emission lies at least partly in the window."""
        if window is None:
            return np.ones(len(events), np.bool_)
        inside: NDArray[np.bool_] = (
            (events["done_ps"] > window.begin_ps) & (events["emitted_ps"] < window.end_ps)
        ).to_numpy()
        return inside

    def within(self, window: Window | None, events: pd.DataFrame | None = None) -> pd.DataFrame:
        """Returns the events, of all or of the given ones, whose emission lies at least partly in the window."""
        events = self.events if events is None else events
        return events if window is None else events[self.is_within(window, events)]

    def counted(self, window: Window | None) -> tuple[int, int]:
        """Number of events in the window, and number of these that were lost."""
        counts = [
            (len(shown), int(shown["lost_cause"].notna().sum()))
            for shown in (self.within(window, events) for events in self.pieces())
        ]
        return sum(shown for shown, _ in counts), sum(lost for _, lost in counts)

    def _typed(self, column: Mapping[str, Any]) -> pd.DataFrame:
        """Returns the table, with names of types instead of codes."""
        import pandas as pd

        table = pd.DataFrame(dict(column))
        table["type"] = _named(np.asarray(column["type"]), [event.name for event in self.catalogue])
        return table

    def _whole(self, pieces: Iterator[pd.DataFrame], size: int = 0) -> pd.DataFrame:
        import pandas as pd

        memory.require(size, f"a table of all {len(self)} events", "use pieces(), or the time line of a window")
        return _with_units(pd.concat(pieces, ignore_index=True))


def _is_violation(some: messages.Pairs) -> NDArray[np.bool_]:
    wrong: NDArray[np.bool_] = (some.monitor_flight_ps < 0) | (some.software_flight_ps < 0)
    return wrong


def truth(
    recording: Recording | str | os.PathLike[str],
    settings: Mapping[str, Any] | None = None,
    *,
    presets: Sequence[str] = (),
    **parameters: Unpack[Parameters],
) -> Truth:
    """Replays a recording and returns the fate of each event (`hypermon truth`).

    Args:
        recording: A recording, its file or its run directory.
        settings: As in `hypermon.replay`.
        presets: As in `hypermon.replay`.
        parameters: As in `hypermon.replay`.

    Returns:
        All events, messages and order violations. Tables have their units in `attrs["units"]`.

    Raises:
        UserError: A changed parameter influences the data that the nodes write, or the recording is damaged.

    Example:
        >>> truth = hypermon.truth(hypermon.record("table2/matmul", nodes=2, matmul={"size": 16}))
        >>> truth.events.attrs["units"]["error_ps"], int(truth.events["lost_cause"].notna().sum())
        ('ps', 0)
    """
    source = Recording(recording) if isinstance(recording, str | os.PathLike) else recording
    chosen = argument_checks.settings(settings, parameters, truth)
    return of_spec(source, replaying.resolve(source, chosen, presets, "hypermon.truth"))


def events(
    recording: Recording | str | os.PathLike[str],
    settings: Mapping[str, Any] | None = None,
    *,
    presets: Sequence[str] = (),
    **parameters: Unpack[Parameters],
) -> pd.DataFrame:
    """Returns `truth(...).events`."""
    return truth(recording, settings, presets=presets, **parameters).events


def of_spec(recording: Recording, spec: Spec) -> Truth:
    """Like `truth`, for a resolved specification."""
    return _replayed(recording, spec)


def _replayed(recording: Recording, spec: Spec) -> Truth:
    return Truth(recording, spec, *replaying.fates(recording, spec))


def _with_units(frame: pd.DataFrame) -> pd.DataFrame:
    """Adds the units of the columns, which follow from their names, to the table's attributes."""
    suffixes = {str(name): str(name).rpartition("_")[2] for name in frame.columns}
    frame.attrs["units"] = {name: unit if unit in ("ps", "us") else "" for name, unit in suffixes.items()}
    return frame


class _Frames:
    """Makes tables of events from their fates."""

    def __init__(self, truth: Truth) -> None:
        self._names = [event.name for event in truth.catalogue]
        parts = [[cause[part] for cause in truth.fates.causes] for part in (0, 1)]  # the stages and the causes
        self._categories = [list(dict.fromkeys(names)) for names in parts]
        self._codes = [
            np.array([categories.index(name) for name in names], np.int16)
            for names, categories in zip(parts, self._categories, strict=True)
        ]

    def make(self, column: EventColumns) -> pd.DataFrame:
        import pandas as pd

        lost, missing = column["lost"], column["lost"] >= 0

        def maybe(values: NDArray[np.int64]) -> Any:
            return pd.arrays.IntegerArray(values, missing.copy())

        def where(part: int) -> Any:
            return _named(np.where(missing, self._codes[part][lost], -1), self._categories[part])

        return _with_units(
            pd.DataFrame(
                {
                    "node": column["node"],
                    "type": _named(column["type"], self._names),
                    "arg0": column["arg0"],
                    "arg1": column["arg1"],
                    "arg2": column["arg2"],
                    "emitted_ps": column["emitted_ps"],
                    "done_ps": column["done_ps"],
                    "true_ps": column["true_ps"],
                    "monitor_ps": maybe(column["monitor_ps"]),
                    "error_ps": maybe(column["monitor_ps"] - column["true_ps"]),
                    "delivered_ps": maybe(column["delivered_ps"]),
                    "software_ps": column["software_ps"],
                    "software_error_ps": column["software_ps"] - column["emitted_ps"],
                    "lost_stage": where(0),
                    "lost_cause": where(1),
                    "message": column["message"],
                    "side": _named(column["side"], SIDES),
                },
                copy=False,
            )
        )


def _named(codes: NDArray[Any], names: Sequence[str]) -> Any:
    import pandas as pd

    return pd.Categorical.from_codes(codes.astype(np.int16), pd.Index(names))


class _Errors:
    """Number of timestamps of each node, and the least, the sum and the greatest of their errors in ps."""

    def __init__(self, nodes: int) -> None:
        self.count = np.zeros(nodes, np.int64)
        self._sum = np.zeros(nodes, np.int64)
        self._least = np.full(nodes, np.iinfo(np.int64).max)
        self._greatest = np.full(nodes, np.iinfo(np.int64).min)

    def add(self, node: NDArray[np.int64], error_ps: NDArray[np.int64]) -> None:
        if not len(node):
            return
        order = np.argsort(node, kind="stable")
        node, error_ps = node[order], error_ps[order]
        begins = np.flatnonzero(np.diff(node, prepend=-1))
        of = node[begins]
        self.count[of] += np.diff(begins, append=len(node))
        self._sum[of] += np.add.reduceat(error_ps, begins)
        self._least[of] = np.minimum(self._least[of], np.minimum.reduceat(error_ps, begins))
        self._greatest[of] = np.maximum(self._greatest[of], np.maximum.reduceat(error_ps, begins))

    def statistics(self, clock: str, which: slice) -> dict[str, float]:
        """Returns the statistics over some nodes, in µs."""
        n = int(self.count[which].sum())
        found = (self._least[which].min(), self._sum[which].sum(), self._greatest[which].max()) if n else (0, 0, 0)
        least, total, greatest = (int(value) * 1e-6 for value in found)
        mean = total / n if n else 0.0
        return {f"{clock}_min_us": least, f"{clock}_mean_us": mean, f"{clock}_max_us": greatest}
