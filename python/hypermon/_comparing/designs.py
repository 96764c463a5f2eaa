# SPDX-License-Identifier: BSD-3-Clause
"""Comparison of designs over a set of programs, from the results of `hypermon study coverage`."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from hypermon._comparing.comparison import LESS, Differences, Row, Subject
from hypermon._comparing.quantities import of_designs
from hypermon._comparing.runs import parameters
from hypermon._files import files
from hypermon._model import worker
from hypermon._model.schema import Value, flat, nested
from hypermon._model.words import percent, plural
from hypermon.errors import UserError

FILE = Path("coverage") / "coverage.json"  # path in the study's folder
FORMAT = "hypermon coverage 1"
VERDICTS = ("good", "disturbs", "misleads", "loses")  # from the best to the worst
# The compared numbers of a program, by the study's names: label, unit, better direction. The verdict has priority.
COLUMNS: Mapping[str, tuple[str, str, str]] = {
    "verdict": ("verdict", "", ""),
    "lost_events_share": ("events lost", "%", LESS),
    "timestamp_error_us": ("largest timestamp error", "us", LESS),
    "slowdown": ("slowdown", "%", LESS),
    "limited_by": ("limited by", "", ""),
}
JUDGED = ("lost_events_share", "timestamp_error_us", "slowdown")  # decide after the verdict, in this order


def is_one(folder: Path) -> bool:
    """Is the folder one of `hypermon study coverage`?"""
    return (folder / FILE).is_file()


def to_text(rows: Sequence[Mapping[str, Any]], design: Mapping[str, Any], values: Sequence[Mapping[str, Value]]) -> str:
    """Returns the text of the study's file for comparisons. `values`: the parameters of each run; keeps common ones."""
    common = {path: v for path, v in (values[0] if values else {}).items() if all(one.get(path) == v for one in values)}
    programs = [{**row, "parameters": _own(row["program"], one)} for row, one in zip(rows, values, strict=True)]
    body = {"design": dict(design), "parameters": nested(common), "programs": programs}
    return json.dumps({"format": FORMAT, "sha256": _checksum(body), **body}, indent=1) + "\n"


def _own(program: str, values: Mapping[str, Value]) -> dict[str, Value]:
    return {path: value for path, value in values.items() if path.startswith(f"{program}.")}


def read(folder: Path) -> dict[str, Any]:
    """Reads the study's file. Raises a UserError if it is damaged or of another version."""
    path = folder / FILE
    try:
        found = json.loads(files.regular(path).read_text(encoding="utf-8"))
        format_found, checksum = found.pop("format"), found.pop("sha256")
    except (OSError, ValueError, LookupError, AttributeError, TypeError, RecursionError) as error:
        raise UserError(f"{path}: is damaged, or not of hypermon study coverage: {error}") from None
    if format_found != FORMAT:
        raise UserError(f"{path}: has format {format_found}: must be {FORMAT}; run hypermon study coverage again")
    if checksum != _checksum(found):
        raise UserError(f"{path}: is damaged: its checksum does not match; run hypermon study coverage again")
    return dict(found)


def _checksum(body: Mapping[str, Any]) -> str:
    return hashlib.sha256(json.dumps(body, sort_keys=True).encode()).hexdigest()


def compare(folders: Mapping[str, Path]) -> Differences:
    found = {name: read(folder) for name, folder in folders.items()}
    by_program = [{(row["program"], row["nodes"]): row for row in one["programs"]} for one in found.values()]
    shared = [key for key in by_program[0] if all(key in rows for rows in by_program)]
    if not shared:
        raise UserError(f"{', '.join(map(str, folders.values()))}: no program ran on as many nodes under all designs")
    rows = [
        Row(name, label, unit, tuple(rows[key][name] for rows in by_program), better, *key)
        for key in shared
        for name, (label, unit, better) in of_designs(COLUMNS).items()
    ]
    left_out = [
        f"{name} on {nodes} nodes" for rows in by_program for name, nodes in rows if (name, nodes) not in shared
    ]
    notes = [
        f"{program} on {nodes} nodes is not the same program under all designs: its own parameters differ."
        for program, nodes in shared
        if any(rows[program, nodes]["parameters"] != by_program[0][program, nodes]["parameters"] for rows in by_program)
    ]
    if left_out:
        notes.append(f"Not under every design, left out: {', '.join(dict.fromkeys(left_out))}.")
    versions = {json.dumps(one["design"]["versions"], sort_keys=True) for one in found.values()}
    if len(versions) > 1:
        notes.append("The studies are of different versions: not every difference is the design's.")
    if len({one["design"]["full"] for one in found.values()}) > 1:
        notes.append("One study is of the paper's programs at their own size (--full), another is not.")
    compared = Differences(
        kind="designs",
        subjects=tuple(Subject(name, {"command": one["design"]["command"]}) for name, one in found.items()),
        notes=tuple(notes),
        parameters=tuple(parameters([flat(one["parameters"]) for one in found.values()], worker.schema())),
        results=tuple(rows),
        main=len(rows),
    )
    return replace(compared, given_summary=summary(compared))


def programs(comparison: Differences) -> dict[tuple[str, int], dict[str, Row]]:
    """Returns the rows by program and number of nodes, and then by name."""
    found: dict[tuple[str, int], dict[str, Row]] = {}
    for row in comparison.results:
        found.setdefault((row.program, row.nodes or 0), {})[row.path] = row
    return found


def best(rows: Mapping[str, Row]) -> tuple[int, ...]:
    """Returns the best designs for a program, by verdict, then lost events, timestamp errors, and slowdown."""
    count = len(rows["verdict"].values)
    ranks = [
        (VERDICTS.index(str(rows["verdict"].values[i])), *(_worst_if_none(rows[name].values[i]) for name in JUDGED))
        for i in range(count)
    ]
    return () if len(set(ranks)) == 1 else tuple(i for i, rank in enumerate(ranks) if rank == min(ranks))


def _worst_if_none(value: Value | None) -> float:
    return float("inf") if value is None else float(value)


def summary(comparison: Differences) -> str:
    """Returns sentences about the number of programs for which each design is best, and its worst program."""
    found = programs(comparison)
    winners = {key: best(rows) for key, rows in found.items()}
    sentences = []
    for i, name in enumerate(comparison.names):
        mine = [key for key, winner in winners.items() if winner == (i,)]
        lost = [rows["lost_events_share"].values[i] for rows in found.values()]
        losing = sum(bool(share) for share in lost)
        worst = max((float(share or 0) for share in lost), default=0.0)
        loses = f"it loses in {losing}, at most {percent(worst)} of the events" if losing else "it loses nothing"
        sentences.append(f"{name} is better in {len(mine)} of {plural(len(found), 'run')}; {loses}.")
    same = sum(not winner for winner in winners.values())
    return " ".join([*sentences, *([f"Equally good: {same}."] if same else [])])
