# SPDX-License-Identifier: BSD-3-Clause
"""Reads files as hypermon does and returns the content as text. Equal files give equal text. An error that hypermon
reports is an answer.
"""

from __future__ import annotations

import contextlib
import csv
import dataclasses
import io
import json
import re
import shutil
import tempfile
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from hypermon import _printing, report
from hypermon._comparing import designs
from hypermon._engine import check_files, checks, runner
from hypermon._engine.sweeping import request as requests
from hypermon._engine.sweeping.dataset import MANIFEST, RESULTS, Sweep
from hypermon._engine.sweeping.store import Store
from hypermon._files import csvfile, places, remembered, sums, tau
from hypermon._inputs import scenario
from hypermon._model import activity, catalogues, expressions, samples, worker
from hypermon._model.native import _core
from hypermon._model.result import BURSTS, RESULT, Result
from hypermon._model.schema import Schema
from hypermon._model.spec import Spec
from hypermon.cli import tables
from hypermon.errors import UserError
from hypermon.importing import otf2, replay, script, ti
from hypermon.judging import from_events
from hypermon.judging.curves import curve_from_pieces
from hypermon.pictures import runs as pictures
from hypermon.timelines import hdtrace
from tests.fuzz import made
from tests.fuzz.made import to_json
from tests.python import little_hdtrace

FORBIDDEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
"""Control characters."""


@contextlib.contextmanager
def folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as name:
        yield Path(name)


def _text(file: Path) -> str:
    """The text as the command line would receive it."""
    return file.read_bytes().decode(errors="replace")


def expression(file: Path) -> str:
    try:
        expressions.members_of("cases", _text(file))
        return to_json(expressions.evaluate(_text(file), Result(made.run()).to_dict()))
    except expressions.ExpressionError as error:
        raise UserError(str(error)) from None


def _verdicts(file: Path) -> list[checks.Verdict]:
    """Verdicts on a scenario's expectations, with the same result for each case."""
    found = scenario.read(file, _text(file)[:40], places.scenarios())
    result = Result(made.run())
    verdicts = checks.judge_all(found.name, [(case, result) for case in found.cases])
    return [
        dataclasses.replace(one, again=f"hypermon check {found.name}", where=f"{found.name}, line 1")
        for one in verdicts
    ]


def expectations(file: Path) -> str:
    return "\n".join(map(repr, _verdicts(file)))


def junit(file: Path) -> str:
    """JUnit output must be well-formed and have no control characters."""
    text = check_files.junit(_verdicts(file))
    ElementTree.fromstring(text.encode())
    assert not FORBIDDEN.search(text)
    return text


def output(file: Path) -> str:
    """Output of any bytes, as lines and in tables, must have no control characters in any encoding."""
    text = file.read_bytes().decode("utf-8", "surrogateescape")
    table = tables.Table((text, "b"), [(text, "1"), ("x", text)], frozenset({1}), text)
    lines = [*(tables.plain([table, text]) or ()), *tables.by_rich([table, text])]
    screen = _printing.console(width=80, force_terminal=True, color_system=None)
    with screen.capture() as capture:
        screen.print(table.rich(True), text, markup=False)
    text_shown = "\n".join(_printing.escaped(line) for line in lines) + capture.get() + str(UserError(text))
    assert not FORBIDDEN.search(text_shown)
    for encoding in ("ascii", "latin-1", "utf-8"):
        text_shown.encode(encoding, _printing.ERRORS)
    return text_shown


def csv_rows(file: Path) -> str:
    """CSV output of any text must have no formula in a cell, and must be read back as it was written."""
    text = _printing.escaped(file.read_bytes().decode("utf-8", "surrogateescape"))
    rows = [line.split(",") for line in text.split("\n")]
    written = csvfile.text(rows)
    cells = [cell for row in csv.reader(io.StringIO(written, newline="")) for cell in row]
    assert not [cell for cell in cells if cell[:1] in "=+-@\t\r" and cell and not _is_number(cell)]
    assert [row for _, row in csvfile.rows_of(written, "x")] == [row for row in rows if row]
    return written


