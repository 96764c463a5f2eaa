# SPDX-License-Identifier: BSD-3-Clause
"""`hypermon study merging`: frames that merge data against a funnel that sends each datum alone (HYPERMON sec. 3.2.1).

The paper: "Only when four or more nodes have valid event data will transfer of event frames require fewer bits." Both
boards get the same strobes: nodes that emit events of 16 data at a pitch, each event after a random gap of up to one
pitch. A node's activity is its data per window.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from hypermon import __version__
from hypermon._files import csvfile
from hypermon._model.native import _core
from hypermon.report.calibration import PREDICTED
from hypermon_studies import cells, figures
from hypermon_studies.cells import DERIVED, Cell, Cells
from hypermon_studies.markdown import table
from hypermon_studies.placing import Place

ACTIVE = tuple(range(1, 17))
NAME = "merging"
LEVEL_TABLE, LEAST_TABLE, LOSS_TABLE = "by activity", "break-even", "prototype, no delay: active nodes"
PAYS = "fewest active nodes against 40 bits"
BY_LEVEL = (  # quantity, unit, digits on the page
    ("activity", "data per window", 3),
    (PAYS, "nodes", 0),
    ("fewest active nodes against two bus words", "nodes", 0),
    ("data a frame, 16 nodes", "data", 2),
    ("moved per datum, 16 nodes", "bits", 1),
    ("PBX wanted by frames, 16 nodes", "%", 0),
    ("PBX wanted by the funnel packed, 16 nodes", "%", 0),
    ("PBX wanted by the funnel, 16 nodes", "%", 0),
)
PAPER = 4  # sec. 3.2.1: "only when four or more nodes have valid event data"
LEAST, PITCH = "least activity", "pitch"
WAYS, WANTED = ("frames", "the funnel packed", "the funnel"), ("wanted", "lost")
FOLLOWS, CHANCE = "follows from 128 and 40 bits", "independent phases"
WINDOW_NS = 800
EVENT_DATA = 16  # nibbles of an ordinary event (docs/design/ipsc2.md)
DURATION_US = 100_000
SEED = 1


@dataclass(frozen=True)
class Level:
    """Activity of the active nodes."""

    name: str
    pitch_ns: int
    in_step: bool = False


LEVELS = (
    Level("a datum every window", 800),
    Level("every second window", 1600),
    Level("every fourth window", 3200),
    Level("prototype, no delay", 8850),
    Level("prototype, delay 20", 26140),
    Level("prototype, no delay, in step", 8850, in_step=True),
)
TRAFFIC = tuple((level, active) for level in LEVELS for active in ACTIVE)


@dataclass(frozen=True)
class Board:
    """Result of one way of transfer."""

    bits_per_datum: float
    transfers_per_s: float
    bus_share: float
    """Load that all transfers put on the PBX; above 1 the bus is overloaded."""
    lost: float
    """Share of the data lost in the run, which starts with empty FIFOs."""


@dataclass(frozen=True)
class Point:
    level: Level
    active: int
    activity: float
    """Data per window and active node."""
    frames: Board
    packed: Board
    """The funnel on a bus that moves words of 40 bits."""
    words: Board
    """The funnel, on a bus of 32-bit words."""

    @property
    def data_per_frame(self) -> float:
        return FRAME_BITS / self.frames.bits_per_datum


FRAME_BITS = 128
WORD_BITS = 4 + 4 + 32
BREAK_EVEN = FRAME_BITS / WORD_BITS
"""Data that a frame must hold to need no more bits than the words of a funnel."""


def expected_data_per_frame(active: int, activity: float) -> float:
    """Expected data per frame of nodes with independent phases: data per window over the share of windows with data."""
    return active * activity / (1 - (1 - activity) ** active)


def least_activity(active: int) -> float | None:
    """Smallest activity at which `active` nodes with independent phases break even; None if there is none."""
    if active < BREAK_EVEN:
        return None
    low, high = 0.0, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        if middle > 0 and expected_data_per_frame(active, middle) >= BREAK_EVEN:
            high = middle
        else:
            low = middle
    return high


def measure(duration_us: int = DURATION_US, on_done: Callable[[int], None] | None = None) -> Sequence[Point]:
    """Measures all of TRAFFIC, in order."""
    points: list[Point] = []
    for level, active in TRAFFIC:
        points.append(_point(level, active, duration_us))
        if on_done is not None:
            on_done(len(points))
    return points


def _point(level: Level, active: int, duration_us: int) -> Point:
    def moved(run: Callable[..., _core.Moved], **more: bool) -> tuple[Board, _core.Moved]:
        m = run(
            active=active,
            pitch_ns=level.pitch_ns,
            event_data=EVENT_DATA,
            duration_us=duration_us,
            seed=SEED,
            in_step=level.in_step,
            **more,
        )
        board = Board(
            bits_per_datum=m["transfers"] * m["transfer_bits"] / m["strobes"],
            transfers_per_s=m["transfers"] / duration_us * 1e6,
            bus_share=m["transfers"] * m["transfer_ns"] / (duration_us * 1e3),
            lost=m["lost"] / m["strobes"],
        )
        return board, m

    frames, m = moved(_core.capture_generated)
    packed, _ = moved(_core.funnel_generated, packed=True)
    words, _ = moved(_core.funnel_generated, packed=False)
    activity = m["strobes"] / active / (duration_us * 1e3 / m["window_ns"])
    return Point(level, active, activity, frames, packed, words)


def pays_from(points: Sequence[Point], level: Level, funnel: Callable[[Point], Board]) -> int | None:
    """The fewest active nodes from which on frames need fewer bits than the funnel."""
    fewest = None
    for p in reversed([p for p in points if p.level == level]):
        if p.frames.bits_per_datum >= funnel(p).bits_per_datum:
            break
        fewest = p.active
    return fewest


def place(out: Path, force: bool = False) -> Place:
    """The study's place in the folder `out`."""
    return Place(out, NAME, f"{NAME}.csv", force)


