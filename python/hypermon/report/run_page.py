"""The page of one run: everything that its template shows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hypermon._model.result import Result, own_numbers, show
from hypermon._model.schema import Schema
from hypermon._model.words import count, data, percent, plural, seconds, three
from hypermon.pictures.runs import read_bursts
from hypermon.report import charts, drawing, machine, over_time, parts, provenance, repeat, rules, topology, view
from hypermon.report.chart import Table
from hypermon.report.facts import Run, open_loop
from hypermon.report.view import Tile


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
    drawn = machine.panels(parts.Values(run, schema, values))
    series = read_bursts(result) if (result.path / "bursts.csv").is_file() else []
    return {
        "title": f"{result['scenario']}, {plural(spec['nodes'], 'node')}, monitor {spec['monitor']}",
        "question": question,
        "subtitle": f"{spec['workload']} on {plural(spec['nodes'], 'node')} under monitor {spec['monitor']}",
        "scenario": result["scenario"],
        "verdict": _verdict(run),
        "verdict_level": rules.PROBLEM if run.anything_lost else rules.GOOD,
        "asked": repeat.changed(values, schema),
        "machine": [drawing.wide(drawn, "machine"), drawing.narrow(drawn, "machine")],
        "network": {"name": topology.name(spec), "links": topology.links(spec), "drawing": topology.drawing(spec)},
        "own_boards": sorted(run.boards_own()),
        "tiles": _tiles(run, origin),
        "findings": view.of(run.kind).findings(run),
        "ledger": charts.ledger(run),
        "over_time": over_time.charts(run, series),
        "unrecorded": "" if run.recorded is not None else view.of(run.kind).unrecorded,
        "ranks": charts.ranks(run),
        "slowdown": _slowdown(run),
        "timing": _timing(run),
        "latency": over_time.latency(run),
        "numbers": [(str(name), str(value)) for name, value in own_numbers(result)],
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


def _verdict(run: Run) -> str:
    ledger = run.result["ledger"]
    events = ledger["generated"]["events"]
    if not run.is_observed:
        return f"Unobserved: the program takes {seconds(run.elapsed_s)}"
    if not run.anything_lost:
        return f"Nothing was lost of {plural(events, 'event')}"
    lost = ledger["lost_total"]
    if not lost["events"]:
        return f"{count(lost[run.unit])} {run.unit} were lost, but no event"
    return f"{count(lost['events'])} of {plural(events, 'event')} were lost: {percent(lost['events'] / events)}"


def _tiles(run: Run, origin: provenance.Provenance) -> list[Tile]:
    result = run.result
    ledger = result["ledger"]
    if result["ranks"]:
        tiles = [Tile("Time of the program", seconds(run.elapsed_s), "longest rank", origin.status["elapsed_s"])]
    else:
        tiles = [Tile("Time of the run", seconds(run.elapsed_s), "no program")]
    if not run.is_observed:
        return tiles
    if run.slowdown is not None:
        tiles.append(
            Tile(
                "Slowdown",
                percent(run.slowdown),
                f"against {seconds(float(run.baseline['elapsed_s']))} unobserved" if run.baseline else "",
            )
        )
    elif result["ranks"]:
        tiles.append(Tile("Time spent on emitting", percent(run.emission_share), f"of node {run.busiest}, the busiest"))
    generated, lost = ledger["generated"]["events"], ledger["lost_total"]["events"]
    tiles.append(Tile("Events", count(generated), f"{data(result['event_bytes'])} of event data"))
    if generated:
        level = rules.PROBLEM if run.anything_lost else rules.GOOD
        note = f"{percent(lost / generated)} of the events" if lost else "every event arrived"
        tiles.append(Tile("Lost events", count(lost), note, level=level))
    tiles.append(
        Tile(
            "Logged data",
            data(result["logged_bytes"]),
            f"{data(result['logged_bytes'] / run.elapsed_s)}/s",
            origin.status["logged_bytes"],
        )
    )
    tiles += view.of(run.kind).tiles(run)
    latency, error = result["latency_us"], result["timestamp_error_us"]
    if latency is not None and latency["p99"] is not None:
        tiles.append(
            Tile("Latency, 99th percentile", seconds(latency["p99"] * 1e-6), f"median {seconds(latency['p50'] * 1e-6)}")
        )
    if error is not None:
        wrong = result["causality_violations"]
        widest = max(abs(error["min"]), abs(error["max"]))
        note = f"{plural(wrong, 'message')} out of order" if wrong else "no message out of order"
        tiles.append(
            Tile("Timestamp error, at most", seconds(widest * 1e-6), note, level=rules.PROBLEM if wrong else "")
        )
    return tiles


def _slowdown(run: Run) -> dict[str, str] | None:
    """The closed loop's slowdown beside the open loop's estimate."""
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
    latency, error = run.result["latency_us"], run.result["timestamp_error_us"]
    if latency is not None and latency["p50"] is not None:
        rows += [
            (f"latency from emission to the I/O node's memory, {name}", three(latency[key]))
            for key, name in (("p50", "median"), ("p99", "99th percentile"), ("max", "maximum"))
        ]
    if error is not None:
        rows += [
            (f"timestamp less true time, {name}", three(error[key]))
            for key, name in (("min", "least"), ("mean", "mean"), ("max", "most"))
        ]
    return Table("Latency and timestamp error", ("", "µs"), rows, (1,)) if rows else None


def _parameters(values: Mapping[str, Any], schema: Schema) -> Table:
    """Every parameter with its default and source; what is set of single boards, too."""
    different = {setting.path for setting in repeat.changed(values, schema)}
    rows = []
    for path, value in values.items():
        known = schema.parameter(path, "")
        rows.append((path, show(value), known.unit, "" if path not in different else show(known.default), known.source))
    rows.sort(key=lambda row: not row[3])
    return Table(
        "All parameters, those that differ from their defaults first",
        ("parameter", "value", "unit", "default, if different", "source"),
        rows,
        (1,),
    )
