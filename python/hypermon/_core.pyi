# SPDX-License-Identifier: BSD-3-Clause
from typing import Any, Literal, TypedDict, Unpack

import numpy as np
from numpy.typing import NDArray

compiler: str  # that made this module, and the worker beside it

class Info(TypedDict):
    inputs: int
    width_bits: int
    accumulate_bits: int
    timestamp_bits: int
    on_request: bool
    wrap_frames: bool
    window_ns: int
    pitch_ns: float
    clock_resolution_ns: int
    board: int
    first_node: int
    catalogue: str

class Frames(TypedDict):
    vector: NDArray[np.uint32]
    window: NDArray[np.uint64]
    stamped: NDArray[np.bool_]
    data: NDArray[np.uint32]

class FramePieces:
    info: Info
    problem: tuple[int, str] | None  # valid after the last piece
    def next(self) -> Frames: ...  # the piece at the end has no frame

class EventPieces:
    info: Info
    problem: tuple[int, str] | None  # valid after the last piece
    def next(self) -> tuple[NDArray[Any], NDArray[Any]] | None: ...  # events, damaged spans

class Moved(TypedDict):
    strobes: int
    transfers: int  # frames, or words of the funnel
    transfer_bits: int
    transfer_ns: int
    lost: int  # data, anywhere
    peak: int
    window_ns: int

class Counts(TypedDict):
    strobes: int
    aliasing: int
    node_overruns: int
    windows_lost: int
    discarded: int
    accumulating: int
    frames_built: int
    merged: int
    frames_lost: int
    drained: int
    peak_frame_fifo: int
    first_overrun_ns: int | None
    end_ns: int

class NotAFrameFileError(Exception): ...

def read_frames(path: str) -> FramePieces: ...
def decode_frames(path: str) -> EventPieces: ...
def capture_generated(
    *, active: int, pitch_ns: int, event_data: int, duration_us: int, seed: int, in_step: bool
) -> Moved: ...
def funnel_generated(
    *, active: int, pitch_ns: int, event_data: int, duration_us: int, seed: int, in_step: bool, packed: bool
) -> Moved: ...
def monhole(
    *,
    policy: str,
    entries: int,
    memory: int,
    sinks: int,
    write_ps: NDArray[np.int64],
    source: NDArray[np.uint32],
    bytes: NDArray[np.int64],
    read_ps: NDArray[np.int64],
    sink: NDArray[np.uint32],
) -> str: ...  # JSON: monitor.monhole of a result

class BadSpecification(Exception): ...  # noqa: N818

class Specification:
    def __init__(self, text: str) -> None: ...  # JSON; BadSpecification
    def changed(self, changes: str) -> Specification: ...  # JSON, of no single ones; nor may there be such

def without_effect(spec: Specification) -> list[tuple[list[str], str]]: ...
def applies_back_pressure(spec: Specification) -> bool: ...
def contends(spec: Specification) -> bool: ...
def describe_registers() -> str: ...  # JSON
def emission_parameters(spec: Specification) -> str: ...
def catalogue_value(catalogue: str) -> str: ...
def describe_catalogue(catalogue: str) -> str: ...  # JSON
def describe_points() -> str: ...  # JSON
def system_calls() -> list[tuple[int, str, str]]: ...  # number, name, MPI call

class EventColumns(TypedDict):
    """Fates of n events of a replay. Each column has n values."""

    node: NDArray[np.uint16]
    type: NDArray[np.uint8]  # row of the catalogue
    arg0: NDArray[np.uint32]
    arg1: NDArray[np.uint32]
    arg2: NDArray[np.uint32]
    true_ps: NDArray[np.int64]
    emitted_ps: NDArray[np.int64]
    done_ps: NDArray[np.int64]
    software_ps: NDArray[np.int64]
    message: NDArray[np.uint64]
    side: NDArray[np.uint8]
    monitor_ps: NDArray[np.int64]  # 0 if lost
    delivered_ps: NDArray[np.int64]  # 0 if lost
    lost: NDArray[np.int16]  # index of the place in Replay.fates(); -1: delivered

