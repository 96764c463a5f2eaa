"""Time lines as files and folders, whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path
from typing import IO, TYPE_CHECKING

from hypermon._engine import runner
from hypermon._files import files
from hypermon.errors import UserError, suggestion
from hypermon.timelines import otf2, perfetto

if TYPE_CHECKING:
    from hypermon.timelines.truth import Truth
    from hypermon.timelines.window import Window


def write(truth: Truth, out: str | os.PathLike[str], form: str = "perfetto", window: Window | None = None) -> None:
    """Writes a time line of what lies in the window (default: everything). `form`: one of FORMATS.

    `out`: the file; for otf2 the archive's folder.
    """
    if form not in FORMATS:
        raise UserError(f"format = {form}: must be {', '.join(FORMATS)}{suggestion(form, FORMATS)}")
    out = Path(out)
    files.keep(out, truth.recording.path, truth.recording.path.parent)
    if form == "otf2":
        with runner.whole_folder(out, marker=otf2.ANCHOR) as folder:
            otf2.write(truth, folder, window)
        return
    if out.is_dir():
        raise UserError(f"{out}: is a folder; name the time line's file (-o)")
    with files.writing(out) as partial, partial.open("wb") as file:
        _FILES[form](truth, file, window)


def _csv(truth: Truth, file: IO[bytes], window: Window | None) -> None:
    truth.within(window).to_csv(file, index=False, lineterminator="\n")


_FILES = {"perfetto": perfetto.write, "csv": _csv}
FORMATS = (*_FILES, "otf2")
