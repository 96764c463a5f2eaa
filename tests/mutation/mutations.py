"""Each rule of the contract broken once on purpose, in the text of hw/core."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Mutation:
    """`old` occurs exactly once in `file` (below hw/core)."""

    rule: str
    file: str
    old: str
    new: str


MUTATIONS: tuple[Mutation, ...] = (
    Mutation(
        "Full is the level before the edge: a frame FIFO of n frames holds n",
        "frame_fifo.hpp",
        "if (before >= depth_) return false;",
        "if (before > depth_) return false;",
    ),
    Mutation(
        "What enters the strobe-vector FIFO at an edge is taken at the next at the earliest",
        "frame_builder.hpp",
        "std::max(edge + clock_period, free_)",
        "std::max(edge, free_)",
    ),
)