def _is_number(cell: str) -> bool:
    try:
        float(cell.partition(" to ")[0])
    except ValueError:
        return cell == "-"
    return True


def scenario_(file: Path) -> str:
    found = scenario.read(file, "fuzz", places.scenarios())
    return "".join(found.resolve(worker.schema(), case=case).to_json() for case in (found.cases or (None,))[:3])


def sweep(file: Path) -> str:
    base, points = requests.make(str(file), worker.schema(), requests.Section()).points()
    return base.to_json() + to_json([point.varied for point in points])


def platform(file: Path) -> str:
    return scenario.find_one("table2/place").on(file).resolve(worker.schema()).to_json()


def catalogue(file: Path) -> str:
    return catalogues.resolve("instrumentation.catalogue", str(file), "--set")


def specification(file: Path) -> str:
    try:
        _core.Specification(_text(file))
    except _core.BadSpecification as error:
        raise UserError(str(error)) from None
    return "good"


def machine(file: Path) -> str:
    """Reads a SimGrid platform through a run."""
    spec = scenario.find_one("collection/pingpong").on(file).resolve(worker.schema(), {"nodes": 2})
    return run_of(spec)


def run_of(spec: Spec) -> str:
    with folder() as out:
        return runner.simulate(spec, out / "run").text


def script_(file: Path) -> str:
    found = script.Script.open(file)
    arrays = {name: array.tolist() for name, array in found.arrays().items()}
    return to_json([arrays, found.ranks, found.actions, found.not_represented, found.metadata])


def actions(file: Path) -> str:
    """Writes a script with any actions, and runs it."""
    content = file.read_bytes().ljust(4 * script.ACTION.itemsize, b"\0")
    rows = np.frombuffer(content, script.ACTION, 4).copy()
    rows["operation"] %= len(script.OPERATIONS)
    rows["list"] = np.where(rows["list"] < 0, -1, 0)
    with folder() as out:
        path = out / "any.script"
        lists = np.array([2, 1, 1], np.int64)
        script.assemble(path, [[rows[:2]], [rows[2:]]], lists, {"kind": "test", "nodes": 2})
        return run_of(replay.specify(path))


def trace(file: Path) -> str:
    with folder() as out:
        return script_(ti.read(file, out / "a.script", 1e9).path)


def _archive(file: Path, name: str) -> str:
    with folder() as out:
        shutil.copytree(made.archive(), out / "archive")
        (place,) = (out / "archive").glob(name)
        shutil.copyfile(file, place)
        return script_(otf2.read(out / "archive", out / "a.script").path)


def otf2_archive(file: Path) -> str:
    """Reads an archive of which any files may be damaged."""
    with folder() as out:
        shutil.copytree(made.archive(), out / "archive")
        for name, content in zip(made.PARTS, file.read_bytes().split(made.BETWEEN), strict=False):
            (out / "archive" / name).write_bytes(content)
        return script_(otf2.read(out / "archive", out / "a.script").path)


def otf2_anchor(file: Path) -> str:
    return _archive(file, "traces.otf2")


def _project(file: Path, name: str) -> str:
    """Reads a small project in which the file replaces one of the project's own, as a time line."""
    with folder() as place:
        project = little_hdtrace.make(place / "little")
        shutil.copy(file, project.with_name(name))
        line = hdtrace.read(project)
    tracks = [
        (one.path, one.names, one.begin_ps.tolist(), one.end_ps.tolist(), one.cause.tolist()) for one in line.states
    ]
    return repr((tracks, [(one.path, one.times_ps.tolist(), repr(one.values.tolist())) for one in line.statistics]))


def hdtrace_project(file: Path) -> str:
    return _project(file, "little.proj")


def tau_profile(file: Path) -> str:
    """Reads the profile, writes it, and requires that reading again gives the same profile."""
    found = tau.read(file)
    again = file.with_name("again")
    tau.write(again, found)
    assert tau.read(again) == found or "nan" in repr(found)
    return repr(found)


