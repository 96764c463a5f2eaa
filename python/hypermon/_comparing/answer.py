# SPDX-License-Identifier: BSD-3-Clause
"""The answer of `hypermon.compare`."""

from __future__ import annotations

import os
from pathlib import Path

from hypermon import pictures
from hypermon._comparing import page, picture
from hypermon._comparing.comparison import Differences
from hypermon._files import outputs
from hypermon.pictures import style

PAGE = ".html"
PICTURES = style.FORMATS


class Comparison(Differences):
    """The answer of `hypermon.compare`: the differences between runs or designs."""

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes a page (.html) or a picture (.svg, .pdf, .png) atomically.

        A device or a pipe without such a suffix gets a page.
        """
        if outputs.suffix(Path(path), (PAGE, *PICTURES), PAGE) == PAGE:
            page.write(self, path)
        else:
            pictures.save(picture.draw(self), path)
