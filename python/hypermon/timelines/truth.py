# SPDX-License-Identifier: BSD-3-Clause
"""Every event of a recording, and what a monitor made of it: its timestamp, how late it came, or where it was lost.

Times are integer picoseconds (`_ps`), so that sums and comparisons are exact.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Unpack, cast

import numpy as np
from numpy.typing import NDArray

from hypermon._engine import replaying, replays
from hypermon._engine.recording import Recording
from hypermon._model import asked, catalogues
from hypermon._model.result import Result

if TYPE_CHECKING:
    import pandas as pd

    from hypermon._core import Fates
    from hypermon._model.spec import Spec
    from hypermon.parameters import Parameters
    from hypermon.timelines.window import Window

SIDES = ("none", "send", "receive")


@dataclass(frozen=True)
class Truth:
    """All events of a recording through one monitor. Tables have their columns' units in `attrs["units"]`.

    `events`: a row for each burst of the recording, in its order:
    - `node`, `type` (the catalogue's name), `arg0` to `arg2`; `message` (0: none's) and `side` (none, send, receive);
    - `emitted_ps`, when the node began to emit it, `done_ps`, when it went on, and `true_ps`, when it
      first left the node: true time;
    - `monitor_ps`, the monitor's timestamp, `error_ps` = monitor_ps - true_ps, `delivered_ps`, when the monitor had it
      whole: missing if it was lost;
    - `software_ps`, what the node's own drifting clock said at `emitted_ps`, and `software_error_ps`;
    - `lost_stage` and `lost_cause`, as in the ledger: missing if it was delivered.

    `messages`: a row for each message with both ends in the recording: `message`, `sender`, `receiver`; `sent_ps` and
    `received_ps`, the true times of the two events; and how long it was under way by true time (`flight_ps`), by the
    monitor's timestamps (`monitor_flight_ps`, missing if an end was lost), by software's (`software_flight_ps`). One
    that is negative is an order violation.

    `spurious`: what was decoded and no node emitted: `node`, `type`, `monitor_ps`, `delivered_ps`.
    """

    recording: Recording
    spec: Spec
    result: Result
    events: pd.DataFrame
    messages: pd.DataFrame
    spurious: pd.DataFrame

    @property
    def catalogue(self) -> tuple[catalogues.Event, ...]:
        """What the events are."""
        return catalogues.of(self.spec)

    def violations(self) -> pd.DataFrame:
        """The messages that were received before they were sent by the monitor's timestamps or by software's."""
        wrong = (self.messages["monitor_flight_ps"] < 0).fillna(False) | (self.messages["software_flight_ps"] < 0)
        return self.messages[wrong.to_numpy(bool)]

    def summary(self) -> pd.DataFrame:
        """A row for each node, and one for `all`.

        Events, delivered and lost; least, mean and greatest timestamp error in µs and order violations (a message's
        counts at its receiver), of the monitor over what it delivered, of software over all.
        """
        import pandas as pd

        rows = [
            _summary(self.events[self.events["node"] == node], self.messages[self.messages["receiver"] == node])
            for node in range(self.recording.nodes)
        ]
        index = pd.Index([*map(str, range(self.recording.nodes)), "all"], name="node")
        return _with_units(pd.DataFrame([*rows, _summary(self.events, self.messages)], index=index))

    def within(self, window: Window | None, events: pd.DataFrame | None = None) -> pd.DataFrame:
        """The events, all or the given ones, with some part of their emission in the window."""
        events = self.events if events is None else events
        if window is None:
            return events
        return events[(events["done_ps"] > window.begin_ps) & (events["emitted_ps"] < window.end_ps)]


def truth(
    recording: Recording | str | os.PathLike[str],
    settings: Mapping[str, Any] | None = None,
    *,
    presets: Sequence[str] = (),
    **parameters: Unpack[Parameters],
) -> Truth:
    """Replays a recording and says of each event what became of it (`hypermon truth`).

    Memory grows with the events, some 190 bytes each.

    Args:
        recording: One, or its file or run directory.
        settings: As in `hypermon.replay`.
        presets: As in `hypermon.replay`.
        parameters: As in `hypermon.replay`.

    Returns:
        All events, messages and order violations; tables have their units in `attrs["units"]`.

    Raises:
        UserError: What the nodes write depends on a parameter that differs, or the recording is damaged.

    Example:
        >>> truth = hypermon.truth(hypermon.record("table2/matmul", nodes=2, matmul={"size": 16}))
        >>> truth.events.attrs["units"]["error_ps"], int(truth.events["lost_cause"].notna().sum())
        ('ps', 0)
    """
    source = Recording(recording) if isinstance(recording, str | os.PathLike) else recording
    chosen = asked.settings(settings, parameters, truth)
    return of_spec(source, replaying.resolve(source, chosen, presets, "hypermon.truth"))


def events(
    recording: Recording | str | os.PathLike[str],
    settings: Mapping[str, Any] | None = None,
    *,
    presets: Sequence[str] = (),
    **parameters: Unpack[Parameters],
) -> pd.DataFrame:
    """`truth(...).events`."""
    return truth(recording, settings, presets=presets, **parameters).events


def of_spec(recording: Recording, spec: Spec) -> Truth:
    """The same for a resolved specification."""
    import pandas as pd

    result, fates = replaying.fates(recording, spec)
    names = [event.name for event in catalogues.of(spec)]
    table = _events(recording, fates, names)
    spurious = pd.DataFrame(dict(fates["spurious"]))
    spurious["type"] = _named(fates["spurious"]["type"], names)
    return Truth(recording, spec, result, _with_units(table), _with_units(_messages(table)), _with_units(spurious))


def _with_units(frame: pd.DataFrame) -> pd.DataFrame:
    """Says them in its attributes: those that the columns' names have."""
    suffixes = {str(name): str(name).rpartition("_")[2] for name in frame.columns}
    frame.attrs["units"] = {name: unit if unit in ("ps", "us") else "" for name, unit in suffixes.items()}
    return frame