def hdtrace_trace(file: Path) -> str:
    return _project(file, "little_node06_0_0.trc")


def hdtrace_relations(file: Path) -> str:
    return _project(file, "little_server0_TROVE.rel")


def hdtrace_statistics(file: Path) -> str:
    return _project(file, "little_node06_Energy.stat")


def otf2_definitions(file: Path) -> str:
    return _archive(file, "traces.def")


def otf2_events(file: Path) -> str:
    return _archive(file, "traces/0.evt")


@contextlib.contextmanager
def _among(file: Path, name: str, whole: Path, sealed: bool = True) -> Iterator[Path]:
    """A copy of the folder in which the file replaces one of the folder's own."""
    with folder() as out:
        shutil.copytree(whole, out / "copy", ignore=shutil.ignore_patterns("store"))
        shutil.copyfile(file, out / "copy" / name)
        if not sealed:
            (out / "copy" / sums.FILE).unlink()
        yield out / "copy"


def result(file: Path) -> str:
    with _among(file, RESULT, made.run()) as run:
        return Result(run).text + report.html(run)


def foreign_result(file: Path) -> str:
    with _among(file, RESULT, made.run(), sealed=False) as run:
        return report.html(run)


def coverage(file: Path) -> str:
    with folder() as out:
        (out / designs.FILE).parent.mkdir()
        shutil.copyfile(file, out / designs.FILE)
        return to_json(designs.read(out))


def bursts(file: Path) -> str:
    with _among(file, BURSTS, made.run(), sealed=False) as run:
        return to_json(pictures.read_bursts(Result(run)))


def sample_file(file: Path) -> str:
    with _among(file, samples.FILE, made.sampled()) as run:
        return str(samples.Samples(run).to_pandas().to_csv())


def foreign_sample_file(file: Path) -> str:
    with _among(file, samples.FILE, made.sampled(), sealed=False) as run:
        return str(samples.Samples(run).to_pandas().to_csv())


def activity_file(file: Path, sealed: bool = True) -> str:
    """Reads the activity, and the data that charts draw from it."""
    with _among(file, activity.FILE, made.active(), sealed=sealed) as run:
        found = activity.Activity(run)
        return "".join(
            str(curve_from_pieces(*found.of_node(node)).levels_ps.tolist()) for node in range(min(found.nodes, 9))
        )


def foreign_activity_file(file: Path) -> str:
    return activity_file(file, sealed=False)


def event_file(file: Path, sealed: bool = True) -> str:
    with _among(file, activity.EVENTS, made.active(), sealed=sealed) as run:
        picture = from_events.picture(activity.events(run), activity.Activity(run))
        return "" if picture is None else str([node and node.curve.levels_ps.tolist() for node in picture.nodes])


def foreign_event_file(file: Path) -> str:
    return event_file(file, sealed=False)


def foreign_manifest(file: Path) -> str:
    with _among(file, MANIFEST, made.swept(), sealed=False) as swept:
        return report.html(swept)


def table(file: Path) -> str:
    with _among(file, RESULTS, made.swept()) as swept:
        return Sweep(swept).to_pandas().to_csv()


def points(file: Path) -> str:
    """Reads a file of the store under its original name. Damaged files must give no entries."""
    with folder() as out:
        store = Store(out)
        store.points.mkdir()
        (name,) = (path.name for path in sorted((made.swept() / "store" / "points").iterdir())[:1])
        shutil.copyfile(file, store.points / name)
        found = store.load()
        if not found:
            raise UserError("is damaged: computed again")
        return to_json({key: dataclasses.asdict(entry) for key, entry in found.items()})


def calibration(file: Path) -> str:
    settings = {"program.compute": "calibrated", "program.calibration": file}
    return run_of(Spec("fuzz", made.program(**settings)))


def description(file: Path) -> str:
    kept = remembered.opened(_text(file))
    if kept is None:
        raise UserError("is damaged: asked for again")
    return to_json(Schema.from_json(json.loads(kept)).versions)
