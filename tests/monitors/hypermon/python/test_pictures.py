# SPDX-License-Identifier: BSD-3-Clause
"""Charts for papers: their content, that zero values are visible, and that files have the same bytes every time."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from itertools import combinations
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from hypermon import pictures
from hypermon._model.result import Result
from hypermon._model.words import count
from hypermon.errors import UserError
from hypermon.monitors.hypermon.analysis import analyse
from hypermon.monitors.hypermon.pictures.frontier import Design
from hypermon.monitors.hypermon.recorded import long_run_limit
from hypermon.pictures import plots
from hypermon.pictures.latency import longer
from hypermon.pictures.tables import of_runs
from tests.conftest import Hypermon
from tests.python.report_data import ELAPSED_S, FRAMES, result

DEPTH, WORD, LOST = "ecb.frame_fifo_frames", "pbx.word_ns", "monitor.frames.lost"
SWEEP = pd.DataFrame(
    [
        {DEPTH: depth, WORD: word, LOST: max(0, 1000 * word // 800 - depth), "status": "ok"}
        for word in (400, 800)
        for depth in (16, 256, 4096)
    ]
    + [{DEPTH: 65536, WORD: 800, LOST: None, "status": "failed"}]
)
FRONTIER: dict[str, list[float]] = {
    "bandwidth_bytes_per_s": [5e6, 8e6, 18e6],
    "least_depth": [700, 30, 4],
    "bound": [math.inf, 50, 6],
}
TIMELINE: dict[str, Any] = {
    "begin_s": [0, 1, 2],
    "built": [10, 20, 30],
    "lost": [0, 5, 0],
    "peak": [3, 8, 2],
    "least": [0, 1, 2],
    "peak_s": 1.25,
    "around_peak": {"begin_s": [1.2, 1.25, 1.3], "peak": [2, 8, 5], "least": [1, 2, 1]},
}
HISTOGRAM: dict[str, list[float]] = {"frames": [0, 1, 8], "share_of_time": [0.9, 0.099, 0.001]}


def runs() -> pd.DataFrame:
    times = {"none": 4.0, "software": 5.0, "hypermon": ELAPSED_S}
    return of_runs(result(**{"spec.monitor": monitor, "elapsed_s": time}) for monitor, time in times.items())


def burst_run(folder: Path) -> Result:
    folder.mkdir()
    (folder / "result.json").write_text('{"bursts": {"interval_ms": 1.0, "mean_bytes_per_s": 1000000.0}}')
    (folder / "bursts.csv").write_text("interval_ms,bytes\n0,1500\n2,500\n")
    return Result(folder)


DRAWN: dict[str, Callable[[Path], Any]] = {
    "loss": lambda _: pictures.loss_against_depth(SWEEP, by=WORD),
    "frontier": lambda _: pictures.frontier(FRONTIER),
    "occupancy": lambda _: pictures.occupancy(TIMELINE, HISTOGRAM, depth=8),
    "latency": lambda _: pictures.latency([result()]),
    "merging": lambda _: pictures.merging(runs(), by="workload"),
    "slowdown": lambda _: pictures.slowdown(runs()),
    "rates": lambda _: pictures.rates([result()]),
    "bursts": lambda folder: pictures.bursts(burst_run(folder / "run")),
}


@pytest.mark.parametrize(("kind", "suffix"), [*((kind, ".svg") for kind in DRAWN), ("loss", ".pdf"), ("loss", ".png")])
def test_a_picture_has_the_same_bytes_every_time_and_names_its_axes(kind: str, suffix: str, tmp_path: Path) -> None:
    files = [tmp_path / f"{i}{suffix}" for i in range(2)]
    for file in files:
        folder = tmp_path / file.stem
        folder.mkdir()
        figure = DRAWN[kind](folder)
        pictures.save(figure, file)
        assert all(axes.get_ylabel() and axes.get_xlabel() for axes in figure.axes if kind != "slowdown")
    assert files[0].read_bytes() == files[1].read_bytes()
    assert len(files[0].read_bytes()) > 1000


def test_a_notebook_shows_a_picture_that_is_the_value_of_a_cell() -> None:
    from IPython.core.formatters import DisplayFormatter

    formatter: Any = DisplayFormatter()
    shown, _ = formatter.format(pictures.rates([result()]))
    assert shown["image/png"].startswith(b"\x89PNG")


def line(axes: Any, label: str) -> dict[float, float]:
    found = next(each for each in axes.lines if each.get_label() == label)
    return dict(zip(found.get_xdata(), found.get_ydata(), strict=True))


def test_no_loss_can_be_seen_on_the_logarithmic_axis() -> None:
    (axes,) = pictures.loss_against_depth(SWEEP, by=WORD).axes
    low, high = axes.get_ylim()
    assert low < 0 < high
    assert axes.get_yscale() == "symlog"
    assert line(axes, "400") == {16: 500 - 16, 256: 500 - 256, 4096: 0}
    assert axes.yaxis.get_major_formatter()(0, None) == "none"


def test_a_sweep_without_any_loss_is_drawn_too() -> None:
    (axes,) = pictures.loss_against_depth(SWEEP[SWEEP[DEPTH] == 4096]).axes
    assert set(axes.lines[0].get_ydata()) == {0}
    assert list(axes.yaxis.get_ticklocs()) == [0, 1, 2]  # the axis must not go below zero losses


def test_repeats_of_a_design_give_their_mean_and_range() -> None:
    repeated = pd.concat([SWEEP.assign(seed=seed, **{LOST: SWEEP[LOST] * seed}) for seed in (1, 2)])
    (axes,) = pictures.loss_against_depth(repeated, by=WORD).axes
    assert line(axes, "400")[16] == 1.5 * (500 - 16)
    assert line(axes, "800")[16] == 1.5 * (1000 - 16)
    assert len(axes.collections) == 2  # a range for each


def test_designs_that_differ_are_never_averaged() -> None:
    (axes,) = pictures.loss_against_depth(SWEEP).axes  # a second parameter becomes colours
    assert line(axes, "400")[16] == 500 - 16
    assert line(axes, "800")[16] == 1000 - 16
    assert axes.figure.legends[0].get_title().get_text() == "time of a word on the PBX, ns"
    three = pd.concat([SWEEP.assign(nodes=nodes, **{LOST: SWEEP[LOST] + nodes}) for nodes in (8, 16)])
    panels = pictures.loss_against_depth(three, by=WORD).axes  # a third parameter makes panels
    assert [axes.get_title() for axes in panels] == ["nodes: 8", "nodes: 16"]
    assert [line(axes, "400")[16] for axes in panels] == [500 - 16 + 8, 500 - 16 + 16]
    four = pd.concat([three.assign(**{"ecb.window_ns": window}) for window in (400, 800)])
    with pytest.raises(
        UserError, match=r"designs differ in pbx.word_ns, nodes, ecb.window_ns: one can be colours and one"
    ):
        pictures.loss_against_depth(four, by=WORD)
    zipped = SWEEP.assign(nodes=SWEEP[WORD] // 100)  # it varies with the word time: not a parameter of its own
    assert len(pictures.loss_against_depth(zipped, by=WORD).axes) == 1


def test_slowdowns_of_designs_that_differ_are_not_averaged() -> None:
    both = pd.concat([runs().assign(**{"port.delay": delay}) for delay in (0, 20)])
    with pytest.raises(UserError, match=r"slowdown: runs of a program under a monitor differ in port.delay"):
        pictures.slowdown(both)
    assert len(pictures.slowdown(pd.concat([runs(), runs().assign(seed=2)])).axes) == 1


def test_a_bound_that_is_not_finite_is_left_out() -> None:
    (axes,) = pictures.frontier(FRONTIER).axes
    bound = line(axes, "bound of network calculus, an ideal reader")
    assert math.isnan(bound[5.0])
    assert bound[18.0] == 6
    assert line(axes, "least depth without loss, exact") == {5.0: 700, 8.0: 30, 18.0: 4}


def test_the_frontier_shows_the_reader_in_use_the_long_run_limit_and_the_losing_design() -> None:
    data: dict[str, Any] = {
        **FRONTIER,
        "reader_depth": [900, 600, 500],
        "load": [1.25, 0.8, 0.4],
        "lasts": [False, True, True],
    }
    figure = pictures.frontier(data, design=Design(8e6, 512, 30))
    (axes,) = figure.axes
    assert line(axes, "least depth, the reader in use") == {5.0: 900, 8.0: 600, 18.0: 500}
    assert line(axes, "least depth, an ideal reader") == {5.0: 700, 8.0: 30, 18.0: 4}
    limit = long_run_limit(data) or 0.0
    assert limit == pytest.approx(1 / (1 / 8e6 + (1 / 5e6 - 1 / 8e6) * 0.2 / 0.45))
    drawn = next(one for one in axes.lines if "long-run limit" in one.get_label())
    assert list(drawn.get_xdata()) == pytest.approx([limit / 1e6] * 2)
    assert line(axes, "this design: 512 frames, lost 30 frames") == {8.0: 512}
    (area,) = axes.collections
    (inside,) = area.get_paths()
    assert not inside.contains_point((8.0, 512))  # a design that lost events is outside the region without losses
    assert inside.contains_point((8.0, 700))
    assert not inside.contains_point((5.2, 5000))  # no depth suffices in the long run


def test_the_frontier_of_a_recorded_run_has_its_own_reader(hypermon: Hypermon, tmp_path: Path) -> None:
    settings = ("--preset", "reader/prototype", "--set", "reader.stall_ns=6 ms", "--set", "ecb.frame_fifo_frames=256")
    short = ("--set", "nodes=2", "--set", "place.attempts=300", "--set", "place.accepted=60")
    made = hypermon("record", "table2/place", *short, *settings, "-o", str(tmp_path / "run"))
    assert made.returncode == 0, made.stderr
    found = analyse(Result(tmp_path / "run"))
    assert found is not None
    assert found.frontier is not None
    assert found.enough is not None
    at = found.frontier["word_ns"].index(800)
    assert found.frontier["reader_depth"][at] == found.enough > 256 > found.frontier["least_depth"][at]
    (axes,) = (
        plots.find("frontier")
        .draw_sources(plots.Sources("frontier", lambda: [Result(tmp_path / "run")], pd.DataFrame, None))
        .axes
    )
    lost = Result(tmp_path / "run")["monitor"]["frames"]["lost"]
    assert line(axes, f"this design: 256 frames, lost {count(lost)} frames") == {5.0: 256}


def test_no_picture_has_bars_on_a_logarithmic_axis() -> None:
    """On an axis without a zero, the length of a bar has no meaning."""
    times = {"none": 4.0, "software": 4.01, "hypermon": 14.0}
    wide = of_runs(result(**{"spec.monitor": monitor, "elapsed_s": time}) for monitor, time in times.items())
    (axes,) = pictures.slowdown(wide).axes
    assert not axes.patches
    assert {round(float(one.get_ydata()[0]), 6) for one in axes.lines if len(one.get_ydata()) == 1} == {0.25, 250}
    for figure in (pictures.slowdown(runs()), pictures.occupancy(TIMELINE, HISTOGRAM), pictures.slowdown(wide)):
        for axes in figure.axes:
            if axes.get_yscale() != "linear":
                assert not axes.patches
                assert not [one for one in axes.collections if type(one).__name__ == "LineCollection"]


@pytest.mark.parametrize("kind", sorted(set(DRAWN) - {"bursts"}))
def test_labels_of_ticks_do_not_touch(kind: str, tmp_path: Path) -> None:
    assert not touching(DRAWN[kind](tmp_path))


def test_labels_of_ticks_do_not_touch_in_narrow_panels() -> None:
    depths = pd.DataFrame(
        [
            {DEPTH: 2**power, WORD: word, "nodes": nodes, LOST: 100000 // 2**power, "status": "ok"}
            for power in range(4, 21)
            for word in (400, 800)
            for nodes in (2, 4, 8)
        ]
    )
    assert not touching(pictures.loss_against_depth(depths))


@pytest.mark.parametrize("kind", sorted(set(DRAWN) - {"bursts"}))
def test_no_text_sticks_out_of_its_figure(kind: str, tmp_path: Path) -> None:
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    figure = DRAWN[kind](tmp_path)
    canvas: Any = FigureCanvasAgg(figure)
    canvas.draw()
    width, height = canvas.get_width_height()
    texts = [text for axes in figure.axes for text in (*axes.texts, axes.title, axes.xaxis.label, axes.yaxis.label)]
    texts += [text for legend in figure.legends for text in (*legend.get_texts(), legend.get_title())]
    shown = [text for text in texts if text.get_text() and text.get_visible()]
    assert shown
    for text in shown:
        box = text.get_window_extent(canvas.get_renderer())
        assert -1 <= box.x0 < box.x1 <= width + 1, text
        assert -1 <= box.y0 < box.y1 <= height + 1, text


def touching(figure: Any) -> list[tuple[str, str]]:
    """Pairs of neighbouring labels of an axis that overlap when the figure is drawn."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    canvas: Any = FigureCanvasAgg(figure)
    canvas.draw()
    found = []
    for axes in figure.axes:
        for axis in (axes.xaxis, axes.yaxis):
            labels = [one for one in axis.get_ticklabels(which="both") if one.get_text() and one.get_visible()]
            low, high = sorted(axis.get_view_interval())
            shown = [one for one in labels if low <= one.get_position()[0 if axis is axes.xaxis else 1] <= high]
            boxes = [(one.get_text(), one.get_window_extent(canvas.get_renderer())) for one in shown]
            found += [(a, b) for (a, one), (b, other) in combinations(boxes, 2) if one.overlaps(other)]
    return found