def write(out: Path, points: Sequence[Point], force: bool = False) -> None:
    """Writes `out`/merging.md and `out`/merging/*, all files at the end."""
    told = cells.text(Cells(_cells(points)))
    at = place(out, force)
    with at.data() as data:
        _draw(data / f"{NAME}.svg", points)
        (data / f"{NAME}.csv").write_text(_csv(points), encoding="utf-8")
        (data / cells.NAME).write_text(told, encoding="utf-8")
    at.page(_page(points, cells.read(told)))


def summary(points: Sequence[Point]) -> str:
    """Returns the break-even points in two lines."""
    always = pays_from(points, LEVELS[0], lambda p: p.packed)
    prototype = max(p.data_per_frame for p in points if p.level == LEVELS[3])
    return (
        f"break-even {BREAK_EVEN:g} data a frame; with a datum every window frames pay from {always} active nodes on\n"
        f"prototype without delay, random phases: at most {prototype:.2f} data a frame"
    )


def _csv(points: Sequence[Point]) -> str:
    boards = ("frames", "packed", "words")
    columns = ("bits_per_datum", "transfers_per_s", "bus_share", "lost")
    rows: list[Sequence[object]] = [
        ["level", "pitch_ns", "in_step", "active", "activity", "data_per_frame", "expected_data_per_frame"]
        + [f"{board}_{column}" for board in boards for column in columns]
    ]
    for p in points:
        expected = p.active if p.level.in_step else expected_data_per_frame(p.active, p.activity)
        rows.append(
            [p.level.name, p.level.pitch_ns, int(p.level.in_step), p.active]
            + [f"{x:.4f}" for x in (p.activity, p.data_per_frame, expected)]
            + [
                f"{getattr(getattr(p, board), column):.{1 if column == 'transfers_per_s' else 4}f}"
                for board in boards
                for column in columns
            ]
        )
    return csvfile.text(rows)


