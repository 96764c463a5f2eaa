# SPDX-License-Identifier: BSD-3-Clause
"""The section of docs/validation.md about calibrated numbers that are predicted from the others."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from hypermon_studies.markdown import table, wrapped
from hypermon_studies.papers import moved
from hypermon_studies.papers.left_out import Checked, LeftOut
from hypermon_studies.papers.moved import Moved
from hypermon_studies.table2 import table as table2

DIGITS = 7  # significant digits of numbers below a million, as in Table 2
GOAL = 0.9  # (chosen) share of the predictions whose interval contains the published number
COLUMNS = ("number", "constants", "law", "published", "predicted", "error %", "interval")

REASONS = {
    "MatMul's raw times": (
        "matmul: raw time",
        "The times of the other three sizes lie on a line to 0.01 %. Two runs of the real program may differ by more;"
        " the paper has one run for each size.",
    ),
    "the port's delay": (
        "hardware time, 1 node",
        "The delays of the other three programs nearly agree, so the interval is only 0.03 % of the time on each side.",
    ),
    "Simplex's volumes": (
        "simplex: ",
        "The simulated hardware volume of 2 nodes is too large and the software volume too small, but each constant"
        " moves both in the same direction. The volumes scatter more than the times, and the law has one scatter for"
        " both.",
    ),
    "SCMS/RMS's cost of a byte": (
        "SCMS/RMS, Table 2, ",
        "One cost has to give two numbers. The published times leave 0.7 ms of a call that does not depend on the"
        " nodes; in the simulator this part is 1.7 ms, with pipelining 3.3 ms. The interval spans assumptions and"
        " rounding, but no scatter of measured times.",
    ),
}
"""A subject has a text in the names of its numbers, and a reason why some of them are outside their intervals."""
MOVES = ", ".join(f"{100 * step:.0f}" for step in moved.STEPS)
METHOD = f"""A *local law* comes from runs. `hypermon study papers --move` runs Table 2 again with each constant moved
down and up by {MOVES} % of its value, a whole number by the nearest whole step. `studies/papers/moved.csv` has the
results. Each number is taken to change linearly with the constants, by lines of least squares through the calibrated
point. To predict one number, least squares finds the relative change of the constants that brings the other numbers
nearest to the published ones, measured as relative errors. This change of the constants gives the predicted number. Its
interval is the 90 % prediction interval (Student's t) from the remaining scatter of the other numbers and from the
number's leverage. The degrees of freedom are the number of other numbers minus the number of constants."""
LIMITS = """The local law has three limits. It is linear; the last row of each table below has the distance of the runs
from their lines (root mean square), as a share of their changes. It assumes that times and volumes have the same
relative scatter. It varies only the constants of one program, among them those that were calibrated on a single
number."""
OF_A_BYTE = """The law "runs with the byte's cost that gives the other number" is a line through runs of SCMS/RMS with
two costs of a byte. One other number alone has no scatter, so the interval spans the rounding of that number and the
assumptions about the cost of receiving, the size of the information, merged bytes and, with pipelining, the size of
parts ([SCMS/RMS](studies/scms.md#pipelined-requests-and-answers))."""


def text(checked: Checked, runs: Sequence[Moved]) -> str:
    """The section."""
    return "\n\n".join(
        [
            "## Each calibrated number, predicted from the others",
            wrapped(_summary(checked)),
            table(COLUMNS, map(_row, checked.predicted), 3),
            wrapped(
                "If only one other number is left, it has no scatter, so there is no interval. Each constant of HPVM,"
                " HDTrace and"
                " TAU over Supermon was calibrated on one number."
            ),
            *_outside(checked),
            *_undetermined(checked),
            *map(wrapped, (METHOD, LIMITS, OF_A_BYTE)),
            *_slopes(runs),
        ]
    )


def _summary(checked: Checked) -> str:
    known = [one for one in checked.predicted if one.is_inside is not None]
    kept = [one for one in known if one.is_inside]
    share = len(kept) / len(known)
    return (
        "Where a constant was calibrated on several numbers, each number is also predicted from the others (leave one"
        f" out). {len(kept)} of {len(known)} such predictions lie inside their interval, {100 * share:.0f} %. The goal"
        f" of {100 * GOAL:.0f} % is {'reached' if share >= GOAL else 'missed'}. Predictions without an interval:"
        f" {len(checked.predicted) - len(known)}. Numbers that the others do not determine:"
        f" {len(checked.undetermined)}."
    )


def _row(one: LeftOut) -> tuple[str, ...]:
    off = f"{100 * (one.predicted / one.published - 1):+.2f}"
    ends = ""
    if one.interval is not None:
        ends = " to ".join(map(_number, one.interval)) + f" {one.unit}"
        ends = ends if one.is_inside else f"**{ends}**"
    values = (f"{_number(value)} {one.unit}" for value in (one.published, one.predicted))
    return (one.number, _names(one.constant), one.law, *values, off, ends)


def _number(value: float) -> str:
    return f"{value:.{DIGITS}g}" if abs(value) < 1e6 else f"{value:.0f}"


def _names(constants: str) -> str:
    return ", ".join(f"`{name}`" for name in constants.split(", "))


def outside(checked: Checked, subject: str) -> list[LeftOut]:
    """The numbers of a subject that lie outside their intervals."""
    return [one for one in checked.predicted if one.is_inside is False and REASONS[subject][0] in one.number]


def _outside(checked: Checked) -> Iterator[str]:
    counts = {subject: len(outside(checked, subject)) for subject in REASONS}
    rows = [(subject, count, REASONS[subject][1]) for subject, count in counts.items() if count]
    if rows:
        yield "Why numbers lie outside their intervals:"
        yield table(("subject", "outside", "reason"), rows, 3)


def _undetermined(checked: Checked) -> Iterator[str]:
    rows = [(one.number, _names(one.constant), one.why) for one in checked.undetermined]
    if rows:
        yield "Numbers that the others do not determine:"
        yield table(("number", "constants calibrated on it and on others", "constants and numbers of the law"), rows, 3)


def _slopes(runs: Sequence[Moved]) -> Iterator[str]:
    """Yields the change of each program's numbers with its constants, and its deviation from a line."""
    beside = moved.deviations(runs)
    for program, by_constant in moved.slopes(runs).items():
        rows = []
        for cell in next(iter(by_constant.values())):
            _, nodes, monitor, quantity = cell
            name = f"{table2.quantity_of(monitor, quantity)}, {table2.nodes_of(nodes)}"
            rows.append((name, *(f"{by_cell[cell]:+.3f}" for by_cell in by_constant.values())))
        rows.append(("distance from the line, %", *(f"{100 * beside[name]:.1f}" for name in by_constant)))
        yield f"Change of {program}'s numbers in %, when a constant is raised by 1 %:"
        yield table(("number", *(f"`{name}`" for name in by_constant)), rows, 1)