def test_more_lines_than_can_be_told_apart_are_refused() -> None:
    many = [result(**{"spec.seed": seed}) for seed in range(22)]
    for picture in (pictures.rates, pictures.latency):
        looks = {(one.get_color(), one.get_linestyle()) for one in picture(many[:21]).axes[0].lines}
        assert len(looks) == 21
        with pytest.raises(UserError, match="22 lines, of which at most 21 can be told apart"):
            picture(many)


def test_lines_with_equal_values_are_all_seen() -> None:
    """Several designs lose nothing: the markers below are larger than those drawn over them, so that all can be seen."""
    (axes,) = pictures.loss_against_depth(SWEEP[SWEEP[DEPTH] == 4096], by=WORD).axes
    sizes = [one.get_markersize() for one in axes.lines if one.get_label() in ("400", "800")]
    assert sizes == sorted(sizes, reverse=True)
    assert len(set(sizes)) == 2


def test_marks_of_merging_are_named_by_what_differs_and_joined_only_along_one_parameter() -> None:
    some = of_runs(
        result(**{"spec.nodes": nodes, "spec.port.delay": delay}) for nodes, delay in ((4, 0), (4, 20), (8, 0))
    )
    figure = pictures.merging(some)
    (axes,) = figure.axes
    assert figure.legends[0].get_title().get_text() == "nodes"
    assert [(one.get_label(), one.get_linestyle()) for one in axes.lines] == [("4", "-"), ("8", "None")]


