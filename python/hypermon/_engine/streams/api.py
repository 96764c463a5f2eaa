# SPDX-License-Identifier: BSD-3-Clause
"""`hypermon.stream`: sends events of a file, an array or a table directly to the hardware."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Unpack

from hypermon._engine import recorder, runner
from hypermon._engine.recording import Recording
from hypermon._engine.streams import run as streams
from hypermon._engine.workers import Progress
from hypermon._files import tables
from hypermon._model import argument_checks
from hypermon.errors import UserError, cut

if TYPE_CHECKING:
    from hypermon.parameters import Parameters


def stream(
    events: Any,
    *,
    time_unit: Literal["ps", "ns", "us", "ms", "s"] = "ns",
    columns: Mapping[str, str] | None = None,
    bytes: int | None = None,
    from_first: bool = False,
    settings: Mapping[str, Any] | None = None,
    presets: Sequence[str] = (),
    out: str | os.PathLike[str] | None = None,
    progress: Progress | None = None,
    force: bool = False,
    **parameters: Unpack[Parameters],
) -> Recording:
    """Sends events directly to the monitor's hardware and records them (`hypermon import stream`).

    Use it for events of your own log, simulator or tracer. No program runs: the input is the time, the node and the
    size or content of each event. Replays, sweeps and sizing accept the recording. A node writes one datum after the
    other, so events that follow each other too closely are delayed; `recording.result["stream"]` counts them.

    A table in memory is saved to a file in `runs/events`, which is named by its content, so that the run can be
    repeated.

    Args:
        events: A .csv, .parquet or .npy file; a NumPy array, structured or with two dimensions; or a table of pandas,
            Polars or Arrow. It has the columns `time`, `node` and either `datum` or `bytes`.
        time_unit: The unit of the column `time`.
        columns: The names of these columns in the table: `{"time": "t", "node": "cpu"}`.
        bytes: Size of every event in bytes. The table then needs no column `datum` or `bytes`, and the content is
            made up.
        from_first: Whether times are relative to the first event instead of to 0.
        settings: As in `hypermon.run`.
        presets: As in `hypermon.run`.
        out: The run directory, by default runs/stream-<name>-<hash>.
        progress: As in `hypermon.run`.
        force: As in `hypermon.run`.
        parameters: As in `hypermon.run`.

    Returns:
        The recording, in the run directory.

    Raises:
        UserError: A column or row is not allowed. The message names the column or the first such row.

    Example:
        >>> import numpy as np
        >>> events = np.array([(0, 0, 4), (90, 1, 8)], [("time", "i8"), ("node", "u2"), ("bytes", "i4")])
        >>> recording = hypermon.stream(events, time_unit="us", nodes=2)
        >>> recording.result["stream"]["rows"], recording.result["ledger"]["lost_total"]["events"]
        (2, 0)
    """
    if not isinstance(events, str | os.PathLike) and not tables.is_table(events):
        raise UserError(f"events = {cut(str(events))}: must be a file, an array or a table", "hypermon.stream")
    file = Path(events) if isinstance(events, str | os.PathLike) else tables.kept(events)
    chosen: dict[str, object] = {"stream.time_unit": time_unit, "stream.begin": "first" if from_first else "zero"}
    if columns:
        chosen["stream.columns"] = ",".join(f"{ours}={theirs}" for ours, theirs in columns.items())
    if bytes is not None:
        chosen["stream.bytes"] = bytes
    spec = streams.resolve(
        file, chosen | argument_checks.settings(settings, parameters, stream), presets, "hypermon.stream"
    )
    folder = Path(out) if out is not None else runner.default_folder(spec)
    return recorder.record_spec(spec, folder, progress, force=force)
