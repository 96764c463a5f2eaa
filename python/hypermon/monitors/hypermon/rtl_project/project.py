# SPDX-License-Identifier: BSD-3-Clause
"""The folder of an RTL project: the Verilog of a design's board, its test bench, a makefile and a page."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

from hypermon._engine.recording import Recording
from hypermon._files import files as outputs
from hypermon._files import places, results
from hypermon._model import argument_checks
from hypermon._model.cards import Card, Shown
from hypermon._model.words import plural
from hypermon.errors import UserError
from hypermon.monitors.hypermon import capturing
from hypermon.monitors.hypermon.rtl_project import excerpts, files, readme, sources, structure, synthesis

if TYPE_CHECKING:
    from hypermon._core import Played
    from hypermon._engine.sizing import Size
    from hypermon.monitors.hypermon.rtl_project.excerpts import Excerpt
    from hypermon.monitors.hypermon.rtl_project.structure import Structure
    from hypermon.monitors.hypermon.rtl_project.synthesis import Resources
    from hypermon.parameters import Parameters

KIND = results.Kind("the RTL of a board", files.DESIGN)
STROBES = 5000  # (chosen) most strobes of an excerpt
MADE = 2000  # (chosen) strobes of an excerpt without a recording
_COPIED = ("capture_board.v", "node_fifo.v", "project/board.v", "project/bench.v", "project/Makefile")


@dataclass(frozen=True, repr=False)
class Rtl(Shown):
    """The answer of `hypermon.rtl`: the folder that was written.

    Attributes:
        path: The folder.
        board: Number of the board.
        parameters: Parameters of the Verilog module, by name.
        strobes: Number of strobes that the test bench plays.
        expected: Counts of the functional model for these strobes, by name as in `hypermon.Capture`.
        excerpt: Where the strobes come from, in sentences.
        resources: Result of the synthesis. None: it was not requested.
    """

    path: Path
    board: int
    parameters: Mapping[str, int]
    strobes: int
    expected: Mapping[str, int | None]
    excerpt: str
    resources: Resources | None

    def to_dict(self) -> dict[str, Any]:
        return {
            "out": str(self.path),
            "board": self.board,
            "parameters": dict(self.parameters),
            "strobes": self.strobes,
            "excerpt": self.excerpt,
            "expected": dict(self.expected),
            "resources": None if self.resources is None else self.resources.to_dict(),
        }

    def _card(self) -> Card:
        counts = self.expected
        facts = [
            ("folder", str(self.path)),
            ("test bench", f"{plural(self.strobes, 'strobe')}, {plural(counts['drained'] or 0, 'frame')} to read"),
            ("expected losses", _losses(counts)),
        ]
        if (found := self.resources) is not None:
            facts += [
                ("look-up tables", str(found.luts)),
                ("flip-flops", str(found.flip_flops)),
                ("block RAMs", str(found.memory_blocks)),
            ]
        return Card(title=f"RTL of board {self.board}", facts=facts, notes=[self.excerpt])


def rtl(
    source: str | os.PathLike[str] | Size | Recording,
    out: str | os.PathLike[str],
    *,
    settings: Mapping[str, Any] | None = None,
    presets: Sequence[str] = (),
    platform: str | os.PathLike[str] | None = None,
    recording: Recording | str | os.PathLike[str] | None = None,
    strobes: int | None = None,
    window: str | None = None,
    board: int = 0,
    synthesize: bool = False,
    force: bool = False,
    **parameters: Unpack[Parameters],
) -> Rtl:
    """Writes the Verilog of a design's capture board, with a test bench that compares it with the functional model
    (`hypermon rtl`).

    Args:
        source: The design: a scenario's name or file, the answer of `hypermon.size` or its JSON file, a recording, or
            a run directory.
        out: The folder to write. An earlier folder of this kind is replaced.
        settings: As in `hypermon.run`.
        presets: As in `hypermon.run`.
        platform: As in `hypermon.run`. Only for a scenario.
        recording: A recording whose strobes the test bench plays. By default that of the run directory; without a
            recording, hypermon makes strobes.
        strobes: Largest number of strobes, in whole bursts [default: 5000 of a recording, 2000 without one].
        window: Interval of the recording, such as `"1.2s..1.25s"`. By default the excerpt is around the first loss of
            the design, or at the begin if nothing is lost.
        board: Number of the board, from 0 on. The excerpt has the strobes of its nodes.
        synthesize: Also synthesizes the board by Yosys.
        force: Replaces the folder, whatever it contains.
        parameters: As in `hypermon.run`.

    Returns:
        What was written.

    Raises:
        UserError: The RTL does not cover the design, an argument is not valid, or Yosys is not installed.
        SimulationError: Yosys failed.

    Example:
        >>> made = hypermon.rtl("table2/matmul", "board", ecb={"frame_fifo_frames": 64})
        >>> made.parameters["FRAMES"], made.strobes
        (64, 2000)
    """
    to = Path(out)
    results.require(to, KIND, force=force)
    argument_checks.integer("board", board, 0)
    if strobes is not None:
        argument_checks.integer("strobes", strobes, 1, 10**7)
    design = sources.opened(source, argument_checks.settings(settings, parameters, rtl), presets, platform)
    played_recording = recording if isinstance(recording, Recording) else None
    if recording is not None and played_recording is None:
        played_recording = Recording(recording)  # type: ignore[arg-type]
    played_recording = played_recording or design.recording
    sources.require_board(design.spec, board)
    structure.require_covered(design.spec, board)
    lone = capturing.of_board(design.spec.component("ecb", board))
    propagation_ps = 1000 * int(design.spec.values["erb.propagation_ns"])
    excerpt = _excerpt(lone, played_recording, board, propagation_ps, strobes, window)
    of = structure.from_values(lone)
    resources = synthesis.synthesize(of) if synthesize else None
    if played_recording is not None:
        outputs.keep(to, played_recording.path)
    played = excerpt.played(lone)
    write(to, _texts(design.spec.scenario, board, lone, of, excerpt, played, resources), force)
    return Rtl(to, board, of, excerpt.strobes, played["counts"], excerpt.about, resources)  # type: ignore[arg-type]


def write(out: Path, texts: Mapping[str, str], force: bool = False) -> None:
    """Writes the folder, with the Verilog that comes with hypermon."""
    with results.whole_folder(out, KIND, force=force) as partial:
        for name in _COPIED:
            (partial / Path(name).name).write_bytes((places.rtl() / name).read_bytes())
        for name, text in texts.items():
            (partial / name).write_text(text, encoding="utf-8")


def _texts(
    name: str,
    board: int,
    lone: capturing.Design,
    of: Structure,
    excerpt: Excerpt,
    played: Played,
    resources: Resources | None,
) -> dict[str, str]:
    page = readme.text(name, board, lone, of, excerpt, played, resources)
    return {files.DESIGN: files.design(of), "README.md": page, **files.bench(of, lone, excerpt, played)}


def _excerpt(
    lone: capturing.Design,
    recording: Recording | None,
    board: int,
    propagation_ps: int,
    strobes: int | None,
    window: str | None,
) -> Excerpt:
    """Returns the strobes of the test bench, such that the pins can carry them."""
    if recording is None:
        if window is not None:
            raise UserError(f"--window {window}: is an interval of a recording (--recording)")
        return excerpts.made(lone, strobes or MADE)
    found = excerpts.of_recording(recording, lone, board, propagation_ps, strobes or STROBES, window)
    if lone["ecb.node_fifo_full"] == "stall":
        found = found.one_burst_each()
    return found.from_window(1000 * int(lone["ecb.window_ns"]))


def _losses(counts: Mapping[str, int | None]) -> str:
    losses = [f"{counts[name]} {name.replace('_', ' ')}" for name in excerpts.LOSSES if counts[name]]
    return ", ".join(losses) or "none"
