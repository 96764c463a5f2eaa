# SPDX-License-Identifier: BSD-3-Clause
"""A view of waves for GTKWave (.gtkw): groups, colours, formats, a marker, and names of states."""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from hypermon._engine import wave_files
from hypermon._files import files, outputs, places, yamlfile
from hypermon._files.items import Item
from hypermon.errors import UserError, suggestion
from hypermon.monitors.hypermon.waves.signals import Signal, matches
from hypermon.monitors.hypermon.waves.window import Window

# GTKWave's flags of a trace (its analyzer.h).
_HEX, _DEC, _BIN, _RIGHT = 0x2, 0x4, 0x8, 0x20
_BLANK, _FILE_TRANSLATED, _STEP, _TALLER, _WHOLE_SCALE = 0x200, 0x2000, 0x8000, 0x20000, 0x80000
_CLOSED, _BEGIN, _END = 0x400000, 0x800000, 0x1000000
SUFFIX = wave_files.VIEW
_COLOURS = {"red": 1, "orange": 2, "yellow": 3, "green": 4}  # GTKWave's other colours are hard to read on black

_MORE_ROWS = {"ecb.frame_fifo.level": 4, "loss.data": 1}  # below a curve's own

_STATUS = ("frame_overrun", "node_overrun", "vector_overrun", "frame_available")  # bits of the register, from bit 0 on
_ACTIVITY = {"computing": "DarkGreen", "waiting": "DimGray", "emitting": "DarkOrange3"}
_BAD = ("waiting", "stalled", "stopped", "held", "overrun")


@dataclass(frozen=True)
class Group:
    title: str
    colour: int
    patterns: tuple[str, ...]
    closed: bool

    @property
    def of_board(self) -> bool:
        return self.patterns[0].startswith("board.")

    def choose(self, signals: list[Signal]) -> list[Signal]:
        """Selects signals in the order of the patterns, each signal once."""
        chosen = [s for glob in self.patterns for s in signals if matches(s.path.replace(s.board, "board", 1), glob)]
        ranks = [s for glob in self.patterns for s in signals if not self.of_board and matches(s.path, glob)]
        return list(dict.fromkeys(chosen if self.of_board else ranks))


@dataclass(frozen=True)
class View:
    """A file of waves/views: the shown signals and their groups.

    `before`, `after`: the first view, as numbers of synchronisation windows around the marker. None: from the begin of
    the waves until a fifth of the view after the marker.
    """

    name: str
    about: str
    before: int | None
    after: int | None
    groups: tuple[Group, ...]


def names() -> list[str]:
    """Returns the names of all views."""
    return sorted(path.stem for path in places.views().glob("*.yaml"))


def load(name: str) -> View:
    """A view by its name, or a YAML file of one's own."""
    path = Path(name) if name.endswith((".yaml", ".yml")) else places.views() / f"{name}.yaml"
    if not path.is_file():
        there = "no such file" if path == Path(name) else f"no such view{suggestion(name, names())}"
        raise UserError(f"--view {name}: {there}; there are {', '.join(names())}")
    top = yamlfile.read(path).mapping("a view", ("about", "windows", "groups"))
    for key in ("about", "groups"):
        if key not in top:
            raise UserError(f"a view: needs `{key}`", str(path))
    windows = top["windows"].mapping("windows", ("before", "after")) if "windows" in top else None
    before, after = (
        None if windows is None else _count(windows, key, top["windows"].where) for key in ("before", "after")
    )
    return View(
        name=path.stem,
        about=top["about"].text("about"),
        before=before,
        after=after,
        groups=tuple(_read_group(item) for item in top["groups"].items("groups")),
    )


def _count(windows: Mapping[str, Item], key: str, where: str) -> int:
    value = windows[key].value if key in windows else None
    if not isinstance(value, int) or isinstance(value, bool) or value < 1:
        raise UserError(f"windows.{key} = {value}: must be a number of windows, 1 or more", where)
    return value


