# SPDX-License-Identifier: BSD-3-Clause
"""The page of time lines in a real browser: the content of every column of pixels, and navigation."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from hypermon.report import timeline_page
from hypermon.report.timeline_colours import KNOWN, LOSS, colours
from hypermon.timelines.rows import placed
from hypermon.timelines.tracks import States, Statistic, TimeLine
from tests.python.browsing import DESKTOP, LUMINANCE, PHONE, Opened, browser
from tests.python.pvfs_like import made

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from playwright.sync_api import Browser, Page

__all__ = ["browser"]  # the fixture
EVENTS = 3000
US = 10**6


def ready(opened: Opened) -> Page:
    opened.page.locator("body[data-ready]").wait_for(state="attached")
    return opened.page


@pytest.fixture(scope="module")
def line() -> TimeLine:
    return made(EVENTS, clients=4, servers=2)


@pytest.fixture(scope="module")
def file(line: TimeLine, tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("page") / "line.html"
    timeline_page.write({"": line}, "Made up", place)
    return place


@pytest.fixture(scope="module")
def page(browser: Browser, file: Path) -> Iterator[Page]:
    """For consecutive tests: each begins with the page in its first state, and must leave it without complaints."""
    with Opened(browser, file) as opened:
        yield ready(opened)
        assert opened.complaints == []


@pytest.fixture
def fresh(page: Page) -> Page:
    """The page in its first state."""
    page.set_default_timeout(5000)
    page.mouse.move(0, 0)
    page.evaluate("help.close()")
    page.evaluate(
        "location.hash = ''; history.replaceState(null, '', location.pathname); before.length = 0; applyHash()"
    )
    settle(page)
    return page


def settle(page: Page) -> None:
    """Waits until the requested view is drawn and in the address."""
    page.evaluate(
        "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => { writeHash(); done(); })))"
    )


# ---- What it shows -------------------------------------------------------------------------------------------------


def overlaps(begin: NDArray[Any], end: NDArray[Any], edges: NDArray[Any]) -> NDArray[np.float64]:
    """The share of each column that these states cover together, computed from every single state."""
    total = np.zeros(len(edges) - 1)
    for a, b in zip(begin.tolist(), end.tolist(), strict=True):
        total += np.clip(np.minimum(b, edges[1:]) - np.maximum(a, edges[:-1]), 0, None)
    return total / np.diff(edges)


def any_line(seed: int) -> TimeLine:
    """States that nest, overlap or have no length; a statistic recorded at its changes, and a sampled one."""
    random = np.random.default_rng(seed)
    tracks = []
    for k in range(3):
        n = int(random.integers(1, 300))
        begin = np.sort(random.integers(0, 5000, n)) * 1000
        end = begin + random.integers(0, (3, 40, 900)[k], n) * 1000
        own = np.where(random.random(n) < 0.5, 0, np.arange(n) + 1).astype(np.uint64)
        cause = np.where(random.random(n) < 0.5, 0, random.integers(0, n, n)).astype(np.uint64)
        names = tuple(f"name {number}" for number in range(4))
        number = random.integers(0, 4, n).astype(np.int32)
        tracks.append(States((f"track {k}",), begin, end, names, number, own, cause if k else 0 * cause))
    times = np.unique(random.integers(0, 5000, 200)) * 1000
    values = random.normal(0, 10, len(times))
    stats = [Statistic(("exact",), "W", times, values, True), Statistic(("sampled",), "", times, values.round(), False)]
    end_ps = max(6_000_000, *(int(one.end_ps.max()) for one in tracks))
    return TimeLine(tuple(tracks), tuple(stats), 0, end_ps)


COLUMNS = """([track, lane, depth, from, width, n]) => Object.fromEntries(rowOf(tracks[track], lane, depth).names.map(
  ({ name, curve }) => [head.names[name], [...means(curve, from, width, new Float64Array(n))]]))"""
STATISTIC = """([one, from, width, n]) => {
  const s = statistics[one], curve = curveOfStatistic(s);
  return [...means(curve, from, width, new Float64Array(n))];
}"""


@pytest.mark.parametrize("seed", [1, 3])
def test_every_column_shows_what_all_single_states_and_values_give(browser: Browser, tmp_path: Path, seed: int) -> None:
    line = any_line(seed)
    timeline_page.write({"": line}, "any", tmp_path / "any.html")
    with Opened(browser, tmp_path / "any.html") as opened:
        page = ready(opened)
        unit = int(page.evaluate("head.unit_ps"))
        assert unit == 1000
        rows = [placed(one) for one in line.states]
        assert max(one.lanes for one in rows) > 3
        assert any(one.depth.any() for one in rows)
        views = [(0.0, 6000.0 / 700, 700), (1234.5, 0.37, 500), (-50.0, 60.0, 200)]
        for start, width, n in views:
            edges = start + width * np.arange(n + 1)
            for k, (states, row) in enumerate(zip(line.states, rows, strict=True)):
                for lane in range(-1, row.lanes):
                    for depth in range(int(row.depth.max()) + 1):
                        mine = (row.depth == depth) & ((row.lane == lane) | (lane < 0))
                        shown = page.evaluate(COLUMNS, [k, lane if row.lanes > 1 else 0, depth, start, width, n])
                        for number, name in enumerate(states.names):
                            own = mine & (states.name == number)
                            expected = overlaps(states.begin_ps[own] / unit, states.end_ps[own] / unit, edges)
                            assert np.allclose(shown.get(name, np.zeros(n)), expected, atol=1e-9), (
                                k,
                                lane,
                                depth,
                                name,
                            )
            for k, stat in enumerate(line.statistics):
                times = stat.times_ps / unit
                begin, end = times[:-1], times[1:]
                values = stat.values[:-1] if stat.exact else stat.values[1:]
                if stat.exact:
                    begin, end, values = times, np.append(end, line.end_ps / unit), stat.values
                expected = np.zeros(n)
                for a, b, value in zip(begin, end, values, strict=True):
                    expected += value * np.clip(np.minimum(b, edges[1:]) - np.maximum(a, edges[:-1]), 0, None) / width
                assert np.allclose(page.evaluate(STATISTIC, [k, start, width, n]), expected, atol=1e-9)
        extremes = page.evaluate(
            "(() => { const s = statistics[0]; curveOfStatistic(s); const found = []; const n = s.times.length;"
            "for (let a = 0; a < n; a += 7) for (let b = a + 1; b <= n; b += 11)"
            " found.push([a, b, extreme(s.low, Math.min, a, b), extreme(s.high, Math.max, a, b)]); return found; })()"
        )
        assert len(extremes) > 100
        exact = line.statistics[0].values
        for a, b, least, most in extremes:
            assert (least, most) == (exact[a:b].min(), exact[a:b].max())
        assert opened.complaints == []


def test_the_page_has_every_number_of_the_time_line(fresh: Page, line: TimeLine) -> None:
    unit, got = fresh.evaluate(
        "[head.unit_ps, tracks.map((t) => [[...t.begin], [...t.end], [...t.name].map((n) => head.names[n]),"
        " [...t.id].map(idText), [...t.cause].map(idText),"
        " [...t.begin].map((_, i) => Object.fromEntries(detailsOf(t, i)))])]"
    )
    for states, (begin, end, name, own, cause, details) in zip(line.states, got, strict=True):
        assert (np.array(begin) * unit).tolist() == states.begin_ps.tolist()
        assert (np.array(end) * unit).tolist() == states.end_ps.tolist()
        assert name == [states.names[number] for number in states.name]
        assert own == [str(number) for number in states.id]
        assert cause == [str(number) for number in states.cause]
        for i, shown in enumerate(details):
            expected = {key: column[i] for key, column in states.details.items()}
            assert shown == {key: value for key, value in expected.items() if value not in (-1, "")}
    values = fresh.evaluate("statistics.map((s) => [[...s.times], [...s.values]])")
    for stat, (times, shown) in zip(line.statistics, values, strict=True):
        assert (np.array(times) * unit).tolist() == stat.times_ps.tolist()
        assert shown == stat.values.tolist()


def test_a_state_far_narrower_than_a_pixel_is_seen(browser: Browser, tmp_path: Path) -> None:
    begin, none = np.array([500 * US], np.int64), np.zeros(1, np.uint64)
    for length in (0, 1):
        one = States(("alone",), begin, begin + length, ("flash",), np.zeros(1, np.int32), none, none)
        timeline_page.write({"": TimeLine((one,), (), 0, 10**12)}, "flash", tmp_path / "flash.html")
        with Opened(browser, tmp_path / "flash.html") as opened:
            page = ready(opened)
            settle(page)
            assert page.evaluate("pixels.filter((one) => one === palette[0]).length") >= 1


def test_a_folded_process_shows_its_calls_and_a_folded_layer_how_many_operations(
    browser: Browser, tmp_path: Path
) -> None:
    begin, end = np.array([0, 10, 20, 200], np.int64), np.array([100, 60, 80, 300], np.int64)
    ids, number = np.array([7, 8, 9, 10], np.uint64), np.array([0, 1, 1, 0], np.int32)
    for causes, lane, shares in (
        ((0, 7, 7, 0), 0, {"call": [1.0]}),  # messages during calls, without a recorded cause
        ((1, 2, 3, 4), -1, {"call": [1.0], "message": [2.0]}),  # operations with a recorded cause
    ):
        one = States(("t",), begin, end, ("call", "message"), number, ids, np.array(causes, np.uint64))
        timeline_page.write({"": TimeLine((one,), (), 0, 400)}, "t", tmp_path / "t.html")
        with Opened(browser, tmp_path / "t.html") as opened:
            page = ready(opened)
            assert page.evaluate("tracks[0].lanes") > 1
            assert page.evaluate("tracks[0].main") == (lane == 0)
            unit = page.evaluate("head.unit_ps")
            found = page.evaluate(COLUMNS, [0, lane, 0, 20 / unit, 40 / unit, 1])
            assert found == {name: pytest.approx(share) for name, share in shares.items()}


def test_the_same_time_line_gives_the_same_bytes(line: TimeLine, file: Path) -> None:
    assert timeline_page.html({"": line}, "Made up") == file.read_text(encoding="utf-8")


def test_names_have_colours_of_their_own_that_do_not_depend_on_other_names() -> None:
    few, many = ["MPI_Send", "MPI_Recv", "computing"], ["MPI_Send", "MPI_Recv", "computing", "zeta", "write"]
    assert len(set(colours(many))) == len(many)
    assert colours(few)[2] == KNOWN["computing"]
    assert colours(many)[:2] == colours(few)[:2]
    assert len(set(colours([f"name {k}" for k in range(24)]))) == 24


def board(lost: int) -> TimeLine:
    """A rank that computes for 100 us and loses an event, a board's FIFO, and samples of its power for a second."""
    none = np.zeros(1, np.uint64)
    work = States(("rank 0 on node 0", "program"), np.array([0]), np.array([100 * US]), ("computing",), none.astype(np.int32), none, none)  # fmt: skip
    loss = States(("rank 0 on node 0", "losses"), np.array([50 * US]), np.array([50 * US]), ("full",), none.astype(np.int32), none, none, lost=True)  # fmt: skip
    times, values = np.arange(0, 100 * US, 10 * US), np.arange(10.0)
    level = Statistic(("board 0", "level"), "", times, values, True, limit=12.0)
    lost_ = Statistic(("board 0", "frames lost"), "", times[[0, 5]], np.array([0.0, lost]), True, lost=True)
    seconds = np.arange(11) * 100_000 * US
    power = [Statistic(("rank 0 on node 0", "power", name), "W", seconds, np.arange(11.0), False) for name in "ab"]
    return TimeLine((work, loss), (level, lost_, *power), 0, 10**12)