def _draw(path: Path, points: Sequence[Point]) -> None:
    with figures.figure(width=10.0, height=4.2, panels=2) as (made, (bits, bus)):
        for level in LEVELS:
            of_level = [p for p in points if p.level == level]
            style = "--" if level.in_step else "-"
            values = [p.frames.bits_per_datum for p in of_level]
            bits.plot(ACTIVE, values, style, marker="o", markersize=3, linewidth=1, label=level.name)
        for height, text in ((WORD_BITS, "funnel,\npacked"), (64, "funnel,\ntwo bus\nwords")):
            bits.axhline(height, color="black", linewidth=0.8, linestyle=":")
            bits.text(ACTIVE[-1] + 1, height, text, va="center", fontsize=7)
        bits.set(xlabel="active nodes", ylabel="bits moved per datum", ylim=(0, 180), title="frames against words")
        bits.legend(title="frames, nodes with", fontsize=8, loc="upper right", ncols=2)
        prototype = [p for p in points if p.level == LEVELS[3]]
        ways: tuple[tuple[str, Callable[[Point], Board]], ...] = (
            ("frames", lambda p: p.frames),
            ("funnel, packed", lambda p: p.packed),
            ("funnel, two bus words", lambda p: p.words),
        )
        for name, board_of in ways:
            bus.plot(
                ACTIVE,
                [100 * board_of(p).bus_share for p in prototype],
                marker="o",
                markersize=3,
                linewidth=1,
                label=name,
            )
        bus.axhline(100, color="black", linewidth=0.8, linestyle="--")
        bus.set(xlabel="active nodes", ylabel="share of the PBX wanted, %", ylim=(0, None), title=LEVELS[3].name)
        bus.legend()
        figures.save(made, path)


def _cells(points: Sequence[Point]) -> Iterator[Cell]:
    """The numbers of the page's tables. The paper's break-even of four nodes follows from the bits: 128 / 40."""
    for level in LEVELS:
        of_level = [p for p in points if p.level == level]
        full = of_level[-1]
        numbers = (
            sum(p.activity for p in of_level) / len(of_level),
            pays_from(points, level, lambda p: p.packed),
            pays_from(points, level, lambda p: p.words),
            full.data_per_frame,
            full.frames.bits_per_datum,
            100 * full.frames.bus_share,
            100 * full.packed.bus_share,
            100 * full.words.bus_share,
        )
        for (quantity, unit, _), value in zip(BY_LEVEL, numbers, strict=True):
            if value is not None:
                paper = PAPER if (level, quantity) == (LEVELS[0], PAYS) else None
                status, assumed = (DERIVED, FOLLOWS) if paper else (PREDICTED, "")
                yield Cell(LEVEL_TABLE, quantity, level.name, unit, value, status, paper, assumed)
    for active in ACTIVE:
        if (activity := least_activity(active)) is not None:
            case = f"{active} active nodes"
            yield Cell(LEAST_TABLE, LEAST, case, "data per window", activity, DERIVED, assumption=CHANCE)
            yield Cell(LEAST_TABLE, PITCH, case, "ns", WINDOW_NS / activity, DERIVED, assumption=CHANCE)
    for p in points:
        if p.level == LEVELS[3]:
            for way, board in zip(WAYS, (p.frames, p.packed, p.words), strict=True):
                yield Cell(LOSS_TABLE, f"wanted by {way}", str(p.active), "%", 100 * board.bus_share)
                yield Cell(LOSS_TABLE, f"lost by {way}", str(p.active), "%", 100 * board.lost)


