# SPDX-License-Identifier: BSD-3-Clause
"""Output of commands as tables, which are plain and unwrapped if the output is no terminal."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from hypermon._model import catalogues
from hypermon._model.catalogues import Event
from hypermon._model.result import show
from hypermon._model.schema import Parameter, Schema
from hypermon._printing import say, terminal
from hypermon.cli.tables import Table, by_rich, plain, rich

if TYPE_CHECKING:
    from rich.console import RenderableType

    from hypermon._engine.checks import Verdict

Row = Sequence[object]


def show_all(*parts: RenderableType | Table) -> None:
    """Prints tables and lines of text, without the padding that Rich leaves at the ends of lines."""
    screen = terminal()
    if screen is not None:
        screen.print(*(rich(part, True) for part in parts), sep="\n", markup=False)
        return
    say("\n".join(line.rstrip() for line in plain(parts) or by_rich(parts)))


def table(columns: Sequence[str], rows: Iterable[Row], right: Iterable[int] = (), title: str = "") -> Table:
    """Makes a table. `right`: the columns with numbers."""
    return Table(tuple(columns), [tuple(map(str, row)) for row in rows], frozenset(right), title)


def fitting(columns: Sequence[str], rows: Sequence[Row], right: Iterable[int], keys: int) -> list[Table]:
    """Makes tables that fit the terminal. Headings are wrapped only after dots.

    Columns that do not fit beside the first `keys` columns are in further tables, which repeat these.
    """
    numeric, screen = set(right), terminal()
    if screen is None:
        return [table(columns, rows, numeric)]
    heads, width = list(columns), screen.width + 1  # + 1: no separator after the last column
    if sum(_widths(heads, rows)) <= width:
        return [table(columns, rows, numeric)]
    heads = [column.replace(".", ".\n") for column in columns]
    wide = _widths(heads, rows)
    blocks: list[list[int]] = [[]]
    for i in range(keys, len(columns)):
        if blocks[-1] and sum(wide[:keys]) + sum(wide[j] for j in (*blocks[-1], i)) > width:
            blocks.append([])
        blocks[-1].append(i)
    made = []
    for block in blocks:
        chosen = [*range(keys), *block]
        found = [[row[i] for i in chosen] for row in rows]
        made.append(table([heads[i] for i in chosen], found, [n for n, i in enumerate(chosen) if i in numeric]))
    return made


def _widths(heads: Sequence[str], rows: Sequence[Row]) -> list[int]:
    """Returns the widths of the columns, with Rich's separators."""
    cells = zip(*rows, strict=True) if rows else ((),) * len(heads)
    return [
        max(len(line) for text in (head, *map(str, column)) for line in text.splitlines() or [""]) + 3
        for head, column in zip(heads, cells, strict=True)
    ]


def program_compute(data: Mapping[str, Any], spec: dict[str, Any]) -> str:
    """Describes the simulated time of the user's own code, with a hint if it is probably not intended."""
    charged = f"{data['charges']} charges, {show(data['charged_s'])} s of all ranks"
    if data["compute"] == "calibrated":
        text = f"compute time calibrated: {charged}; factor {show(spec['program']['compute_factor'])}"
        if data["unmeasured_passes"]:
            text += f"\nwarning: {data['unmeasured_regions']} regions were never measured and took no time, "
            text += f"{data['unmeasured_passes']} times"
        return text
    if data["compute"] == "zero":
        return f"compute time zero: the program's own code took no time ({charged} ignored)"
    if data["charges"]:
        return f"compute time explicit: {charged}"
    return "compute time explicit\nwarning: the program never charged any (hypermon_charge): its own code took no time"


def ledger(data: Mapping[str, Any]) -> Table:
    """Makes the table generated = delivered + in flight + lost (stage, cause), in the monitor's unit and in events."""
    units = (data["unit"], "events")
    accounts = [(key.replace("_", " "), data[key]) for key in ("generated", "delivered", "in_flight", "lost_total")]
    accounts += [
        (f"  {loss['stage']}: {loss['cause']}", loss) for loss in data["lost"] if loss["events"] or loss[data["unit"]]
    ]
    return table(("ledger", *units), [(name, *(amount[u] for u in units)) for name, amount in accounts], (1, 2))


def verdicts(found: Sequence[Verdict]) -> Table:
    columns = ("", "scenario", "case", "value", "expected", "got", "deviation", "kind")
    rows = [
        ("ok" if v.passed else "FAIL", v.scenario, v.case, v.what, v.expected, v.got, v.deviation, v.kind)
        for v in found
    ]
    return table(columns, rows, (6,))


def parameters(found: Sequence[Parameter]) -> list[Table | str]:
    """Parameters with all that is known of them: paragraphs on a terminal, otherwise a line for each."""
    if terminal() is None:
        rows = [(p.path, show(p.default), p.unit, p.allowed, p.description, p.source) for p in found]
        return [table(("parameter", "default", "unit", "allowed", "description", "source"), rows, (1,))]
    parts: list[Table | str] = []
    for p in found:
        default = f"{show(p.default)} {p.unit}".strip()
        lines = [("", line) for line in (f"allowed: {p.allowed}", p.description, f"source: {p.source}")]
        parts += [f"{p.path} = {default}" if default else p.path, table((), lines), ""]
    return parts[:-1]


def parameter(p: Parameter) -> Table:
    rows = [
        ("parameter", p.path),
        ("default", f"{show(p.default)} {p.unit}".strip()),
        ("allowed", p.allowed),
        *([("of a single one", p.path.replace(".", "[NUMBER]."))] if p.several and "[" not in p.path else []),
        *([("replay", "can change it, unless the hardware then delays the program")] if p.behind_ports else []),
        *([("runs", f"{p.runs} Platform files and presets may not set it.")] if p.runs else []),
        ("description", p.description),
        ("source", p.source),
    ]
    return table((), rows)


def code(found: Iterable[Parameter]) -> Table:
    """The parameters that make hypermon run code."""
    return table(("parameter", "runs"), [(p.path, p.runs) for p in found])


def counters(found: Iterable[Mapping[str, str]]) -> Table:
    """Makes the table of the simulated system's counters."""
    rows = [
        (c["name"], c["unit"], c["kind"], " by ".join(filter(None, (c["of"], c["by"]))), c["description"])
        for c in found
    ]
    return table(("counter", "unit", "kind", "of each", "description"), rows)


def result_keys(schema: Schema) -> Table:
    rows = [(entry["path"], entry.get("unit", ""), entry["description"]) for entry in schema.results]
    return table(("result", "unit", "description"), rows)


def events(rows: Sequence[Event]) -> Table:
    shown = [
        (
            f"0x{e.code:02X}",
            e.name,
            e.event_class,
            e.data,
            e.data_bytes,
            *e.sizes.values(),
            show(e.cost_us),
            e.emitted,
        )
        for e in rows
    ]
    sizes = catalogues.size_names(rows)
    columns = ("code", "event", "class", "data", "data B", *sizes, "cost us", "emitted")
    return table(columns, shown, range(4, 6 + len(sizes)))


def points(found: Mapping[str, Any]) -> Table:
    rows = [(p["point"], p["class"], " ".join(p["data"]), p["emitted"]) for p in found["points"]]
    return table(("point", "class", "data", "emitted"), rows)