def test_slowdown_is_against_the_unobserved_run() -> None:
    (axes,) = pictures.slowdown(runs()).axes
    assert sorted(round(patch.get_height(), 6) for patch in axes.patches) == [25, 150]  # 5 and 10 s instead of 4


def test_slowdown_without_the_unobserved_run_says_what_it_needs() -> None:
    frame = runs()
    with pytest.raises(UserError, match="needs runs with monitor=none"):
        pictures.slowdown(frame[frame["monitor"] != "none"])


def test_merging_is_the_share_of_data_beyond_the_first_of_each_frame() -> None:
    frame = runs()
    (axes,) = pictures.merging(frame[frame["monitor"] == "hypermon"]).axes
    assert list(axes.lines[0].get_xdata()) == [FRAMES / ELAPSED_S / 1e3]
    assert list(axes.lines[0].get_ydata()) == [100 * 0.6 / 1.6]


def test_half_of_the_data_came_in_intervals_at_least_as_full_as_their_median_byte(tmp_path: Path) -> None:
    _, right = pictures.bursts(burst_run(tmp_path / "run")).axes
    assert list(right.lines[0].get_xdata()) == [0.5, 1.5]  # MB/s of 500 and 1500 B in a millisecond
    assert list(right.lines[0].get_ydata()) == [100, 75]


