# SPDX-License-Identifier: BSD-3-Clause
"""The report in a real browser: it renders, works by keyboard, offline, at both widths and in both themes."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from hypermon import report
from hypermon._model.result import Result
from hypermon.errors import UserError
from hypermon.monitors.hypermon import analysis, recorded
from tests.conftest import Hypermon
from tests.python import report_data
from tests.python.browsing import DESKTOP, LUMINANCE, PHONE, SETTLED_OVERFLOW, Opened, browser

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.worker
__all__ = ["browser"]  # the fixture
TIMELINE: dict[str, Any] = {
    "begin_s": [0.0, 1.0],
    "built": [10, 20],
    "lost": [0, 5],
    "peak": [3, 1024],
    "least": [0, 2],
    "peak_s": 1.5,
    "around_peak": {"begin_s": [1.4, 1.5], "peak": [3, 1024], "least": [1, 2]},
}
FRONTIER: dict[str, list[float]] = {
    "word_ns": [400, 800],
    "bandwidth_bytes_per_s": [1e7, 5e6],
    "least_depth": [20, 3000],
    "bound": [30, float("inf")],
}
RECORDED = recorded.Recorded(
    TIMELINE,
    {"frames": [0, 1, 1024], "share_of_time": [0.9, 0.0999, 0.0001]},
    {
        "word_ns": [400, 800],
        "bandwidth_bytes_per_s": [1e7, 5e6],
        "least_depth": [20, 3000],
        "bound": [30, float("inf")],
    },
)


@pytest.fixture(scope="module")
def runs(worker: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:  # noqa: ARG001
    """Run directories of every monitor, one of them with losses, and a sweep."""
    folder = tmp_path_factory.mktemp("runs")
    made = {name: report_data.run(folder / name, monitor=name) for name in ("none", "software", "hypermon")}
    made["lossy"] = report_data.run(folder / "lossy", **{"ecb.frame_fifo_frames": 64, "bursts.keep_series": True})
    return made | {"sweep": report_data.sweep(folder / "sweep")}


@pytest.fixture(scope="module")
def written(runs: dict[str, Path], tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Pages of the runs. The page `recorded` is the lossy run as if it had been recorded."""
    folder = tmp_path_factory.mktemp("pages")
    made = {name: folder / f"{name}.html" for name in runs}
    for name, file in made.items():
        report.write(runs[name], file, runs["none"] if name == "lossy" else None)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(analysis, "analyse", lambda _: RECORDED)
        report.write(runs["lossy"], folder / "recorded.html")
    return made | {"recorded": folder / "recorded.html"}


def drawn(opened: Opened, chart: str) -> int:
    """Marks of the chart's traces."""
    marks = "path, rect, image" if chart == "map" else ".trace path, .trace .point, .sankey-link, .heatmaplayer image"
    return opened.page.locator(f"#chart-{chart}").locator(marks).count()


class Pages:
    """By name, one at a time; each test leaves it as the next may find it."""

    def __init__(self, browser: Browser, written: dict[str, Path]) -> None:
        self._browser, self._written = browser, written
        self._open: tuple[str, Opened] | None = None

    def __getitem__(self, name: str) -> Opened:
        if self._open is None or self._open[0] != name:
            self.close()
            self._open = name, Opened(self._browser, self._written[name])
        return self._open[1]

    def close(self) -> None:
        if self._open is not None:
            self._open[1].close()


@pytest.fixture(scope="module")
def opened(browser: Browser, written: dict[str, Path]) -> Iterator[Pages]:
    with closing(Pages(browser, written)) as pages:
        yield pages


NAMES = ("none", "software", "hypermon", "lossy", "recorded", "sweep")


@pytest.mark.parametrize("name", NAMES)
def test_a_page_renders_without_complaint_network_or_sideways_scrolling(opened: Pages, name: str) -> None:
    page = opened[name].page
    for width in (DESKTOP, PHONE, DESKTOP):  # once as it opens, and back
        page.set_viewport_size({"width": width, "height": 900})
        plots = page.locator(".plot:visible")
        assert plots.count() > 0
        for i in range(plots.count()):
            chart = (plots.nth(i).get_attribute("id") or "").removeprefix("chart-")
            assert drawn(opened[name], chart) > 0, chart
        drawing = "wide" if width == DESKTOP else "narrow"
        assert name == "sweep" or page.locator("svg.machine:visible").count() == 1
        assert name == "sweep" or page.locator(f"svg.machine.{drawing}").is_visible()
        assert page.evaluate(SETTLED_OVERFLOW) <= 0
    assert opened[name].complaints == []


