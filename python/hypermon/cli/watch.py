# SPDX-License-Identifier: BSD-3-Clause
"""`hypermon run --watch`: samples as they arrive, as a table on a terminal, else a line for each."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import TYPE_CHECKING

from hypermon._model.arriving import Arrived, Watch
from hypermon._printing import install_again, one_line, say, terminal

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

HEADER = "# arrival_s\tnode\tcounter\tvalue\tunit\tper_s"
COLUMN = 12  # characters of a counter's column, including the gap


@contextlib.contextmanager
def samples(name: str) -> Iterator[Watch]:
    """Shows the samples of the run of that name."""
    screen = terminal()
    if screen is None:
        yield Lines()
        return
    from rich.live import Live

    with Live(console=screen, auto_refresh=False) as live:
        install_again()
        known = Known(name)

        def show(arrived: list[Arrived], simulated_s: float | None) -> None:
            known.add(arrived, simulated_s)
            if known.nodes:
                live.update(known.table(screen), refresh=True)

        yield show


class Lines:
    """Prints a line for each sample, in the order of arrival, for pipes."""

    def __init__(self) -> None:
        self._begun = False

    def __call__(self, arrived: list[Arrived], _: float | None) -> None:
        """Prints them."""
        if not arrived:
            return
        lines = [] if self._begun else [HEADER]
        self._begun = True
        for one in arrived:
            growth = "" if one.growth is None else f"{one.growth:.6g}"
            lines.append(
                f"{one.arrival_ps / 1e12:.6f}\t{one.node}\t{one_line(one.counter)}\t{one.value}\t{one.unit}\t{growth}"
            )
        say("\n".join(lines))


class Known:
    """Shows the last sample of each counter of each node."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._date_ps = 0
        self._over = False
        self.nodes: dict[int, dict[str, Arrived]] = {}
        self.counters: dict[str, str] = {}  # unit of each counter's shown number

    def add(self, arrived: list[Arrived], simulated_s: float | None) -> None:
        """Adds the samples that have arrived by this time."""
        for one in arrived:
            self.nodes.setdefault(one.node, {})[one.counter] = one
            share = one.grows and one.unit == "ps"
            self.counters[one.counter] = "" if share else f"{one.unit}/s" if one.grows else one.unit
            self._date_ps = max(self._date_ps, one.arrival_ps)
        self._over = simulated_s is None
        self._date_ps = max(self._date_ps, round((simulated_s or 0) * 1e12))

    def table(self, screen: Console) -> Table:
        """The rows that fit on the screen, as a table."""
        from rich.table import Table
        from rich.text import Text

        columns = list(self.counters)[: max(1, (screen.width - 15) // COLUMN)]
        heads = [[*_folded(counter), self.counters[counter]] for counter in columns]
        tall = max(len(head) for head in heads)
        around = 3 + 100 // screen.width  # lines of title and caption
        rows = sorted(self.nodes)[: max(1, screen.height - tall - around)]
        when = "at the end" if self._over else f"{self._date_ps / 1e12:.1f} s simulated"
        table = Table(
            title=Text(one_line(f"{self._name}: {when}")),
            caption=self._left_out(rows, columns),
            title_justify="left",
            caption_justify="left",
            title_style="",
            caption_style="",
            box=None,
            pad_edge=False,
        )
        table.add_column("\n" * (tall - 1) + "node", justify="right")
        table.add_column("\n" * (tall - 2) + "age\ns", justify="right")
        for head in heads:
            table.add_column("\n" * (tall - len(head)) + "\n".join(head), justify="right", no_wrap=True)
        for node in rows:
            known = self.nodes[node]
            shown = (known[c].shown if c in known else None for c in columns)
            cells = ("" if value is None else f"{value:.4g}" for value in shown)
            table.add_row(str(node), self._ages(known, columns), *cells)
        return table

    def _ages(self, known: dict[str, Arrived], columns: list[str]) -> str:
        """Returns the smallest and the largest time for which the monitor has had the shown values."""
        dates = [known[c].arrival_ps for c in columns if c in known]
        if not dates:
            return ""
        least, most = (f"{(self._date_ps - date) / 1e12:.1f}" for date in (max(dates), min(dates)))
        return least if least == most else f"{least}-{most}"

    def _left_out(self, rows: list[int], columns: list[str]) -> str | None:
        left = [(len(self.nodes), len(rows), "nodes"), (len(self.counters), len(columns), "counters")]
        numbers = " and ".join(f"{count - shown} of {count} {what}" for count, shown, what in left if count > shown)
        return f"{numbers} have no room here; a pipe gets every sample" if numbers else None


def _folded(counter: str) -> list[str]:
    """A name in pieces of a column's width."""
    lines = [""]
    for piece in counter.replace("[", "\0[").replace(":", ":\0").replace("_", "_\0").replace(".", ".\0").split("\0"):
        if len(lines[-1]) + len(piece) >= COLUMN:
            lines.append("")
        lines[-1] += piece
    return [one_line(line).replace("[", "\\[") for line in lines]
