# SPDX-License-Identifier: BSD-3-Clause
"""The summary of a finished run on the terminal: the answer, then numbers, then suggested commands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from hypermon._model import monitors, verdicts, vocabulary
from hypermon._model.result import Result, own_numbers, show
from hypermon._model.words import SPACE, amount, data, seconds
from hypermon.cli import render
from hypermon.cli.tables import Table

if TYPE_CHECKING:
    from hypermon._model.spec import Spec


def print_run(
    result: Result, *, question: str = "", spec: Spec | None = None, command: Sequence[str] = (), every: bool = False
) -> None:
    """Prints the verdict, at most a dozen lines of numbers, and suggested commands.

    `spec`: the run's specification, to find the same run without a monitor. `command`: the command line of the run.
    `every`: also prints all numbers.
    """
    from hypermon._engine import unobserved

    observed = result["spec"]["monitor"] != monitors.NOBODY
    unobserved_s = unobserved.kept_s(spec) if spec is not None and observed else None
    parts: list[Table | str] = [
        f"{result['scenario']}: {result['spec']['workload']} on {_nodes(result)}, monitor {result['spec']['monitor']}",
        *([f"Question: {question}"] if question else []),
        plain(" ".join(verdicts.sentences(result, unobserved_s))),
        "",
        render.table((), [(name, plain(value)) for name, value in _lines(result)]),
        *(f"warning: {warning}" for warning in result.get("warnings", ())),
        *(_every(result) if every else ()),
    ]
    following = _next(result, list(command), observed and unobserved_s is None, every)
    if following:
        parts += ["", "Next:", *(line for words, why in following for line in (f"  # {why}", f"  {words}"))]
    render.show_all(*parts)


def plain(text: str) -> str:
    """Converts a text for a terminal that may only support ASCII."""
    return text.replace(SPACE, " ").replace("\u00b5", "u").replace("\u2212", "-")


def _nodes(result: Result) -> str:
    return plain(amount(result["spec"]["nodes"], "nodes"))


def _lines(result: Result) -> list[tuple[str, str]]:
    ranks, unit = result["ranks"], verdicts.counted_in(result)
    ledger: Mapping[str, Any] = result["ledger"]
    lines = [("simulated time", f"{show(result['elapsed_s'])} s")]
    if ranks:
        number = max(range(len(ranks)), key=lambda rank: float(ranks[rank]["elapsed_s"]))
        one = ranks[number]
        spent = [("computing", one["compute_s"]), ("in MPI", one["mpi_s"])]
        spent += [("for the monitor", one["monitor_s"])] if one["monitor_s"] else []
        lines.append((f"longest rank, {number}", ", ".join(f"{seconds(float(s))} {what}" for what, s in spent)))
    if result["spec"]["monitor"] != monitors.NOBODY:
        lost = ledger["lost_total"][unit]
        lines.append(
            (unit, f"{ledger['generated'][unit]} generated, {ledger['delivered'][unit]} delivered, {lost} lost")
        )
        lines.append(("data logged", data(result["logged_bytes"])))
        lines += _times(result)
    if "program" in result:
        compute, *more = render.program_compute(result["program"], result["spec"]).splitlines()
        lines.append(("compute time", compute.removeprefix("compute time ")))
        lines += [("", line) for line in more]
    if result.output_folder is not None:
        lines.append(("ranks' output", str(result.output_folder)))
    if result.is_saved and (result.path / "files").is_dir():
        lines.append(("ranks' files", str(result.path / "files")))
    lines.append(("fingerprint", str(result["fingerprint"])))
    if result.is_saved:
        lines.append(("run directory", str(result.path)))
    return lines


def _times(result: Result) -> list[tuple[str, str]]:
    """Returns latency and timestamp error, if the monitor has them."""
    lines = []
    latency, error = result["latency_us"], result["timestamp_error_us"]
    if latency is not None and latency["p99"] is not None:
        p50, p99, most = (seconds(latency[key] * 1e-6) for key in ("p50", "p99", "max"))
        lines.append(("latency", f"median {p50}, 99th percentile {p99}, at most {most}"))
    if error is not None:
        widest = seconds(max(abs(error["min"]), abs(error["max"])) * 1e-6)
        wrong = amount(result["causality_violations"], "messages")
        lines.append(("timestamps", f"at most {widest} wrong; {wrong} received before they were sent"))
    return lines


def _every(result: Result) -> list[Table | str]:
    """Returns tables of all numbers of the run."""
    ranks = [
        (i, *(f"{rank[key]:.3f}" for key in ("elapsed_s", "compute_s", "mpi_s", "monitor_s")), rank["events"])
        for i, rank in enumerate(result["ranks"])
    ]
    parts: list[Table | str] = [
        "",
        render.table(("rank", "elapsed s", "compute s", "mpi s", "monitor s", "events"), ranks, range(6)),
    ]
    if result["spec"]["monitor"] != monitors.NOBODY:
        parts += ["", render.ledger(result["ledger"]), "", render.table(("result", "value"), own_numbers(result), (1,))]
    return parts


def _next(result: Result, command: list[str], compare: bool, every: bool) -> list[tuple[str, str]]:
    """Returns suggested commands, each with the question that it answers."""
    found = []
    if command and compare:
        found.append(
            (
                _joined(_without_setting(command, "monitor"), "--set", f"monitor={monitors.NOBODY}"),
                "the same run without a monitor; the verdict then has the slowdown",
            )
        )
    lost = result["ledger"]["lost_total"]
    if command[:2] == ["hypermon", "run"] and any(lost.values()) and vocabulary.find(result["spec"]["monitor"]).sized:
        found.append((_joined(["hypermon", "size", *command[2:]]), "the smallest buffer that loses nothing"))
    if result.is_saved:
        found.append((_joined(["hypermon", "report", str(result.path)]), "all results as a page: report.html"))
    if command and not every:
        found.append((_joined(command, "--all"), "all numbers of the run, in the terminal"))
    return found


def _without_setting(words: Sequence[str], path: str) -> list[str]:
    """Returns the command line without `--set PATH=...`."""
    given = list(words)
    at = [i for i, word in enumerate(given) if word == "--set" and given[i + 1].startswith(f"{path}=")]
    return [word for i, word in enumerate(given) if i not in at and i - 1 not in at]


def _joined(words: Sequence[str], *more: str) -> str:
    """Joins the words of a command line. `more` is inserted before the program's own arguments."""
    import shlex

    given = list(words)
    at = given.index("--") if "--" in given else len(given)
    return shlex.join([*given[:at], *more, *given[at:]])
