"""Files of waves: VCD, or FST through GTKWave's vcd2fst."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hypermon._engine.recording import Recording
from hypermon._model.native import _core
from hypermon._model.schema import flat
from hypermon._model.spec import Spec
from hypermon.errors import UserError
from hypermon.monitors.hypermon import replaying
from hypermon.monitors.hypermon.waves import views, window
from hypermon.monitors.hypermon.waves.signals import Signal, choose, signals


@dataclass(frozen=True)
class Waves:
    """What was written."""

    path: Path
    view: Path
    """What GTKWave shows of it: `gtkwave PATH VIEW`."""
    from_ps: int
    to_ps: int
    """Changes before this time are in the file."""
    marker_ps: int | None
    """The trigger, or the time that was asked for."""
    transitions: dict[Signal, int]
    """Of every signal in the file, with the value that it has at `from_ps`; events have none."""


def write(
    recording: Recording | str | os.PathLike[str],
    out: str | os.PathLike[str] | None = None,
    settings: Mapping[str, Any] | None = None,
    *,
    presets: Sequence[str] = (),
    at: str = "first-loss",
    pre: str = "5 ms",
    post: str = "1 ms",
    between: str | None = None,
    only: Sequence[str] = (),
    view: str = "overview",
    force: bool = False,
) -> Waves:
    """Waves of a recorded run, or of what it would have been with other hardware (as in `hypermon.replay`).

    `at`: `first-loss`, `loss:CAUSE`, `occupancy>N` (frames in a frame FIFO) or a time with its unit; from `pre` before
    it until `post` after it. `between`: `1.2s..1.25s`, instead. `only`: globs of the signals that are wanted.
    `view`: what GTKWave shows of it (`hypermon.waves.views.names`, or a YAML file).
    `out`: a .vcd or .fst; by default waves.vcd beside the recording. A file that exists is replaced with `force` only.
    A UserError says what cannot be; a NeverHappenedError, that the trigger does not happen (NothingLostError: because
    nothing is lost).
    """
    source = recording if isinstance(recording, Recording) else Recording(recording)
    path = Path(out) if out is not None else source.path.with_name("waves.vcd")
    check(path)
    if not force:
        refuse_existing(path, "choose another place (-o), or have it replaced (--force)")
    shown = views.load(view)
    spec = replaying.resolve(source, flat(settings or {}), presets)
    replaying.require_same_emissions(source, spec)
    every = signals(spec)
    wanted = choose(every, only)
    chosen = window.between(source, between) if between is not None else window.around(source, spec, at, pre, post)
    with tempfile.TemporaryDirectory(prefix=f".{path.name}.", dir=path.resolve().parent) as scratch:
        vcd = Path(scratch) / "waves.vcd"
        replay = _core.WaveReplay(spec.to_json(), str(vcd), chosen.from_ps, chosen.to_ps, wanted)
        counts = window.feed(source, replay)
        place(vcd, path)
    transitions = {s: n for s, n, is_wanted in zip(every, counts, wanted, strict=True) if is_wanted}
    return describe(path, transitions, chosen, spec, shown)


def check(path: Path) -> None:
    """A UserError if no waves can be written there."""
    _converter(path)
    _folder(path)


def refuse_existing(path: Path, instead: str) -> None:
    """A UserError if the waves, or the view beside them, are there already: it may have been changed in GTKWave."""
    for file in (path, path.with_suffix(views.SUFFIX)):
        if file.exists():
            raise UserError(f"{file}: exists; {instead}")


def place(vcd: Path, path: Path) -> None:
    """Moves a VCD to `path`, in the same file system, as what its name says."""
    converter = _converter(path)
    if converter is None:
        vcd.replace(path)
        return
    fst = vcd.with_suffix(".fst")
    _convert(converter, vcd, fst)
    fst.replace(path)
    vcd.unlink(missing_ok=True)


def describe(path: Path, transitions: dict[Signal, int], chosen: window.Window, spec: Spec, shown: views.View) -> Waves:
    """Leaves the view beside the waves."""
    view = views.write(path, transitions, chosen, int(spec.values["ecb.window_ns"]) * 1000, shown)
    return Waves(path, view, chosen.from_ps, chosen.to_ps, chosen.marker_ps, transitions)


def _converter(path: Path) -> str | None:
    """What makes such a file of a VCD; None: it is one."""
    if path.suffix == ".vcd":
        return None
    if path.suffix != ".fst":
        raise UserError(f"{path}: must end with .vcd or .fst")
    return tool("vcd2fst", "FST is written by")


def tool(name: str, why: str) -> str:
    """A program of GTKWave's."""
    found = shutil.which(name)
    if found is None:
        raise UserError(f"{why} {name}, which is not installed: Debian and Ubuntu have it in the package gtkwave")
    return found


def _convert(converter: str, vcd: Path, fst: Path) -> None:
    done = subprocess.run([converter, "-Z", str(vcd), str(fst)], capture_output=True, text=True, check=False)
    if done.returncode != 0 or not fst.is_file():
        raise UserError(f"{converter} failed: {(done.stderr or done.stdout).strip()}")


def _folder(path: Path) -> Path:
    folder = path.resolve().parent
    if not folder.is_dir():
        raise UserError(f"{path}: there is no folder {folder}")
    return folder
