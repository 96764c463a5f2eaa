# SPDX-License-Identifier: BSD-3-Clause
"""The figure class of all pictures."""

from __future__ import annotations

import io

from matplotlib.figure import Figure

from hypermon.pictures.library import STYLE, settings


class Picture(Figure):
    """A figure without a window. A notebook shows it, once."""

    def _repr_png_(self) -> bytes:
        buffer = io.BytesIO()
        with settings(STYLE):
            self.savefig(buffer, format="png", dpi=110)
        return buffer.getvalue()