def test_the_first_view_fits_the_states_and_all_shows_the_statistics_too(browser: Browser, tmp_path: Path) -> None:
    timeline_page.write({"": board(1)}, "board", tmp_path / "board.html")
    with Opened(browser, tmp_path / "board.html") as opened:
        page = ready(opened)
        span = 100 * US / int(page.evaluate("head.unit_ps"))
        assert view(page) == pytest.approx([0, 1.02 * span])
        assert "#" not in page.url
        page.get_by_role("button", name="All").click()
        assert view(page)[1] - view(page)[0] > 9000 * span
        assert "#v=" in page.url
        assert opened.complaints == []


def test_what_lost_data_is_on_top_with_its_depth_and_in_red(browser: Browser, tmp_path: Path) -> None:
    for lost, first in ((1, "board 0"), (0, "rank 0 on node 0")):
        timeline_page.write({"": board(lost)}, "board", tmp_path / "board.html")
        with Opened(browser, tmp_path / "board.html") as opened:
            page = ready(opened)
            settle(page)
            assert shown_lines(page)[0] == first
            assert "board 0 / level" in shown_lines(page)  # open
            assert page.evaluate("head.colours[head.names.indexOf('full')]") == LOSS
            red = "pixels.filter((one) => one === packed(rgb(head.loss_colour)) >>> 0).length"
            assert page.evaluate(red) > 100 * lost
            assert page.get_by_text("full at 12").is_visible()
            ink = (
                "(() => { const l = lines.find((l) => l.node.name === 'level'), ink = packed(rgb(css('--ink'))) >>> 0;"
            )
            dashes = (
                ink + " return pixels.filter((one, i) => one === ink && i < (l.top + 6) * picture.width).length; })()"
            )
            assert page.evaluate(dashes) > 0.5 * page.evaluate("picture.width")


