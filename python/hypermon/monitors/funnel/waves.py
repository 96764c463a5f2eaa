# SPDX-License-Identifier: BSD-3-Clause
"""Waveforms of the chips for GTKWave, from a recording: sources, links, funnels, formatters and sinks."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hypermon._engine import replaying, wave_files
from hypermon._engine.recording import Recording
from hypermon._files import files
from hypermon._model import argument_checks
from hypermon._model.native import _core
from hypermon._model.spec import Spec
from hypermon.errors import UserError

FIRST_LOSS = "first-loss"
_DEC, _BIN, _RIGHT, _BLANK, _TRANSLATED, _STEP, _TALLER = 0x4, 0x8, 0x20, 0x200, 0x2000, 0x8000, 0x20000
_WHOLE_SCALE = 0x80000
"""GTKWave's flags of a trace."""
_RED, _ORANGE, _YELLOW, _GREEN = 1, 2, 3, 4


@dataclass(frozen=True)
class Signal:
    """A signal of the file. `kind`: event, value, level or state. `names`: the names of states."""

    path: str
    kind: str
    bits: int
    names: tuple[str, ...] = ()


@dataclass(frozen=True)
class Waves:
    """The written waveforms of [from_ps, to_ps). `view`: the GTKWave save file (`gtkwave PATH VIEW`)."""

    path: Path
    view: Path
    from_ps: int
    to_ps: int
    marker_ps: int | None
    transitions: Mapping[str, int]
    """Number of transitions of every signal, including the value at `from_ps`, which events do not have."""


def signals(recording: Recording, settings: Mapping[str, Any] | None = None) -> list[Signal]:
    """Returns the signals of a recording's waveforms, in the order of the file."""
    spec = replaying.resolve(recording, argument_checks.settings(settings, {}, signals))
    return [Signal(path, kind, bits, tuple(names)) for path, kind, bits, names in _core.funnel_signals(spec.to_json())]


def write(
    recording: Recording | str | os.PathLike[str],
    out: str | os.PathLike[str] | None = None,
    settings: Mapping[str, Any] | None = None,
    *,
    presets: Sequence[str] = (),
    at: str = FIRST_LOSS,
    pre: str = "1 ms",
    post: str = "100 us",
    between: str | None = None,
    force: bool = False,
) -> Waves:
    """Writes waveforms of a recorded run, with its own or with other hardware (`hypermon chip-waves`).

    Args:
        recording: A recording, its file or its run directory.
        out: A .vcd or .fst file. By default waves.vcd beside the recording.
        settings: As in `hypermon.replay`.
        presets: As in `hypermon.replay`.
        at: `first-loss`, or a time with a unit, around which the window lies.
        pre: Length of the window before `at`.
        post: Length of the window after `at`.
        between: The window, such as `1.2s..1.25s`, instead of `at`.
        force: Replaces existing files.

    Returns:
        A description of the written files.

    Raises:
        UserError: An argument is not valid.
        NothingLostError: Waves of the first loss are requested, and nothing is lost in the run.
    """
    source = recording if isinstance(recording, Recording) else Recording(recording)
    path = Path(out) if out is not None else source.path.with_name("waves.vcd")
    wave_files.check(path, force, "choose another path (-o), or replace it (--force)")
    spec = replaying.resolve(source, argument_checks.settings(settings, {}, write), presets)
    if spec.values["monitor"] != "funnel":
        raise UserError(f"monitor = {spec.values['monitor']}: only a trace funnel has chips")
    replaying.require_same_emissions(source, spec)
    marker = None
    if between is not None:
        from_ps, end_ps = wave_files.interval(between, "--window")
        to_ps = wave_files.end_ps(source) + 1 if end_ps is None else end_ps
    else:
        marker = _first_loss(source, spec) if at == FIRST_LOSS else wave_files.time_ps(at, "--at")
        from_ps = max(0, marker - wave_files.time_ps(pre, "--pre"))
        to_ps = marker + max(1, wave_files.time_ps(post, "--post"))
    every = [Signal(own, kind, bits, tuple(names)) for own, kind, bits, names in _core.funnel_signals(spec.to_json())]
    with wave_files.scratch(path) as scratch:
        vcd = scratch / wave_files.VCD
        run = _core.FunnelWaves(spec.to_json(), str(vcd), from_ps, to_ps)
        with replaying.sensible(source):
            run.program_ends(source.program_end_ps)
            for b in source.batches():
                run.add(
                    node=b.node, first_ps=b.first_ps, offsets=b.offsets, data=b.data, message=b.message, side=b.side
                )
            counts = run.finish()
        transitions = {signal.path: n for signal, n in zip(every, counts, strict=True)}
        shown = [signal for signal in every if signal.kind != "event" or transitions[signal.path]]
        view = path.with_suffix(wave_files.VIEW)
        overflowing = [one.path for one in every if one.path.endswith(".overflowing") and transitions[one.path] > 1]
        text = "\n".join(_view(shown, path, (from_ps, to_ps), marker, spec, overflowing)) + "\n"
        made = wave_files.converted(vcd, path)
        with files.writing_all({view: text}):
            files.rename_into_place(made, path)
    return Waves(path, view, from_ps, to_ps, marker, transitions)


