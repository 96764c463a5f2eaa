from typing import Any, TypedDict

import numpy as np
from numpy.typing import NDArray

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

class Frames(TypedDict):
    info: Info
    vector: NDArray[np.uint32]
    window: NDArray[np.uint64]
    stamped: NDArray[np.bool_]
    data: NDArray[np.uint32]
    problem: tuple[int, str] | None

class Decoded(TypedDict):
    info: Info
    events: NDArray[Any]
    damaged: NDArray[Any]
    problem: tuple[int, str] | None

EVENT_TYPES: dict[int, str]

class NotAFrameFileError(Exception): ...

def read_frames(path: str) -> Frames: ...
def decode_frames(path: str) -> Decoded: ...