@pytest.mark.parametrize("name", ["lossy", "sweep"])
def test_all_text_has_a_contrast_of_at_least_4_5_in_both_themes(opened: Pages, name: str) -> None:
    page = opened[name].page
    grounds = set()
    for theme in ("dark", "light"):
        page.emulate_media(color_scheme=theme)
        found = page.evaluate(LUMINANCE)
        assert len(found) > 50
        assert [text for contrast, text in found if contrast < 4.5] == []
        grounds.add(page.evaluate("getComputedStyle(document.body).backgroundColor"))
    assert len(grounds) == 2


def test_the_theme_button_changes_the_page_and_its_charts(opened: Pages) -> None:
    page = opened["lossy"].page
    look = "[getComputedStyle(document.body).backgroundColor, document.querySelector('#chart-rates .xtick text').style.fill]"
    before = page.evaluate(look)
    page.get_by_role("button", name="Dark theme").click()
    after = page.evaluate(look)
    assert all(a != b for a, b in zip(before, after, strict=True))
    page.get_by_role("button", name="Light theme").click()
    assert page.evaluate(look) == before


def test_the_ledger_counts_in_events_or_in_nibbles(opened: Pages) -> None:
    labels = opened["lossy"].page.locator("#chart-ledger .node-label")
    events = labels.all_text_contents()
    opened["lossy"].page.get_by_label("Count in").select_option("nibbles")
    nibbles = labels.all_text_contents()
    assert any(text.startswith("lost at the frame FIFO") for text in events)
    assert len(events) == len(nibbles)
    assert not set(events) & set(nibbles)


def test_the_peak_of_the_level_is_marked_over_the_run_and_seen_closely(opened: Pages) -> None:
    for chart in ("timeline", "peak"):
        figure = opened["recorded"].page.locator(f"#figure-{chart}")
        assert "1\u202f024 at 1.5" in " ".join(figure.locator(".legendtext").all_text_contents())
        assert figure.locator(".trace.scatter .point").count() == 1
        assert "first reached after 1.5" in figure.locator("figcaption").inner_text()


def test_latencies_are_shown_as_a_tail_or_as_what_arrived(opened: Pages, runs: dict[str, Path]) -> None:
    from hypermon._model.result import Result

    bins = Result(runs["lossy"])["latency_us"]["distribution"]
    page = opened["lossy"].page
    figure = page.locator("#figure-latency")
    first = figure.locator(".ytick").all_text_contents()
    figure.get_by_label("Show what").select_option("arrived within")
    assert figure.locator(".ytick").all_text_contents() != first
    figure.get_by_text("Latencies as a table").click()
    cells = figure.locator("tbody tr td:nth-child(2)").all_text_contents()
    within = [int(re.sub(r"\D", "", cell)) for cell in cells]
    assert within == [sum(bins["events"][: i + 1]) for i in range(len(bins["events"]))]
    figure.get_by_text("Latencies as a table").click()
    figure.get_by_label("Show what").select_option("took longer (logarithmic)")


def test_the_losses_keep_their_ribbons_on_paper(opened: Pages) -> None:
    page = opened["lossy"].page
    page.emulate_media(media="print")
    page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    links = "[...document.querySelectorAll('#chart-ledger .sankey-link')].map((e) => getComputedStyle(e).opacity)"
    assert set(page.evaluate(links)) == {"1"}  # at once: a printed page cannot wait until they fade in
    page.evaluate("window.dispatchEvent(new Event('afterprint'))")
    page.emulate_media(media="screen")


