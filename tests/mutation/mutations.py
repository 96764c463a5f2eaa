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
        "The timestamp is the number of the window that ends",
        "capture_board.cpp",
        "window_of(edge) - 1}",
        "window_of(edge)}",
    ),
    Mutation(
        "A frame with at least one flagged word is stamped",
        "capture_board.cpp",
        "built.frame.stamped |= word.flagged;",
        "built.frame.stamped = word.flagged;",
    ),
)