def _events(recording: Recording, fates: Fates, names: Sequence[str]) -> pd.DataFrame:
    import pandas as pd

    column = cast("dict[str, NDArray[Any]]", fates["events"])  # each goes when its place in the table is taken
    order = np.lexsort((column["node"], column["true_ps"]))  # that of the recording
    datum_bytes = replays.by(recording).outlet(recording.spec).datum_bytes
    emission_ps = np.concatenate(
        [np.empty(0, np.int64), *(b.spacing_ps * (np.diff(b.offsets) // datum_bytes) for b in recording.batches())]
    )

    def taken(name: str) -> NDArray[Any]:
        return column.pop(name)[order]

    emitted_ps, true_ps, software_ps, monitor_ps, lost = map(
        taken, ("emitted_ps", "true_ps", "software_ps", "monitor_ps", "lost")
    )
    missing = lost >= 0

    def maybe(values: NDArray[np.int64]) -> Any:
        return pd.arrays.IntegerArray(values, missing.copy())

    def where(part: int) -> Any:
        names = [cause[part] for cause in fates["causes"]]
        categories = list(dict.fromkeys(names))
        code = np.array([categories.index(name) for name in names], np.int16)
        return _named(np.where(missing, code[lost], -1), categories)

    return pd.DataFrame(
        {
            "node": taken("node"),
            "type": _named(taken("type"), names),
            "arg0": taken("arg0"),
            "arg1": taken("arg1"),
            "arg2": taken("arg2"),
            "emitted_ps": emitted_ps,
            "done_ps": emitted_ps + emission_ps,
            "true_ps": true_ps,
            "monitor_ps": maybe(monitor_ps),
            "error_ps": maybe(monitor_ps - true_ps),
            "delivered_ps": maybe(taken("delivered_ps")),
            "software_ps": software_ps,
            "software_error_ps": software_ps - emitted_ps,
            "lost_stage": where(0),
            "lost_cause": where(1),
            "message": taken("message"),
            "side": _named(taken("side"), SIDES),
        },
        copy=False,
    )


def _named(codes: NDArray[Any], names: Sequence[str]) -> Any:
    import pandas as pd

    return pd.Categorical.from_codes(codes.astype(np.int16), pd.Index(names))


def _messages(events: pd.DataFrame) -> pd.DataFrame:
    columns = ["message", "node", "true_ps", "monitor_ps", "software_ps"]
    sent = events.loc[events["side"] == "send", columns]
    received = events.loc[events["side"] == "receive", columns]
    both = sent.merge(received, on="message", suffixes=("_sent", "_received"), validate="one_to_one")
    flight = {
        name: both[f"{clock}_received"] - both[f"{clock}_sent"]
        for name, clock in (
            ("flight_ps", "true_ps"),
            ("monitor_flight_ps", "monitor_ps"),
            ("software_flight_ps", "software_ps"),
        )
    }
    ends = {
        "node_sent": "sender",
        "node_received": "receiver",
        "true_ps_sent": "sent_ps",
        "true_ps_received": "received_ps",
    }
    return both[["message", *ends]].rename(columns=ends).assign(**flight)


def _summary(events: pd.DataFrame, messages: pd.DataFrame) -> dict[str, Any]:
    delivered = events["error_ps"].notna()
    return {
        "events": len(events),
        "delivered": int(delivered.sum()),
        "lost": int((~delivered).sum()),
        **_errors("monitor", events["error_ps"][delivered].to_numpy(np.int64)),
        "monitor_violations": int((messages["monitor_flight_ps"] < 0).sum()),
        **_errors("software", events["software_error_ps"].to_numpy(np.int64)),
        "software_violations": int((messages["software_flight_ps"] < 0).sum()),
    }


def _errors(clock: str, error_ps: NDArray[np.int64]) -> dict[str, float]:
    n = len(error_ps)
    values = (error_ps.min(), error_ps.sum(), error_ps.max()) if n else (0, 0, 0)
    least, total, greatest = (int(value) * 1e-6 for value in values)
    mean = total / n if n else 0.0
    return {f"{clock}_min_us": least, f"{clock}_mean_us": mean, f"{clock}_max_us": greatest}
