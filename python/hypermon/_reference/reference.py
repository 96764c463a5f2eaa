# SPDX-License-Identifier: BSD-3-Clause
"""The reference pages under docs/reference and `hypermon.parameters`: generated from what is declared."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from hypermon._comparing.keys import COMPARE
from hypermon._engine.sizing import keys
from hypermon._files import files, results
from hypermon._inputs import mpi_functions, platforms, scenario
from hypermon._model import catalogues, monitors
from hypermon._model.schema import Schema, number
from hypermon._reference import api, names, parameter_classes, result_classes
from hypermon._reference.markdown import page, table


def write(folder: Path, classes: Path, schema: Schema, verify: bool, force: bool = False) -> list[str]:
    """Writes the pages and the modules that are out of date (or only names them); returns their paths. `force`: files
    that hypermon has not generated are replaced, too."""
    made = {folder / name: text for name, text in pages(schema).items()}
    made[classes] = parameter_classes.source(schema)
    made[classes.parent / "_model" / "result_types.py"] = result_classes.source(schema)
    made[classes.parent / "_names.pyi"] = names.source()
    stale = [file for file, text in made.items() if not (file.is_file() and file.read_bytes() == text.encode())]
    if not verify:
        for file in stale:
            results.require_generated(file, force=force)
        for file in stale:
            with files.naming(file):
                file.parent.mkdir(parents=True, exist_ok=True)
            with files.writing(file, streams=False) as partial:
                partial.write_text(made[file], encoding="utf-8")
    return [str(file) for file in stale]


def pages(schema: Schema) -> dict[str, str]:
    return {
        "parameters.md": _parameters(schema),
        "result.md": _result(schema),
        "counters.md": _counters(schema),
        "events.md": _events(),
        "mpi-functions.md": _mpi_functions(),
        "scenario-list.md": _scenarios(),
        "platform-list.md": _platforms(),
        "sizing.md": _sizing(),
        "api.md": page("Python", *api.page()),
        **{name: text for one in monitors.registered().values() for name, text in one.pages().items()},
    }


def _parameters(schema: Schema) -> str:
    groups: dict[str, list[Sequence[object]]] = {}
    for p in schema.parameters.values():
        group = p.path.rpartition(".")[0]
        default = number(p.default) if isinstance(p.default, int | float) else p.default
        groups.setdefault(group, []).append(
            (f"`{p.path}`", default, p.unit, p.allowed.removesuffix(f" {p.unit}"), p.description, p.source)
        )
    columns = ("parameter", "default", "unit", "allowed", "description", "source")
    sections = [
        "\n\n".join(filter(None, (f"## {group or 'The run'}", schema.sections.get(group), table(columns, rows))))
        for group, rows in groups.items()
    ]
    introduction = (
        "Every parameter of a run. Set one with `--set PATH=VALUE` on the command line, in the section `set` of a"
        " scenario, or in Python with `hypermon.run`. `hypermon params WORD` finds a parameter by a word.\n\n"
        "- A value can have a unit: `0.8us`, `1Ki`. The time of a word can be given as a rate: `3.6MB/s` means the"
        " 1111 ns in which a word of four bytes is transferred.\n"
        "- [Components](#values-of-single-components) that exist several times can differ.\n"
        "- The [bibliography](bibliography.md#short-forms) explains the short forms of the sources."
    )
    return page("Parameters", introduction, *sections, _several(schema))


def _several(schema: Schema) -> str:
    """Explains how to give values to single components, with names from the schema."""
    several = [p for p in schema.parameters.values() if p.several]
    groups: dict[str, list[str]] = {p.path.partition(".")[0]: [] for p in several}
    for p in schema.parameters.values():
        group = p.path.partition(".")[0]
        if group in groups and not p.several:
            groups[group].append(f"`{p.path}`")
    last = several[-1]
    rows = [(f"[{group}](#{group})", ", ".join(same)) for group, same in groups.items()]
    return (
        "## Values of single components\n\n"
        f"A machine can have several components of each section below. `{last.path}` sets all of them, and"
        f" `{last.of_number('2').path}` sets number 2 alone. Numbers begin at 0, and the value of a single component"
        " overrides the value of all.\n\n" + table(("section", "parameters that cannot differ"), rows)
    )


def _result(schema: Schema) -> str:
    rows = [(f"`{key['path']}`", key.get("unit", ""), key["description"]) for key in schema.results]
    introduction = (
        "The keys of `result.json`, which `hypermon run --json` prints. The same specification and versions give the"
        " same bytes. Wall time and memory of the execution are in a separate file, `host.json`."
    )
    return page("Result", introduction, table(("key", "unit", "description"), rows))


def _counters(schema: Schema) -> str:
    rows = [
        (f"`{c['name']}`", c["unit"], c["kind"], c["of"], c["by"], c["description"], c["source"])
        for c in schema.counters
    ]
    introduction = (
        "Counters of the simulated system that monitors can read (`hypermon counters`; [their"
        " design](../design/site.md)). The simulator keeps only the counters that a monitor reads. Values are integers;"
        " times are in picoseconds.\n\n"
        "- **kind**: meaning of the value. *raw*: a value without further meaning. *rate*: a growing count; its growth"
        " per second is of interest. *timer*: a growing time. *percentage*: a growing time; its growth per second is a"
        " share. *distribution*: number of occurrences of each item. *length*: current number or size.\n"
        "- **of each**: part of a node that has the counter. A node with several such parts has one counter for each.\n"
        "- **by**: items that the counter distinguishes. Size classes are 0, 1, 2 to 3, 4 to 7, ... bytes."
    )
    columns = ("counter", "unit", "kind", "of each", "by", "description", "kept by")
    return page("Counters", introduction, table(columns, rows))


def _events() -> str:
    known = catalogues.points()
    mpi = [p for p in known["points"] if p["class"] == "mpi"]
    others = [p for p in known["points"] if p["class"] != "mpi"]
    user = [p for p in others if p["point"].startswith("user.")]
    shown = [(f"`{p['point']}`", ", ".join(p["data"]), p["emitted"]) for p in others if p not in user]
    shown.append((f"`{user[0]['point']}` to `{user[-1]['point']}`", ", ".join(user[0]["data"]), user[0]["emitted"]))
    shown.append(
        (
            "`mpi.<function>.enter`, `.leave`",
            ", ".join(mpi[0]["data"]),
            "The program calls the MPI function; the call returns.",
        )
    )
    functions = ", ".join(
        f"{number} {p['point'].removeprefix('mpi.').removesuffix('.enter')}" for number, p in enumerate(mpi[::2])
    )
    data = [(f"`{name}`", meaning) for name, meaning in known["data"].items()]
    return page(
        "Events",
        "The parameter `instrumentation.catalogue` selects the catalogue of events that the nodes emit. [Own"
        " events](../how-to/own-events.md) shows how to write a catalogue, and [catalogues](../design/catalogues.md)"
        " has the rules for its codes. The [bibliography](bibliography.md#short-forms) explains the short forms of the"
        " sources.",
        f"## Points\n\n{table(('point', 'data', 'emitted'), shown)}",
        f"## Data\n\n{table(('datum', 'meaning'), data)}",
        f"## MPI functions\n\nNumbers of the MPI functions in the datum `function`: {functions}.",
        *(_catalogue(name) for name in catalogues.names()),
    )


def _catalogue(name: str) -> str:
    found = catalogues.events(catalogues.resolve("instrumentation.catalogue", name, ""))
    rows = [
        (
            f"0x{event.code:02X}",
            f"`{event.name}`",
            f"`{event.point}`",
            event.event_class,
            event.data,
            event.data_bytes,
            *event.sizes.values(),
            event.source,
        )
        for event in found
    ]
    columns = ("code", "event", "point", "class", "data", "data B", *catalogues.size_names(found), "source")
    return f"## Catalogue {name}\n\n{table(columns, rows)}\n\n{catalogues.quality(found)}."


def _platforms() -> str:
    found = [platforms.find(name, "") for name in platforms.names()]
    rows = [
        (
            f"`{p.name}`",
            p.description,
            "; ".join(p.sources),
            ", ".join(f"`{path}` = {item.value}" for path, item in p.settings.items()),
        )
        for p in found
    ]
    return page(
        "Platforms",
        "The built-in platforms, which `hypermon platforms` lists. [Own machine](../how-to/own-machine.md) shows how to"
        " write one. The [bibliography](bibliography.md#short-forms) explains the short forms of the sources.",
        table(("platform", "machine", "sources", "sets"), rows),
    )


def _sizing() -> str:
    sections = [
        f"## {title}\n\n{introduction}\n\n"
        + table(("key", "unit", "description"), ((f"`{key.path}`", key.unit, key.description) for key in found))
        for title, introduction, found in (
            ("hypermon size --json", "The output is one object.", keys.SIZE),
            ("hypermon compare --json", "The output is one object.", COMPARE),
        )
    ]
    return page(
        "Sizes and comparisons",
        "`hypermon size --json` and `hypermon compare --json` print these keys. [Size](../how-to/size.md) and"
        " [compare](../how-to/compare.md) explain the commands. `<...>` stands for a name.",
        *sections,
    )


_REFUSED = {
    "absent": "refused: does not link",
    "stub": "refused when called",
    "empty": "does nothing",
}
_OF_CHAPTERS = {
    "7 ": "Functions for graphs and neighbours that SMPI lacks are refused with both kinds of messages.",
    "11 ": "SMPI carries out one-sided communication with both kinds of messages, in the time of its own messages and"
    " without a monitor's costs.",
    "13 ": "The table is for the default, `mpiio.file_system = smpi`. SMPI then carries out MPI-IO on machines of an"
    " XML file whose hosts have disks, in smpirun's times and without storing data. On all other machines"
    " `MPI_File_open` ends the program with an error (status 3). With `ideal`, `pvfs` or `nfs` hypermon carries"
    " out all functions except `MPI_Register_datarep` ([design](../design/mpiio.md)), with both kinds of"
    " messages.",
}


def _mpi_functions() -> str:
    """Returns the table of MPI functions. Its data come from the worker: the defined functions, the effect of a call,
    and the library that implements it.
    """
    chapters = mpi_functions.chapters()
    support = mpi_functions.support([name for names in chapters.values() for name in names])
    becomes = mpi_functions.under_nx2()

    def row(name: str) -> tuple[str, ...]:
        its = support[name]
        told = "yes" if its.told else ""
        if its.smpi != "there" and not its.own:
            what = _REFUSED[its.smpi]
            return (f"`{name}`", what, what, told, "")
        carried = "hypermon's" if its.own else "SMPI's"
        return (f"`{name}`", becomes[name] if its.nx2 else carried, carried, told, its.script)

    columns = ("function", "NX/2's messages", "SMPI's messages", "observed", "in scripts")
    sections = [
        f"## {chapter}\n\n"
        + "".join(f"{note}\n\n" for start, note in _OF_CHAPTERS.items() if chapter.startswith(start))
        + table(columns, map(row, names))
        for chapter, names in chapters.items()
    ]
    count = {state: sum(s.smpi == state for s in support.values()) for state in ("there", *_REFUSED)}
    introduction = (
        f"Support of every function of MPI-3.1's C bindings. SMPI implements {count['there']} of the {len(support)}"
        f" functions, only declares {count['stub']}, and lacks {count['absent']}. The numbers come from a run that"
        " calls each function. [Design](../design/mpi.md).\n\n"
        "- **NX/2's messages**, **SMPI's messages** (`machine.messages`): implementation of the call. *SMPI's*: SMPI's"
        " own implementation, with its results and times. *hypermon's*: the simulator's implementation, which calls"
        " SMPI's. Otherwise: the NX/2 calls or the algorithm that carry out the call.\n"
        "- **refused when called**: the run ends with status 3; the error names the function, the rank and the place"
        " in the program. **refused: does not link**: the program is not compiled or loaded; the error, with status 2,"
        " names all missing functions. **does nothing**: SMPI returns at once.\n"
        "- **observed**: monitors can observe the call, and event catalogues have the points `mpi.<function>.enter`"
        " and `.leave`.\n"
        "- **in scripts** ([program scripts](scripts.md)): *yes*: the call is recorded and replayed. *as ...*: it is"
        " replayed as another call. *left out*: it is not recorded, and a report says so. Empty: a replay does not"
        " need the call, or the recorder does not observe it."
    )
    return page("MPI's functions", introduction, *sections)


def _scenarios() -> str:
    found = [scenario.built_in(name) for name in scenario.names()]
    rows = [(f"`{s.name}`", s.question, len(s.cases), sum(len(c.expect) for c in s.cases)) for s in found]
    return page(
        "Scenarios",
        "The built-in scenarios, which `hypermon scenarios` lists. [Scenario files](scenarios.md) describes the"
        " format.",
        table(("scenario", "question", "cases", "expectations"), rows),
    )