def test_a_sweep_follows_what_is_chosen(opened: Pages) -> None:
    page = opened["sweep"].page
    title = page.locator("#chart-lines .ytitle")
    assert title.text_content() == "ledger.lost_total.events"
    lines = page.locator("#chart-lines .scatterlayer .trace")
    assert lines.count() == len(report_data.WORD_NS)
    page.get_by_label("Result", exact=True).select_option("monitor.frames.peak_occupancy")
    assert title.text_content() == "monitor.frames.peak_occupancy"
    page.get_by_label("A line for each").select_option("")
    assert lines.count() == len(report_data.WORD_NS)  # different designs are never averaged
    assert "Lines of one colour differ in pbx.word_ns." in (page.locator("#lines-caption").text_content() or "")
    assert page.locator("#chart-lines .legend .traces").count() == 0
    page.get_by_label("A line for each").select_option("pbx.word_ns")
    page.get_by_label("Result", exact=True).select_option("ledger.lost_total.events")
    assert opened["sweep"].complaints == []


CHOICES = {
    "Result": "monitor.frames.peak_occupancy",
    "Against": "pbx.word_ns",
    "A line for each": "",
    "Cost": "monitor.frames.peak_occupancy",
    "Of the result, better is": "-1",
    "Results shown": "all",
}


def chosen(page: Page) -> dict[str, str]:
    made: dict[str, str] = {name: page.get_by_label(name, exact=True).input_value() for name in CHOICES}
    return made | {
        "filter": page.get_by_label("Filter").input_value(),
        "rows": page.locator("#points-table tbody").inner_text(),
        "chart": page.locator("#chart-lines .ytitle").text_content() or "",
    }


def test_a_sweeps_choices_are_in_its_address_and_come_back_with_it(browser: Browser, written: dict[str, Path]) -> None:
    from playwright.sync_api import expect

    with Opened(browser, written["sweep"]) as first:
        page = first.page
        assert "#" not in page.url  # as it opens
        plain = chosen(page)
        for name, value in CHOICES.items():
            page.get_by_label(name, exact=True).select_option(value)
        page.get_by_label("Filter").fill("pbx.word_ns=400")
        page.locator("#points-table").get_by_role("button", name="monitor.frames.lost").click()
        page.locator("#points-table").get_by_role("button", name="monitor.frames.lost").click()
        address, there = page.url, chosen(page)
        assert {name: there[name] for name in CHOICES} == CHOICES
        assert there["rows"] != plain["rows"]
        page.get_by_role("link", name="Trade-off").click()  # a section's link keeps the chosen metrics
        expect(page).to_have_url(address)
        assert (page.url, chosen(page)) == (address, there)
        first.context.grant_permissions(["clipboard-read", "clipboard-write"])
        page.get_by_role("button", name="Copy the address").click()
        page.get_by_text("Copied", exact=True).wait_for()
        assert page.evaluate("navigator.clipboard.readText()") == address
        page.evaluate("location.hash = 'metric=no.such.result&x=&sort=nothing&only.seed=7'")  # settings of another page
        expect(page.locator("#metric")).to_have_value(plain["chart"])
        assert chosen(page) == plain
        assert first.complaints == []
    with Opened(browser, written["sweep"]) as again:
        again.page.goto(address)
        again.page.reload()
        assert chosen(again.page) == there
        assert again.complaints == []