def test_a_folded_group_of_statistics_shows_a_strip_for_each(browser: Browser, tmp_path: Path) -> None:
    timeline_page.write({"": board(1)}, "board", tmp_path / "board.html")
    with Opened(browser, tmp_path / "board.html") as opened:
        page = ready(opened)
        page.evaluate("nodeOf(['rank 0 on node 0', 'power']).folded = true; showAll(); relayout()")
        settle(page)
        assert page.get_by_text("2 statistics").is_visible()
        shades = page.evaluate(
            "(() => { const l = lines.find((l) => l.node.name === 'power'), x = picture.width / 2 | 0, w = picture.width;"
            " const at = (x, y) => pixels[(l.top + y) * w + x];"
            " return [at(x, 4), at(x, l.height - 4), at(w * 0.9 | 0, 4), packed(ground) >>> 0]; })()"
        )
        assert shades[0] == shades[1] != shades[2]
        assert len(set(shades)) == 3


# ---- What one does with it -----------------------------------------------------------------------------------------


def shown_lines(page: Page) -> list[str]:
    return [
        str(text) for text in page.evaluate("lines.map((l) => pathText(l.node) + (l.lane < 0 ? '' : ' #' + l.lane))")
    ]


def view(page: Page) -> list[float]:
    settle(page)
    return [float(t) for t in page.evaluate("[view.from, view.to]")]