class SpuriousColumns(TypedDict):
    """Events that the decoder found and no node emitted."""

    node: NDArray[np.uint16]
    type: NDArray[np.uint8]
    monitor_ps: NDArray[np.int64]
    delivered_ps: NDArray[np.int64]
    number: NDArray[np.uint64]  # position among the spurious events of all nodes, in order of arrival

class FateReader:
    """Reads the events of each node in their order, from the first on."""

    def events(self, nodes: NDArray[np.uint16]) -> EventColumns: ...  # the next event of each given node
    def spurious(self, nodes: NDArray[np.uint16]) -> SpuriousColumns: ...

class Replay:
    # cut: for tests, a seed of the stretches into which the work is cut; no result depends on them
    def __init__(self, spec: str, directory: str, *, fates: bool = False, cut: int | None = None) -> None: ...
    def program_ends(self, at_ps: int) -> None: ...  # before bursts that begin later, and before finish()
    def add(
        self,
        *,
        node: NDArray[np.uint16],
        first_ps: NDArray[np.int64],
        offsets: NDArray[np.int32],
        data: NDArray[np.uint8],
        message: NDArray[np.uint64],
        side: NDArray[np.uint8],
    ) -> None: ...
    def finish(self, *, recorded: str, scenario: str, begin_ps: int, end_ps: int) -> str: ...
    # With fates=True: duration of the emission of each row of the next add().
    def emits(self, *, node: NDArray[np.uint16], emission_ps: NDArray[np.int64]) -> None: ...
    # After finish(): numbers of events and of spurious events by node; stages and causes of possible losses.
    def fates(self) -> tuple[list[int], list[int], list[tuple[str, str]]]: ...
    def fate_reader(self) -> FateReader: ...

def port_timing(spec: str) -> tuple[list[int], list[int]]: ...  # datum costs and pitches, ps, by node
def stimulus_stores(spec: str) -> list[int]: ...  # ps, by node
def longest_message(spec: str) -> int: ...  # bytes that every source can take
def funnel_signals(
    spec: str,
) -> list[tuple[str, Literal["event", "value", "level", "state"], int, list[str]]]: ...  # path, kind, bits, names

class FunnelWaves:
    def __init__(self, spec: str, path: str, from_ps: int, to_ps: int) -> None: ...
    def program_ends(self, at_ps: int) -> None: ...
    def add(
        self,
        *,
        node: NDArray[np.uint16],
        first_ps: NDArray[np.int64],
        offsets: NDArray[np.int32],
        data: NDArray[np.uint8],
        message: NDArray[np.uint64],
        side: NDArray[np.uint8],
    ) -> None: ...
    def finish(self) -> list[int]: ...  # transitions of each signal

class BadStrobeError(Exception):
    args: tuple[int, str]  # index, message

class BoardRun:
    def add(self, time_ns: NDArray[np.int64], node: NDArray[np.uint8], datum: NDArray[np.uint32]) -> None: ...
    def finish(self) -> Counts: ...
    def frames(self) -> NDArray[np.void]: ...  # complete frames that earlier calls did not return

class LoneBoard:
    def __init__(self, spec: str) -> None: ...
    def begin(self, *, frames: bool) -> BoardRun: ...
    def capture(
        self,
        time_ns: NDArray[np.int64],
        node: NDArray[np.uint8],
        datum: NDArray[np.uint32],
        *,
        frames: bool,
    ) -> tuple[Counts, NDArray[np.void] | None]: ...
    def first_loss(self) -> FirstLoss: ...
    def play(self, *, flagged: NDArray[np.uint8], **bursts: Unpack[Columns]) -> Played: ...

class FirstLoss:
    done: bool
    def add(self, **bursts: Unpack[Columns]) -> None: ...
    def program_ends(self, at_ps: int) -> None: ...
    def finish(self) -> int | None: ...  # ps

class Played(TypedDict):
    counts: Counts
    words: NDArray[np.uint32]  # of all frames that were read, one frame after the other
    lengths: NDArray[np.uint8]  # words of each frame
    end_ps: NDArray[np.int64]  # end of each frame's last word

class Columns(TypedDict):
    """A batch of bursts, as in hypermon._engine.recording.Bursts."""

    node: NDArray[np.uint16]
    first_ps: NDArray[np.int64]
    spacing_ps: NDArray[np.int64]
    offsets: NDArray[np.int32]
    data: NDArray[np.uint8]

