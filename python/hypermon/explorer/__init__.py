# SPDX-License-Identifier: BSD-3-Clause
"""A page on this machine on which an architect changes the hardware of a recording and sees what it loses.

`hypermon explore RECORDING` and `Recording.explore()` serve it. The page is made with Dash, which is an optional extra:
`pip install hypermon[explore]`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypermon._engine import replays
from hypermon.explorer.answers import Answers
from hypermon.explorer.controls import Controls

if TYPE_CHECKING:
    from hypermon._engine.recording import Recording
    from hypermon.explorer.serving import Served


def serve(recording: Recording, port: int = 0, *, framed: bool = False) -> Served:
    """Serves the page in a thread of this process, on the loopback address only.

    Args:
        recording: A recording of a monitor that has replays.
        port: The TCP port. 0: a free one.
        framed: Whether pages of this machine, such as notebooks, may show the page in a frame.

    Raises:
        UserError: Dash is not installed, the port cannot be used, or the monitor has no replays.
    """
    from hypermon.explorer import serving

    replays.by(recording)
    return serving.serve(Answers(Controls(recording)), port, framed)