def test_it_opens_without_complaint_or_network_in_all_widths(browser: Browser, file: Path) -> None:
    with Opened(browser, file) as opened:
        page = ready(opened)
        for width in (DESKTOP, PHONE):
            page.set_viewport_size({"width": width, "height": 900})
            settle(page)
            assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
            assert page.evaluate("new Set(pixels).size") > 4
        assert opened.complaints == []


def test_all_text_has_a_contrast_of_at_least_4_5_in_both_themes(fresh: Page) -> None:
    fresh.evaluate("select(tracks[0].first + 4); choose([view.from, view.to])")
    fresh.get_by_role("button", name="Help").click()
    for theme in ("dark", "light"):
        fresh.emulate_media(color_scheme=theme)
        found = fresh.evaluate(LUMINANCE)
        assert len(found) > 80
        assert [text for contrast, text in found if contrast < 4.5] == []
        labels = fresh.evaluate("(colour(), head.colours.map((c, i) => { const [a, b] = [luminance(rgb(c)), luminance(rgb(inks[i]))];"
                                " return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05); }))")  # fmt: skip
        assert min(labels) >= 4.5
    fresh.keyboard.press("Escape")


def test_the_small_picture_of_the_whole_follows_the_theme(browser: Browser, tmp_path: Path) -> None:
    timeline_page.write({"": TimeLine((), (), 0, 10**9)}, "empty", tmp_path / "empty.html")
    with Opened(browser, tmp_path / "empty.html") as opened:
        page, ground = ready(opened), []
        for theme in ("light", "dark"):
            page.emulate_media(color_scheme=theme)
            settle(page)
            ground.append(page.evaluate("[...small.made.data.slice(0, 3)]"))
        assert min(ground[0]) > 200
        assert max(ground[1]) < 80
        assert opened.complaints == []


def test_the_size_beside_the_axis_is_not_clipped(browser: Browser, line: TimeLine, tmp_path: Path,
                                                  monkeypatch: pytest.MonkeyPatch) -> None:  # fmt: skip
    monkeypatch.setattr(timeline_page, "about", lambda _: "2 489 135 states on 32 tracks, 4 statistics")
    timeline_page.write({"": line}, "clipped", tmp_path / "clipped.html")
    with Opened(browser, tmp_path / "clipped.html", width=PHONE) as opened:
        page = ready(opened)
        for width in (PHONE, DESKTOP, 1440):
            page.set_viewport_size({"width": width, "height": 900})
            assert page.evaluate("byDoc('corner').scrollHeight - byDoc('corner').clientHeight") <= 0


