# SPDX-License-Identifier: BSD-3-Clause
"""The page of a run: its verdict, the drawing of the machine, and the monitor's own pictures."""

from __future__ import annotations

import base64
import re
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest

import hypermon
from hypermon._model import verdicts
from hypermon._model.result import Result
from hypermon.errors import UserError
from hypermon.monitors.hdtrace import verdict as hdtrace
from hypermon.monitors.hpvm import verdict as hpvm
from hypermon.monitors.none.report import NoneView
from hypermon.report import answer, drawing, page, pictures, rules, run_page, storage, view
from hypermon.report.drawing import Line, Panel, Part
from hypermon.report.facts import Run
from hypermon.report.rules import FACT, GOOD, LIMIT, PROBLEM, Finding
from tests.python import report_data

pytestmark = [pytest.mark.worker, pytest.mark.usefixtures("worker")]


@pytest.mark.parametrize(
    ("levels", "expected"),
    [((GOOD,), GOOD), ((GOOD, FACT), GOOD), ((GOOD, LIMIT), LIMIT), ((LIMIT, PROBLEM, GOOD), PROBLEM), ((), GOOD)],
)
def test_the_verdicts_mark_is_that_of_the_worst_finding(levels: tuple[str, ...], expected: str) -> None:
    assert rules.worst([Finding(level, "", "") for level in levels]) == expected


