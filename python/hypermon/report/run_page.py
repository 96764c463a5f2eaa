# SPDX-License-Identifier: BSD-3-Clause
"""The page of a run: the data for its template."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from hypermon._model import verdicts
from hypermon._model.result import BURSTS, Result, own_numbers
from hypermon._model.schema import Schema
from hypermon._model.words import SPACE, count, data, figure, per, percent, plural, rate, seconds, three_digits
from hypermon.pictures.runs import read_bursts
from hypermon.report import (
    answer,
    charts,
    drawing,
    machine,
    over_time,
    parts,
    pictures,
    provenance,
    repeat,
    rules,
    storage,
    topology,
    view,
)
from hypermon.report.chart import Table
from hypermon.report.facts import Run, open_loop
from hypermon.report.view import Tile

MOST_SENTENCES = 3  # (chosen) sentences beside the mark
_BEFORE_UNIT = re.compile(r"(?<=\d) (?=(?:[KMG]?B|Hz|[mµn]?s|%)(?:\W|$))")  # the space in "11 KB", where no line ends


def context(run: Run, result: Result, schema: Schema) -> dict[str, Any]:
    values = repeat.values_of(result)
    found = repeat.find_scenario(result["scenario"])
    spec = result["spec"]
    origin = provenance.of_run(result, values, schema)
    question = (
        found.question
        if found
        else f"What does {spec['monitor']} lose on {spec['workload']}, and what does it slow down?"
    )
    answered = answer.find(found, result, values, schema)
    findings = rules.sorted_findings([*view.find(run.kind).findings(run), *rules.warned(run)])
    verdict, further = _verdict(run)
    drawn = machine.panels(parts.Values(run, schema, values))
    series = read_bursts(result) if result.has_file(BURSTS) else []
    return {
        "title": f"{result['scenario']}, {plural(spec['nodes'], 'node')}, monitor {spec['monitor']}",
        "question": _BEFORE_UNIT.sub(SPACE, question),
        "subtitle": f"{spec['workload']} on {plural(spec['nodes'], 'node')} under monitor {spec['monitor']}",
        "scenario": result["scenario"],
        "verdict": " ".join(verdict),
        "further": " ".join(further),
        "verdict_level": _level(run, answered, findings),
        "answer": answered,
        "asked": [repeat.shortened(setting) for setting in repeat.changed(values, schema)],
        "machine": [drawing.wide(drawn, "machine"), drawing.narrow(drawn, "machine")],
        "network": {"name": topology.name(spec), "links": topology.links(spec), "drawing": topology.drawing(spec)},
        "singles": sorted(run.singles()) if any(one.single for panel in drawn for one in panel.lines) else [],
        "tiles": _tiles(run, origin),
        "findings": findings,
        "pictures": pictures.of_run(result),
        "ledger": charts.ledger(run),
        "over_time": over_time.charts(run, series),
        "unrecorded": "" if run.recorded is not None else view.find(run.kind).unrecorded,
        "ranks": charts.ranks(run),
        "slowdown": _slowdown(run),
        "timing": _timing(run),
        "latency": over_time.latency(run),
        "numbers": _numbers(result, schema),
        "parameters": _parameters(values, schema),
        "provenance": origin,
        "calibrated": [name for name, status in origin.status.items() if status == "calibrated"],
        "predicted": [name for name, status in origin.status.items() if status != "calibrated"],
        "command": repeat.command(result["scenario"], values, schema),
        "scenario_file": repeat.scenario_file(question, values, schema),
        "file_name": f"{str(result['scenario']).replace('/', '-')}.yaml",
        "versions": result["versions"],
        "fingerprint": result["fingerprint"],
        "hash": repeat.spec_of(result).hash,
    }


def _level(run: Run, answered: answer.Answer, findings: list[rules.Finding]) -> str:
    """Returns the level of the verdict's mark. A run that does not answer its scenario's question has no mark."""
    if not answered.is_given:
        return rules.FACT
    found = rules.PROBLEM if run.anything_lost else rules.worst(findings)
    return answered.level if found == rules.GOOD else found


def _verdict(run: Run) -> tuple[list[str], list[str]]:
    """Returns the sentences beside the mark, and further ones below.

    If nothing was lost, calls on files, the slowdown and the monitor's own findings come first. Messages that the
    timestamps contradict always stand beside the mark, because they can be its reason.
    """
    result = run.result
    files = storage.sentences(result)
    took = [f"The program took {seconds(run.elapsed_s)}."] if files else []
    if files and not run.is_observed:
        return [*took, *files], []
    base_s = float(run.baseline["elapsed_s"]) if run.baseline else None
    sentences = verdicts.sentences(result, base_s)
    losses = verdicts.losses(result) if run.is_observed else []
    if run.anything_lost:
        after = 1 + max((i for i, one in enumerate(sentences) if one in losses), default=-1)
        found = [*sentences[:after], *files, *sentences[after:]]
    else:
        cost = verdicts.slowdown(result, base_s) if run.is_observed else []
        first, last = ([one for one in sentences if one in those] for those in (cost, losses))
        found = [*took, *files, *first, *(one for one in sentences if one not in first + last), *last]
    return [*found[:MOST_SENTENCES], *_contradicted(result)], found[MOST_SENTENCES:]


def _contradicted(result: Mapping[str, Any]) -> list[str]:
    """Returns a sentence about messages that arrive before they are sent, by the monitor's clock."""
    wrong = result["causality_violations"]
    end = "was received before it was" if wrong == 1 else "were received before they were"
    return [f"By its timestamps {plural(wrong, 'message')} {end} sent."] if wrong else []


