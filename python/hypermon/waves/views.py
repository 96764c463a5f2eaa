"""What GTKWave shows of a file of waves: groups, colours, formats, a marker, and names for states (a .gtkw file)."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Mapping
from pathlib import Path

from hypermon.waves.signals import Signal
from hypermon.waves.window import Window

# GTKWave's flags of a trace (its analyzer.h).
_HEX, _DEC, _BIN, _RIGHT = 0x2, 0x4, 0x8, 0x20
_BLANK, _FILE_TRANSLATED, _STEP, _TALLER = 0x200, 0x2000, 0x8000, 0x20000
_CLOSED, _BEGIN, _END = 0x400000, 0x800000, 0x1000000
_RED, _ORANGE, _YELLOW, _GREEN = range(1, 5)  # its others are hard to read on black

_WIDTH, _HEIGHT, _NAMES = 1600, 1000, 330
_TRACE_WIDTH = _WIDTH - _NAMES - 140  # pixels that are left for the curves
_PIXELS_PER_FRAME = 200  # GTKWave's zoom is the negative binary logarithm of the time in so many
_MORE_ROWS = {"ecb.frame_fifo.level": 4, "loss.data": 1}  # below a curve's own
_BEFORE, _AFTER = 40, 12  # windows of the board that are to be seen before and after the marker

_STATUS = ("frame_overrun", "node_overrun", "vector_overrun", "frame_available")  # from bit 0 on
_BAD = ("waiting", "stalled", "stopped", "held", "overrun")


def write(path: Path, transitions: Mapping[Signal, int], window: Window, board_window_ps: int) -> Path:
    """Leaves the view and its filters beside `path`. Events that do not happen in the window have no row.

    `board_window_ps`: of synchronisation. Returns the view, which has the same name with .gtkw at the end.
    """
    shown = [s for s, n in transitions.items() if s.kind != "event" or n > 0]
    filters = path.with_name(path.stem + ".names")
    view = path.with_suffix(".gtkw")
    lines = [
        "[*] hypermon waves",
        f'[dumpfile] "{path.name}"',
        f'[savefile] "{view.name}"',
        *_place(window, board_window_ps),
        f"[size] {_WIDTH} {_HEIGHT}",
        "[pos] -1 -1",
        f"[signals_width] {_NAMES}",
        "[sst_expanded] 0",
    ]
    for names in sorted({_names(s) for s in shown} - {()}):
        filters.mkdir(exist_ok=True)
        _write(filters / _filter(names), "".join(_translations(names)))
    boards = list(dict.fromkeys(s.board for s in shown))
    if window.board is not None:
        boards.sort(key=lambda board: board != f"board{window.board}")
    for board in boards:
        lines += _board(board, {s.path.partition(".")[2]: s for s in shown if s.board == board}, filters, len(boards))
    lines += ["[pattern_trace] 1", "[pattern_trace] 0"]
    _write(view, "\n".join(lines) + "\n")
    return view


def _place(window: Window, board_window_ps: int) -> list[str]:
    """Where the view is in time: some windows around the marker; without one everything."""
    length = window.to_ps - window.from_ps
    begin = window.from_ps
    if window.marker_ps is not None:
        length = min(length, (_BEFORE + _AFTER) * board_window_ps)
        begin = max(begin, window.marker_ps - _BEFORE * board_window_ps)
    zoom = -math.log2(length / _TRACE_WIDTH * _PIXELS_PER_FRAME)
    marker = window.marker_ps if window.marker_ps is not None else -1
    return [f"[timestart] {begin}", f"*{zoom:.6f} {marker}" + " -1" * 26]


def _board(board: str, signals: dict[str, Signal], filters: Path, boards: int) -> Iterable[str]:
    name = f"{board} " if boards > 1 else ""

    def under(*prefixes: str) -> list[Signal]:
        return [s for path, s in signals.items() if path.startswith(prefixes)]

    lost = under("loss.")
    inputs = under("ecb.input[")
    yield from _group(name + "LOSSES", lost, filters, _RED)
    yield from _group(name + "frame FIFO", under("ecb.frame_fifo."), filters, _ORANGE)
    yield from _group(name + "I/O node reads", under("pbx.", "io_node."), filters, _YELLOW)
    yield from _group(name + "frame builder", under("ecb.builder.", "ecb.status", "ecb.reset"), filters, _GREEN)
    yield from _group(name + "windows", under("ecb.timestamp", "ecb.sampler.", "ecb.vector_fifo."), filters, _ORANGE)
    yield from _group(name + "strobes", under("erb."), filters, _GREEN)
    yield from _group(name + "lost at the inputs", inputs, filters, _RED)
    yield from _group(name + "node FIFOs", under("ecb.node_fifo["), filters, _YELLOW, closed=True)


def _group(title: str, signals: list[Signal], filters: Path, colour: int, closed: bool = False) -> Iterable[str]:
    if not signals:
        return
    shut = _CLOSED if closed else 0
    yield f"@{_BEGIN | _BLANK | shut:x}"
    yield f"-{title}"
    for signal in signals:
        yield from _trace(signal, filters, _RED if "lost" in signal.path or "overrun" in signal.path else colour)
    yield f"@{_END | _BLANK | shut:x}"
    yield f"-{title}"


def _trace(signal: Signal, filters: Path, colour: int) -> Iterable[str]:
    name = _name(signal)
    if signal.kind == "level":
        yield f"@{_DEC | _RIGHT | _STEP:x}"
        yield from (f"[color] {colour}", name)
        for _ in range(_MORE_ROWS.get(signal.path.partition(".")[2], 0)):
            yield from (f"@{_BLANK | _TALLER:x}", "-")
        return
    if names := _names(signal):
        yield f"@{_HEX | _RIGHT | _FILE_TRANSLATED:x}"
        yield f"^1 {filters.name}/{_filter(names)}"  # GTKWave looks beside the view
    elif signal.kind == "event" or signal.path.endswith(".vector"):
        yield f"@{_BIN | _RIGHT:x}"
    elif signal.path.endswith((".timestamp", "io_node.word")):
        yield f"@{_DEC | _RIGHT:x}"
    else:
        yield f"@{_HEX | _RIGHT:x}"
    yield from (f"[color] {colour}", name)


def _name(signal: Signal) -> str:
    """As GTKWave calls it, with what it is to show; of what has dots it would show what follows the last."""
    name = signal.path if signal.bits == 1 else f"{signal.path}[{signal.bits - 1}:0]"
    return f"+{{{' '.join(signal.path.split('.')[-2:])}}} {name}"


def _names(signal: Signal) -> tuple[str, ...]:
    """Of its values, if they have some."""
    return _status_names() if signal.path.endswith("ecb.status") else signal.names


def _status_names() -> tuple[str, ...]:
    """Of every value of the status register."""
    bits = itertools.product((False, True), repeat=len(_STATUS))
    return tuple("+".join(n for n, is_set in zip(_STATUS, reversed(b), strict=True) if is_set) or "0" for b in bits)


def _filter(names: tuple[str, ...]) -> str:
    return "status.txt" if names == _status_names() else f"{'_'.join(names[:3])}.txt"


def _translations(names: tuple[str, ...]) -> Iterable[str]:
    for value, name in enumerate(names):
        colour = "DimGray" if value == 0 else "DarkRed" if any(bad in name for bad in _BAD) else "DarkGreen"
        yield f"{value:x} ?{colour}?{name}\n"


def _write(path: Path, text: str) -> None:
    partial = path.with_name(f".{path.name}.partial")
    partial.write_text(text, encoding="utf-8")
    partial.replace(path)
