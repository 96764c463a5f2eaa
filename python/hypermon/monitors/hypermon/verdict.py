# SPDX-License-Identifier: BSD-3-Clause
"""The verdict on a run under the HYPERMON monitor."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hypermon._model.words import amount, count, seconds


def verdict(result: Mapping[str, Any]) -> list[str]:
    """The occupancy of the frame FIFOs, or their losses."""
    frames, ecb = result["monitor"]["frames"], result["spec"]["ecb"]
    depth = max(
        int({**ecb, **own}["frame_fifo_frames"])
        for own in (ecb, *(one for name, one in result["spec"].items() if name.startswith("ecb[")))
    )
    is_own = _is_own(ecb)
    if not frames["built"]:
        silent = is_own and result["monitor"]["strobes"] > 0
        return ["The board has never said that a frame waits."] if silent else []
    if frames["lost"]:
        first = result["monitor"]["first_overrun_s"]
        since = "" if first is None else f" for the first time after {seconds(first)}"
        fifo = "board's frame FIFO" if is_own else f"frame FIFO of {count(depth)} frames"
        return [f"The {fifo} overran{since} and lost {amount(frames['lost'], 'frames')}."]
    if is_own:
        return [f"The board held at most {amount(frames['peak_occupancy'], 'frames')}."]
    return [f"The frame FIFO held at most {count(frames['peak_occupancy'])} of {count(depth)} frames."]


def _is_own(ecb: Mapping[str, Any]) -> bool:
    """Is the board the user's, so that the depth of its FIFO is unknown?"""
    if ecb.get("module") or not ecb.get("rtl"):
        return bool(ecb.get("module"))
    from hypermon._inputs.programs import rtl  # imported here, because most runs do not need it

    return not rtl.is_bundled_board({path: ecb[path.partition(".")[2]] for path in (rtl.FILE, rtl.TOP, rtl.PARAMETERS)})


def headline(result: Mapping[str, Any]) -> list[str]:
    """The comparison with hypermon's functional model (ecb.lockstep)."""
    compared = result["monitor"].get("board", {}).get("lockstep")
    if compared is None:
        return []
    frames, first = count(compared["equal_frames"]), compared["first"]
    if first is None:
        return [f"The board agrees with the model in all {frames} frames."]
    at = "" if first["input"] is None else f", input {first['input']}"
    of = f" of board {first['board']}" if int(result["spec"]["nodes"]) > int(result["spec"]["ecb"]["inputs"]) else ""
    return [
        f"The first difference{of} is in window {first['window']}{at}: expected {first['expected']}; got "
        f"{first['actual']}.",
        f"{amount(compared['differences'], 'differences')} in all; {frames} frames agree.",
    ]
