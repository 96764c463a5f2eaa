# SPDX-License-Identifier: BSD-3-Clause
"""Waveform files and the intervals that they show. FST files are converted from VCD by GTKWave's vcd2fst."""

from __future__ import annotations

import contextlib
import math
import re
import shlex
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

from hypermon._engine.recording import Recording
from hypermon._files import files, leftovers, outputs
from hypermon._model import units
from hypermon._printing import one_line
from hypermon.errors import HypermonError, SimulationError, UserError

VCD = "waves.vcd"
VIEW = ".gtkw"
"""Suffix of the GTKWave save file, which describes the displayed signals."""
_WIDTH, _HEIGHT, _NAMES = 1600, 1000, 330
_TRACE_WIDTH = _WIDTH - _NAMES - 140  # pixels that are left for the curves
_APART = 8  # (chosen) pixels between the marker and the arrow of its event
_PIXELS_PER_FRAME = 200  # GTKWave's zoom is minus log2 of the time shown in this many pixels


class NeverHappenedError(HypermonError):
    """A trigger does not happen in the whole run."""

    exit_status = 1


class NothingLostError(NeverHappenedError):
    """Waves of a loss or a difference were requested, but there is none in the whole run. This is good news."""

    exit_status = 0


def time_ps(text: str, option: str) -> int:
    """Parses a time with a unit into whole ps."""
    try:
        value = units.parse(text, "ps")
    except ValueError as error:
        raise UserError(f"{option} {text}: {error}") from None
    if value is None or value < 0 or not re.search(r"[a-z]", text.lower().replace("e", "")):
        raise UserError(f"{option} {text}: must be a time with its unit (1.2s, 5ms, 800ns)")
    if value.denominator != 1:
        raise UserError(f"{option} {text}: must be whole ps")
    return int(value)


def is_time(at: str) -> bool:
    """Is the text a time, rather than the name of an occurrence?"""
    return at[:1] in "0123456789." and at != ""


def interval(text: str, option: str) -> tuple[int, int | None]:
    """Parses BEGIN..END into ps. The end is None if it is omitted."""
    begin, dots, end = (part.strip() for part in text.partition(".."))
    if not dots:
        raise UserError(f"{option} {text}: must be BEGIN..END, such as 1.2s..1.25s")
    from_ps = time_ps(begin, option) if begin else 0
    to_ps = time_ps(end, option) if end else None
    if to_ps is not None and to_ps <= from_ps:
        raise UserError(f"{option} {text}: ends before it begins")
    return from_ps, to_ps


def end_ps(recording: Recording) -> int:
    """Returns the time at which the program had ended and the last burst had begun to leave its node, ps."""
    last_ps = max((int(batch.first_ps[-1]) for batch in recording.batches() if len(batch)), default=0)
    return max(recording.end_ps, last_ps)


def check(path: Path, force: bool, instead: str) -> None:
    """Raises a UserError if the waveforms or their GTKWave save file cannot be written.

    `force`: replaces existing files. By default they are kept, since a save file may have been changed in GTKWave.
    `instead`: advice for the error message about existing files.
    """
    _converter(path)
    view_file_name(str(path.resolve()))
    for file in (path, path.with_suffix(VIEW)):
        if not force and file.exists():
            raise UserError(f"{file}: exists; {instead}")
        outputs.require(file, streams=False)


def view_file_name(name: str) -> str:
    """Returns a file name for use in a GTKWave save file.

    Raises a UserError if the name has line breaks, since a line of a save file can start a program.
    """
    if not name.isprintable():
        raise UserError(f"{one_line(name)}: must have no control characters: a view for GTKWave has to name it")
    return name


def window(begin_ps: int, length_ps: int, marker_ps: int | None) -> list[str]:
    """Returns the lines of a save file that set the window, the visible time span and the marker."""
    zoom = -math.log2(max(1, length_ps) / _TRACE_WIDTH * _PIXELS_PER_FRAME)
    return [
        f"[timestart] {begin_ps}",
        f"*{zoom:.6f} {-1 if marker_ps is None else marker_ps}" + " -1" * 26,
        f"[size] {_WIDTH} {_HEIGHT}",
        "[pos] -1 -1",
        f"[signals_width] {_NAMES}",
        "[sst_expanded] 0",
    ]


def marker_before(marker_ps: int, length_ps: int) -> int:
    """Returns a time for GTKWave's marker, some pixels before the event, whose arrow the marker would hide."""
    return max(0, marker_ps - length_ps * _APART // _TRACE_WIDTH)


def viewer_command(waves: Path, view: Path) -> str:
    """Returns the shell command that shows the waveforms."""
    return shlex.join(["gtkwave", str(waves), str(view)])


@contextlib.contextmanager
def scratch(path: Path) -> Iterator[Path]:
    """A temporary folder beside `path` for a VCD. Write errors in it are reported as errors of `path`."""
    with files.naming(path), leftovers.scratch(path) as folder:
        try:
            yield folder
        except (RuntimeError, SimulationError) as error:  # the C++ writer's message names the temporary file
            message = str(error)
            if str(folder / VCD) not in message:
                raise
            raise UserError(message.replace(str(folder / VCD), str(path))) from None


def converted(vcd: Path, path: Path) -> Path:
    """Converts a VCD in a scratch folder to the format of `path`."""
    converter = _converter(path)
    if converter is None:
        return vcd
    fst = vcd.with_suffix(".fst")
    _convert(converter, vcd, fst, path)
    return fst


def _converter(path: Path) -> str | None:
    """Returns the program that converts a VCD to the format of the file. None: the file is a VCD."""
    if path.suffix == ".vcd":
        return None
    if path.suffix != ".fst":
        raise UserError(f"{path}: must end with .vcd or .fst")
    return tool("vcd2fst", "FST is written by")


def tool(name: str, why: str) -> str:
    """Returns the path of one of GTKWave's programs. Raises a UserError if it is not installed."""
    found = shutil.which(name)
    if found is None:
        raise UserError(f"{why} {name}, which is not installed: Debian and Ubuntu have it in the package gtkwave")
    return found


def _convert(converter: str, vcd: Path, fst: Path, path: Path) -> None:
    done = subprocess.run(
        [converter, "-Z", str(vcd), str(fst)],
        capture_output=True,
        encoding="utf-8",
        errors="backslashreplace",
        check=False,
    )
    if done.returncode != 0 or not fst.is_file():
        raise UserError(f"{path}: {converter} failed: {(done.stderr or done.stdout).strip()}")