def test_no_green_tick_stands_above_bad_news(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = report_data.run(tmp_path / "run", monitor="none")
    monkeypatch.setattr(answer, "find", Mock(return_value=answer.Answer()))  # the run answers its question
    for level, mark in ((PROBLEM, "✕"), (LIMIT, "!"), (GOOD, "✓")):
        found = [Finding(GOOD, "good", ""), Finding(level, level, "")]
        judged = Mock(wraps=view.View())
        judged.findings.return_value = found
        judged.findings.side_effect = None
        monkeypatch.setattr(view, "find", Mock(return_value=judged))
        shown = re.search(r'<p class="verdict (\w+)"><span[^>]*>(.)</span>', page.html(run))
        assert shown is not None
        assert shown.groups() == (level, mark)


def test_the_monitors_own_findings_come_first_if_nothing_was_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    made = report_data.result()
    for lost, expected in ((False, ["Own.", "Nothing."]), (True, ["Nothing.", "Own."])):
        monkeypatch.setattr(verdicts, "losses", lambda _: ["Nothing."])
        monkeypatch.setattr(verdicts, "sentences", lambda *_: ["Nothing.", "Own."])
        monkeypatch.setattr(Run, "anything_lost", lost)
        assert run_page._verdict(Run(made, None, None)) == (expected, [])


def test_the_sentences_beside_the_mark_are_few_and_begin_with_files_and_cost(monkeypatch: pytest.MonkeyPatch) -> None:
    made = report_data.result(causality_violations=2)
    monkeypatch.setattr(storage, "sentences", lambda _: ["Files."])
    monkeypatch.setattr(verdicts, "losses", lambda _: ["Losses."])
    monkeypatch.setattr(verdicts, "slowdown", lambda *_: ["Cost."])
    monkeypatch.setattr(verdicts, "sentences", lambda *_: ["Losses.", "Own.", "More.", "Cost."])
    wrong = "By its timestamps 2\u202fmessages were received before they were sent."
    for lost, beside, further in (
        (True, ["Losses.", "Files.", "Own."], ["More.", "Cost."]),
        (False, ["The program took 10\u202fs.", "Files.", "Cost."], ["Own.", "More.", "Losses."]),
    ):
        monkeypatch.setattr(Run, "anything_lost", lost)
        assert run_page._verdict(Run(made, None, None)) == ([*beside, wrong], further)


def test_hpvms_verdict_says_where_and_when_it_zoomed_in() -> None:
    rule = {"rule": "cpu.user < 0.8 0.2 host", "fired": 1, "first_s": 9.0, "nodes": [2], "sweeps": 36}
    monitor = {"sweeps": 27, "missed_sweeps": 0, "longest_sweep_s": 0.0035, "rules": [rule]}
    verdict = hpvm.verdict({"monitor": monitor, "spec": {"hpvm": {"interval_s": 1}}})
    assert verdict[0].replace("\u202f", " ") == (
        "The monitor zoomed in on node 2 after 9 s, when the rule cpu.user < 0.8 0.2 host first held: 36 further sweeps."
    )
    monitor["rules"] = [{**rule, "fired": 0}]
    assert hpvm.verdict({"monitor": monitor, "spec": {"hpvm": {"interval_s": 1}}})[0].endswith("never held.")


def test_hdtraces_verdict_says_how_much_power_its_phases_take() -> None:
    phases = [
        {"phase": phase, "time_s": time, "mean_w": watts}
        for phase, time, watts in (
            ("computing", 5, 190.0),
            ("MPI_Bcast", 4, 111.0),
            ("idle", 9, 50.0),
            ("x", 0.01, 1.0),
        )
    ]
    power = {"phases": phases, "estimated_joules": 114, "sampled_joules": 100}
    monitor = {"power": power, "cpu_s": 0.1, "flushing_s": 0, "processes": [1]}
    found = hdtrace.verdict({"monitor": monitor, "elapsed_s": 10, "spec": {"nodes": 2}})
    assert [one.replace("\u202f", " ") for one in found] == [
        "A node takes 111 W in MPI_Bcast, 41.6 % less than the 190 W in computing.",
        "An estimate from utilisation is 14 % too high.",
        "Tracing took 0.5 % of a node's time.",
    ]


def test_a_program_without_a_monitor_is_told_by_its_calls_on_files() -> None:
    functions = {
        "MPI_File_open": {"calls": 1, "seconds": 0.0, "longest_s": 0.0},
        "MPI_File_write_at": {"calls": 43, "seconds": 1.53, "longest_s": 0.0759},
    }
    server = {
        "requests": 2543,
        "disk_operations": 2542,
        "written_bytes": 1_281_560,
        "read_bytes": 0,
        "data_packets": 2600,
        "disk_busy_s": 1.5,
    }
    result: Any = {"mpiio": {"functions": functions}, "piosim": {"servers": [server]}}
    expected = [
        "43 calls of MPI_File_write_at took 1.53 s, the longest 75.9 ms.",
        "The file servers got 2 543 requests; 2 542 disk operations kept the busiest disk busy for 1.5 s.",
    ]
    assert [one.replace("\u202f", " ") for one in storage.sentences(result)] == expected
    result["nfs"] = {"written_bytes": 3_770_000_000}
    assert [one.replace("\u202f", " ") for one in storage.sentences(result)] == [
        *expected, "3.77 GB went to the NFS server.",
    ]  # fmt: skip
    del result["nfs"]
    longest, disks = storage.tiles(result)
    assert (longest.label, disks.value.replace("\u202f", " ")) == ("Longest MPI_File_write_at", "2 542")
    panel = storage.panel(result)
    assert panel is not None
    assert panel.title.replace("\u202f", " ") == "1 file server"
    lines = [[line.text.replace("\u202f", " ") for line in part.lines] for part in panel.parts]
    assert lines == [["2 543 requests", "2 600 data packets"], ["2 542 operations", "1.28 MB written"]]
    assert storage.panel({}) is None
    assert storage.panel({"piosim": {"servers": [{**server, "requests": 0}]}}) is None
    assert storage.sentences({"mpiio": {"functions": {}}}) == []
    assert storage.tiles({}) == []


def test_a_program_and_no_monitor_are_not_connected() -> None:
    panels = NoneView().panels(None, "nodes", parts(1))  # type: ignore[arg-type]
    assert 'class="flow"' not in drawing.wide(panels, "machine")


def parts(count: int) -> list[Part]:
    return [Part(f"part {i}", [Line("a line")]) for i in range(count)]


@pytest.mark.parametrize("count", range(1, 12))
def test_no_row_of_the_machine_is_half_empty_and_no_title_is_clipped(count: int) -> None:
    title = "64 compute nodes, star around one switch with a very long name indeed"
    svg = drawing.wide([Panel(title, "nodes", parts(count))], "machine")
    rows: dict[str, int] = {}
    for y in re.findall(r'<rect class="part" x="[^"]*" y="([^"]*)"', svg):
        rows[y] = rows.get(y, 0) + 1
    assert sum(rows.values()) == count
    assert 2 * min(rows.values()) >= max(rows.values())
    panels = [float(width) for width in re.findall(r'<rect class="panel nodes"[^>]* width="([^"]*)"', svg)]
    titles = re.findall(r'class="panel-title[^>]*>(?:<title>[^<]*</title>)?([^<]*)<', svg)
    assert len(panels) == len(titles) == len(rows)
    for width, text in zip(panels, titles, strict=True):
        assert drawing.LETTER * len(text) <= width


def test_panels_do_not_touch() -> None:
    svg = drawing.wide([Panel("a", "nodes", parts(2)), Panel("b", "io", parts(2))], "machine")
    (a, width), (b, _) = re.findall(r'<rect class="panel \w+" x="([^"]*)" y="[^"]*" width="([^"]*)"', svg)
    assert float(b) - float(a) - float(width) >= 12


def test_a_program_without_a_monitor_is_drawn_with_its_file_servers(tmp_path: Path) -> None:
    run = hypermon.run("piosim/collective", out=tmp_path / "run").path
    assert run is not None
    shown = page.html(run)
    assert re.search(r'class="panel-title[^>]*>[^<]*\d+.file servers?<', shown)
    assert "no monitor</text>" not in shown
    assert "How the program spent its time" in shown
    assert "What observing costs" not in shown
    assert "An asterisk marks" not in shown


def test_boxes_are_connected_only_where_data_flow() -> None:
    fed, apart = Part("fed", []), Part("apart", [], is_fed=False)
    for draw in (drawing.wide, drawing.narrow):
        assert draw([Panel("a", "nodes", [*parts(2), fed])], "x").count('class="flow"') == 2
        assert draw([Panel("a", "nodes", [*parts(2), apart])], "x").count('class="flow"') == 1


def test_a_monitors_pictures_are_embedded_and_those_without_data_are_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from hypermon.pictures import style

    def draw() -> Any:
        figure, (axes,) = style.panels()
        axes.plot([0, 1], [0, 1])
        return figure

    def missing() -> Any:
        raise UserError("there are no samples")

    own = [view.Picture("A line.", "hypermon plot line", draw), view.Picture("None.", "hypermon plot none", missing)]
    monkeypatch.setattr(view.View, "pictures", lambda *_: own)
    monkeypatch.setattr(view, "find", lambda _: view.View())
    run = Result(report_data.run(tmp_path / "run", monitor="none"))
    (found,) = pictures.of_run(run)
    assert (found.caption, found.command) == ("A line.", "hypermon plot line")
    head, _, content = found.source.partition(",")
    assert head == "data:image/svg+xml;base64"
    assert b"<svg" in base64.b64decode(content)
    assert pictures.of_run(run) == [found]  # the same bytes every time


def test_a_phone_gets_a_narrow_drawing_of_the_same_height() -> None:
    from hypermon.pictures.picture import Picture as Drawn

    figure = Drawn(figsize=(7.0, 3.0), layout="constrained")
    axes = figure.subplots()
    lines = [axes.plot([0, 1], [0, i], label=f"line {i}")[0] for i in range(4)]
    figure.legend(lines, [line.get_label() for line in lines], loc="outside lower center", ncols=4)
    wide, narrow = pictures._address(figure), pictures._narrow_address(figure)
    assert wide != narrow
    assert tuple(figure.get_size_inches()) == (pictures.NARROW_INCHES, 3.0)
    (legend,) = figure.legends
    assert [text.get_text() for text in legend.get_texts()] == [f"line {i}" for i in range(4)]
    assert vars(legend)["_ncols"] == pictures.NARROW_COLUMNS
    figure.draw_without_rendering()
    assert legend.get_window_extent().width < figure.bbox.width


def test_a_figure_of_another_class_is_the_same_on_a_phone() -> None:
    from matplotlib.figure import Figure

    figure = Figure()
    pictures._narrow_address(figure)
    assert tuple(figure.get_size_inches()) == (6.4, 4.8)


def test_no_line_of_a_question_ends_between_a_number_and_its_unit() -> None:
    found = run_page._BEFORE_UNIT.sub(
        "_", "How long does it take to fetch 11 KB at 1 Hz from 8, 16 and 32 hosts in 5 s?"
    )
    assert found == "How long does it take to fetch 11_KB at 1_Hz from 8, 16 and 32 hosts in 5_s?"