def test_intervals_of_a_short_run_are_one_line_and_those_of_a_long_run_two(tmp_path: Path) -> None:
    short = burst_run(tmp_path / "short")
    assert [one.get_label() for one in pictures.bursts(short).axes[0].lines] == ["mean of 1 ms"]
    long = burst_run(tmp_path / "long")
    (tmp_path / "long/bursts.csv").write_text("interval_ms,bytes\n0,1500\n999,500\n")
    assert [one.get_label() for one in pictures.bursts(long).axes[0].lines] == ["fullest 1 ms of 2 ms", "mean of 2 ms"]


def test_the_peak_is_marked_where_and_when_it_was_over_the_run_and_closely() -> None:
    figure = pictures.occupancy(TIMELINE, HISTOGRAM, depth=16)
    over_all, closely, lost, _ = figure.axes
    for axes in (over_all, closely):
        assert line(axes, "peak 8, first at 1.25 s") == {1.25: 8}
        assert axes.get_ylim()[1] > 16  # the depth can be seen
    assert [patch.get_height() for patch in lost.patches] == TIMELINE["lost"]
    without = {key: value for key, value in TIMELINE.items() if key != "around_peak"} | {"lost": [0, 0, 0]}
    assert len(pictures.occupancy(without, HISTOGRAM).axes) == 2