def _read_group(item: Item) -> Group:
    keys = item.mapping("a group", ("title", "colour", "signals", "closed"))
    for key in ("title", "colour", "signals"):
        if key not in keys:
            raise UserError(f"a group: needs `{key}`", item.where)
    colour = keys["colour"].text("colour")
    if colour not in _COLOURS:
        raise UserError(f"colour = {colour}: must be one of {', '.join(_COLOURS)}", keys["colour"].where)
    patterns = tuple(glob.text("signals") for glob in keys["signals"].items("signals"))
    if len({glob.startswith("board.") for glob in patterns}) != 1:
        raise UserError("signals: must be all of boards (`board.*`) or all of ranks (`rank*`)", keys["signals"].where)
    closed = keys["closed"].value if "closed" in keys else False
    if not isinstance(closed, bool):
        raise UserError(f"closed = {closed}: must be true or false", keys["closed"].where)
    title = keys["title"].text("title")
    if not title.isprintable():  # another line could make GTKWave start a program
        raise UserError(f"title = {title!r}: must be one line", keys["title"].where)
    return Group(title, _COLOURS[colour], patterns, closed)


@contextlib.contextmanager
def writing(
    path: Path,
    transitions: Mapping[Signal, int],
    window: Window,
    board_window_ps: int,
    view: View,
    depths: Mapping[str, int],
) -> Iterator[Path]:
    """Writes the view and its filters beside `path`, unless writing the waves, which happens inside the context, fails.

    Events that do not occur in the window have no row, and neither have signals of a user's board that do not change
    there, because Verilog has many constants.

    `board_window_ps`: length of the synchronisation window. `depths`: depths of the frame FIFOs that are full at some
    time, by board. Yields the view's path, which is that of the waves with .gtkw at the end.
    """
    shown = [s for s, n in transitions.items() if n > _fewest(s)]
    filters = names_of(path)
    file = path.with_suffix(SUFFIX)
    lines = [
        "[*] hypermon waves",
        f'[dumpfile] "{wave_files.view_file_name(path.name)}"',
        f'[savefile] "{wave_files.view_file_name(file.name)}"',
        *_place(window, board_window_ps, view),
    ]
    boards = list(dict.fromkeys(s.board for s in shown if s.board.startswith("board")))
    if window.board is not None:
        boards.sort(key=lambda board: board != f"board{window.board}")
    groups = list(_groups(view, boards, shown, filters, depths))
    named = sorted({_names(s) for s in shown if any(line.endswith(_traced(s)) for line in groups)} - {()})
    lines += [*groups, "[pattern_trace] 1", "[pattern_trace] 0"]
    texts = {filters / _filter(names): "".join(_translations(names)) for names in named}
    with _folder(filters) if named else contextlib.nullcontext(), files.writing_all(texts | {file: _text(lines)}):
        yield file


def _fewest(signal: Signal) -> int:
    """Number of transitions up to which the signal has no row. The value at the begin is a transition."""
    return 1 if ".own_board." in signal.path else 0 if signal.kind == "event" else -1


@contextlib.contextmanager
def _folder(folder: Path) -> Iterator[None]:
    """Makes the folder, and removes it again if nothing was written."""
    with files.naming(folder):
        if outputs.require_folder(folder) is None:
            folder.mkdir()
    try:
        yield
    finally:
        with contextlib.suppress(OSError):
            folder.rmdir()


def _text(lines: Iterable[str]) -> str:
    return "\n".join(lines) + "\n"