def _first_loss(recording: Recording, spec: Any) -> int:
    first = replaying.replay_spec(recording, spec)["monitor"]["first_overrun_s"]
    if first is None:
        raise wave_files.NothingLostError("nothing is lost in the whole run: there are no waves of first-loss")
    return round(first * 1e12)


def _view(
    shown: Sequence[Signal], path: Path, window: tuple[int, int], marker: int | None, spec: Spec, overflowing: list[str]
) -> Iterator[str]:
    """Yields the lines of GTKWave's save file: losses, full buffers, then all other signals. Levels are curves.

    `overflowing`: signals of the sources that lose data in the window. Their FIFOs are above those of other sources.
    """
    yield f'[dumpfile] "{wave_files.view_file_name(str(path.resolve()))}"'
    length = window[1] - window[0]
    lost = any(".loss." in one.path for one in shown)
    at = wave_files.marker_before(marker, length) if marker is not None and lost else marker
    yield from wave_files.window(window[0], length, at)
    losing = tuple(one.removesuffix("overflowing") for one in overflowing)
    sink, fifo = (int(spec.values[key]) for key in ("funnel_sink.buffer_bytes", "funnel_source.fifo_bytes"))
    of_source = (".fifo_bytes", ".overflowing", ".held")
    groups = (
        ("LOSSES", _RED, lambda s: ".loss." in s.path),
        (f"sink: buffer of {sink} bytes", _YELLOW, lambda s: ".sink." in s.path),
        (
            f"sources that lose data: FIFO of {fifo} bytes",
            _ORANGE,
            lambda s: s.path.startswith(losing) and s.path.endswith(of_source),
        ),
        (
            f"{'other sources' if losing else 'sources, without losses'}: FIFO of {fifo} bytes",
            _ORANGE,
            lambda s: not s.path.startswith(losing) and s.path.endswith(of_source),
        ),
        ("funnels", _GREEN, lambda s: ".funnel" in s.path),
        ("links", _GREEN, lambda s: s.path.endswith(".link_words")),
        ("stores", _YELLOW, lambda s: s.path.endswith(".written")),
        ("formatters", _GREEN, lambda s: s.path.endswith((".flushing", ".frame_bytes"))),
    )
    for title, colour, belongs in groups:
        if own := list(filter(belongs, shown)):
            yield f"@{_BLANK:x}"
            yield f"-{title}"
            for signal in own:
                yield from _trace(signal, colour)


def _trace(signal: Signal, colour: int) -> Iterator[str]:
    name = signal.path if signal.bits == 1 else f"{signal.path}[{signal.bits - 1}:0]"
    shown = f"+{{{' '.join(signal.path.split('.')[-2:])}}} {name}"
    is_level = signal.kind == "level"
    yield f"@{(_DEC | _RIGHT | _STEP | _WHOLE_SCALE) if is_level else (_DEC if signal.bits > 1 else _BIN) | _RIGHT:x}"
    yield f"[color] {colour}"
    yield shown
    if is_level:
        yield f"@{_BLANK | _TALLER:x}"
        yield "-"
