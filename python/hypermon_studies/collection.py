# SPDX-License-Identifier: BSD-3-Clause
"""`hypermon study collection`: the eight programs beside the paper's four, and the picture of each one's event rate."""

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
from hypermon_studies import cells, figures
from hypermon_studies.cells import Cell, Cells
from hypermon_studies.coverage import COLLECTION
from hypermon_studies.markdown import table
from hypermon_studies.placing import Place

NAME = "collection"
NODES = 16
MONITORS = ("none", "hypermon")
ABOUT = {
    "pingpong": ("Ping-pong", "One pair of nodes talks, in growing messages; the others tick."),
    "ring": ("Ring", "All nodes hand on long messages at once: the board keeps what is read, and loses the rest."),
    "alltoall": ("All-to-all", "Nothing but long messages between changing pairs."),
    "halo": ("Halo exchange", "Receives posted, sends started, waits, and a short sweep of the points."),
    "workers": ("Master-worker", "The master handles every message; a worker is quiet for 29 ms at a time."),
    "wavefront": ("Wavefront", "The pipeline fills and drains in each of the ten sweeps."),
    "cg": ("Conjugate gradients", "All nodes wait for all others in two global sums an iteration."),
    "fft": ("FFT with transposition", "Rows in silence, then everyone with everyone: eight bursts."),
}

COLUMNS = (  # quantity, unit, digits on the page
    ("alone", "s", 3),
    ("slowdown", "%", 1),
    ("events", "events", 0),
    ("frames, mean", "1/s", 0),
    ("frames in the fullest hundredth", "1/s", 0),
    ("lost events", "events", 0),
)

Runs = Mapping[tuple[str, str], Result]


def plan(schema: Schema) -> dict[tuple[str, str], Spec]:
    """Each program with and without the monitor, as its scenario has it."""
    return {
        (program, monitor): built_in(f"collection/{program}").resolve(schema, {"nodes": NODES, "monitor": monitor})
        for program in COLLECTION
        for monitor in MONITORS
    }


def place(out: Path, force: bool = False) -> Place:
    """Where the results go."""
    return Place(out, NAME, "rates.csv", force)


def write(
    out: Path,
    specs: Mapping[tuple[str, str], Spec],
    jobs: int,
    on_done: Callable[[int], None] | None = None,
    force: bool = False,
) -> None:
    """Writes `out`/collection.md and `out`/collection/*, all of it at the end."""
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
        at.page(_page(cells.read(told)))


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


def _page(found: Cells) -> str:
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

Generated by `hypermon study collection`; do not edit. Each is a small MPI program (sw/workloads) with one pattern of
communication, whose answer is tested against a serial solution, here on {NODES} nodes of the iPSC/2 under the
HYPERMON monitor. Sizes and costs are parameters (`hypermon params` lists them). `hypermon study coverage` runs all
twelve against a design. Data: [rates.csv]({NAME}/rates.csv), [cells.csv]({NAME}/cells.csv).

{table(columns, rows, 2)}

The pictures are those of the paper's Figures 10 to 13: the frames that the board kept in each of 100 equal intervals of
the run. The I/O node reads 312 500 a second.

{pictures}

Versions: hypermon {__version__}.
"""
