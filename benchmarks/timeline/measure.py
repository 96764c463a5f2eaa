# SPDX-License-Identifier: BSD-3-Clause
"""The measurements of benchmarks/timeline/run."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright
from tests.python.pvfs_like import made

from hypermon.report import timeline_page

# limits on one core of a desktop: seconds, and smooth movement
MOST_FIRST_MS, MOST_FRAME_MS, MOST_BYTES_EACH = 5000, 100, 25
MOST_MB = 200  # limit of memory, for any number of states

# Frames of a zoom to single operations at four places, forced to be drawn at once: [unfolded, first, median, longest].
ZOOM = """() => [false, true].map((unfolded) => {
  if (unfolded) for (const node of nodes) node.folded = false;
  relayout();
  showAll();
  const first = performance.now(), frames = [];
  drawAll();
  const took = performance.now() - first;
  for (const at of [0.2, 0.4, 0.6, 0.8])
    for (let share = 1; share > 1e-6; share *= 0.8) {
      const t = bounds.from + at * (bounds.to - bounds.from), half = (share * (bounds.to - bounds.from)) / 2;
      view.from = t - half; view.to = t + half;
      if (unfolded) scroller.scrollTop = at * total;
      const begin = performance.now();
      drawAll();
      frames.push(performance.now() - begin);
    }
  frames.sort((a, b) => a - b);
  return [lines.length, took, frames[frames.length >> 1], frames.at(-1)];
})"""


def measured(page: Path) -> tuple[int, int, list[Any]]:
    """Returns the time in ms until the first chart, the time until everything is loaded, and the frames."""
    chromium = shutil.which("chromium")
    if chromium is None:
        sys.exit("chromium is not installed")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        tab = browser.new_page(viewport={"width": 1400, "height": 900})
        tab.goto(page.as_uri())
        tab.locator("body[data-ready]").wait_for(state="attached", timeout=120_000)
        first, ready = (int(tab.evaluate(f"document.body.dataset.{key}")) for key in ("picture", "ready"))
        frames = tab.evaluate(ZOOM)
        browser.close()
    return first, ready, frames


def memory(events: int, folder: Path) -> bool:
    """Prints the cost of gathering and writing a time line that is never completely in memory. Returns whether it is
    too high.
    """
    script = Path(__file__).with_name("memory.py")
    done = subprocess.run(
        [sys.executable, script, str(events), folder / "long.html"], stdout=subprocess.PIPE, text=True, check=True
    )
    found = json.loads(done.stdout)
    print(
        f"{found['states']} states, never in memory whole: peak {found['peak_mb']:.0f} MB,"
        f" {found['gathered_mb']:.0f} until the page was begun, {found['imported_mb']:.0f} of Python and NumPy alone;"
        f" {found['gathering_s']:.0f} s of CPU to gather, {found['writing_s']:.0f} to write {found['page_mb']:.0f} MB"
    )
    return bool(found["peak_mb"] > MOST_MB)


def in_a_browser(events: int, folder: Path) -> bool:
    """Prints the cost of writing a page and of showing it in a browser. Returns whether it is too high."""
    line = made(events)
    count = sum(len(one.begin_ps) for one in line.states)
    page = folder / "timeline.html"
    begin = time.process_time()
    timeline_page.write({"": line}, "Made up like PVFS", page)
    wrote = time.process_time() - begin
    size = page.stat().st_size
    first, ready, frames = measured(page)
    print(f"{count} states on {len(line.states)} tracks, {len(line.statistics)} statistics")
    print(f"written in {wrote:.1f} s of CPU, {size / 1e6:.1f} MB, {size / count:.1f} bytes a state")
    print(f"first picture after {first} ms, everything there after {ready} ms")
    for lines, whole, median, longest in frames:
        print(f"{lines} lines: the whole run {whole:.0f} ms; zooming {median:.1f} ms a frame, {longest:.0f} at most")
    slow = first > MOST_FIRST_MS or max(frame[2] for frame in frames) > MOST_FRAME_MS
    return slow or size > MOST_BYTES_EACH * count


def main() -> int:
    events, *others = [int(text) for text in sys.argv[1:]] or [1_000_000, 1_000_000, 10_000_000]
    with tempfile.TemporaryDirectory() as folder:
        wrong = [in_a_browser(events, Path(folder)), *(memory(each, Path(folder)) for each in others)]
    return int(any(wrong))


if __name__ == "__main__":
    sys.exit(main())