def _place(window: Window, board_window_ps: int, view: View) -> list[str]:
    """Time range of the view; the whole time if there is no marker."""
    length = window.to_ps - window.from_ps
    begin, marker = window.from_ps, window.marker_ps
    if marker is None:
        return wave_files.window(begin, length, None)
    if view.before is None or view.after is None:
        length = min(length, max((marker - begin) * 5 // 4, board_window_ps))
    else:
        length = min(length, (view.before + view.after) * board_window_ps)
        begin = max(begin, marker - view.before * board_window_ps)
    return wave_files.window(begin, length, wave_files.marker_before(marker, length) if window.is_event else marker)


def _groups(
    view: View, boards: list[str], shown: list[Signal], filters: Path, depths: Mapping[str, int]
) -> Iterable[str]:
    """Groups of boards follow each other board by board."""
    for of_board, run in itertools.groupby(view.groups, key=lambda group: group.of_board):
        groups = list(run)
        for board in boards if of_board else [""]:
            for group in groups:
                title = f"{board} {group.title}" if board and len(boards) > 1 else group.title
                signals = [s for s in shown if s.board == board or not of_board]
                yield from _group(title, group.choose(signals), filters, group, depths)


def _group(title: str, signals: list[Signal], filters: Path, group: Group, depths: Mapping[str, int]) -> Iterable[str]:
    """`depths`: depths of the frame FIFOs that were full in the file, by board."""
    if not signals:
        return
    shut = _CLOSED if group.closed else 0
    yield f"@{_BEGIN | _BLANK | shut:x}"
    yield f"-{title}"
    for signal in signals:
        # the signal's curve reaches up to this row
        if signal.path.endswith(".frame_fifo.level") and signal.board in depths:
            yield f"@{_BLANK:x}"
            yield f"-____ full: {depths[signal.board]} frames ____"
        yield from _trace(
            signal, filters, _COLOURS["red"] if "lost" in signal.path or "overrun" in signal.path else group.colour
        )
    yield f"@{_END | _BLANK | shut:x}"
    yield f"-{title}"


def _trace(signal: Signal, filters: Path, colour: int) -> Iterable[str]:
    name = _name(signal)
    if signal.kind == "level":
        yield f"@{_DEC | _RIGHT | _STEP | _WHOLE_SCALE:x}"
        yield from (f"[color] {colour}", name)
        for _ in range(_MORE_ROWS.get(signal.path.partition(".")[2], 0)):
            yield from (f"@{_BLANK | _TALLER:x}", "-")
        return
    if names := _names(signal):
        yield f"@{_HEX | _RIGHT | _FILE_TRANSLATED:x}"
        yield f"^1 {filters.name}/{_filter(names)}"  # GTKWave searches beside the view
    elif signal.kind == "event" or signal.path.endswith(".vector"):
        yield f"@{_BIN | _RIGHT:x}"
    elif signal.path.endswith((".timestamp", "io_node.word")):
        yield f"@{_DEC | _RIGHT:x}"
    else:
        yield f"@{_HEX | _RIGHT:x}"
    yield from (f"[color] {colour}", name)


def _name(signal: Signal) -> str:
    """The signal's displayed name and its name. GTKWave alone would show only the part after the last dot."""
    return f"+{{{' '.join(signal.path.split('.')[-2:])}}} {_traced(signal)}"


def _traced(signal: Signal) -> str:
    return signal.path if signal.bits == 1 else f"{signal.path}[{signal.bits - 1}:0]"


def _names(signal: Signal) -> tuple[str, ...]:
    """Names of the signal's values, if they have any."""
    return _status_names() if signal.path.endswith("ecb.status") else signal.names


def _status_names() -> tuple[str, ...]:
    """Names of all values of the status register."""
    bits = itertools.product((False, True), repeat=len(_STATUS))
    return tuple("+".join(n for n, is_set in zip(_STATUS, reversed(b), strict=True) if is_set) or "0" for b in bits)


def _filter(names: tuple[str, ...]) -> str:
    return "status.txt" if names == _status_names() else f"{'_'.join(names[:3])}.txt"


def _translations(names: tuple[str, ...]) -> Iterable[str]:
    digits = ((len(names) - 1).bit_length() + 3) // 4
    for value, name in enumerate(names):
        yield f"{value:0{digits}X} ?{_colour(name, value, names)}?{name}\n"


def _colour(name: str, value: int, names: tuple[str, ...]) -> str:
    if value == 0:
        return "DimGray"
    if "emitting" in names:  # states of a rank
        return _ACTIVITY.get(name, "DarkBlue")
    return "DarkRed" if any(bad in name for bad in _BAD) else "DarkGreen"


def names_of(path: Path) -> Path:
    """Returns the folder beside the waves with the files of value names."""
    return path.with_name(path.stem + ".names")


def require(path: Path, force: bool, instead: str) -> None:
    """Raises a UserError if the files of names cannot be written beside the waves.

    Without `force`, existing ones are not replaced. `instead`: advice for that case.
    """
    filters = names_of(path)
    if outputs.require_folder(filters) is not None and not force and any(filters.iterdir()):
        raise UserError(f"{filters}: exists; {instead}")