def _tiles(run: Run, origin: provenance.Provenance) -> list[Tile]:
    result = run.result
    ledger, unit = result["ledger"], run.counted_in
    if result["ranks"]:
        tiles = [Tile("Time of the program", seconds(run.elapsed_s), "longest rank", origin.status["elapsed_s"])]
    else:
        tiles = [Tile("Time of the run", seconds(run.elapsed_s), "no program")]
    if not run.is_observed:
        return [*tiles, *storage.tiles(result)]
    if run.slowdown is not None:
        tiles.append(
            Tile(
                "Slowdown",
                percent(run.slowdown),
                f"against {seconds(float(run.baseline['elapsed_s']))} unobserved" if run.baseline else "",
            )
        )
    elif result["ranks"] and (result["event_bytes"] or run.emission_share):
        tiles.append(Tile("Time spent on emitting", percent(run.emission_share), f"of node {run.busiest}, the busiest"))
    generated, lost = ledger["generated"][unit], ledger["lost_total"][unit]
    note = (
        f"{data(result['event_bytes'])} of event data"
        if unit == "events" and result["event_bytes"]
        else rate(per(generated, run.elapsed_s), unit)
    )
    if generated:
        tiles.append(Tile(unit.capitalize(), count(generated), note))
        level = rules.PROBLEM if run.anything_lost else rules.GOOD
        under_way = ledger["in_flight"][unit]
        arrived = f"{count(under_way)} under way at the end" if under_way else f"every {unit.removesuffix('s')} arrived"
        note = f"{percent(lost / generated)} of the {unit}" if lost else arrived
        tiles.append(Tile(f"Lost {unit}", count(lost), note, level=level))
    if result["logged_bytes"]:
        rate_of_data = f"{data(per(result['logged_bytes'], run.elapsed_s))}/s"
        tiles.append(Tile("Logged data", data(result["logged_bytes"]), rate_of_data, origin.status["logged_bytes"]))
    tiles += view.find(run.kind).tiles(run)
    tiles += storage.tiles(result)
    sampling = result.get("sampling", {})
    for name, times in (("Latency", result["latency_us"]), ("Age of a sample", sampling.get("age_us"))):
        if times is not None and times["p99"] is not None:
            p50, p99 = (seconds(times[key] * 1e-6) for key in ("p50", "p99"))
            tiles.append(Tile(f"{name}, 99th percentile", p99, f"median {p50}"))
    if (error := sampling.get("timestamp_error_us")) is not None:
        widest = max(abs(error["min"]), abs(error["max"]))
        tiles.append(Tile("Timestamp error of a sample, at most", seconds(widest * 1e-6)))
    if (error := result["timestamp_error_us"]) is not None:
        wrong = result["causality_violations"]
        widest = max(abs(error["min"]), abs(error["max"]))
        note = f"{plural(wrong, 'message')} out of order" if wrong else "no message out of order"
        tiles.append(
            Tile("Timestamp error, at most", seconds(widest * 1e-6), note, level=rules.PROBLEM if wrong else "")
        )
    return tiles


def _slowdown(run: Run) -> dict[str, str] | None:
    """Returns the simulated slowdown (closed loop) and its estimate without feedback (open loop)."""
    if run.slowdown is None or run.baseline is None:
        return None
    base = float(run.baseline["elapsed_s"])
    estimate = open_loop(run.baseline, run.result)
    return {
        "unobserved": seconds(base),
        "observed": seconds(run.elapsed_s),
        "closed": percent(run.slowdown),
        "open": percent(estimate / base - 1),
    }


def _timing(run: Run) -> Table | None:
    rows: list[tuple[str, ...]] = []
    sampling = run.result.get("sampling", {})
    of_latency = (("p50", "median"), ("p99", "99th percentile"), ("max", "maximum"))
    of_error = (("min", "least"), ("mean", "mean"), ("max", "most"))
    for what, found, numbers in (
        ("latency from emission to delivery", run.result["latency_us"], of_latency),
        ("timestamp less true time", run.result["timestamp_error_us"], of_error),
        ("age of a sample on arrival", sampling.get("age_us"), of_latency),
        ("a sample's timestamp less true time", sampling.get("timestamp_error_us"), of_error),
    ):
        if found is not None and None not in (found[key] for key, _ in numbers):
            rows += [(f"{what}, {name}", three_digits(found[key])) for key, name in numbers]
    return Table("Latency and timestamp error", ("", "µs"), rows, (1,)) if rows else None


def _parameters(values: Mapping[str, Any], schema: Schema) -> Table:
    """Returns a table of all parameters, including those of single components, with defaults and sources."""
    different = {setting.path for setting in repeat.changed(values, schema)}
    rows = []
    for path, value in values.items():
        known = schema.parameter(path, "")
        default = figure(known.default) if path in different else ""
        rows.append((path, figure(value), known.unit, default, known.source))
    rows.sort(key=lambda row: not row[3])
    return Table(
        "All parameters, those that differ from their defaults first",
        ("parameter", "value", "unit", "default, if different", "source"),
        rows,
        (1,),
    )


def _numbers(result: Result, schema: Schema) -> list[tuple[str, str]]:
    """Returns all numbers of the monitor with grouped digits and their units, by path."""
    units = {entry["path"]: entry.get("unit") or "" for entry in schema.results}
    found = []
    for path, text in own_numbers(result):
        digits = count(int(text)) if text.lstrip("-").isdecimal() else text
        unit = units.get(re.sub(r"\[[^\]]*\]", "[]", path), "")
        found.append((path, f"{digits}{SPACE}{unit}" if unit and text not in ("null", "") else digits))
    return found