def test_latencies_are_exact_shares_of_the_events_and_end_with_none() -> None:
    made = result()
    bins = made["latency_us"]["distribution"]
    assert pictures.latency([made]).axes[0].lines[0].get_ydata()[0] == 0
    _, right = pictures.latency([made]).axes
    steps = dict(zip(right.lines[0].get_xdata(), right.lines[0].get_ydata(), strict=True))
    for i, upper in enumerate(bins["upper_us"][:-1]):
        assert steps[upper] == sum(bins["events"][i + 1 :]) / sum(bins["events"])
    assert longer(made)[-1] == (made["latency_us"]["max"], 0)


def test_runs_that_are_called_the_same_are_told_apart_by_their_folders(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "result.json").write_text(json.dumps(result()))
    axes = pictures.rates([Result(tmp_path / "a"), Result(tmp_path / "b")]).axes[0]
    assert [drawn.get_label() for drawn in axes.lines] == ["place, 8 nodes (a)", "place, 8 nodes (b)"]


def test_a_run_without_what_a_picture_shows_says_how_to_get_it(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="its monitor is none"):
        pictures.rates([result(**{"rates": None, "spec.monitor": "none"})])
    with pytest.raises(UserError, match="no event travelled under none"):
        pictures.latency([result(**{"latency_us": None, "spec.monitor": "none"})])
    with pytest.raises(UserError, match="run it again with this version"):
        pictures.latency([result(**{"latency_us": {"p50": 1.0, "p99": 2.0, "max": 3.0}})])
    run = burst_run(tmp_path / "run")
    (tmp_path / "run" / "bursts.csv").unlink()
    with pytest.raises(UserError, match=r"--set bursts\.keep_series=true"):
        pictures.bursts(run)
    with pytest.raises(UserError, match=f"loss against depth: needs {DEPTH}"):
        pictures.loss_against_depth(pd.DataFrame({LOST: [1]}))


def test_a_file_of_another_kind_is_refused_and_nothing_is_left(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"must end with one of \.svg, \.pdf, \.png"):
        pictures.save(pictures.rates([result()]), tmp_path / "rates.gif")
    with pytest.raises(UserError, match="cannot be written"):
        pictures.save(pictures.rates([result()]), tmp_path / "none" / "rates.svg")
    assert not list(tmp_path.iterdir())


def test_the_command_line_draws_runs_and_refuses_folders_that_are_none(hypermon: Hypermon, tmp_path: Path) -> None:
    burst_run(tmp_path / "run")
    (tmp_path / "empty").mkdir()
    refused = hypermon("plot", "merging", str(tmp_path / "empty"), "-o", str(tmp_path / "a.svg"))
    assert refused.returncode == 2
    assert "has neither result.json nor manifest.json" in refused.stderr
    damaged = hypermon("plot", "rates", str(tmp_path / "run"), "-o", str(tmp_path / "a.svg"))
    assert damaged.returncode == 2
    assert "is not the result of a run, or damaged" in damaged.stderr
    assert not (tmp_path / "a.svg").exists()
