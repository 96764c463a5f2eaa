# SPDX-License-Identifier: BSD-3-Clause
"""Writes time lines to files and folders, atomically. (`hypermon.report.timeline_page` makes the page.)"""

from __future__ import annotations

import os
from pathlib import Path
from typing import IO, TYPE_CHECKING

from hypermon._files import csvfile, files, outputs, results
from hypermon.errors import UserError, suggestion
from hypermon.timelines import otf2, perfetto, tracks_csv, tracks_otf2, tracks_perfetto

if TYPE_CHECKING:
    from collections.abc import Callable

    from hypermon.timelines.tracks import TimeLine
    from hypermon.timelines.truth import Truth
    from hypermon.timelines.window import Window


ARCHIVE = results.Kind("an OTF2 archive", otf2.ANCHOR)


def write(
    truth: Truth,
    out: str | os.PathLike[str],
    form: str = "perfetto",
    window: Window | None = None,
    force: bool = False,
) -> None:
    """Writes the part of a time line in the window, by default all of it. `form`: one of FORMATS.

    `out`: the file, or for otf2 the archive's folder, which replaces an earlier archive. `force`: replaces the folder
    even if it holds other files.
    """
    files.keep(Path(out), truth.recording.path, truth.recording.path.parent)
    _write(
        Path(out),
        form,
        lambda folder: otf2.write(truth, folder, window),
        lambda file: _FILES[form](truth, file, window),
        force,
    )


def write_tracks(line: TimeLine, out: str | os.PathLike[str], form: str = "perfetto", force: bool = False) -> None:
    """Like `write`, for a time line of tracks (`hypermon.timelines.timeline`)."""
    _write(
        Path(out),
        form,
        lambda folder: tracks_otf2.write(line, folder),
        lambda file: _TRACKS[form](line, file),
        force,
    )


def require(out: Path, form: str, force: bool = False) -> None:
    """Raises a UserError if no time line of that format can be written. Called before the time line is made."""
    if form == "otf2":
        results.require(out, ARCHIVE, force=force)
    else:
        outputs.require(out)


def _write(
    out: Path, form: str, archive: Callable[[Path], None], write_file: Callable[[IO[bytes]], None], force: bool
) -> None:
    if form not in FORMATS:
        raise UserError(f"format = {form}: must be {', '.join(FORMATS)}{suggestion(form, FORMATS)}")
    if form == "otf2":
        with results.whole_folder(out, ARCHIVE, force=force) as folder:
            archive(folder)
        return
    with files.writing(out) as partial, partial.open("wb") as file:
        write_file(file)


def _csv(truth: Truth, file: IO[bytes], window: Window | None) -> None:
    for number, events in enumerate(truth.pieces()):
        csvfile.write_frame(truth.within(window, events), file, header=number == 0)


_FILES = {"perfetto": perfetto.write, "csv": _csv}
_TRACKS = {"perfetto": tracks_perfetto.write, "csv": tracks_csv.write}
FORMATS = (*_FILES, "otf2")
