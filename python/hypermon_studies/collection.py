# SPDX-License-Identifier: BSD-3-Clause
"""`hypermon study collection`: eight programs besides the paper's four, and a chart of each one's event rate."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

from hypermon import __version__
from hypermon._engine import runner
from hypermon._files import csvfile
from hypermon._inputs.scenario import built_in
from hypermon._model.result import Result
from hypermon._model.schema import Schema
from hypermon._model.spec import Spec
from hypermon_studies import cell_tables, cells, figures
from hypermon_studies.cells import Cell, Cells
from hypermon_studies.markdown import table
from hypermon_studies.placing import Place

NAME = "collection"
COLLECTION = ("pingpong", "ring", "alltoall", "halo", "workers", "wavefront", "cg", "fft")
NODES = 16
MONITORS = ("none", "hypermon")
ABOUT = {
    "pingpong": ("Ping-pong", "Two nodes exchange messages of growing size. The other nodes only record clock ticks."),
    "ring": (
        "Ring",
        "All nodes pass on long messages at the same time. The board loses the frames that the I/O node cannot read.",
    ),
    "alltoall": ("All-to-all", "Changing pairs of nodes exchange long messages, and do nothing else."),
    "halo": ("Halo exchange", "Each step posts receives, starts sends, waits for them, and sweeps over a few points."),
    "workers": (
        "Master-worker",
        "The master takes part in every message. A worker records no event for 29 ms at a time.",
    ),
    "wavefront": ("Wavefront", "A pipeline of nodes fills and empties in each of the ten sweeps."),
    "cg": ("Conjugate gradients", "All nodes wait for each other twice in each iteration, in global sums."),
    "fft": (
        "FFT with transposition",
        "The nodes transform their rows without events. Then each node exchanges data with each other node. This gives"
        " eight bursts.",
    ),
}

COLUMNS = (  # quantity, unit, digits on the page
    ("alone", "s", 3),
    ("slowdown", "%", 1),
    ("events", "events", 0),
    ("frames, mean", "1/s", 0),
    ("frames in the busiest hundredth", "1/s", 0),
    ("lost events", "events", 0),
)

Runs = Mapping[tuple[str, str], Result]


def plan(schema: Schema) -> dict[tuple[str, str], Spec]:
    """Returns each program's run with and without the monitor, as its scenario defines it."""
    return {
        (program, monitor): built_in(f"collection/{program}").resolve(schema, {"nodes": NODES, "monitor": monitor})
        for program in COLLECTION
        for monitor in MONITORS
    }


def place(out: Path, force: bool = False) -> Place:
    """The study's place in the folder `out`."""
    return Place(out, NAME, "rates.csv", force)


def write(
    out: Path,
    specs: Mapping[tuple[str, str], Spec],
    jobs: int,
    on_done: Callable[[int], None] | None = None,
    force: bool = False,
) -> None:
    """Writes `out`/collection.md and `out`/collection/*, all files at the end."""
    at = place(out, force)
    at.require()
    with TemporaryDirectory(prefix="hypermon-study-") as folder:
        tasks = [(spec, Path(folder) / "-".join(key)) for key, spec in specs.items()]
        runs: Runs = dict(zip(specs, runner.require(runner.run_many(tasks, jobs, on_done)), strict=True))
        told = cells.text(Cells(_cells(runs)))
        with at.data() as data:
            (data / "rates.csv").write_text(_csv(runs), encoding="utf-8")
            (data / cells.NAME).write_text(told, encoding="utf-8")
            for program in COLLECTION:
                result = runs[program, "hypermon"]
                with figures.figure(height=2.2) as (made, (axes,)):
                    figures.frame_rates(axes, {NODES: result})
                    axes.set_title(f"{program}, {NODES} nodes, {result['elapsed_s']:.2f} s")
                    figures.save(made, data / f"{program}.svg")
        at.page(page(cells.read(told)))


def _csv(runs: Runs) -> str:
    head = ["interval", *(f"{program}_frames" for program in COLLECTION)]
    seconds = ["seconds", *(f"{runs[program, 'hypermon']['rates']['interval_s']:.9f}" for program in COLLECTION)]
    columns = [runs[program, "hypermon"]["rates"]["frames"] for program in COLLECTION]
    numbered = [[i + 1, *row] for i, row in enumerate(zip(*columns, strict=True))]
    return csvfile.text([head, seconds, *numbered])


def _cells(runs: Runs) -> Iterator[Cell]:
    for program in COLLECTION:
        observed, alone = runs[program, "hypermon"], runs[program, "none"]
        elapsed, rates = observed["elapsed_s"], observed["rates"]
        numbers = (
            alone["elapsed_s"],
            100 * (elapsed / alone["elapsed_s"] - 1),
            observed["events"],
            observed["monitor"]["frames"]["built"] / elapsed,
            max(rates["frames"]) / rates["interval_s"],
            observed["ledger"]["lost_total"]["events"],
        )
        for (quantity, unit, _), number in zip(COLUMNS, numbers, strict=True):
            yield Cell(NAME, quantity, program, unit, number)


def _answer(found: Cells) -> str:
    slower = {program: found.at(NAME, "slowdown", program).ours for program in found.cases(NAME)}
    lost = {p: found.at(NAME, "lost events", p).ours / found.at(NAME, "events", p).ours for p in slower}
    least, most = min(slower, key=lambda p: slower[p]), max(slower, key=lambda p: slower[p])
    worst = max(lost, key=lambda p: lost[p])
    losing = sum(share > 0 for share in lost.values())
    return cell_tables.answer(
        f"On {NODES} nodes the HYPERMON monitor makes the eight programs {slower[least]:.0f} % ({ABOUT[least][0]}) to"
        f" {slower[most]:.0f} % ({ABOUT[most][0]}) slower. It loses events of {losing} programs,"
        f" at most {100 * lost[worst]:.0f} % ({ABOUT[worst][0]})."
    )


def page(found: Cells) -> str:
    rows = [
        (
            ABOUT[program][0],
            f"`collection/{program}`",
            *(f"{found.at(NAME, quantity, program).ours:.{digits}f}" for quantity, _, digits in COLUMNS),
        )
        for program in found.cases(NAME)
    ]
    columns = (
        "program",
        "scenario",
        *(quantity if unit == "events" else f"{quantity}, {unit}" for quantity, unit, _ in COLUMNS),
    )
    pictures = "\n\n".join(
        f"## {title}\n\n{text} `hypermon run collection/{program}`.\n\n"
        f"![{title}: frames captured per second in 100 intervals]({NAME}/{program}.svg)"
        for program, (title, text) in ABOUT.items()
    )
    return f"""# The collection: eight programs beside the paper's four

Generated by `hypermon study collection`; do not edit.

{_answer(found)}

Each of the eight programs is a small MPI program (sw/workloads) with one pattern of communication. Tests compare its
answer with a serial solution. On this page the programs run on {NODES} nodes of the iPSC/2 under the HYPERMON monitor.
Sizes and costs are parameters (`hypermon params` lists them). `hypermon study coverage` runs these eight and the
paper's four programs with a design of the monitor. Data: [rates.csv]({NAME}/rates.csv), [cells.csv]({NAME}/cells.csv).

{table(columns, rows, 2)}

*Alone* is the run time without a monitor. The *busiest hundredth* is the interval with the most frames, of 100 equal
intervals of the run. The pictures correspond to the paper's Figures 10 to 13: they show the rate of frames that the
board kept in each of these intervals. The I/O node reads at most 312 500 frames/s.

{pictures}

Versions: hypermon {__version__}.
"""