@pytest.fixture(scope="module")
def repeated(worker: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:  # noqa: ARG001
    """The page of a sweep with repeats and three parameters, one of which a filter selects."""
    import hypermon

    folder = tmp_path_factory.mktemp("repeated")
    vary = {"pbx.word_ns": [400, 800], "ecb.frame_fifo_frames": [4, 16], "nodes": [1, 2]}
    little = {"place.accepted": 20, "place.attempts": 100}
    metrics = ["elapsed_s", "monitor.frames.built"]
    hypermon.sweep("table2/place", vary=vary, repeats=3, settings=little, metrics=metrics, out=folder / "sweep")
    report.write(folder / "sweep", folder / "page.html")
    return folder / "page.html"


def test_repeats_are_taken_together_with_intervals_or_shown_each(browser: Browser, repeated: Path) -> None:
    from hypermon._engine.sweeping.dataset import Sweep
    from hypermon._engine.sweeping.repeats import combine_repeats

    sweep = Sweep(repeated.parent / "sweep")
    expected = combine_repeats(sweep.to_pandas(), sweep.varied, sweep.metrics)
    with Opened(browser, repeated) as opened:
        page = opened.page
        rows = page.locator("#points-table tbody tr")
        assert rows.count() == len(expected) == 8
        cells = page.locator("#points-table tbody tr td:nth-child(5)").all_text_contents()
        found = [tuple(map(float, cell.replace("\u202f", "").split(" ± "))) for cell in cells]
        assert [mean for mean, _ in found] == pytest.approx(expected["elapsed_s"], rel=1e-5)
        assert [half for _, half in found] == pytest.approx(expected["elapsed_s ±"], rel=1e-5)
        assert min(half for _, half in found) > 0
        page.get_by_label("nodes", exact=True).select_option("2")
        assert "over their 95 % confidence intervals" in page.locator("#lines-caption").inner_text()
        assert "only.nodes=2" in page.url
        best = float(re.findall(r"Best: ([\d.]+),", page.locator("#lines-caption").inner_text())[0])
        # the best of the means
        assert best == pytest.approx(expected[expected["nodes"] == 2]["elapsed_s"].min(), rel=1e-5)
        page.get_by_label("Repeats").select_option("each")
        assert rows.count() == 24
        page.reload()
        assert page.get_by_label("Repeats").input_value() == "each"
        assert page.get_by_label("nodes", exact=True).input_value() == "1"  # the second value of the parameter
        assert opened.complaints == []


def column(page: Page, name: str) -> list[float]:
    head = page.locator("#points-table thead th").all_text_contents()
    at = [one.partition(", ")[0] for one in head].index(name)  # without its unit
    cells = page.locator(f"#points-table tbody tr > :nth-child({at + 1})").all_text_contents()
    return [float(re.sub(r"[^\d.]", "", cell)) for cell in cells if cell]


def test_a_map_of_three_parameters_shows_one_design_in_each_cell(browser: Browser, tmp_path: Path) -> None:
    import hypermon

    vary: Any = {"ecb.frame_fifo_frames": [1, 64], "pbx.word_ns": [800, 3200], "reader.kind": ["ideal", "group"]}
    metrics = ["ledger.lost_total.events"]
    little = {path: value for path, value in report_data.SMALL.items() if path not in vary}
    sweep = hypermon.sweep("table2/place", vary=vary, settings=little, metrics=metrics, out=tmp_path / "sweep")
    rows: Any = sweep.to_pandas().to_dict("records")
    lost = {tuple(row[path] for path in vary): row[metrics[0]] for row in rows}
    report.write(tmp_path / "sweep", tmp_path / "sweep.html")
    with Opened(browser, tmp_path / "sweep.html") as opened:
        page = opened.page
        shown = "document.getElementById('chart-map').data[0].customdata"
        for kind in ("ideal", "group"):
            texts = [[cell.replace("\u202f", "") for cell in row] for row in page.evaluate(shown)]
            depths, words = vary["ecb.frame_fifo_frames"], vary["pbx.word_ns"]
            assert texts == [[str(lost[depth, word, kind]) for depth in depths] for word in words]
            caption = page.locator("#map-caption").text_content() or ""
            assert (f"for reader.kind = {kind}; choose other values above." in caption) == (kind == "ideal")
            page.get_by_label("reader.kind", exact=True).select_option(label="group")
        assert opened.complaints == []


def test_points_are_sorted_filtered_and_their_failures_told(opened: Pages) -> None:
    points = len(report_data.DEPTHS) * len(report_data.WORD_NS)
    page = opened["sweep"].page
    rows = page.locator("#points-table tbody tr")
    assert rows.count() == points
    failed = page.locator("#points-table tr.failed")
    assert failed.count() == 1
    assert report_data.DIED in (failed.text_content() or "")
    sort = page.get_by_role("button", name="ledger.lost_total.events")
    for way, reverse in (("ascending", False), ("descending", True)):
        sort.press("Enter")
        found = column(page, "ledger.lost_total.events")
        assert found == sorted(found, reverse=reverse)
        assert len(set(found)) > 1
        assert page.locator(f'th[aria-sort="{way}"]').text_content() == "ledger.lost_total.events"
    page.get_by_label("Filter").fill(f"pbx.word_ns={report_data.WORD_NS[0]}")
    assert rows.count() == len(report_data.DEPTHS)
    assert set(column(page, "pbx.word_ns")) == {report_data.WORD_NS[0]}
    page.get_by_label("Filter").fill("")


def test_the_pareto_front_is_what_no_other_point_beats(opened: Pages) -> None:
    page = opened["sweep"].page
    ok = page.locator("#points-table tbody tr:not(.failed)")
    head = [one.partition(", ")[0] for one in page.locator("#points-table thead th").all_text_contents()]
    cost, loss = head.index("ecb.frame_fifo_frames"), head.index("ledger.lost_total.events")
    pairs, starred = [], set()
    for row in ok.all():
        cells = row.locator("th, td").all_text_contents()
        pair = tuple(float(re.sub(r"[^\d.]", "", cells[i])) for i in (cost, loss))
        pairs.append(pair)
        if "★" in cells[0]:
            starred.add(pair)
    beaten = {p for p in pairs for q in pairs if q != p and q[0] <= p[0] and q[1] <= p[1]}
    assert starred == set(pairs) - beaten


@pytest.mark.parametrize("name", ["lossy", "sweep"])
def test_everything_that_can_be_used_is_reached_by_tab_and_has_a_name_and_the_first_skips_to_the_content(
    browser: Browser, written: dict[str, Path], name: str
) -> None:
    with Opened(browser, written[name]) as opened:
        page = opened.page
        usable = "a[href], button:not(:disabled), select, input, summary, [tabindex='0']"
        expected = page.evaluate(
            f'[...document.querySelectorAll("{usable}")].filter((e) => e.checkVisibility()).length'
        )
        names: list[str] = []
        for _ in range(expected + 5):
            page.keyboard.press("Tab")
            found = page.evaluate(
                "(() => { const e = document.activeElement; if (e === document.body || e.dataset.seen) return null; e.dataset.seen = 1;"
                "return e.getAttribute('aria-label') || (e.labels && e.labels.length ? e.labels[0].textContent : e.textContent).trim(); })()"
            )
            if found is None:
                break
            names.append(found)
        assert len(names) == expected
        assert all(names)
        assert names[0] == "Skip to the content"
        page.locator(".skip").press("Enter")
        assert page.evaluate("document.activeElement.id") == "main"


def test_the_command_is_copied(opened: Pages) -> None:
    opened["lossy"].context.grant_permissions(["clipboard-read", "clipboard-write"])
    opened["lossy"].page.get_by_role("button", name="Copy the command").click()
    opened["lossy"].page.get_by_text("Copied", exact=True).wait_for()
    assert (
        opened["lossy"].page.evaluate("navigator.clipboard.readText()").startswith("hypermon run table2/place --set ")
    )


FOLDED = """() => [...document.querySelectorAll(".scroll > table")].filter((t) => t.offsetParent).map((table) => ({
  name: table.caption.textContent.trim(), rows: table.tBodies[0].rows.length,
  shown: [...table.tBodies[0].rows].filter((row) => row.offsetParent).length,
  note: table.closest(".scroll").nextElementSibling.textContent,
  hidden: table.closest(".scroll").scrollHeight - table.closest(".scroll").clientHeight,
}))"""


@pytest.mark.parametrize("name", NAMES)
def test_no_table_hides_rows_without_saying_so(opened: Pages, name: str) -> None:
    """Only the page has a vertical scroll bar, and a table that shows its first rows says how many rows there are."""
    page = opened[name].page
    page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    tables = page.evaluate(FOLDED)
    assert tables
    for table in tables:
        assert table["hidden"] <= 1, table
        assert "Copy as CSV" in table["note"], table
        if table["shown"] < table["rows"]:
            assert f"Rows 1 to {table['shown']} of {table['rows']}" in table["note"]
    folded = [table for table in tables if table["shown"] < table["rows"]]
    assert folded or name == "sweep"
    if folded:
        page.get_by_role("button", name=f"Show all {folded[0]['rows']} rows: {folded[0]['name']}").first.click()
        again = next(table for table in page.evaluate(FOLDED) if table["name"] == folded[0]["name"])
        assert again["shown"] == again["rows"]
        page.get_by_role("button", name=f"Show fewer rows: {folded[0]['name']}").first.click()


def test_a_table_is_copied_as_csv_with_all_rows_and_plain_digits(opened: Pages, runs: dict[str, Path]) -> None:
    opened["lossy"].context.grant_permissions(["clipboard-read", "clipboard-write"])
    page = opened["lossy"].page
    page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    page.get_by_role("button", name="Copy as CSV: Frames in each hundredth").click()
    page.get_by_text("Copied", exact=True).wait_for()
    table = list(csv.reader(page.evaluate("navigator.clipboard.readText()").splitlines()))
    frames = Result(runs["lossy"])["rates"]["frames"]
    assert table[0] == ["from, s", "frames", "frames/s"]
    assert [int(row[1]) for row in table[1:]] == [round(one) for one in frames]  # includes the folded rows
    assert max(frames) >= 1000  # has a thin space on the page


def test_the_points_of_a_sweep_are_copied_as_csv_with_all_digits(opened: Pages) -> None:
    opened["sweep"].context.grant_permissions(["clipboard-read", "clipboard-write"])
    page = opened["sweep"].page
    page.get_by_role("button", name="Copy as CSV: Table of points").click()
    page.get_by_text("Copied", exact=True).wait_for()
    head, *rows = csv.reader(page.evaluate("navigator.clipboard.readText()").splitlines())
    assert len(rows) == len(report_data.DEPTHS) * len(report_data.WORD_NS)
    assert "ecb.frame_fifo_frames, frames" in head  # with its unit
    depths = {int(row[head.index("ecb.frame_fifo_frames, frames")]) for row in rows}
    assert depths == set(report_data.DEPTHS)


def own(html: str) -> str:
    """The page without Plotly, which contains addresses of maps that are not used here."""
    from plotly.offline import get_plotlyjs

    return html.replace(get_plotlyjs(), "")


@pytest.mark.parametrize("name", NAMES)
def test_a_page_refers_to_nothing_outside_itself(written: dict[str, Path], name: str) -> None:
    html = own(written[name].read_text(encoding="utf-8"))
    assert not re.search(r"(?:https?:)?//[\w.-]+\.\w", re.sub(r"^\s*//.*$", "", html, flags=re.MULTILINE))
    assert not re.search(r"<(?:script|link|img)[^>]+(?:src|href)=\"(?!data:)", html)


def test_a_page_has_the_same_bytes_every_time(runs: dict[str, Path], written: dict[str, Path]) -> None:
    assert report.html(runs["sweep"]) == written["sweep"].read_text(encoding="utf-8")
    assert report.html(runs["hypermon"]) == written["hypermon"].read_text(encoding="utf-8")


def test_what_runs_say_cannot_become_part_of_the_page(written: dict[str, Path]) -> None:
    html = own(written["sweep"].read_text(encoding="utf-8"))
    assert "onclick" in html  # the attack's text is in the page
    assert "<b onclick" not in html
    assert html.count("</script>") == html.count("<script")


def test_the_slowdown_is_against_the_baseline(runs: dict[str, Path], written: dict[str, Path]) -> None:
    from hypermon._model.result import Result
    from hypermon._model.words import percent

    slower = Result(runs["lossy"]).elapsed_s / Result(runs["none"]).elapsed_s - 1
    html = own(written["lossy"].read_text(encoding="utf-8"))
    assert f"<b>{percent(slower)}</b> slower" in html
    assert "--baseline RUN" in own(written["hypermon"].read_text(encoding="utf-8"))


def test_the_command_on_the_page_gives_the_run_again(runs: dict[str, Path], written: dict[str, Path]) -> None:
    import html as entities
    import shlex

    from hypermon._inputs import scenario
    from hypermon._model import worker
    from hypermon._model.result import Result
    from hypermon.report.repeat import values_of

    text = re.search(r'<pre id="command"[^>]*>(.*?)</pre>', written["lossy"].read_text(encoding="utf-8"))
    assert text is not None
    words = shlex.split(entities.unescape(text[1]))
    assert words[:3] == ["hypermon", "run", "table2/place"]
    settings = dict(word.split("=", 1) for word in words[4::2])
    spec = scenario.find_one(words[2]).resolve(worker.schema(), settings)
    assert dict(spec.values) == values_of(Result(runs["lossy"]))


def test_the_scenario_file_on_the_page_gives_the_run_again(runs: dict[str, Path], tmp_path: Path) -> None:
    from hypermon._inputs import scenario
    from hypermon._model import worker
    from hypermon._model.result import Result
    from hypermon.report.repeat import scenario_file, values_of

    values = values_of(Result(runs["lossy"]))
    file = tmp_path / "again.yaml"
    file.write_text(scenario_file('How "deep"?', values, worker.schema()), encoding="utf-8")
    assert dict(scenario.find_one(str(file)).resolve(worker.schema()).values) == values


def test_calibrated_and_predicted_numbers_are_told_apart(runs: dict[str, Path]) -> None:
    from hypermon._inputs import scenario
    from hypermon._model import worker as workers
    from hypermon._model.result import Result
    from hypermon._model.schema import nested
    from hypermon.report.provenance import of_run

    schema = workers.schema()
    spec = scenario.find_one("table2/matmul").resolve(schema, {"nodes": 1, "monitor": "none"})
    like_table2 = of_run({"spec": nested(spec.values)}, spec.values, schema)
    assert like_table2.status["elapsed_s"] == "calibrated"  # matmul.multiply_add_ns is 244.90 s / 256^3
    assert "matmul.multiply_add_ns" in {constant.name for constant in like_table2.used}
    changed = Result(runs["hypermon"])
    assert set(of_run(changed, {}, schema).status.values()) == {"predicted"}


def test_the_command_line_writes_pages_and_pictures(runs: dict[str, Path], hypermon: Hypermon, tmp_path: Path) -> None:
    made = hypermon("report", str(runs["lossy"]), "-o", str(tmp_path / "a.html"), "--baseline", str(runs["none"]))
    assert (made.returncode, made.stdout) == (0, f"page {tmp_path / 'a.html'}\n")
    observed = [str(runs[name]) for name in ("none", "software", "hypermon")]
    for arguments in (("slowdown", *observed), ("loss", str(runs["sweep"]), "--by", "pbx.word_ns")):
        drawn = hypermon("plot", *arguments, "-o", str(tmp_path / "a.svg"))
        assert (drawn.returncode, drawn.stdout, drawn.stderr) == (0, f"picture {tmp_path / 'a.svg'}\n", "")
    several = hypermon("plot", "occupancy", *observed, "-o", str(tmp_path / "b.svg"))
    assert several.stderr == "error: occupancy: needs one run, 3 were given\n"
    unrecorded = hypermon("plot", "frontier", observed[-1], "-o", str(tmp_path / "b.svg"))
    assert "make one with hypermon record" in unrecorded.stderr
    assert sorted(file.name for file in tmp_path.iterdir()) == ["a.html", "a.svg"]


def test_what_is_no_run_or_sweep_is_refused_and_nothing_is_written(
    runs: dict[str, Path], hypermon: Hypermon, tmp_path: Path
) -> None:
    out = tmp_path / "report.html"
    broken = tmp_path / "broken"
    broken.mkdir()
    (broken / "manifest.json").write_text("{}")
    for source, message in (
        (tmp_path / "absent", "is not a directory"),
        (broken, "is a sweep of format None"),
    ):
        with pytest.raises(UserError, match=message):
            report.write(source, out)
    for baseline, message in ((runs["software"], "its monitor is software"), (runs["sweep"], "is not a run directory")):
        with pytest.raises(UserError, match=message):
            report.write(runs["lossy"], out, baseline)
    refused = hypermon("report", str(tmp_path), "-o", str(out))
    assert refused.returncode == 2
    assert refused.stderr.startswith(f"error: {tmp_path}: has neither result.json nor manifest.json")
    assert refused.stderr.count("\n") == 1
    assert sorted(tmp_path.iterdir()) == [broken]