def _page(points: Sequence[Point], found: Cells) -> str:
    def shown(quantity: str, level: Level, digits: int) -> str:
        cell = found.find(LEVEL_TABLE, quantity, level.name)
        return "none" if cell is None else f"{cell.ours:.{digits}f}"

    levels = [(level.name, *(shown(quantity, level, digits) for quantity, _, digits in BY_LEVEL)) for level in LEVELS]
    losses = [
        (active, *(f"{found.at(LOSS_TABLE, f'{what} by {way}', active).ours:.2f}" for way in WAYS for what in WANTED))
        for active in found.cases(LOSS_TABLE)
    ]
    least = [
        (
            case.split()[0],
            f"{found.at(LEAST_TABLE, LEAST, case).ours:.3f}",
            f"{found.at(LEAST_TABLE, PITCH, case).ours:.0f}",
        )
        for case in found.cases(LEAST_TABLE)
    ]
    level_columns = (
        "data of a node",
        "activity per window",
        "against 40 bits",
        "against two bus words",
        "data per frame, 16 nodes",
        "bits per datum, 16 nodes",
        "PBX bus for frames, %",
        "for the packed funnel, %",
        "for the funnel, %",
    )
    levels_table = table(level_columns, levels, 1)
    least_table = table(("active nodes", "data per window and node", "pitch, ns"), least)
    ways = ("frames", "packed funnel", "funnel")
    loss_table = table(("active nodes", *(f"{way}: {what}, %" for way in ways for what in ("bus", "lost"))), losses)
    busiest = [p for p in points if p.level == LEVELS[3]][-1]
    by_chance = f"{expected_data_per_frame(busiest.active, busiest.activity):.2f}"
    in_run = f"{busiest.data_per_frame:.2f}"
    whole = math.ceil(BREAK_EVEN)
    return f"""# When does it pay to merge data into frames?

Generated by `hypermon study merging`; do not edit.

**It pays if a frame has more than {BREAK_EVEN:g} data on average. At the rate of the prototype's nodes, only nodes that
strobe in step reach that.**

Data: [merging.csv]({NAME}/merging.csv), [cells.csv]({NAME}/cells.csv).

The HYPERMON monitor sends a frame of {FRAME_BITS} bits for all data of one window. Section 3.2.1 of its paper names an
alternative (the *funnel*): each datum is sent alone with its source and time, in {WORD_BITS} bits. The paper says "Only
when four or more nodes have valid event data will transfer of event frames require fewer bits". The break-even is
{FRAME_BITS} / {WORD_BITS} = {BREAK_EVEN:g} data per frame, so a *window* must have {whole} data. The necessary number
of active *nodes* depends on how often they share windows.

Here the capture board and a funnel get the same strobes for {DURATION_US // 1000} ms. The funnel
(hw/hypermon/core/funnel.hpp) has a FIFO for each node, which it reads in turn, and one wide FIFO of as many bits as the
frame FIFO. It has the same bus and the same ideal reader. A node emits events of {EVENT_DATA} data. The *pitch* is the
time between two data of an event, and before each event there is a random gap of up to one pitch. The *activity* of a
node is its mean number of data per window. A bus of 32-bit words moves the funnel's {WORD_BITS} bits as two words, 64
bits, so its break-even is 2 data per frame. A *packed* funnel has a bus that moves exactly {WORD_BITS} bits for each
datum.

![Bits moved per datum, and the share of the bus that all transfers need]({NAME}/merging.svg)

## Number of active nodes from which frames need fewer bits

The columns *against 40 bits* (packed funnel) and *against two bus words* have the fewest active nodes with which frames
need fewer bits than the funnel.

{levels_table}

If k nodes of activity a have independent phases, a frame has k a / (1 - (1 - a)^k) data on average. At the rate of the
prototype's nodes without delay, that is {by_chance} for all 16 nodes ({in_run} in the run), and {BREAK_EVEN:g} would be
necessary. The paper's "four or more nodes" holds for nodes with a datum in every window. It also holds at any rate for
nodes that strobe in step, as after a barrier.

## Activity from which frames need fewer bits

The table has the activity at the break-even by the formula above. With at most one datum per window, fewer than {whole}
nodes never reach it.

{least_table}

## Bus and losses at the prototype's rate without delay

The table has the share of the PBX bus that all transfers need, and the share of lost data. More than 100 % of the bus
is not possible in the long run, so data are lost. The runs start with empty FIFOs.

{loss_table}

Versions: hypermon {__version__}.
"""
