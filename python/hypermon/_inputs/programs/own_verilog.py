# SPDX-License-Identifier: BSD-3-Clause
"""hypermon's own Verilog as the board of a run (`ecb.level = rtl` without a user's board)."""

from __future__ import annotations

from collections.abc import Mapping

from hypermon._files import files, places
from hypermon._model.schema import Value

LEVEL, BOARD = "ecb.level", "ecb.rtl"
ANOTHER_BOARD = ("ecb.rtl", "ecb.module")
SOURCE = places.rtl() / "capture_board.v"


def with_bundled_board(values: Mapping[str, Value]) -> Mapping[str, Value]:
    """Names the source of hypermon's board, if the values ask for a board in Verilog and name none."""
    is_asked = values.get("monitor") == "hypermon" and values.get(LEVEL) == "rtl"
    if not is_asked or any(values[path] for path in ANOTHER_BOARD):
        return values
    return {**values, BOARD: files.resolve(BOARD, SOURCE, "")}
