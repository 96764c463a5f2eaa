# SPDX-License-Identifier: BSD-3-Clause
"""The figure class of all pictures."""

from __future__ import annotations

import io
from typing import Any

from matplotlib.figure import Figure

from hypermon.pictures.library import STYLE, settings


class Picture(Figure):
    """A figure without a window. A notebook shows it, once."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._drawn: list[tuple[Any, tuple[Any, ...], dict[str, Any]]] = []  # legends and how to draw them

    def narrow(self, inches: float, columns: int) -> None:
        """Makes it as narrow as a phone, with at most `columns` columns in its legends. Its height stays."""
        self.set_size_inches(inches, self.get_size_inches()[1])
        remembered, self._drawn = self._drawn, []
        with settings(STYLE):
            for drawn, args, kwargs in remembered:
                drawn.remove()
                self.legend(*args, **{**kwargs, "ncols": min(kwargs.get("ncols", 1), columns)})

    def legend(self, *args: Any, **kwargs: Any) -> Any:
        drawn = super().legend(*args, **kwargs)
        self._drawn.append((drawn, args, kwargs))
        return drawn

    def _repr_png_(self) -> bytes:
        buffer = io.BytesIO()
        with settings(STYLE):
            self.savefig(buffer, format="png", dpi=110)
        return buffer.getvalue()
