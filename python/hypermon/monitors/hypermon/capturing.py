# SPDX-License-Identifier: BSD-3-Clause
"""The capture board alone, applied to arrays, without machine, program and simulation kernel.

>>> import hypermon, numpy as np
>>> design = hypermon.design("hypermon", {"ecb.window_ns": 400})
>>> time_ns = np.arange(0, 1_000_000, 5_000)
>>> captured = hypermon.capture(design, time_ns, np.uint8(time_ns % 16), np.uint32(time_ns % 7), frames=True)
>>> captured.frames_built, captured.frames["timestamp"]
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from hypermon._files import places
from hypermon._inputs import scenario
from hypermon._model import worker
from hypermon._model.native import _core
from hypermon._model.schema import Parameter, Schema, Value, common_path, flat, nested
from hypermon.errors import SimulationError, UserError, suggestion

if TYPE_CHECKING:
    import pandas as pd

PROTOTYPE = "hypermon"
"""Name of the preset with all defaults."""


class Design(Mapping[str, Value]):
    """The hardware behind the nodes' ports: all parameters of the board, the bus and the reader, by path.

    Designs are made by `hypermon.design` and immutable. Equal designs have equal hashes.

    >>> design["ecb.window_ns"]
    400
    >>> design.with_({"pbx.word_ns": 500})
    hypermon.design('hypermon', {'ecb.window_ns': 400, 'pbx.word_ns': 500})
    """

    def __init__(self, values: Mapping[str, Value], where: str = "") -> None:
        """`values`: allowed values of all parameters. Raises a UserError if they do not fit together."""
        self._values = dict(values)
        try:
            self._board = _core.LoneBoard(json.dumps(nested(self._values)))
        except _core.BadSpecification as error:
            raise UserError(str(error), where) from None

    def with_(self, overrides: Mapping[str, Any]) -> Design:
        """Returns this design with other values of some parameters."""
        return _overridden(self._values, overrides, "Design.with_")

    def __getitem__(self, path: str) -> Value:
        return self._values[path]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Design) and self._values == other._values

    def __hash__(self) -> int:
        return hash(frozenset(self._values.items()))

    def __repr__(self) -> str:
        defaults = _defaults(worker.schema())
        differs = {path: value for path, value in self._values.items() if value != defaults[path]}
        return f"hypermon.design({PROTOTYPE!r}{f', {differs}' if differs else ''})"

    def __reduce__(self) -> tuple[type[Design], tuple[dict[str, Value]]]:
        return Design, (self._values,)


def design(preset: str | Sequence[str] = PROTOTYPE, overrides: Mapping[str, Any] | None = None) -> Design:
    """Makes the hardware for `hypermon.capture` from presets and parameters.

    Args:
        preset: `"hypermon"` for the prototype (all defaults), or one or several names from scenarios/presets, of which
            later ones override earlier ones.
        overrides: Values by parameter path (or nested), with or without a unit: `{"ecb.window_ns": "0.4 us"}`.

    Returns:
        The design, which is immutable.

    Raises:
        UserError: A parameter does not exist (the message names the nearest one) or does not belong to the board alone
            (port.width_bits, ecb.*, pbx.*, reader.*); a value is not allowed; or values contradict each other.

    Example:
        >>> hypermon.design("hypermon", {"ecb.window_ns": "0.4 us"})["ecb.window_ns"]
        400
    """
    return designed([preset] if isinstance(preset, str) else preset, overrides or {}, "hypermon.design")


def designed(presets: Sequence[str], overrides: Mapping[str, Any], where: str) -> Design:
    """Like `design`. `where`: the place of the settings, for errors."""
    schema = worker.schema()
    values = _defaults(schema)
    root = places.scenarios()
    for name in presets:
        if name == PROTOTYPE:
            values = _defaults(schema)
            continue
        for path, item in scenario.read_preset(root, name, where, schema, also=(PROTOTYPE,)).items():
            values[path] = _parameter(schema, path, item.where).parse(item.value, item.where)
    return _overridden(values, overrides, where)


def of_board(values: Mapping[str, Value]) -> Design:
    """Returns the hardware of a board from the values of a whole specification."""
    return Design({path: value for path, value in values.items() if _is_of_the_board(path)})


def _overridden(values: Mapping[str, Value], overrides: Mapping[str, Any], where: str) -> Design:
    schema = worker.schema()
    given = {path: _parameter(schema, path, where).parse(raw, where) for path, raw in flat(overrides).items()}
    return Design({**values, **given}, where)


def _is_of_the_board(path: str) -> bool:
    """True for parameters of the board. ecb.reset_skew_ns is not one, because it only distinguishes boards; neither are
    parameters of the path before the board's inputs.
    """
    group = path.partition(".")[0]
    return path == "port.width_bits" or (group in {"ecb", "pbx", "reader"} and path != "ecb.reset_skew_ns")


def _parameter(schema: Schema, path: str, where: str) -> Parameter:
    found = schema.parameter(path, where)
    if path not in schema.parameters:
        raise UserError(f"{path}: there is one board here, set {common_path(path)}", where)
    if not _is_of_the_board(path):
        own = [known for known in schema.parameters if _is_of_the_board(known)]
        raise UserError(f"{path}: is not of the board alone{suggestion(path, own)}", where)
    return found


def _defaults(schema: Schema) -> dict[str, Value]:
    return {path: p.default for path, p in schema.parameters.items() if _is_of_the_board(path)}


def _count(meaning: str) -> Any:
    return field(metadata={"meaning": meaning})


@dataclass(frozen=True)
class Capture:
    """The board's counts from its first strobe until it is empty, and the frames if they were requested.

    The counts are those of sections 2 to 4 of the hardware contract. "Words" are the entries of a node FIFO: one datum
    each, unless ecb.accumulate_bits collects several. For one datum in each word:
    strobes = frames_built + merged + aliasing + node_overruns + discarded, and frames_built = frames_lost + drained.
    """

    strobes: int = _count("strobes at the inputs, each with one datum")
    aliasing: int = _count("words lost because their input already had a word in the same window")
    node_overruns: int = _count("words lost because their node FIFO was full")
    windows_lost: int = _count("windows lost because the strobe-vector FIFO was full")
    discarded: int = _count("words lost together with their window")
    accumulating: int = _count("data left in incomplete words (ecb.accumulate_bits)")
    frames_built: int = _count("frames built")
    merged: int = _count("words that share a built frame with an earlier one")
    frames_lost: int = _count("frames lost because the frame FIFO was full")
    drained: int = _count("frames read")
    peak_frame_fifo: int = _count(
        "largest number of frames in the frame FIFO after a clock edge, including the frame being read"
    )
    first_overrun_ns: int | None = _count(
        "time of the clock edge at which the first frame was lost, ns; none: no frame was lost"
    )
    end_ns: int = _count("time at which the last word of the last frame had been read, ns; 0: no frame was read")
    frames: NDArray[np.void] | None = field(default=None, repr=False, compare=False)
    """One row per frame that was read, in order, or None. Fields, without gaps (`frames.dtype`):

    - data: uint32[ceil(inputs x bits / 32)], the data words as on the PBX: the first holds the highest inputs (nodes 15
      to 8 of the prototype, node 15 in bits 31..28); fields of inputs without a datum are 0.
    - vector: uint32, the vector word: bit i is set if input i has a datum. With ecb.timestamp_policy = on_request bit
      31 says whether the frame has a timestamp; arrays flag no datum, so none has.
    - timestamp: the number of the window modulo 2^ecb.timestamp_bits; uint32, or uint64 with more than 32 bits.
    - read_ns: int64, ns, the edge at which its last word had been read and it left the frame FIFO.
    """

    def to_dict(self) -> dict[str, int | None]:
        """The counts by name."""
        return {name: getattr(self, name) for name in COUNTS}

    def to_pandas(self) -> pd.Series[Any]:
        """The counts as a Series of Python integers (first_overrun_ns: None if no frame was lost)."""
        import pandas as pd

        return pd.Series(self.to_dict(), dtype=object, name="capture")

    def frames_to_pandas(self) -> pd.DataFrame:
        """The frames, with the columns data0, data1, ..., vector, timestamp, read_ns. Raises a UserError if they were
        not requested.
        """
        import pandas as pd

        if self.frames is None:
            raise UserError("frames: were not requested", "hypermon.capture(..., frames=True)")
        return pd.DataFrame(flat_frames(self.frames))


COUNTS = {f.name: str(f.metadata["meaning"]) for f in fields(Capture) if f.metadata}
"""Names and meanings of the counts."""


def flat_frames(frames: NDArray[np.void]) -> dict[str, NDArray[Any]]:
    """Columns of frames, one for each data word: views of the array."""
    data = {f"data{i}": frames["data"][:, i] for i in range(frames["data"].shape[1])}
    return data | {name: frames[name] for name in ("vector", "timestamp", "read_ns")}


class StrobeError(UserError):
    """An invalid strobe. `index`: its number."""

    def __init__(self, message: str, index: int, where: str = "") -> None:
        super().__init__(message, where)
        self.message = message
        self.index = index


def capture(design: Design, time_ns: ArrayLike, node: ArrayLike, datum: ArrayLike, frames: bool = False) -> Capture:
    """Returns the counts of the board for these strobes, and the frames on request (`hypermon capture`).

    Arrays have one dimension and equal length. Arrays of the types below are not copied; other types of numbers are
    converted if they hold whole numbers in range. The result equals that of the simulated board bit for bit; nothing is
    random. Other threads can run during the call.

    Args:
        design: The hardware.
        time_ns: int64, the time at which each strobe reaches the board, ns, 0 to 4e15, ascending. Strobes of equal time
            are taken in the order given.
        node: uint8, the input of the board, 0 to ecb.inputs - 1.
        datum: uint32, 0 to 2^port.width_bits - 1.
        frames: Whether to return the frames as well.

    Returns:
        The counts.

    Raises:
        UserError: A strobe is invalid; the message names the first one.
        SimulationError: The folder of temporary files is full.

    Example:
        >>> counts = hypermon.capture(hypermon.design(), time_ns=[0, 100, 5000], node=[0, 1, 0], datum=[1, 2, 3])
        >>> counts.strobes, counts.frames_built, counts.merged
        (3, 2, 1)
    """
    arrays = _arrays(design, time_ns, node, datum)
    sizes = [len(array) for array in arrays]
    if len(set(sizes)) > 1:
        raise UserError("time_ns, node, datum: must be of equal length, not {}, {} and {}".format(*sizes))
    with _errors():
        counts, rows = design._board.capture(*arrays, frames=frames)
    return Capture(**counts, frames=rows)


class InPieces:
    """Captures strobes that are added in pieces, as `capture` does. Memory does not grow with their number."""

    def __init__(self, design: Design, frames: bool) -> None:
        self._design = design
        self._run = design._board.begin(frames=frames)
        self._done = 0

    def add(self, time_ns: ArrayLike, node: ArrayLike, datum: ArrayLike) -> None:
        """Adds strobes, in arrays of equal length. A StrobeError has the index over all pieces."""
        arrays = _arrays(self._design, time_ns, node, datum, self._done)
        with _errors():
            self._run.add(*arrays)
        self._done += len(arrays[0])

    def frames(self) -> NDArray[np.void]:
        """Complete frames that earlier calls did not return."""
        return self._run.frames()

    def finish(self) -> Capture:
        """Ends the run and returns its counts."""
        with _errors():
            counts = self._run.finish()
        return Capture(**counts, frames=None)


@contextlib.contextmanager
def _errors() -> Iterator[None]:
    """Converts the board's errors to hypermon's."""
    try:
        yield
    except _core.BadStrobeError as error:
        index, message = error.args
        raise StrobeError(message, index) from None
    except RuntimeError as error:  # the folder of temporary files is full
        raise SimulationError(str(error)) from None


def _arrays(
    design: Design, time_ns: ArrayLike, node: ArrayLike, datum: ArrayLike, before: int = 0
) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    return (
        _array("time_ns", time_ns, np.int64, np.iinfo(np.int64).max, before),
        _array("node", node, np.uint8, int(design["ecb.inputs"]) - 1, before),
        _array("datum", datum, np.uint32, 2 ** int(design["port.width_bits"]) - 1, before),
    )


def _array(name: str, given: ArrayLike, dtype: DTypeLike, last: int, before: int) -> NDArray[Any]:
    """Converts `given` to an array of this type without loss, or raises a UserError.

    `last`: the largest allowed value, for the message. `before`: number of values in earlier pieces.
    """
    array = np.asarray(given)
    wanted = np.dtype(dtype)
    if array.ndim != 1:
        raise UserError(f"{name}: must be an array of one dimension, not of {array.ndim}")
    if array.dtype == wanted or not array.size:
        return np.ascontiguousarray(array, wanted)
    if array.dtype.kind not in "iuf":
        raise UserError(f"{name}: must be numbers ({wanted}), not {array.dtype}")
    with np.errstate(invalid="ignore"):  # NaN and numbers that are too large are found below
        converted = array.astype(wanted)
    wrong = np.flatnonzero(converted != array)
    if wrong.size:
        index = before + int(wrong[0])
        raise StrobeError(f"{name}[{index}] = {array[wrong[0]]}: must be a whole number from 0 to {last}", index)
    return converted