def test_wheel_keys_and_buttons_zoom_and_undo_goes_back(fresh: Page) -> None:
    whole = view(fresh)
    box = fresh.locator("#picture").bounding_box()
    assert box is not None
    x = box["x"] + box["width"] * 0.25
    at = whole[0] + (whole[1] - whole[0]) * 0.25
    fresh.mouse.move(x, box["y"] + 40)
    fresh.mouse.wheel(0, -200)
    fresh.wait_for_function(f"view.to - view.from < {0.9 * (whole[1] - whole[0])}")
    zoomed = view(fresh)
    assert zoomed[0] + (zoomed[1] - zoomed[0]) * 0.25 == pytest.approx(
        at, abs=(whole[1] - whole[0]) / box["width"]
    )  # stays under the pointer
    fresh.get_by_role("button", name="Undo").click()
    assert view(fresh) == whole
    fresh.get_by_role("button", name="Zoom in").click()
    assert view(fresh)[1] - view(fresh)[0] == pytest.approx((whole[1] - whole[0]) / 2)
    fresh.evaluate("lastZoom = -1e9")
    fresh.keyboard.press("ArrowRight")
    assert view(fresh)[0] > whole[0] + (whole[1] - whole[0]) * 0.25
    fresh.keyboard.press("Home")
    assert view(fresh) == whole


def test_dragging_moves_in_time_and_with_shift_selects_an_interval_that_enter_zooms_to(fresh: Page) -> None:
    fresh.evaluate("show(bounds.to * 0.4, bounds.to * 0.6)")
    start = view(fresh)
    box = fresh.locator("#picture").bounding_box()
    assert box is not None

    def drag(a: float, b: float) -> None:
        fresh.mouse.move(box["x"] + a * box["width"], box["y"] + 30)
        fresh.mouse.down()
        fresh.mouse.move(box["x"] + b * box["width"], box["y"] + 30, steps=3)
        fresh.mouse.up()

    drag(0.75, 0.25)
    moved = view(fresh)
    span = start[1] - start[0]
    assert moved[0] - start[0] == pytest.approx(span / 2, rel=0.01)
    fresh.keyboard.down("Shift")
    drag(0.25, 0.5)
    fresh.keyboard.up("Shift")
    interval = fresh.evaluate("interval")
    assert interval == pytest.approx([moved[0] + span / 4, moved[0] + span / 2], rel=0.01)
    assert fresh.locator("#interval tbody tr").count() > 4
    fresh.keyboard.press("Enter")
    assert view(fresh) == pytest.approx(interval, rel=1e-6)


def test_the_table_of_an_interval_adds_up(fresh: Page, line: TimeLine) -> None:
    a, b = line.end_ps // 4, line.end_ps // 2
    unit = int(fresh.evaluate("head.unit_ps"))
    found = fresh.evaluate(
        "([a, b]) => within(a, b).filter((r) => r.names).map((r) => [pathText(r.node),"
        " r.names.map((n) => [head.names[n.name], n.time, n.began])])",
        [a / unit, b / unit],
    )
    by_path = {"/".join(one.path): one for one in line.states}
    assert found
    for path, names in found:
        own = [one for name, one in by_path.items() if f"{name}/".startswith(path.replace(" / ", "/") + "/")]
        for name, time, began in names:
            total, count = 0, 0
            for one in own:
                mine = one.name == one.names.index(name) if name in one.names else np.zeros(len(one.name), bool)
                total += int(np.clip(np.minimum(one.end_ps, b) - np.maximum(one.begin_ps, a), 0, None)[mine].sum())
                count += int(((one.begin_ps >= a / unit * unit) & (one.begin_ps < b))[mine].sum())
            assert time * unit == pytest.approx(total, rel=1e-9)
            assert began == count


def test_lines_fold_move_hide_and_come_back_by_mouse_and_keys(fresh: Page) -> None:
    first = shown_lines(fresh)
    assert "run / server0 / TROVE" in first
    trove = fresh.get_by_role("treeitem").filter(has_text="TROVE").first
    trove.click()
    lanes = [text for text in shown_lines(fresh) if text.startswith("run / server0 / TROVE #")]
    assert len(lanes) == fresh.evaluate("nodeOf(['run', 'server0', 'TROVE']).track.lanes") > 1
    fresh.keyboard.press("ArrowLeft")  # folds it again
    assert shown_lines(fresh) == first
    fresh.keyboard.press("Alt+ArrowUp")
    moved = shown_lines(fresh)
    assert moved.index("run / server0 / TROVE") == moved.index("run / server0 / FLOW") - 1
    fresh.keyboard.press("Delete")
    assert "run / server0 / TROVE" not in shown_lines(fresh)
    settle(fresh)
    address = fresh.url
    fresh.get_by_label("Hidden lines").select_option(label="run / server0 / TROVE")
    assert shown_lines(fresh) == moved
    settle(fresh)
    assert fresh.url != address


