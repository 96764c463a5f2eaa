# SPDX-License-Identifier: BSD-3-Clause
"""`hypermon timeline` of runs, recordings and projects, and the time line beside a report."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from hypermon import report, timelines
from hypermon._model import monitors
from hypermon._model.result import Result
from hypermon.monitors import Monitor
from hypermon.timelines import TimeLine
from tests.conftest import Hypermon
from tests.python import little_hdtrace, little_samples
from tests.python.pvfs_like import made

pytestmark = pytest.mark.worker


def head(page: Path) -> dict[str, object]:
    """The head of a page's data."""
    found = re.search(r'id="head">(.*?)</script>', page.read_text(encoding="utf-8"))
    assert found is not None
    loaded: dict[str, object] = json.loads(found[1])
    return loaded


def unobserved(out: Path) -> Path:
    import hypermon

    return hypermon.run("collection/ring", settings={"nodes": 2, "monitor": "none"}, out=out).path or out


STEADY = {"cpu.user": lambda at: 0.25 * at, "queue.posted": lambda at: 3 + (at > 2)}


def test_a_run_s_samples_are_statistics_by_node_what_grows_by_its_rate(hypermon: Hypermon, tmp_path: Path) -> None:
    run = little_samples.run(tmp_path / "run", [STEADY, STEADY], 4).path
    out = tmp_path / "timeline.html"
    done = hypermon("timeline", str(run), "-o", str(out), "--json")
    assert (done.returncode, done.stderr) == (0, "")
    line = timelines.timeline(run)
    assert json.loads(done.stdout) == {
        "out": str(out), "format": "html", "states": 0, "tracks": 0, "statistics": 4, "bytes": out.stat().st_size,
    }  # fmt: skip
    assert len(head(out)["statistics"]) == 4  # type: ignore[arg-type]
    user, posted = (one for one in line.statistics if one.path[0] == "node 1")
    assert (user.path, posted.path) == (("node 1", "cpu.user"), ("node 1", "queue.posted"))
    assert (user.exact, posted.exact) == (False, True)
    assert user.values[:-1] == pytest.approx(0.25)  # nothing grows after the end
    assert posted.values.tolist() == [3 + (t > 2 * 10**12) for t in posted.times_ps.tolist()]


def test_what_has_no_time_line_is_refused_with_what_to_do(hypermon: Hypermon, tmp_path: Path, worker: Path) -> None:  # noqa: ARG001
    run = unobserved(tmp_path / "none")
    out = tmp_path / "out.html"
    for arguments, message in (
        ((str(run),), "has no time line: its monitor, none, leaves none"),
        ((str(tmp_path / "absent"),), "absent"),
        ((str(tmp_path / "absent.proj"),), "absent.proj"),
        ((str(run), "--set", "nodes=2"), "--set, --preset: need a single recording"),
        ((str(run), "--window", "2s..1s"), "--window 2s..1s: ends before it begins"),
    ):
        done = hypermon("timeline", *arguments, "-o", str(out))
        assert done.returncode == 2
        assert message in done.stderr
        assert done.stderr.startswith("error: ")
        assert done.stderr.count("\n") == 1
        assert not out.exists()


def test_projects_of_hdtrace_are_opened_by_file_or_folder_and_stand_beside_each_other(
    hypermon: Hypermon, tmp_path: Path
) -> None:
    first, second = (little_hdtrace.make(tmp_path / name) for name in ("one", "two"))
    alone = timelines.timeline(first)
    assert timelines.timeline(first.parent).states[0].path == alone.states[0].path
    assert alone.statistics
    out = tmp_path / "both.html"
    done = hypermon("timeline", str(first.parent), str(second.parent), "-o", str(out), "--no-align")
    assert (done.returncode, done.stderr) == (0, "")
    found = head(out)
    assert [run["name"] for run in found["runs"]] == ["one", "two"]  # type: ignore[attr-defined]
    assert found["align"] is False
    roots = {track["path"][0] for track in found["tracks"]}  # type: ignore[attr-defined]
    assert roots == {path[1] for path in (one.path for one in alone.states)}  # without the project's own name
    cut = timelines.timeline(first, timelines.Window(alone.begin_ps, (alone.begin_ps + alone.end_ps) // 2))
    assert 0 < sum(len(one.id) for one in cut.states) < sum(len(one.id) for one in alone.states)
    trace = next(first.parent.glob("*.trc"))
    trace.write_text(trace.read_text()[:-40])
    done = hypermon("timeline", str(first), "-o", str(tmp_path / "broken.html"))
    assert done.returncode == 2
    assert done.stderr.startswith(f"error: {trace}")
    assert done.stderr.count("\n") == 1
    assert not (tmp_path / "broken.html").exists()


@pytest.fixture
def observed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, worker: Path) -> tuple[Path, TimeLine]:  # noqa: ARG001
    """A run under a monitor that records a time line."""
    line = made(700, clients=2, servers=1)

    class Recording(Monitor):
        name = "none"

        def timeline(self) -> Callable[[Result], TimeLine]:
            return lambda _: line

    monkeypatch.setattr(monitors, "find", lambda _: Recording())
    return unobserved(tmp_path / "run"), line


def test_a_report_links_to_the_time_line_of_its_run_beside_it(observed: tuple[Path, TimeLine], tmp_path: Path) -> None:
    run, line = observed
    out = tmp_path / "place.html"
    report.write(run, out)
    assert '<a href="place-timeline.html">' in out.read_text(encoding="utf-8")
    found = head(tmp_path / "place-timeline.html")
    assert len(found["tracks"]) == len(line.states)  # type: ignore[arg-type]
    assert "place-timeline.html" not in report.html(run)  # as a text it has no file beside it


def test_what_a_monitor_recorded_comes_before_samples_and_a_window_cuts_it(observed: tuple[Path, TimeLine]) -> None:
    run, line = observed
    assert timelines.timeline(run) is line
    half = timelines.timeline(run, timelines.Window(0, line.end_ps // 2))
    assert 0 < sum(len(one.id) for one in half.states) < sum(len(one.id) for one in line.states)


def test_several_runs_have_their_shortest_names_that_differ() -> None:
    from hypermon.cli.timeline import _names

    assert _names([Path("a/run")]) == [""]
    assert _names([Path("a/x"), Path("b/y")]) == ["x", "y"]
    assert _names([Path("a/run"), Path("b/run")]) == ["a/run", "b/run"]
    assert _names([Path("a/p.proj"), Path("b/q.d")]) == ["p", "q.d"]
    assert len(set(_names([Path("a"), Path("a")]))) == 2
