# SPDX-License-Identifier: BSD-3-Clause
"""Files from which the pages of `hypermon study monitors` are made without a run: runs.csv and study.json."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from hypermon._files import csvfile
from hypermon.errors import UserError
from hypermon_studies.cells import number
from hypermon_studies.monitors import plan as monitors_plan
from hypermon_studies.monitors.columns import BY_KEY
from hypermon_studies.monitors.found import DATA, STUDY, Found, Search
from hypermon_studies.monitors.fronts import Front
from hypermon_studies.monitors.plan import DEFAULT, FRONTS, Candidate, Place, Plan, Refused, Request
from hypermon_studies.monitors.runs import Row
from hypermon_studies.monitors.tables import what_is_set

ABOUT = ("machine", "program", "monitor", "part", "set", "best", "reaches")
COLUMNS = (*ABOUT, *BY_KEY, "losses", "failed", "hardware")
_NEXT = re.compile(r", (?=[a-z_0-9]+(?:\.[a-z_0-9]+)+ = )")


def as_csv(found: Found) -> str:
    """Returns all numbers, with a row for each run. The column `best` marks the best design of each front."""
    lines: list[Sequence[object]] = [COLUMNS]
    for row in found.every:
        numbers = ("" if (value := row[key]) is None else number(value) for key in BY_KEY)
        losses = "; ".join(f"{where} {number(share)}" for where, share in row.losses.items())
        hardware = "; ".join(f"{name} = {number(value)} {unit}" for name, (value, unit) in row.hardware.items())
        is_best = "yes" if any(row is one for one in found.best) else ""
        about = (*row.place, row.candidate.name, row.part, what_is_set(row.at), is_best, row.reaches)
        lines.append((*about, *numbers, losses, row.failed, hardware))
    return csvfile.text(lines)


def as_json(found: Found) -> str:
    """Data of the pages other than the rows."""
    request = found.plan.request
    told = {
        "command": found.command,
        "programs": request.programs,
        "machines": request.machines,
        "nodes": request.nodes,
        "settings": dict(request.settings),
        "presets": request.presets,
        "tuned": request.tuned,
        "tuned_on": request.tuned_on,
        "limits": dict(found.search.limits),
        "trials": found.search.trials,
        "seed": found.search.seed,
        "fronts": [
            {"place": f.place, "monitor": f.candidate.name, "hit": f.hit, "failed": f.failed}
            | {"chosen": [what_is_set(row.at) for row in f.chosen]}
            for f in found.fronts
        ],
        "refused": [
            {"place": r.place, "monitor": r.candidate.name, "set": what_is_set(r.at), "reason": r.reason}
            for r in found.plan.refused
        ],
    }
    return json.dumps(told, indent=1) + "\n"


def read(folder: Path) -> Found:
    """The study that was written into a folder of data.

    Raises UserError: a file is missing or damaged, or names a monitor that is not registered.
    """
    texts = {}
    for name in (DATA, STUDY):
        try:
            texts[name] = (folder / name).read_text(encoding="utf-8")
        except OSError as error:
            raise UserError(f"{error.strerror}; hypermon study monitors writes it", str(folder / name)) from None
    try:
        return _found(json.loads(texts[STUDY]), texts[DATA], str(folder / DATA))
    except (ValueError, KeyError, TypeError) as error:
        raise UserError(f"is damaged: {error}", str(folder / STUDY)) from None


def _found(told: Mapping[str, Any], written: str, name: str) -> Found:
    known = {one.name: one for one in monitors_plan.candidates()}
    rows = _rows(written, name, known)
    request = Request(
        tuple(told["programs"]),
        tuple(told["machines"]),
        told["nodes"],
        told["settings"],
        tuple(told["presets"]),
        tuple(told["tuned"]),
        tuple(told["tuned_on"]),
    )
    refused = tuple(
        Refused(_place(one), _candidate(one["monitor"], known, STUDY), _set(one["set"]), one["reason"])
        for one in told["refused"]
    )
    fronts = tuple(_front(one, rows, known) for one in told["fronts"])
    search = Search(told["limits"], told["trials"], told["seed"])
    plan = Plan(request, {}, (), refused)
    return Found(plan, search, tuple(row for row, _ in rows if row.part != FRONTS), fronts, told["command"])


def _place(one: Mapping[str, Any]) -> Place:
    machine, program = one["place"]
    return machine, program


def _candidate(name: str, known: Mapping[str, Candidate], where: str) -> Candidate:
    if name not in known:
        raise UserError(f"monitor {name}: is not registered", where)
    return known[name]


def _front(told: Mapping[str, Any], rows: Sequence[tuple[Row, bool]], known: Mapping[str, Candidate]) -> Front:
    candidate, place = _candidate(told["monitor"], known, STUDY), _place(told)
    own = [(row, is_best) for row, is_best in rows if row.place == place and row.candidate is candidate]
    searched = tuple(row for row, _ in own if row.part == FRONTS)
    best = next((row for row, is_best in own if is_best), None)
    chosen = tuple(row for row in searched if what_is_set(row.at) in told["chosen"])
    return Front(place, candidate, searched, best, chosen, tuple(told["hit"]), tuple(told["failed"]))


def _rows(written: str, name: str, known: Mapping[str, Candidate]) -> list[tuple[Row, bool]]:
    """The rows, and for each whether it is the best of its front."""
    lines = csvfile.rows_of(written, name)
    if tuple(next(lines, (1, []))[1]) != COLUMNS:
        raise UserError(f"columns must be {','.join(COLUMNS)}", f"{name}:1")
    found = []
    for line, values in lines:
        where = f"{name}:{line}"
        if len(values) != len(COLUMNS):
            raise UserError(f"{len(values)} columns: must be {len(COLUMNS)}", where)
        told = dict(zip(COLUMNS, values, strict=True))
        try:
            found.append((_row(told, _candidate(told["monitor"], known, where)), told["best"] == "yes"))
        except ValueError as error:
            raise UserError(str(error), where) from None
    return found


def _row(told: Mapping[str, str], candidate: Candidate) -> Row:
    losses = (one.rpartition(" ") for one in told["losses"].split("; ") if one)
    hardware = (one.partition(" = ") for one in told["hardware"].split("; ") if one)
    costs = {name: tuple(cost.split(" ", 1)) for name, _, cost in hardware}
    return Row(
        (told["machine"], told["program"]),
        candidate,
        told["part"],
        _set(told["set"]),
        {key: float(told[key]) if told[key] else None for key in BY_KEY},
        told["reaches"],
        {where: float(share) for where, _, share in losses},
        {name: (float(value), unit) for name, (value, unit) in costs.items()},
        failed=told["failed"],
    )


def _set(text: str) -> dict[str, Any]:
    """The settings, by path, from the words of `what_is_set`."""
    if text == DEFAULT:
        return {}
    pairs = (part.partition(" = ") for part in _NEXT.split(text))
    return {path: value for path, _, value in pairs}