def test_an_operation_is_related_to_its_causes_and_effects_across_processes_and_servers(fresh: Page) -> None:
    disk = fresh.evaluate("tracks.find((t) => t.path.at(-1) === 'disk').first + 5")
    fresh.evaluate(f"select({disk})")
    chain = fresh.evaluate(
        "chain.causes.found.map((one) => head.names[trackOf(one.event).name[one.event - trackOf(one.event).first]])"
    )
    assert chain == ["TROVE write", "FLOW write", "BMI write", "write request", "MPI_File_write"]
    fresh.locator("#operation .jump").last.click()  # jumps to the call
    settle(fresh)
    assert fresh.evaluate("head.names[trackOf(selected).name[selected - trackOf(selected).first]]") == "MPI_File_write"
    effects = fresh.evaluate("chain.effects.found.length")
    assert effects == 5
    call = fresh.evaluate("(() => { const p = place(selected); return [p.from, p.to, room.width]; })()")
    assert 0 <= call[0] < call[1] <= call[2]  # is in sight
    with_arrows, without = fresh.evaluate(
        "(() => { const seen = () => (draw(), picture.toDataURL()), all = seen(); chain = null; return [all, seen()]; })()"
    )
    assert with_arrows != without


def test_a_click_selects_what_is_under_the_pointer_and_hovering_tells_of_it(fresh: Page, line: TimeLine) -> None:
    fresh.evaluate("show(tracks[0].begin[30] - 1, tracks[0].end[33] + 1)")
    settle(fresh)
    x, y = fresh.evaluate("(() => { const p = place(tracks[0].first + 31), b = picture.getBoundingClientRect(); return [b.left + (p.from + p.to) / 2, b.top + p.middle]; })()")  # fmt: skip
    fresh.mouse.move(x, y)
    states = line.states[0]
    told = fresh.locator("#tip").inner_text()
    name = states.names[states.name[31]]
    assert name in told
    assert re.search(r"^(begin|at)\s", told, re.MULTILINE)
    fresh.mouse.click(x, y)
    assert fresh.evaluate("trackOf(selected) === tracks[0]")
    assert name in fresh.evaluate(
        "[selected, ...chain.effects.found.map((o) => o.event), ...chain.causes.found.map((o) => o.event)]"
        ".map((e) => head.names[trackOf(e).name[e - trackOf(e).first]])"
    )
    y = fresh.evaluate("(() => { const l = lines.find((l) => l.kind === 'statistic'); scroller.scrollTop = l.top - 50; return picture.getBoundingClientRect().top + l.top - scroller.scrollTop + l.height / 2; })()")  # fmt: skip
    fresh.mouse.move(x, y)
    value = fresh.evaluate("valueAt(statistics[0], timeAt(0.5 * room.width))")
    assert value is not None
    assert "pending in TROVE" in fresh.locator("#tip").inner_text()


def test_search_finds_names_files_and_ids_and_goes_from_one_to_the_next(fresh: Page, line: TimeLine) -> None:
    query, count = fresh.get_by_label("Search", exact=True), fresh.locator("#count")
    query.fill("trove")
    troves = [one for one in line.states if one.path[-1] == "TROVE"]
    total = sum(len(one.begin_ps) for one in troves)
    assert count.inner_text().replace("\u202f", "") == f"{total} found"
    query.press("Enter")
    times = [fresh.evaluate("timeOf(selected)")]
    for _ in range(3):
        fresh.get_by_role("button", name="Next found").click()
        times.append(fresh.evaluate("timeOf(selected)"))
    expected = sorted(int(t) for one in troves for t in one.begin_ps)[:4]
    assert (np.array(times) * fresh.evaluate("head.unit_ps")).tolist() == expected
    query.fill("progress")  # a file's name
    with_file = sum(int((one.details["file"] == "progress").sum()) for one in line.states)
    assert count.inner_text().replace("\u202f", "") == f"{with_file} found"
    first = (1 << 63) + 16
    query.fill(f"#{first}")
    assert count.inner_text() == f"{sum(int((one.id == first).sum()) for one in line.states)} found"
    query.fill("server1")
    fresh.locator("#found button").first.click()
    assert fresh.evaluate("current.name") == "server1"
    query.fill("")