class BoardCounts(TypedDict):
    """Columns with a row for each board of each design, in this order. `lost_...` count data, by cause."""

    design: NDArray[np.int64]  # number of the specification
    board: NDArray[np.int64]
    strobes: NDArray[np.uint64]
    accumulating: NDArray[np.uint64]
    aliasing: NDArray[np.uint64]
    node_overruns: NDArray[np.uint64]
    windows_lost: NDArray[np.uint64]
    discarded: NDArray[np.uint64]
    frames_built: NDArray[np.uint64]
    merged: NDArray[np.uint64]
    frames_lost: NDArray[np.uint64]
    drained: NDArray[np.uint64]
    peak_frame_fifo: NDArray[np.uint64]
    first_overrun_ps: NDArray[np.int64]  # -1: no frame was lost
    end_ps: NDArray[np.int64]
    lost_aliasing: NDArray[np.uint64]
    lost_node_overrun: NDArray[np.uint64]
    lost_window_lost: NDArray[np.uint64]
    lost_frame_lost: NDArray[np.uint64]
    frame_words: NDArray[np.int64]  # 32-bit words of a frame

class FrontierPoints(TypedDict):
    word_ns: NDArray[np.int64]
    least_depth: NDArray[np.int64]  # frames; one less loses some
    depth_bound: NDArray[np.int64]  # of network calculus, never below least_depth
    bytes_per_second: NDArray[np.float64]  # of the drain
    frames_built: int

class Intervals(TypedDict):
    interval_ns: int
    frames_built: NDArray[np.uint64]  # in each interval, from time 0 to the last event
    frames_lost: NDArray[np.uint64]
    lost: NDArray[np.uint64]  # data, in lost frames
    most: NDArray[np.uint64]  # frames in the FIFO
    least: NDArray[np.uint64]
    # only with a histogram:
    peak_ns: int  # when it first held the most of all
    histogram_frames: int  # levels in a bin of the histogram; 1 unless there are many levels
    histogram_ns: NDArray[np.int64]  # time by bin

def counts_apart(spec: Specification) -> bool: ...

class CountReplay:
    def __init__(self, specs: list[Specification]) -> None: ...
    def program_ends(self, at_ps: int) -> None: ...
    def add(self, **columns: Unpack[Columns]) -> None: ...
    def finish(self) -> BoardCounts: ...

class Frontier:
    def __init__(self, spec: str, word_ns: list[int], board: int = 0) -> None: ...
    def program_ends(self, at_ps: int) -> None: ...
    def add(self, **columns: Unpack[Columns]) -> None: ...
    def finish(self) -> FrontierPoints: ...

class TimeLine:
    def __init__(self, spec: str, interval_ns: int, board: int = 0, histogram: bool = True) -> None: ...
    def program_ends(self, at_ps: int) -> None: ...
    def add(self, **columns: Unpack[Columns]) -> None: ...
    def finish(self) -> Intervals: ...

loss_causes: list[str]

def has_waves_of_modules(spec: str) -> bool: ...
def wave_signals(
    spec: str,
) -> list[tuple[str, Literal["event", "value", "level", "state"], int, list[str]]]: ...  # path, kind, bits, names

class WaveReplay:
    def __init__(self, spec: str, path: str, from_ps: int, to_ps: int, wanted: list[bool]) -> None: ...
    @property
    def done(self) -> bool: ...
    def program_ends(self, at_ps: int) -> None: ...
    def add(self, **columns: Unpack[Columns]) -> None: ...
    def finish(self) -> list[int]: ...  # transitions of each signal

class TriggerSearch:
    def __init__(
        self,
        spec: str,
        *,
        cause: str | None = None,
        above: int | None = None,
        event: tuple[int, str] | None = None,
        watch_from_ps: int | None = None,
    ) -> None: ...
    @property
    def done(self) -> bool: ...
    def program_ends(self, at_ps: int) -> None: ...
    def add(self, **columns: Unpack[Columns]) -> None: ...
    def finish(self) -> tuple[int, bool, int] | None: ...  # ps, whether that is exact or a lower bound, board
