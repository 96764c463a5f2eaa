# SPDX-License-Identifier: BSD-3-Clause
"""The page of the paper's lessons as Markdown: the questions, the tables' contents, and the status of each number."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from hypermon._engine.checks import Verdict
from hypermon._model.result import Result, show
from hypermon._model.schema import Schema
from hypermon.report.calibration import CALIBRATED, PREDICTED
from hypermon_studies import cell_tables
from hypermon_studies.cells import BLIND, DERIVED, Cell
from hypermon_studies.markdown import table

PUBLISHED, GOLDEN, MISSED = "published", "golden", "missed"
MARKS = {CALIBRATED: "c", BLIND: "b", PUBLISHED: "p", DERIVED: "d", GOLDEN: "g", MISSED: "m", PREDICTED: ""}
COUNTED = ("events", "frames", "messages", "nibbles", "windows")  # units that the titles name


@dataclass(frozen=True)
class Column:
    """A number of each run: an expression over its result and those of the scenario's other cases.

    The schema gives the unit of a key or a parameter; `unit` is the unit of a computed number.
    """

    title: str
    of: str
    digits: int = 0
    unit: str = ""

    def unit_in(self, schema: Schema) -> str:
        if self.of.startswith("spec."):
            found = schema.parameters.get(self.of.removeprefix("spec."))
            return self.unit if found is None else found.unit
        return next((str(key.get("unit", "")) for key in schema.results if key["path"] == self.of), self.unit)


@dataclass(frozen=True)
class Question:
    title: str
    scenario: str
    columns: tuple[Column, ...]
    text: str


@dataclass(frozen=True)
class Number:
    cell: Cell
    label: str  # label on the page; the status in cells.csv is shorter


@dataclass(frozen=True)
class Answer:
    question: Question
    rows: Mapping[str, tuple[Number | None, ...]]
    units: tuple[str, ...]  # units of the columns
    verdicts: Sequence[Verdict]
    results: Mapping[str, Result]


_BYTES = Column("logged", "logged_bytes")
_OVERRUN = Column("overrun", "monitor.overrun")
_PEAK = Column("peak frame FIFO", "monitor.frames.peak_occupancy")
_BUILT = Column("frames built", "monitor.frames.built")
_LOST = Column("lost events", "ledger.lost_total.events", unit="events")
_ELAPSED = Column("elapsed", "elapsed_s", 3)

QUESTIONS = (
    Question(
        "Does a wider port disturb less than software does?",
        "lessons/wider_port",
        (
            _ELAPSED,
            Column("closed loop: slowdown", "100 * (elapsed_s / cases.none.elapsed_s - 1)", 2, "%"),
            Column("monitor on the busiest node", "busiest(ranks, 'monitor_s')", 3, "s"),
            Column("open loop: slowdown", "100 * busiest(ranks, 'monitor_s') / cases.none.elapsed_s", 2, "%"),
            _BYTES,
            _OVERRUN,
        ),
        "Only a 32-bit port without the prototype's delay disturbs less than the software monitor, and its board"
        " overruns. These are runs of Place on 8 nodes. Section 7 of the paper says *only a wider I/O port will"
        " alleviate the instrumentation perturbations*, and section 6 says that an access to the port should cost no"
        " more than a write to memory. The *open loop* slowdown adds the emission time of the busiest node to the run"
        " without a monitor. The *closed loop* slowdown is that of the simulated program, in which a delayed node"
        " delays the nodes that wait for it. In Place all nodes are delayed by about the same time, so the two"
        " agree. With the prototype's delay of 20, even a 32-bit port costs more than software. Without the delay,"
        " the board does not keep up, because each of its frames has 18 words for 16 inputs of 32 bits.",
    ),
    Question(
        "How bursty is event data?",
        "bursts/place16",
        (
            Column("mean", "bursts.mean_bytes_per_s"),
            Column("mean as 10 B records", "bursts.mean_bytes_per_s * 10 / 7", unit="B/s"),
            Column("fullest 20 ms", "bursts.max_20ms_bytes_per_s"),
            Column("fullest 20 ms as 10 B records", "bursts.max_20ms_bytes_per_s * 10 / 7", unit="B/s"),
            Column("fullest 1 ms", "bursts.max_1ms_bytes_per_s"),
        ),
        "It is less bursty than in the paper. The paper has bursts of 2 to 3 MB/s in 20 ms on 16 nodes; ours stay below"
        " 2 MB/s even in the paper's format (**missed**). These are runs of Place under the software monitor, as in"
        " Figure 14. The paper's means are 82, 276 and 629 KB/s on 4, 8 and 16 nodes. Those of 4 and 8 nodes are"
        " 1.44 times the rates in its own Table 2, so the record format differs: probably 10 B for an event, where"
        " ours has 7 B (assumed). Place on 16 nodes is not in Table 2. Its number of attempted moves is that of 8"
        " nodes (chosen), and its mean is 31 % above the paper's. With 1.5 times as many attempted moves the mean"
        " falls to the paper's, but the bursts do not change. The software monitor is not the limit: 16 nodes that"
        " only record events would write 5 MB/s, each 7 B in 21 us.",
    ),
    Question(
        "What would timestamping larger units have saved?",
        "lessons/word_accumulation",
        (_BYTES, _BUILT, Column("merged", "monitor.frames.merged"), _OVERRUN, _PEAK, _LOST),
        "It would have saved two fifths of the bytes, or two thirds if the board had no idle inputs. If the board"
        " collects words of 32"
        " bits from nibbles, it builds an eighth of the frames. A frame then has 72 B instead of 16 B, because it"
        " has a word for each of 16 inputs. These are runs of Place on 8 nodes, shortened to a part of its moves. Fewer"
        " frames need smaller buffers: a reader that pauses for 20 ms overruns with nibbles, but not with words. A"
        " 32-bit port fills the same frames up to eight times as fast, which is faster than the PBX bus reads.",
    ),
    Question(
        "What do timestamps on request save?",
        "lessons/selective_timestamps",
        (
            _BYTES,
            Column("logged per event", "logged_bytes / events", 1, "B"),
            Column("latency p50", "latency_us.p50", 1),
            _LOST,
        ),
        "They save the timestamps of frames in which no event begins, and no event is lost. The instrumentation marks"
        " the first datum of each event. Frames without such a datum have no timestamp word.",
    ),
    Question(
        "What do shorter windows gain and lose?",
        "lessons/window",
        (
            Column("window", "spec.ecb.window_ns"),
            Column("pitch", "spec.port.nibble_cost_ns"),
            _BUILT,
            Column("merged", "100 * monitor.frames.merged / monitor.strobes", 1, "%"),
            Column("aliasing", "monitor.aliasing"),
            Column("windows lost", "monitor.windows_lost"),
            Column("node FIFO overruns", "monitor.node_overruns"),
            Column("timestamp error, mean", "timestamp_error_us.mean", 2),
        ),
        "They gain smaller timestamp errors, and they lose data if the port is much faster than the prototype's. These"
        " are runs of 8 nodes at full rate. With the prototype's time between strobes (the pitch of 8850 ns),"
        " shorter windows have smaller timestamp errors, and their only cost is that fewer data share a frame. With"
        " a port about twelve times as fast (750 ns), data can be lost before the frame FIFO. Windows of 800 ns then"
        " alias, which means that a node strobes twice in a window and the second strobe is dropped. Windows of 400"
        " ns lose nothing there, and with windows of 200 ns the frame builder is slower than the windows.",
    ),
    Question(
        "How deep must the frame FIFO be?",
        "lessons/fifo_depth",
        (
            Column("depth of the frame FIFO", "spec.ecb.frame_fifo_frames"),
            Column("stall", "spec.reader.stall_ns * 1e-6", 3, "ms"),
            _OVERRUN,
            _PEAK,
            Column("frames lost", "monitor.frames.lost"),
        ),
        "The FIFO must hold all frames of the reader's longest pause: depth = rate x stall. In these runs two nodes"
        " at full rate build two frames for each pitch, and the reader pauses for 2 % less and for 2 % more than a"
        " FIFO of that depth can absorb.",
    ),
    Question(
        "Does the prototype's reader overrun on Place with 8 nodes?",
        "overrun/place8",
        (
            Column("group", "spec.reader.group_ns"),
            Column("stall", "spec.reader.stall_ns * 1e-6", 3, "ms"),
            _OVERRUN,
            _PEAK,
            Column("frames lost", "monitor.frames.lost"),
            Column("first overrun", "monitor.first_overrun_s", 3),
        ),
        "The paper says that it does. With the known costs of its reader, **no run overruns**, neither this one nor"
        " any other of Table 2. These costs are two PBX words and about 60 cycles for each group of frames that one"
        " poll finds, and a scheduler tick every 50 ms (preset reader/prototype). With the same cost for each group,"
        " an overrun needs a pause of 3.9 to 4.0 ms once in 8500 frames. That is nearly 60 times as long as a"
        " scheduler tick. For comparison, a message of 4 KB to the host takes 5.7 ms. The paper does not say what the"
        " program did in such a pause, and no cost was chosen to reproduce the overrun.",
    ),
    Question(
        "Can the I/O node reduce data while it reads?",
        "lessons/reduction",
        (
            Column("read", "logged_bytes"),
            Column("kept", "monitor.drain.bytes_kept"),
            Column("lost to full memory", "monitor.drain.bytes_lost"),
            Column("CPU", "monitor.drain.reducing_s", 2),
            Column("run of the monitor", "monitor.end_s", 2),
            _OVERRUN,
            _LOST,
        ),
        "On 2 nodes it can; on 8 nodes it needs a faster CPU. These are runs of Place on 2 and 8 nodes, with a"
        " memory of 4 MB on the I/O node. *Streams* keep a byte of data and two bytes of distance for each nibble,"
        " about a fifth of the bytes of the frames. *Statistics* keep a count and a sum for each type of event, which"
        " is almost nothing. While the CPU reduces data it cannot read frames (assumed costs: `hypermon params drain`)."
        " On 8 nodes the FIFO therefore overruns if the 80386 also reduces the data, but not if it only reads them. A"
        " CPU ten times as fast can do both.",
    ),
    Question(
        "When does the drain affect the program?",
        "feedback/host",
        (_ELAPSED, Column("messages", "monitor.drain.messages"), Column("read", "logged_bytes"), _OVERRUN, _LOST),
        "It does when its messages to the host share a link with the program's messages. With one board they share"
        " none, and the times of all nodes are the same as without these messages (equal fingerprints). The messages"
        " of a second board share the link from node 16 to node 0. The nodes' times then change, but the run time"
        " hardly does.",
    ),
    Question(
        "What does it cost to lose nothing?",
        "feedback/place_stall",
        (_ELAPSED, Column("stall of all nodes", "monitor.held_s", 3), _OVERRUN, _LOST),
        "It costs time: the nodes wait for the reader, and the program takes longer. These are runs of Place on 4"
        " nodes with a slow reader, which needs 30 us to reduce each datum. Full FIFOs"
        " either drop data (`drop`) or delay the nodes' writes until there is room (`stall`).",
    ),
    Question(
        "Do eight boards give one trace of 128 nodes?",
        "scale/128_nodes",
        (
            Column("strobes", "monitor.strobes"),
            _BUILT,
            _LOST,
            Column("spurious events", "monitor.spurious_events"),
            Column("causality violations", "causality_violations"),
            Column("timestamp error, max", "timestamp_error_us.max", 2),
        ),
        "They do: no event is lost, and no timestamps contradict the order of events. Each board has 16 inputs and its"
        " own I/O node. All boards are reset at the same time, or, in"
        " `life_skewed_reset`, up to 100 us apart.",
    ),
)


def text(answers: Sequence[Answer], figures: Mapping[str, tuple[str, str]], data: str) -> str:
    """`figures`: by scenario, path and caption."""
    versions = next(iter(answers[0].results.values()))["versions"]
    parts = [
        f"""# Lessons learned

