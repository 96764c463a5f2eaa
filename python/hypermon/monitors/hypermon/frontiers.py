# SPDX-License-Identifier: BSD-3-Clause
"""`hypermon.frontier`: the required depth of the frame FIFO for every speed of the bus."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Unpack

from hypermon._engine import recorder
from hypermon._engine.recording import Recording
from hypermon._engine.sizing.keys import Key
from hypermon._engine.sweeping import space
from hypermon._inputs import platforms
from hypermon._model import argument_checks, worker
from hypermon._model.schema import common_path
from hypermon._model.spec import Spec
from hypermon.monitors.hypermon import replaying

if TYPE_CHECKING:
    import pandas as pd

    from hypermon.parameters import Parameters

ALL = "200:2000:log20"
FRONTIER = (
    Key("word_ns[]", "ns", "Time of a word on the bus."),
    Key("bandwidth_bytes_per_s[]", "B/s", "Bandwidth of the bus: four bytes in the time of a word."),
    Key(
        "least_depth[]",
        "frames",
        "Least depth of the frame FIFO at which this run loses no frame; exact for an ideal reader.",
    ),
    Key("bound[]", "frames", "Upper bound of the least depth by network calculus, from the run's own arrival curve."),
    Key("frames_per_s[]", "frames/s", "Average rate of frames that a board builds."),
    Key(
        "capacity_frames_per_s[]",
        "frames/s",
        "Largest sustained rate at which the board's I/O node can read frames; null if there is no limit.",
    ),
    Key("load[]", "", "Rate of built frames divided by the capacity of the reader."),
    Key(
        "lasts[]",
        "",
        "True if some FIFO depth is enough for runs of any length (load at most 1); false if the depth must grow with"
        " the run's length.",
    ),
    Key(
        "reader_depth[]",
        "frames",
        "Depth of the frame FIFO at which the reader in use loses nothing in this run: exact, or one frame more than "
        "needed.",
    ),
)
"""Columns that `hypermon frontier --json` prints."""


def frontier(
    source: Recording | str | os.PathLike[str],
    word_ns: str | Sequence[int] = ALL,
    *,
    settings: Mapping[str, Any] | None = None,
    presets: Sequence[str] = (),
    platform: str | os.PathLike[str] | None = None,
    **parameters: Unpack[Parameters],
) -> pd.DataFrame:
    """Finds the least depth of the frame FIFO without loss for every word time of the bus (`hypermon frontier`).

    The depth is exact for an ideal reader, and comes from one pass over a recording. The table also has the bound of
    network calculus from the recording's own arrival curve, and whether any depth suffices in the long run.

    Args:
        source: A scenario's name or file, which is recorded first; or a `hypermon.Recording`.
        word_ns: Word times in ns: numbers, or a text as on the command line, `"222,500"` or `"200:2000:log20"`.
        settings: As in `hypermon.run`.
        presets: As in `hypermon.run`.
        platform: As in `hypermon.run`. Only for a scenario.
        parameters: As in `hypermon.run`.

    Returns:
        A row for each word time. `attrs["units"]` has the columns' units; docs/reference/frontier.md describes them.

    Raises:
        UserError: A word time is not allowed, or the source cannot be recorded or replayed.

    Example:
        >>> found = hypermon.frontier("table2/matmul", [500, 1000], nodes=2, matmul={"size": 16})
        >>> list(found["word_ns"]), found.attrs["units"]["least_depth"]
        ([500, 1000], 'frames')
    """
    import pandas as pd

    given = word_ns if isinstance(word_ns, str) else list(word_ns)
    chosen = argument_checks.settings(settings, parameters, frontier)
    made = points(source, given, chosen, presets, platform, "hypermon.frontier")
    frame = pd.DataFrame(made)
    frame.attrs["units"] = {key.path.removesuffix("[]"): key.unit for key in FRONTIER}
    return frame


def points(
    source: Recording | str | os.PathLike[str],
    word_ns: object,
    settings: Mapping[str, Any],
    presets: Sequence[str],
    platform: str | os.PathLike[str] | None,
    where: str,
    of_words: str = "word_ns",
) -> dict[str, list[Any]]:
    """Returns the columns. `where`: place of the settings; `of_words`: place of the word times."""
    parameter = worker.schema().parameter(replaying.WORD_NS, of_words)
    words = [int(value) for value in space.values_of(parameter, space.Placed(word_ns, of_words))]
    if isinstance(source, str | os.PathLike):
        recording = recorder.record(source, settings=settings, presets=presets, platform=platform)
    else:
        platforms.refuse_on_recording(platform)
        recording = source
    spec: Spec = replaying.resolve(recording, settings, presets, where=where)
    found = of_design(recording, words, spec)
    unlimited = [None if math.isinf(one) else one for one in found["capacity_frames_per_s"]]  # JSON has no infinity
    return {**found, "capacity_frames_per_s": unlimited}


def of_design(recording: Recording, word_ns: Sequence[int], spec: Spec) -> dict[str, list[Any]]:
    """Returns the columns for a design. A reader without limit has an infinite capacity."""
    readers = [path for path in spec.values if common_path(path) == replaying.READER]
    ideal = Spec(spec.scenario, {**spec.values, **dict.fromkeys(readers, "ideal")})
    found = replaying.frontier(recording, word_ns, ideal)
    if all(spec.values[path] == "ideal" for path in readers):
        found["reader_depth"] = found["least_depth"]
    else:
        found["reader_depth"] = replaying.reader_depth(recording, word_ns, spec)
        found |= replaying.long_run(recording, word_ns, spec)
    return {key: column.tolist() for key, column in found.items()}