def test_the_address_brings_a_view_back(browser: Browser, file: Path, fresh: Page) -> None:
    fresh.evaluate(
        "act('fold', nodeOf(['run', 'server1'])); act('hide', nodeOf(['run', 'client02']));"
        " act('down', nodeOf(['run', 'client00'])); show(bounds.to * 0.3, bounds.to * 0.35);"
        " select(tracks[1].first + 7); choose([bounds.to * 0.31, bounds.to * 0.32])"
    )
    settle(fresh)
    state = "[lines.map((l) => l.node.number), +view.from.toFixed(1), +view.to.toFixed(1), selected, interval.map((t) => +t.toFixed(1))]"
    there, address = fresh.evaluate(state), fresh.url
    with Opened(browser, file) as again:
        again.page.goto("about:blank")
        again.page.goto(address)
        ready(again)
        assert again.page.evaluate(state) == there
        for foreign in ("#v=2,1&fold=999&order=1.2.3&op=-7&size=huge&i=5,4", "#v=NaN,&hide=x&op=1e9"):
            again.page.goto(file.as_uri() + foreign)
            again.page.reload()
            ready(again)
            assert again.page.evaluate("[view.from === bounds.from, view.to === bounds.to, selected]") == [
                True,
                True,
                -1,
            ]
        assert again.complaints == []


def test_two_runs_stand_beside_each_other_and_begin_together_if_one_likes(
    browser: Browser, tmp_path: Path, line: TimeLine
) -> None:
    by = 7 * 10**12
    later = TimeLine(
        tuple(dataclasses.replace(one, begin_ps=one.begin_ps + by, end_ps=one.end_ps + by) for one in line.states),
        tuple(dataclasses.replace(one, times_ps=one.times_ps + by) for one in line.statistics),
        line.begin_ps + by,
        line.end_ps + by,
    )
    timeline_page.write({"recorded": line, "simulated": later}, "two", tmp_path / "two.html")
    with Opened(browser, tmp_path / "two.html") as opened:
        page = ready(opened)
        assert {text.split(" / ")[0] for text in shown_lines(page)} == {"recorded", "simulated"}
        unit = page.evaluate("head.unit_ps")
        first, second = 0, len(line.states)
        begins = f"[{first}, {second}].map((k) => tracks[k].begin[0] + offset(tracks[k].run))"
        assert len(set(page.evaluate(begins))) == 1
        page.get_by_label("Align begins").uncheck()
        a, b = page.evaluate(begins)
        assert (b - a) * unit == by
        chain = page.evaluate(
            f"(select(tracks[{second}].first + 1), chain.effects.found.map((o) => trackOf(o.event).run))"
        )
        assert set(chain) == {1}  # the same ids in the other run are others
        assert opened.complaints == []


def test_what_names_say_cannot_become_part_of_the_page(browser: Browser, tmp_path: Path) -> None:
    bad = '</script><img src=x onerror="document.title=1">'
    none = np.zeros(1, np.uint64)
    one = States(
        (bad,), np.zeros(1, np.int64), np.full(1, 10, np.int64), (bad,), np.zeros(1, np.int32), none, none,
        {bad: np.array([bad], object)},
    )  # fmt: skip
    timeline_page.write({"": TimeLine((one,), (), 0, 10)}, bad, tmp_path / "bad.html")
    with Opened(browser, tmp_path / "bad.html") as opened:
        page = ready(opened)
        page.evaluate("select(0)")
        assert page.locator("img").count() == 0
        assert page.locator("#operation").inner_text().count(bad) >= 3
        assert opened.complaints == []


def test_a_time_line_without_anything_says_so_and_does_not_fail(browser: Browser, tmp_path: Path) -> None:
    timeline_page.write({"": TimeLine((), (), 0, 0)}, "nothing", tmp_path / "nothing.html")
    with Opened(browser, tmp_path / "nothing.html") as opened:
        page = ready(opened)
        assert "0 states" in page.locator("#corner").inner_text().replace("\u202f", " ")
        assert opened.complaints == []