Generated by `hypermon study lessons`; do not edit.

{_answer(answers)}

This page answers the questions of the HYPERMON paper's section 6 with scenarios. The letter after a number tells its
status:

| letter | status | meaning |
| --- | --- | --- |
| *c* | calibrated | a cell of Table 2 with which a constant was chosen |
| *p* | published | compared with the paper's number |
| *b* | blind | a cell of Table 2 that was predicted while it was kept back from this project |
| *d* | derived | compared with a value that follows from the parameters |
| *g* | golden | compared with the result of an earlier run |
| *m* | missed | the paper's number or fact differs from ours; the comparison expects our value |
| none | predicted | not compared with anything |

The list below each table has the comparisons. Data: [lessons.csv]({data}/lessons.csv), and with units and published
numbers [cells.csv]({data}/cells.csv)."""
    ]
    for answer in answers:
        parts += _section(answer, figures.get(answer.question.scenario))
    parts.append("Versions: " + ", ".join(f"{name} {version}" for name, version in versions.items()) + ".")
    return "\n\n".join(parts) + "\n"


def _answer(answers: Sequence[Answer]) -> str:
    verdicts = [v for answer in answers for v in answer.verdicts]
    compared = [v for v in verdicts if v.kind != MISSED]
    return cell_tables.answer(
        "A wider port slows the program less than the software monitor only if the prototype's delay is removed, and"
        " then the board loses data. Timestamping larger units, or only on request, saves bytes. Eight boards give one"
        " trace of 128 nodes."
        f" {sum(v.passed for v in compared)} of {len(compared)} comparisons hold; {len(verdicts) - len(compared)}"
        " more numbers differ from the paper's."
    )


def summary(answers: Sequence[Answer]) -> str:
    verdicts = [v for answer in answers for v in answer.verdicts]
    failed = sum(not v.passed for v in verdicts)
    return f"{len(answers)} questions; of {len(verdicts)} expectations {failed} failed"


def _section(answer: Answer, figure: tuple[str, str] | None) -> list[str]:
    question = answer.question
    columns = ["case", *(_heading(column, unit) for column, unit in zip(question.columns, answer.units, strict=True))]
    rows = [
        [f"`{case}`", *(_shown(column, number) for column, number in zip(question.columns, numbers, strict=True))]
        for case, numbers in answer.rows.items()
    ]
    parts = [f"## {question.title}", question.text, f"Scenario `{question.scenario}`.", table(columns, rows, 1)]
    if figure is not None:
        parts.append(f"![{figure[1]}]({figure[0]})\n\n{figure[1]}.")
    checked = [
        (
            f"`{v.case}`",
            f"`{_one_line(v.what)}`",
            v.expected,
            v.got if v.passed else f"{v.got} **fails**",
            v.kind,
            v.reason.replace("|", "\\|"),
        )
        for v in answer.verdicts
    ]
    parts.append(
        "<details><summary>Comparisons of the numbers</summary>\n\n"
        + table(("case", "value", "expected", "result", "kind", "reason or source"), checked, 6)
        + "\n\n</details>"
    )
    return parts


def _heading(column: Column, unit: str) -> str:
    return column.title if not unit or unit in COUNTED else f"{column.title}, {unit}"


def _one_line(expression: str) -> str:
    return " ".join(expression.split())


def _shown(column: Column, number: Number | None) -> str:
    if number is None:
        return ""
    value = number.cell.ours
    if isinstance(value, bool):
        plain = "yes" if value else "no"
    else:
        plain = f"{value:.{column.digits}f}" if isinstance(value, float) else show(value)
    mark = MARKS[number.label]
    return f"{plain} *{mark}*" if mark else plain
