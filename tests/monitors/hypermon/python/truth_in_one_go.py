# SPDX-License-Identifier: BSD-3-Clause
"""Time lines of a recording, made from one table of all its events. hypermon makes them piece by piece."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Sequence
from typing import IO, Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from hypermon.timelines import Truth, Window, perfetto, states
from hypermon.timelines.perfetto import NODE_TRACKS, Writer, annotate, counters
from hypermon.timelines.states import Edge
from hypermon.timelines.tracks import States, Statistic, TimeLine


def messages(events: pd.DataFrame) -> pd.DataFrame:
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


def violations(events: pd.DataFrame) -> pd.DataFrame:
    found = messages(events)
    wrong = (found["monitor_flight_ps"] < 0).fillna(False) | (found["software_flight_ps"] < 0)
    return found[wrong.to_numpy(bool)]


def summary(events: pd.DataFrame, nodes: int) -> pd.DataFrame:
    found = messages(events)
    rows = [_summary(events[events["node"] == node], found[found["receiver"] == node]) for node in range(nodes)]
    index = pd.Index([*map(str, range(nodes)), "all"], name="node")
    return pd.DataFrame([*rows, _summary(events, found)], index=index)


def _summary(events: pd.DataFrame, of: pd.DataFrame) -> dict[str, Any]:
    delivered = events["error_ps"].notna()
    return {
        "events": len(events),
        "delivered": int(delivered.sum()),
        "lost": int((~delivered).sum()),
        **_errors("monitor", events["error_ps"][delivered].to_numpy(np.int64)),
        "monitor_violations": int((of["monitor_flight_ps"] < 0).sum()),
        **_errors("software", events["software_error_ps"].to_numpy(np.int64)),
        "software_violations": int((of["software_flight_ps"] < 0).sum()),
    }


def _errors(clock: str, error_ps: NDArray[np.int64]) -> dict[str, float]:
    n = len(error_ps)
    values = (error_ps.min(), error_ps.sum(), error_ps.max()) if n else (0, 0, 0)
    least, total, greatest = (int(value) * 1e-6 for value in values)
    mean = total / n if n else 0.0
    return {f"{clock}_min_us": least, f"{clock}_mean_us": mean, f"{clock}_max_us": greatest}


def _within(window: Window | None, events: pd.DataFrame) -> pd.DataFrame:
    if window is None:
        return events
    return events[(events["done_ps"] > window.begin_ps) & (events["emitted_ps"] < window.end_ps)]


def _inside(ps: int, window: Window | None) -> bool:
    return window is None or window.begin_ps <= ps < window.end_ps


def _rows(frame: pd.DataFrame, columns: Iterable[str]) -> Iterable[tuple[Any, ...]]:
    return zip(*(frame[column].tolist() for column in columns), strict=True)


def csv(truth: Truth, file: IO[bytes], window: Window | None) -> None:
    _within(window, truth.events).to_csv(file, index=False, lineterminator="\n")


def write_perfetto(truth: Truth, file: IO[bytes], window: Window | None) -> None:
    out = Writer(file)
    ends = _within(window, truth.events)
    ends = ends[(ends["side"] != "none") & ends["message"].isin(messages(truth.events)["message"])]
    message, count = np.unique(ends["message"].to_numpy(), return_counts=True)
    flows = set(message[count == 2].tolist())
    counted = list(counters(truth, window))
    has_losses = any(one.lost and any(one.values) for one in counted)
    if has_losses:
        perfetto._counters(out, counted, window)
    for node in range(truth.recording.nodes):
        parent = out.track(states.ranks_on(truth.spec, node))
        program, emitted, losses, decoded_program, decoded = (out.track(name, parent) for name in NODE_TRACKS)
        of_node = truth.events[truth.events["node"] == node]
        seen = of_node[of_node["monitor_ps"].notna()].astype({"monitor_ps": "int64", "error_ps": "int64"})
        _states(out, program, of_node, truth, ("emitted_ps", "done_ps"), window)
        _emitted(out, emitted, losses, _within(window, of_node), truth, flows, window)
        _states(out, decoded_program, seen, truth, ("monitor_ps", "monitor_ps"), window)
        for type_, stamp, error in _rows(seen, ("type", "monitor_ps", "error_ps")):
            if _inside(stamp, window):
                annotate(out.instant(decoded, stamp, type_), "error_ps", error)
        for type_, stamp in _rows(truth.spurious[truth.spurious["node"] == node], ("type", "monitor_ps")):
            if _inside(stamp, window):
                out.instant(decoded, stamp, f"spurious {type_}")
    if counted and not has_losses:
        perfetto._counters(out, counted, window)
    out.close()


def _states(
    out: Writer, track: int, events: pd.DataFrame, truth: Truth, times: tuple[str, str], window: Window | None
) -> None:
    for edge in states.clipped(states.edges(states.brackets([events], truth.catalogue, *times)), window):
        if edge.name is None:
            out.end(track, edge.ps)
        else:
            out.begin(track, edge.ps, edge.name)


def _emitted(
    out: Writer, track: int, losses: int, events: pd.DataFrame, truth: Truth, flows: set[int], window: Window | None
) -> None:
    data = {row.name: list(row.arguments) for row in truth.catalogue}
    columns = ("type", "emitted_ps", "done_ps", "true_ps", "message", "side", "lost_stage", "lost_cause")
    args = ("arg0", "arg1", "arg2")
    for type_, emitted, done, true, message, side, stage, cause, *values in _rows(events, (*columns, *args)):
        if window is not None:
            emitted, done = max(emitted, window.begin_ps), min(done, window.end_ps)
        event = out.begin(track, emitted, type_)
        for name, value in zip(data[type_], values, strict=False):
            annotate(event, name, value)
        if message:
            annotate(event, "message", message)
        if message in flows:
            (event.flow_ids if side == "send" else event.terminating_flow_ids).append(message)
        out.end(track, done)
        if isinstance(cause, str) and (window is None or window.begin_ps <= true < window.end_ps):
            annotate(out.instant(losses, true, f"{stage}: {cause}"), "event", type_)


def tracks(truth: Truth) -> TimeLine:
    found: list[States] = []
    both = messages(truth.events)["message"].to_numpy(np.uint64)
    for node in range(truth.recording.nodes):
        path = (states.ranks_on(truth.spec, node),)
        events = truth.events[truth.events["node"] == node]
        seen = events[events["monitor_ps"].notna()].astype({"monitor_ps": "int64"})
        found += [
            _program((*path, "program"), events, truth, ("emitted_ps", "done_ps")),
            _events((*path, "events"), events, both),
            _losses((*path, "losses"), events[events["lost_cause"].notna()]),
            _program((*path, "program as decoded"), seen, truth, ("monitor_ps", "monitor_ps")),
        ]
    shown = [one for one in found if len(one.begin_ps)]
    begin_ps = min([truth.recording.begin_ps, *(int(one.begin_ps.min()) for one in shown)])
    end_ps = max([truth.recording.end_ps, *(int(one.end_ps.max()) for one in shown)])
    levels = [
        Statistic(
            (one.track, one.name),
            "",
            np.asarray(one.times_ps, np.int64),
            np.asarray(one.values, np.float64),
            exact=True,
            limit=one.limit,
            lost=one.lost,
        )
        for one in counters(truth, None)
    ]
    return TimeLine(tuple(shown), tuple(levels), begin_ps, end_ps)


def _program(path: tuple[str, ...], events: pd.DataFrame, truth: Truth, times: tuple[str, str]) -> States:
    return _of_edges(path, states.edges(states.brackets([events], truth.catalogue, *times)))


def _of_edges(path: tuple[str, ...], edges: Iterable[Edge]) -> States:
    rows: list[tuple[int, int, str]] = []
    open_: list[tuple[int, str]] = []
    for edge in edges:
        if edge.name is None:
            begin, name = open_.pop()
            rows.append((begin, edge.ps, name))
        else:
            open_.append((edge.ps, edge.name))
    rows.sort(key=lambda row: (row[0], -row[1]))
    begin_ps, end_ps = (np.array([row[i] for row in rows], np.int64) for i in (0, 1))
    return _made(path, begin_ps, end_ps, [row[2] for row in rows])


def _events(path: tuple[str, ...], events: pd.DataFrame, both: NDArray[np.uint64]) -> States:
    message = events["message"].to_numpy(np.uint64)
    known = np.isin(message, both)
    sent = np.where(known & (events["side"] == "send").to_numpy(), message, 0).astype(np.uint64)
    taken = np.where(known & (events["side"] == "receive").to_numpy(), message, 0).astype(np.uint64)
    details = {name: events[name].to_numpy(np.int64) for name in ("arg0", "arg1", "arg2")}
    emitted, done = events["emitted_ps"].to_numpy(np.int64), events["done_ps"].to_numpy(np.int64)
    return _made(path, emitted, done, events["type"].tolist(), (sent, taken), details)


def _losses(path: tuple[str, ...], events: pd.DataFrame) -> States:
    at = events["true_ps"].to_numpy(np.int64)
    causes = [f"{stage}: {cause}" for stage, cause in zip(events["lost_stage"], events["lost_cause"], strict=True)]
    found = _made(path, at, at, causes, details={"event": events["type"].to_numpy(str)})
    return dataclasses.replace(found, lost=True)


def _made(
    path: tuple[str, ...],
    begin_ps: NDArray[np.int64],
    end_ps: NDArray[np.int64],
    names: Sequence[str],
    ids: tuple[NDArray[np.uint64], NDArray[np.uint64]] | None = None,
    details: dict[str, NDArray[Any]] | None = None,
) -> States:
    order = np.lexsort((-end_ps, begin_ps))
    known, number = np.unique(np.asarray(names, str), return_inverse=True)
    none = np.zeros(len(begin_ps), np.uint64)
    own, cause = ids or (none, none)
    return States(
        path,
        begin_ps[order],
        end_ps[order],
        tuple(known.tolist()),
        number.astype(np.int32)[order],
        own[order],
        cause[order],
        {key: column[order] for key, column in (details or {}).items()},
    )
